"""SELECT: one deterministic fold over candidates, in the order (round, source, address).

Duplicates go, the lowest address staying; each candidate gets its split from its axes and key;
each cell of a split keeps its first rows. A round is one block of every source that an open cell
may be filled from (`wanted.py`); rounds go on until every cell is full, its sources are exhausted,
or it gains fewer rows than the acceptance floor. So the result is the same for every engine and
number of workers, and with fewer rows asked for it is a subset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np

from synthgen.core.contract import Generator
from synthgen.core.errors import Fault, ShortfallError
from synthgen.core.evenness import Evenness
from synthgen.core.keyset import KeySet
from synthgen.dataset.membership import Membership
from synthgen.engine.blocks import block_at, keep_of
from synthgen.engine.computed import needed
from synthgen.engine.dispatch import LATER, Later
from synthgen.engine.divide import Division, divide, division_faults
from synthgen.engine.fold import Fold
from synthgen.engine.holdouts import measured, unseen_faults
from synthgen.engine.kept import MOST_ROWS, Keep
from synthgen.engine.local import LocalEngine
from synthgen.engine.needs import CoverResult
from synthgen.engine.plan import Plan
from synthgen.engine.planned_sources import fixed_codes, joint_codes
from synthgen.engine.planned_splits import POOL
from synthgen.engine.propose import ProposeTask, propose
from synthgen.engine.row_order import load_order_kernels, ordered
from synthgen.engine.shortfalls import cover_faults, overlap_faults, room_faults, shortfall
from synthgen.engine.split_state import Chosen
from synthgen.engine.wanted import Wanted
from synthgen.engine.winners import CellResult, Winners
from synthgen.recipe.steering import DIFFICULTY


@dataclass(frozen=True, slots=True)
class SplitResult:
    """What became of one split.

    Attributes:
        members: its rows in their final order.
        problems: different ones among them, but for those that dedup lets through.
        cells: if it is balanced or in parts.
        measured: how evenly its rows are spread over the axes that it measures.
        covers: what became of each of its covers.
    """

    members: Membership
    problems: int
    candidates: int
    duplicates: int
    cells: tuple[CellResult, ...]
    measured: Mapping[str, Evenness]
    covers: tuple[CoverResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen rows of every split, and what selection saw.

    Attributes:
        proposed: addresses drawn; `invalid` ones were unusable and `unmatched` ones met no rule.
        duplicates: candidates dropped because an equal one came before.
        bytes_per_row: memory of selection's own columns over the rows selected.
        division: of the pool that a divergence divides.
    """

    splits: dict[str, SplitResult]
    proposed: int
    invalid: int
    unmatched: int
    duplicates: int
    bytes_per_row: float
    division: Division | None


def select(
    plan: Plan, engine: LocalEngine, report: Callable[[int], None], keep_in: Path | None = None
) -> Selection:
    """Propose and select until every split is full.

    Args:
        plan: of the build.
        engine: that runs the proposals.
        report: called after each block with the number of wanted rows found so far.
        keep_in: folder for rows that cost much to draw, if they will be written.

    Raises:
        ShortfallError: with every split that cannot be filled, unless the recipe allows that, and
            all splits that share problems without saying so.
    """
    fold = Fold(plan)
    tasks = propose_tasks(plan, fold.wanted, keep_in)
    with closing(engine.map(propose, tasks, plan.common)) as blocks:
        _load_kernels()
        for block in blocks:
            fold.add(block)
            report(fold.rows())
            if block.ends_round and fold.finished():
                break
    fold.finish()
    fold.forget_keys()
    return _result(plan, fold, engine)


def _load_kernels() -> None:
    """Load what is needed for every block and at the end, while workers are at the first blocks."""
    KeySet().add(np.zeros((0, 2), np.uint64))
    load_order_kernels()


