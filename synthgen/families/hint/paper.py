"""The published HINT data set, rebuilt row by row from its seed.

HINT (Li et al., "A Minimalist Dataset for Systematic Generalization of Perception, Syntax, and
Semantics", ICLR 2023) was drawn by one sequential program from one seeded `random.Random`; this
module repeats its draws. A row depends on all rows before it, so the data set is built whole, once
per process; the main one takes about fifteen seconds.

For each operator count n, `_Pool.take(n, k, window)` is k shuffled trees whose largest node value
is in the window: all trees for n <= 2; for larger n, random trees whose result is not 0, no result
on more than 5 % of them. The train rows, and the val and test rows of subsets I and SS, are slices
of the pool with values to 100; those of SL are the pool with values from 101 to 10,000. Above ten
operators there are no train rows, and SS and SL are called LS and LL.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.families.hint.kernels import (
    FIRST_OPERATOR,
    LISTED_OPERATORS,
    SYMBOLS,
    all_trees,
    results_within,
)
from synthgen.trees.derivations import Codes

SPLITS = ("train", "val", "test")
SUBSETS = ("-", "I", "SS", "LS", "SL", "LL")
CONCEPTS = ("x", "y", "a", "b", "c", "d")
SIZES = {"": 1_049_318, "x": 6_491, "y": 6_493} | dict.fromkeys("abcd", 6_170)
"""Rows of the main data set and of that of each few-shot concept."""

_SEED = 12306
_MAX_OPERATORS = 20
_MAX_TRAIN_OPERATORS = 10
_SMALL = (0, 100)
_LARGE = (101, 10_000)
_RESULT_SHARE = 0.05


class Published(NamedTuple):
    """The rows in published order: train, val, test.

    Attributes:
        derivations: Symbol codes of HINT expressions in prefix order, uint16.
        split: Index into `SPLITS`, int16 (n,).
        subset: Index into `SUBSETS`, int16 (n,); "-" on train rows.
    """

    derivations: Ragged
    split: NDArray[np.int16]
    subset: NDArray[np.int16]


class _Sizes(NamedTuple):
    """Rows to take at each operator count, and the repetitions of a pool that is too small."""

    train: int
    val: int
    test: int
    repeats: tuple[int, ...]


class _Block(NamedTuple):
    """Trees of one operator count that belong to one split and subset."""

    split: int
    subset: int
    trees: Codes


_MAIN = _Sizes(train=100_000, val=100, test=1_000, repeats=(2_000, 200))
_FEW_SHOT = _Sizes(train=100, val=10, test=100, repeats=())


@lru_cache(maxsize=2)
def published(concept: str) -> Published:
    """Return a published data set; its arrays are shared and must not be changed.

    Args:
        concept: "" for the main set (998,000 train, 4,698 val and 46,620 test rows), or the symbol
            of a few-shot set, in which every expression holds that symbol.
    """
    pool, sizes = _Pool(concept), _FEW_SHOT if concept else _MAIN
    blocks = [block for n in range(_MAX_OPERATORS + 1) for block in _blocks(pool, sizes, n)]
    blocks.sort(key=lambda block: block.split)
    counts = [len(block.trees) for block in blocks]
    return Published(
        Ragged(
            np.concatenate([block.trees.ravel() for block in blocks]),
            offsets_of(np.repeat([block.trees.shape[1] for block in blocks], counts)),
        ),
        np.repeat(np.array([block.split for block in blocks], np.int16), counts),
        np.repeat(np.array([block.subset for block in blocks], np.int16), counts),
    )


def _blocks(pool: _Pool, sizes: _Sizes, n_op: int) -> Iterator[_Block]:
    """Yield the blocks of one operator count, within a split in published order."""
    long = n_op > _MAX_TRAIN_OPERATORS
    train = 0 if long else sizes.train
    held_out = sizes.val + sizes.test
    small = pool.take(n_op, train + held_out, _SMALL)
    if train:
        if 0 < len(small) < train:
            enough = train // len(small) + 1
            times = sizes.repeats[n_op] if n_op < len(sizes.repeats) else enough
            small = np.tile(small, (times, 1))[:train]
        seen = len(small[:train])
        yield _Block(0, 0, small[:train])
        yield _Block(1, 1, small[: seen * sizes.val // train])
        yield _Block(2, 1, small[: seen * sizes.test // train])
    # No tree is twice in a pool that reaches beyond the train rows, so these are unseen.
    yield _Block(1, 2 + long, small[train : train + sizes.val])
    yield _Block(2, 2 + long, small[train + sizes.val :])
    large = pool.take(n_op, held_out, _LARGE)
    yield _Block(1, 4 + long, large[: sizes.val])
    yield _Block(2, 4 + long, large[sizes.val :])


class _Pool:
    """The sequential source of trees.

    Args:
        concept: Additional symbol that every tree must contain, or "".
    """

    def __init__(self, concept: str) -> None:
        self._random = Random(_SEED)  # noqa: S311  the published procedure fixes this generator
        digits, operators = [*range(10)], [SYMBOLS.index(name) for name in "+-*/"]
        required = [SYMBOLS.index(name) for name in concept]
        for code in required:
            (digits if code < FIRST_OPERATOR else operators).append(code)
        self._digits, self._operators, self._required = (
            np.array(codes, np.uint16) for codes in (digits, operators, required)
        )

    def take(self, n_op: int, k: int, window: tuple[int, int]) -> Codes:
        """Return up to k shuffled trees with their largest value in the window."""
        if n_op <= LISTED_OPERATORS:
            trees = all_trees(self._operators, self._digits, n_op)
            trees = trees[results_within(trees, self._required, *window) >= 0]
            if n_op:
                trees = trees[np.argsort(trees[:, 0], kind="stable")]
        else:
            trees = self._sampled(n_op, k, window)
        order = list(range(len(trees)))
        self._random.shuffle(order)
        return trees[order[:k]]

    def _sampled(self, n_op: int, k: int, window: tuple[int, int]) -> Codes:
        """Return k different trees, no result on more than 5 % of them."""
        kept: dict[bytes, None] = {}
        left = dict.fromkeys(range(1, window[1] + 1), int(_RESULT_SHARE * k))
        while len(kept) < k:
            # Draw only as many as are missing, as published: more would move the stream too far.
            trees = self._drawn(n_op, k - len(kept))
            results = results_within(trees, self._required, *window)
            some = np.flatnonzero(results > 0)
            for tree, result in zip(trees[some], results[some].tolist(), strict=True):
                packed = tree.tobytes()
                if left[result] and packed not in kept:
                    kept[packed] = None
                    left[result] -= 1
        return np.frombuffer(b"".join(kept), np.uint16).reshape(k, 2 * n_op + 1)

    def _drawn(self, n_op: int, count: int) -> Codes:
        """Draw trees as `choice` and `randint` of the standard library do, in prefix order."""
        bits = self._random.getrandbits
        digits, operators = self._digits.tolist(), self._operators.tolist()
        n_digits, n_operators = len(digits), len(operators)
        digit_bits, operator_bits = n_digits.bit_length(), n_operators.bit_length()
        codes = bytearray()
        for _ in range(count):
            sizes = [n_op]
            while sizes:
                size = sizes.pop()
                if size == 0:
                    drawn = bits(digit_bits)
                    while drawn >= n_digits:
                        drawn = bits(digit_bits)
                    codes.append(digits[drawn])
                    continue
                drawn = bits(operator_bits)
                while drawn >= n_operators:
                    drawn = bits(operator_bits)
                codes.append(operators[drawn])
                size_bits = size.bit_length()
                left = bits(size_bits)
                while left >= size:
                    left = bits(size_bits)
                sizes += (size - 1 - left, left)
        return np.frombuffer(codes, np.uint8).reshape(count, -1).astype(np.uint16)
