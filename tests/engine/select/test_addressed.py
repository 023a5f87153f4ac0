"""Rows of a split in compact form against plain lists of sources and addresses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.draws.shuffles import shuffle_ranks
from synthgen.engine.select.packed_addresses import Addressed
from synthgen.engine.steer import order
from synthgen.engine.steer.order import shuffled

OFFSETS = st.sets(st.integers(0, 40) | st.integers(0, 2**40), max_size=30).map(sorted)
BLOCKS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**60), OFFSETS), max_size=6)
Rows = list[tuple[int, int]]


def packed(blocks: list[tuple[int, int, list[int]]]) -> tuple[Addressed, Rows]:
    rows, plain = Addressed(), []
    for source, first, offsets in blocks:
        addresses = np.array([first + offset for offset in offsets], np.uint64)
        rows.add(source, addresses)
        plain += [(source, address) for address in addresses.tolist()]
    return rows, plain


def listed(rows: Addressed) -> Rows:
    found = rows.members()
    return [*zip(found.sources.tolist(), found.addresses.tolist(), strict=True)]


@given(BLOCKS, st.data())
def test_rows_come_back_in_order(
    blocks: list[tuple[int, int, list[int]]], data: st.DataObject
) -> None:
    rows, plain = packed(blocks)
    assert len(rows) == len(plain)
    assert listed(rows) == plain
    wanted = data.draw(st.lists(st.booleans(), min_size=len(plain), max_size=len(plain)))
    some = rows.take(np.array(wanted, np.bool_))
    assert listed(some) == [row for row, there in zip(plain, wanted, strict=True) if there]


def test_dense_rows_need_a_bit_each() -> None:
    dense, sparse = Addressed(), Addressed()
    dense.add(0, np.arange(5, 65_541, dtype=np.uint64))
    sparse.add(0, np.arange(5, 65_541, 40, dtype=np.uint64))
    assert dense.nbytes == 65_536 // 8
    assert sparse.nbytes == 2 * len(sparse)


@pytest.mark.parametrize("at_a_time", [1, 7, 1_000])
@given(BLOCKS, st.integers(0, 2**64 - 1))
def test_a_shuffle_by_parts_is_the_whole_shuffle(
    at_a_time: int, blocks: list[tuple[int, int, list[int]]], salt: int
) -> None:
    rows, _ = packed(blocks)
    plain = rows.members()
    places = np.argsort(shuffle_ranks(plain.sources, plain.addresses, salt), kind="stable")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_ROWS_OF_A_PART", at_a_time)
        found = shuffled(rows, salt)
    assert found.sources.tolist() == plain.sources[places].tolist()
    assert found.addresses.tolist() == plain.addresses[places].tolist()
