"""Further columns, answers that need not be there, and files of bare prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.core.errors import DatasetError, ParamError
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.columns import Columns, Wanted

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


def read(path: Path, wanted: Wanted, **options: Any) -> tuple[Columns | None, list[Any]]:
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
    columns, rows = read(path, Wanted(more=("split", "tree")))
    assert columns == Columns("prompt", "answer")
    assert rows == [(p, a, s, t) for p, a, t, s in ROWS]


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_answers_need_not_be_there(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form, ("prompt", "tree"))
    with pytest.raises(DatasetError, match="no column of answers"):
        read(path, Wanted(more=("tree",)))
    expected = (Columns("prompt", None), [("a b", None, "(f x)"), ("c", None, "y")])
    assert read(path, Wanted(more=("tree",), answers="found")) == expected
    assert read(write(tmp_path, form), Wanted(more=("tree",), answers="none")) == expected
    with pytest.raises(DatasetError, match="no column 'result'"):
        read(path, Wanted(answer="result", answers="found"))


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "parquet"])
def test_a_missing_further_column_is_named(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form)
    with pytest.raises(DatasetError, match=r"rows\.\w+.*no column 'trees'; did you mean 'tree'\?"):
        read(path, Wanted(more=("trees",)))


def test_a_column_may_have_two_roles(tmp_path: Path) -> None:
    for form in ("tsv", "parquet"):
        _, rows = read(write(tmp_path, form), Wanted(more=("prompt", "prompt")))
        assert rows[0] == ("a b", "1", "a b", "a b")


def test_bare_prompts(tmp_path: Path) -> None:
    path = tmp_path / "prompts.txt"
    path.write_text("one two\n\nthree\n")
    found = read(path, Wanted(answers="none"), form="lines")
    assert found == (None, [("one two", None), ("three", None)])
    with pytest.raises(ParamError, match="--format='lines': expected one of tsv"):
        read(path, Wanted(), form="lines")
    with pytest.raises(ParamError, match="a format with columns"):
        read(path, Wanted(more=("tree",), answers="none"), form="lines")
