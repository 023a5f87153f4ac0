"""Coverage of the skill mixes of later splits by the first one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from synthgen.coverage.mixes import Mixes, coverage, largest_numbered


@dataclass(frozen=True, slots=True)
class MixCoverage:
    """Coverage by one split of another split's skill mixes of k skills.

    Attributes:
        rows: mixes of k skills in `split`.
        seen_subsets: for each size from 1 to k, mixes whose subsets of this size were all seen.
        largest_seen: for each size from 0 to k, mixes whose largest seen subset has this size.
        seen_cells: mixes whose skills were each seen with their topic.
        seen_mixes: mixes whose skills were all seen together with their topic.
        expected: how often a mix would occur in `train` if skills and topic were independent, mean.
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


_MIX = r"^\(mix[0-9]+ (.*)\)$"
_TOPIC = r"^(?:on:|topic_)"


def mix_coverage(frames: Mapping[str, pl.LazyFrame]) -> tuple[MixCoverage, ...]:
    """Return how far the first split covers the mixes of each later one; empty without mixes."""
    tokens = {name: _tokens(frame) for name, frame in frames.items()}
    tokens = {name: column for name, column in tokens.items() if len(column)}
    if len(tokens) <= 1:  # nothing to compare with
        return ()
    mixes = _mixes_of(tokens)
    first, *others = tokens
    return tuple(found for other in others for found in _compare_mixes(first, other, mixes))


def _compare_mixes(first: str, other: str, mixes: Mapping[str, Mixes]) -> Iterator[MixCoverage]:
    numbered = mixes[other].up_to(largest_numbered(mixes[first], mixes[other]))
    for found in coverage(mixes[first], numbered):
        yield MixCoverage(
            train=first,
            split=other,
            k=found.k,
            rows=found.rows,
            seen_subsets=found.seen_subsets,
            largest_seen=found.largest_seen,
            seen_cells=found.seen_cells,
            seen_mixes=found.seen_mixes,
            expected=found.expected,
        )


def _tokens(frame: pl.LazyFrame) -> pl.Series:
    """Return the symbols of every mix, topic and skills, as lists of text."""
    inner = pl.col("derivation").str.extract(_MIX)
    lists = inner.str.split(" ").list.eval(pl.element().filter(~pl.element().str.starts_with("#")))
    found = frame.select(lists.alias("tokens")).drop_nulls().collect(engine="streaming")
    return found["tokens"]


def _mixes_of(tokens: Mapping[str, pl.Series]) -> dict[str, Mixes]:
    """Number skills and topics over all splits, and return the mixes of each split."""
    every = pl.concat([column.explode().unique() for column in tokens.values()]).unique().sort()
    is_topic = every.str.contains(_TOPIC)
    skills = every.filter(~is_topic).to_list()
    topics = every.filter(is_topic).to_list()
    codes = {name: i for i, name in enumerate(skills)} | {name: i for i, name in enumerate(topics)}
    known = set(topics)
    return {split: _mixes(column, codes, known) for split, column in tokens.items()}


def _mixes(column: pl.Series, codes: Mapping[str, int], topics: set[str]) -> Mixes:
    rows = [_split_off(names, codes, topics) for names in column.to_list()]
    return _as_mixes([skills for skills, _ in rows], [topic for _, topic in rows])


def _split_off(
    names: Sequence[str], codes: Mapping[str, int], topics: set[str]
) -> tuple[list[int], int]:
    """Return the codes of a mix's skills in rising order, and of its topic."""
    skills = sorted(codes[name] for name in names if name not in topics)
    return skills, next((codes[name] for name in names if name in topics), 0)


def _as_mixes(skills: Sequence[Sequence[int]], topics: Sequence[int]) -> Mixes:
    sizes = np.array([len(row) for row in skills], np.int64)
    table = np.zeros((len(skills), int(sizes.max(initial=0))), np.int64)
    for i, row in enumerate(skills):
        table[i, : len(row)] = row
    return Mixes(sizes, table, np.array(topics, np.int64))
