"""Names of the objects of a construction."""

from __future__ import annotations

from synthgen.core.randomness import RowDraws
from synthgen.generators.omega.geometry._construct_program import Program

_POINTS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_CURVES = "bcdefghjmnpqrstuvwxyz"
"""Lines, circles and lengths; letters that are words or look like digits are left out."""


def named(program: Program, draws: RowDraws) -> tuple[str, ...]:
    """Return the name of each object; segments, vectors and shapes are named by their points."""
    points = _letters(_POINTS, program.kinds.count("P"), draws)
    curves = _letters(_CURVES, sum(map(program.kinds.count, "LCM")), draws)
    names: list[str] = []
    for step in program.steps:
        for one in step.made:
            kind = program.kinds[one]
            if kind == "P":
                names.append(points.pop())
            elif kind in "LCM":
                names.append(curves.pop())
            else:
                ends = step.args if kind in "SV" or step.name == "triangle" else step.made[:-1]
                names.append("".join(names[end] for end in ends))
    return tuple(names)


def _letters(alphabet: str, n: int, draws: RowDraws) -> list[str]:
    """Return n names, the first one last: in alphabetical order or any, then with primes."""
    order = draws.shuffled(alphabet) if draws.integer(0, 2) else list(alphabet)
    names = [f"{letter}{prime}" for prime in ("", "'", "''", "'''") for letter in order]
    return names[:n][::-1]
