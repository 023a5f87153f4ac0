"""The valid parts of a recipe file, with all of its faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from synthgen.core.errors import Fault, RecipeError
from synthgen.recipe.axis_tables import ComputedAxis
from synthgen.recipe.lines import Key, LineMap, as_key
from synthgen.recipe.overrides import NO_OVERRIDES, Applied, Overrides
from synthgen.recipe.schema import Limits, Recipe, RenderTable, Source, Split


@dataclass(frozen=True, slots=True)
class LoadedRecipe:
    """A recipe without faults in its form, and where it comes from.

    Attributes:
        path: File.
        text: Unchanged text of the file, without the overrides.
        recipe: Typed form, with the overrides.
        lines: Line numbers of `text`.
        overrides: Changes from the command line.
    """

    path: Path
    text: str
    recipe: Recipe
    lines: LineMap
    overrides: Overrides


@dataclass(frozen=True, slots=True)
class Draft:
    """The parts of a recipe that can be checked further, even if others have faults.

    Attributes:
        path, text, overrides: Fields of the `LoadedRecipe`.
        faults: Faults of the file or the overrides.
        recipe: Recipe, or None if there are faults.
        sources, splits: Tables with their index in the file, without their faulty values.
        partial: Paths of the sources and splits with faulty values, which may be missing.
        axes: Valid computed axes, likewise; `lost_axes` are the names of those with faults.
        render, limits: Tables of these names, or None if they have faults.
        names: Path of each source, split and axis with a unique name -> its path by name.
        lines: Line numbers of the file.
        applied: Values that come from overrides.
        lists: Texts of the lists of members that were read for their numbers of rows, by file.
    """

    path: Path
    text: str = ""
    overrides: Overrides = NO_OVERRIDES
    faults: tuple[Fault, ...] = ()
    recipe: Recipe | None = None
    sources: tuple[tuple[int, Source], ...] = ()
    splits: tuple[tuple[int, Split], ...] = ()
    partial: frozenset[Key] = frozenset()
    axes: tuple[tuple[int, ComputedAxis], ...] = ()
    lost_axes: tuple[str, ...] = ()
    render: RenderTable | None = None
    limits: Limits | None = None
    names: Mapping[Key, Key] = field(default_factory=dict)
    lines: LineMap = field(default_factory=lambda: LineMap({}))
    applied: Applied = field(default_factory=lambda: Applied((), {}))
    lists: dict[str, str] = field(default_factory=dict)

    def line(self, path: str | Sequence[str | int]) -> int | None:
        """Return the line of a path or its nearest ancestor; None if an override has set it."""
        return None if self.applied.option(as_key(path)) else self.lines.line(path)

    def fault(self, path: str | Sequence[str | int], message: str) -> Fault:
        """Return a fault at its line, or with the option that set the value."""
        key = as_key(path)
        option = self.applied.option(key)
        text = f"{option}: {message}" if option else message
        return Fault(text, ".".join((*self.names.get(key[:2], key[:2]), *key[2:])), self.line(key))

    @property
    def source_places(self) -> set[int]:
        """Indices of all sources in the file."""
        faulty = {int(index) for kind, index in self.partial if kind == "source"}
        return faulty | {index for index, _ in self.sources}

    @property
    def ranges_are_known(self) -> bool:
        """Whether no fault leaves open which values the axes have."""
        picks = self.recipe is None and any(axis.picked for _, axis in self.axes)
        return not picks and not any(
            not fault.path or fault.path.startswith(("source", "axis")) for fault in self.faults
        )

    def is_whole(self, kind: str, index: int) -> bool:
        """Return whether a source or split has no faulty value."""
        return (kind, str(index)) not in self.partial

    def fail(self, faults: Iterable[Fault] = ()) -> NoReturn:
        """Raise RecipeError with the draft's faults and these."""
        raise RecipeError(str(self.path), [*self.faults, *faults])

    def finish(self, faults: Iterable[Fault] = ()) -> LoadedRecipe:
        """Return the recipe if neither the draft nor the caller has faults.

        Raises:
            RecipeError: with all faults.
        """
        more = tuple(faults)
        if self.recipe is None or more:
            self.fail(more)
        return LoadedRecipe(self.path, self.text, self.recipe, self.lines, self.overrides)
