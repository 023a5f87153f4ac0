"""Brackets, stack and queue machines, and cellular automata, all simulated symbol by symbol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synthgen.authoring import PlainFamily, Problem, RowDraws, Words, axis, levelled, params
from synthgen.authoring.words import filled

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["steps"]
_TASKS = tuple(_WORDS["prompts"]["instruction"])
_BORDERS = tuple(_WORDS["border_texts"])
_BRACKETS = "()[]{}<>"
_CLOSING = dict(zip(_BRACKETS[::2], _BRACKETS[1::2], strict=True))
_MOST, _MOST_STEPS = 100, 20
_Drawn = tuple[list[int | str], Mapping[str, object], str, list[str], Mapping[str, int]]
"""Leaves of the tree, holes, the answer, worked lines, and axes."""


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


def _nested(text: str) -> tuple[bool, list[str], int]:
    """Return whether brackets are balanced, the open ones after each, and the greatest depth."""
    stack, depth = "", 0
    lines: list[str] = []
    for bracket in text:
        if bracket in _CLOSING:
            stack += bracket
        elif stack and _CLOSING[stack[-1]] == bracket:
            stack = stack[:-1]
        else:
            return False, [*lines, f"{bracket}: {_STEPS['mismatch']}"], depth
        depth = max(depth, len(stack))
        lines.append(f"{bracket}: {_spaced(stack)}")
    return not stack, lines, depth


def _spoilt(draws: RowDraws, text: str) -> str:
    """Exchange two brackets so that the string is not balanced, though all counts are right."""
    symbols = [*text]
    while _nested("".join(symbols))[0]:
        symbols = [*text]
        p, q = draws.integer(0, len(text)), draws.integer(0, len(text))
        symbols[p], symbols[q] = symbols[q], symbols[p]
    return "".join(symbols)


@levelled("length + steps", 4, 6, 8, 12, 16, 20, 30, 40, 60, 80)
@dataclass(frozen=True)
class Automata(PlainFamily):
    """Brackets, commands of a stack or queue, or a row of a cellular automaton.

    Attributes:
        tasks: names of tasks, each drawn equally often.
        min_length, max_length: brackets, commands or cells, 3 to 100, each length equally often;
            dyck_balanced has even lengths only, and shortens odd ones by one.
        kinds: kinds of brackets, 1 to 4.
        max_steps: most steps of a cellular automaton, 1 to 20.
    """

    tasks: tuple[str, ...] = params.choices(_TASKS, _TASKS)
    min_length: int = params.integer(3, 3, _MOST, up_to="max_length")
    max_length: int = params.integer(20, 3, _MOST)
    kinds: int = params.integer(3, 1, len(_CLOSING))
    max_steps: int = params.integer(4, 1, _MOST_STEPS)

    version = 1
    verifier = "automata"
    words = _WORDS
    answer_type = "string"
    symbols = {
        **dict.fromkeys(_TASKS, (3, _MOST + 3)),
        **dict.fromkeys(["take", *_BORDERS], 0),
    }
    own_axes = {
        "length": axis("brackets, commands or cells", 3, _MOST),
        "steps": axis("steps of the cellular automaton, 0 for other tasks", 0, _MOST_STEPS),
        "rule": axis("rule of the cellular automaton, -1 for other tasks", -1, 255),
        "depth": axis("most brackets open or values held at a time", 0, _MOST),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a task and a length, and an input of this length."""
        task = draws.choice(self.tasks)
        length = draws.integer(self.min_length, self.max_length + 1)
        if task == "dyck_balanced":
            length -= length % 2
        if length < self.min_length:
            return None
        if task.startswith("dyck"):
            drawn = self._dyck(draws, task, length)
        elif task == "cellular_automaton":
            drawn = self._automaton(draws, length)
        else:
            drawn = _machine(draws, task, length)
        leaves, holes, answer, lines, found = drawn
        if not answer:
            return None
        axes = {"length": length, "steps": 0, "rule": -1, "depth": 0, **found}
        difficulty = length + axes["steps"]
        return Problem((task, *leaves), answer, holes, task, axes, lines, difficulty)

    def _dyck(self, draws: RowDraws, task: str, length: int) -> _Drawn:
        whole = task == "dyck_balanced"
        text, ending = _brackets(draws, _walk(draws, length, whole), self.kinds)
        if whole and draws.integer(0, 2):
            text = _spoilt(draws, text)
        balanced, lines, depth = _nested(text)
        answer = ("yes" if balanced else "no") if whole else " ".join(ending)
        leaves: list[int | str] = [_BRACKETS.index(bracket) for bracket in text]
        return leaves, {"symbols": " ".join(text)}, answer, lines, {"depth": depth}

    def _automaton(self, draws: RowDraws, length: int) -> _Drawn:
        rule, steps = draws.integer(0, 256), draws.integer(1, self.max_steps + 1)
        border = draws.choice(_BORDERS)
        row = first = "".join(str(draws.integer(0, 2)) for _ in range(length))
        table = {f"{n:03b}": str(rule >> n & 1) for n in range(7, -1, -1)}
        lines: list[str] = []
        for step in range(1, steps + 1):
            wide = row[-1] + row + row[0] if border == "periodic" else f"0{row}0"
            row = "".join(table[wide[i : i + 3]] for i in range(length))
            lines.append(f"{step}: {_spaced(row)}")
        holes = {
            "rule": rule,
            "table": "\n".join(f"{old} -> {new}" for old, new in table.items()),
            "border": border,
            "border_text": _WORDS["border_texts"][border],
            "counted": filled(_STEPS["one_step" if steps == 1 else "more_steps"], {"n": steps}),
            "row": _spaced(first),
        }
        leaves = [rule, border, steps, *map(int, first)]
        return leaves, holes, _spaced(row), lines, {"steps": steps, "rule": rule}


def _machine(draws: RowDraws, task: str, length: int) -> _Drawn:
    machine, _, asked = task.partition("_")
    put, take = _WORDS["machines"][machine]
    held, values, depth = "", "", 0
    commands, leaves, lines = [], [], []
    for up in _walk(draws, length):
        if up:
            held += str(draws.integer(0, 10))
            command = part = f"{put} {held[-1]}"
        else:
            held, value = (held[:-1], held[-1]) if machine == "stack" else (held[1:], held[0])
            values += value
            command, part = take, filled(_STEPS["taken"], {"command": take, "value": value})
        commands.append(command)
        leaves.append(int(held[-1]) if up else "take")
        lines.append(f"{part}: {_spaced(held)}")
        depth = max(depth, len(held))
    answer = " ".join(values if asked == "values" else held)
    return leaves, {"commands": ", ".join(commands)}, answer, lines, {"depth": depth}


GENERATORS = {"automata": Automata}
