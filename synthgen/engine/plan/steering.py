"""Faults of the steering keys of a split that only axes and generators reveal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod

from synthgen.core.contract import Axis
from synthgen.core.derivation import Signature
from synthgen.core.errors import Fault, ParamError, UnknownNameError
from synthgen.core.named_structures import check_structure
from synthgen.engine.plan.cells import value_fault
from synthgen.engine.steer.weights import MOST_POINTS_AXES, may_take_turns
from synthgen.recipe.draft import Draft
from synthgen.recipe.schema import DIFFICULTY, Cover, Law, Order, Split, Weighted

MOST_TUPLES = 1 << 16
"""Limit for one cover, as the manifest lists each unmet unit."""


def steering_faults(
    draft: Draft,
    index: int,
    split: Split,
    axes: Mapping[str, Axis],
    signatures: Sequence[Signature],
) -> Iterator[Fault]:
    """Find unknown axes and values, too many cells, and unknown structures.

    Args:
        draft: draft of the recipe, for lines.
        index: index of the split in it.
        split: split with the keys.
        axes: axes of all sources.
        signatures: signatures of the sources that propose problems.
    """
    for path, message in _split_faults(split, axes, signatures):
        yield draft.fault(f"split.{index}.{path}", message)


def _split_faults(
    split: Split, axes: Mapping[str, Axis], signatures: Sequence[Signature]
) -> Iterator[tuple[str, str]]:
    if split.shares:
        yield from _shares_faults(split.shares, split.balance, axes)
    for place, cover in enumerate(split.cover):
        yield from _cover_faults(f"cover.{place}", cover, axes, signatures)
        tuples = len(cover.of) if cover.axes else 1  # a row has one of them
        if cover.times * max(1, tuples) > split.rows:
            yield f"cover.{place}.times", _too_often(cover, tuples, split)
    if split.order:
        yield from _order_faults(split.order, axes)


def _too_often(cover: Cover, tuples: int, split: Split) -> str:
    if tuples <= 1:
        return f"times={cover.times}: expected at most the {split.rows} rows of {split.name!r}"
    text = f"times={cover.times}: {tuples} tuples need {cover.times * tuples} rows"
    return f"{text}, but {split.name!r} has {split.rows}"


def _order_faults(order: Order, axes: Mapping[str, Axis]) -> Iterator[tuple[str, str]]:
    """Find an unknown axis, values that it cannot have, and weights that give no turns."""
    weights = [weight for _, weight in order.of]
    others = 1  # null
    if order.axis == DIFFICULTY:
        for place, (values, _) in enumerate(order.of):
            if len(values) != 1 or not isinstance(values[0], int):
                yield (
                    f"order.of.{place}",
                    f"{list(values)!r}: expected a single integer, a difficulty",
                )
    elif order.axis not in axes:
        known = sorted([*axes, DIFFICULTY])
        yield "order.axis", str(UnknownNameError("axis", order.axis, known))
        return
    elif order.of and not axes[order.axis].is_counted:
        yield (
            "order.of",
            f"of: axis {order.axis!r} has no known range, so its values cannot take turns",
        )
    else:
        yield from _weighted_faults("order.of", order.of, (order.axis,), axes)
        others = axes[order.axis].size
    if order.of and not may_take_turns([*weights, 1.0], others):
        text = "of: expected weights above 0 with few digits, whose proportions are integers below "
        yield "order.of", f"{text}2^31 in sum; unlisted values have weight 1"


def _axes_faults(path: str, cover: Cover, axes: Mapping[str, Axis]) -> Iterator[tuple[str, str]]:
    """Find names that are not axes with a known range, and too many tuples of their values."""
    names = cover.axes
    for place, name in enumerate(names):
        if name not in axes:
            yield f"{path}.{place}", str(UnknownNameError("axis", name, sorted(axes)))
        elif not axes[name].is_counted:
            yield f"{path}.{place}", f"axis {name!r} has no known range, so it cannot have cells"
    if not _all_counted(names, axes):
        return
    tuples = 0
    for group in combinations(names, cover.strength or len(names)):  # there may be very many
        tuples += prod(axes[name].size + 1 for name in group)
        if tuples > MOST_TUPLES:
            yield path, f"axes: expected at most {MOST_TUPLES:,} cells, not {tuples:,} or more"
            return


def _all_counted(names: Sequence[str], axes: Mapping[str, Axis]) -> bool:
    return all(name in axes and axes[name].is_counted for name in names)


def _shares_faults(
    law: Law, names: Sequence[str], axes: Mapping[str, Axis]
) -> Iterator[tuple[str, str]]:
    yield from _weighted_faults("shares.of", law.of, names, axes)
    if law.of and not any(weight for _, weight in law.of):
        yield "shares.of", "of: expected a weight above 0"
    if law.law in {"halton", "r2"} and len(names) > MOST_POINTS_AXES:
        text = f"law={law.law!r}: expected at most {MOST_POINTS_AXES} axes, not {len(names)}"
        yield "shares.law", text


def _weighted_faults(
    path: str, listed: Sequence[Weighted], names: Sequence[str], axes: Mapping[str, Axis]
) -> Iterator[tuple[str, str]]:
    for place, (values, _) in enumerate(listed):
        yield from _cell_faults(f"{path}.{place}", values, names, axes)


def _cell_faults(
    path: str, values: Sequence[int | str], names: Sequence[str], axes: Mapping[str, Axis]
) -> Iterator[tuple[str, str]]:
    """Find values that the axes cannot have."""
    if not _all_counted(names, axes):
        return
    if len(values) != len(names):
        yield path, f"{list(values)!r}: expected a value of each axis: {', '.join(names) or 'none'}"
        return
    for name, value in zip(names, values, strict=True):
        if fault := value_fault(name, value, axes[name]):
            yield path, fault


def _cover_faults(
    path: str, cover: Cover, axes: Mapping[str, Axis], signatures: Sequence[Signature]
) -> Iterator[tuple[str, str]]:
    if cover.structures is not None:
        yield from _structure_faults(path, cover, signatures)
        return
    yield from _axes_faults(f"{path}.axes", cover, axes)
    for place, values in enumerate(cover.of):
        if isinstance(values, str):
            yield f"{path}.of.{place}", f"of={values!r}: expected a list of values of the axes"
        else:
            yield from _cell_faults(f"{path}.of.{place}", values, cover.axes, axes)


def _structure_faults(
    path: str, cover: Cover, signatures: Sequence[Signature]
) -> Iterator[tuple[str, str]]:
    kind = cover.structures or ""
    for place, text in enumerate(cover.of):
        try:
            if not isinstance(text, str):
                raise ParamError("of", list(text), "the text of a structure")
            check_structure(text, kind, signatures)
        except (ParamError, UnknownNameError) as error:
            yield f"{path}.of.{place}", str(error)
    known = {name for signature in signatures for name in signature.names}
    for place, name in enumerate(cover.symbols):
        if name not in known:
            yield f"{path}.symbols.{place}", str(UnknownNameError("symbol", name, sorted(known)))
