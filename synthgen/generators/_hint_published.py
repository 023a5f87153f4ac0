"""The published HINT data set, made again row by row from its seed.

HINT (Li et al., "A Minimalist Dataset for Systematic Generalization of Perception, Syntax, and
Semantics", ICLR 2023) was drawn by one sequential program from one seeded stream. This is that
procedure, compiled. A row depends on all rows before it, so the data set is made whole, once a
process.

For each operator count n, `Pool(n, k, lo, hi)` is k shuffled trees whose largest node value is from
lo to hi: all trees for n <= 2; for more, random trees whose root is not 0 and no root value on more
than 5 % of them. The train rows, and the val and test rows of subsets I and SS, are slices of
Pool(n, train + val + test, 0, 100); those of SL are Pool(n, val + test, 101, 10000). Above ten
operators there are no train rows, and SS and SL are called LS and LL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, offsets_of
from synthgen.core.errors import ParamError
from synthgen.generators._hint_expression import FIRST_OPERATOR, SYMBOLS
from synthgen.generators._hint_pools import Language, Trees, accepted, sample
from synthgen.generators._mersenne import State, seeded, shuffled

SPLITS = ("train", "val", "test")
SUBSETS = ("-", "I", "SS", "LS", "SL", "LL")
CONCEPTS = ("x", "y", "a", "b", "c", "d")

_SEED = 12306
_MAX_OPERATORS = 20
_MAX_TRAIN_OPERATORS = 10
_MAX_ENUMERATED_OPERATORS = 2
_SMALL = (0, 100)
_LARGE = (101, 10_000)
_RESULT_SHARE = 0.05


@dataclass(frozen=True)
class Published:
    """The rows in published order: train, val, test.

    Attributes:
        derivations: symbol codes of HINT expressions in prefix order, uint16.
        split: index into `SPLITS`, uint8 (n,).
        subset: index into `SUBSETS`, uint8 (n,); "-" on train rows.
        draws: random trees drawn for each operator count, kept or not, int64 (21,).
    """

    derivations: Ragged
    split: NDArray[np.uint8]
    subset: NDArray[np.uint8]
    draws: NDArray[np.int64]


class _Sizes(NamedTuple):
    """Rows asked for at each operator count, and how often to repeat a pool that is too small."""

    train: int
    val: int
    test: int
    repeats: tuple[int, ...]


class _Block(NamedTuple):
    """Trees of one operator count that belong to one split and subset."""

    trees: Trees
    split: int
    subset: int


_MAIN = _Sizes(train=100_000, val=100, test=1_000, repeats=(2_000, 200))
_FEW_SHOT = _Sizes(train=100, val=10, test=100, repeats=())


@lru_cache(maxsize=2)
def published(concept: str = "") -> Published:
    """Return the published data set; its arrays are shared and read-only.

    Args:
        concept: "" for the main set (998,000 train, 4,698 val and 46,620 test rows), or the symbol
            of a few-shot set, in which every expression holds that symbol: x = 11, y = 12,
            a = max, b = min, c = arithmetic mean, d = harmonic mean, both rounded up.

    Raises:
        ParamError: for a concept that is not one of these.
    """
    if concept and concept not in CONCEPTS:
        raise ParamError("concept", concept, f"'' or one of {', '.join(CONCEPTS)}")
    language = _language(concept)
    sizes = _FEW_SHOT if concept else _MAIN
    state = seeded(_SEED)
    draws = np.zeros(_MAX_OPERATORS + 1, np.int64)
    blocks = [
        block
        for n_op in range(_MAX_OPERATORS + 1)
        for block in _blocks(state, language, sizes, n_op, draws)
    ]
    return _assemble(sorted(blocks, key=lambda block: block.split), draws)


def _language(concept: str) -> Language:
    """Return the ten digits and four operators, and the concept's symbol at the end of its list."""
    digits, operators, required = [*range(10)], [SYMBOLS.index(name) for name in "+-*/"], -1
    if concept:
        required = SYMBOLS.index(concept)
        (digits if required < FIRST_OPERATOR else operators).append(required)
    return Language(np.array(digits, np.uint8), np.array(operators, np.uint8), required)


