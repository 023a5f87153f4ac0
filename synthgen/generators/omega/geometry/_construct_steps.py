"""The way to an answer: every object of a construction in one frame, to four decimals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import dist
from typing import Any

from synthgen.generators.omega.geometry._construct_program import Program


def way_to(program: Program, names: Sequence[str]) -> str:
    """Return one line for each command and one for the answer."""
    lines = []
    for step in program.steps:
        made = [one for one in step.made if len(step.made) == 1 or program.kinds[one] in "PC"]
        parts = [_TOLD[program.kinds[one]](names[one], program.values[one]) for one in made]
        lines.append("; ".join(parts))
    lines.append(f"{_decimal(program.value)} rounds to {program.answer}")
    return "\n".join(lines)


def _decimal(value: float) -> str:
    text = f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text


def _pair(x: float, y: float) -> str:
    return f"({_decimal(x)}, {_decimal(y)})"


def _triangle(name: str, value: Any) -> str:
    p, q, r = value
    sides = ", ".join(_decimal(dist(*ends)) for ends in ((p, q), (q, r), (r, p)))
    return f"triangle {name} has sides {sides}"


_TOLD: Mapping[str, Callable[[str, Any], str]] = {
    "P": lambda name, value: f"{name} = {_pair(*value)}",
    "L": lambda name, v: f"line {name} through {_pair(*v[:2])} along {_pair(*v[2:])}",
    "S": lambda name, value: f"segment {name} = {_decimal(dist(*value))}",
    "V": lambda name, value: f"vector {name} = {_pair(*value)}",
    "C": lambda name, v: f"circle {name} about {_pair(*v[:2])} with radius {_decimal(v[2])}",
    "T": _triangle,
    "M": lambda name, value: f"{name} = {_decimal(value)}",
}
