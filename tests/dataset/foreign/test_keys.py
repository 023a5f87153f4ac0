"""Columns named by keys inside other columns: objects, structs and texts that hold JSON."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.column_choice import WantedColumns

INSIDE = [
    {"tree": "(f x)", "deep": {"answer": 1, "list": ["a", "b"]}},
    {"tree": None, "deep": {"answer": 2, "list": []}},
]
FORMS = ("tsv", "csv", "jsonl", "jsonl of texts", "parquet", "parquet of texts")


def write(folder: Path, form: str, inside: list[dict[str, Any]]) -> Path:
    ending = form.partition(" ")[0]
    path = folder / f"rows.{ending}"
    is_text = ending in ("tsv", "csv") or form.endswith("texts")
    values = [json.dumps(value) if is_text else value for value in inside]
    if ending == "parquet":
        pq.write_table(pa.table({"prompt": ["p"] * len(values), "meta.data": values}), path)
    elif ending == "jsonl":
        rows = [{"prompt": "p", "meta.data": value} for value in values]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif ending == "tsv":
        path.write_text(
            "".join(
                f"{a}\t{b}\n"
                for a, b in [("prompt", "meta.data"), *zip("pp", values, strict=False)]
            )
        )
    else:
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([("prompt", "meta.data"), *zip("pp", values, strict=False)])
    return path


def read(path: Path, answer: str, *more: str) -> list[Any]:
    with open_foreign(path, WantedColumns(answer=answer, more=more)) as foreign:
        return [
            row
            for batch in foreign.batches
            for row in zip(
                batch.answers.to_pylist(), *(c.to_pylist() for c in batch.more), strict=True
            )
        ]


@pytest.mark.parametrize("form", FORMS)
def test_keys_lead_to_texts_in_every_format(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form, INSIDE)
    found = read(path, "meta.data.deep.answer", "meta.data.tree", "meta.data.deep.list.1")
    assert found == [("1", "(f x)", "b"), ("2", None, None)]


@pytest.mark.parametrize("form", FORMS)
def test_a_key_that_the_first_row_lacks_is_an_error(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form, INSIDE)
    with pytest.raises(DatasetError) as caught:
        read(path, "meta.data.deep.anser")
    text = "'meta.data.deep' has no key 'anser'; did you mean 'answer'? keys: 'answer', 'list'"
    assert str(caught.value).endswith(text)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("form", FORMS)
def test_a_value_without_keys_is_an_error(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form, INSIDE)
    with pytest.raises(DatasetError, match=r"'meta\.data\.tree': expected JSON with keys"):
        read(path, "meta.data.tree.x")
    with pytest.raises(DatasetError, match=r"is an object: .* such as 'meta\.data\.deep\.answer'"):
        read(path, "meta.data.deep")


def test_a_column_of_the_whole_name_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"prompt": "p", "a": {"b": "inside"}, "a.b": "column"}\n')
    assert read(path, "a.b") == [("column",)]


def test_a_struct_says_how_to_name_its_keys(tmp_path: Path) -> None:
    path = write(tmp_path, "parquet", INSIDE)
    with pytest.raises(DatasetError, match=r"or a key inside it, such as 'meta\.data\.tree'"):
        read(path, "meta.data")
