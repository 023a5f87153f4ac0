"""The splits of a plan: their rules, lists of members, and faults that only axes reveal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod
from typing import Literal

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.dataset.records import (
    CapRecord,
    CoverRecord,
    MeasureRecord,
    NoiseRecord,
    OrderRecord,
    PartRecord,
    SplitRecord,
    UnseenRecord,
    VariantRecord,
)
from synthgen.engine.plan.faults import Faults
from synthgen.engine.plan.members import MemberList, read_members
from synthgen.engine.plan.quota_cells import value_fault
from synthgen.engine.steer.weights import MAX_POINTS_AXES, may_take_turns
from synthgen.recipe.key_combinations import stays_below
from synthgen.recipe.schema import DIFFICULTY, Cover, Law, Noise, Order, Split
from synthgen.rules.axes import Axis
from synthgen.rules.language import Rule, read_rule
from synthgen.trees.derivations import Signature
from synthgen.trees.named_structures import check_structure

POOL = "(pool)"
"""Name of the pool that a divergence divides; not a valid name of a split."""
_MAX_CELLS = 1 << 22
_MAX_TUPLES = 1 << 16
"""Limit for one cover, as the manifest lists each unmet unit."""


@dataclass(frozen=True)
class PlannedSplit:
    """One split with its rules.

    Attributes:
        where: Rule for rows of the split.
        cap: Rule for those that its cap counts.
        parts: Rules of its parts; a row belongs to the first that it meets.
        members: List of the only prompts allowed in it.
        noisy: Whether a split of the recipe has noise.
    """

    spec: Split
    where: Rule
    cap: Rule
    parts: tuple[Rule, ...] = ()
    members: MemberList | None = None
    noisy: bool = False

    @property
    def name(self) -> str:
        """Name of the split."""
        return self.spec.name

    @property
    def owns(self) -> bool:
        """Whether the split chooses its own problems, not those of another split."""
        return self.spec.base is None

    @property
    def record(self) -> SplitRecord:
        """Record of what the recipe says of the split, with no results."""
        spec = self.spec
        return SplitRecord(
            name=spec.name,
            rows=spec.rows,
            where=spec.where,
            balance=spec.balance,
            seen_in=spec.seen_in,
            overlap=spec.overlap,
            cap=CapRecord(**spec.cap.model_dump()) if spec.cap else None,
            candidates=0,
            duplicates=0,
            cells=(),
            shards=(),
            parts=tuple(PartRecord(part.where, 0, 0, 0) for part in spec.parts),
            members=self.members.record if self.members else None,
            variant=VariantRecord(**spec.variant.model_dump()) if spec.variant else None,
            unseen=UnseenRecord(**spec.unseen.model_dump()) if spec.unseen else None,
            measured=tuple(MeasureRecord(name, 0, 0, 0, 0, 0) for name in spec.measure),
            covers=tuple(map(cover_record, spec.cover)),
            order=OrderRecord(spec.order.by, spec.order.axis) if spec.order else None,
            noise=_noise_record(spec.noise) if self.noisy else None,
        )

    @property
    def axes_used(self) -> set[str]:
        """Axes that its rules, balance, cap and steering use."""
        spec = self.spec
        used = {name for rule in (self.where, self.cap, *self.parts) for name in rule.names}
        used |= {*spec.balance, *spec.measure, *spec.steered_axes}
        used |= {spec.cap.axis} if spec.cap else set()
        return used | ({*spec.unseen.axes} if spec.unseen else set())


def _noise_record(noise: Noise | None) -> NoiseRecord:
    if noise is None:
        return NoiseRecord()
    kind: Literal["labels", "steps"] = "steps" if noise.labels is None else "labels"
    return NoiseRecord(kind, noise.labels or noise.steps or 0.0)


def cover_record(cover: Cover) -> CoverRecord:
    """Return the record of a cover, with no results."""
    return CoverRecord(
        axes=cover.axes,
        strength=(cover.strength or len(cover.axes)) if cover.axes else None,
        structures=cover.structures,
        of=cover.of,
        symbols=cover.symbols,
        times=cover.times,
        units=0,
        unmet=(),
    )


def pool_split(splits: Sequence[PlannedSplit], rows: int) -> PlannedSplit:
    """Return the pool that is divided into splits with one rule, as a separate split."""
    spec = splits[0].spec.model_copy(update={"name": POOL, "rows": rows})
    return replace(splits[0], spec=spec.weighted(sum(split.spec.weight for split in splits)))


class SplitPlanner:
    """Plans one split of a draft, and adds its faults to those of the recipe."""

    def __init__(self, faults: Faults, index: int, split: Split, axes: Mapping[str, Axis]) -> None:
        self._faults, self._index, self._split, self._axes = faults, index, split, axes

    def planned(self, ranges_are_known: bool) -> PlannedSplit:  # noqa: FBT001
        """Read the rules and the list of the split; rules must fit ranges that are known."""
        split, cap = self._split, self._split.cap
        self._ranges_are_known = ranges_are_known
        where = self._rule("where", split.where)
        cap_rule = self._rule("cap.where", cap.where if cap else None)
        self._check_balance()
        integers = [name for name, axis in self._axes.items() if not axis.values]
        if cap:
            self._check_name("cap.axis", cap.axis, integers, "integer axis")
        for i, name in enumerate(split.unseen.axes if split.unseen else ()):
            self._check_name(f"unseen.axes.{i}", name, integers, "integer axis")
        for i, name in enumerate(split.measure):
            self._check_name(f"measure.{i}", name, self._axes)
        parts = [self._rule(f"parts.{i}.where", part.where) for i, part in enumerate(split.parts)]
        return PlannedSplit(split, where, cap_rule, tuple(parts), self._members())

    def _fault(self, path: str, message: str) -> None:
        self._faults.add(f"split.{self._index}.{path}", message)

    def _check_name(
        self, path: str, name: str, known: Sequence[str] | Mapping[str, Axis], kind: str = "axis"
    ) -> bool:
        """Return whether a name is known, and report it if not."""
        if name not in known:
            self._fault(path, str(UnknownNameError(kind, name, sorted(known))))
        return name in known

    def _rule(self, path: str, text: str | None) -> Rule:
        """Read a rule, or report its faults."""
        try:
            rule = read_rule(text, self._axes)
            if not self._ranges_are_known or rule.can_hold():
                return rule
            self._fault(path, f"where={text!r}: can never be true within the ranges of the axes")
        except UnknownNameError as error:
            self._fault(path, f"where={text!r}: {error}")
        except ParamError as error:
            self._fault(path, str(error))
        return read_rule(None, self._axes)

    def _check_balance(self) -> None:
        cells = 1
        for name in self._split.balance:
            if not self._check_name("balance", name, self._axes):
                continue
            if self._axes[name].is_counted:
                cells *= self._axes[name].size
            else:
                text = f"axis {name!r} has no known range, so its values cannot be balanced"
                self._fault("balance", text)
        if cells > _MAX_CELLS:
            text = f"balance={list(self._split.balance)!r}: expected at most {_MAX_CELLS} cells"
            self._fault("balance", text)

    def _members(self) -> MemberList | None:
        split, draft = self._split, self._faults.draft
        if split.members is None or not stays_below(split.members):
            return None  # the second was already reported
        try:
            listed = draft.lists.get(split.members)
            members = read_members(draft.path.parent, split.members, listed)
        except ParamError as error:
            self._fault("members", str(error))
            return None
        if split.weight != members.lines:
            text = f"rows={split.weight}: {split.members!r} lists {members.lines} prompts"
            self._fault("rows", f"{text}, all of which the split takes; leave out rows")
        return members

    def check_seen_in(self, splits: Iterable[PlannedSplit]) -> None:
        """Find a rule that excludes all problems of the split that this one repeats."""
        base, own = self._split.seen_in, self._split.where
        for other in splits:
            rule = other.spec.where
            if other.name != base or not rule or not own:
                continue
            try:
                both = read_rule(f"({own}) AND ({rule})", self._axes)
            except (ParamError, UnknownNameError):  # reported by `planned`
                continue
            if not both.can_hold():
                text = f"where={own!r}: excludes all problems of {base!r}, which this split repeats"
                self._fault("where", text)

    def check_steering(self, signatures: Sequence[Signature]) -> None:
        """Find unknown values, too many tuples, and unknown structures in the steering keys."""
        split = self._split
        if not self._faults.draft.is_whole("split", self._index):
            return
        if split.shares:
            self._check_shares(split.shares)
        for place, cover in enumerate(split.cover):
            path = f"cover.{place}"
            if cover.structures is None:
                self._check_tuples(path, cover)
            else:
                self._check_structures(path, cover, signatures)
            tuples = max(1, len(cover.of)) if cover.axes else 1  # a row has one of them
            if cover.times * tuples > split.rows:
                self._fault(f"{path}.times", self._too_often(cover, tuples))
        if split.order:
            self._check_order(split.order)

    def _too_often(self, cover: Cover, tuples: int) -> str:
        rows, name, text = self._split.rows, self._split.name, f"times={cover.times}"
        if tuples == 1:
            return f"{text}: expected at most the {rows} rows of {name!r}"
        return f"{text}: {tuples} tuples need {cover.times * tuples} rows, but {name!r} has {rows}"

    def _check_shares(self, law: Law) -> None:
        names = self._split.balance
        for place, (values, _) in enumerate(law.of):
            self._check_values(f"shares.of.{place}", values, names)
        if law.of and not any(weight for _, weight in law.of):
            self._fault("shares.of", "of: expected a weight above 0")
        if law.law in {"halton", "r2"} and len(names) > MAX_POINTS_AXES:
            text = f"law={law.law!r}: expected at most {MAX_POINTS_AXES} axes, not {len(names)}"
            self._fault("shares.law", text)

    def _check_order(self, order: Order) -> None:
        """Find an unknown axis, values that it cannot have, and weights that give no turns."""
        others = 1  # null
        if order.axis == DIFFICULTY:
            for place, (values, _) in enumerate(order.of):
                if len(values) != 1 or not isinstance(values[0], int):
                    text = f"{list(values)!r}: expected a single integer, a difficulty"
                    self._fault(f"order.of.{place}", text)
        elif not self._check_name("order.axis", order.axis, [*self._axes, DIFFICULTY]):
            return
        elif order.of and not self._axes[order.axis].is_counted:
            text = f"of: axis {order.axis!r} has no known range, so its values cannot take turns"
            self._fault("order.of", text)
        else:
            for place, (values, _) in enumerate(order.of):
                self._check_values(f"order.of.{place}", values, (order.axis,))
            others = self._axes[order.axis].size
        if order.of and not may_take_turns([*(weight for _, weight in order.of), 1.0], others):
            text = "of: expected weights above 0 with few digits, whose proportions are integers"
            self._fault("order.of", f"{text} below 2^31 in sum; unlisted values have weight 1")

    def _all_counted(self, names: Sequence[str]) -> bool:
        return all(name in self._axes and self._axes[name].is_counted for name in names)

    def _check_values(self, path: str, values: Sequence[int | str], names: Sequence[str]) -> None:
        """Find values that axes cannot have."""
        if not self._all_counted(names):
            return
        if len(values) != len(names):
            wanted = ", ".join(names) or "none"
            self._fault(path, f"{list(values)!r}: expected a value of each axis: {wanted}")
            return
        for name, value in zip(names, values, strict=True):
            if fault := value_fault(name, value, self._axes[name]):
                self._fault(path, fault)

    def _check_tuples(self, path: str, cover: Cover) -> None:
        """Find names that are not axes with a known range, wrong values, and too many tuples."""
        for place, name in enumerate(cover.axes):
            own = f"{path}.axes.{place}"
            if self._check_name(own, name, self._axes) and not self._axes[name].is_counted:
                self._fault(own, f"axis {name!r} has no known range, so it cannot have cells")
        for place, values in enumerate(cover.of):
            if isinstance(values, str):
                text = f"of={values!r}: expected a list of values of the axes"
                self._fault(f"{path}.of.{place}", text)
            else:
                self._check_values(f"{path}.of.{place}", values, cover.axes)
        if not self._all_counted(cover.axes):
            return
        tuples = 0
        for group in combinations(cover.axes, cover.strength or len(cover.axes)):  # up to millions
            tuples += prod(self._axes[name].size + 1 for name in group)
            if tuples > _MAX_TUPLES:
                text = f"axes: expected at most {_MAX_TUPLES:,} cells, not {tuples:,} or more"
                self._fault(f"{path}.axes", text)
                return

    def _check_structures(self, path: str, cover: Cover, signatures: Sequence[Signature]) -> None:
        for place, text in enumerate(cover.of):
            try:
                if not isinstance(text, str):
                    raise ParamError("of", list(text), "the text of a structure")
                check_structure(text, cover.structures or "", signatures)
            except (ParamError, UnknownNameError) as error:
                self._fault(f"{path}.of.{place}", str(error))
        known = sorted({name for signature in signatures for name in signature.names})
        for place, name in enumerate(cover.symbols):
            self._check_name(f"{path}.symbols.{place}", name, known, "symbol")
