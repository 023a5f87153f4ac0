"""Brackets, stack and queue machines, and cellular automata, all simulated symbol by symbol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    levelled,
    params,
)
from synthgen.authoring.distractors import misspelt

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["steps"]
_TASKS = tuple(_WORDS["prompts"]["instruction"])
_BORDERS = tuple(_WORDS["border_texts"])
_BRACKETS = "()[]{}<>"
_CLOSING = dict(zip(_BRACKETS[::2], _BRACKETS[1::2], strict=True))
_MAX, _MAX_STEPS, _OFFERED = 100, 20, 10
_States = list[tuple[str, str | None]]
"""Each symbol or action, and the open brackets, held values or row after it; None: a mismatch."""


def _spaced(symbols: str) -> str:
    return " ".join(symbols) or str(_STEPS["empty"])


def _walk(draws: RowDraws, length: int, returns: bool = False) -> list[bool]:
    """Draw the steps up of a walk that never falls below its start, and ends there or above."""
    ups: list[bool] = []
    height = 0
    for left in range(length, 0, -1):
        lowest = height == 0 or (not returns and height == left == 1)
        ups.append(lowest or (not (returns and height == left) and draws.integer(0, 5) < 3))
        height += 1 if ups[-1] else -1
    return ups


def _brackets(draws: RowDraws, ups: list[bool], kinds: int) -> tuple[str, str]:
    """Draw the kinds of brackets; return the string, and the ending that closes it."""
    text, ending = "", ""
    for up in ups:
        if up:
            bracket = draws.choice(_BRACKETS[: 2 * kinds : 2])
            text, ending = text + bracket, _CLOSING[bracket] + ending
        else:
            text, ending = text + ending[0], ending[1:]
    return text, ending


def _stacks(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each bracket and those open after it; stop with None where it closes none."""
    stack = ""
    for bracket in text:
        if bracket in _CLOSING:
            stack += bracket
        elif stack and _CLOSING[stack[-1]] == bracket:
            stack = stack[:-1]
        else:
            yield bracket, None
            return
        yield bracket, stack


def _spoilt(draws: RowDraws, text: str) -> str:
    """Exchange two brackets so that the string is not balanced, though all counts are right."""
    symbols = [*text]
    while [*_stacks("".join(symbols))][-1][1] == "":
        symbols = [*text]
        p, q = draws.integer(0, len(text)), draws.integer(0, len(text))
        symbols[p], symbols[q] = symbols[q], symbols[p]
    return "".join(symbols)


