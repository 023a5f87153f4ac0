"""Split files of rows into a folder of train and test, with a record, a card and an audit.

| file | content |
|---|---|
| `data/train.*`, `data/test.*` | unchanged rows in their original order and format |
| `members.parquet` | file and row (or line) of each row |
| `split.json` | options, SHA-256 of the input and of all files, rule, measured numbers |
| `README.md` | card that loaders and hubs read |
| `audit/` | audit of the outcome |

All of it is made in a hidden folder and moved into place at the end.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen import __version__
from synthgen.auditing.blocks import FLAG
from synthgen.auditing.findings import Report
from synthgen.auditing.html import HTML_FILE, write_html
from synthgen.auditing.read_sides import ReadingOptions, ReadSide, side_of_files, sides_of_splits
from synthgen.auditing.report import write_report
from synthgen.auditing.third_party import MeasuringOptions, audit_sides
from synthgen.core.checks import check_choice
from synthgen.core.columns import integer_values
from synthgen.core.errors import OutputError, ParamError
from synthgen.core.shown import Shown
from synthgen.coverage.inputs import PLACE
from synthgen.dataset.card import render_split_card
from synthgen.dataset.foreign import LINES
from synthgen.dataset.foreign.named_files import (
    SPLIT_DATA,
    SPLIT_FILE,
    is_foreign,
    local_files,
)
from synthgen.dataset.foreign.row_copies import ENDINGS, ChosenRows, copy_rows, write_members
from synthgen.dataset.seal import file_sha256
from synthgen.dataset.shards import disk_error
from synthgen.dataset.staging import sync
from synthgen.splitting.methods import GROUP, DividedRows, SplitOptions, divide_rows

FORMAT = "synthgen-split/1"
MEMBERS_FILE, CARD_FILE = "members.parquet", "README.md"
SIDES = ("train", "test")
"""Names of the splits, in the order of TRAIN and TEST."""
_PLACE = r" row (?P<row>\d+)(?: \(line (?P<line>\d+)\))?$"
"""End of the place of a row."""


@dataclass(frozen=True, repr=False)
class FileSplit(Shown):
    """A finished split.

    Attributes:
        folder: Folder of the split.
        record: Content of `split.json`.
    """

    folder: Path
    record: Mapping[str, Any]

    @property
    def rows(self) -> dict[str, int]:
        """Number of rows of each split."""
        return {name: split["rows"] for name, split in self.record["splits"].items()}

    @property
    def rule(self) -> str:
        """Description of the sides."""
        return str(self.record["rule"])

    @property
    def facts(self) -> dict[str, float]:
        """Numbers that the method measured."""
        return dict(self.record["facts"])

    def __repr__(self) -> str:
        rows = ", ".join(f"{name} {number:,}" for name, number in self.rows.items())
        return f"<{self.folder}: {rows}>"


_ROLES = ("prompt", "answer", "structure", "group")
_FORM_OPTIONS = ("form", "header", "encoding", "skip_nulls", "structure_form")
_OPTIONS = tuple(each.name for each in fields(SplitOptions) if each.name != "by")


def split(
    file: str | Path,
    out: str | Path,
    *,
    by: str,
    columns: Mapping[str, str] = MappingProxyType({}),
    **options: Any,
) -> FileSplit:
    r"""Split a file into a folder of train and test with unchanged rows.

    Args:
        file: Path, folder, pattern or URL of rows in a format that audits read.
        out: Folder to make; the same split may be there already.
        by: "length", "random", "group", "template", "mcd" or "unseen-pairs".
        columns: Columns by role ("prompt", "answer", "structure", "group"); by default those with
            the usual names.
        options: Options of `SplitOptions`, such as `test_share=0.1`, `test_rows`, `seed`,
            `length_of="answer"` and `max_train_length`; and of the file: `form`, `header`,
            `encoding`, `skip_nulls` and `structure_form`.

    Raises:
        ParamError: for an unknown option, or if one of the sides would be empty.
        DatasetError: if the file cannot be read.
        OutputError: if the folder has other content.

    >>> rows = [f'{{"prompt": "{a} + {b}", "answer": {a + b}}}' for a in range(9) for b in range(9)]
    >>> _ = Path("sums.jsonl").write_text("\n".join(rows))
    >>> split("sums.jsonl", "sums", by="unseen-pairs").rows
    {'train': 72, 'test': 9}
    """
    for role in columns:
        check_choice("columns", role, _ROLES)
    for name in options:
        check_choice("option", name, (*_OPTIONS, *_FORM_OPTIONS))
    of_file = {name: options.pop(name) for name in _FORM_OPTIONS if name in options}
    prompt, answer, structure, group = map(columns.get, _ROLES)
    reading = ReadingOptions(prompt, answer, structure, group, **of_file)
    return split_files(str(file), Path(out), SplitOptions(by=by, **options), reading)


def split_files(name: str, out: Path, options: SplitOptions, reading: ReadingOptions) -> FileSplit:
    """Split the files that a name means into a folder of train and test.

    Args:
        name: Path, pattern, URL or standard input.
        out: Folder to make; the same split may be there already.
        options: Options of the split.
        reading: Options for reading the files; `split` is the column of groups.

    Raises:
        ParamError: as `divide_rows`; for files of several formats.
        DatasetError: if a file cannot be read.
        OutputError: if the folder has other content, or cannot be written.
    """
    if (options.by == GROUP) != (reading.split is not None):
        raise ParamError("group_col", reading.split, f"a column if by={GROUP!r}, otherwise none")
    if Path(name).is_dir() and not is_foreign(name):
        raise ParamError("FILE", name, f"files of rows, such as {name.rstrip('/')}/data/*.parquet")
    with local_files([name]) as files:
        form = _form_of(files, reading)
        wanted = _wanted(name, files, options, reading)
        if earlier := _earlier(out, wanted):
            return earlier
        whole = side_of_files("rows", files, reading)
        divided = divide_rows(whole.side, options)
        chosen = list(_chosen(files, whole, divided.sides))
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as stage:
                folder = Path(stage) / "tree"
                (folder / SPLIT_DATA).mkdir(parents=True)
                targets = [folder / SPLIT_DATA / f"{side}{ENDINGS[form]}" for side in SIDES]
                header, encoding = reading.header, reading.encoding
                copy_rows(chosen, targets, form, header=header, encoding=encoding)
                write_members(folder / MEMBERS_FILE, chosen, SIDES)
                again = _reading_again(reading, form)
                report = _audit(folder, targets, again, options)
                record = wanted | _outcome(folder, targets, divided, whole, report)
                _write(folder / CARD_FILE, render_split_card(out.name, record, _command(again)))
                _write(folder / SPLIT_FILE, json.dumps(record, indent=1) + "\n")
                for path in folder.rglob("*"):
                    sync(path)
                folder.replace(out)
        except OSError as error:
            raise disk_error(error, out) from error
    return FileSplit(out, record)


def _form_of(files: Sequence[Path], reading: ReadingOptions) -> str:
    """Return the format of all files."""
    forms = []
    for path in files:
        with reading.open(path) as foreign:
            forms.append(foreign.form)
    if len({*forms}) > 1:
        raise ParamError("FILE", ", ".join(sorted({*forms})), "files of one format")
    return forms[0]


def _wanted(
    name: str, files: Sequence[Path], options: SplitOptions, reading: ReadingOptions
) -> dict[str, Any]:
    """Return the part of the record that is known before."""
    inputs = [
        {"file": path.name, "bytes": path.stat().st_size, "sha256": file_sha256(path)}
        for path in files
    ]
    return {
        "format": FORMAT,
        "synthgen": __version__,
        "source": name,
        "options": asdict(options),
        "reading": asdict(reading),
        "inputs": inputs,
    }


def _earlier(out: Path, wanted: Mapping[str, Any]) -> FileSplit | None:
    """Return the split in a folder if it is the wanted one, None for an empty folder.

    Raises:
        OutputError: for other content.
    """
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return None
    try:
        record = json.loads((out / SPLIT_FILE).read_text(encoding="utf-8"))
        expected = json.loads(json.dumps(wanted))  # tuples are lists in the record
        differ = [key for key, value in expected.items() if record.get(key) != value]
        listed = [*record["splits"].values(), record["members"]]
        differ += [
            each["file"] for each in listed if file_sha256(out / each["file"]) != each["sha256"]
        ]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        differ = ["content"]
    if differ:
        msg = f"{out} has another {', '.join(differ)}: expected a new folder, or the same split"
        raise OutputError(msg)
    return FileSplit(out, record)


def _chosen(
    files: Sequence[Path], whole: ReadSide, sides: NDArray[np.int8]
) -> Iterator[ChosenRows]:
    """Yield the rows of each file with their sides."""
    names = pa.array(map(str, files))
    owners, numbers = [], []
    for batch in whole.side.batches([PLACE]):
        places = batch.column(PLACE)
        ends = pc.extract_regex(places, _PLACE)
        row, line = (ends.field(group) for group in ("row", "line"))
        number = pc.if_else(pc.equal(line, ""), row, line).cast(pa.int64())
        numbers.append(integer_values(number))
        paths = pc.replace_substring_regex(places, rf":{_PLACE}", "")
        owners.append(integer_values(pc.index_in(paths, names)))
    owner, number = np.concatenate(owners), np.concatenate(numbers)
    for place, path in enumerate(files):
        of_file = slice(*np.searchsorted(owner, [place, place + 1]))
        yield ChosenRows(path, number[of_file], sides[of_file])


def _reading_again(reading: ReadingOptions, form: str) -> ReadingOptions:
    """Return the options for reading the copies."""
    form_again = LINES if form == LINES else None
    return replace(reading, form=form_again, encoding=None, split=None, skip_nulls=False)


def _audit(
    folder: Path, targets: Sequence[Path], reading: ReadingOptions, options: SplitOptions
) -> Report:
    """Audit the copies, and write the report with names relative to the folder."""
    train, test = targets
    first, others = sides_of_splits([train], {SIDES[1]: [test]}, reading)
    measuring = MeasuringOptions(options.tokens)
    report: Report = _moved(audit_sides(first, others, measuring), f"{folder}/")
    write_report(folder, report)
    write_html(folder / HTML_FILE, report)
    return report


def _moved(value: Any, prefix: str) -> Any:
    """Remove a folder from all texts of a report."""
    if isinstance(value, str):
        return value.replace(prefix, "")
    if isinstance(value, Path):
        return Path(str(value).replace(prefix, ""))
    if isinstance(value, Mapping):
        return {_moved(key, prefix): _moved(each, prefix) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_moved(each, prefix) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        values = {each.name: _moved(getattr(value, each.name), prefix) for each in fields(value)}
        return replace(value, **values)
    return value


def _outcome(
    folder: Path, targets: Sequence[Path], divided: DividedRows, whole: ReadSide, report: Report
) -> dict[str, Any]:
    """Return the part of the record that is known afterwards."""
    splits = {
        side: {"rows": int((divided.sides == place).sum()), **_listed(folder, target)}
        for place, (side, target) in enumerate(zip(SIDES, targets, strict=True))
    }
    return {
        "read_as": whole.columns,
        "rule": divided.rule,
        "facts": dict(divided.facts),
        "splits": splits,
        "unused_rows": whole.side.rows - sum(split["rows"] for split in splits.values()),
        "left_out_rows": whole.left_out,
        "members": _listed(folder, folder / MEMBERS_FILE),
        "audit": {
            "ok": report.ok,
            "to_review": [block.title for block in report.blocks if block.verdict == FLAG],
        },
    }


def _listed(folder: Path, path: Path) -> dict[str, Any]:
    return {
        "file": path.relative_to(folder).as_posix(),
        "bytes": path.stat().st_size,
        "sha256": file_sha256(path),
    }


def _command(reading: ReadingOptions) -> str:
    """Return the command that audits the split again."""
    options = {
        "--prompt-col": reading.prompt,
        "--answer-col": reading.answer,
        "--structure-col": reading.structure,
        "--structure-form": reading.structure_form,
        "--format": reading.form,
    }
    words = ["synthgen", "audit", "."]
    words += [word for name, value in options.items() if value for word in (name, value)]
    return shlex.join(words + ["--no-header"] * (not reading.header))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
