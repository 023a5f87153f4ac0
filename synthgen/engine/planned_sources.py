"""The sources of a plan: generators with their params, streams and styles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.computed_axes import ComputedAxis
from synthgen.core.contract import SOURCE, Axis, Generator, Render
from synthgen.core.errors import Fault, ParamError, UnknownNameError, nearest
from synthgen.core.randomness import stream_key
from synthgen.core.registry import generator_class
from synthgen.dataset.schema import BASE_COLUMNS
from synthgen.engine.spread import Fixed, spread_over
from synthgen.engine.spread_names import name_faults
from synthgen.recipe.loader import Draft
from synthgen.recipe.schema import Source


@dataclass(frozen=True)
class PlannedSource:
    """One source with its generator.

    Attributes:
        name: unique in the recipe; the value of the `source` column.
        task: name of the generator.
        stream: key of its addressed draws.
        style: style in which its problems are rendered.
        draws_of: name of the source whose draws it reuses; None if it proposes problems itself.
        spread_of: name of the recipe's source whose spread it results from, if any.
        fixed: axes that then have the same value in every problem.
        sharing: number of sources that share the addresses of one block.
        computed: axes that the recipe computes, after those of the generator.
    """

    name: str
    task: str
    generator: Generator
    stream: int
    style: Render
    draws_of: str | None = None
    spread_of: str | None = None
    fixed: Fixed = field(default_factory=dict)
    sharing: int = 1
    computed: tuple[ComputedAxis, ...] = ()

    @property
    def axes(self) -> dict[str, Axis]:
        """The generator's axes; the range of a fixed one is a single number."""
        axes = dict(self.generator.axes)
        for name, value in self.fixed.items():
            if isinstance(value, int):
                axes[name] = replace(axes[name], low=value, high=value)
        return axes


def make_sources(draft: Draft, faults: list[Fault]) -> list[tuple[int, PlannedSource]]:
    """Return the sources that have generators, with their index, and collect all faults."""
    sources = [(i, s) for i, t in draft.sources for s in _make_source(draft, i, t, faults)]
    faults += name_faults(draft, sources)
    faults += _solution_faults(draft, [source for _, source in sources])
    streams = {source.name: source.stream for _, source in sources}
    return [
        (i, replace(source, stream=streams.get(source.draws_of or source.name, source.stream)))
        for i, source in sources
    ]


def _make_source(
    draft: Draft, index: int, source: Source, faults: list[Fault]
) -> list[PlannedSource]:
    """Make a source, or the sources of its spread; none if the generator is unknown."""
    place = f"source.{index}"
    try:
        kind = generator_class(source.generator)
    except UnknownNameError as error:
        faults.append(draft.fault(f"{place}.generator", str(error)))
        return []
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]
    params: dict[str, Any] = {**source.params, **source.texts}
    before = len(faults)
    for name in [*params]:
        if name not in known:
            hint = nearest(name, known)
            meant = f"; did you mean {hint!r}?" if hint else ""
            message = f"unknown parameter {name!r}{meant} Known: {', '.join(known)}"
            faults.append(draft.fault(_place_of(place, source, name), message))
            del params[name]
    faults += _style_faults(draft, kind)
    try:
        generator = kind(**params)
    except (ParamError, UnknownNameError) as error:
        of_one = isinstance(error, ParamError)
        where = _place_of(place, source, error.name) if of_one else f"{place}.params"
        faults.append(draft.fault(where, str(error)))
        generator = kind()  # at least the names of its axes are known
    seed = draft.recipe.seed if draft.recipe else 0
    stream = stream_key(seed, source.name, source.generator)
    style = _style(draft, kind)
    made = PlannedSource(source.name, source.generator, generator, stream, style, source.draws_of)
    if not source.spread or len(faults) > before:
        return [made]
    return _spread(draft, index, source, made, params, faults)