@levelled("length + steps", 4, 6, 8, 12, 16, 20, 30, 40, 60, 80)
@dataclass(frozen=True)
class Automata(PlainFamily):
    """Brackets, commands of a stack or queue, or a row of a cellular automaton.

    Attributes:
        tasks: Names of tasks, each drawn equally often.
        min_length, max_length: Brackets, commands or cells, 3 to 100, each length equally often;
            dyck_balanced has even lengths only, and shortens odd ones by one.
        kinds: Kinds of brackets, 1 to 4.
        max_steps: Largest number of steps of a cellular automaton, 1 to 20.
    """

    tasks: tuple[str, ...] = params.choices(_TASKS, _TASKS)
    min_length: int = params.integer(3, 3, _MAX, up_to="max_length")
    max_length: int = params.integer(20, 3, _MAX)
    kinds: int = params.integer(3, 1, len(_CLOSING))
    max_steps: int = params.integer(4, 1, _MAX_STEPS)

    version = 2
    verifier = "automata"
    words = _WORDS
    answer_type = dict.fromkeys(_TASKS, "string") | {"dyck_balanced": "label"}
    symbols = {
        **dict.fromkeys(_TASKS, (3, _MAX + 3)),
        **dict.fromkeys(["take", *_BORDERS], 0),
    }
    own_axes = {
        "length": axis("brackets, commands or cells", 3, _MAX),
        "steps": axis("steps of the cellular automaton, 0 for other tasks", 0, _MAX_STEPS),
        "rule": axis("rule of the cellular automaton, -1 for other tasks", -1, 255),
        "depth": axis("most brackets open or values held at a time", 0, _MAX),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        is_odd = self.min_length == self.max_length and self.max_length % 2
        if self.tasks == ("dyck_balanced",) and is_odd:
            wanted = "an even number, as min_length is the same and tasks are only dyck_balanced"
            raise ParamError("max_length", self.max_length, wanted)

    @property
    def styles(self) -> tuple[str, ...]:
        """All styles, but no box where an answer may have braces of its own."""
        braces = "dyck_completion" in self.tasks and self.kinds > _BRACKETS.index("{") // 2
        return tuple(style for style in self.prompts if style != "boxed" or not braces)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a task and a length, and an input of this length."""
        task = draws.choice(self.tasks)
        length = draws.integer(self.min_length, self.max_length + 1)
        if task == "dyck_balanced":
            length -= length % 2
        if length < self.min_length:
            return None
        if task == "cellular_automaton":
            made = self._automaton(draws, task, length)
        else:
            made = (self._dyck if task.startswith("dyck") else _machine)(draws, task, length)
            depth = max(len(state or "") for _, state in made.data)
            made.axes = {"steps": 0, "rule": -1, "depth": depth}
        if not made.answer:
            return None
        made.kind = task
        made.axes = {"length": length, **made.axes}
        made.difficulty += length
        return made

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Write the values, brackets or cells with mistakes: others of the problem."""
        if problem.kind == "dyck_balanced":
            return []
        symbols, signs = problem.answer.split(), {"0", "1"}
        if problem.kind.startswith("dyck"):
            given = str(problem.holes["symbols"]).split()
            signs = {_CLOSING.get(symbol, symbol) for symbol in given}
        elif problem.kind != "cellular_automaton":
            signs = {*re.findall("[0-9]", str(problem.holes["commands"]))}
        return [*map(" ".join, misspelt(symbols, sorted(signs), draws, _OFFERED))]

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the open brackets, held values or row after each part."""
        states: _States = problem.data
        return [
            f"{part}: {_STEPS['mismatch'] if state is None else _spaced(state)}"
            for part, state in states
        ]

    def _dyck(self, draws: RowDraws, task: str, length: int) -> Problem:
        whole = task == "dyck_balanced"
        text, ending = _brackets(draws, _walk(draws, length, whole), self.kinds)
        if whole and draws.integer(0, 2):
            text = _spoilt(draws, text)
        states = list(_stacks(text))
        answer = ("yes" if states[-1][1] == "" else "no") if whole else " ".join(ending)
        leaves = [_BRACKETS.index(bracket) for bracket in text]
        return Problem((task, *leaves), answer, {"symbols": " ".join(text)}, data=states)

    def _automaton(self, draws: RowDraws, task: str, length: int) -> Problem:
        rule, steps = draws.integer(0, 256), draws.integer(1, self.max_steps + 1)
        border = draws.choice(_BORDERS)
        row = first = "".join([draws.choice("01") for _ in range(length)])
        table, written = _table(rule)
        states: _States = []
        for step in range(1, steps + 1):
            wide = row[-1] + row + row[0] if border == "periodic" else f"0{row}0"
            row = "".join([table[wide[i : i + 3]] for i in range(length)])
            states.append((str(step), row))
        holes = {
            "rule": rule,
            "table": written,
            "border": border,
            "border_text": _WORDS["border_texts"][border],
            "counted": _WORDS.line("one_step" if steps == 1 else "more_steps", n=steps),
            "row": _spaced(first),
        }
        tree = (task, rule, border, steps, *map(int, first))
        axes = {"steps": steps, "rule": rule, "depth": 0}
        return Problem(tree, _spaced(row), holes, "", axes, difficulty=steps, data=states)


@cache
def _table(rule: int) -> tuple[dict[str, str], str]:
    """Return the new value of each neighborhood, and the table as it is written."""
    table = {f"{n:03b}": str(rule >> n & 1) for n in range(7, -1, -1)}
    return table, "\n".join(f"{old} -> {new}" for old, new in table.items())


def _machine(draws: RowDraws, task: str, length: int) -> Problem:
    machine, _, asked = task.partition("_")
    put, take = _WORDS["machines"][machine]
    held, values = "", ""
    leaves: list[int | str] = []
    states: _States = []
    for up in _walk(draws, length):
        if up:
            value = draws.choice("0123456789")
            held, part = held + value, f"{put} {value}"
        else:
            held, value = (held[:-1], held[-1]) if machine == "stack" else (held[1:], held[0])
            values, part = values + value, _WORDS.line("taken", command=take, value=value)
        leaves.append(int(value) if up else "take")
        states.append((part, held))
    answer = " ".join(values if asked == "values" else held)
    commands = ", ".join([take if leaf == "take" else f"{put} {leaf}" for leaf in leaves])
    return Problem((task, *leaves), answer, {"commands": commands}, data=states)


GENERATORS = {"automata": Automata}
