"""Splits of maximum compound divergence: a pool of distinct problems is divided by its structures.

The pool is selected like a separate split. Its derivations are drawn again, a division into train
and test is searched for, and each side is distributed over its splits by the keys of its problems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.errors import Fault, ShortfallError
from synthgen.dataset.membership import Membership
from synthgen.dataset.records import DivergenceRecord
from synthgen.draws.randomness import Rows, mix_words, stream_key
from synthgen.draws.shuffles import word_order
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.sources import PlannedSource, with_computed
from synthgen.engine.plan.splits import PlannedSplit
from synthgen.engine.select.split_state import MISSING, Chosen
from synthgen.engine.select.winners import Winners
from synthgen.engine.steer.mcd import TEST, TRAIN, McdSplit, Pool, mcd_split
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.schema import Divergence
from synthgen.trees.compound_kinds import CompoundKind
from synthgen.trees.compounds import take_apart, take_prompts_apart

_CHUNK = 16_384
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class StructureTask:
    """Some problems of the pool, all of one source."""

    source: PlannedSource
    addresses: NDArray[np.uint64]
    kind: CompoundKind
    axes: tuple[str, ...]


def structures(task: StructureTask) -> Pool:
    """Draw some problems again and decompose them: pure."""
    source, generator = task.source, task.source.generator
    problems = generator.draw(Rows(source.stream, task.addresses))
    problems = with_computed(problems, generator, source.computed)
    missing = np.full(len(problems), MISSING)  # of a source without the axis
    columns = [problems.axes.get(name, missing).astype(np.int64) for name in task.axes]
    if task.kind.of_prompts:
        texts = generator.render(problems, source.style)
        taken = take_prompts_apart(task.kind, texts.prompts)
    else:
        taken = take_apart(task.kind, problems.derivations, generator.signature)
    return Pool(
        problems.keys,
        taken.atoms,
        taken.compounds,
        np.stack(columns, axis=1) if columns else np.zeros((len(problems), 0), np.int64),
    )


def divide(
    plan: Plan, rule: Divergence, pool: Chosen, engine: LocalEngine
) -> tuple[list[Chosen], DivergenceRecord, list[Fault]]:
    """Divide a pool among the splits of the recipe's divergence.

    Returns:
        The rows of each split, the measurements, and the bounds that could not be kept.

    Raises:
        ShortfallError: if the pool has fewer problems than the splits have rows, or only prompts of
            one word where compounds are n-grams of prompts.
    """
    splits = {split.name: split for split in plan.splits}
    sides = {TRAIN: [splits[n] for n in rule.train], TEST: [splits[n] for n in rule.test]}
    rows = {side: sum(split.spec.rows for split in group) for side, group in sides.items()}
    if pool.rows < sum(rows.values()):
        text = f"the pool of divergence has only {pool.rows:,} problems of the "
        text += f"{sum(rows.values()):,} that its splits need; ask for fewer rows or widen the rule"
        raise ShortfallError(str(plan.draft.path), [plan.draft.fault("divergence", text)])
    members = pool.addressed.members()
    order = np.lexsort((members.addresses, members.sources))
    tasks = _tasks(plan, rule, members.take(order))
    problems = _joined(list(engine.map(structures, tasks, plan.common)))
    if rule.kind.of_prompts and int(problems.atoms.lengths.max()) <= 1:
        text = "words='prompt': every prompt of the pool is a single word, so it has no n-grams; "
        text += "expected words = 'derivation'"
        raise ShortfallError(str(plan.draft.path), [plan.draft.fault("divergence.words", text)])
    sizes = rows[TRAIN], rows[TEST]
    split = mcd_split(problems, sizes, rule, stream_key(plan.recipe.seed, "divergence"))
    chosen: list[Chosen] = []
    for side, group in sides.items():
        rows_of_side = np.flatnonzero(split.sides == side)
        chosen += _share_out(plan, pool, order, rows_of_side, group, problems)
    return chosen, _record(rule, pool.rows, split), [*_faults(plan, rule, split)]


def _faults(plan: Plan, rule: Divergence, split: McdSplit) -> Iterator[Fault]:
    for name, value, bound in (
        ("atom_bound", split.atoms, rule.atom_bound),
        ("axis_bound", split.axes, rule.axis_bound),
    ):
        if value > bound + _ROUNDING:
            what = name.removesuffix("_bound")
            text = f"{name}={bound}: the best split of the pool has a divergence of {value:.4f} "
            text += f"in {what}; raise it, ask for fewer rows or a larger pool, or allow it: "
            yield plan.draft.fault(f"divergence.{name}", f"{text}limits.shortfall = 'allow'")
    if split.unseen_atoms:
        text = f"test has {split.unseen_atoms} atoms that train lacks; give train more rows"
        yield plan.draft.fault("divergence", text)


def declared_division(rule: Divergence) -> dict[str, Any]:
    """Return what the recipe says of a division, by field of its record."""
    return {
        "train": rule.train,
        "test": rule.test,
        "kind": rule.compounds,
        "nodes": rule.nodes,
        "ngram": rule.kind.ngram,
        "words": rule.words if rule.kind.ngram else None,
        "compound_exponent": rule.compound_exponent,
        "atom_exponent": rule.atom_exponent,
    }


def _record(rule: Divergence, pool: int, split: McdSplit) -> DivergenceRecord:
    return DivergenceRecord(
        **declared_division(rule),
        pool=pool,
        compounds=split.compounds,
        atoms=split.atoms,
        random_compounds=split.random_compounds.mean,
        random_atoms=split.random_atoms.mean,
        compounds_deviation=split.random_compounds.deviation,
        atoms_deviation=split.random_atoms.deviation,
        unseen_atoms=split.unseen_atoms,
    )


def _tasks(plan: Plan, rule: Divergence, pool: Membership) -> Iterator[StructureTask]:
    """Yield the problems of the pool, which are in the order of their sources."""
    for index in np.unique(pool.sources).tolist():
        addresses = pool.addresses[pool.sources == index]
        for start in range(0, len(addresses), _CHUNK):
            part = addresses[start : start + _CHUNK]
            yield StructureTask(plan.sources[index], part, rule.kind, rule.axes)


def _joined(parts: Sequence[Pool]) -> Pool:
    return Pool(
        np.concatenate([part.keys for part in parts]),
        _stacked([part.atoms for part in parts]),
        _stacked([part.compounds for part in parts]),
        np.concatenate([part.axes for part in parts]),
    )


def _stacked(columns: Sequence[Ragged]) -> Ragged:
    lengths = np.concatenate([column.lengths for column in columns])
    return Ragged(np.concatenate([column.values for column in columns]), offsets_of(lengths))


def _share_out(
    plan: Plan,
    pool: Chosen,
    order: NDArray[np.int64],
    side: NDArray[np.int64],
    splits: Sequence[PlannedSplit],
    problems: Pool,
) -> Iterator[Chosen]:
    """Distribute the problems of one side over its splits, in an order given by their keys."""
    salt = np.uint64(stream_key(plan.recipe.seed, "divergence", "shares"))
    shuffled = side[word_order(mix_words(problems.keys[side, 0] ^ salt))]
    start = 0
    for split in splits:
        mine = np.zeros(pool.rows, np.bool_)
        mine[order[shuffled[start : start + split.spec.rows]]] = True
        start += split.spec.rows
        keys = pool.keys[mine] if len(pool.keys) else pool.keys
        yield Chosen(Winners(split.spec, plan.axes), pool.addressed.take(mine), keys)
