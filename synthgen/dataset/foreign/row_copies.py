"""Copies of chosen rows of third-party files, in the format of the original."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from synthgen.core.columns import integer_column
from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign import LINES
from synthgen.dataset.foreign.arrow_tables import whole_batches
from synthgen.dataset.foreign.column_choice import first_record
from synthgen.dataset.foreign.formats import MAX_DOCUMENT, csv_records, document_texts
from synthgen.dataset.foreign.text_lines import (
    UTF8,
    UTF8_MARK,
    checked_encoding,
    numbered_lines,
    opened,
)

Ints = NDArray[np.int64]

_GROUP_ROWS, _GROUP_BYTES = 32_000, 32 * 2**20

ENDINGS = {
    "tsv": ".tsv",
    "csv": ".csv",
    "jsonl": ".jsonl",
    "json": ".jsonl",
    "parquet": ".parquet",
    "arrow": ".arrow",
    "scan": ".txt",
    LINES: ".txt",
}
"""File extension of a copy, by the format of the original."""


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """Rows of one file, in order, and their destinations.

    Attributes:
        path: Path of the file.
        numbers: Number of each row, or of its first line if the file has lines, from 1.
        copies: Number of the copy that each row goes to, -1 for none, int8 (n,).
    """

    path: Path
    numbers: Ints
    copies: NDArray[np.int8]


def copy_rows(
    files: Sequence[ChosenRows],
    targets: Sequence[Path],
    form: str,
    *,
    header: bool = True,
    encoding: str | None = None,
) -> None:
    """Write chosen rows into new files, in the order of the originals.

    A row of a text file keeps its bytes, except that text in another encoding becomes UTF-8. The
    records of a JSON document become lines. A table keeps all of its columns and their types.

    Args:
        files: Files of one format, read one after the other.
        targets: Files to write.
        form: Format of the files, out of `ENDINGS`.
        header: Whether a table in text has a header, which each copy gets too.
        encoding: Encoding of text files; default: UTF-8.

    Raises:
        DatasetError: if headers or columns of the files differ.
        OSError: if a file cannot be written.
    """
    with ExitStack() as stack:
        if form in ("parquet", "arrow"):
            _copy_tables(files, targets, form, stack)
            return
        copies = [stack.enter_context(target.open("xb")) for target in targets]
        codec = checked_encoding(encoding)
        names = None
        for file in files:
            records = _raw_records(file.path, form, codec)
            if header and form in ("tsv", "csv"):
                _, first = first_record(file.path, records)
                if names is None:
                    for copy in copies:
                        copy.write(first)
                elif first.rstrip() != names.rstrip():
                    msg = f"{file.path}: expected the header of {files[0].path}"
                    raise DatasetError(msg)
                names = first
            chosen = zip(file.numbers, file.copies, strict=True)
            wanted, copy_number = next(chosen, (0, 0))
            for number, record in records:
                if number == wanted:
                    if copy_number >= 0:
                        copies[copy_number].write(record)
                    wanted, copy_number = next(chosen, (0, 0))


def write_members(path: Path, files: Sequence[ChosenRows], names: Sequence[str]) -> None:
    """Write the file, row (or line) and copy of each row that has one as Parquet."""
    kept = [file.copies >= 0 for file in files]
    numbers = [file.numbers[of] for file, of in zip(files, kept, strict=True)]
    copies = np.concatenate([file.copies[of] for file, of in zip(files, kept, strict=True)])
    places = np.repeat(np.arange(len(files), dtype=np.int32), [len(each) for each in numbers])
    columns = {
        "file": integer_column(places),
        "row": integer_column(np.concatenate(numbers)),
        "split": pa.DictionaryArray.from_arrays(integer_column(copies), list(names)),
    }
    encodings = {"file": "PLAIN", "row": "DELTA_BINARY_PACKED"}
    pq.write_table(
        pa.table(columns),
        path,
        compression="zstd",
        use_dictionary=["split"],
        column_encoding=encodings,
    )


def _raw_records(path: Path, form: str, codec: str) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of each record, with a line end, and the number of its first line or row."""
    if form == "json":
        texts = enumerate(document_texts(path, numbered_lines(path, codec, MAX_DOCUMENT)), 1)
        return ((number, f"{text}\n".encode()) for number, text in texts)
    lines = _raw_lines(path, codec)
    if form == "csv":
        starts = [line for line, _ in csv_records(path, numbered_lines(path, codec))]
        return _joined(lines, starts)
    return ((number, line) for number, line in lines if line.strip(b"\r\n"))


def _raw_lines(path: Path, codec: str) -> Iterator[tuple[int, bytes]]:
    if codec != UTF8:
        for number, text in numbered_lines(path, codec):
            yield number, f"{text}\n".encode()
        return
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            bare = line.removeprefix(UTF8_MARK) if number == 1 else line
            yield number, bare if bare.endswith(b"\n") else bare + b"\n"


def _joined(
    lines: Iterator[tuple[int, bytes]], starts: Sequence[int]
) -> Iterator[tuple[int, bytes]]:
    """Yield the records that begin at some lines, without blank lines after them."""
    held: list[bytes] = []
    place = -1
    for number, line in lines:
        if place + 1 < len(starts) and number == starts[place + 1]:
            if place >= 0:
                yield starts[place], _without_blank_end(held)
            held, place = [], place + 1
        held.append(line)
    if place >= 0:
        yield starts[place], _without_blank_end(held)


def _without_blank_end(lines: list[bytes]) -> bytes:
    while not lines[-1].strip(b"\r\n"):
        lines.pop()
    return b"".join(lines)


class _TableCopy:
    """A table that is written in row groups of about 32,000 rows, or 32 MiB."""

    def __init__(self, path: Path, schema: pa.Schema, form: str, stack: ExitStack) -> None:
        create = pq.ParquetWriter if form == "parquet" else pa.ipc.new_file
        self._writer = stack.enter_context(create(path, schema))
        self._schema = schema
        self._held: list[pa.RecordBatch] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Write some rows later, or all that are held if these are enough."""
        self._held.append(batch)
        rows, size = (sum(map(of, self._held)) for of in (len, attrgetter("nbytes")))
        if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are held."""
        if self._held:
            self._writer.write_table(pa.Table.from_batches(self._held, self._schema))
            self._held.clear()


def _copy_tables(
    files: Sequence[ChosenRows], targets: Sequence[Path], form: str, stack: ExitStack
) -> None:
    copies: list[_TableCopy] = []
    schema: pa.Schema | None = None
    for file in files:
        first = 1
        for batch in whole_batches(file.path, form):
            if schema is None:
                schema = batch.schema
                copies += [_TableCopy(target, schema, form, stack) for target in targets]
            elif batch.schema != schema:
                msg = f"{file.path}: expected the columns and types of {files[0].path}"
                raise DatasetError(msg)
            span = slice(*np.searchsorted(file.numbers, [first, first + batch.num_rows]))
            for number, copy in enumerate(copies):
                rows = file.numbers[span][file.copies[span] == number] - first
                if len(rows):
                    copy.add(batch.take(integer_column(rows)))
            first += batch.num_rows
    for copy in copies:
        copy.flush()
