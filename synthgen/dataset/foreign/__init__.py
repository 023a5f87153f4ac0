"""Third-party files of prompts and answers: detect their format and read rows in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from synthgen.core.checks import check_choice
from synthgen.core.errors import ParamError
from synthgen.dataset.foreign.column_choice import Columns, Row, RowBatch, WantedColumns, batches_of
from synthgen.dataset.foreign.formats import (
    Line,
    csv_records,
    jsonl_rows,
    line_rows,
    numbered_lines,
    open_parquet,
    pair_rows,
    scan_rows,
    table_rows,
    tsv_records,
)

FORMATS = ("tsv", "csv", "jsonl", "parquet", "scan", "pairs")
"""Formats of a file; "pairs" is one prompt per line, with answers line by line in another file."""
LINES = "lines"
"""One prompt per line: a format for readers that need no answers."""

_ENDINGS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".txt": "scan",
}
_TABLES = ("tsv", "csv")
_BARE = ("scan", "pairs", LINES)


@dataclass(frozen=True, slots=True)
class Foreign:
    """An open file of rows.

    Attributes:
        path: Path of the file.
        form: Format out of `FORMATS`.
        columns: Columns that are read, None if the format has none.
        batches: Rows in order, which can be read once.
    """

    path: Path
    form: str
    columns: Columns | None
    batches: Iterator[RowBatch]


@contextmanager
def open_foreign(
    path: Path,
    wanted: WantedColumns | None = None,
    *,
    form: str | None = None,
    header: bool = True,
    answers: Path | None = None,
) -> Iterator[Foreign]:
    """Open a file of prompts and answers; its rows are valid inside the `with` block.

    Memory is one batch, regardless of size. Text may be compressed with gzip (`.gz`).

    Args:
        path: Path of the file.
        wanted: Columns; by default the first ones with the usual names.
        form: Format out of `FORMATS`, or `LINES`; by default that of the file extension.
        header: Whether a table's first record names its columns.
        answers: File with the answers, for a file of one prompt per line.

    Raises:
        ParamError: for an unknown format, or one that conflicts with the other arguments.
        DatasetError: if the file does not have that format; also while rows are read.
    """
    wanted = wanted or WantedColumns()
    forms = FORMATS if wanted.answers == "needed" else (*FORMATS, LINES)
    form = _form(path, form, answers, forms)
    if not header and form not in _TABLES:
        raise ParamError("--no-header", value=True, expected=f"a format of {', '.join(_TABLES)}")
    if wanted.names and form in _BARE:
        msg = f"a format with columns, since a column is named; {form} has none"
        raise ParamError("--format", form, msg)
    with ExitStack() as stack:
        columns: Columns | None = None
        if form == "parquet":
            columns, batches = stack.enter_context(open_parquet(path, wanted))
        else:
            lines = stack.enter_context(closing(numbered_lines(path)))
            if answers is not None:
                replies = stack.enter_context(closing(numbered_lines(answers)))
                rows = pair_rows(path, lines, answers, replies)
            else:
                columns, rows = _rows(path, form, lines, wanted, header=header)
            batches = batches_of(path, rows, solutions=wanted.solution is not None)
        yield Foreign(path, form, columns, batches)


def _rows(
    path: Path, form: str, lines: Iterator[Line], wanted: WantedColumns, *, header: bool
) -> tuple[Columns | None, Iterator[Row]]:
    if form == "scan":
        return None, scan_rows(path, lines)
    if form == LINES:
        return None, line_rows(lines)
    if form == "jsonl":
        return jsonl_rows(path, lines, wanted)
    records = tsv_records(lines) if form == "tsv" else csv_records(path, lines)
    return table_rows(path, records, wanted, header=header)


def _form(path: Path, form: str | None, answers: Path | None, forms: Sequence[str]) -> str:
    """Return the requested format, or that of the file extension."""
    if form is not None:
        check_choice("--format", form, forms)
    if answers is not None:
        if form not in (None, "pairs"):
            raise ParamError("--format", form, "pairs, or none, since --answers is given")
        return "pairs"
    if form == "pairs":
        raise ParamError("--answers", None, "the file of answers, one per line")
    if form is not None:
        return form
    ending = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
    if ending.lower() not in _ENDINGS:
        known = f"a name that ends in {', '.join(_ENDINGS)}"
        expected = f"{known}; or --format, or --answers FILE for files with one text per line"
        raise ParamError("FILE", str(path), expected)
    return _ENDINGS[ending.lower()]
