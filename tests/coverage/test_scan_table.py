"""Divergences of the published SCAN splits, on rows of our own generator, to the printed digits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

from synthgen.contract.interfaces import Render
from synthgen.core.columns import Ragged
from synthgen.coverage.id_counts import IdCounts
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.scan.family import Scan
from synthgen.trees.divergence import chernoff_divergence
from synthgen.trees.ngrams import joined, ngrams, token_ids
from tests.conformance import original
from tests.families.scan import language
from tests.families.scan.table import TABLE

Rule = Callable[[str], bool]
ATOM, COMPOUND = 0.5, 0.1


TYPES = {(2,): 75, (2, 3): 385, (3, 4): 1516}
"""Different n-grams with borders, by the lengths taken together."""


@cache
def rows() -> tuple[pa.StringArray, pa.StringArray]:
    """All commands and their actions."""
    scan = Scan()
    problems = scan.draw(Rows.span(stream_key("table"), 0, scan.space))
    texts = scan.render(problems, Render("bare", "none"))
    return texts.prompts, texts.answers


@cache
def features() -> dict[str, Ragged]:
    prompts, answers = (token_ids(column) for column in rows())
    return {
        "atoms": prompts,
        "bi": ngrams(prompts, 2, borders=True),
        "tri": ngrams(prompts, 3, borders=True),
        "output_atoms": answers,
        "output_bi": ngrams(answers, 2),
    }


def sides(split: str) -> tuple[np.ndarray, np.ndarray]:
    """Places of the rows of train and of test."""
    commands = rows()[0].to_pylist()
    if split == "simple":
        lists = language.published_lists(original("scan/scan_splits.json"))
        place = {command: i for i, command in enumerate(commands)}
        train, test = ([place[c] for c in lists[f"simple/{part}"]] for part in ("train", "test"))
        return np.array(train), np.array(test)
    rules = language.RULES[f"scan-{split}"]
    train, test = (
        [i for i, command in enumerate(commands) if rules[part](command)]
        for part in ("train", "test")
    )
    command, times = language.REPEATED.get((f"scan-{split}", "train"), ("jump", 1))
    train += [commands.index(command)] * (times - 1)
    return np.array(train), np.array(test)


def divergence(feature: Ragged, train: np.ndarray, test: np.ndarray, exponent: float) -> float:
    tables = IdCounts(feature.take(train).values), IdCounts(feature.take(test).values)
    ids = np.union1d(tables[0].items()[0], tables[1].items()[0])
    return chernoff_divergence(tables[0].counts_of(ids), tables[1].counts_of(ids), exponent)


def unseen(feature: Ragged, train: np.ndarray, test: np.ndarray) -> float:
    """Share of test rows that have an id which train lacks."""
    known = IdCounts(feature.take(train).values)
    rest = feature.take(test)
    row_of = np.repeat(np.arange(len(rest)), rest.lengths)
    return len(np.unique(row_of[~known.has(rest.values)])) / len(rest)


@pytest.mark.parametrize("split", TABLE)
def test_the_table_of_published_splits(split: str) -> None:
    train, test = sides(split)
    line, some = TABLE[split], features()
    assert (len(train), len(np.unique(train)), len(test)) == line[:3]
    assert not np.intersect1d(train, test).size
    found = {
        name: divergence(column, train, test, ATOM if name.endswith("atoms") else COMPOUND)
        for name, column in some.items()
    }
    found |= {f"unseen_{name}": unseen(some[name], train, test) for name in ("bi", "tri")}
    printed = {name: round(value, 4) for name, value in found.items()}
    assert printed == {name: getattr(line, name) for name in found}


@pytest.mark.parametrize("lengths", TYPES)
def test_different_ngrams_with_borders(lengths: tuple[int, ...]) -> None:
    prompts = features()["atoms"]
    together = joined([ngrams(prompts, n, borders=True) for n in lengths])
    assert len(IdCounts(together.values)) == TYPES[lengths]


def test_length_leaves_no_trace_in_divergence_but_in_lengths() -> None:
    train, test = sides("length")
    lengths = features()["output_atoms"].lengths
    assert (lengths[train].min(), lengths[train].max()) == (1, 22)
    assert (lengths[test].min(), lengths[test].max()) == (24, 48)
    assert features()["atoms"].lengths.max() == 9
