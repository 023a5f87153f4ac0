"""Winners of a split against a plain model: rows one by one, in the order proposed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.dataset.records import CellRecord
from synthgen.engine.select.winners import NOT_HERE, Winners
from synthgen.recipe.schema import Cap, Split
from synthgen.rules.axes import Axis

AXES = {
    "n": Axis("balanced", "int16", 0, 2),
    "result": Axis("capped", "int32", 0, 4),
}


@dataclass(frozen=True)
class Row:
    n: int
    result: int
    matches: bool
    capped: bool


ROW = st.builds(Row, st.integers(0, 2), st.integers(0, 4), st.booleans(), st.booleans())
BATCHES = st.lists(st.lists(ROW, max_size=15), min_size=1, max_size=4)
CAPS = st.none() | st.sampled_from([0.1, 0.3, 0.5, 0.8])
CLOSED = st.sets(st.integers(0, 2))


def split(rows: int, share: float | None = None, *, balance: bool = True) -> Split:
    cap = None if share is None else Cap(axis="result", share=share)
    return Split(name="train", rows=rows, balance=("n",) if balance else (), cap=cap)


def winners_of(spec: Split, batches: list[list[Row]]) -> Winners:
    winners = Winners(spec, AXES)
    for batch in batches:
        add(winners, batch)
    return winners


def add(winners: Winners, batch: list[Row]) -> None:
    winners.add(
        {
            "n": np.array([row.n for row in batch], np.int16),
            "result": np.array([row.result for row in batch], np.int32),
        },
        np.array([row.matches for row in batch], bool),
        np.array([row.capped for row in batch], bool),
    )


def kept_of(rows: list[tuple[int, Row]], quota: int, share: float | None) -> list[int]:
    """Positions a cell keeps: in order, passing over values that are used up."""
    counts: Counter[int] = Counter()
    most = quota if share is None else max(1, int(share * quota))
    kept: list[int] = []
    for position, row in rows:
        if len(kept) == quota:
            break
        if share is not None and row.capped:
            counts[row.result] += 1
            if counts[row.result] > most:
                continue
        kept.append(position)
    return kept


def model(spec: Split, rows: list[Row], closed: set[int]) -> tuple[dict[int, int], list[int]]:
    """Quotas by cell and positions kept: one row at a time to the emptiest cell with room."""
    share = spec.cap.share if spec.cap else None
    cells: dict[int, list[tuple[int, Row]]] = {}
    for position, row in enumerate(rows):
        if row.matches:
            cells.setdefault(row.n if spec.balance else 0, []).append((position, row))
    room = {
        cell: max(q for q in range(len(own) + 1) if len(kept_of(own, q, share)) == q)
        if cell in closed
        else spec.rows
        for cell, own in cells.items()
    }
    quotas = dict.fromkeys(sorted(cells), 0)
    for _ in range(spec.rows):
        open_cells = [cell for cell in quotas if quotas[cell] < room[cell]]
        if open_cells:
            quotas[min(open_cells, key=lambda cell: (quotas[cell], cell))] += 1
    kept = [p for cell, quota in quotas.items() for p in kept_of(cells[cell], quota, share)]
    return quotas, sorted(kept)


@given(BATCHES, st.integers(1, 40), CAPS, CLOSED, st.booleans())
@settings(deadline=None, max_examples=300)
def test_it_keeps_what_the_model_keeps(
    batches: list[list[Row]], wanted: int, share: float | None, closed: set[int], balance: bool
) -> None:
    spec = split(wanted, share, balance=balance)
    winners = winners_of(spec, batches)
    rows = [row for batch in batches for row in batch]
    winners.closed[[cell for cell in closed if cell < len(winners.closed)]] = True
    quotas, kept = model(spec, rows, closed)
    assert winners.quotas() == quotas
    assert winners.seen() == sorted(quotas)
    assert np.flatnonzero(winners.chosen()).tolist() == kept
    for cell, quota in quotas.items():
        own = [(i, r) for i, r in enumerate(rows) if r.matches and (r.n == cell or not balance)]
        supply = len(own) if share is None else len(kept_of(own, quota, share))
        assert winners.fills(cell, quota) == (supply >= quota)
        assert winners.counts[cell] == len(own)


@given(BATCHES, st.integers(1, 40), CAPS)
@settings(deadline=None)
def test_batches_do_not_matter(batches: list[list[Row]], wanted: int, share: float | None) -> None:
    together = winners_of(split(wanted, share), [[row for batch in batches for row in batch]])
    apart = winners_of(split(wanted, share), batches)
    assert np.flatnonzero(apart.chosen()).tolist() == np.flatnonzero(together.chosen()).tolist()
    assert apart.quotas() == together.quotas()
    assert apart.results() == together.results()


@given(BATCHES, st.integers(1, 40), st.integers(1, 40), CLOSED, st.booleans())
@settings(deadline=None)
def test_without_a_cap_fewer_rows_are_a_subset(
    batches: list[list[Row]], one: int, other: int, closed: set[int], balance: bool
) -> None:
    chosen = []
    for wanted in sorted((one, other)):
        winners = winners_of(split(wanted, balance=balance), batches)
        winners.closed[[cell for cell in closed if cell < len(winners.closed)]] = True
        chosen.append(set(np.flatnonzero(winners.chosen()).tolist()))
    assert chosen[0] <= chosen[1]


@given(BATCHES, st.lists(ROW, max_size=15), st.integers(1, 40), CAPS, CLOSED)
@settings(deadline=None)
def test_a_closed_cell_takes_no_more(
    batches: list[list[Row]], late: list[Row], wanted: int, share: float | None, closed: set[int]
) -> None:
    winners = winners_of(split(wanted, share), batches)
    winners.closed[list(closed)] = True
    winners.quotas()  # ranks of closed cells may be remembered from here on
    add(winners, late)
    rows = [row for batch in batches for row in batch]
    rows += [Row(r.n, r.result, r.matches and r.n not in closed, r.capped) for r in late]
    quotas, kept = model(split(wanted, share), rows, closed)
    assert winners.quotas() == quotas
    assert np.flatnonzero(winners.chosen()).tolist() == kept


@given(BATCHES, st.integers(1, 40), CAPS, st.data())
@settings(deadline=None)
def test_among_some_rows_only_they_count(
    batches: list[list[Row]], wanted: int, share: float | None, data: st.DataObject
) -> None:
    rows = [row for batch in batches for row in batch]
    picked = data.draw(st.sets(st.integers(0, max(0, len(rows) - 1))) if rows else st.just(set()))
    winners = winners_of(split(wanted, share), batches)
    part = winners.among(np.isin(np.arange(len(rows)), sorted(picked)), AXES)
    quotas, kept = model(split(wanted, share), [rows[i] for i in sorted(picked)], {0, 1, 2})
    assert part.quotas() == quotas
    assert np.flatnonzero(part.chosen()).tolist() == kept
    assert part.closed.all()


@given(BATCHES, st.integers(1, 40), CAPS, CLOSED)
@settings(deadline=None)
def test_results_tell_what_was_kept(
    batches: list[list[Row]], wanted: int, share: float | None, closed: set[int]
) -> None:
    winners = winners_of(split(wanted, share), batches)
    winners.closed[list(closed)] = True
    results = winners.results()
    assert [r.cell["n"] for r in results] == winners.seen()
    assert [r.rows for r in results] == list(winners.quotas().values())
    for result, cell in zip(results, winners.seen(), strict=True):
        assert result.candidates == winners.counts[cell]
        assert result.quota >= result.rows
        assert result.dry is (result.quota > result.rows)
        if result.dry:
            assert winners.closed[cell]


def test_a_dry_cell_is_reported_with_the_share_it_missed() -> None:
    rows = [Row(n, 0, True, False) for n in [0] * 9 + [1] * 2 + [2] * 9]
    winners = winners_of(split(15), [rows])
    winners.closed[:] = True
    assert winners.results() == [
        CellRecord({"n": 0}, 7, 7, False, 9),
        CellRecord({"n": 1}, 2, 7, True, 2),
        CellRecord({"n": 2}, 6, 6, False, 9),
    ]


@given(BATCHES, BATCHES, st.integers(1, 20), CLOSED)
@settings(max_examples=200)
def test_a_cell_that_cannot_grow_keeps_what_it_has(
    first: list[list[Row]], later: list[list[Row]], rows: int, closed: set[int]
) -> None:
    short, whole = (winners_of(split(rows), first) for _ in range(2))
    growing = short.growing()
    given = sum(map(len, first))
    for batch in later:
        add(whole, batch)
        add(short, [row for row in batch if growing[row.n]])
    for winners in (short, whole):
        winners.closed[[*closed]] = True
    assert short.quotas() == whole.quotas()
    may_grow = [True] * given + [bool(growing[row.n]) for batch in later for row in batch]
    places = np.flatnonzero(may_grow)[short.chosen()]
    assert places.tolist() == np.flatnonzero(whole.chosen()).tolist()


def test_rows_that_do_not_match_are_not_there() -> None:
    rows = [Row(1, 0, True, False), Row(1, 0, False, False), Row(2, 0, True, False)]
    winners = winners_of(split(5), [rows])
    assert winners.cells.tolist() == [1, NOT_HERE, 2]
    assert winners.seen() == [1, 2]
    assert winners.nbytes == len(winners.cells)


def test_exempt_rows_are_not_capped() -> None:
    capped = [Row(0, 3, True, True)] * 10
    exempt = [Row(0, 3, True, False)] * 10
    winners = winners_of(split(10, 0.2), [capped + exempt])
    assert np.flatnonzero(winners.chosen()).tolist() == [0, 1, *range(10, 18)]


def test_a_source_without_the_capped_axis_is_exempt() -> None:
    winners = Winners(split(6, 0.5), AXES)
    everything = np.ones(4, bool)
    winners.add({"n": np.zeros(4, np.int16)}, everything, everything)
    same = {"n": np.zeros(4, np.int16), "result": np.full(4, 3, np.int32)}
    winners.add(same, everything, everything)
    assert np.flatnonzero(winners.chosen()).tolist() == [0, 1, 2, 3, 4, 5]


def test_nothing_proposed() -> None:
    winners = Winners(split(5, 0.5), AXES)
    assert np.flatnonzero(winners.chosen()).tolist() == []
    assert winners.quotas() == {}
    assert winners.results() == []
