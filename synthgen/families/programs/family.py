"""Programs to predict the output of."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from synthgen.authoring import PlainFamily, Problem, RowDraws, Words, axis, levelled, params
from synthgen.authoring.distractors import chained
from synthgen.families.programs.drafts import Draft
from synthgen.families.programs.language import (
    LETTERS,
    MAX_LINES,
    MAX_STATEMENTS,
    SYMBOLS,
    VARIABLES,
    Tree,
    Unfit,
    Writer,
    blocks_of,
    evaluate,
)
from synthgen.families.programs.syntaxes import FORMS, SYNTAXES, PortableDraft
from synthgen.families.programs.writers import WRITERS

_WORDS = Words.beside(__file__)
_TRANSLATED = _WORDS.part("translated")
_NAMES = [name for name in _WORDS["names"] if name != "t"]  # which is true in Lisp
_RETURNED = ("int", "str", "list", "dict", "tuple")
_PROGRAMS = 16
_LONGEST_OUTPUT, _OFFERED = 60, 10
_CHARACTERS = digits, ascii_lowercase, ascii_uppercase


@levelled("lines", 4, 6, 8, 10, 13, 16, 20, 25, 30, 40)
@dataclass(frozen=True)
class Programs(PlainFamily):
    """Short Python functions, and a call of each to evaluate.

    Attributes:
        min_statements, max_statements: Fewest and most statements at the top, without `return`.
        control: Control statements that may occur; none for straight-line programs.
        max_arguments: Largest number of arguments.
        min_depth: Fewest statements at the top that the returned value depends on.
    """

    min_statements: int = params.integer(3, 1, 12, up_to="max_statements")
    max_statements: int = params.integer(5, 1, 12)
    control: tuple[str, ...] = params.choices(
        ("if", "for", "while"), ("if", "for", "while"), fewest=0
    )
    max_arguments: int = params.integer(2, 1, 3)
    min_depth: int = params.integer(2, 1, 12, up_to="min_statements")

    version = 3
    verifier = "programs"
    same_up_to = "names of the variables"
    words = _WORDS
    symbols = SYMBOLS
    answer_type = "literal"
    own_axes = {
        "statements": axis("statements at the top", "min_statements", "max_statements"),
        "depth": axis("statements that the value depends on", "min_depth", "max_statements"),
        "lines": axis("lines of the trace", 1, MAX_LINES),
        "branches": axis("if statements", 0, 2 * MAX_STATEMENTS),
        "loops": axis("for and while statements", 0, MAX_STATEMENTS),
        "aliased": axis("whether a list with two names changes", 0, 1),
        "returns": axis("type of the value", values=_RETURNED),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw programs until one is fit."""
        n = draws.integer(self.min_statements, self.max_statements + 1)
        for _ in range(_PROGRAMS):
            names = draws.sample(_WORDS["names"], n + self.max_arguments)
            draft = Draft(
                draws,
                self.control,
                dict(zip(VARIABLES, names, strict=False)),
                draws.sample(LETTERS, 6),
            )
            try:
                for _ in range(draws.integer(1, self.max_arguments + 1)):
                    draft.argument()
                for _ in range(n):
                    draft.add()
                return self._problem(draft)
            except Unfit:
                continue
        return None

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Change a part of the value."""
        return _changed_values(problem, draws, repr)

    def _problem(self, draft: Draft) -> Problem:
        returned, needs = draft.returned()
        value = evaluate(returned, draft.values)
        depth = sum(isinstance(need, int) for need in needs)
        given = [evaluate(literal, {}) for literal in draft.arguments]
        if depth < self.min_depth or value in given or len(repr(value)) > _LONGEST_OUTPUT:
            raise Unfit(value)
        draft.run(("return", returned))
        writer = Writer(draft.names, short=draft.draws.integer(0, 2) == 0)
        lines = [*writer.lines(draft.statements)]
        heads = [line.split(maxsplit=1)[0] for line in lines]
        arguments = ", ".join(draft.names[name] for name in VARIABLES[: len(given)])
        return Problem(
            tree=("program", ("arguments", *draft.arguments), ("block", *draft.statements)),
            answer=repr(value),
            holes={
                "code": "\n".join([f"def f({arguments}):", *lines]),
                "call": f"f({', '.join(map(writer.expression, draft.arguments))})",
            },
            axes={
                "statements": len(draft.statements) - 1,
                "depth": depth,
                "lines": len(draft.notes),
                "branches": heads.count("if"),
                "loops": heads.count("for") + heads.count("while"),
                "aliased": int(draft.aliased),
                "returns": type(value).__name__,
            },
            steps=draft.notes,
        )


def _changed_values(problem: Problem, draws: RowDraws, shown: Callable[[Any], str]) -> list[str]:
    """Return the answer with changed parts, each value as text."""
    numbers = [int(text) for text in re.findall("[0-9]+", str(problem.holes["code"]))]

    def change(text: str, draws: RowDraws) -> str:
        return shown(_mistaken(literal_eval(text), numbers, draws))

    made = chained(problem.answer, change, draws, _OFFERED)
    return [text for text in made if len(text) <= _LONGEST_OUTPUT]


def _mistaken(value: Any, numbers: Sequence[int], draws: RowDraws) -> Any:
    """Return a value with one mistake: in a number, or in what a text or list holds and where."""
    if isinstance(value, int):
        sign = -1 if value < 0 else 1
        if numbers and draws.integer(0, 2):
            return sign * draws.choice(numbers)
        return sign * abs(value + draws.choice((-2, -1, 1, 2)))
    if not value:
        return value
    if isinstance(value, dict):
        changed = draws.choice([*value])
        return {
            key: _mistaken(at, numbers, draws) if key == changed else at
            for key, at in value.items()
        }
    items, at = [*value], draws.integer(0, len(value))
    turn = draws.integer(0, 4)
    if isinstance(value, str) and (len(items) == 1 or turn == 0):
        kind = next((kind for kind in _CHARACTERS if items[at] in kind), items[at])
        items[at] = draws.choice(kind)
    elif isinstance(value, tuple) or turn == 0:
        items[at] = _mistaken(items[at], numbers, draws)
    elif turn == 1 and len(items) > 1:
        del items[at]
    elif turn == 2 and len(items) > 1:
        items.insert(at, draws.choice(items))
    else:
        other = draws.integer(0, len(items))
        items[at], items[other] = items[other], items[at]
    return "".join(items) if isinstance(value, str) else type(value)(items)


@levelled("lines", 4, 6, 8, 10, 13, 16, 20, 25, 30, 40)
@dataclass(frozen=True)
class ProgramSyntaxes(PlainFamily):
    """The same short functions in Python, JavaScript, Go and Common Lisp, and a call of each.

    Attributes:
        syntaxes: Languages, one of which is drawn for each row.
        min_statements, max_statements: Fewest and most statements at the top, without `return`.
        control: Control statements that may occur; none for straight-line programs.
        max_arguments: Largest number of arguments.
        min_depth: Fewest statements at the top that the returned value depends on.
    """

    syntaxes: tuple[str, ...] = params.choices(SYNTAXES, SYNTAXES)
    min_statements: int = params.integer(3, 1, 12, up_to="max_statements")
    max_statements: int = params.integer(5, 1, 12)
    control: tuple[str, ...] = params.choices(
        ("if", "for", "while"), ("if", "for", "while"), fewest=0
    )
    max_arguments: int = params.integer(2, 1, 3)
    min_depth: int = params.integer(2, 1, 12, up_to="min_statements")

    domain = "programs"
    verifier = "program_syntaxes"
    same_up_to = "the language and the names of the variables"
    restated_by = ("syntaxes",)
    words = _TRANSLATED
    symbols = SYMBOLS
    answer_type = "literal"
    own_axes = {
        "syntax": axis("language of the program", values=SYNTAXES, canonical=False),
        "statements": axis("statements at the top", "min_statements", "max_statements"),
        "depth": axis("statements that the value depends on", "min_depth", "max_statements"),
        "lines": axis("lines of the trace", 1, MAX_LINES),
        "branches": axis("if statements", 0, 2 * MAX_STATEMENTS),
        "loops": axis("for and while statements", 0, MAX_STATEMENTS),
        "returns": axis("type of the value", values=("int", "str", "list")),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw programs until one is fit: the same one in each language."""
        syntax = draws.choice(self.syntaxes)
        n = draws.integer(self.min_statements, self.max_statements + 1)
        for _ in range(_PROGRAMS):
            names = draws.sample(_NAMES, n + self.max_arguments)
            draft = PortableDraft(
                draws,
                self.control,
                dict(zip(VARIABLES, names, strict=False)),
                draws.sample(LETTERS, 6),
                form=FORMS[syntax],
            )
            try:
                for _ in range(draws.integer(1, self.max_arguments + 1)):
                    draft.argument()
                given = dict(draft.kinds)
                for _ in range(n):
                    draft.add()
                return self._problem(draft, syntax, given)
            except Unfit:
                continue
        return None

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Change a part of the value."""
        return _changed_values(problem, draws, json.dumps)

    def _problem(self, draft: PortableDraft, syntax: str, given: Mapping[str, str]) -> Problem:
        returned, needs = draft.returned()
        value = draft.values[returned]
        depth = sum(isinstance(need, int) for need in needs)
        values = [evaluate(literal, {}) for literal in draft.arguments]
        if depth < self.min_depth or value in values or len(json.dumps(value)) > _LONGEST_OUTPUT:
            raise Unfit(value)
        draft.run(("return", returned))
        short = draft.draws.integer(0, 2) == 0
        writer = WRITERS[syntax](draft.names, given, short=short)
        heads = [*map(str, _heads(draft.statements))]
        return Problem(
            tree=("program", ("arguments", *draft.arguments), ("block", *draft.statements)),
            answer=json.dumps(value),
            holes={
                "code": writer.program(draft.statements, value),
                "call": writer.call(draft.arguments),
                "language": _TRANSLATED["languages"][syntax],
                "fence": _TRANSLATED["fences"][syntax],
            },
            axes={
                "syntax": syntax,
                "statements": len(draft.statements) - 1,
                "depth": depth,
                "lines": len(draft.notes),
                "branches": heads.count("if"),
                "loops": heads.count("for") + heads.count("while"),
                "returns": type(value).__name__,
            },
            steps=draft.notes,
        )


def _heads(statements: Sequence[Tree]) -> Iterator[str]:
    """Yield the kinds of statements, with those in blocks."""
    for statement in statements:
        yield statement[0]
        for block in blocks_of(statement):
            yield from _heads(block[1:])


GENERATORS: Mapping[str, type[PlainFamily]] = {
    "programs": Programs,
    "program_syntaxes": ProgramSyntaxes,
}
