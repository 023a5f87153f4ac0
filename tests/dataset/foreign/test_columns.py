"""Columns of third-party files: how they are found, read and completed."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError, ParamError
from synthgen.dataset.foreign import column_choice as foreign_rows
from synthgen.dataset.foreign import formats as tables
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.column_choice import (
    Columns,
    Row,
    WantedColumns,
    batches_of,
    choose_columns,
)
from synthgen.dataset.foreign.formats import csv_records, table_rows, tsv_records


@pytest.mark.parametrize(
    ("names", "prompt", "answer"),
    [
        (["prompt", "answer"], "prompt", "answer"),
        (["id", "result", "expr"], "expr", "result"),
        (["source", "target", "answer", "prompt"], "prompt", "answer"),
        (["lf", "sentence"], "sentence", "lf"),
        (["src", "tgt"], "src", "tgt"),
        (["command", "actions"], "command", "actions"),
        (["output", "input", "expression"], "expression", "output"),
    ],
)
def test_usual_names_are_tried_in_their_order(names: list[str], prompt: str, answer: str) -> None:
    assert choose_columns("f:1", names, WantedColumns()) == Columns(prompt, answer)


def test_wanted_names_go_first_and_numbers_are_names() -> None:
    names = ["prompt", "answer", "steps"]
    wanted = WantedColumns(prompt="answer", solution="steps")
    assert choose_columns("f:1", names, wanted) == Columns("answer", "answer", "steps")
    assert choose_columns("f:1", ["1", "2", "3"], WantedColumns(), numbered=True) == Columns(
        "1", "2"
    )
    wanted = WantedColumns("3", "1")
    assert choose_columns("f:1", ["1", "2", "3"], wanted, numbered=True) == Columns("3", "1")


@pytest.mark.parametrize(
    ("names", "wanted", "message"),
    [
        (["promt", "answer"], WantedColumns(), "f:1: no column of prompts; did you mean 'promt'?"),
        (["prompt", "x"], WantedColumns(), "no column of answers; expected one of answer, result"),
        (["prompt", "x"], WantedColumns(), "or --answer-col; columns: 'prompt', 'x'!"),
        (["prompt", "answer"], WantedColumns("promt"), "no column 'promt'; did you mean 'prompt'?"),
        (["prompt", "answer"], WantedColumns(solution="steps"), "f:1: no column 'steps'; columns:"),
        (["prompt", "answer"], WantedColumns(solution=""), "f:1: no column ''; columns:"),
        (["prompt", "answer", "prompt"], WantedColumns(), "f:1: 2 columns are named 'prompt'"),
        ([], WantedColumns(), "columns: none"),
        (["\x1b[31m", "\u202e"], WantedColumns(), r"columns: '\x1b[31m', '\u202e'"),
        ([f"c{i}" for i in range(99)], WantedColumns(), "'c11' and 87 more"),
        (
            ["x" * 10_000],
            WantedColumns("x" * 9_999),
            f"no column '{'x' * 79}…'; columns: '{'x' * 79}…'",
        ),
    ],
)
def test_a_column_that_is_not_there_is_named(
    names: list[str], wanted: WantedColumns, message: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        choose_columns("f:1", names, wanted, advice="!")
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


ROWS = [("a b", "1", "(f x)", "train"), ("c", "2", "y", "test")]
NAMES = ("prompt", "answer", "tree", "split")


def write(folder: Path, form: str, names: tuple[str, ...] = NAMES) -> Path:
    path = folder / f"rows.{form}"
    places = [NAMES.index(name) for name in names]
    rows = [[row[at] for at in places] for row in ROWS]
    if form == "parquet":
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        pq.write_table(pa.table(columns), path)
    elif form == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(names, r, strict=True))) + "\n" for r in rows))
    else:
        mark = "\t" if form == "tsv" else ","
        path.write_text("".join(mark.join(row) + "\n" for row in [list(names), *rows]))
    return path


def read(path: Path, wanted: WantedColumns, **options: Any) -> tuple[Columns | None, list[Any]]:
    with open_foreign(path, wanted, **options) as foreign:
        rows = [
            row
            for batch in foreign.batches
            for row in zip(
                *(c.to_pylist() for c in (batch.prompts, batch.answers, *batch.more)), strict=True
            )
        ]
        return foreign.columns, rows


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_further_columns_come_in_the_order_asked_for(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form)
    columns, rows = read(path, WantedColumns(more=("split", "tree")))
    assert columns == Columns("prompt", "answer")
    assert rows == [(p, a, s, t) for p, a, t, s in ROWS]


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_answers_need_not_be_there(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form, ("prompt", "tree"))
    with pytest.raises(DatasetError, match="no column of answers"):
        read(path, WantedColumns(more=("tree",)))
    expected = (Columns("prompt", None), [("a b", None, "(f x)"), ("c", None, "y")])
    assert read(path, WantedColumns(more=("tree",), answers="found")) == expected
    assert read(write(tmp_path, form), WantedColumns(more=("tree",), answers="none")) == expected
    with pytest.raises(DatasetError, match="no column 'result'"):
        read(path, WantedColumns(answer="result", answers="found"))


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_a_missing_further_column_is_named(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form)
    with pytest.raises(DatasetError, match=r"rows\.\w+.*no column 'trees'; did you mean 'tree'\?"):
        read(path, WantedColumns(more=("trees",)))


def test_a_column_may_have_two_roles(tmp_path: Path) -> None:
    for form in ("tsv", "parquet"):
        _, rows = read(write(tmp_path, form), WantedColumns(more=("prompt", "prompt")))
        assert rows[0] == ("a b", "1", "a b", "a b")


def test_bare_prompts(tmp_path: Path) -> None:
    path = tmp_path / "prompts.txt"
    path.write_text("one two\n\nthree\n")
    found = read(path, WantedColumns(answers="none"), form="lines")
    assert found == (None, [("one two", None), ("three", None)])
    with pytest.raises(ParamError, match="--format='lines': expected one of tsv"):
        read(path, WantedColumns(), form="lines")
    with pytest.raises(ParamError, match="a format with columns"):
        read(path, WantedColumns(more=("tree",), answers="none"), form="lines")


def test_a_batch_is_full_after_so_many_rows_or_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(foreign_rows, "BATCH_ROWS", 4)
    monkeypatch.setattr(foreign_rows, "BATCH_CHARACTERS", 100)
    short: list[Row] = [(i, "1", "1", None) for i in range(10)]
    long: list[Row] = [(i, "1" * 60, "1", None) for i in range(5)]
    assert sizes(short) == [4, 4, 2]
    assert sizes(long) == [2, 2, 1]
    assert sizes([(1, "1" * 1000, "1", None)]) == [1]


def sizes(rows: list[Row]) -> list[int]:
    return [len(batch) for batch in batches_of(Path("f"), iter(rows), solutions=False)]


PATH = Path("f")
FIELDS = st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=20)


def numbered(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.split("\n"), 1))


def tsv(text: str, wanted: WantedColumns | None = None, *, header: bool = True) -> list[Row]:
    _, rows = table_rows(
        PATH, tsv_records(iter(numbered(text))), wanted or WantedColumns(), header=header
    )
    return list(rows)


def test_fields_are_found_by_the_header() -> None:
    assert tsv("id\tanswer\tprompt\na\t2\t1+1\n\nb\t\t3\n") == [
        (2, "1+1", "2", None),
        (4, "3", "", None),
    ]
    assert tsv("prompt\tanswer\tsteps\n1\t2\t3", WantedColumns(solution="steps")) == [
        (2, "1", "2", "3")
    ]


def test_quotes_mean_nothing_between_tabs() -> None:
    assert tsv('prompt\tanswer\n"1\t2"\n""\t"') == [(2, '"1', '2"', None), (3, '""', '"', None)]


@given(records=st.lists(st.lists(FIELDS, min_size=2, max_size=5), min_size=1))
def test_what_a_csv_writer_writes_is_read(records: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(records)
    found = list(csv_records(PATH, iter(numbered(file.getvalue())[:-1])))
    assert [fields for _, fields in found] == records
    assert [line for line, _ in found] == list(range(1, len(records) + 1))


def test_records_over_several_lines_begin_at_their_first() -> None:
    text = 'prompt,answer\n\n"1\n""+""\n1",2\n3,"4"\n'
    columns, rows = table_rows(
        PATH, csv_records(PATH, iter(numbered(text))), WantedColumns(), header=True
    )
    assert columns == Columns("prompt", "answer")
    assert list(rows) == [(3, '1\n"+"\n1', "2", None), (6, "3", "4", None)]


def test_a_record_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_LINE_BYTES", 1000)
    pieces = ['"a', *('b","c' for _ in range(1000))]
    with pytest.raises(DatasetError, match=r"f:1: expected a CSV record: more than 1,000 char"):
        list(csv_records(PATH, enumerate(pieces, 1)))