def _spread(
    draft: Draft,
    index: int,
    source: Source,
    whole: PlannedSource,
    params: Mapping[str, Any],
    faults: list[Fault],
) -> list[PlannedSource]:
    """Return the sources of a spread; if that is faulty, the source itself."""
    found, wrong = spread_over(source, whole.generator, params)
    for fault in wrong:
        path = ("source", str(index), "spread", *fault.key)
        faults.append(draft.fault(path, fault.message))
    if wrong:
        return [whole]
    seed = draft.recipe.seed if draft.recipe else 0
    return [
        replace(
            whole,
            name=one.name,
            generator=one.generator,
            stream=stream_key(seed, one.name, whole.task),
            spread_of=source.name,
            fixed=one.fixed,
            sharing=len(found),
        )
        for one in found
    ]


def _place_of(place: str, source: Source, name: str) -> str:
    """Return the path of a param, given by value or by file."""
    return f"{place}.{'files' if name in source.files else 'params'}.{name}"


def _style(draft: Draft, kind: type[Generator]) -> Render:
    """Return the requested style, or the generator's default.

    Not every family writes solutions: rows of a family without the style have none.
    """
    prompt, solution = (draft.render.prompt, draft.render.solution) if draft.render else ("", "")
    known = solution if solution in kind.solutions else kind.solutions[0]
    return Render(prompt or kind.prompts[0], known)


def _style_faults(draft: Draft, kind: type[Generator]) -> Iterator[Fault]:
    prompt = _style(draft, kind).prompt
    if prompt not in kind.prompts:
        known = ", ".join(kind.prompts)
        yield draft.fault("render.prompt", f"prompt={prompt!r}: expected one of {known}")


def _solution_faults(draft: Draft, sources: list[PlannedSource]) -> Iterator[Fault]:
    """Report a solution style that no source has."""
    wanted = draft.render.solution if draft.render else ""
    known = list(dict.fromkeys(s for source in sources for s in source.generator.solutions))
    if wanted and known and wanted not in known:
        message = f"solution={wanted!r}: expected one of {', '.join(known)}"
        yield draft.fault("render.solution", message)


def joint_axes(
    draft: Draft, sources: list[tuple[int, PlannedSource]], faults: list[Fault]
) -> dict[str, Axis]:
    """Join the axes of all sources; an axis must be numeric, or categorical, in all of them."""
    joint: dict[str, Axis] = {}
    for index, source in sources:
        for name, axis in source.axes.items():
            if name in BASE_COLUMNS:
                message = f"axis {name!r} of {source.task} has the name of a standard column"
                faults.append(draft.fault(f"source.{index}.generator", message))
            other = joint.get(name, axis)
            if bool(other.values) != bool(axis.values):
                message = f"axis {name!r} of {source.task} differs in kind from an earlier source's"
                faults.append(draft.fault(f"source.{index}.generator", message))
            joint[name] = _wider(other, axis)
    names = tuple(source.name for _, source in sources)
    joint[SOURCE] = Axis("source of the row", values=names, canonical=len(names) <= 1)
    return joint


def _wider(one: Axis, other: Axis) -> Axis:
    """Return an axis that covers both: their ranges, or all of their names."""
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    values = tuple(dict.fromkeys((*one.values, *other.values)))
    canonical_in_both = one.canonical and other.canonical
    dtype = max(one.dtype, other.dtype, key=lambda name: int(name.removeprefix("int")))
    return Axis(one.meaning, dtype, low, high, values, canonical_in_both)


def joint_codes(source: PlannedSource, joint: Mapping[str, Axis]) -> dict[str, NDArray[np.int64]]:
    """Return the joint codes of each axis whose names have different codes there."""
    return {
        name: np.array([joint[name].values.index(value) for value in axis.values])
        for name, axis in source.generator.axes.items()
        if axis.values != joint[name].values
    }


def fixed_codes(source: PlannedSource, joint: Mapping[str, Axis]) -> dict[str, int]:
    """Return the values of the axes that a source's params fix, names by their joint codes."""
    return {
        name: value if isinstance(value, int) else joint[name].values.index(value)
        for name, value in source.fixed.items()
    }
