"""Checkers of PCFG SET's parameters."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.core.checks import check_int
from synthgen.core.conditions import bounded, equal_to
from synthgen.core.errors import ParamError

_MOST_CELLS = 10_000
_MOST_TREE = 20
_MOST_COUNT = 10**12
_MOST_LENGTH = 2_000
RANDOM = "random"
CONDITIONS = {
    "n_functions": bounded("min_functions", "max_functions", root=("",)),
    "depth": bounded("min_depth", "max_depth", root=("",)),
    "longest_string": bounded("min_string", "max_string"),
    "function": equal_to("root"),
}
"""A root stands before a program, which makes it longer and deeper."""


def check_names(name: str, value: object, known: Sequence[str], minimum: int) -> None:
    """Refuse what is no tuple of different known names."""
    wanted = f"at least {minimum} different names out of {', '.join(known)}"
    if not isinstance(value, tuple) or not set(value) <= set(known):
        raise ParamError(name, value, wanted)
    if len(set(value)) != len(value) or len(value) < minimum:
        raise ParamError(name, value, wanted)


def check_probability(name: str, value: object) -> None:
    """Refuse what is neither a probability nor "random"."""
    if value == RANDOM:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ParamError(name, value, f"a number from 0 to 1, or {RANDOM!r}")


def check_depths(counts: tuple[int, int], depths: tuple[int, int], *, binary: bool) -> None:
    """Refuse a depth above the number of functions, or more functions than can nest so deep.

    Args:
        counts: least and most functions.
        depths: least and most of their nesting.
        binary: whether any function has two arguments.
    """
    (min_functions, max_functions), (min_depth, max_depth) = counts, depths
    check_int("min_depth", min_depth, 1, min(max_depth, max_functions))
    most = 2 ** min(max_depth, _MOST_TREE) - 1 if binary else max_depth
    if min_functions > most:
        wanted = f"at most {most}, as many as fit into max_depth={max_depth}"
        raise ParamError("min_functions", min_functions, wanted)


def check_target(value: object, *, wanted: bool) -> None:
    """Refuse what are no triples of depth, length and count, end to end."""
    expected = "depth, length and count again and again, with a depth from 1, a length from 1 and"
    expected += (
        " a count from 0, some of them above 0 at a depth above 1" if wanted else " a count from 0"
    )
    if not isinstance(value, tuple) or len(value) % 3 or len(value) > 3 * _MOST_CELLS:
        raise ParamError("target", value, expected)
    if any(isinstance(item, bool) or not isinstance(item, int) for item in value):
        raise ParamError("target", value, expected)
    depths, lengths, counts = value[0::3], value[1::3], value[2::3]
    fits = all(1 <= depth <= _MOST_LENGTH for depth in depths)
    fits = fits and all(1 <= length <= _MOST_LENGTH for length in lengths)
    fits = fits and all(0 <= count <= _MOST_COUNT for count in counts)
    used = any(count > 0 and depth > 1 for depth, count in zip(depths, counts, strict=True))
    if not fits or (wanted and not used):
        raise ParamError("target", value, expected)
