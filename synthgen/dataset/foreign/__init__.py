"""Third-party files and tables of prompts and answers, read in batches of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import Any

from synthgen.core.checks import check_choice
from synthgen.core.errors import ParamError
from synthgen.dataset.foreign.arrow_tables import open_arrow, open_parquet, open_table
from synthgen.dataset.foreign.column_choice import Columns, Row, RowBatch, WantedColumns, batches_of
from synthgen.dataset.foreign.formats import (
    MAX_DOCUMENT,
    csv_records,
    holds_lines,
    json_rows,
    jsonl_rows,
    line_rows,
    pair_rows,
    scan_rows,
    table_rows,
    tsv_records,
)
from synthgen.dataset.foreign.text_lines import (
    COMPRESSED,
    MAX_LINE_BYTES,
    Line,
    checked_encoding,
    numbered_lines,
)

FORMATS = ("tsv", "csv", "jsonl", "json", "parquet", "arrow", "scan", "pairs")
"""Formats of a file; "pairs" is one prompt per line, with answers line by line in another file."""
LINES = "lines"
"""One prompt per line: a format for readers that need no answers."""

_ENDINGS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".txt": "scan",
}
_TABLES = ("tsv", "csv")
_BARE = ("scan", "pairs", LINES)
_ARROW = {"parquet": open_parquet, "arrow": open_arrow}
_JSON = {"jsonl": jsonl_rows, "json": json_rows}


@dataclass(frozen=True, slots=True)
class Foreign:
    """An open file of rows.

    Attributes:
        path: Path of the file, or the name of a table.
        form: Format out of `FORMATS`, or "table".
        columns: Columns that are read, None if the format has none.
        batches: Rows in order, which can be read once.
    """

    path: Path | str
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
    encoding: str | None = None,
) -> Iterator[Foreign]:
    """Open a file of prompts and answers; its rows are valid inside the `with` block.

    Memory is one batch, regardless of size, except for a JSON document. Files may be compressed
    (`.gz`, `.zst`, `.bz2`), except Parquet.

    Args:
        path: Path of the file.
        wanted: Columns; by default the first ones with the usual names.
        form: Format out of `FORMATS`, or `LINES`; by default that of the file extension.
        header: Whether a table's first record names its columns.
        answers: File with the answers, for a file of one prompt per line.
        encoding: Encoding of text; default: UTF-8.

    Raises:
        ParamError: for an unknown format or encoding, or one that conflicts with the other
            arguments.
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
    codec = checked_encoding(encoding)
    with ExitStack() as stack:
        columns: Columns | None = None
        if form in _ARROW:
            columns, batches = stack.enter_context(_ARROW[form](path, wanted))
        else:
            most = MAX_DOCUMENT if form == "json" else MAX_LINE_BYTES
            file_lines = stack.enter_context(closing(numbered_lines(path, codec, most)))
            form, lines = _sniffed(form, file_lines)
            if answers is not None:
                replies = stack.enter_context(closing(numbered_lines(answers, codec)))
                rows = pair_rows(path, lines, answers, replies)
            else:
                columns, rows = _rows(path, form, lines, wanted, header=header)
            batches = batches_of(path, rows, solutions=wanted.solution is not None)
            if form == "json":
                batches = (replace(batch, lines=None) for batch in batches)
        yield Foreign(path, form, columns, batches)


def table_of(name: str, table: Any, wanted: WantedColumns | None = None) -> Foreign:
    """Return the rows of a table in memory, as `open_table` reads them."""
    columns, batches = open_table(name, table, wanted or WantedColumns())
    return Foreign(name, "table", columns, batches)


def _sniffed(form: str, lines: Iterator[Line]) -> tuple[str, Iterator[Line]]:
    """Return the format of JSON by its first line, and all lines: `.json` may be JSON Lines."""
    if form != "json":
        return form, lines
    first = list(islice((line for line in lines if line[1].strip()), 2))
    is_lines = len(first) == 2 and holds_lines(first[0][1])
    return "jsonl" if is_lines else form, chain(first, lines)


def _rows(
    path: Path, form: str, lines: Iterator[Line], wanted: WantedColumns, *, header: bool
) -> tuple[Columns | None, Iterator[Row]]:
    if form == "scan":
        return None, scan_rows(path, lines)
    if form == LINES:
        return None, line_rows(lines)
    if form in _JSON:
        return _JSON[form](path, lines, wanted)
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
    if not known_ending(path):
        known = f"a name that ends in {', '.join(_ENDINGS)}"
        expected = f"{known}; or --format, or --answers FILE for files with one text per line"
        raise ParamError("FILE", str(path), expected)
    return _ENDINGS[_ending(path)]


def known_ending(path: Path | str) -> bool:
    """Return whether a name ends like that of a file of a known format, perhaps compressed."""
    return _ending(path) in _ENDINGS


def _ending(path: Path | str) -> str:
    name = PurePath(path)
    return (PurePath(name.stem) if name.suffix.lower() in COMPRESSED else name).suffix.lower()
