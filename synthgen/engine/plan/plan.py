"""The plan of a build: a recipe with its generators, stream keys and rules.

Faults that only generators reveal (names, parameters, axes, styles, spaces) are reported together
with those of the recipe's form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from synthgen.core.errors import UnknownNameError
from synthgen.engine.plan.faults import Faults
from synthgen.engine.plan.feasibility import (
    check_rules,
    check_spaces,
    room_of,
    sources_meeting,
)
from synthgen.engine.plan.planned_axes import check_groups, plan_axes
from synthgen.engine.plan.sources import PlannedSource, joint_axes, make_sources, picture_of
from synthgen.engine.plan.splits import PlannedSplit, SplitPlanner, pool_split
from synthgen.formats.formatted import VERSION, Formatted
from synthgen.recipe.axis_tables import Groups
from synthgen.recipe.draft import Draft
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.fingerprint import canonical, fingerprint
from synthgen.recipe.schema import DIFFICULTY, Recipe
from synthgen.rules.axes import SOURCE, Axis, ComputedAxis

_POOL_FACTOR = 4
_BARE = "bare"


@dataclass(frozen=True)
class Plan:
    """Everything that defines a build.

    Attributes:
        axes: Axes of all generators, and the pseudo axis `source`.
        draft: Recipe's file, with line numbers for faults.
    """

    recipe: Recipe
    sources: tuple[PlannedSource, ...]
    splits: tuple[PlannedSplit, ...]
    axes: Mapping[str, Axis]
    draft: Draft

    @cached_property
    def content(self) -> dict[str, Any]:
        """Everything that determines the bytes of the dataset: recipe and generator versions."""
        versions = {source.task: source.generator.version for source in self.sources}
        content = {"recipe": canonical(self.recipe), "versions": versions}
        lists = {split.name: split.members.digest for split in self.splits if split.members}
        spread = {s.name: s.spread_of for s in self.sources if s.spread_of}
        formats = [source for source in self.sources if isinstance(source.generator, Formatted)]
        others = {"members": lists, "spread": spread, "formats": VERSION if formats else None}
        return content | {name: value for name, value in others.items() if value}

    @cached_property
    def fingerprint(self) -> str:
        """Hash of `content`."""
        return fingerprint(self.content)

    @cached_property
    def row_axes(self) -> Mapping[str, Axis]:
        """The axes with separate columns."""
        return {name: axis for name, axis in self.axes.items() if name != SOURCE}

    @property
    def picture(self) -> str:
        """Kind of the pictures of rows."""
        return picture_of(self.sources)

    @property
    def noisy(self) -> bool:
        """Whether some rows are wrong on purpose."""
        return any(split.noisy for split in self.splits)

    @cached_property
    def common(self) -> tuple[object, ...]:
        """Objects that many tasks of a build share."""
        generators = [source.generator for source in self.sources]
        return (*generators, *self.sources, *self.axes.values())

    @cached_property
    def proposing(self) -> Mapping[int, PlannedSource]:
        """The sources that propose problems, by index."""
        return _proposing(self.sources)

    @cached_property
    def restating(self) -> frozenset[int]:
        """Indices of the sources that may repeat a problem within a split, in other prompts."""
        if self.recipe.dedup.on != "canonical":
            return frozenset()
        return frozenset(i for i, source in self.proposing.items() if source.generator.restates)

    @property
    def space(self) -> int | None:
        """Number of addresses of all sources that propose, None if one is unbounded."""
        return room_of(self.proposing.values())

    @cached_property
    def owners(self) -> tuple[PlannedSplit, ...]:
        """The splits that choose their own problems; for splits of a divergence, its pool."""
        divergence = self.recipe.divergence
        own = [split for split in self.splits if split.owns]
        if divergence is None:
            return tuple(own)
        divided = [split for split in own if split.name in divergence.splits]
        rows = sum(split.spec.rows for split in divided)
        pool = min(divergence.pool or _POOL_FACTOR * rows, self.space or MAX_ROWS)
        others = [split for split in own if split.name not in divergence.splits]
        return (*others, pool_split(divided, max(pool, rows)))

    def held_axes(self, split: PlannedSplit) -> tuple[str, ...]:
        """Return the axes whose values selection keeps for every row of a split."""
        wanted = [other.spec.unseen for other in self.splits if other.spec.unseen]
        named = [name for unseen in wanted if unseen.of == split.name for name in unseen.axes]
        own = split.spec.unseen.axes if split.spec.unseen else ()
        family = [
            other.spec for other in self.splits if split.name in (other.name, other.spec.seen_in)
        ]
        orders = [spec.order.axis for spec in family if spec.order]
        return tuple(dict.fromkeys([*named, *own, *split.spec.measure, *orders]))

    @property
    def structures(self) -> tuple[str, ...]:
        """Kinds of structures that selection uses."""
        return tuple(dict.fromkeys(kind for s in self.splits for kind in s.spec.structures))

    @property
    def by_difficulty(self) -> bool:
        """Whether rows are ordered by difficulty."""
        orders = [split.spec.order for split in self.splits if split.spec.order]
        return any(order.axis == DIFFICULTY for order in orders)

    def source_index(self, name: str) -> int:
        """Return the index of a source."""
        return [source.name for source in self.sources].index(name)

    @property
    def computed(self) -> tuple[ComputedAxis, ...]:
        """Axes that the recipe computes, including choices by its seed."""
        return self.sources[0].computed

    @property
    def groups(self) -> Groups:
        """Grouping that keeps problems together in one split, if any."""
        by = self.recipe.assign.by if self.recipe.assign else "problem"
        return None if by == "problem" else by

    @cached_property
    def used_axes(self) -> tuple[str, ...]:
        """The axes that selection uses, in order."""
        used = {name for split in self.splits for name in split.axes_used}
        return tuple(sorted(used | ({*self.groups} if isinstance(self.groups, tuple) else set())))

    @cached_property
    def canonical_rules(self) -> bool:
        """Whether equal problems always meet the same rule and fall into the same cell."""
        return all(self.axes[name].canonical for name in self.used_axes)


def make_plan(draft: Draft) -> Plan:
    """Turn a parsed recipe into a plan.

    Raises:
        RecipeError: with every fault of the recipe.
    """
    faults = Faults(draft)
    sources = make_sources(faults)
    axes = joint_axes(faults, sources)
    sources = plan_axes(faults, sources, axes)
    splits: dict[int, PlannedSplit] = {}
    if sources and {i for i, _ in sources} >= draft.source_places:
        proposing = _proposing([source for _, source in sources])
        known = draft.ranges_are_known and not faults.entries
        planners = {i: SplitPlanner(faults, i, split, axes) for i, split in draft.splits}
        splits = {i: planner.planned(known) for i, planner in planners.items()}
        check_groups(faults, axes)
        _check_restating(faults, sources)
        if known:
            check_spaces(faults, proposing, splits)
            check_rules(faults, proposing, splits)
            signatures = [source.generator.signature for source in proposing.values()]
            for planner in planners.values():
                planner.check_seen_in(splits.values())
                planner.check_steering(signatures)
        _check_divergence(faults, axes, [source for _, source in sources])
    _check_noise(faults, splits, sources)
    recipe = draft.finish(faults.entries).recipe
    return Plan(
        recipe=recipe,
        sources=tuple(source for _, source in sources),
        splits=_with_noise(splits.values()),
        axes=axes,
        draft=draft,
    )


def _proposing(sources: Sequence[PlannedSource]) -> dict[int, PlannedSource]:
    """Return the sources that propose problems, by index."""
    return {i: source for i, source in enumerate(sources) if source.draws_of is None}


def _check_restating(faults: Faults, sources: Sequence[tuple[int, PlannedSource]]) -> None:
    """Find sources that repeat problems in a recipe that counts or divides different problems."""
    recipe = faults.draft.recipe
    if recipe is None or recipe.dedup.on != "canonical":
        return
    counting = {
        key for split in recipe.split for key in ("parts", "variant") if getattr(split, key)
    }
    counting |= {"[divergence]"} if recipe.divergence else set()
    for index, source in sources if counting else ():
        if source.generator.restates:
            message = f"{source.name!r} repeats problems: cannot be combined with "
            faults.add(f"source.{index}.params", message + ", ".join(sorted(counting)))


def _with_noise(splits: Iterable[PlannedSplit]) -> tuple[PlannedSplit, ...]:
    """Return splits that know whether one of them has noise."""
    noisy = any(split.spec.noise for split in splits)
    return tuple(replace(split, noisy=noisy) for split in splits)


def _check_noise(
    faults: Faults,
    splits: Mapping[int, PlannedSplit],
    sources: Sequence[tuple[int, PlannedSource]],
) -> None:
    """Find splits with wrong steps whose rows have no steps."""
    by_index = {number: source for number, (_, source) in enumerate(sources)}
    for index, split in splits.items():
        if not (split.spec.noise and split.spec.noise.steps):
            continue
        meeting = sources_meeting(split.where, by_index)
        bare = [by_index[i].name for i in meeting if by_index[i].style.solution == "none"]
        if bare:
            message = f"noise: rows of {bare[0]!r} have no steps; choose a solution in [render]"
            faults.add(f"split.{index}.noise", message)


def _check_divergence(
    faults: Faults, axes: Mapping[str, Axis], sources: list[PlannedSource]
) -> None:
    """Find unknown axes of the divergence, and prompt styles that its words do not match."""
    recipe = faults.draft.recipe
    divergence = recipe.divergence if recipe else None
    integers = sorted(name for name, axis in axes.items() if not axis.values)
    for place, name in enumerate(divergence.axes if divergence else ()):
        if name not in integers:
            message = str(UnknownNameError("integer axis", name, integers))
            faults.add(f"divergence.axes.{place}", message)
    dressed = [source for source in sources if source.style.prompt != _BARE]
    if divergence and divergence.kind.of_prompts and dressed:
        message = f"words='prompt': expected 'derivation', since the prompts of {dressed[0].name!r}"
        message += f" have the style {dressed[0].style.prompt!r}, not {_BARE!r}, in this dataset"
        faults.add("divergence.words", message)
