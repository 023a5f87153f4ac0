"""Axes that are measured: from the text of a row, by the verifier, not from how it was made.

A generator whose `measured` is true declares them like its other axes and fills them in by
`measured_axes`; rows that its verifier finds unsound are no candidates.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import table_column
from synthgen.core.contract import Generator, Problems, Texts, Verifier
from synthgen.core.registry import load_verifier


def is_measured(generator: Generator) -> bool:
    """Say whether a generator has axes that its verifier measures."""
    return bool(getattr(generator, "measured", False))


def measured_columns(verifier: Verifier, table: pa.Table) -> dict[str, NDArray[Any]]:
    """Return the columns of a table of rows that its verifier measures, measured again."""
    measure_texts = getattr(verifier, "measure", None)
    if measure_texts is None:
        return {}
    texts = (table_column(table, name) for name in ("prompt", "answer", "solution"))
    found = measure_texts(*texts)
    return {name: column for name, column in found.items() if name in table.column_names}


def measure(generator: Generator, problems: Problems, texts: Texts) -> Problems:
    """Return the problems with what their texts show; unsound ones are not valid."""
    if not is_measured(generator):
        return problems
    verifier = load_verifier(generator.verifier)
    found = verifier.measure(texts.prompts, texts.answers, texts.solutions)  # type: ignore[attr-defined]
    axes = generator.measured_axes(found)  # type: ignore[attr-defined]
    return replace(problems, axes={**problems.axes, **axes}, valid=problems.valid & found["sound"])
