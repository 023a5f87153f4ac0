"""SELECT: one deterministic fold over candidates, in the order (round, source, address).

Duplicates are dropped, except the lowest address; each candidate gets its split from its axes and
key; each cell of a split keeps its first rows. A round is one block of every source that may fill
an open cell; rounds continue until every cell is full, its sources are exhausted, or it gains fewer
rows than the acceptance floor. So the result is the same for every engine and number of workers,
and a smaller build is a subset of a larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import count

import numpy as np
import polars as pl

from synthgen.core.errors import Fault, ShortfallError
from synthgen.coverage.evenness import evenness
from synthgen.dataset.membership import Membership
from synthgen.dataset.records import (
    DivergenceRecord,
    MeasureRecord,
    PartRecord,
    SelectedRecord,
    SelectionRecord,
    SplitRecord,
)
from synthgen.engine.make.kept import Kept
from synthgen.engine.make.noise import counted
from synthgen.engine.plan.plan import Plan
from synthgen.engine.plan.sources import PlannedSource
from synthgen.engine.plan.splits import POOL, PlannedSplit
from synthgen.engine.select.fold import Fold, WantedSources
from synthgen.engine.select.propose import Proposer, ProposeTask, propose
from synthgen.engine.select.quotas import rows_of_part
from synthgen.engine.select.shortfalls import (
    cover_faults,
    distinct,
    idle_sources,
    overlap_faults,
    room_faults,
    shortfall,
    unseen_faults,
)
from synthgen.engine.select.split_state import MISSING, Chosen, SplitState
from synthgen.engine.steer.division import divide
from synthgen.engine.steer.mcd import load_search_kernels
from synthgen.engine.steer.order import in_final_order, load_order_kernels
from synthgen.engine.workers.local import NOT_YET, LocalEngine, NotYet
from synthgen.recipe.schema import DIFFICULTY
from synthgen.trees.key_sets import KeySet


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen rows of every split, and their records for the manifest.

    Attributes:
        members: Rows of each split in their final order.
        record: Records of the splits and of the candidates.
        notes: Remarks on a new selection.
    """

    members: dict[str, Membership]
    record: SelectedRecord
    notes: tuple[str, ...] = ()


def select(
    plan: Plan,
    engine: LocalEngine,
    report: Callable[[int, Callable[[], str]], None],
    kept: Kept | None = None,
) -> Selection:
    """Propose and select until every split is full.

    Args:
        plan: Plan of the build.
        engine: Runs the proposals.
        report: Function to call after each block with the number of wanted rows so far, and with a
            function that says what is searched.
        kept: Keeps rows that are cheaper to keep than to draw again, if they will be made.

    Raises:
        ShortfallError: with every split that cannot be filled, unless the recipe allows that, and
            all splits with undeclared overlap.
    """
    fold = Fold(plan)
    proposers = proposers_of(plan, kept)
    tasks = propose_tasks(proposers, fold.wanted)
    with closing(engine.map(propose, tasks, (*plan.common, *proposers.values()))) as blocks:
        load_kernels(plan)  # while workers draw the first blocks
        for block in blocks:
            fold.add(block)
            report(fold.rows(), fold.searched)
            if block.ends_round and fold.finished():
                break
    fold.finish()
    return _result(plan, fold, engine)


def load_kernels(plan: Plan) -> None:
    """Load or compile the kernels of selection before they are needed."""
    KeySet().add(np.zeros((0, 2), np.uint64))
    load_order_kernels()
    if plan.recipe.divergence:
        load_search_kernels(plan.recipe.divergence)


def proposers_of(plan: Plan, kept: Kept | None = None) -> dict[int, Proposer]:
    """Return the proposer of each source."""
    axes = (*plan.used_axes, DIFFICULTY) if plan.by_difficulty else plan.used_axes
    restating = {split.spec.variant.source for split in plan.splits if split.spec.variant}
    variants = [(i, other) for i, other in enumerate(plan.sources) if other.name in restating]
    siblings: dict[int, PlannedSource | None] = {}
    latest: dict[str, PlannedSource] = {}
    for index, source in plan.proposing.items():
        siblings[index] = latest.get(source.task)
        latest[source.task] = source
    return {
        index: Proposer(
            index,
            source,
            plan.axes,
            axes,
            by_prompt=plan.recipe.dedup.on == "prompt" or index in plan.restating,
            by_member=any(split.members for split in plan.splits),
            variants={i: one.generator for i, one in variants if one.draws_of == source.name},
            structures=plan.structures,
            groups=plan.groups,
            kept=kept,
            sibling=siblings[index],
        )
        for index, source in plan.proposing.items()
    }


