"""Worked steps of questions about scenes: what each part of a program returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from synthgen.families.scene_questions.programs import Program, View, value
from synthgen.families.scene_questions.texts import WORDS, parted

Named = Callable[[int], str]
"""Names the things of a set."""


def steps(program: Program, view: View, named: Named) -> Iterator[str]:
    """Yield the sets, numbers and values of a program, from the inside out."""
    name, *rest = program
    if name == "scene":
        return
    base, values = parted(program)
    if values:
        yield from steps(base, view, named)
        yield _line(" ".join(reversed(values.values())), program, view, named)
        return
    for each in rest:
        if isinstance(each, tuple):
            yield from steps(each, view, named)
    label = _label(program)
    if label:
        yield _line(label, program, view, named)


def _label(program: Program) -> str:
    """Return the label of a function's line; empty if it does not have one."""
    name = program[0]
    kind, _, attribute = name.partition("_")
    if kind == "query":
        return str(attribute)
    if kind == "same":
        return WORDS.line("same", attribute=attribute)
    key = program[2] if name == "relate" else name
    return str(WORDS["steps"][key]) if key in WORDS["steps"] else ""


def _line(label: str, program: Program, view: View, named: Named) -> str:
    result = value(program, view)
    is_set = not program[0].startswith(("query_", "count"))
    text = (named(result) or WORDS["steps"]["none"]) if is_set else str(result)
    return WORDS.line("members", what=label, members=text)
