"""A few verified rows of each split, without building anything."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from inspect import cleandoc
from typing import Any

import numpy as np

from synthgen.contract.interfaces import Generator, Render
from synthgen.contract.registry import generator_class, generator_summary
from synthgen.core.errors import UnknownNameError
from synthgen.dataset.membership import Membership
from synthgen.draws.randomness import Rows, stream_key
from synthgen.engine.make.materialise import make_rows
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.sources import SMALL_BLOCK, PlannedSource
from synthgen.engine.progress import Display
from synthgen.engine.select.select import select
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.scaling import resize
from synthgen.recipe.schema import Part, Split

_ENOUGH, _FEW = 500, 40
_TRIED = 25
_PARAMS = "Attributes:"
_BASES = ("synthgen.authoring.", "synthgen.contract.")


def preview(
    plan: Plan, engine: LocalEngine, n: int, split: str | None
) -> dict[str, list[dict[str, Any]]]:
    """Return up to n rows of each split, or of one: the first rows of a small build.

    Raises:
        UnknownNameError: if the recipe has no such split.
    """
    names = [planned.name for planned in plan.splits]
    if split is not None and split not in names:
        raise UnknownNameError(kind="split", name=split, known=names)
    seen = {planned.spec.seen_in for planned in plan.splits}
    few = (
        n if any(source.generator.block <= SMALL_BLOCK for source in plan.sources) else max(n, _FEW)
    )
    small = tuple(
        replace(planned, spec=_shrunk(planned.spec, n, few, seen=planned.name in seen))
        for planned in plan.splits
    )
    limits = plan.recipe.limits.model_copy(update={"shortfall": "allow"})
    recipe = plan.recipe.model_copy(update={"limits": limits})
    selection = select(replace(plan, recipe=recipe, splits=small), engine, Display().update)
    shown = [split] if split else names
    rows: dict[str, list[dict[str, Any]]] = {}
    noises = {each.name: each.noise for each in selection.record.splits}
    for name in shown:
        members = selection.members[name].take(slice(n))
        table = make_rows(members, plan.sources, plan.row_axes, name, noise=noises[name])
        rows[name] = table.to_pylist()
    return rows


def _shrunk(spec: Split, n: int, few: int, *, seen: bool) -> Split:
    """Return a split with `few` rows, or enough for every part, value and split seen in it."""
    plain = not (spec.parts or spec.cap or seen)
    spec = spec.model_copy(update={"cover": (), "diverse": None})  # about whole splits
    small = resize(spec, min(spec.rows, few if plain else max(n, _ENOUGH)))
    if not spec.parts:
        return small
    pairs = zip(small.parts, spec.parts, strict=True)
    parts = tuple(part if part.rows >= n else _first_rows(whole, n) for part, whole in pairs)
    return small.model_copy(update={"parts": parts, "rows": sum(part.rows for part in parts)})


def _first_rows(part: Part, n: int) -> Part:
    """Return a part with up to n rows."""
    rows = min(n, part.rows)
    return part.model_copy(update={"rows": rows, "distinct": min(rows, part.problems)})


def examples(name: str) -> dict[str, dict[str, Any]]:
    """Return a verified row of middling difficulty and length in each prompt style.

    Raises:
        UnknownNameError: if no generator has this name.
    """
    kind = generator_class(name)
    generator = kind()
    stream, solution = stream_key(0, name, name), kind.solutions[0]
    source = PlannedSource(name, name, generator, stream, Render(generator.styles[0], solution))
    space = generator.space
    addresses = np.arange(_TRIED) if space is None else np.linspace(0, space - 1, _TRIED)
    problems = generator.draw(Rows(stream, np.unique(addresses.astype(np.uint64))))
    drawn = problems.rows.addresses[problems.valid]
    some = Membership(np.zeros(len(drawn), np.int32), drawn)
    rows = make_rows(some, [source], generator.axes, name).to_pylist()
    if not rows:
        return {}
    ranked = sorted(rows, key=lambda row: (row["difficulty"], len(row["prompt"])))
    place = rows.index(ranked[len(ranked) // 2])
    one, shown = some.take(slice(place, place + 1)), {}
    for style in generator.styles:
        styled = replace(source, style=Render(style, solution))
        shown[style] = make_rows(one, [styled], generator.axes, name).to_pylist()[0]
    return shown


def describe(name: str) -> dict[str, Any]:
    """Describe a generator with its default parameters.

    Raises:
        UnknownNameError: if no generator has this name.
    """
    kind = generator_class(name)
    generator = kind()
    params = {
        f.name: {
            "type": f.type.__name__ if isinstance(f.type, type) else str(f.type),
            "default": f.default,
        }
        for f in fields(kind)  # type: ignore[arg-type]
    }
    return {
        "name": name,
        "summary": generator_summary(name),
        "version": kind.version,
        "verifier": kind.verifier,
        "about": documentation(kind),
        "params": params,
        "spread": {
            axis: [*condition.params, *condition.also]
            for axis, condition in generator.conditions.items()
        },
        "axes": {axis: asdict(spec) for axis, spec in generator.axes.items()},
        "symbols": list(generator.signature.names),
        "prompts": list(kind.prompts),
        "solutions": list(kind.solutions),
        "space": generator.space,
        "fewest_problems": generator.fewest_problems,
    }


def documentation(kind: type[Generator]) -> str:
    """Return the docstring of a family; params that it does not list are listed by its base."""
    about = (kind.__doc__ or "").strip()
    for base in kind.__mro__[1:] if _PARAMS not in about else ():
        _, heading, params = (base.__doc__ or "").partition(_PARAMS)
        if heading and not base.__module__.startswith(_BASES):
            return f"{about}\n\n    {_PARAMS}{params.rstrip()}"
    return about


def meanings(about: str) -> tuple[str, dict[tuple[str, ...], str]]:
    """Return the text of a docstring without its list of params, and the meanings of params."""
    text, _, listed = cleandoc(about).partition(_PARAMS)
    entries: list[tuple[tuple[str, ...], list[str]]] = []
    for line in cleandoc(f"\n{listed}").splitlines():
        names, colon, rest = line.partition(": ")
        if colon and not line.startswith(" "):
            entries.append((tuple(name.strip() for name in names.split(",")), [rest]))
        elif entries and line.strip():
            entries[-1][1].append(line.strip())
    return text.strip(), {names: " ".join(lines) for names, lines in entries}
