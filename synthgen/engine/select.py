"""SELECT: one deterministic fold over candidates, in the order (round, source, address).

Duplicates are dropped, except the lowest address; each candidate gets its split from its axes and
key; each cell of a split keeps its first rows. A round is one block of every source that may fill
an open cell (`wanted.py`); rounds continue until every cell is full, its sources are exhausted, or
it gains fewer rows than the acceptance floor. So the result is the same for every engine and number
of workers, and a smaller build is a subset of a larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np

from synthgen.core.content import Keys
from synthgen.core.contract import Generator
from synthgen.core.errors import Fault, ShortfallError
from synthgen.core.evenness import Evenness
from synthgen.core.keyset import KeySet, may_overlap
from synthgen.dataset.membership import Membership
from synthgen.engine.blocks import block_at, keep_of
from synthgen.engine.computed import needed
from synthgen.engine.divide import Division, divide, division_faults
from synthgen.engine.fold import Fold
from synthgen.engine.kept import MOST_ROWS, Keep
from synthgen.engine.local import NOT_YET, LocalEngine, NotYet
from synthgen.engine.needs import CoverResult
from synthgen.engine.plan import Plan
from synthgen.engine.planned_sources import fixed_codes, joint_codes
from synthgen.engine.planned_splits import POOL
from synthgen.engine.propose import ProposeTask, propose
from synthgen.engine.reach import cells_text, unreachable_cells
from synthgen.engine.row_order import in_final_order, load_order_kernels, measured, unseen_faults
from synthgen.engine.split_state import Chosen
from synthgen.engine.wanted import Wanted
from synthgen.engine.winners import CellResult, Winners
from synthgen.recipe.schema import DIFFICULTY, Split

_MOST_CELLS_NAMED = 10
_MOST_PROMPTS_NAMED = 3


def shortfall(plan: Plan, chosen: Chosen, proposed: int, missing: list[str]) -> Fault:
    """Describe the split, cells or prompts that were exhausted, and after how many candidates."""
    spec, rows = chosen.winners.spec, chosen.rows
    text = f"split {spec.name!r} has only {rows:,} of {spec.rows:,} rows"
    text += f" after {proposed:,} candidates"
    if spec.seen_in:
        text += f", all that {spec.seen_in!r} contains"
    if spec.where and not rows:
        text += f", none of which satisfies where = {spec.where!r}"
    text += _dry_cells(chosen.winners) if spec.balance or spec.parts else ""
    if cells := unreachable_cells(plan, spec):
        text += f"; cells outside the ranges of all sources: {cells_text(cells)}"
    if missing:
        first = ", ".join(repr(prompt) for prompt in missing[:_MOST_PROMPTS_NAMED])
        text += (
            f"; {len(missing):,} listed prompts do not occur among its problems, such as {first}"
        )
    text += ". Ask for fewer rows or widen the rule, or allow it: limits.shortfall = 'allow'"
    return plan.draft.fault(_path(plan, spec, "rows" if rows or not spec.where else "where"), text)


def _path(plan: Plan, spec: Split, key: str) -> str:
    index = [split.name for split in plan.splits].index(spec.name)
    return f"split.{index}.{key}"


def _dry_cells(winners: Winners) -> str:
    if winners.spec.parts:
        cells = zip(winners.spec.parts, winners.results(), strict=True)
        dry_parts = [f"{p.where} ({c.rows:,} of {c.quota:,})" for p, c in cells if c.dry]
        return f"; parts exhausted below quota: {'; '.join(dry_parts)}"
    dry = [cell for cell in winners.results() if cell.dry]
    named = "; ".join(
        f"{', '.join(f'{axis}={value}' for axis, value in cell.values.items())} "
        f"({cell.rows:,} of {cell.quota:,})"
        for cell in dry[:_MOST_CELLS_NAMED]
    )
    more = f" and {len(dry) - _MOST_CELLS_NAMED} more" if len(dry) > _MOST_CELLS_NAMED else ""
    return f"; cells exhausted below quota: {named}{more}" if dry else ""


def cover_faults(plan: Plan, chosen: Chosen) -> Iterator[Fault]:
    """Report units that a split does not have often enough, for lack of candidates."""
    spec = chosen.winners.spec
    if chosen.left_out:
        return  # it stopped waiting
    for place, (cover, result) in enumerate(zip(spec.cover, chosen.covers, strict=True)):
        missing = [unmet for unmet in result.unmet if unmet.listed or not unmet.rare]
        if not missing:
            continue
        kind = f"{cover.structures}" if cover.structures else "tuples of values"
        named = "; ".join(f"{u.name} ({u.candidates:,})" for u in missing[:_MOST_CELLS_NAMED])
        more = len(missing) - _MOST_CELLS_NAMED
        text = (
            f"split {spec.name!r} cannot have each of its {result.units:,} {kind} "
            f"{cover.times:,} times; number of candidates with them: {named}"
            f"{f' and {more:,} more' if more > 0 else ''}. Lower times, list the important ones "
            "in of, or allow it: limits.shortfall = 'allow'"
        )
        yield plan.draft.fault(_path(plan, spec, f"cover.{place}"), text)


def room_faults(plan: Plan, chosen_rows: list[Chosen]) -> Iterator[Fault]:
    """Report splits that are too small for the rows that their covers need."""
    for chosen in chosen_rows:
        spec = chosen.winners.spec
        where = "the split or cells of its balance" if spec.balance else "the split"
        if chosen.left_out:
            text = (
                f"split {spec.name!r} has no room for at least {chosen.left_out:,} rows that its "
                f"cover needs; give {where} more rows, or lower times"
            )
            yield plan.draft.fault(_path(plan, spec, "cover"), text)


def overlap_faults(plan: Plan, chosen_rows: list[Chosen]) -> Iterator[Fault]:
    """Report undeclared overlap between splits."""
    for place, one in enumerate(chosen_rows):
        for other in chosen_rows[place + 1 :]:
            a, b = one.winners.spec, other.winners.spec
            shared = 0 if may_overlap(a, b) else _shared(one, other)
            if shared:
                text = (
                    f"splits {a.name!r} and {b.name!r} share {shared:,} problems; "
                    f"if that is intended, set overlap = [{b.name!r}] in split {a.name!r}"
                )
                yield plan.draft.fault(_path(plan, a, "overlap"), text)


def _shared(one: Chosen, other: Chosen) -> int:
    """Count the problems in both; rows without keys do not share any."""
    both = _distinct(np.concatenate([one.keys, other.keys]))
    return _distinct(one.keys) + _distinct(other.keys) - both


def _distinct(keys: Keys) -> int:
    """Count the different problems."""
    found = KeySet()
    found.add(keys)
    return len(found)


@dataclass(frozen=True, slots=True)
class SplitResult:
    """Result of one split.

    Attributes:
        members: its rows in their final order.
        problems: number of different problems, or of different rows if dedup allows duplicates.
        cells: results of its cells, if it is balanced or in parts.
        measured: how evenly its rows are spread over the axes that it measures.
        covers: results of its covers.
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
    """The chosen rows of every split, and counts of the candidates.

    Attributes:
        proposed: addresses drawn; `invalid` of them were unusable, `unmatched` did not meet a rule.
        duplicates: candidates dropped as duplicates of earlier ones.
        bytes_per_row: memory of selection's own columns per selected row.
        division: division of the pool, if the recipe has a divergence.
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
        plan: plan of the build.
        engine: runs the proposals.
        report: called after each block with the number of wanted rows found so far.
        keep_in: folder to spill costly rows to, if they will be written.

    Raises:
        ShortfallError: with every split that cannot be filled, unless the recipe allows that, and
            all splits with undeclared overlap.
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
    """Load the kernels for blocks and for the end while workers draw the first blocks."""
    KeySet().add(np.zeros((0, 2), np.uint64))
    load_order_kernels()


def propose_tasks(
    plan: Plan, wanted: Wanted, keep_in: Path | None = None
) -> Iterator[ProposeTask | NotYet]:
    """Yield a block of each wanted source in turn, until the spaces of all are exhausted."""
    axes = (*plan.used_axes, DIFFICULTY) if plan.by_difficulty else plan.used_axes
    variants = {i: _variant_generators(plan, i) for i in plan.proposing}
    spaces = {i: plan.sources[i].generator.space for i in plan.proposing}
    codes = {i: joint_codes(plan.sources[i], plan.axes) for i in plan.proposing}
    starts = dict.fromkeys(plan.proposing, 0)
    for number in count():
        left = [i for i, space in spaces.items() if space is None or starts[i] < space]
        if not left:
            return
        while (sources := wanted.for_round(number)) is None:
            yield NOT_YET
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
                by_prompt=plan.recipe.dedup.on == "prompt" or index in plan.restating,
                by_member=any(split.members for split in plan.splits),
                variants=variants[index],
                keep=_keep(plan, index, start, keep_in),
                structures=plan.structures,
                computed=needed(source.computed, axes),
                groups=plan.groups,
                fixed=fixed_codes(source, plan.axes),
            )


def _keep(plan: Plan, index: int, start: int, folder: Path | None) -> Keep | None:
    """Return where to spill the rows of a block, if that is worthwhile."""
    if folder is None or start >= MOST_ROWS:
        return None
    return keep_of(folder, index, plan.sources[index], plan.row_axes)


def _variant_generators(plan: Plan, base: int) -> dict[int, Generator]:
    """Return the generators that restate a source's problems in some split, by their index."""
    used = {split.spec.variant.source for split in plan.splits if split.spec.variant}
    return {
        i: source.generator
        for i, source in enumerate(plan.sources)
        if source.draws_of == plan.sources[base].name and source.name in used
    }


def _result(plan: Plan, fold: Fold, engine: LocalEngine) -> Selection:
    """Choose the rows of every split and order them."""
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
                members=in_final_order(plan, chosen),
                problems=_distinct(chosen.keys) if plan.restating else len(chosen.addresses),
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
    return tuple(winners.results()) if spec.balance or spec.parts else ()


def _add_variants(plan: Plan, results: dict[str, SplitResult]) -> None:
    """Add the splits that restate the rows of another one, in its order."""
    for split in plan.splits:
        variant = split.spec.variant
        if variant:
            base = results[variant.of]
            sources = np.full(len(base.members), plan.source_index(variant.source), np.uint16)
            members = Membership(sources, base.members.addresses)
            results[split.name] = replace(base, members=members, cells=(), measured={}, covers=())
