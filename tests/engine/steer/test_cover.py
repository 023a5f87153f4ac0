"""What a split needs, block after block: tuples of values and structures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from synthgen.core.columns import ragged
from synthgen.dataset.records import UnmetRecord
from synthgen.engine.select.propose import BlockStructures, Candidates
from synthgen.engine.steer.cover import ENOUGH, Need, SplitNeeds, StructureUnits, TupleUnits
from synthgen.recipe.schema import Cover
from synthgen.rules.axes import Axis

AXES = {"n": Axis("number", "int16", 1, 3), "op": Axis("name", values=("add", "mul"))}
NAMES = {10: "add>mul", 11: "mul>add", 12: "add>sub", 13: "sub>sub"}


def cover(**keys: object) -> Cover:
    return Cover.model_validate(keys)


def block(
    n: Sequence[int] = (), op: Sequence[int] | None = None, edges: Sequence[list[int]] = ()
) -> Candidates:
    """Return candidates with these axes, or with these structures by their ids."""
    size = len(n) or len(edges)
    keys = np.zeros((size, 2), np.uint64)
    axes = {"n": np.array(n, np.int16)} if n else {}
    if op is not None:
        axes["op"] = np.array(op, np.int16)
    ids = sorted({key for row in edges for key in row})
    rows = ragged([[ids.index(key) for key in row] for row in edges], np.uint16)
    own = BlockStructures(np.array(ids, np.uint64), rows, np.arange(size))
    addresses = np.arange(size, dtype=np.uint64)
    return Candidates(0, True, False, size, addresses, keys, keys, axes, None, {}, {"edges": own})


def needs_of(units: TupleUnits | StructureUnits, rule: Cover, rows: int = 100) -> SplitNeeds:
    return SplitNeeds([Need(rule, units)], rows)


def taken(needs: SplitNeeds, candidates: Candidates, usable: list[int] | None = None) -> list[int]:
    may = np.ones(len(candidates), bool)
    if usable is not None:
        may[:] = False
        may[usable] = True
    return np.flatnonzero(needs.take(candidates, may)).tolist()


def tuples(**keys: object) -> SplitNeeds:
    rule = cover(**keys)
    return needs_of(TupleUnits(rule, AXES), rule)


def test_every_value_until_it_is_there_often_enough() -> None:
    needs = tuples(axes=["n"], times=2)
    assert taken(needs, block([1, 1, 1, 2])) == [0, 1, 3]
    assert not needs.met
    assert taken(needs, block([3, 2, 3, 2, 3])) == [0, 1, 2]
    assert needs.met
    assert taken(needs, block([1, 2, 3])) == []
    assert needs.results()[0].units == 3
    assert needs.results()[0].unmet == ()


def test_only_listed_tuples_count() -> None:
    needs = tuples(axes=["n", "op"], of=[[2, "mul"], [3, "add"]])
    assert taken(needs, block([2, 2, 3, 1], [0, 1, 1, 0])) == [1]
    found = needs.results()[0]
    assert (found.units, found.unmet) == (2, (UnmetRecord("n=3, op=add", 0, rare=True),))


def test_pairs_of_three_values_and_null_counts_for_nothing() -> None:
    needs = tuples(axes=["n", "op"], strength=1)
    assert taken(needs, block([1, 2, 3])) == [0, 1, 2]  # a source that lacks `op`
    assert [unmet.name for unmet in needs.results()[0].unmet] == ["op=add", "op=mul"]
    assert taken(needs, block([1, 1], [0, 1])) == [0, 1]
    assert needs.met


def test_rows_that_may_not_be_kept_are_not_looked_at() -> None:
    needs = tuples(axes=["n"])
    assert taken(needs, block([1, 2, 3, 1]), usable=[1, 3]) == [1, 3]
    (unmet,) = needs.results()[0].unmet
    assert (unmet.name, unmet.candidates) == ("n=3", 0)


def test_what_comes_too_seldom_is_not_waited_for_but_taken() -> None:
    needs = tuples(axes=["n"], times=2)
    common = [1, 2] * ENOUGH
    taken(needs, block([*common, 3]))
    floor = 2.0**-18
    needs.give_up_rare(floor, ENOUGH * 2**18 - 1)
    assert not needs.met  # not enough addresses to tell
    needs.give_up_rare(floor, ENOUGH * 2**18)
    assert needs.met
    assert needs.results()[0].unmet == (UnmetRecord("n=3", 1, rare=True),)
    assert taken(needs, block([1, 3, 3])) == [1]
    needs.close()
    assert taken(needs, block([3, 3])) == []


def test_two_needs_share_their_rows() -> None:
    rules = [cover(axes=["n"]), cover(axes=["op"], times=2)]
    needs = SplitNeeds([Need(rule, TupleUnits(rule, AXES)) for rule in rules], 100)
    assert taken(needs, block([1, 1, 2, 3, 3], [0, 0, 1, 1, 0])) == [0, 1, 2, 3]
    assert needs.met


def test_more_rows_than_a_split_has_end_the_search() -> None:
    rule = cover(axes=["n"], times=50)
    needs = needs_of(TupleUnits(rule, AXES), rule, rows=60)
    taken(needs, block([1] * 50 + [2] * 20))
    assert needs.met
    assert taken(needs, block([3] * 20)) == []


def structures(ids: Mapping[int, str] | None = None, **keys: object) -> SplitNeeds:
    rule = cover(structures="edges", **keys)

    def names(source: int, addresses: NDArray[np.uint64]) -> Mapping[int, str]:
        assert source == 0
        assert len(addresses) == len(np.unique(addresses))
        return NAMES

    return needs_of(StructureUnits(rule, ids or {}, names), rule)


def test_structures_are_needed_as_they_are_found() -> None:
    needs = structures()
    assert taken(needs, block(edges=[[10], [10, 11], [11]])) == [0, 1]
    assert needs.met
    assert taken(needs, block(edges=[[10], [12], [13, 10]])) == [1, 2]
    assert needs.results()[0].units == 4
    assert taken(needs, block(edges=[[10, 11, 12, 13]])) == []


def test_structures_of_some_symbols() -> None:
    needs = structures(symbols=["add", "mul"], times=2)
    assert taken(needs, block(edges=[[10, 12], [13], [12], [11, 13]])) == [0, 3]
    (unmet_one, unmet_two) = needs.results()[0].unmet
    assert {unmet_one.name, unmet_two.name} == {"add>mul", "mul>add"}
    assert unmet_one.candidates == 1


def test_only_listed_structures_count_under_all_of_their_ids() -> None:
    """A symbol of one name takes other numbers of arguments in another source."""
    needs = structures({10: "add>mul", 99: "add>mul", 12: "add>sub"}, of=["add>mul", "add>sub"])
    assert not needs.met
    assert taken(needs, block(edges=[[11], [99], [10], [13]])) == [1]
    found = needs.results()[0]
    assert (found.units, found.unmet) == (2, (UnmetRecord("add>sub", 0, rare=True),))


@pytest.mark.parametrize("size", [1, 5])
def test_without_needs_nothing_is_taken(size: int) -> None:
    needs = SplitNeeds([], 10)
    assert needs.met
    assert taken(needs, block([1] * size)) == []
    assert needs.results() == ()
