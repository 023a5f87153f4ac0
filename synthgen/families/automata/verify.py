"""Brackets and machines by deleting adjacent pairs, automata by bit operations on whole rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["steps"]
_BORDERS: Mapping[str, str] = _WORDS["border_texts"]
_MACHINES: Mapping[str, tuple[str, str]] = _WORDS["machines"]
_PAIR = re.compile(r"\(\)|\[\]|\{\}|<>|[0-9]x")
_WRONG = re.compile(r"[])}>x]")
_MIRROR = str.maketrans("([{<", ")]}>")
_COUNTED = {_WORDS.line("more_steps", n=n): n for n in range(2, 21)}
_COUNTED[_STEPS["one_step"]] = 1


class _Problem(NamedTuple):
    """The input, with a digit for each put and x for each take; the rest describes an automaton."""

    task: str
    text: str
    rule: int
    steps: int
    ring: bool


@reads(
    _WORDS,
    symbols=holes.listed(holes.pattern(r"[()\[\]{}<>]"), " "),
    commands=holes.listed(
        holes.pattern(
            "(?:" + "|".join(f"{put} [0-9]|{take}" for put, take in _MACHINES.values()) + ")"
        )
    ),
    row=holes.listed(holes.pattern("[01]"), " "),
    rule=holes.NATURAL,
    table=holes.pattern("\n".join(f"{n:03b} -> [01]" for n in range(7, -1, -1))),
    counted=holes.word(_COUNTED),
    border=holes.word(_BORDERS),
    border_text=holes.word(_BORDERS.values()),
)
def _read(task: str, **filled: Any) -> _Problem | None:
    names = _MACHINES.get(task.partition("_")[0], ())
    if any(command.split()[0] not in names for command in filled.get("commands", ())):
        return None
    parts = filled.get("symbols") or filled.get("row") or filled["commands"]
    text = "".join("x" if part in names else part[-1] for part in parts)
    digits = "".join(line[-1] for line in filled.get("table", "").splitlines())
    rule = int(digits, 2) if digits else filled.get("rule", 0)
    ring = "periodic" in filled.values() or _BORDERS["periodic"] in filled.values()
    if rule > 255 or not 3 <= len(text) <= 100:
        return None
    return _Problem(task, text, rule, _COUNTED.get(filled.get("counted", ""), 0), ring)


def _spaced(symbols: str) -> str:
    return " ".join(symbols) or str(_STEPS["empty"])


def _state(task: str, text: str) -> str:
    """Return the brackets that are open, or the digits that are held, after some symbols."""
    if task.startswith("queue"):
        return text.replace("x", "")[text.count("x") :]
    while (shorter := _PAIR.sub("", text)) != text:
        text = shorter
    return text


def _taken(task: str, text: str) -> str:
    """Return the digits that a machine gives out: each is held before a take, at the used end."""
    end = 0 if task.startswith("queue") else -1
    return "".join(_state(task, text[: take.start()])[end] for take in re.finditer("x", text))


def _rows(problem: _Problem) -> Iterator[str]:
    """Yield the rows of an automaton, each the bits of a number."""
    size = len(problem.text)
    full = (1 << size) - 1
    row = int(problem.text, 2)
    for _ in range(problem.steps):
        left, right = row >> 1, row << 1 & full
        if problem.ring:
            left |= (row & 1) << (size - 1)
            right |= row >> (size - 1)
        new = 0
        for n in range(8):
            if problem.rule >> n & 1:  # all cells with the neighborhood n at once
                fits = full
                for plane, wanted in ((left, n & 4), (row, n & 2), (right, n & 1)):
                    fits &= plane if wanted else ~plane
                new |= fits
        row = new
        yield _spaced(f"{row:0{size}b}")


def _solve(problem: _Problem) -> str | None:
    task, text = problem.task, problem.text
    if task == "cellular_automaton":
        return [*_rows(problem)][-1]
    rest = _state("", text)
    if task == "dyck_balanced":
        return "no" if rest else "yes"
    if not rest or _WRONG.search(rest):
        return None
    if task == "dyck_completion":
        return " ".join(rest.translate(_MIRROR)[::-1])
    answer = (_taken if task.endswith("values") else _state)(task, text)
    return " ".join(answer) or None


def _lines(problem: _Problem) -> Iterator[str]:
    task, text = problem.task, problem.text
    if task == "cellular_automaton":
        yield from (f"{step}: {row}" for step, row in enumerate(_rows(problem), 1))
        return
    put, take = _MACHINES.get(task.partition("_")[0], ("", ""))
    for n, symbol in enumerate(text, 1):
        state = _state(task, text[:n])
        part = f"{put} {symbol}".strip()
        if symbol == "x":
            part = _WORDS.line("taken", command=take, value=_taken(task, text[:n])[-1])
        if _WRONG.search(state):
            yield f"{part}: {_STEPS['mismatch']}"
            return
        yield f"{part}: {_spaced(state)}"


def _type_of(problem: _Problem) -> str:
    return "label" if problem.task == "dyck_balanced" else "string"


VERIFIERS = {"automata": PlainVerifier(_read, _solve, _type_of, exactly(_lines))}
