"""Skill mixes: what of the mixes of one split another split has seen, asked for and shown.

Asked for are the skills in a row's derivation; shown are those that checkers found in its text,
where the dataset has columns `shows_<skill>`. The first split is what the others are held against.
Rows with so many skills that their mixes have no number of 64 bits (ten of fifty) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from synthgen.audit.findings import MixCoverage
from synthgen.core.skill_coverage import Mixes, coverage, largest_numbered

_MIX = r"^\(mix[0-9]+ (.*)\)$"
_TOPIC = r"^(?:on:|topic_)"
_SHOWS = "shows_"
ASKED, SHOWN = "asked", "shown"


def mix_coverage(frames: Mapping[str, pl.LazyFrame]) -> tuple[MixCoverage, ...]:
    """Return for each later split what the first one has seen of its mixes; none without mixes."""
    tokens = {name: _tokens(frame) for name, frame in frames.items()}
    tokens = {name: column for name, column in tokens.items() if len(column)}
    if len(tokens) <= 1:  # one split has nothing to be held against
        return ()
    asked = _asked(tokens)
    shown = _shown(frames, asked)
    first, *others = tokens
    return tuple(
        found
        for by, mixes in ((ASKED, asked), (SHOWN, shown))
        for other in others
        if first in mixes and other in mixes
        for found in _held_against(first, other, by, mixes)
    )


def _held_against(
    first: str, other: str, by: str, mixes: Mapping[str, Mixes]
) -> Iterator[MixCoverage]:
    numbered = mixes[other].up_to(largest_numbered(mixes[first], mixes[other]))
    for found in coverage(mixes[first], numbered):
        yield MixCoverage(
            train=first,
            split=other,
            by=by,
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


def _asked(tokens: Mapping[str, pl.Series]) -> dict[str, Mixes]:
    """Number skills and topics over all splits, and take the mixes of each."""
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
    """Return the codes of the skills of a mix in rising order, and that of its topic."""
    skills = sorted(codes[name] for name in names if name not in topics)
    return skills, next((codes[name] for name in names if name in topics), 0)


def _as_mixes(skills: Sequence[Sequence[int]], topics: Sequence[int]) -> Mixes:
    sizes = np.array([len(row) for row in skills], np.int64)
    table = np.zeros((len(skills), int(sizes.max(initial=0))), np.int64)
    for i, row in enumerate(skills):
        table[i, : len(row)] = row
    return Mixes(sizes, table, np.array(topics, np.int64))


def _shown(frames: Mapping[str, pl.LazyFrame], asked: Mapping[str, Mixes]) -> dict[str, Mixes]:
    """Return what texts show, with the topics that were asked for; nothing where no text is."""
    found = {}
    for split, mixes in asked.items():
        names = frames[split].collect_schema().names()
        columns = [name for name in names if name.startswith(_SHOWS)]
        if not columns:
            return {}
        table = frames[split].select(columns).collect(engine="streaming").to_numpy() == 1
        if len(table) != len(mixes):
            return {}
        found[split] = _as_mixes(
            [np.flatnonzero(row).tolist() for row in table], mixes.topics.tolist()
        )
    return found
