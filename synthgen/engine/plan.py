"""The plan of a build: a recipe with its generators made, its streams named and its rules compiled.

Faults that only generators can show (names, parameters, axes, styles, spaces) join those of the
recipe's form, so that a user sees all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import polars as pl

from synthgen.core.contract import Axis, Generator, Render
from synthgen.core.errors import Fault, ParamError, UnknownNameError, nearest
from synthgen.core.randomness import stream_key
from synthgen.core.registry import generator_class
from synthgen.core.rules import SOURCE, compile_where, names_in
from synthgen.core.satisfiable import can_hold
from synthgen.recipe.fingerprint import canonical, fingerprint
from synthgen.recipe.loader import Draft
from synthgen.recipe.schema import Recipe, Source, Split

_MOST_CELLS = 1 << 22


@dataclass(frozen=True)
class PlannedSource:
    """One source with its generator.

    Attributes:
        name: unique in the recipe; the value of the `source` column.
        task: name of the generator.
        stream: key of its addressed draws.
        style: how its problems become text.
    """

    name: str
    task: str
    generator: Generator
    stream: int
    style: Render


@dataclass(frozen=True)
class PlannedSplit:
    """One split with its compiled rules (true for every row where the recipe gives none).

    Attributes:
        rule: which rows may be in the split.
        cap_rule: which of them its cap counts.
    """

    spec: Split
    rule: pl.Expr
    cap_rule: pl.Expr

    @property
    def name(self) -> str:
        """Name of the split."""
        return self.spec.name


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
        return {"recipe": canonical(self.recipe), "versions": versions}

    @cached_property
    def fingerprint(self) -> str:
        """Hash of `content`."""
        return fingerprint(self.content)

    @property
    def row_axes(self) -> dict[str, Axis]:
        """The axes that are columns of their own."""
        return {name: axis for name, axis in self.axes.items() if name != SOURCE}

    @cached_property
    def canonical_rules(self) -> bool:
        """Whether equal problems always meet the same rule and fall into the same cell."""
        used = {name for split in self.splits for name in axes_used(split.spec, self.axes)}
        return all(self.axes[name].canonical for name in used)


def make_plan(draft: Draft) -> Plan:
    """Turn a read recipe into a plan.

    Raises:
        RecipeError: with every fault of the recipe.
    """
    faults: list[Fault] = []
    made = [(i, _make_source(draft, i, source, faults)) for i, source in draft.sources]
    sources = [(i, source) for i, source in made if source is not None]
    axes = _joint_axes(draft, sources, faults)
    splits: list[PlannedSplit] = []
    if sources and len(sources) == len(draft.sources):
        splits = [_make_split(draft, i, split, axes, faults) for i, split in draft.splits]
        if not faults:
            faults += _space_faults(draft, [source for _, source in sources])
    recipe = draft.finish(faults).recipe
    return Plan(
        recipe=recipe,
        sources=tuple(source for _, source in sources),
        splits=tuple(splits),
        axes=axes,
        draft=draft,
    )


def axes_used(split: Split, axes: Mapping[str, Axis]) -> list[str]:
    """Return the axes that a split's rule, balance and cap look at."""
    rules = [split.where, split.cap.where if split.cap else None]
    named = [name for rule in rules if rule for name in names_in(rule, axes)]
    cap = [split.cap.axis] if split.cap else []
    return list(dict.fromkeys([*named, *split.balance, *cap]))


def _make_source(
    draft: Draft, index: int, source: Source, faults: list[Fault]
) -> PlannedSource | None:
    place = f"source.{index}"
    try:
        kind = generator_class(source.generator)
    except UnknownNameError as error:
        faults.append(draft.fault(f"{place}.generator", str(error)))
        return None
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]
    params = dict(source.params)
    for name in source.params:
        if name not in known:
            hint = nearest(name, known)
            meant = f"; did you mean {hint!r}?" if hint else ""
            message = f"unknown parameter {name!r}{meant} Known: {', '.join(known)}"
            faults.append(draft.fault(f"{place}.params.{name}", message))
            del params[name]
    faults += _style_faults(draft, kind)
    try:
        generator = kind(**params)
    except ParamError as error:
        faults.append(draft.fault(f"{place}.params.{error.name}", str(error)))
        generator = kind()  # knows the names of its axes at least
    seed = draft.recipe.seed if draft.recipe else 0
    stream = stream_key(seed, source.name, source.generator)
    return PlannedSource(source.name, source.generator, generator, stream, _style(draft, kind))


