"""Block 8: k-coverage of tasks whose rows are entries of a table, such as f(a, b, c)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.audit.blocks import INFO, Bars, Block, BlockTable
from synthgen.audit.coverage_sides import ANSWER, PROMPT, STRUCTURE, Side, text_of, texts_at
from synthgen.audit.coverage_words import cut, finite, plural
from synthgen.core.columns import integer_values
from synthgen.core.coverage.bits import monolithic_bits
from synthgen.core.coverage.k_coverage import cutoff_counts, k_cutoffs
from synthgen.core.coverage.structure_reader import StructureReader
from synthgen.core.errors import ParamError

Ints = NDArray[np.int64]

MOST_ROWS, MOST_PLACES, MOST_K = 20_000, 4, 10
_MOST_LISTED = 20
_TITLE = "k-coverage"


def table_block(sides: Sequence[Side]) -> Block:
    """Say which rows of other sides follow from train by exchanging equivalent fragments.

    Args:
        sides: train first, with structures and answers.
    """
    train, *tests = sides
    total = sum(side.rows for side in sides)
    if not tests or total > MOST_ROWS:
        reason = "there is no other split" if not tests else f"there are {total:,} rows"
        return _skipped(f"{reason}; it is for tables of up to {MOST_ROWS:,} rows")
    inputs, labels, whose = _read(sides)
    if inputs is None:
        return _skipped("rows are not entries of one table, a function of two to four values")
    try:
        cutoffs = k_cutoffs(inputs, labels, whose == 0, most_k=MOST_K)
    except ParamError as error:
        return _skipped(f"{error}")
    rows, shares, uncovered = [], [], []
    answers = int(labels.max()) + 1
    known = {tuple(row) for row in inputs[whose == 0].tolist()}
    for number, side in enumerate(tests, start=1):
        of_side = cutoffs[whose == number]
        counts = cutoff_counts(of_side, MOST_K)
        new = {tuple(row) for row in inputs[whose == number].tolist()} - known
        bits = finite(monolithic_bits(len(new), answers), 1)
        rows.append((side.name, side.rows, len(new), int(counts[0]), bits))
        shares.append(tuple((100.0 * counts / max(side.rows, 1)).round(3).tolist()))
        uncovered += _uncovered(side, np.flatnonzero(of_side == 0)[:_MOST_LISTED])
    columns = ("split", "rows", "unseen inputs", "rows not covered", "bits of a free table")
    tables = [BlockTable("Rows by k-coverage", columns, tuple(rows))]
    if uncovered:
        names = ("split", "row", "prompt")
        tables.append(BlockTable("First rows that are not covered", names, tuple(uncovered)))
    labels_of = tuple(str(k) for k in range(MOST_K + 1))
    bars = Bars(
        "Largest k that covers a row",
        "k (0: not covered)",
        "share of rows, %",
        labels_of,
        tuple(side.name for side in tests),
        tuple(shares),
    )
    free = sum(row[3] for row in rows)
    text = (
        f"{plural(free, 'row')} of other splits cannot be had from {train.name} by exchanging "
        "values that it shows to be equivalent."
    )
    return Block("k-coverage", _TITLE, INFO, text, tuple(tables), (bars,))


def _skipped(reason: str) -> Block:
    return Block("k-coverage", _TITLE, INFO, f"Not measured: {reason}.")


def _read(sides: Sequence[Side]) -> tuple[Ints | None, Ints, Ints]:
    """Return the values at each place, the answer and the side of every row; None if no table."""
    reader = StructureReader()
    values: list[Ints] = []
    whose: list[Ints] = []
    answers: list[pa.StringArray] = []
    for number, side in enumerate(sides):
        for batch in side.batches([STRUCTURE, ANSWER]):
            found = reader.read(text_of(batch, STRUCTURE))
            lengths = np.unique(found.lengths)
            places = int(lengths[0]) - 1 if len(lengths) == 1 else 0
            if not 2 <= places <= MOST_PLACES or (values and values[0].shape[1] != places + 1):
                return None, np.zeros(0, np.int64), np.zeros(0, np.int64)
            values.append(found.values.reshape(-1, places + 1).astype(np.int64))
            whose.append(np.full(len(found), number))
            answers.append(text_of(batch, ANSWER))
    codes = np.concatenate(values) if values else np.zeros((0, 1), np.int64)
    arities = reader.signature.arity_array
    if not len(codes) or len(np.unique(codes[:, 0])) > 1 or arities[codes[:, 1:]].any():
        return None, np.zeros(0, np.int64), np.zeros(0, np.int64)
    labels = integer_values(pa.concat_arrays(answers).dictionary_encode().indices)
    return codes[:, 1:], labels.astype(np.int64), np.concatenate(whose)


def _uncovered(side: Side, positions: Ints) -> list[tuple[str, int, str]]:
    prompts = texts_at(side, PROMPT, positions).to_pylist()
    pairs = zip(positions.tolist(), prompts, strict=True)
    return [(side.name, row, cut(prompt or "")) for row, prompt in pairs]