def propose_tasks(
    plan: Plan, wanted: Wanted, keep_in: Path | None = None
) -> Iterator[ProposeTask | Later]:
    """Yield a block of each source that is wanted in turn, until the spaces of all end."""
    axes = (*plan.used_axes, DIFFICULTY) if plan.by_difficulty else plan.used_axes
    variants = {i: _variant_generators(plan, i) for i in plan.proposing}
    spaces = {i: plan.sources[i].generator.space for i in plan.proposing}
    codes = {i: joint_codes(plan.sources[i], plan.axes) for i in plan.proposing}
    starts = dict.fromkeys(plan.proposing, 0)
    for number in count():
        left = [i for i, space in spaces.items() if space is None or starts[i] < space]
        if not left:
            return
        while (sources := wanted.in_round(number)) is None:
            yield LATER
        left = [i for i in left if i in sources] or left
        for index in left:
            source, space, start = plan.sources[index], spaces[index], starts[index]
            stop = starts[index] = start + block_at(source, start)
            yield ProposeTask(
                source=index,
                generator=source.generator,
                stream=source.stream,
                style=source.style,
                start=start,
                stop=stop if space is None else min(space, stop),
                axes=axes,
                codes=codes[index],
                ends_round=index == left[-1],
                ends_source=space is not None and stop >= space,
                by_prompt=plan.recipe.dedup.on == "prompt",
                by_member=any(split.members for split in plan.splits),
                variants=variants[index],
                keep=_keep(plan, index, start, keep_in),
                structures=plan.structures,
                computed=needed(source.computed, axes),
                groups=plan.groups,
                fixed=fixed_codes(source, plan.axes),
            )


def _keep(plan: Plan, index: int, start: int, folder: Path | None) -> Keep | None:
    """Say where the rows of a block are kept, if they are worth it."""
    if folder is None or start >= MOST_ROWS:
        return None
    return keep_of(folder, index, plan.sources[index], plan.row_axes)


def _variant_generators(plan: Plan, base: int) -> dict[int, Generator]:
    """Return the generators that tell a source's problems again in some split, by their index."""
    used = {split.spec.variant.source for split in plan.splits if split.spec.variant}
    return {
        i: source.generator
        for i, source in enumerate(plan.sources)
        if source.draws_of == plan.sources[base].name and source.name in used
    }


def _result(plan: Plan, fold: Fold, engine: LocalEngine) -> Selection:
    """Choose the rows of every split and put them in order."""
    results: dict[str, SplitResult] = {}
    chosen_rows: list[Chosen] = []
    short: list[Fault] = []
    division: Division | None = None
    for state in fold.states:
        found = list(state.chosen())
        if state.split.name == POOL and plan.recipe.divergence:
            division = divide(plan, plan.recipe.divergence, found[0], engine)
            found = list(division.chosen)
            short += division_faults(plan, plan.recipe.divergence, division)
        for chosen in found:
            spec = chosen.winners.spec
            chosen_rows.append(chosen)
            if chosen.rows < spec.rows:
                short.append(shortfall(plan, chosen, fold.proposed, state.missing_prompts()))
            short += cover_faults(plan, chosen)
            results[spec.name] = SplitResult(
                members=ordered(plan, chosen),
                problems=len(chosen.addresses),
                candidates=state.candidates,
                duplicates=state.duplicates,
                cells=_cells(chosen.winners),
                measured=measured(chosen),
                covers=chosen.covers,
            )
    if plan.recipe.limits.shortfall == "allow":
        short = []
    faults = [
        *short,
        *room_faults(plan, chosen_rows),
        *overlap_faults(plan, chosen_rows),
        *unseen_faults(plan, chosen_rows),
    ]
    if faults:
        raise ShortfallError(str(plan.draft.path), faults)
    _add_variants(plan, results)
    rows = sum(len(result.members) for result in results.values())
    return Selection(
        splits={split.name: results[split.name] for split in plan.splits},
        proposed=fold.proposed,
        invalid=fold.invalid,
        unmatched=fold.unmatched,
        duplicates=fold.duplicates,
        bytes_per_row=round(fold.nbytes / max(1, rows), 2),
        division=division,
    )


def _cells(winners: Winners) -> tuple[CellResult, ...]:
    spec = winners.spec
    return tuple(winners.results()) if spec.balance or spec.parts or spec.margins else ()


def _add_variants(plan: Plan, results: dict[str, SplitResult]) -> None:
    """Add the splits that tell the rows of another one again, in its order."""
    for split in plan.splits:
        variant = split.spec.variant
        if variant:
            base = results[variant.of]
            sources = np.full(len(base.members), plan.source_index(variant.source), np.uint16)
            members = Membership(sources, base.members.addresses)
            results[split.name] = replace(base, members=members, cells=(), measured={}, covers=())
