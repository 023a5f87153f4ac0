"""Block 9: diversity of each side: Vendi scores of order 2, templates, and growth with rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.audit.blocks import INFO, Block, BlockTable, Cell, Lines
from synthgen.audit.coverage_axes import AxisFacts
from synthgen.audit.coverage_sides import Side
from synthgen.audit.coverage_structures import StructureFacts, Vocabulary
from synthgen.audit.coverage_texts import TextFacts
from synthgen.audit.coverage_words import finite, plural
from synthgen.core.columns import Ragged, integer_column
from synthgen.core.local_structures import local_structures, structure_ids
from synthgen.core.ngrams import joined, ngrams
from synthgen.core.randomness import U64
from synthgen.coverage.bags import hashed_bags
from synthgen.coverage.effective import hill_number
from synthgen.coverage.vendi import from_sample, vendi_of_features
from synthgen.coverage.words import words_and_signs

MOST_ROWS, FEWEST_ROWS = 1_000, 100
STRUCTURES, WORDS, AXES = "local structures", "words, n = 1 to 3", "axes"
_COLUMNS = 4_096
_TITLE = "Diversity"


_TEMPLATE_COLUMNS = (
    "split",
    "templates",
    "effective number",
    "mean rows per template",
    "rows of the most common",
    "share of it, %",
)


def diversity_block(
    sides: Sequence[Side],
    texts: Mapping[str, TextFacts],
    structures: Mapping[str, StructureFacts],
    axes: Mapping[str, AxisFacts],
    vocabulary: Vocabulary | None,
) -> Block:
    """Score the diversity of each side at equal numbers of rows.

    Args:
        sides: train first.
        texts: of every side.
        structures: of every side, or empty.
        axes: of every side, or empty.
        vocabulary: of the structures, if there are any.
    """
    large = [side for side in sides if side.rows >= FEWEST_ROWS]
    n = min((side.rows for side in large), default=0)
    n = min(n, MOST_ROWS)
    rows = []
    for side in large:
        bags = {WORDS: _words(_spaced(texts[side.name].sample, n))}
        if vocabulary and side.name in structures:
            bags[STRUCTURES] = _structures(_some(structures[side.name].sample, n), vocabulary)
        if side.name in axes and axes[side.name].sample.size:
            bags[AXES] = _axes(axes[side.name].sample[_places(len(axes[side.name].sample), n)])
        rows += [(side.name, name, n, score(bag)) for name, bag in bags.items()]
    of_templates = tuple(
        _templates(side, structures[side.name].templates) for side in sides if structures
    )
    tables = [
        BlockTable(
            "Vendi score of order 2, corrected for sample size",
            ("split", "features", "sampled rows", "score"),
            tuple(rows),
        ),
        BlockTable(
            "Templates (structures with numbers masked)",
            _TEMPLATE_COLUMNS,
            of_templates,
        ),
        _wordings(sides, texts),
    ]
    lines = _growth(sides[0], structures[sides[0].name]) if structures else ()
    text = f"Scores use {plural(n, 'row')} of each split with {FEWEST_ROWS} or more. "
    if of_templates:
        name, different, effective, each, *_ = of_templates[0]
        text += (
            f"{name} has {different:,} templates (effective number {effective:,}), with {each} "
            "rows per template on average."
        )
    shown = tuple(table for table in tables if table.rows)
    return Block("diversity", _TITLE, INFO, text.strip(), shown, lines=lines)


def score(bags: Ragged) -> Cell:
    """Estimate the Vendi score of order 2 of all rows from sampled bags of ids."""
    if len(bags) < 2:
        return None
    return finite(from_sample(vendi_of_features(hashed_bags(bags, _COLUMNS)), len(bags)), 2)


def _templates(side: Side, keys: U64) -> tuple[str, int, float, float, int, float]:
    rising = np.sort(keys)
    starts = (
        np.flatnonzero(np.concatenate([[True], rising[1:] != rising[:-1]]))
        if len(keys)
        else (np.zeros(0, np.int64))
    )
    counts = np.diff(np.append(starts, len(keys)))
    most = int(counts.max(initial=0))
    mean = round(len(keys) / max(len(counts), 1), 2)
    share = round(100 * most / max(len(keys), 1), 2)
    return side.name, len(counts), round(hill_number(counts, 1), 1), mean, most, share


def _wordings(sides: Sequence[Side], texts: Mapping[str, TextFacts]) -> BlockTable:
    rows = []
    for side in sides:
        counts = np.array(list(texts[side.name].wordings.values()), np.int64)
        if len(counts):
            rows.append((side.name, len(counts), finite(hill_number(counts, 1), 2)))
    return BlockTable("Wordings of prompts", ("split", "wordings", "effective number"), tuple(rows))


def _growth(side: Side, facts: StructureFacts) -> tuple[Lines, ...]:
    """Draw the share of all structures seen in the first rows of train."""
    points = facts.growth
    last = points[-1] if points else (0, 0, 0)
    if not last[1]:
        return ()
    templates = _first_seen(facts.templates, [rows for rows, _, _ in points])
    xs = tuple(float(rows) for rows, _, _ in points)
    values = (
        tuple(round(100 * pairs / last[1], 3) for _, pairs, _ in points),
        tuple(round(100 * triples / max(last[2], 1), 3) for _, _, triples in points),
        tuple(round(100 * seen / max(templates[-1], 1), 3) for seen in templates),
    )
    names = (f"pairs ({last[1]:,})", f"triples ({last[2]:,})", f"templates ({templates[-1]:,})")
    title = f"Structures seen in the first rows of {side.name}"
    return (Lines(title, "rows", "share of all its structures, %", xs, names, values),)


def _first_seen(keys: U64, rows: Sequence[int]) -> list[int]:
    """Return the number of distinct keys in the first rows, for rising numbers of rows."""
    order = np.argsort(keys, kind="stable")
    rising = keys[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = rising[1:] != rising[:-1]
    firsts = np.sort(order[new])
    return [int(count) for count in np.searchsorted(firsts, rows)]


def _structures(codes: Ragged, vocabulary: Vocabulary) -> Ragged:
    local = local_structures(codes, vocabulary.signature, 3)
    return Ragged(structure_ids(local.values, vocabulary.signature), local.offsets)


def _words(prompts: pa.StringArray) -> Ragged:
    words = words_and_signs(prompts)
    return joined([ngrams(words, n) for n in (1, 2, 3)])


def _axes(codes: NDArray[np.int32]) -> Ragged:
    n, factors = codes.shape
    ids = (codes.astype(np.int64) + 1 + (np.arange(factors) << 32)).astype(np.uint64)
    return Ragged(ids.ravel(), np.arange(n + 1, dtype=np.int64) * factors)


def _places(n: int, most: int) -> NDArray[np.int64]:
    """Return up to `most` of n positions, evenly spaced."""
    return np.arange(n) if n <= most else np.arange(most) * n // most


def _some(rows: Ragged, most: int) -> Ragged:
    return rows.take(_places(len(rows), most))


def _spaced(texts: pa.StringArray, most: int) -> pa.StringArray:
    return texts.take(integer_column(_places(len(texts), most)))
