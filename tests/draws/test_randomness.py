"""Addressed draws against a big-integer reference of SplitMix64."""

import hashlib
from collections import Counter
from itertools import islice, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.draws.randomness import (
    RowDraws,
    Rows,
    draw_below,
    draw_bits,
    mix64,
    mix_words,
    row_key,
    scale_words,
    stream_key,
)

WORDS = st.integers(0, 2**64 - 1)
STEP = 0x9E3779B97F4A7C15


def finalised(word: int) -> int:
    """Output function of SplitMix64 as published (Steele, Lea, Flood 2014, variant 13)."""
    word %= 2**64
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
    return word ^ (word >> 31)


def reference_key(stream: int, address: int) -> int:
    return finalised(finalised(stream + address * STEP) + STEP)


def reference_draw(key: int, j: int) -> int:
    """Output j (from 0) of a SplitMix64 generator that starts at `key`."""
    return finalised(key + (j + 1) * STEP)


def test_the_reference_gives_the_published_outputs() -> None:
    # First outputs of the public-domain splitmix64.c from the states 0 and 1234567.
    assert [reference_draw(0, j) for j in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    assert [reference_draw(1234567, j) for j in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(WORDS)
def test_both_finalisers_are_the_published_one(word: int) -> None:
    assert int(mix64(np.uint64(word))) == finalised(word)
    assert mix_words(np.array([word], np.uint64)).tolist() == [finalised(word)]


@given(WORDS, st.lists(WORDS, min_size=1, max_size=5), st.integers(1, 4))
def test_every_form_draws_the_same_bits(stream: int, addresses: list[int], size: int) -> None:
    rows = Rows(stream, np.array(addresses, np.uint64))
    keys = [reference_key(stream, address) for address in addresses]
    assert rows.keys.tolist() == keys
    assert [int(row_key(np.uint64(stream), np.uint64(a))) for a in addresses] == keys
    expected = [[reference_draw(key, j) for j in range(3 + size)] for key in keys]
    draws = rows.draws()
    singles = np.stack([draws.bits() for _ in range(3)], axis=1)
    rest = draws.bits(size).reshape(len(addresses), size)
    assert np.concatenate([singles, rest], axis=1).tolist() == expected
    assert [[int(draw_bits(np.uint64(key), j)) for j in range(3 + size)] for key in keys] == (
        expected
    )
    assert [[row.bits() for _ in range(3 + size)] for row in rows.each()] == expected


@pytest.mark.parametrize("ahead", [1, 4, 30, 200])  # so many are made for a part of the rows
def test_draws_made_ahead_are_the_same(ahead: int) -> None:
    def sequence(row: RowDraws) -> tuple[object, ...]:
        return (
            row.integer(-3, 9),
            row.choice("abcdefg"),
            row.uniform(),
            row.shuffled(range(9)),
            row.bits(),
            [row.integer(0, 1 << 40) for _ in range(9)],
        )

    rows = Rows(3, np.arange(150, dtype=np.uint64) + np.uint64(1 << 63))
    told = [sequence(row) for row in rows.each(ahead)]
    assert told == [sequence(row) for row in rows.each()]
    assert told == [sequence(row) for row in list(rows.each())]
    assert len(told) == len(rows)


@pytest.mark.parametrize("most", [1, 40, 2_000])
def test_draws_do_not_depend_on_how_many_other_rows_take(most: int) -> None:
    rows = Rows.span(5, 0, 300)
    counts = [number * 7 % most for number in range(len(rows))]
    told = [
        [row.bits() for _ in range(count)] for count, row in zip(counts, rows.each(), strict=True)
    ]
    for number, count in enumerate(counts):
        row = next(Rows.span(5, number, number + 1).each())
        assert [row.bits() for _ in range(count)] == told[number]
        assert row.taken == count


@given(WORDS, WORDS, st.integers(1, 2**63 - 1))
def test_every_form_scales_the_same_way(stream: int, address: int, n: int) -> None:
    rows = Rows(stream, np.array([address], np.uint64))
    key = reference_key(stream, address)
    expected = [(reference_draw(key, j) * n) >> 64 for j in range(4)]
    draws, row = rows.draws(), RowDraws(key)
    assert [int(draws.integers(0, n)[0]) for _ in range(4)] == expected
    assert [row.integer(0, n) for _ in range(4)] == expected
    assert [int(draw_below(np.uint64(key), j, n)) for j in range(4)] == expected
    assert all(0 <= value < n for value in expected)


@given(WORDS, st.integers(1, 2**63 - 1))
def test_scaling_is_the_high_word_of_the_product(word: int, n: int) -> None:
    assert scale_words(np.array([word], np.uint64), n).tolist() == [(word * n) >> 64]


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9), st.integers(1, 3))
def test_integers_keep_to_their_bounds(low: int, width: int, size: int) -> None:
    drawn = Rows.span(7, 0, 50).draws().integers(low, low + width, size)
    assert drawn.shape == ((50,) if size == 1 else (50, size))
    assert drawn.dtype == np.int64
    assert low <= drawn.min()
    assert drawn.max() < low + width