def propose_tasks(
    proposers: dict[int, Proposer], wanted: WantedSources
) -> Iterator[ProposeTask | NotYet]:
    """Yield a block of each wanted source in turn, until the spaces of all are exhausted."""
    spaces = {i: proposer.source.generator.space for i, proposer in proposers.items()}
    starts = dict.fromkeys(proposers, 0)
    for number in count():
        left = [i for i, space in spaces.items() if space is None or starts[i] < space]
        if not left:
            return
        while (sources := wanted.for_round(number)) is None:
            yield NOT_YET
        left = [i for i in left if i in sources] or left
        for index in left:
            space, start = spaces[index], starts[index]
            stop = starts[index] = start + proposers[index].source.block_at(start)
            yield ProposeTask(
                proposers[index],
                start,
                stop if space is None else min(space, stop),
                ends_round=index == left[-1],
                ends_source=space is not None and stop >= space,
            )


def _result(plan: Plan, fold: Fold, engine: LocalEngine) -> Selection:
    """Choose the rows of every split and order them."""
    results: dict[str, tuple[Chosen, SplitState]] = {}
    short: list[Fault] = []
    divergence: DivergenceRecord | None = None
    for state in fold.states:
        own = list(state.chosen())
        if state.split.name == POOL and plan.recipe.divergence:
            own, divergence, faults = divide(plan, plan.recipe.divergence, own[0], engine)
            short += faults
        for chosen in own:
            spec = chosen.winners.spec
            results[spec.name] = chosen, state
            if chosen.rows < spec.rows:
                short.append(shortfall(plan, chosen, fold.proposed, state))
            short += cover_faults(plan, chosen)
    if plan.recipe.limits.shortfall == "allow":
        short = []
    rows = [chosen for chosen, _ in results.values()]
    for check in (room_faults, overlap_faults, unseen_faults):
        short += check(plan, rows)
    if short:
        raise ShortfallError(str(plan.draft.path), short)
    members = {name: in_final_order(plan, chosen) for name, (chosen, _) in results.items()}
    for split in plan.splits:
        if variant := split.spec.variant:  # the rows of another split, in its order
            base, source = members[variant.of], plan.source_index(variant.source)
            sources = np.full(len(base), source, np.uint16)
            members[split.name] = Membership(sources, base.addresses)
    total = sum(map(len, members.values()))
    counts = SelectionRecord(
        candidates=fold.proposed,
        invalid=fold.invalid,
        unmatched=fold.unmatched,
        duplicates=sum(state.duplicates for state in fold.states),
        bytes_per_row=round(fold.nbytes / max(1, total), 2),
    )
    splits = tuple(
        _with_noise(_record(plan, split, results), plan, members[split.name])
        for split in plan.splits
    )
    return Selection(
        {split.name: members[split.name] for split in plan.splits},
        SelectedRecord(splits, counts, divergence),
        tuple(note for state in fold.states for note in idle_sources(plan, state, members)),
    )


def _record(
    plan: Plan, split: PlannedSplit, results: dict[str, tuple[Chosen, SplitState]]
) -> SplitRecord:
    """Return the record of a split; one that restates another has the counts of that one."""
    spec = split.spec
    chosen, state = results[spec.variant.of if spec.variant else spec.name]
    problems = distinct(chosen.keys) if plan.restating else len(chosen.addressed)
    record = replace(
        split.record,
        rows=chosen.rows,
        candidates=state.candidates,
        duplicates=state.duplicates,
        repeats=chosen.rows - problems,
    )
    if spec.variant:
        return record
    cells = chosen.winners.results() if spec.balance or spec.parts else []
    parts = zip(spec.parts, cells if spec.parts else (), strict=True)
    return replace(
        record,
        cells=() if spec.parts else tuple(cells),
        parts=tuple(
            PartRecord(part.where, rows_of_part(part, cell.rows), cell.rows, cell.candidates)
            for part, cell in parts  # whose cells count problems
        ),
        measured=tuple(_measured(chosen, name) for name in spec.measure),
        covers=chosen.covers,
    )


def _with_noise(record: SplitRecord, plan: Plan, members: Membership) -> SplitRecord:
    """Return the record of a split with the number of wrong rows, if it has noise."""
    noise = record.noise
    return replace(record, noise=counted(noise, members, plan.sources)) if noise else record


def _measured(chosen: Chosen, name: str) -> MeasureRecord:
    """Return how evenly the rows of a split are spread over an axis that it measures."""
    counts = pl.DataFrame({"value": chosen.values(name)}).group_by("value").len()
    counts = counts.filter(pl.col("value") != MISSING)
    return MeasureRecord(name, **asdict(evenness(counts.get_column("len").to_numpy())))
