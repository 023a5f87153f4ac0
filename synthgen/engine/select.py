"""SELECT: one deterministic fold over candidates, in the order (round, source, address).

Duplicates go, the lowest address staying; each candidate gets its split from its axes and key;
each cell of a split keeps its first rows. A round is one block of every source; rounds go on until
every cell is full, its sources are exhausted, or it gains fewer rows than the acceptance floor. So
the result is the same for every engine and number of workers, and with fewer rows asked for it is
a subset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.errors import Fault, ShortfallError
from synthgen.core.keyset import KeySet
from synthgen.core.overlap import may_overlap
from synthgen.core.randomness import mix_words, stream_key
from synthgen.dataset.membership import Membership
from synthgen.engine.fold import Fold
from synthgen.engine.local import LocalEngine
from synthgen.engine.plan import Plan, axes_used
from synthgen.engine.propose import BLOCK, ProposeTask, propose
from synthgen.engine.split_state import Chosen
from synthgen.engine.winners import CellResult, Winners
from synthgen.recipe.schema import Split

_MOST_CELLS_NAMED = 10


@dataclass(frozen=True, slots=True)
class SplitResult:
    """What became of one split: its rows in their final order, and its cells if it is balanced."""

    members: Membership
    candidates: int
    duplicates: int
    cells: tuple[CellResult, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen rows of every split, and what selection saw.

    Attributes:
        proposed: addresses drawn; `invalid` ones were unusable and `unmatched` ones met no rule.
        duplicates: candidates dropped because an equal one came before.
        bytes_per_row: memory of selection's own columns over the rows selected.
    """

    splits: dict[str, SplitResult]
    proposed: int
    invalid: int
    unmatched: int
    duplicates: int
    bytes_per_row: float


def select(plan: Plan, engine: LocalEngine, report: Callable[[int], None]) -> Selection:
    """Propose and select until every split is full.

    Args:
        plan: of the build.
        engine: that runs the proposals.
        report: called after each block with the number of wanted rows found so far.

    Raises:
        ShortfallError: with every split that cannot be filled, unless the recipe allows that, and
            all splits that share problems without saying so.
    """
    fold = Fold(plan)
    with closing(engine.map(propose, propose_tasks(plan))) as blocks:
        for block in blocks:
            fold.add(block)
            report(fold.rows())
            if block.ends_round and fold.finished():
                break
    for state in fold.states:
        if not state.finished():
            state.exhaust()
    fold.forget_keys()
    return _result(plan, fold)


def propose_tasks(plan: Plan) -> Iterator[ProposeTask]:
    """Yield blocks of all sources in turn, until each one's space ends."""
    used = {name for split in plan.splits for name in axes_used(split.spec, plan.axes)}
    axes = tuple(sorted(used))
    spaces = [source.generator.space for source in plan.sources]
    start = 0
    while True:
        left = [i for i, space in enumerate(spaces) if space is None or start < space]
        if not left:
            return
        for index in left:
            source, space = plan.sources[index], spaces[index]
            yield ProposeTask(
                source=index,
                generator=source.generator,
                stream=source.stream,
                style=source.style,
                start=start,
                stop=start + BLOCK if space is None else min(space, start + BLOCK),
                axes=axes,
                ends_round=index == left[-1],
                by_prompt=plan.recipe.dedup.on == "prompt",
            )
        start += BLOCK


def _result(plan: Plan, fold: Fold) -> Selection:
    """Choose the rows of every split and put them in order."""
    results: dict[str, SplitResult] = {}
    chosen_rows: list[Chosen] = []
    short: list[Fault] = []
    for state in fold.states:
        for chosen in state.chosen():
            spec = chosen.winners.spec
            chosen_rows.append(chosen)
            if len(chosen.addresses) < spec.rows:
                short.append(_shortfall(plan, chosen, fold.proposed))
            results[spec.name] = SplitResult(
                members=_ordered(plan, chosen),
                candidates=state.candidates,
                duplicates=state.duplicates,
                cells=tuple(chosen.winners.results()) if spec.balance else (),
            )
    if plan.recipe.limits.shortfall == "allow":
        short = []
    faults = [*short, *_overlap_faults(plan, chosen_rows)]
    if faults:
        raise ShortfallError(str(plan.draft.path), faults)
    rows = sum(len(result.members) for result in results.values())
    return Selection(
        splits={split.name: results[split.name] for split in plan.splits},
        proposed=fold.proposed,
        invalid=fold.invalid,
        unmatched=fold.unmatched,
        duplicates=fold.duplicates,
        bytes_per_row=round(fold.nbytes / max(1, rows), 2),
    )


