from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign import formats as tables
from synthgen.dataset.foreign.columns import Columns, Row, Wanted
from synthgen.dataset.foreign.formats import csv_records, table_rows, tsv_records

PATH = Path("f")
FIELDS = st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=20)


def numbered(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.split("\n"), 1))


def tsv(text: str, wanted: Wanted | None = None, *, header: bool = True) -> list[Row]:
    _, rows = table_rows(PATH, tsv_records(iter(numbered(text))), wanted or Wanted(), header=header)
    return list(rows)


def test_fields_are_found_by_the_header() -> None:
    assert tsv("id\tanswer\tprompt\na\t2\t1+1\n\nb\t\t3\n") == [
        (2, "1+1", "2", None),
        (4, "3", "", None),
    ]
    assert tsv("prompt\tanswer\tsteps\n1\t2\t3", Wanted(solution="steps")) == [(2, "1", "2", "3")]


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
    columns, rows = table_rows(PATH, csv_records(PATH, iter(numbered(text))), Wanted(), header=True)
    assert columns == Columns("prompt", "answer")
    assert list(rows) == [(3, '1\n"+"\n1', "2", None), (6, "3", "4", None)]


def test_a_record_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_LINE_BYTES", 1000)
    pieces = ['"a', *('b","c' for _ in range(1000))]
    with pytest.raises(DatasetError, match=r"f:1: expected a CSV record: more than 1,000 char"):
        list(csv_records(PATH, enumerate(pieces, 1)))