def _style(draft: Draft, kind: type[Generator]) -> Render:
    """Return the style asked for, or the generator's default where nothing is."""
    prompt, solution = (draft.render.prompt, draft.render.solution) if draft.render else ("", "")
    return Render(prompt or kind.prompts[0], solution or kind.solutions[0])


def _style_faults(draft: Draft, kind: type[Generator]) -> Iterator[Fault]:
    style = _style(draft, kind)
    for key, value, known in (
        ("prompt", style.prompt, kind.prompts),
        ("solution", style.solution, kind.solutions),
    ):
        if value not in known:
            yield draft.fault(
                f"render.{key}", f"{key}={value!r}: expected one of {', '.join(known)}"
            )


def _joint_axes(
    draft: Draft, sources: list[tuple[int, PlannedSource]], faults: list[Fault]
) -> dict[str, Axis]:
    """Join the axes of all sources; the same name must mean the same kind of column."""
    joint: dict[str, Axis] = {}
    for index, source in sources:
        for name, axis in source.generator.axes.items():
            other = joint.get(name, axis)
            if (other.dtype, other.values) != (axis.dtype, axis.values):
                message = f"axis {name!r} of {source.task} is another kind of column than before it"
                faults.append(draft.fault(f"source.{index}.generator", message))
            joint[name] = _wider(other, axis)
    names = tuple(source.name for _, source in sources)
    joint[SOURCE] = Axis("source of the row", values=names, canonical=len(names) <= 1)
    return joint


def _wider(one: Axis, other: Axis) -> Axis:
    """Return an axis whose range covers both."""
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    canonical_in_both = one.canonical and other.canonical
    return Axis(one.meaning, one.dtype, low, high, one.values, canonical_in_both)


def _make_split(
    draft: Draft, index: int, split: Split, axes: Mapping[str, Axis], faults: list[Fault]
) -> PlannedSplit:
    place = f"split.{index}"
    rule = _rule(draft, f"{place}.where", split.where, axes, faults)
    cap_where = split.cap.where if split.cap else None
    cap_rule = _rule(draft, f"{place}.cap.where", cap_where, axes, faults)
    cells = 1
    for name in split.balance:
        cells *= _cells_of(draft, f"{place}.balance", name, axes, faults)
    if cells > _MOST_CELLS:
        message = f"balance={list(split.balance)!r}: expected at most {_MOST_CELLS} cells"
        faults.append(draft.fault(f"{place}.balance", message))
    if split.cap and (split.cap.axis not in axes or axes[split.cap.axis].values):
        integers = [name for name, axis in axes.items() if not axis.values]
        message = str(UnknownNameError("integer axis", split.cap.axis, sorted(integers)))
        faults.append(draft.fault(f"{place}.cap.axis", message))
    return PlannedSplit(split, rule, cap_rule)


def _rule(
    draft: Draft, place: str, text: str | None, axes: Mapping[str, Axis], faults: list[Fault]
) -> pl.Expr:
    """Compile a rule, or note what is wrong with it."""
    if text is not None:
        try:
            rule = compile_where(text, axes)
            # Ranges that follow from faulty parameters prove nothing.
            if faults or can_hold(text, axes):
                return rule
            message = f"where={text!r}: can never be true within the ranges of the axes"
            faults.append(draft.fault(place, message))
        except UnknownNameError as error:
            faults.append(draft.fault(place, f"where={text!r}: {error}"))
        except ParamError as error:
            faults.append(draft.fault(place, str(error)))
    return pl.lit(value=True)


def _cells_of(
    draft: Draft, place: str, name: str, axes: Mapping[str, Axis], faults: list[Fault]
) -> int:
    """Return how many values a balanced axis can have."""
    if name not in axes:
        faults.append(draft.fault(place, str(UnknownNameError("axis", name, sorted(axes)))))
        return 1
    axis = axes[name]
    if axis.values:
        return len(axis.values)
    if axis.low is None or axis.high is None:
        message = f"axis {name!r} has no known range, so its values cannot be balanced"
        faults.append(draft.fault(place, message))
        return 1
    return axis.high - axis.low + 1


def _space_faults(draft: Draft, sources: list[PlannedSource]) -> Iterator[Fault]:
    """Find splits that ask for more rows than all sources have addresses."""
    spaces = [source.generator.space for source in sources]
    if any(space is None for space in spaces):
        return
    total = sum(space for space in spaces if space is not None)
    for index, split in draft.splits:
        if split.rows > total:
            message = (
                f"rows={split.rows}: {split.name!r} cannot have more than the {total} addresses"
            )
            yield draft.fault(f"split.{index}.rows", message)
