"""Checks of the parameters that only COGS has: probabilities, weights and depths."""

from __future__ import annotations

from synthgen.core.errors import ParamError
from synthgen.generators._cogs_draw import MOST_DEPTH


def check_number(name: str, value: object, low: float, high: float) -> None:
    """Refuse what is no number from low to high."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ParamError(name, value, f"a number from {low} to {high}")


def check_weights(name: str, values: object, count: int, needed: int) -> None:
    """Refuse what is not `count` weights, of which one of the first `needed` is above 0."""
    wanted = f"{count} numbers from 0 to 1,000, not all of the first {needed} being 0"
    if not isinstance(values, tuple) or len(values) != count:
        raise ParamError(name, values, wanted)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
            raise ParamError(name, values, wanted)
    if not any(values[:needed]):
        raise ParamError(name, values, wanted)


def check_depths(name: str, values: object) -> None:
    """Refuse what is not a least and a largest depth."""
    wanted = f"a least and a largest depth from 1 to {MOST_DEPTH}"
    if not isinstance(values, tuple) or len(values) != 2:
        raise ParamError(name, values, wanted)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ParamError(name, values, wanted)
    if not 1 <= values[0] <= values[1] <= MOST_DEPTH:
        raise ParamError(name, values, wanted)
