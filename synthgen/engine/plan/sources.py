"""The sources of a plan: generators with their params, streams and styles.

A source can be spread: it is expanded into one for each value of some axes, which params then fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.util import find_spec
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.contract.interfaces import Generator, Problems, Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import AuthorError, ParamError, UnknownNameError, nearest
from synthgen.core.images import NO_PICTURE, PNG
from synthgen.dataset.row_schema import RESERVED
from synthgen.draws.randomness import stream_key
from synthgen.engine.plan.faults import Faults
from synthgen.formats.formatted import Formatted, format_of
from synthgen.recipe.draft import Draft
from synthgen.recipe.schema import Source, Split
from synthgen.rules.axes import SOURCE, Axis, ComputedAxis
from synthgen.rules.computed_axes import computed_columns
from synthgen.rules.conditions import Condition, Value
from synthgen.rules.tokens import rule_tokens

Column = NDArray[Any]
_MAX_NAMED = 3
SMALL_BLOCK = 4096
"""Largest block of a family whose rows take long to draw."""
_MIN_BLOCK, _MIN_SHARE = 16, 256
MAX_SOURCES = 256
"""Most sources that one source may be spread over."""
_MAX_NAME = 64
_OTHERS = re.compile(r"[^a-z0-9]+")
Fixed = Mapping[str, Value]
"""Axis -> its value in every problem."""


@dataclass(frozen=True)
class PlannedSource:
    """One source with its generator.

    Attributes:
        name: Name, unique in the recipe; the value of the `source` column.
        task: Name of the generator.
        stream: Key of its addressed draws.
        style: Style in which its problems are rendered.
        draws_of: Name of the source whose draws it reuses; None if it proposes problems itself.
        spread_of: Name of the recipe's source whose spread it results from, if any.
        fixed: Axes that then have the same value in every problem.
        sharing: Number of sources that share the addresses of one block.
        computed: Axes that the recipe computes, after those of the generator.
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

    def block_at(self, start: int) -> int:
        """Return the addresses of the block that begins at `start`.

        A source that results from a spread begins with small blocks, which double up to the full
        size, so that its last block wastes fewer addresses than all blocks before it used.
        """
        whole = self.generator.block
        if self.spread_of is None:
            return whole
        if whole <= SMALL_BLOCK:  # these share it, so that a round takes as long as that of one
            return max(_least(whole), whole // self.sharing)
        return min(whole, max(_least(whole), start))


def _least(whole: int) -> int:
    return min(whole, max(_MIN_BLOCK, whole // _MIN_SHARE))


def make_sources(faults: Faults) -> list[tuple[int, PlannedSource]]:
    """Return the sources that have generators, with their index, and collect all faults."""
    sources = [(i, s) for i, t in faults.draft.sources for s in _make_source(faults, i, t)]
    _check_names(faults, sources)
    _check_solutions(faults, [source for _, source in sources])
    _check_pictures(faults, sources)
    streams = {source.name: source.stream for _, source in sources}
    return [
        (i, replace(source, stream=streams.get(source.draws_of or source.name, source.stream)))
        for i, source in sources
    ]


def _make_source(faults: Faults, index: int, source: Source) -> list[PlannedSource]:
    """Make a source, or the sources of its spread; none if the generator is unknown."""
    draft, place = faults.draft, f"source.{index}"
    try:
        kind = generator_class(source.generator)
    except (AuthorError, UnknownNameError) as error:
        faults.add(f"{place}.generator", str(error))
        return []
    known = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]
    params: dict[str, Any] = {**source.params, **source.texts}
    before = len(faults.entries)
    for name in [*params]:
        if name not in known:
            hint = nearest(name, known)
            meant = f"; did you mean {hint!r}?" if hint else ""
            message = f"unknown parameter {name!r}{meant} Known: {', '.join(known)}"
            faults.add(_place_of(place, source, name), message)
            del params[name]
    try:
        generator = kind(**params)
    except (ParamError, UnknownNameError) as error:
        of_one = isinstance(error, ParamError)
        where = _place_of(place, source, error.name) if of_one else f"{place}.params"
        file = source.files.get(error.name, "") if of_one else ""
        faults.add(where, f"{file}: {error}" if file else str(error))
        generator = kind()  # at least the names of its axes are known
    _check_style(faults, index, source, generator)
    seed = draft.recipe.seed if draft.recipe else 0
    stream = stream_key(seed, source.name, source.generator)
    style = _style(draft, source, kind)
    made = PlannedSource(source.name, source.generator, generator, stream, style, source.draws_of)
    if not source.spread or len(faults.entries) > before:
        return _in_formats(faults, index, source, [made])
    return _in_formats(faults, index, source, _spread(faults, index, source, made, params))


def _in_formats(
    faults: Faults, index: int, source: Source, made: list[PlannedSource]
) -> list[PlannedSource]:
    """Return the sources in the format of their recipe's source or of all, if there is one."""
    own, common = source.render, faults.draft.render
    place, given = f"source.{index}.render", own.format if own else None
    if given is None:
        place, given = "render", common.format if common else None
    if given is None:
        return made
    if any(split.members for _, split in faults.draft.splits):
        faults.add(f"{place}.format", "format: cannot be combined with lists of prompts, members")
    try:
        drawn_from = format_of(given)
        return [replace(one, generator=Formatted(one.generator, drawn_from)) for one in made]
    except ParamError as error:
        faults.add(f"{place}.format.{error.name}", str(error))
        return made


def _spread(
    faults: Faults, index: int, source: Source, whole: PlannedSource, params: Mapping[str, Any]
) -> list[PlannedSource]:
    """Return the sources that a source is spread over; if the spread is faulty, the source itself.

    Combinations of values that the generator rejects are left out; each value must be in one.
    """
    place, before = ("source", str(index), "spread"), len(faults.entries)
    values: list[tuple[Value, ...]] = []
    for axis, wanted in source.spread:
        try:
            values.append(_values(whole.generator, axis, wanted))
        except (ParamError, UnknownNameError) as error:
            faults.add((*place, axis), str(error))
    count = prod(map(len, values))
    if len(faults.entries) == before and count > MAX_SOURCES:
        message = f"spread: expected at most {MAX_SOURCES} sources, not {count:,}; choose values"
        faults.add(place, f"{message}, such as {_example(source, values)}")
    if len(faults.entries) > before:
        return [whole]
    made: list[PlannedSource] = []
    refused: list[tuple[Fixed, ParamError]] = []
    for point in product(*values):
        fixed = {axis: value for (axis, _), value in zip(source.spread, point, strict=True)}
        try:
            generator = _conditioned(whole.generator, fixed, params)
        except ParamError as error:
            refused.append((fixed, error))
        else:
            made.append(replace(whole, generator=generator, spread_of=source.name, fixed=fixed))
    points = [one.fixed for one in made]
    for key, message in _refusals(source, points, refused):
        faults.add((*place, *key), message)
    if len(faults.entries) > before:
        return [whole]
    seed = faults.draft.recipe.seed if faults.draft.recipe else 0
    return [
        replace(one, name=name, stream=stream_key(seed, name, whole.task), sharing=len(made))
        for name, one in zip(_names(source.name, points), made, strict=True)
    ]


def _values(whole: Generator, axis: str, wanted: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the values of an axis to spread over.

    Raises:
        UnknownNameError: for an axis that no params fix.
        ParamError: for values that the source does not have, or that must be listed.
    """
    conditions = whole.conditions
    if axis not in conditions or axis not in whole.axes:
        known = sorted(name for name in conditions if name in whole.axes)
        raise UnknownNameError("axis to spread over", axis, known)
    there = whole.axes[axis]
    for value in wanted:
        _check_value(axis, value, there, conditions[axis])
    if wanted:
        return wanted
    possible = conditions[axis].values
    if there.values:
        return tuple(value for value in there.values if not possible or value in possible)
    if there.low is None or there.high is None:
        raise ParamError(
            "spread", axis, f"listed values, such as {{ {axis} = [1, 2] }}, as its range is unknown"
        )
    return tuple(v for v in range(there.low, there.high + 1) if not possible or v in possible)


def _check_value(axis: str, value: Value, there: Axis, condition: Condition) -> None:
    if there.values:
        if value not in there.values or (condition.values and value not in condition.values):
            known = [name for name in there.values if name in (condition.values or there.values)]
            kind = f"value of {axis}"
            raise UnknownNameError(kind, str(value), known)
        return
    low, high = there.low, there.high
    wanted = f"an integer from {low} to {high}, the range of the source without spread"
    if not isinstance(value, int) or (condition.values and value not in condition.values):
        raise ParamError(axis, value, wanted)
    if (low is not None and value < low) or (high is not None and value > high):
        raise ParamError(axis, value, wanted)


def _conditioned(whole: Generator, fixed: Fixed, params: Mapping[str, Any]) -> Generator:
    """Return the generator whose problems have these values.

    Raises:
        ParamError: if there is no such generator.
    """
    conditions = whole.conditions
    given: dict[str, Any] = {}
    for axis, value in fixed.items():
        for param, fixing in conditions[axis].given(value).items():
            if given.setdefault(param, fixing) != fixing:
                raise ParamError(param, fixing, f"{given[param]!r}, which another axis requires")
    for axis in fixed:
        for param, allowed in conditions[axis].only.items():
            actual = given.get(param, getattr(whole, param))
            if actual not in allowed:
                known = " or ".join(map(repr, allowed))
                raise ParamError(param, actual, f"{known}, or {axis} cannot be spread")
    return type(whole)(**{**params, **given})


def _refusals(
    source: Source, made: Sequence[Fixed], refused: Sequence[tuple[Fixed, ParamError]]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Report listed values that no source has, and a spread without sources."""
    if not made:
        message = f"spread: no value gives a source: {refused[0][1] if refused else 'no values'}"
        yield ((), message)
        return
    for axis, wanted in source.spread:
        there = {fixed[axis] for fixed in made}
        for value in wanted:
            if value not in there:
                error = next(error for fixed, error in refused if fixed[axis] == value)
                yield ((axis,), f"{axis}={value!r}: impossible in every source: {error}")


def _example(source: Source, values: list[tuple[Value, ...]]) -> str:
    axis, some = max(zip(source.spread, values, strict=True), key=lambda pair: len(pair[1]))
    first = ", ".join(repr(value) for value in some[:3])
    return f"{{ {axis[0]} = [{first}] }}"


def _names(base: str, points: list[Fixed]) -> list[str]:
    """Name the sources by their values, or by numbers where those would be too long or equal."""
    names = [
        "_".join([base, *(f"{axis}_{_name_part(v)}" for axis, v in p.items())]) for p in points
    ]
    if len(set(names)) == len(names) and max(map(len, names)) <= _MAX_NAME:
        return names
    short = ["_".join([base, *map(_name_part, point.values())]) for point in points]
    if len(set(short)) == len(short) and max(map(len, short)) <= _MAX_NAME:
        return short
    return [f"{base[: _MAX_NAME - 4]}_{number:03}" for number in range(len(points))]


def _name_part(value: Value) -> str:
    text = str(value).replace("-", "minus", 1) if isinstance(value, int) else value.lower()
    return _OTHERS.sub("_", text).strip("_") or "none"


def _place_of(place: str, source: Source, name: str) -> str:
    """Return the path of a param, given by value or by file."""
    return f"{place}.{'files' if name in source.files else 'params'}.{name}"


def _style(draft: Draft, source: Source, kind: type[Generator]) -> Render:
    """Return the style of a source, else the recipe's, else the generator's default.

    Not every family writes solutions: rows of a family without the style have none.
    """
    styles = [style for style in (source.render, draft.render) if style]
    prompt = next((style.prompt for style in styles if style.prompt), kind.prompts[0])
    solution = next((style.solution for style in styles if style.solution), "")
    picture = draft.render.picture if draft.render else NO_PICTURE
    return Render(prompt, solution if solution in kind.solutions else kind.solutions[0], picture)


def _check_style(faults: Faults, index: int, source: Source, generator: Generator) -> None:
    """Report styles that a source lacks; the recipe's solution style may be that of another."""
    own, kind = source.render, type(generator)
    place = f"source.{index}.render" if own and own.prompt else "render"
    prompt = _style(faults.draft, source, kind).prompt
    if prompt not in generator.styles:
        known = ", ".join(generator.styles)
        message = f"prompt={prompt!r}: expected a style of source {source.name!r}: {known}"
        faults.add(f"{place}.prompt", message)
    if own and own.solution and own.solution not in kind.solutions:
        known = ", ".join(kind.solutions)
        message = f"solution={own.solution!r}: expected a style of source {source.name!r}: {known}"
        faults.add(f"source.{index}.render.solution", message)


def _check_solutions(faults: Faults, sources: list[PlannedSource]) -> None:
    """Report a solution style that no source has."""
    wanted = faults.draft.render.solution if faults.draft.render else ""
    known = list(dict.fromkeys(s for source in sources for s in source.generator.solutions))
    if wanted and known and wanted not in known:
        message = f"solution={wanted!r}: expected one of {', '.join(known)}"
        faults.add("render.solution", message)


def picture_of(sources: Sequence[PlannedSource]) -> str:
    """Return the kind of pictures of a dataset with these sources."""
    return sources[0].style.picture if sources else NO_PICTURE


def _check_pictures(faults: Faults, sources: list[tuple[int, PlannedSource]]) -> None:
    """Report pictures that no source draws, that prompts lack, or that cannot be made here."""
    picture, place = picture_of([source for _, source in sources]), "render.picture"
    drawn = [source.generator.pictured for _, source in sources]
    if picture != NO_PICTURE and {*drawn} == {"no"}:
        tasks = ", ".join(sorted({source.task for _, source in sources}))
        faults.add(place, f"picture={picture!r}: expected 'none', as {tasks} draws none")
    if picture == PNG and not find_spec("resvg_py"):
        faults.add(place, "picture='png': needs resvg: pip install 'synthgen[images]'")
    for (index, source), use in zip(sources, drawn, strict=True):
        if use != "needed":
            continue
        if picture == NO_PICTURE:
            message = f"{source.name}: the prompts need [render] picture = 'svg' or 'png'"
            faults.add(f"source.{index}.params", message)
        if any(split.members for _, split in faults.draft.splits):
            message = "prompts that need pictures cannot be combined with members"
            faults.add(f"source.{index}.params", message)


def spread_names(sources: Sequence[PlannedSource]) -> dict[str, list[str]]:
    """Return the names of the sources that result from each spread source."""
    given: dict[str, list[str]] = {}
    for source in sources:
        if source.spread_of:
            given.setdefault(source.spread_of, []).append(source.name)
    return given


def _check_names(faults: Faults, sources: Sequence[tuple[int, PlannedSource]]) -> None:
    """Report faults of names where sources are spread."""
    given = spread_names([source for _, source in sources])
    if not given:
        return
    names = [source.name for _, source in sources]
    for index, source in sources:
        if source.spread_of and (names.count(source.name) > 1 or source.name in given):
            message = f"spread: creates the name {source.name!r}, which another source has"
            faults.add(f"source.{index}.spread", message)
        base = source.draws_of
        if base and base not in names:
            for name in given:
                if base == name or base.startswith(f"{name}_"):
                    message = f"draws_of={base!r}: expected {_sources_text(name, given[name])}"
                    faults.add(f"source.{index}.draws_of", message)
    for index, split in faults.draft.splits:
        for path, rule in _rules(split):
            for name in _old_names(rule, given):
                message = f"where={rule!r}: no source is named {name!r}; expected"
                message += f" {_sources_text(name, given[name])}, or source LIKE '{name}_%'"
                faults.add(f"split.{index}.{path}", message)


def _sources_text(name: str, names: list[str]) -> str:
    """List the sources that replace a spread source."""
    first = ", ".join(names[:_MAX_NAMED])
    rest = f" ... {names[-1]}" if len(names) > _MAX_NAMED else ""
    return f"one of the {len(names)} sources that {name!r} is spread over: {first}{rest}"


def _rules(split: Split) -> Iterator[tuple[str, str]]:
    if split.where:
        yield "where", split.where
    if split.cap and split.cap.where:
        yield "cap.where", split.cap.where
    for place, part in enumerate(split.parts):
        yield f"parts.{place}.where", part.where


def _old_names(rule: str, given: dict[str, list[str]]) -> list[str]:
    """Return the sources that a rule names although they are spread."""
    try:
        tokens = rule_tokens(rule)
    except ParamError:
        return []
    if SOURCE not in tokens:
        return []
    return [name for name in given if f"'{name}'" in tokens]


def joint_axes(faults: Faults, sources: list[tuple[int, PlannedSource]]) -> dict[str, Axis]:
    """Join the axes of all sources; an axis must be numeric, or categorical, in all of them."""
    joint: dict[str, Axis] = {}
    for index, source in sources:
        for name, axis in source.axes.items():
            if name in RESERVED:
                message = f"axis {name!r} of {source.task} has the name of a standard column"
                faults.add(f"source.{index}.generator", message)
            other = joint.get(name, axis)
            if bool(other.values) != bool(axis.values):
                message = f"axis {name!r} of {source.task} differs in kind from an earlier source's"
                faults.add(f"source.{index}.generator", message)
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


def joint_columns(
    source: PlannedSource, columns: Mapping[str, Column], joint: Mapping[str, Axis], n: int
) -> dict[str, Column]:
    """Return columns of a source, n rows, with the codes that names have among all sources."""
    joined = dict(columns)
    for name, axis in source.generator.axes.items():
        if name in joined and axis.values != joint[name].values:
            codes = {value: code for code, value in enumerate(joint[name].values)}
            joined[name] = np.array([codes[value] for value in axis.values])[joined[name]]
    joined[SOURCE] = np.full(n, joint[SOURCE].values.index(source.name), np.int16)
    return joined


def with_computed(
    problems: Problems, generator: Generator, computed: Sequence[ComputedAxis]
) -> Problems:
    """Return the problems with the columns of computed axes, zero where they are not valid."""
    if not computed:
        return problems
    valid = np.flatnonzero(problems.valid)
    whole = len(valid) == len(problems)
    columns = computed_columns(
        computed,
        problems.derivations if whole else problems.derivations.take(valid),
        generator.signature,
        {name: column[valid] for name, column in problems.axes.items()},
        {name: axis.values for name, axis in generator.axes.items() if axis.values},
    )
    if not whole:
        for name, column in columns.items():
            columns[name] = np.zeros(len(problems), np.int16)
            columns[name][valid] = column
    return replace(problems, axes={**problems.axes, **columns})
