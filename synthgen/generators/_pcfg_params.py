"""Checkers of PCFG SET's parameters."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.core.errors import ParamError

_MOST_CELLS = 10_000
_MOST_COUNT = 10**12
_MOST_LENGTH = 2_000
RANDOM = "random"


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
