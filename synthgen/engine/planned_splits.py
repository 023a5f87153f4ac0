"""The splits of a plan: compiled rules, and lists of members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from synthgen.core.contract import Axis
from synthgen.core.errors import Fault, ParamError, UnknownNameError
from synthgen.core.rules import can_hold, compile_where, names_in
from synthgen.engine.members import MemberList, read_members
from synthgen.recipe.combinations import stays_below
from synthgen.recipe.loader import Draft
from synthgen.recipe.schema import Split

_MOST_CELLS = 1 << 22
POOL = "(pool)"
"""Name of the pool that a divergence divides; not a valid name of a split."""


@dataclass(frozen=True)
class PlannedSplit:
    """One split with its compiled rules (always true where the recipe does not give one).

    Attributes:
        rule: which rows may be in the split.
        cap_rule: which of them its cap counts.
        part_rules: rules of its parts; a row belongs to the first whose rule it meets.
        members: the only prompts allowed in it.
    """

    spec: Split
    rule: pl.Expr
    cap_rule: pl.Expr
    part_rules: tuple[pl.Expr, ...] = ()
    members: MemberList | None = None

    @property
    def name(self) -> str:
        """Name of the split."""
        return self.spec.name

    @property
    def owns(self) -> bool:
        """Whether it chooses its own problems, not from another split."""
        return self.spec.seen_in is None and self.spec.variant is None


def axes_used(split: Split, axes: Mapping[str, Axis]) -> list[str]:
    """Return the axes that a split's rule, balance, cap and controllers use."""
    rules = [split.where, split.cap.where if split.cap else None]
    rules += [part.where for part in split.parts]
    named = [name for rule in rules if rule for name in names_in(rule, axes)]
    cap = [split.cap.axis] if split.cap else []
    unseen = split.unseen.axes if split.unseen else ()
    steered = [name for name in split.steered_axes if name in axes]
    return list(dict.fromkeys([*named, *split.balance, *cap, *unseen, *split.measure, *steered]))


def make_split(
    draft: Draft, index: int, split: Split, axes: Mapping[str, Axis], faults: list[Fault]
) -> PlannedSplit:
    """Compile one split, and collect its faults."""
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
    _check_axes(draft, place, split, axes, faults)
    part_rules = tuple(
        _rule(draft, f"{place}.parts.{i}.where", part.where, axes, faults)
        for i, part in enumerate(split.parts)
    )
    if part_rules:
        rule &= pl.any_horizontal(part_rules)
    return PlannedSplit(split, rule, cap_rule, part_rules, _members(draft, place, split, faults))


def _check_axes(
    draft: Draft, place: str, split: Split, axes: Mapping[str, Axis], faults: list[Fault]
) -> None:
    """Report unknown axes of `unseen` and `measure`."""
    integers = sorted(name for name, axis in axes.items() if not axis.values)
    for i, name in enumerate(split.unseen.axes if split.unseen else ()):
        if name not in integers:
            message = str(UnknownNameError("integer axis", name, integers))
            faults.append(draft.fault(f"{place}.unseen.axes.{i}", message))
    for i, name in enumerate(split.measure):
        if name not in axes:
            message = str(UnknownNameError("axis", name, sorted(axes)))
            faults.append(draft.fault(f"{place}.measure.{i}", message))


def _members(draft: Draft, place: str, split: Split, faults: list[Fault]) -> MemberList | None:
    """Read the list of a split, or report its faults."""
    if split.members is None or not stays_below(split.members):
        return None  # the second was already reported
    try:
        members = read_members(draft.path.parent, split.members)
    except ParamError as error:
        faults.append(draft.fault(f"{place}.members", str(error)))
        return None
    if split.weight > members.lines:
        message = f"rows={split.weight}: {split.members!r} lists only {members.lines} prompts"
        faults.append(draft.fault(f"{place}.rows", message))
    return members


def _rule(
    draft: Draft, place: str, text: str | None, axes: Mapping[str, Axis], faults: list[Fault]
) -> pl.Expr:
    """Compile a rule, or report its faults."""
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


def pool_split(splits: Sequence[PlannedSplit], rows: int) -> PlannedSplit:
    """Return the pool that is divided into splits with one rule, as a separate split.

    Args:
        splits: splits that share the pool and a rule.
        rows: most problems in the pool.
    """
    weight = sum(split.spec.weight for split in splits)
    first = {"name": "pool", "rows": weight, "where": splits[0].spec.where}
    spec = Split.model_validate(first).resized(rows)
    return PlannedSplit(spec.model_copy(update={"name": POOL}), splits[0].rule, splits[0].cap_rule)
