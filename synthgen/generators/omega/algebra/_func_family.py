"""What the families about functions have in common: levels by layers, filters and wordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import PlainFamily
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega.algebra._func_layers import (
    SYMBOLS,
    Function,
    definition,
    draw_function,
    function_tree,
    points,
    transcendentals,
)
from synthgen.generators.omega.algebra._func_tame import shape_of
from synthgen.generators.omega.algebra._func_values import UndecidedError

N_LEVELS = 7
RADIANS = " Angles are in radians."
LEAST_POINTS = (5, 8, 10, 12, 15, 17, 20)
"""Points of difficulty that the questions about places and areas ask for at each level."""
_INNER = (tuple("ABCDEFGH"), tuple("PQRSTUVW"))
_TRIES = 400
_LARGEST_REACH = 100
_MOST_LISTED_LAPS = 1_500
KEPT_PLACES = {0: 112, 1: 176, -1: 176}
"""Of 256 draws with such an x, how many are kept."""
KEPT = {4: 72, 8: 128, 20: 144, 40: 112}
"""Of 256 draws with such a count, how many are kept."""


def check_integer(name: str, value: object, low: int, high: int) -> None:
    """Refuse a parameter that is no integer from `low` to `high`.

    Raises:
        ParamError: for such a parameter.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ParamError(name, value, f"an integer from {low} to {high}")


def functions_text(functions: tuple[Function, ...], draws: RowDraws) -> str:
    """Define the functions f, or f and g."""
    named = zip("fg", functions, _INNER, strict=False)
    return "; ".join(definition(name, f, "x", letters, draws) for name, f, letters in named)


def radians(functions: tuple[Function, ...]) -> str:
    """Return the remark about angles if a function has any."""
    has_angles = any(kind in ("sin", "cos") for f in functions for kind, _ in f)
    return RADIANS if has_angles else ""


def pair_trees(f: Function, g: Function) -> tuple[Tree, Tree]:
    """Return the trees of two functions that play the same part, in a fixed order."""
    trees = [function_tree(f), function_tree(g)]
    first, second = sorted(trees, key=repr)
    return first, second


def check_tame(functions: tuple[Function, ...], low: Fraction, high: Fraction) -> None:
    """Refuse functions that enclosures on cells do not settle.

    These are functions with infinitely many laps, with more than can be listed, or with a place at
    which they are undefined although they have a finite limit there.

    Raises:
        UndecidedError: for such functions.
    """
    for function in functions:
        shape = shape_of(function, low, high)
        if shape.laps > _MOST_LISTED_LAPS or shape.finite_gaps:
            raise UndecidedError


@dataclass(frozen=True)
class FunctionFamily(PlainFamily):
    """Questions about chains of 2 to 8 layers (levels 1 to 7) on the interval [-reach, reach]."""

    reach: int = 10

    n_levels: ClassVar[int] = N_LEVELS
    block: ClassVar[int] = 64
    level_is_canonical: ClassVar[bool] = True
    own_symbols: ClassVar[Mapping[str, int]]
    n_functions: ClassVar[int] = 1
    tries: ClassVar[int] = _TRIES

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("reach", self.reach, 1, _LARGEST_REACH)

    def layer_axes(self) -> Mapping[str, Axis]:
        """How the functions are built."""
        most = N_LEVELS + 1 if self.n_functions == 1 else 2 * N_LEVELS + 1
        return {
            "layers": Axis("layers of all functions together", low=2, high=most),
            "points": Axis("points of difficulty of all layers", low=2, high=4 * most),
            "transcendentals": Axis("layers that are exp, sin or cos", low=0, high=2),
        }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How the functions are built."""
        return self.layer_axes()

    def built(self, *functions: Function) -> dict[str, int]:
        """Return the values of the axes that say how functions are built."""
        return {
            "layers": sum(map(len, functions)),
            "points": sum(map(points, functions)),
            "transcendentals": transcendentals(*functions),
        }

    def draw_functions(self, level: int, draws: RowDraws) -> tuple[Function, ...]:
        """Draw f with a layer more than the level, and g, if any, with as many as the level."""
        n = level + 1
        f = draw_function(draws, n)
        return (f,) if self.n_functions == 1 else (f, draw_function(draws, n - 1))


def symbols_of(own: Mapping[str, int]) -> Mapping[str, int]:
    """Return a family's symbols and those of functions."""
    return dict(own) | SYMBOLS | {"x": 0}


@dataclass(frozen=True)
class CountFamily(FunctionFamily):
    """Questions with a count for an answer, kept if that is neither too small nor too large."""

    min_answer: int = 4
    max_answer: int = 1_000

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("min_answer", self.min_answer, 0, 20)
        check_integer("max_answer", self.max_answer, 20, 5_000)

    def wanted(self, answer: int, draws: RowDraws) -> bool:
        """Say whether an answer passes the filter, and thin out the most frequent ones."""
        if not self.min_answer <= answer <= self.max_answer:
            return False
        return draws.integer(0, 256) < KEPT.get(answer, 256)
