import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError, ParamError, SynthgenError
from synthgen.dataset.foreign import FORMATS, column_choice, open_foreign
from synthgen.dataset.foreign.column_choice import Columns, WantedColumns

ROWS = [("1+1", "2"), ("2*(3+4)", "14"), ("", "é")]
TABLE = {"prompt": [row[0] for row in ROWS], "answer": [row[1] for row in ROWS]}
FILES: dict[str, str] = {
    "rows.tsv": "prompt\tanswer\n1+1\t2\n2*(3+4)\t14\n\té\n",
    "rows.csv": 'prompt,answer\n"1+1",2\n2*(3+4),14\n,é\n',
    "rows.jsonl": "".join(json.dumps({"prompt": p, "answer": a}) + "\n" for p, a in ROWS),
    "rows.ndjson": "".join(json.dumps({"prompt": p, "answer": a}) + "\n" for p, a in ROWS),
    "rows.txt": "IN: 1+1 OUT: 2\nIN: 2*(3+4) OUT: 14\nIN:  OUT: é\n",
}


def read(path: Path, wanted: WantedColumns | None = None, **options: Any) -> list[tuple[Any, ...]]:
    with open_foreign(path, wanted, **options) as foreign:
        return [
            pair
            for batch in foreign.batches
            for pair in zip(batch.prompts.to_pylist(), batch.answers.to_pylist(), strict=True)
        ]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "marked"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("last", [True, False], ids=["ended", "cut"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_every_text_format_gives_the_same_rows(
    tmp_path: Path, name: str, mark: bytes, ends: str, last: bool, packed: bool
) -> None:
    text = FILES[name] if last else FILES[name].removesuffix("\n")
    data = mark + text.replace("\n", ends).encode()
    path = tmp_path / (name.upper() + ".gz" if packed else name)
    path.write_bytes(gzip.compress(data) if packed else data)
    assert read(path) == ROWS


def test_parquet_gives_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(TABLE), path)
    with open_foreign(path) as foreign:
        assert foreign.form == "parquet"
        assert foreign.columns == Columns("prompt", "answer")
        assert sum(len(batch) for batch in foreign.batches) == 3
    path.rename(tmp_path / "rows")
    assert read(tmp_path / "rows", form="parquet") == ROWS


def test_prompts_and_answers_in_two_files(tmp_path: Path) -> None:
    (tmp_path / "test.src").write_text("1+1\n\n2\n")
    (tmp_path / "test.tgt.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf2\r\n\r\n2"))
    answers = tmp_path / "test.tgt.gz"
    assert read(tmp_path / "test.src", answers=answers) == [("1+1", "2"), ("", ""), ("2", "2")]
    assert read(tmp_path / "test.src", answers=answers, form="pairs")[0] == ("1+1", "2")
    with pytest.raises(DatasetError, match=r"test\.gone: cannot be read: No such file"):
        read(tmp_path / "test.src", answers=tmp_path / "test.gone")


def test_formats_can_be_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.dat"
    for name, text in FILES.items():
        path.write_text(text)
        form = {"txt": "scan", "ndjson": "jsonl"}.get(name[5:], name[5:])
        assert read(path, form=form) == ROWS


@pytest.mark.parametrize("name", ["rows.tsv", "rows.csv"])
def test_tables_without_header(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    assert read(path, header=False) == [("prompt", "answer"), *ROWS]
    assert read(path, WantedColumns("2", "1"), header=False)[1] == ("2", "1+1")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("rows", {}, "FILE='rows': expected a name that ends in .tsv, .csv"),
        ("rows.xml", {}, "FILE='rows.xml': expected a name that ends in"),
        ("rows.gz", {}, "FILE='rows.gz': expected a name that ends in"),
        ("rows.src", {}, "or --answers FILE for files with one text per line"),
        ("rows.tsv", {"form": "xlsx"}, "--format='xlsx': expected one of tsv, csv"),
        ("rows.tsv", {"form": "pairs"}, "--answers=None: expected the file of answers"),
        ("rows.tsv", {"form": "tsv", "answers": Path("x")}, "--format='tsv': expected pairs"),
        ("rows.jsonl", {"header": False}, "--no-header=True: expected a format of tsv, csv"),
        ("rows.src", {"header": False, "answers": Path("x")}, "--no-header=True: expected"),
        (
            "rows.txt",
            {"wanted": WantedColumns("1")},
            "--format='scan': expected a format with columns",
        ),
        (
            "rows.src",
            {"wanted": WantedColumns("1"), "answers": Path("x")},
            "--format='pairs': expected",
        ),
    ],
)
def test_arguments_that_do_not_go_together(
    name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParamError) as caught, open_foreign(Path(name), **options):
        pass
    assert message in str(caught.value)


def test_a_file_may_be_left_before_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_choice, "BATCH_ROWS", 1)
    path = tmp_path / "rows.tsv"
    path.write_text(FILES["rows.tsv"])
    before = len(list(Path("/proc/self/fd").iterdir()))
    with open_foreign(path) as foreign:
        assert len(next(foreign.batches)) == 1
        assert len(list(Path("/proc/self/fd").iterdir())) == before + 1
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.binary(max_size=60)
    | st.lists(
        st.sampled_from(
            [*b'\t\n\r",[]{}:\\u\xef\xbb\xbf\xff 1', b"prompt", b"answer", b"IN: ", b" OUT: "]
        ).map(lambda part: part if isinstance(part, bytes) else bytes([part])),
        max_size=40,
    ).map(b"".join),
    header=st.booleans(),
    form=st.sampled_from(FORMATS),
)
def test_no_bytes_do_more_than_raise_the_error_for_them(
    tmp_path: Path, data: bytes, header: bool, form: str
) -> None:
    path = tmp_path / "rows"
    path.write_bytes(data)
    options = {"answers": path} if form == "pairs" else {}
    try:
        assert read(path, form=form, header=header or form not in ("tsv", "csv"), **options)
    except SynthgenError as error:
        assert str(error).startswith(str(path))  # noqa: PT017
