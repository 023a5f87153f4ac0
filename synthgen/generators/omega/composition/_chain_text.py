"""Chains of problems as text: a numeral of each problem is told by the answer to the one before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from synthgen.core.randomness import RowDraws

_NUMERAL = re.compile(r"(?<![A-Za-z0-9_.])[0-9]{1,60}(?![0-9A-Za-z_]|\.[0-9])", re.ASCII)
"""An integer of a statement that stands by itself; its sign, if any, stays where it is."""
_LARGE = 10_000
_MODULI = (11, 1_000)
INTRODUCTIONS = (
    "Solve these problems in turn and give the answer to the last one.",
    "The following problems build on each other. What is the answer to the last one?",
    "Each problem uses the answer to the one before it. Give the answer to the last problem.",
    "Work through these problems in order; only the answer to the last one counts.",
)


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements as they are told, and the answer to each problem."""

    told: tuple[str, ...]
    answers: tuple[str, ...]


def link_up(statements: Sequence[str], answers: Sequence[str], draws: RowDraws) -> Chain | None:
    """Tell each problem after the first by the answer to the one before.

    Returns None where a problem has no numeral that could be told so.
    """
    told = [statements[0]]
    for place in range(1, len(statements)):
        linked = _linked(place, int(answers[place - 1]), statements[place], draws)
        if linked is None:
            return None
        told.append(linked)
    return Chain(tuple(told), tuple(answers))


def _linked(place: int, known: int, statement: str, draws: RowDraws) -> str | None:
    """Replace a numeral of a statement by the sum of a known number and another one."""
    numerals = list(_NUMERAL.finditer(statement))
    if not numerals:
        return None
    numeral = draws.choice(numerals)
    name = f"K{place}"
    meaning = f"Let {name} be the answer to problem {place}."
    if abs(known) >= _LARGE:
        modulus = draws.integer(*_MODULI)
        known = abs(known) % modulus
        meaning = (
            f"Let {name} be the remainder when the absolute value of the answer to problem {place} "
            f"is divided by {modulus}."
        )
    more = int(numeral.group()) - known
    term = f"({name} {'-' if more < 0 else '+'} {abs(more)})"
    return f"{meaning} {statement[: numeral.start()]}{term}{statement[numeral.end() :]}"


def chain_prompt(chain: Chain, wording: int) -> str:
    """Write the problems one after the other."""
    problems = (f"Problem {place}. {text}" for place, text in enumerate(chain.told, 1))
    return "\n\n".join((INTRODUCTIONS[wording], *problems))


def chain_steps(chain: Chain) -> str:
    """Write the answer to each problem."""
    return "\n".join(f"Problem {place}: {text}" for place, text in enumerate(chain.answers, 1))
