"""The axis `level` of families that have no levels of difficulty of their own."""

from __future__ import annotations

from bisect import bisect_right
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, make_dataclass, replace
from functools import cached_property
from inspect import cleandoc
from textwrap import fill
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring.params import flag
from synthgen.authoring.slips import slip, unknown
from synthgen.contract.interfaces import Generator, Problems
from synthgen.draws.randomness import Rows
from synthgen.rules.axes import Axis

LEVEL = "level"
MAX_LEVEL = 10
G = TypeVar("G", bound=Generator)


@dataclass(frozen=True)
class LevelRule:
    """The level of a row is the number of bounds that its work reaches.

    Attributes:
        names: Axes whose sum is the work.
        bounds: Rising numbers.
    """

    names: tuple[str, ...]
    bounds: tuple[int, ...]

    @property
    def meaning(self) -> str:
        """The rule in words."""
        return f"how many of {', '.join(map(str, self.bounds))} {' + '.join(self.names)} reaches"

    def column(self, axes: Mapping[str, NDArray[Any]]) -> NDArray[np.int16]:
        """Return the levels of rows, int16 (n,)."""
        work = sum(np.asarray(axes[name], np.int64) for name in self.names)
        return np.searchsorted(self.bounds, work, "right").astype(np.int16)

    def axis(self, axes: Mapping[str, Axis]) -> Axis:
        """Return the declaration, whose range follows from those of the axes."""
        used = [axes[name] for name in self.names]
        lows = [axis.low for axis in used if axis.low is not None]
        highs = [axis.high for axis in used if axis.high is not None]
        known = len(used)
        low = bisect_right(self.bounds, sum(lows)) if len(lows) == known else 0
        high = bisect_right(self.bounds, sum(highs) if len(highs) == known else self.bounds[-1])
        canonical = all(axis.canonical for axis in used)
        return Axis(f"work of a solver: {self.meaning}", low=low, high=high, canonical=canonical)


def levelled(names: str, *bounds: int) -> Callable[[type[G]], type[G]]:
    """Give a family the param `level`; if it is true, rows have the axis `level`, 0 to 10.

    It is written above `@dataclass`. The level is the number of bounds that the work of a row
    reaches, so it never falls where the work rises.

    Args:
        names: Axis that measures the work, or several, joined by " + ", whose sum does.
        bounds: Up to 10 rising numbers; the work of level k is at least the k-th of them.

    Raises:
        ValueError: for other bounds.
    """
    if not 0 < len(bounds) <= MAX_LEVEL or sorted({*bounds}) != [*bounds]:
        msg = f"bounds={bounds}: expected 1 to {MAX_LEVEL} rising numbers"
        raise ValueError(msg)
    rule = LevelRule(tuple(names.split(" + ")), bounds)

    def decorate(kind: type[G]) -> type[G]:

        def axes(self: Any) -> Mapping[str, Axis]:
            """The axes of the family, and the level if it is wanted."""
            if not self.level:
                return cast("Mapping[str, Axis]", super(made, self).axes)
            known = self.without_level.axes
            for name in rule.names:
                if name not in known:
                    raise slip(made, unknown("axis in levelled:", name, known))
            return {**known, LEVEL: rule.axis(known)}

        def draw(self: Any, rows: Rows) -> Problems:
            """Make the problems at these addresses."""
            if not self.level:
                return cast("Problems", super(made, self).draw(rows))
            problems: Problems = self.without_level.draw(rows)
            # Axes may be computed when they are read, so they stay in their mapping.
            columns = cast("dict[str, Any]", problems.axes)
            return replace(problems, axes=ChainMap({LEVEL: rule.column(columns)}, columns))

        members = {
            "__module__": kind.__module__,  # so that it can be pickled in the place of `kind`
            "__qualname__": kind.__qualname__,
            "__doc__": _documented(kind, rule),
            "prompts": kind.prompts,
            "axes": cached_property(axes),
            "draw": draw,
            "level_rule": rule,
            "without_level": cached_property(lambda self: replace(self, level=False)),
        }
        field = (LEVEL, "bool", flag(default=False))
        made: type[G] = make_dataclass(
            kind.__name__, [field], bases=(kind,), namespace=members, frozen=True
        )
        return made

    return decorate


def _documented(kind: type, rule: LevelRule) -> str:
    """Return the docstring of a family, which ends with its attributes, and that of `level`."""
    about = f"level: Whether rows have the axis `level`, 0 to {MAX_LEVEL}: {rule.meaning}."
    about = fill(about, 100, initial_indent=" " * 4, subsequent_indent=" " * 8)
    written = cleandoc(kind.__doc__ or "")
    head = "" if "Attributes:" in written else "\n\nAttributes:"
    return f"{written}{head}\n{about}\n"
