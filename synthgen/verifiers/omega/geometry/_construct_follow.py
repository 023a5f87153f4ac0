"""Following a solution: each line says where the objects of a command are, in one frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from synthgen.verifiers.omega.geometry._construct_read import Command, Construction
from synthgen.verifiers.omega.geometry._construct_run import run
from synthgen.verifiers.omega.geometry._construct_values import Frame, IllPosedError, cross

_NUMBER = r"(-?(?:0|[1-9][0-9]{0,5})\.[0-9]{4})"
_PAIR = rf"\({_NUMBER}, {_NUMBER}\)"
_LINES: Mapping[str, str] = {
    "P": rf"@ = {_PAIR}",
    "L": rf"line @ through {_PAIR} along {_PAIR}",
    "S": rf"segment @ = {_NUMBER}",
    "V": rf"vector @ = {_PAIR}",
    "C": rf"circle @ about {_PAIR} with radius {_NUMBER}",
    "T": rf"triangle @ has sides {_NUMBER}, {_NUMBER}, {_NUMBER}",
    "M": rf"@ = {_NUMBER}",
}
_PATTERNS = {kind: re.compile(text.replace("@", "([A-Za-z']+)")) for kind, text in _LINES.items()}
_LAST = re.compile(rf"{_NUMBER} rounds to ([0-9]+\.[0-9]{{2}})", re.ASCII)
_NEAR = 1.5e-4
"""More than the rounding of two coordinates takes a point away."""


def follows(problem: Construction, answer: str, way: str) -> bool:
    """Say whether every line is right and the last one ends in the answer."""
    *lines, last = way.split("\n")
    if len(lines) != len(problem.steps):
        return False
    told = [_told(problem, step, line) for step, line in zip(problem.steps, lines, strict=True)]
    ending = _LAST.fullmatch(last)
    if ending is None or ending[2] != answer or ending[1] == "-0.0000":
        return False
    claims = [claims for claims in told if claims is not None]
    if len(claims) != len(told):
        return False
    hints = [complex(*claim[0][1][:2]) if len(claim[0][1]) > 1 else 0j for claim in claims]
    try:
        values = run(problem, Frame(hints))
    except (IllPosedError, ArithmeticError, ValueError):
        return False
    if abs(values[-1] - float(ending[1])) > _NEAR:
        return False
    return all(
        _AGREES[problem.kinds[one]](values[one], numbers)
        for claim in claims
        for one, numbers in claim
    )


Claim = tuple[int, tuple[float, ...]]


def _told(problem: Construction, step: Command, line: str) -> list[Claim] | None:
    """Return the objects that a line is about and the numbers it gives; None if it is no line."""
    several = len(step.made) > 1
    about = [one for one in step.made if not several or problem.kinds[one] in "PC"]
    parts = line.split("; ")
    if len(parts) != len(about):
        return None
    claims = []
    for one, part in zip(about, parts, strict=True):
        match = _PATTERNS[problem.kinds[one]].fullmatch(part)
        if match is None or match[1] != problem.names[one] or "-0.0000" in match.groups():
            return None
        claims.append((one, tuple(map(float, match.groups()[1:]))))
    return claims


def _point(value: complex, told: Sequence[float]) -> bool:
    return abs(value - complex(*told)) < _NEAR


def _line(value: Any, told: Sequence[float]) -> bool:
    point, way = complex(*told[:2]), complex(*told[2:])
    on = abs(cross(value[1], point - value[0])) < _NEAR
    return on and abs(cross(value[1], way)) < _NEAR and abs(abs(way) - 1) < _NEAR


def _circle(value: Any, told: Sequence[float]) -> bool:
    return _point(value[0], told[:2]) and abs(value[1] - told[2]) < _NEAR


def _triangle(value: Any, told: Sequence[float]) -> bool:
    a, b, c = value
    sides = abs(a - b), abs(b - c), abs(c - a)
    return all(abs(side - number) < _NEAR for side, number in zip(sides, told, strict=True))


_AGREES: Mapping[str, Callable[[Any, Sequence[float]], bool]] = {
    "P": _point,
    "L": _line,
    "S": lambda value, told: abs(abs(value[0] - value[1]) - told[0]) < _NEAR,
    "V": _point,
    "C": _circle,
    "T": _triangle,
    "M": lambda value, told: abs(value - told[0]) < _NEAR,
}