def _blocks(
    state: State, language: Language, sizes: _Sizes, n_op: int, draws: NDArray[np.int64]
) -> Iterator[_Block]:
    """Yield the blocks of one operator count, within a split in published order."""
    long = n_op > _MAX_TRAIN_OPERATORS
    train = 0 if long else sizes.train
    held_out = sizes.val + sizes.test
    small = _pool(state, language, n_op, train + held_out, _SMALL, draws)
    if train:
        if 0 < len(small) < train:
            small = _repeated(small, n_op, sizes)
        seen = len(small[:train])
        yield _Block(small[:train], 0, 0)
        yield _Block(small[: seen * sizes.val // train], 1, 1)
        yield _Block(small[: seen * sizes.test // train], 2, 1)
    # No tree is twice in a pool that reaches beyond the train rows, so these are unseen.
    yield _Block(small[train : train + sizes.val], 1, 2 + long)
    yield _Block(small[train + sizes.val :], 2, 2 + long)
    large = _pool(state, language, n_op, held_out, _LARGE, draws)
    yield _Block(large[: sizes.val], 1, 4 + long)
    yield _Block(large[sizes.val :], 2, 4 + long)


def _repeated(trees: Trees, n_op: int, sizes: _Sizes) -> Trees:
    """Repeat a pool that is smaller than the train rows asked for, and cut it to their number."""
    enough = sizes.train // len(trees) + 1
    times = sizes.repeats[n_op] if n_op < len(sizes.repeats) else enough
    return np.tile(trees, (times, 1))[: sizes.train]


def _pool(
    state: State,
    language: Language,
    n_op: int,
    k: int,
    window: tuple[int, int],
    draws: NDArray[np.int64],
) -> Trees:
    """Return up to k shuffled trees with their largest value in the window, uint8 (k, width)."""
    low, high = window
    if n_op <= _MAX_ENUMERATED_OPERATORS:
        trees = _all_trees(language, n_op)
        trees = trees[accepted(trees, language.required, low, high)]
    else:
        cap = int(_RESULT_SHARE * k)
        trees, drawn = sample(state, language, n_op, k, low, high, cap)
        draws[n_op] += drawn
    return trees[shuffled(state, len(trees))[:k]]


def _all_trees(language: Language, n_op: int) -> Trees:
    """Enumerate trees, the root operator outermost, then the size of its left argument."""
    if n_op == 0:
        return language.digits[:, None]
    pairs = []
    for left_size in range(n_op):
        left, right = _all_trees(language, left_size), _all_trees(language, n_op - 1 - left_size)
        outer, inner = np.repeat(left, len(right), axis=0), np.tile(right, (len(left), 1))
        pairs.append(np.hstack([outer, inner]))
    arguments = np.concatenate(pairs)
    roots = np.repeat(language.operators, len(arguments))
    return np.hstack([roots[:, None], np.tile(arguments, (len(language.operators), 1))])


def _assemble(blocks: list[_Block], draws: NDArray[np.int64]) -> Published:
    """Join blocks in their order to columns that nobody can change."""
    counts = [len(block.trees) for block in blocks]
    widths = np.repeat([block.trees.shape[1] for block in blocks], counts)
    values = np.concatenate([block.trees.ravel() for block in blocks]).astype(np.uint16)
    offsets = offsets_of(widths)
    split = np.repeat(np.array([block.split for block in blocks], np.uint8), counts)
    subset = np.repeat(np.array([block.subset for block in blocks], np.uint8), counts)
    for column in (values, offsets, split, subset, draws):
        column.flags.writeable = False
    return Published(Ragged(values, offsets), split, subset, draws)
