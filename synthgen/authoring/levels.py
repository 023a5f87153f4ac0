"""The axis `level` of families that have no levels of difficulty of their own."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import make_dataclass, replace
from functools import cached_property
from inspect import cleandoc
from textwrap import fill
from typing import Any, TypeVar, cast

import numpy as np

from synthgen.authoring.params import flag
from synthgen.core.axes import Axis
from synthgen.core.contract import Generator, Problems
from synthgen.core.randomness import Rows

LEVEL = "level"
MOST_LEVEL = 10
G = TypeVar("G", bound=Generator)


def levelled(names: str, *bounds: int) -> Callable[[type[G]], type[G]]:
    """Give a family the param `level`; if it is true, rows have the axis `level`, 0 to 10.

    It is written above `@dataclass`. The level is the number of bounds that the work of a row
    reaches, so it never falls where the work rises.

    Args:
        names: axis that measures the work, or several, joined by " + ", whose sum does.
        bounds: up to 10 rising numbers; the work of level k is at least the k-th of them.
    """
    measured = names.split(" + ")
    if not 0 < len(bounds) <= MOST_LEVEL or sorted({*bounds}) != [*bounds]:
        msg = f"bounds={bounds}: expected 1 to {MOST_LEVEL} rising numbers"
        raise ValueError(msg)
    reached = f"how many of {', '.join(map(str, bounds))} {names} reaches"

    def level_of(axes: Mapping[str, Axis]) -> Axis:
        """Return the axis, with the range that follows from those of the axes."""
        lows, highs = zip(*((axes[name].low, axes[name].high) for name in measured), strict=True)
        low = 0 if None in lows else np.searchsorted(bounds, sum(lows), "right")
        high = len(bounds) if None in highs else np.searchsorted(bounds, sum(highs), "right")
        canonical = all(axes[name].canonical for name in measured)
        return Axis(f"work of a solver: {reached}", "int16", int(low), int(high), (), canonical)

    def plain(self: Any) -> Any:
        """Return the family without the axis."""
        return replace(self, level=False)

    def decorate(kind: type[G]) -> type[G]:
        def axes(self: Any) -> Mapping[str, Axis]:
            """The axes of the family, and the level if it is wanted."""
            if not self.level:
                return cast("Mapping[str, Axis]", super(made, self).axes)
            return {**self.without_level.axes, LEVEL: level_of(self.without_level.axes)}

        def draw(self: Any, rows: Rows) -> Problems:
            """Make the problems at these addresses."""
            problems: Problems
            if not self.level:
                problems = super(made, self).draw(rows)
                return problems
            problems = self.without_level.draw(rows)
            work = sum(np.asarray(problems.axes[name], np.int64) for name in measured)
            level = np.searchsorted(bounds, work, "right").astype(np.int16)
            # Axes may be computed when they are read, so they stay in their mapping.
            found = ChainMap({LEVEL: level}, cast("dict[str, Any]", problems.axes))
            return replace(problems, axes=found)

        about = f"level: whether rows have the axis `level`, 0 to {MOST_LEVEL}: {reached}."
        about = fill(about, 100, initial_indent=" " * 4, subsequent_indent=" " * 8)
        members = {
            "__module__": kind.__module__,
            "__qualname__": kind.__qualname__,
            "__doc__": f"{cleandoc(kind.__doc__ or '')}\n{about}\n",
            "prompts": kind.prompts,
            "axes": cached_property(axes),
            "draw": draw,
            "without_level": cached_property(plain),
            "level_axes": tuple(measured),
        }
        field = (LEVEL, "bool", flag(default=False))
        made: type[G] = make_dataclass(
            kind.__name__, [field], bases=(kind,), namespace=members, frozen=True
        )
        return made

    return decorate