def test_uniforms_agree_and_lie_in_the_unit_interval() -> None:
    rows = Rows.span(3, 0, 500)
    drawn = rows.draws().uniform(2)
    scalar = [[row.uniform(), row.uniform()] for row in rows.each()]
    assert drawn.tolist() == scalar
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert np.all(drawn * 2.0**53 == np.floor(drawn * 2.0**53))


def test_a_row_is_the_same_alone_in_a_batch_and_in_any_order() -> None:
    rows = Rows.span(11, 1000, 1200)
    together = rows.draws().bits(5)
    order = np.random.default_rng(0).permutation(len(rows))
    mixed = Rows(11, rows.addresses[order]).draws().bits(5)
    assert np.array_equal(mixed, together[order])
    for i in (0, 17, 199):
        alone = Rows(11, rows.addresses[i : i + 1])
        assert np.array_equal(alone.draws().bits(5)[0], together[i])


def test_span_is_a_range_of_addresses() -> None:
    rows = Rows.span(1, 5, 9)
    assert len(rows) == 4
    assert rows.addresses.tolist() == [5, 6, 7, 8]
    assert rows.addresses.dtype == np.uint64
    assert len(Rows.span(1, 5, 5)) == 0


def test_neighbouring_seeds_and_addresses_share_no_draws() -> None:
    """Any two of 64-bit words are equal with probability 2^-64: none of these may be."""
    seen: set[int] = set()
    n = 0
    for seed in range(8):
        bits = Rows.span(stream_key(seed, "s", "hint"), 0, 2_000).draws().bits(10)
        seen.update(bits.ravel().tolist())
        n += bits.size
    for stream in (0, 1, 2, 2**63, 2**64 - 1):
        bits = Rows.span(stream, 0, 2_000).draws().bits(10)
        seen.update(bits.ravel().tolist())
        n += bits.size
    assert len(seen) == n


def test_neighbouring_streams_agree_no_more_often_than_chance() -> None:
    one = Rows.span(stream_key(41), 0, 100_000).draws().integers(0, 100)
    other = Rows.span(stream_key(42), 0, 100_000).draws().integers(0, 100)
    assert abs(np.mean(one == other) - 0.01) < 0.002  # six standard deviations
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.02


@pytest.mark.parametrize("n", [2, 3, 10, 97])
def test_draws_are_roughly_uniform(n: int) -> None:
    for j, drawn in enumerate(Rows.span(5, 0, 50_000).draws().integers(0, n, 3).T):
        expected = len(drawn) / n
        chi_square = float(np.sum((np.bincount(drawn, minlength=n) - expected) ** 2 / expected))
        assert chi_square < n + 8 * (2 * n) ** 0.5 + 10, (n, j)


def test_every_bit_is_balanced() -> None:
    bits = Rows.span(9, 0, 20_000).draws().bits()
    for place in range(64):
        share = float(np.mean((bits >> np.uint64(place)) & np.uint64(1)))
        assert abs(share - 0.5) < 0.03, place


def test_branches_are_unrelated_to_their_rows_and_to_each_other() -> None:
    rows = Rows.span(21, 0, 1000)
    branches = [rows.branch("template"), rows.branch("order")]
    assert all(branch.addresses is rows.addresses for branch in branches)
    words = [part.draws().bits(4).ravel().tolist() for part in (rows, *branches)]
    assert len({word for part in words for word in part}) == 12_000
    assert rows.branch("template").keys.tolist() == branches[0].keys.tolist()


def test_stream_keys_depend_on_every_word_its_type_and_the_order() -> None:
    words = [(), (1,), ("1",), (1, 2), (12,), ("1", 2), (2, 1), ("a", "b"), ("ab",), ("b", "a")]
    assert len({stream_key(*some) for some in words}) == len(words)
    digest = hashlib.blake2b(
        b"int:7\x1fstr:s\x1fstr:hint", digest_size=8, person=b"synthgen-stream"
    )
    assert stream_key(7, "s", "hint") == int.from_bytes(digest.digest(), "little")


@given(WORDS, st.lists(st.integers(), max_size=30))
def test_shuffles_are_permutations(key: int, items: list[int]) -> None:
    before = list(items)
    shuffled = RowDraws(key).shuffled(items)
    assert sorted(shuffled) == sorted(items)
    assert items == before


def test_shuffles_reach_all_orders_about_equally_often() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for row in Rows.span(2, 0, 6_000).each():
        order = tuple(row.shuffled(range(3)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(800 < count < 1200 for count in counts.values())


def test_samples_have_different_items_in_any_order() -> None:
    for row in Rows.span(6, 0, 50).each():
        chosen = row.sample(range(10_000), 30)
        assert len({*chosen}) == 30
        assert {*chosen} <= {*range(10_000)}
    found = Counter(tuple(row.sample("abc", 2)) for row in Rows.span(7, 0, 6_000).each())
    assert {*found} == {*permutations("abc", 2)}
    assert 900 < min(found.values()) <= max(found.values()) < 1_100
    assert next(Rows.span(8, 0, 1).each()).sample("ab", 0) == []
    assert sorted(RowDraws(1).sample(range(9), 9)) == [*range(9)]


def test_choice_takes_every_item() -> None:
    chosen = [row.choice("abc") for row in islice(Rows.span(4, 0, 600).each(), 600)]
    assert set(chosen) == set("abc")
    assert all(140 < chosen.count(item) < 260 for item in "abc")
