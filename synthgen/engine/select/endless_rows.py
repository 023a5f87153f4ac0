"""All problems that a split may have, block by block, without a selection and without an end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from synthgen.core.errors import UnknownNameError
from synthgen.dataset.membership import Membership
from synthgen.dataset.row_schema import row_schema
from synthgen.engine.make.materialise import make_rows
from synthgen.engine.plan.feasibility import sources_meeting
from synthgen.engine.plan.plan import Plan
from synthgen.engine.select.fold import Owners
from synthgen.engine.select.propose import ProposeTask, propose
from synthgen.engine.select.select import proposers_of
from synthgen.rules.assignment import PARTITIONABLE
from synthgen.rules.axes import SOURCE

_BLOCK = 4096


class EndlessRows:
    """Blocks of the rows that a split may have, in the order of their addresses.

    Only the rule of a split and the hash of a problem's key decide whether the problem belongs to
    it, so blocks never share problems with other splits. Problems may repeat, and caps, balance
    and covers, which count rows, have no effect.

    Args:
        plan: Plan of the recipe.
        split: Name of the split.

    Attributes:
        schema: Schema of the rows.
        fingerprint: Fingerprint of everything that the rows depend on.

    Raises:
        UnknownNameError: if the recipe has no such split.
        RecipeError: if rules and keys do not suffice to keep the splits apart.
    """

    def __init__(self, plan: Plan, split: str) -> None:
        names = [each.name for each in plan.splits]
        if split not in names:
            raise UnknownNameError(kind="split", name=split, known=names)
        if reasons := [*_obstacles(plan, split)]:
            path, draft = f"split.{names.index(split)}", plan.draft
            draft.fail(
                [draft.fault(path, f"{split!r} cannot be endless: {why}") for why in reasons]
            )
        self._plan, self._split = plan, split
        self._place = [each.name for each in plan.owners].index(split)
        rule = plan.owners[self._place].where
        self._proposers = proposers_of(plan)
        self._sources = sorted(sources_meeting(rule, plan.proposing))
        self._step = min(_BLOCK, *(plan.sources[i].generator.block for i in self._sources))
        self._owners = Owners(plan)
        record = next(each.record for each in plan.splits if each.name == split)
        self._noise = record.noise
        self.schema = row_schema(plan.row_axes, plan.picture, noisy=plan.noisy)
        self.fingerprint = f"{plan.fingerprint} {split} in blocks of {self._step}"

    def block(self, number: int) -> pa.Table:
        """Return the verified rows of a block of addresses of every source, one after another.

        Raises:
            VerificationError: with the rows that a verifier rejects.
        """
        start = number * self._step
        sources, addresses = [np.zeros(0, np.uint16)], [np.zeros(0, np.uint64)]
        for index in self._sources:
            block = propose(ProposeTask(self._proposers[index], start, start + self._step))
            _, owners = self._owners.assign(block)
            mine = block.addresses[owners == self._place]
            sources.append(np.full(len(mine), index, np.uint16))
            addresses.append(mine)
        members = Membership(np.concatenate(sources), np.concatenate(addresses))
        plan = self._plan
        table = make_rows(members, plan.sources, plan.row_axes, self._split, noise=self._noise)
        return table.select(self.schema.names).cast(self.schema)


def _obstacles(plan: Plan, split: str) -> Iterator[str]:
    """Yield the reasons why endless rows of a split could also be in other splits."""
    recipe = plan.recipe
    base = next(each.spec.base for each in plan.splits if each.name == split)
    if base:
        yield f"its problems are those of {base!r}"
    if recipe.divergence:
        yield "a divergence divides the problems that a build has found, not all problems"
    if any(each.members for each in plan.splits):
        yield "a list of members decides which problems a split has"
    if any(each.spec.variant for each in plan.splits):
        yield "a variant restates the problems that a build has chosen"
    if any(each.spec.unseen for each in plan.splits):
        yield "`unseen` compares the rows that a build has chosen"
    if recipe.dedup.on == "prompt":
        yield "dedup.on='prompt': problems of two splits may have the same prompt"
    if plan.space is not None:
        size = f"the sources have only {plan.space:,} addresses"
        spares = ", and a split that ends short gets problems of another"
        yield size + (spares if plan.space <= PARTITIONABLE else "")
    named = {
        name for each in plan.owners for rule in (each.where, *each.parts) for name in rule.names
    }
    named |= {*plan.groups} if isinstance(plan.groups, tuple) else set()
    domains = [source.generator.domain for source in plan.proposing.values()]
    apart = {SOURCE} if len({*domains}) == len(domains) else set()  # they have no problem in common
    for name in sorted(named - apart):
        if not plan.axes[name].canonical:
            yield f"equal problems can differ in {name!r}, which the rules of the splits name"
