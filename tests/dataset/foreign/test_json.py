"""Third-party files of JSON and of lines."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign.column_choice import Columns, Row, WantedColumns
from synthgen.dataset.foreign.formats import jsonl_rows
from synthgen.dataset.foreign.text_lines import numbered_lines

TEXTS = st.none() | st.text(st.characters(codec="utf-8"))


def rows_of(*lines: str, wanted: WantedColumns | None = None) -> list[Row]:
    _, rows = jsonl_rows(Path("f"), iter(enumerate(lines, 1)), wanted or WantedColumns())
    return list(rows)


def objects(*values: dict[str, Any], ascii_only: bool = True) -> list[str]:
    return [json.dumps(value, ensure_ascii=ascii_only) for value in values]


@given(pairs=st.lists(st.tuples(TEXTS, TEXTS), min_size=1), ascii_only=st.booleans())
def test_texts_and_nulls_come_back(
    pairs: list[tuple[str | None, str | None]], ascii_only: bool
) -> None:
    values = [{"prompt": prompt, "answer": answer} for prompt, answer in pairs]
    lines = objects(*values, ascii_only=ascii_only)
    assert [(prompt, answer) for _, prompt, answer, _ in rows_of(*lines)] == pairs


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("7", "7"),
        ("-0", "-0"),
        ("7.50", "7.50"),
        ("1e3", "1e3"),
        ("9" * 5000, "9" * 5000),
        ("null", None),
        ("NaN", None),
        ("-Infinity", None),
        (r'"\u0031\ud83d\ude00"', "1\U0001f600"),
    ],
)
def test_numbers_become_text_as_they_are_written(written: str, text: str | None) -> None:
    line = f'{{"prompt": 1, "answer": {written}, "other": [true, {{}}, NaN]}}'
    assert rows_of(line) == [(1, "1", text, None)]


def test_columns_are_the_keys_of_the_first_object() -> None:
    lines = objects({"input": "1", "output": "2", "steps": "3"}, {"output": "4", "x": 1}, {})
    columns, rows = jsonl_rows(
        Path("f"), iter([(1, ""), (2, lines[0]), (3, " \t"), (4, lines[1])]), WantedColumns()
    )
    assert columns == Columns("input", "output")
    assert list(rows) == [(2, "1", "2", None), (4, None, "4", None)]
    found = rows_of(*lines, wanted=WantedColumns(solution="steps"))
    assert found == [(1, "1", "2", "3"), (2, None, "4", None), (3, None, None, None)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[", "f:2: expected one JSON object per line: Expecting value .column 2"),
        ('{"prompt": "1", "ans', "Unterminated string starting at .column 17"),
        ('{"prompt": "1"} {}', "Extra data"),
        ('{"prompt": "1\t"}', "Invalid control character"),
        ("[]", "found another value"),
        ("7", "found another value"),
        ("null", "found another value"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ('{"a": [1, 2], "b": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested too deeply"),
        ('{"prompt": "1", "answer": ' + "[" * 900 + "]" * 900 + "}", "nested less deeply"),
        ('{"answer": 1, "answer": 2}', "a key occurs twice"),
        (r'{"prompt": "\ud800", "answer": 1}', "half of a surrogate pair is not text"),
        (r'{"\udc00": 1}', "half of a surrogate pair is not text"),
        ('{"prompt": "1", "answer": {}}', "f:2: 'answer' is an object"),
    ],
)
def test_what_is_wrong_is_named_by_line(line: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        rows_of('{"prompt": "1", "answer": 1}', line)


def test_numbers_truth_values_and_lists_become_text_as_json_writes_them() -> None:
    texts = ("true", "1.50", "[1, 2.50]", '["a", null]', '[{"b": "é"}]')
    rows = rows_of(*(f'{{"prompt": "1", "answer": {text}}}' for text in texts))
    assert tuple(row[2] for row in rows) == texts


def test_parts_of_a_message_that_are_no_text_are_skipped() -> None:
    parts = '[null, "2+", {"type": "image"}, {"type": "text", "text": "2"}]'
    rows = rows_of(f'{{"messages": [{{"role": "user", "content": {parts}}}]}}')
    assert [row[1] for row in rows] == ["2+2"]


def test_columns_that_are_not_there_and_files_without_objects() -> None:
    with pytest.raises(DatasetError, match=r"f:1: no column of answers.*columns: 'prompt', 'x'$"):
        rows_of('{"prompt": 1, "x": 2}', '{"prompt": 1, "answer": 2}')
    with pytest.raises(DatasetError, match=r"f:1: no column of prompts.*columns: none$"):
        rows_of("{}")
    with pytest.raises(DatasetError, match="f: no rows"):
        rows_of("", " ")


@given(line=st.text(st.characters(codec="utf-8")) | st.text('{}[]":,\\u0dpromtansew '))
def test_no_line_does_more_than_raise_the_error_for_it(line: str) -> None:
    try:
        assert len(rows_of('{"prompt": "1", "answer": 1}', line)) in (1, 2)
    except DatasetError as error:
        assert str(error).startswith("f:2: ")  # noqa: PT017


def lines_of(folder: Path, data: bytes, name: str = "rows.txt") -> list[tuple[int, str]]:
    path = folder / name
    path.write_bytes(data)
    return list(numbered_lines(path))


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\r", ["a", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"\r\n\n", ["", ""]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\xef\xbb\xbf", [""]),
        (b"a\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
        ("é\u2028ü\x85\x0b\x0c\n".encode(), ["é\u2028ü\x85\x0b\x0c"]),
    ],
)
def test_lines_end_where_editors_say_they_do(tmp_path: Path, data: bytes, texts: list[str]) -> None:
    assert lines_of(tmp_path, data) == list(enumerate(texts, 1))
    assert lines_of(tmp_path, gzip.compress(data), "rows.txt.gz") == list(enumerate(texts, 1))


@given(texts=st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"))))
def test_any_text_comes_back(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    data = "".join(text + "\n" for text in ["first", *texts]).encode()
    found = lines_of(tmp_path_factory.mktemp("lines"), data)
    assert [text for _, text in found] == ["first", *texts]
