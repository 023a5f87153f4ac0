"""Wordings in which the same part stands at several places, as in "n^2 ... such that n^2 ..."."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence


def repeated(texts: Sequence[str], holes: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    """Compile wordings: each `{name}` is a group where it stands first, and the same text later."""
    return tuple(re.compile(_pattern(text, holes), re.ASCII) for text in texts)


def _pattern(text: str, holes: Mapping[str, str]) -> str:
    pieces = re.split(r"\{([a-z_]+)\}", text)
    seen = set()
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            pieces[place] = re.escape(piece)
        elif piece in seen:
            pieces[place] = f"(?P={piece})"
        else:
            seen.add(piece)
            pieces[place] = f"(?P<{piece}>{holes[piece]})"
    return "".join(pieces)
