"""Where trees show their faults: params that leave few problems, and problems close to a row's."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from synthgen.authoring.family import LevelledFamily, Levels, PlainFamily, Problem
from synthgen.authoring.listed import ListedFamily
from synthgen.contract.interfaces import Generator, Problems
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.draws.randomness import RowDraws, Rows

_STEPS, _MIDDLE = 3, 1
"""Values of all sizes that are tried together, and those that options go with."""
_MOST, _FEW = 24, 16
"""Most options that are tried, and rows that show whether there are problems."""
_PLACES, _SWAPS = 10, 4


def narrowed(family: Generator, given: Collection[str]) -> list[Generator]:
    """Return a family with params that leave few problems, so that problems repeat.

    All sizes are at their smallest values, then at the next; then each option is chosen alone.

    Args:
        family: Family with its params.
        given: Names of params that stay as they are.
    """
    free = {one.name: one.metadata for one in fields(family) if one.name not in given}  # type: ignore[arg-type]
    sizes = {name: known.get("sizes", ()) for name, known in free.items()}
    options = {name: known.get("options", ()) for name, known in free.items()}
    if isinstance(family, Levels) and sizes.pop("levels", ()):
        options["levels"] = [(level,) for level in range(1, family.n_levels + 1)]
    if isinstance(family, ListedFamily):  # all problems are listed as it is
        sizes.pop("repeats", None)
        options.pop("levels", None)
    together = [(name, *free[name].get("limits", {}).values()) for name in sizes]
    small = []
    for step in range(_STEPS):
        wanted = {name: few[min(step, len(few) - 1)] for name, few in sizes.items() if few}
        linked = [{name: wanted[name] for name in names if name in wanted} for names in together]
        singly = [{name: value} for name, value in wanted.items()]
        small.append(_narrowest(family, linked + singly))
    alone = [
        one
        for name, values in options.items()
        for value in values
        for base in (family, small[_MIDDLE])
        if (one := _with(base, {name: value})) and one not in small and one != family
    ]
    some = [one for one in alone[:: -(-len(alone) // _MOST) or 1] if _has_problems(one)]
    return [one for one in dict.fromkeys(small + some) if one != family]


def _narrowest(family: Generator, wanted: Sequence[Mapping[str, Any]]) -> Generator:
    """Return a family with as many of these params as it can have and still draw problems."""
    narrow = family
    for params in wanted:
        narrow = _with(narrow, params) or narrow
    if narrow == family or _has_problems(narrow):
        return narrow
    narrow = family
    for params in wanted:
        one = _with(narrow, params)
        narrow = one if one and one != narrow and _has_problems(one) else narrow
    return narrow


def _with(family: Generator, params: Mapping[str, Any]) -> Generator | None:
    """Return a family with other params; None if it cannot have them."""
    try:
        return replace(family, **params)  # type: ignore[type-var]
    except (ParamError, UnknownNameError):
        return None


def _has_problems(family: Generator) -> bool:
    few = 1 + min(_FEW, family.block // _FEW)
    return bool(family.draw(Rows.span(0, 0, few)).valid.any())


def neighbors(family: PlainFamily | LevelledFamily, problems: Problems, i: int) -> Problems:
    """Return a row's problem, and those of which one draw is another row's, or two are exchanged.

    Args:
        family: Family of the problems.
        problems: Problems of rows.
        i: Number of the row.
    """
    n = len(problems)
    make: Any = family.make
    level = problems.parts["made"][i % n].difficulty
    if isinstance(family, LevelledFamily):
        make = partial(make, level)
    key, other = (int(problems.rows.keys[k % n]) for k in (i, i + 1))
    draws = RowDraws(key)
    make(draws)
    count = draws.taken
    words, others = ([row.bits() for _ in range(count)] for row in map(RowDraws, (key, other)))
    changed = [words]
    for place in range(i % max(1, count // _PLACES), count, max(1, count // _PLACES)):
        changed.append([*words[:place], others[place], *words[place + 1 :]])
    for place in range(i % max(1, count // _SWAPS), count, max(1, count // _SWAPS)):
        swapped, partner = list(words), (place + 1 + i % 3) % count
        swapped[place], swapped[partner] = words[partner], words[place]
        changed.append(swapped)
    made: list[Problem | None] = []
    for one in changed:
        problem = make(RowDraws(key, one[::-1]))
        if problem is not None:
            if isinstance(family, LevelledFamily):
                problem.difficulty = level
            made.append(problem)
    return family.columns(Rows(problems.rows.stream, np.zeros(len(made), np.uint64)), made)
