"""The splits of a plan: their rules, and lists of members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from synthgen.core.contract import Axis
from synthgen.core.errors import Fault, ParamError, UnknownNameError
from synthgen.core.rules import Rule, read_rule
from synthgen.engine.plan.members import MemberList, read_members
from synthgen.recipe.combinations import stays_below
from synthgen.recipe.draft import Draft
from synthgen.recipe.schema import Split

_MOST_CELLS = 1 << 22
POOL = "(pool)"
"""Name of the pool that a divergence divides; not a valid name of a split."""


@dataclass(frozen=True)
class PlannedSplit:
    """One split with its rules.

    Attributes:
        where: which rows may be in the split.
        cap: which of them its cap counts.
        parts: rules of its parts; a row belongs to the first that it meets.
        members: the only prompts allowed in it.
    """

    spec: Split
    where: Rule
    cap: Rule
    parts: tuple[Rule, ...] = ()
    members: MemberList | None = None

    @property
    def name(self) -> str:
        """Name of the split."""
        return self.spec.name

    @property
    def owns(self) -> bool:
        """Whether it chooses its own problems, not from another split."""
        return self.spec.base is None

    @property
    def axes_used(self) -> set[str]:
        """Axes that its rules, balance, cap and steering use."""
        spec = self.spec
        used = {name for rule in (self.where, self.cap, *self.parts) for name in rule.names}
        used |= {*spec.balance, *spec.measure, *spec.steered_axes}
        used |= {spec.cap.axis} if spec.cap else set()
        return used | ({*spec.unseen.axes} if spec.unseen else set())


def make_split(
    draft: Draft, index: int, split: Split, axes: Mapping[str, Axis], faults: list[Fault]
) -> PlannedSplit:
    """Read the rules and the list of one split, and collect its faults."""
    place = f"split.{index}"
    where = _rule(draft, f"{place}.where", split.where, axes, faults)
    cap = _rule(draft, f"{place}.cap.where", split.cap.where if split.cap else None, axes, faults)
    cells = 1
    for name in split.balance:
        cells *= _cells_of(draft, f"{place}.balance", name, axes, faults)
    if cells > _MOST_CELLS:
        message = f"balance={list(split.balance)!r}: expected at most {_MOST_CELLS} cells"
        faults.append(draft.fault(f"{place}.balance", message))
    integers = sorted(name for name, axis in axes.items() if not axis.values)
    unseen = split.unseen.axes if split.unseen else ()
    for kind, path, name, known in (
        *(("integer axis", "cap.axis", cap.axis, integers) for cap in [split.cap] if cap),
        *(("integer axis", f"unseen.axes.{i}", name, integers) for i, name in enumerate(unseen)),
        *(("axis", f"measure.{i}", n, sorted(axes)) for i, n in enumerate(split.measure)),
    ):
        if name not in known:
            faults.append(draft.fault(f"{place}.{path}", str(UnknownNameError(kind, name, known))))
    parts = tuple(
        _rule(draft, f"{place}.parts.{i}.where", part.where, axes, faults)
        for i, part in enumerate(split.parts)
    )
    return PlannedSplit(split, where, cap, parts, _members(draft, place, split, faults))


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
) -> Rule:
    """Read a rule, or report its faults."""
    try:
        rule = read_rule(text, axes)
        # Ranges that follow from faulty parameters prove nothing.
        if faults or rule.can_hold():
            return rule
        message = f"where={text!r}: can never be true within the ranges of the axes"
        faults.append(draft.fault(place, message))
    except UnknownNameError as error:
        faults.append(draft.fault(place, f"where={text!r}: {error}"))
    except ParamError as error:
        faults.append(draft.fault(place, str(error)))
    return read_rule(None, axes)


def _cells_of(
    draft: Draft, place: str, name: str, axes: Mapping[str, Axis], faults: list[Fault]
) -> int:
    """Return how many values a balanced axis can have."""
    if name not in axes:
        faults.append(draft.fault(place, str(UnknownNameError("axis", name, sorted(axes)))))
        return 1
    if not axes[name].is_counted:
        message = f"axis {name!r} has no known range, so its values cannot be balanced"
        faults.append(draft.fault(place, message))
        return 1
    return axes[name].size


def pool_split(splits: Sequence[PlannedSplit], rows: int) -> PlannedSplit:
    """Return the pool that is divided into splits with one rule, as a separate split.

    Args:
        splits: splits that share the pool and a rule.
        rows: most problems in the pool.
    """
    spec = splits[0].spec.model_copy(update={"name": POOL, "rows": rows})
    return replace(splits[0], spec=spec.weighted(sum(split.spec.weight for split in splits)))
