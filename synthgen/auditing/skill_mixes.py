"""Coverage of one set of skill mixes by another: exact counts, and the estimate for chance.

A set of skills is seen if some mix of the first set contains all of them. SKILL-MIX bounds from
above how often a mix occurs in a corpus by p1 ... pk pt n, from frequencies of skills and topic.
The same estimate is reported here next to the exact counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from synthgen.core.columns import distinct_values
from synthgen.core.errors import ParamError
from synthgen.coverage.matches import are_among

Ints = NDArray[np.int64]
_MAX_CODES = 2**63 - 1
_MIX = r"^\(mix[0-9]+ (.*)\)$"
_TOPIC = r"^(?:on:|topic_)"


@dataclass(frozen=True)
class Mixes:
    """Skill mixes as columns.

    Attributes:
        sizes: Number of skills k, (n,).
        skills: Numbers of the skills, rising, (n, m); entries after the k-th are ignored.
        topics: Number of the topic, (n,).
    """

    sizes: Ints
    skills: Ints
    topics: Ints

    def __len__(self) -> int:
        return len(self.sizes)

    def up_to(self, k: int) -> Mixes:
        """Return the mixes of at most k skills."""
        rows = self.sizes <= k
        return Mixes(self.sizes[rows], self.skills[rows, :k], self.topics[rows])

    def of_size(self, k: int) -> tuple[Ints, Ints]:
        """Return skills (n, k) and topics (n,) of the mixes of k skills."""
        rows = self.sizes == k
        return self.skills[rows, :k], self.topics[rows]


@dataclass(frozen=True, slots=True)
class MixCoverage:
    """Coverage by one split of another split's skill mixes of k skills.

    Attributes:
        rows: Number of mixes of k skills in `split`.
        seen_subsets: Number of mixes whose t-subsets were all seen, for t from 1 to k.
        largest_seen: Number of mixes whose largest seen subset has t skills, for t from 0 to k.
        seen_cells: Number of mixes whose skills were each seen with their topic.
        seen_mixes: Number of mixes whose skills were all seen together with their topic.
        expected: Mean of p1 ... pk pt n over the mixes: how often a mix would occur in `train` if
            skills and topic were independent.
    """

    train: str
    split: str
    k: int
    rows: int
    seen_subsets: tuple[int, ...]
    largest_seen: tuple[int, ...]
    seen_cells: int
    seen_mixes: int
    expected: float


def coverage(
    train: Mixes, test: Mixes, names: tuple[str, str] = ("train", "test")
) -> tuple[MixCoverage, ...]:
    """Return the coverage by `train` of each size of `test`, in rising order.

    Args:
        train: Mixes of one split.
        test: Mixes of another split.
        names: Names of the two splits.

    Raises:
        ParamError: if there are too many skills and topics to number subsets in 64 bits.
    """
    base, n_topics = _bases(train, test)
    largest = int(test.sizes.max(initial=0))
    if largest > largest_numbered(train, test):
        raise ParamError("skills", base, f"fewer skills and topics for mixes of {largest}")
    seen = {t: _subsets(train, t, base) for t in range(1, largest + 1)}
    shares = _skill_shares(train, base)
    topic_shares = np.bincount(train.topics, minlength=n_topics) / max(1, len(train))
    coverages = []
    for k in np.unique(test.sizes).tolist():
        skills, topics = test.of_size(k)
        chance = shares[skills].prod(axis=1) * topic_shares[topics] * len(train)
        subsets, sizes, cells, both = _counted((k, skills, topics), train, seen, (base, n_topics))
        coverages.append(
            MixCoverage(
                train=names[0],
                split=names[1],
                k=k,
                rows=len(skills),
                seen_subsets=subsets,
                largest_seen=sizes,
                seen_cells=cells,
                seen_mixes=both,
                expected=float(chance.mean()),
            )
        )
    return tuple(coverages)


def largest_numbered(train: Mixes, test: Mixes) -> int:
    """Return the size of the largest mixes that can be numbered in 64 bits with their topics."""
    base, n_topics = _bases(train, test)
    largest = max(train.skills.shape[1], test.skills.shape[1])
    sizes = [k for k in range(1, largest + 1) if base**k * n_topics <= _MAX_CODES]
    return max(sizes, default=0)


def _bases(train: Mixes, test: Mixes) -> tuple[int, int]:
    """Return the bases for numbering skills and topics."""
    skills, topics = (
        1 + max(int(column.max(initial=0)) for column in columns)
        for columns in ((train.skills, test.skills), (train.topics, test.topics))
    )
    return skills, topics


def _counted(
    test: tuple[int, Ints, Ints],
    train: Mixes,
    seen: Mapping[int, Ints],
    bases: tuple[int, int],
) -> tuple[tuple[int, ...], tuple[int, ...], int, int]:
    """Count the coverage of the mixes of size k, (k, skills, topics): subsets to mixes."""
    k, skills, topics = test
    n, (base, n_topics) = len(skills), bases
    size = np.zeros(n, np.int64)
    whole = []
    for t in range(1, k + 1):
        hits = np.stack([are_among(codes, seen[t]) for codes in _codes(skills, t, base)])
        whole.append(int(hits.all(axis=0).sum()))
        size[hits.any(axis=0)] = t
    cells = _subsets(train, 1, base, n_topics)
    mixes = _subsets(train, k, base, n_topics)
    with_topic = [are_among(skills[:, j] * n_topics + topics, cells) for j in range(k)]
    (codes,) = _codes(skills, k, base)
    largest = tuple(np.bincount(size, minlength=k + 1).tolist())
    both = int(are_among(codes * n_topics + topics, mixes).sum())
    return tuple(whole), largest, int(np.all(with_topic, axis=0).sum()), both


def _codes(skills: Ints, t: int, base: int) -> Iterator[Ints]:
    """Yield the numbers of one t-subset of each row, for each choice of t columns."""
    for columns in combinations(range(skills.shape[1]), t):
        codes = np.zeros(len(skills), np.int64)  # a subset as a number in base `base`
        for column in columns:
            codes = codes * base + skills[:, column]
        yield codes


def _subsets(mixes: Mixes, t: int, base: int, n_topics: int = 0) -> Ints:
    """Return the distinct t-subsets of all mixes as sorted numbers, with topics if any."""
    parts = [np.zeros(0, np.int64)]
    for k in np.unique(mixes.sizes[mixes.sizes >= t]).tolist():
        skills, topics = mixes.of_size(k)
        for codes in _codes(skills, t, base):
            parts.append(distinct_values(codes * n_topics + topics if n_topics else codes))
    return distinct_values(np.concatenate(parts))


def _skill_shares(mixes: Mixes, base: int) -> NDArray[np.float64]:
    """Return the share of mixes with each skill."""
    counts = np.zeros(base, np.int64)
    for k in np.unique(mixes.sizes).tolist():
        counts += np.bincount(mixes.of_size(k)[0].ravel(), minlength=base)
    return counts / max(1, len(mixes))


def mix_coverage(frames: Mapping[str, pl.LazyFrame]) -> tuple[MixCoverage, ...]:
    """Return how far the first split covers the mixes of each later one; empty without mixes."""
    tokens = {name: _tokens(frame) for name, frame in frames.items()}
    tokens = {name: column for name, column in tokens.items() if len(column)}
    if len(tokens) <= 1:  # nothing to compare with
        return ()
    mixes = _mixes_of(tokens)
    first, *others = tokens
    coverages: list[MixCoverage] = []
    for other in others:
        numbered = mixes[other].up_to(largest_numbered(mixes[first], mixes[other]))
        coverages += coverage(mixes[first], numbered, (first, other))
    return tuple(coverages)


def _tokens(frame: pl.LazyFrame) -> pl.Series:
    """Return the symbols of every mix, topic and skills, as lists of text."""
    inner = pl.col("derivation").str.extract(_MIX)
    lists = inner.str.split(" ").list.eval(pl.element().filter(~pl.element().str.starts_with("#")))
    tokens = frame.select(lists.alias("tokens")).drop_nulls()
    return tokens.collect(engine="streaming")["tokens"]


def _mixes_of(tokens: Mapping[str, pl.Series]) -> dict[str, Mixes]:
    """Number skills and topics over all splits, and return the mixes of each split."""
    every = pl.concat([column.explode().unique() for column in tokens.values()]).unique().sort()
    is_topic = every.str.contains(_TOPIC)
    skills = every.filter(~is_topic).to_list()
    topics = every.filter(is_topic).to_list()
    codes = {name: i for i, name in enumerate(skills)} | {name: i for i, name in enumerate(topics)}
    return {split: _mixes(column.to_list(), codes, {*topics}) for split, column in tokens.items()}


def _mixes(rows: Sequence[Sequence[str]], codes: Mapping[str, int], topics: set[str]) -> Mixes:
    """Return mixes by their symbols: skills in rising order, and topic 0 where there is none."""
    skills = [sorted(codes[name] for name in names if name not in topics) for names in rows]
    of_rows = [next((codes[name] for name in names if name in topics), 0) for names in rows]
    sizes = np.array([len(row) for row in skills], np.int64)
    table = np.zeros((len(rows), int(sizes.max(initial=0))), np.int64)
    for i, row in enumerate(skills):
        table[i, : len(row)] = row
    return Mixes(sizes, table, np.array(of_rows, np.int64))
