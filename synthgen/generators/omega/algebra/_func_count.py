"""Families that count laps, turning points or zeros of one function, drawn by kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from synthgen.core.columns import ragged
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Problems
from synthgen.core.randomness import RowDraws, Rows
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._numbers import LARGEST_LEAF, tree_codes
from synthgen.generators.omega.algebra._func_family import KEPT, CountFamily, FunctionFamily
from synthgen.generators.omega.algebra._func_hunt import (
    EXTREMA,
    FALLING,
    FOUND,
    MAXIMA,
    MINIMA,
    MOST_LAPS,
    RISING,
    Filter,
    hunt_counts,
    new_hunt,
)
from synthgen.generators.omega.algebra._func_laps import MAXIMUM, MINIMUM, laps_of
from synthgen.generators.omega.algebra._func_layers import Function, function_tree
from synthgen.generators.omega.algebra._func_values import UndecidedError

_TURNS = {MINIMA: (MINIMUM,), MAXIMA: (MAXIMUM,), EXTREMA: (MINIMUM, MAXIMUM)}


def problems_of(family: FunctionFamily, rows: Rows, made: Sequence[Made | None]) -> Problems:
    """Put problems together as `PlainFamily.draw` does, with faster codes of one function."""
    levels = family.level_of_rows(rows)
    codes = ragged(_codes(family, one) if one else () for one in made)
    columns = {"level": levels.tolist()}
    if family.subtypes:
        columns["subtype"] = [one.subtype if one else 0 for one in made]
    for name in family.own_axes:
        columns[name] = [(one.axes or {})[name] if one else 0 for one in made]
    return Problems(
        rows=rows,
        derivations=codes,
        keys=derivation_keys(codes, family.signature, family.domain),
        axes={name: np.array(values, family.axes[name].dtype) for name, values in columns.items()},
        difficulty=levels.astype(np.int16),
        valid=np.array([one is not None for one in made], bool),
        parts={"made": made},
    )


def _codes(family: FunctionFamily, made: Made) -> list[int]:
    """Return the codes of (head ... function reach), the function being the only long part."""
    code = family.signature.code
    if not isinstance(made.tree, tuple):
        return tree_codes(made.tree, family.signature)
    codes: list[int] = []
    for part in made.tree:
        if isinstance(part, int):
            codes.append(part + LARGEST_LEAF)
        elif isinstance(part, str):
            codes.append(code[part])
        else:
            for kind, coefficients in reversed(made.facts[0]):
                codes.append(code[kind])
                codes += [c + LARGEST_LEAF for c in coefficients]
            codes.append(code["x"])
    return codes


def counted(function: Function, reach: int, measure: int) -> int:
    """Count exactly on [-reach, reach]; -1 for too many laps or open comparisons."""
    try:
        laps = laps_of(function, Fraction(-reach), Fraction(reach))
        if measure in _TURNS:
            if sum(lap[3] for lap in laps.laps) > MOST_LAPS:
                return -1
            return sum(map(laps.turning, _TURNS[measure]))
        if measure in (RISING, FALLING):
            return laps.rising() if measure == RISING else laps.falling()
        return laps.zeros()
    except UndecidedError:
        return -1


@dataclass(frozen=True)
class LapCountFamily(CountFamily):
    """Questions with a count of the laps of one function for an answer."""

    block: ClassVar[int] = 512
    heads: ClassVar[tuple[str, ...]]
    """Symbol of each question."""
    measures: ClassVar[tuple[int, ...]]
    """What each question counts."""

    def draw(self, rows: Rows) -> Problems:
        """Do for all rows what `make` does for one."""
        n = len(self.measures)
        asked = rows.draws().integers(0, n) if n > 1 else np.zeros(len(rows), np.int64)
        sizes = self.level_of_rows(rows) + 1
        hunt = new_hunt(rows.keys, np.array(self.measures)[asked], sizes, first=int(n > 1))
        kept = np.full(self.max_answer + 1, 256, np.int64)
        for answer, share in KEPT.items():
            kept[answer : answer + 1] = share
        wanted = Filter(self.reach, self.tries, self.min_answer, self.max_answer, kept)
        hunt_counts(hunt, wanted, lambda function, measure: counted(function, self.reach, measure))
        found = zip(asked.tolist(), hunt.answers.tolist(), hunt.states.tolist(), strict=True)
        made = [
            self._made(hunt.function(i), question, answer) if state == FOUND else None
            for i, (question, answer, state) in enumerate(found)
        ]
        return problems_of(self, rows, made)

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw chains until the count of one is certain and passes the filter."""
        question = draws.integer(0, len(self.measures)) if len(self.measures) > 1 else 0
        for _ in range(self.tries):
            (function,) = self.draw_functions(level, draws)
            answer = counted(function, self.reach, self.measures[question])
            if answer >= 0 and self.wanted(answer, draws):
                return self._made(function, question, answer)
        return None

    def _made(self, function: Function, question: int, answer: int) -> Made:
        tree = (self.heads[question], function_tree(function), self.reach)
        return Made(tree, str(answer), (function,), question, self.built(function))
