"""Worked steps of questions about scenes: what each part of a program returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from synthgen.authoring import Words
from synthgen.families.scene_questions.programs import Program, View, answer, value
from synthgen.families.scene_questions.texts import parted


class Steps:
    """Writes worked steps.

    Args:
        view: The scene.
        words: Words of the lines.
        named: Function that names the things of a set.
    """

    def __init__(self, view: View, words: Words, named: Callable[[int], str]) -> None:
        self.view, self.words, self.named = view, words, named

    def lines(self, program: Program) -> Iterator[str]:
        """Yield the sets, numbers and values of a program, from the inside out."""
        name, *rest = program
        if name == "scene":
            return
        base, values = parted(program)
        if values:
            yield from self.lines(base)
            order = self.words["steps"]["order"]
            yield self._line(" ".join(values[name] for name in order if name in values), program)
            return
        for place, each in enumerate(rest):
            if isinstance(each, tuple):
                yield from self.lines(each)
                if name in ("and", "or"):
                    yield self._line(self.words["steps"][("first", "second")[place]], each)
        label = self._label(program)
        if label:
            yield self._line(label, program)

    def _label(self, program: Program) -> str:
        """Return the label of a function's line; empty if it does not have one."""
        name = program[0]
        kind, _, attribute = name.partition("_")
        if kind == "query":
            return str(attribute)
        if kind == "same":
            return self.words.line("same", attribute=attribute)
        key = program[2] if name == "relate" else name
        return str(self.words["steps"].get(key, ""))

    def _line(self, label: str, program: Program) -> str:
        result = value(program, self.view)
        if isinstance(result, bool) or program[0].startswith(("query_", "count")):
            return self.words.line("members", what=label, members=answer(result))
        members = self.named(result) or self.words["steps"]["empty"]
        return self.words.line("members", what=label, members=members)


def calls(program: Program, words: Words) -> list[str]:
    """Return a program as one call a line, with the numbers of earlier lines as arguments."""
    lines: list[str] = []

    def add(each: Any) -> str:
        if not isinstance(each, tuple):
            return str(each)
        if len(each) == 1:
            return str(each[0])
        call = f"{each[0]}({', '.join(map(add, each[1:]))})"
        lines.append(words.line("part", number=f"#{len(lines) + 1}", call=call))
        return f"#{len(lines)}"

    add(program)
    return lines
