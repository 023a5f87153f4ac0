"""Winners with margins: whole rows, the sums that were asked for, and groups that are named."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Axis
from synthgen.engine.margin_winners import MarginWinners
from synthgen.recipe.schema import Split

AXES = {
    "n": Axis("number", "int16", 0, 2),
    "op": Axis("name", values=("add", "mul")),
    "d": Axis("depth", "int16", 0, 1),
}
Row = tuple[int, int, int]
ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)), max_size=60)


def winners_of(rows: list[Row], wanted: int, *margins: dict[str, object]) -> MarginWinners:
    spec = Split.model_validate({"name": "train", "rows": wanted, "margins": margins})
    winners = MarginWinners(spec, AXES)
    add(winners, rows)
    return winners


def add(winners: MarginWinners, rows: list[Row]) -> None:
    columns = np.array(rows, np.int64).reshape(-1, 3)
    named = {name: columns[:, place] for place, name in enumerate(("n", "op", "d"))}
    winners.add(named, np.ones(len(rows), bool), np.ones(len(rows), bool))


def kept_of(winners: MarginWinners, rows: list[Row]) -> list[Row]:
    return [row for row, kept in zip(rows, winners.chosen().tolist(), strict=True) if kept]


def give_up(winners: MarginWinners) -> None:
    """Close what is not full, as selection does where nothing more comes."""
    for _ in range(20):
        if winners.settled() or winners.all_closed():
            return
        for unit, _, full in list(winners.open_units()):
            if not full:
                winners.close(unit)
    msg = "it never ends"
    raise AssertionError(msg)


TWO = ({"axes": ["n"]}, {"axes": ["op", "d"], "law": "zipf"})


@given(ROWS, st.integers(1, 40), st.booleans())
@settings(max_examples=60)
def test_rows_are_exact_and_what_is_promised_is_kept(
    rows: list[Row], wanted: int, ends: bool
) -> None:
    winners = winners_of(rows, wanted, *TWO)
    if ends:
        winners.closed[:] = True
    else:
        give_up(winners)
    kept = kept_of(winners, rows)
    assert len(kept) == sum(winners.quotas().values()) <= min(wanted, len(rows))
    for result in winners.results():
        values = [
            ("add", "mul").index(v) if isinstance(v, str) else v for v in result.values.values()
        ]
        places = [("n", "op", "d").index(name) for name in result.values]
        inside = [row for row in kept if [row[place] for place in places] == values]
        assert len(inside) == result.rows
        assert result.dry is (result.rows < result.quota)
        assert result.candidates >= result.rows
    if winners.settled():
        assert len(kept) == wanted


def test_enough_candidates_give_both_margins_exactly() -> None:
    rows = [(n, op, d) for n in range(3) for op in range(2) for d in range(2)] * 20
    winners = winners_of(
        rows, 60, {"axes": ["n"]}, {"axes": ["op"], "of": [["add", 3], ["mul", 1]]}
    )
    assert winners.settled()
    kept = kept_of(winners, rows)
    assert [sum(row[0] == n for row in kept) for n in range(3)] == [20, 20, 20]
    assert [sum(row[1] == op for row in kept) for op in range(2)] == [45, 15]
    assert not any(result.dry for result in winners.results())


def test_it_waits_for_a_group_that_may_come_and_then_names_it() -> None:
    winners = winners_of([(0, 0, 0)] * 50 + [(1, 0, 0)] * 4, 20, {"axes": ["n"]})
    assert not winners.settled()
    assert [full for *_, full in winners.open_units()] == [True, False]
    give_up(winners)
    assert winners.settled()
    results = winners.results()
    assert [(r.values, r.rows, r.quota, r.dry) for r in results] == [
        ({"n": 0}, 16, 16, False),
        ({"n": 1}, 4, 10, True),
    ]


def test_told_values_alone_that_run_out_end_short() -> None:
    rows = [(0, 0, 0)] * 3 + [(1, 0, 0)] * 50
    winners = winners_of(rows, 20, {"axes": ["n"], "of": [[0, 1]]})
    assert winners.has_room({"n": np.array([0, 1])}, 2).tolist() == [True, False]
    give_up(winners)
    assert winners.all_closed()
    assert kept_of(winners, rows) == [(0, 0, 0)] * 3
    assert [(r.values, r.rows, r.quota) for r in winners.results() if r.dry] == [({"n": 0}, 3, 20)]


def test_margins_that_contradict_each_other_end_and_are_named() -> None:
    """Of n = 0 alone, all of which are `add`, half should be `mul`."""
    rows = [(0, 0, 0), (1, 1, 0)] * 50
    winners = winners_of(
        rows, 20, {"axes": ["n"], "of": [[0, 1]]}, {"axes": ["op"], "of": [["add", 1], ["mul", 1]]}
    )
    give_up(winners)
    assert winners.all_closed()
    dry = [(r.values, r.rows, r.quota) for r in winners.results() if r.dry]
    assert dry == [({"op": "mul"}, 0, 10)] or dry == [({"n": 0}, 10, 20)]
    assert len(kept_of(winners, rows)) == 20


@given(ROWS, ROWS, st.integers(1, 30))
@settings(max_examples=25)
def test_batches_do_not_matter(one: list[Row], other: list[Row], wanted: int) -> None:
    together = winners_of(one + other, wanted, *TWO)
    apart = winners_of(one, wanted, *TWO)
    apart.quotas()
    add(apart, other)
    assert apart.chosen().tolist() == together.chosen().tolist()
    assert apart.results() == together.results()


def test_nothing_proposed() -> None:
    winners = winners_of([], 5, *TWO)
    assert winners.quotas() == {}
    assert not winners.settled()
    assert winners.results() == []