def _ordered(plan: Plan, chosen: Chosen) -> Membership:
    """Put a split's rows into their final order: a keyed shuffle, or by address."""
    sources, addresses = chosen.sources, chosen.addresses
    if plan.recipe.output.order == "address":
        order = np.lexsort((addresses, sources))
    else:
        salt = stream_key(plan.recipe.seed, "order", chosen.winners.spec.name)
        order = np.argsort(_shuffle_ranks(sources, addresses, salt), kind="stable")
    return Membership(sources[order], addresses[order])


def _shuffle_ranks(
    sources: NDArray[np.uint16], addresses: NDArray[np.uint64], salt: int
) -> NDArray[np.uint64]:
    """Return the words whose order is the shuffle; piece by piece, to need little memory."""
    ranks = np.empty(len(addresses), np.uint64)
    for start in range(0, len(ranks), BLOCK):
        piece = slice(start, start + BLOCK)
        words = mix_words(addresses[piece] ^ np.uint64(salt))
        ranks[piece] = mix_words(words ^ sources[piece].astype(np.uint64))
    return ranks


def _shortfall(plan: Plan, chosen: Chosen, proposed: int) -> Fault:
    """Say which split and cells ran dry, and after how many candidates."""
    spec, rows = chosen.winners.spec, len(chosen.addresses)
    text = f"split {spec.name!r} has only {rows:,} of {spec.rows:,} rows"
    text += f" after {proposed:,} candidates"
    if spec.seen_in:
        text += f", all that the rows of {spec.seen_in!r} give"
    if spec.where and not rows:
        text += f", none of which meets where = {spec.where!r}"
    text += _dry_cells(chosen.winners) if spec.balance else ""
    text += ". Ask for fewer rows or widen the rule, or allow it: limits.shortfall = 'allow'"
    return plan.draft.fault(_path(plan, spec, "rows" if rows or not spec.where else "where"), text)


def _path(plan: Plan, spec: Split, key: str) -> str:
    index = [split.name for split in plan.splits].index(spec.name)
    return f"split.{index}.{key}"


def _dry_cells(winners: Winners) -> str:
    dry = [cell for cell in winners.results() if cell.dry]
    named = "; ".join(
        f"{', '.join(f'{axis}={value}' for axis, value in cell.values.items())} "
        f"({cell.rows:,} of {cell.quota:,})"
        for cell in dry[:_MOST_CELLS_NAMED]
    )
    more = f" and {len(dry) - _MOST_CELLS_NAMED} more" if len(dry) > _MOST_CELLS_NAMED else ""
    return f"; cells that ran dry: {named}{more}" if dry else ""


def _overlap_faults(plan: Plan, chosen_rows: list[Chosen]) -> Iterator[Fault]:
    """Find problems that two splits share without saying so."""
    for place, one in enumerate(chosen_rows):
        for other in chosen_rows[place + 1 :]:
            a, b = one.winners.spec, other.winners.spec
            shared = 0 if may_overlap(a, b) else _shared(one, other)
            if shared:
                text = (
                    f"splits {a.name!r} and {b.name!r} share {shared:,} problems; "
                    f"if that is meant, say overlap = [{b.name!r}] in split {a.name!r}"
                )
                yield plan.draft.fault(_path(plan, a, "overlap"), text)


def _shared(one: Chosen, other: Chosen) -> int:
    """Count the problems of both; rows without keys cannot share any."""
    both, others = KeySet(), KeySet()
    both.add(one.keys)
    alone = len(both)
    both.add(other.keys)
    others.add(other.keys)
    return len(others) - (len(both) - alone)
