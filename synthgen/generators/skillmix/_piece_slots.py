"""Templates with numbered slots, made ready to be filled many times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import TypeAlias

from synthgen.generators.skillmix._piece import Parts

Fill: TypeAlias = Callable[[Parts], str]
Forms: TypeAlias = Mapping[str, Callable[[str], str]]

_SLOT = re.compile(r"\{(\d+)(?::(\w+))?\}")


def filler(text: str, forms: Forms) -> Fill:
    """Return what fills a template with parts: `{0}` with part 0, `{0:s}` with its form "s".

    This is `str.format` for such templates, at a third of its cost.

    Raises:
        KeyError: for a form that there is not.
    """
    pieces = _SLOT.split(text)  # text, number, form, text, number, form, text
    slots = [(int(at), form) for at, form in zip(pieces[1::3], pieces[2::3], strict=True)]
    if not slots:
        return lambda parts: text  # noqa: ARG005 - as all that fill
    formed = list(dict.fromkeys((at, form) for at, form in slots if form))
    changes = [(at, forms[form]) for at, form in formed]
    # Forms stand behind all parts, however many these are.
    chosen = itemgetter(
        *(formed.index((at, form)) - len(formed) if form else at for at, form in slots)
    )
    template = "%s".join(piece.replace("%", "%%") for piece in pieces[::3])
    if not changes:
        return lambda parts: template % chosen(parts)
    if len(changes) == 1:
        ((place, change),) = changes
        return lambda parts: template % chosen((*parts, change(parts[place])))
    return lambda parts: template % chosen((*parts, *[form(parts[at]) for at, form in changes]))
