"""Fields that check themselves: the `params` of a family, with their ranges.

>>> from dataclasses import dataclass
>>> from synthgen.authoring import params
>>> @dataclass(frozen=True)
... class Sizes(params.Checked):
...     min_size: int = params.integer(2, 1, 20, up_to="max_size")
...     max_size: int = params.integer(4, 1, 20)
>>> Sizes(min_size=5)
Traceback (most recent call last):
    ...
synthgen.core.errors.ParamError: min_size=5: expected at most max_size=4
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import le, lt
from typing import Any, TypeVar

from synthgen.authoring.slips import slip, unknown
from synthgen.core.checks import check_bool, check_symbols
from synthgen.core.errors import ParamError

T = TypeVar("T", int, str)
D = TypeVar("D")
_Check = Callable[[str, Any], object]
_SMALLEST = 3
"""Values of a size that leave few problems."""
_NO_LIMITS: Mapping[str, str | None] = {}


@dataclass(frozen=True)
class CheckedParams:
    """A frozen dataclass whose fields are checked on construction.

    Raises:
        ParamError: for the first field outside its range.
        AuthorError: for a default outside its range, or a bound that is not a field.
    """

    def __post_init__(self) -> None:
        declared = {each.name: each for each in fields(self) if "check" in each.metadata}
        for name, each in declared.items():
            value = getattr(self, name)
            try:
                each.metadata["check"](name, value)
            except ParamError as error:
                if value is each.default:
                    raise slip(type(self), f"the default of a param, {error}") from None
                raise
        for name, each in declared.items():
            for limit, other in each.metadata.get("limits", {}).items():
                if other and other not in vars(self):
                    what = f"param in the bounds of {name}:"
                    raise slip(type(self), unknown(what, other, vars(self)))
                if other and not _LIMITS[limit](vars(self)[name], vars(self)[other]):
                    expected = f"{limit} {other}={vars(self)[other]}"
                    raise ParamError(name, vars(self)[name], expected)


_LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "at most": le,
    "below": lt,
    "above 0, as is": lambda value, bound: bool(value) or not bound,
}


def checked(default: D, check: _Check, **limits: str | None) -> D:
    """Declare a field with a check of its own.

    Args:
        default: Value of sources that do not give it.
        check: Function called on construction; `check(name, value)` raises ParamError.
        **limits: Other fields, by how this one is limited by them.
    """
    return _declared(default, check, limits=limits)


def _declared(
    default: D,
    check: _Check,
    sizes: Sequence[D] = (),
    options: Sequence[D] = (),
    limits: Mapping[str, str | None] = _NO_LIMITS,
) -> D:
    """Declare a field, its smallest values, which leave few problems, or its single options."""
    known = {"check": check, "sizes": sizes, "options": options, "limits": limits}
    return field(default=default, metadata=known)


def integer(
    default: int,
    low: int,
    high: int,
    *,
    up_to: str | None = None,
    below: str | None = None,
    or_zero: bool = False,
) -> int:
    """Declare an integer from `low` to `high`.

    Args:
        default: Value of sources that do not give it.
        low: Smallest value.
        high: Largest value.
        up_to: Field that is at least as large.
        below: Field that is larger.
        or_zero: Whether it may also be 0, together with `up_to`: then the family chooses.
    """
    wanted = f"{'0, or ' if or_zero else ''}an integer from {low} to {high}"

    def check(name: str, value: Any) -> None:
        if not _is_int(value) or not (low <= value <= high or (or_zero and value == 0)):
            raise ParamError(name, value, wanted)

    limits = {"at most": up_to, "below": below, "above 0, as is": up_to if or_zero else None}
    return _declared(default, check, _smallest(low, high), limits=limits)


def number(
    default: float,
    low: float,
    high: float,
    *,
    up_to: str | None = None,
    open_at: float | None = None,
) -> float:
    """Declare a number from `low` to `high`, at most the field `up_to`, other than `open_at`."""
    wanted = f"a number from {low} to {high}"
    wanted += "" if open_at is None else f", {'above' if open_at == low else 'below'} {open_at}"

    def check(name: str, value: Any) -> None:
        if not _is_number(value) or not low <= value <= high or value == open_at:
            raise ParamError(name, value, wanted)

    return _declared(default, check, options=[low, high], limits={"at most": up_to})


def flag(default: bool) -> bool:  # noqa: FBT001
    """Declare a truth value."""
    return _declared(default, check_bool, options=[False, True])


def choice(default: T, options: Sequence[T]) -> T:
    """Declare one of some names or integers: `choice("sum", ("sum", "product"))`."""

    def check(name: str, value: Any) -> None:
        if value not in options or isinstance(value, bool):
            raise ParamError(name, value, f"one of {', '.join(map(str, options))}")

    return _declared(default, check, options=options)


def choices(
    default: tuple[str, ...], options: Sequence[str], *, fewest: int = 1
) -> tuple[str, ...]:
    """Declare a list of at least `fewest` different names out of `options`.

    `choices(("sum",), ("sum", "product"))` is sums, and a source may ask for products or both.
    """
    wanted = f"a list of at least {fewest} different names out of {', '.join(options)}"
    some = [tuple(options), *_runs(options, fewest)]
    return _declared(default, _list(wanted, lambda item: item in options, fewest), options=some)


def integers(default: tuple[int, ...], low: int, high: int, *, fewest: int = 0) -> tuple[int, ...]:
    """Declare a list of at least `fewest` different integers from `low` to `high`."""
    wanted = f"a list of different integers from {low} to {high}"
    check = _list(wanted, lambda item: _is_int(item) and low <= item <= high, fewest)
    few = range(low, min(low + _SMALLEST + fewest, high + 1))
    return _declared(default, check, _runs(few, fewest)[:_SMALLEST])


def texts(default: tuple[str, ...] = (), *, most: int | None = None) -> tuple[str, ...]:
    """Declare a list of at most `most` different texts."""
    wanted = f"a list of {'' if most is None else f'at most {most} '}different texts"
    return checked(default, _list(wanted, lambda item: isinstance(item, str), most=most))


def text(default: str) -> str:
    """Declare a text."""

    def check(name: str, value: Any) -> None:
        if not isinstance(value, str):
            raise ParamError(name, value, "a text")

    return checked(default, check)


def span(default: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
    """Declare a smallest and a largest integer from `low` to `high`, or neither by default."""
    wanted = f"a smallest and a largest integer from {low} to {high}"
    wanted += "" if default else ", or an empty list"

    def check(name: str, value: Any) -> None:
        is_pair = isinstance(value, tuple) and len(value) == 2 and all(map(_is_int, value))
        if value == () == default or (is_pair and low <= value[0] <= value[1] <= high):
            return
        raise ParamError(name, value, wanted)

    return _declared(default, check, [(value, value) for value in _smallest(low, high)])


def weights(
    default: tuple[float, ...], *, needed: int | None = None, high: float = 1000
) -> tuple[float, ...]:
    """Declare weights from 0 to `high`, as many as the default has, or any number if it is empty.

    One of the first `needed`, by default of all, is above 0.
    """
    count = f"{len(default)} numbers" if default else "a list of numbers"
    zeros = f"not all of the first {needed} being 0" if needed else "not all 0"
    wanted = f"{count} from 0 to {high:,}, {zeros}"

    def check(name: str, value: Any) -> None:
        fits = isinstance(value, tuple) and len(value) == (len(default) or len(value))
        fits = fits and all(_is_number(one) and 0 <= one <= high for one in value)
        if not fits or (value and not any(value[:needed])):
            raise ParamError(name, value, wanted)

    return checked(default, check)


def characters(default: str, known: str, *, fewest: int = 1) -> str:
    """Declare a string of at least `fewest` different characters out of `known`."""
    few = [known[: max(1, fewest) + more] for more in range(_SMALLEST)]
    return _declared(default, lambda name, value: check_symbols(name, value, known, fewest), few)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _smallest(low: int, high: int) -> range:
    return range(low, min(low + _SMALLEST, high + 1))


def _runs(items: Sequence[T], fewest: int) -> list[tuple[T, ...]]:
    """Return the lists of as few neighboring items as may be."""
    size = max(1, fewest)
    return [tuple(items[first : first + size]) for first in range(len(items) - size + 1)]


def _list(
    wanted: str, fits: Callable[[Any], bool], fewest: int = 0, most: int | None = None
) -> _Check:
    def check(name: str, value: Any) -> None:
        if not isinstance(value, tuple) or len(value) < fewest or not all(map(fits, value)):
            raise ParamError(name, value, wanted)
        if len(set(value)) < len(value) or (most is not None and len(value) > most):
            raise ParamError(name, value, wanted)

    return check
