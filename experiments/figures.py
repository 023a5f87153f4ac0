"""Figures of a test split that may say how hard it is: those of the audit, and some more.

A derivation is a tree of symbols. A place is a parent with the number of an argument, or the root;
an edge is a symbol at a place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import synthgen
from synthgen.auditing.report_figures import flat
from synthgen.auditing.trained_block import novelty_of
from synthgen.trees.derivations import read_derivations

AUDITED = {
    "d_c": "divergence.compound.edges.value",
    "d_c_deviations": "divergence.compound.edges.deviations",
    "d_a": "divergence.atom.value",
    "easiness": "easiness.mean",
    "unseen_triple": "easiness.unseen_triple",
    "unseen_pair": "easiness.unseen_pair",
    "word_triples": "words.unseen.triples",
    "word_d_c": "words.divergence.compound.bigrams.value",
    "prompt_shift": "lengths.prompt.shift",
    "answer_shift": "lengths.answer.shift",
    "unseen_cells": "cells.t2.not_in_train",
    "unseen_answers": "answers.unseen",
    "shortcut": "shortcuts.best",
}
"""Places of the audit's figures by the names of our columns."""
MOST = 20
"""Highest support of an edge."""

Place = tuple[int, int]
Edge = tuple[int, int, int]


def figures(folder: Path) -> dict[str, dict[str, float]]:
    """Audit a dataset, and return the figures of its splits by name."""
    report = synthgen.audit(folder).figures
    known = {split: dict(_flat(of)) for split, of in report.items()}
    for split, more in _of_trees(folder).items():
        known[split].update(more)
    return known


def _flat(figures: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield name and value of the audit's figures that a split has."""
    known = flat(figures)
    yield from ((name, float(known[place])) for name, place in AUDITED.items() if place in known)
    novelty = novelty_of(figures)
    if novelty:
        yield "outside", novelty.outside
        yield "word_pairs", novelty.unseen_pair
        yield "word_d_a", novelty.atoms
        yield "new", max(novelty.outside, novelty.unseen_pair)


def _of_trees(folder: Path) -> dict[str, dict[str, float]]:
    """Return the figures that need the trees of each row."""
    dataset = synthgen.open(folder)
    tables = {split: dataset[split].select("derivation", "answer").to_arrow() for split in dataset}
    ragged, signature = read_derivations(
        [text for table in tables.values() for text in table["derivation"].to_pylist()]
    )
    codes, offsets, arities = ragged.values, ragged.offsets, signature.arity_array
    rows = iter(
        list(_edges(codes[start:stop].tolist(), arities))
        for start, stop in pairwise(offsets.tolist())
    )
    edges = {split: [next(rows) for _ in range(len(table))] for split, table in tables.items()}
    lengths = {
        split: [len(_tokens(answer)) for answer in table["answer"].to_pylist()]
        for split, table in tables.items()
    }
    seen = _Seen(edges.pop("train"))
    longest = max(lengths["train"])
    return {
        split: {
            **seen.figures(of),
            "longer": float(np.mean([length > longest for length in lengths[split]])),
        }
        for split, of in edges.items()
    }


def _tokens(answer: str) -> list[str]:
    """Return words; characters of an answer of one word."""
    words = answer.split()
    return words if len(words) > 1 else list(answer)


def _edges(codes: list[int], arities: np.ndarray[Any, Any]) -> Iterator[Edge]:
    """Yield the parent (-1 at the root), the argument and the symbol of each node."""
    open_nodes: list[list[int]] = []
    for code in codes:
        while open_nodes and open_nodes[-1][1] == arities[open_nodes[-1][0]]:
            open_nodes.pop()
        if open_nodes:
            parent = open_nodes[-1]
            yield parent[0], parent[1], code
            parent[1] += 1
        else:
            yield -1, 0, code
        if arities[code]:
            open_nodes.append([code, 0])


class _Seen:
    """What train has: its edges, the symbols of each place, and the places of each symbol."""

    def __init__(self, rows: list[list[Edge]]) -> None:
        self.edges = Counter(edge for row in rows for edge in {*row})
        self.symbols: dict[Place, set[int]] = defaultdict(set)
        self.places: dict[int, set[Place]] = defaultdict(set)
        for parent, argument, symbol in self.edges:
            self.symbols[parent, argument].add(symbol)
            self.places[symbol].add((parent, argument))

    def figures(self, rows: list[list[Edge]]) -> dict[str, float]:
        """Return means over rows.

        `support` is the least, over the edges of a row that train lacks, of the number of symbols
        that train has at the place and of places that it has for the symbol; at most 20, and 20
        without such edges. `rarest` is the decimal logarithm of 1 plus the number of training rows
        with the rarest edge.
        """
        support = [min(map(self._support, row)) for row in rows]
        rarest = [np.log10(1 + min(self.edges[edge] for edge in row)) for row in rows]
        return {"support": float(np.mean(support)), "rarest": float(np.mean(rarest))}

    def _support(self, edge: Edge) -> int:
        parent, argument, symbol = edge
        if edge in self.edges:
            return MOST
        return min(len(self.symbols[parent, argument]), len(self.places[symbol]), MOST)
