"""The plan of a build: a recipe with its generators made, its streams named and its rules compiled.

Faults that only generators can show (names, parameters, axes, styles, spaces) join those of the
recipe's form, so that a user sees all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from synthgen.core.computed_axes import ComputedAxis
from synthgen.core.contract import SOURCE, Axis
from synthgen.core.errors import Fault, UnknownNameError
from synthgen.engine.groups import Groups
from synthgen.engine.meeting import unmet_faults
from synthgen.engine.planned_axes import group_faults, plan_axes
from synthgen.engine.planned_sources import PlannedSource, joint_axes, make_sources
from synthgen.engine.planned_splits import PlannedSplit, axes_used, make_split, pooled
from synthgen.engine.planned_steering import steering_faults
from synthgen.engine.space_faults import space_faults
from synthgen.recipe.fields import MAX_ROWS
from synthgen.recipe.fingerprint import canonical, fingerprint
from synthgen.recipe.loader import Draft
from synthgen.recipe.schema import Recipe
from synthgen.recipe.steering import DIFFICULTY

_POOL_FACTOR = 4
_BARE = "bare"

__all__ = ["Plan", "PlannedSource", "PlannedSplit", "axes_used", "make_plan"]


@dataclass(frozen=True)
class Plan:
    """All that a build needs to know.

    Attributes:
        axes: of all generators, and the pseudo axis `source`.
        draft: the recipe's file, with the lines that faults name.
    """

    recipe: Recipe
    sources: tuple[PlannedSource, ...]
    splits: tuple[PlannedSplit, ...]
    axes: Mapping[str, Axis]
    draft: Draft

    @cached_property
    def content(self) -> dict[str, Any]:
        """What the bytes of the dataset depend on: the recipe and the generators' versions."""
        versions = {source.task: source.generator.version for source in self.sources}
        content = {"recipe": canonical(self.recipe), "versions": versions}
        lists = {split.name: split.members.digest for split in self.splits if split.members}
        spread = {s.name: s.spread_of for s in self.sources if s.spread_of}
        others = {"members": lists, "spread": spread}
        return content | {name: value for name, value in others.items() if value}

    @cached_property
    def fingerprint(self) -> str:
        """Hash of `content`."""
        return fingerprint(self.content)

    @cached_property
    def row_axes(self) -> Mapping[str, Axis]:
        """The axes that are columns of their own."""
        return {name: axis for name, axis in self.axes.items() if name != SOURCE}

    @cached_property
    def common(self) -> tuple[object, ...]:
        """What many tasks of a build hold."""
        generators = [source.generator for source in self.sources]
        return (*generators, *self.sources, *self.axes.values())

    @cached_property
    def proposing(self) -> tuple[int, ...]:
        """Indices of the sources that propose problems."""
        return tuple(i for i, source in enumerate(self.sources) if source.draws_of is None)

    @property
    def space(self) -> int | None:
        """Number of addresses of all sources that propose, None if one is endless."""
        spaces = [self.sources[i].generator.space for i in self.proposing]
        return None if None in spaces else sum(space for space in spaces if space is not None)

    @cached_property
    def owners(self) -> tuple[PlannedSplit, ...]:
        """The splits that choose their own problems; for those of a divergence its pool."""
        divergence = self.recipe.divergence
        own = [split for split in self.splits if split.owns]
        if divergence is None:
            return tuple(own)
        divided = [split for split in own if split.name in divergence.splits]
        rows = sum(split.spec.rows for split in divided)
        pool = min(divergence.pool or _POOL_FACTOR * rows, self.space or MAX_ROWS)
        others = [split for split in own if split.name not in divergence.splits]
        return (*others, pooled(divided, max(pool, rows)))

    def held_axes(self, split: PlannedSplit) -> tuple[str, ...]:
        """Return the axes whose values selection remembers for every row of a split."""
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
        """Kinds of structures that selection looks at."""
        return tuple(dict.fromkeys(kind for s in self.splits for kind in s.spec.structures))

    @property
    def by_difficulty(self) -> bool:
        """Whether rows are put in the order of their difficulty."""
        orders = [split.spec.order for split in self.splits if split.spec.order]
        return any(order.axis == DIFFICULTY for order in orders)

    def source_index(self, name: str) -> int:
        """Return the index of a source."""
        return [source.name for source in self.sources].index(name)

    @property
    def computed(self) -> tuple[ComputedAxis, ...]:
        """Axes that the recipe computes, with what its seed has picked."""
        return self.sources[0].computed

    @property
    def groups(self) -> Groups:
        """What keeps problems together in one split, if not each is for itself."""
        return self.recipe.assign.by if self.recipe.assign else None

    @cached_property
    def used_axes(self) -> tuple[str, ...]:
        """The axes that selection looks at, in order."""
        used = {name for split in self.splits for name in axes_used(split.spec, self.axes)}
        return tuple(sorted(used | ({*self.groups} if isinstance(self.groups, tuple) else set())))

    @cached_property
    def canonical_rules(self) -> bool:
        """Whether equal problems always meet the same rule and fall into the same cell."""
        return all(self.axes[name].canonical for name in self.used_axes)


def make_plan(draft: Draft) -> Plan:
    """Turn a read recipe into a plan.

    Raises:
        RecipeError: with every fault of the recipe.
    """
    faults: list[Fault] = []
    sources = make_sources(draft, faults)
    axes = joint_axes(draft, sources, faults)
    sources = plan_axes(draft, sources, axes, faults)
    splits: list[PlannedSplit] = []
    if sources and len({i for i, _ in sources}) == len(draft.sources):
        splits = [make_split(draft, i, split, axes, faults) for i, split in draft.splits]
        if not faults:
            faults += space_faults(draft, [source for _, source in sources], axes)
            faults += unmet_faults(draft, sources, axes)
            faults += group_faults(draft, axes)
            signatures = [
                source.generator.signature for _, source in sources if not source.draws_of
            ]
            for i, split in draft.splits:
                faults += steering_faults(draft, i, split, axes, signatures)
            faults += _divergence_faults(draft, axes, [source for _, source in sources])
    recipe = draft.finish(faults).recipe
    return Plan(
        recipe=recipe,
        sources=tuple(source for _, source in sources),
        splits=tuple(splits),
        axes=axes,
        draft=draft,
    )


def _divergence_faults(
    draft: Draft, axes: Mapping[str, Axis], sources: list[PlannedSource]
) -> Iterator[Fault]:
    """Find axes of the divergence that no source has, and words that the files will not show."""
    divergence = draft.recipe.divergence if draft.recipe else None
    integers = sorted(name for name, axis in axes.items() if not axis.values)
    for place, name in enumerate(divergence.axes if divergence else ()):
        if name not in integers:
            message = str(UnknownNameError("integer axis", name, integers))
            yield draft.fault(f"divergence.axes.{place}", message)
    dressed = [source for source in sources if source.style.prompt != _BARE]
    if divergence and divergence.kind.of_prompts and dressed:
        message = f"words='prompt': expected 'derivation', since the prompts of {dressed[0].name!r}"
        message += f" have the style {dressed[0].style.prompt!r}, not {_BARE!r}, in this dataset"
        yield draft.fault("divergence.words", message)
