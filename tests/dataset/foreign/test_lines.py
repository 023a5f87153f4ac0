from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.errors import DatasetError
from synthgen.dataset.foreign import formats as lines
from synthgen.dataset.foreign.formats import numbered_lines


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


def test_a_long_line_is_refused_before_it_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 100)
    assert len(lines_of(tmp_path, b"a" * 100 + b"\n" + b"b" * 100)) == 2
    with pytest.raises(DatasetError, match=r"rows\.txt:2: expected a line of at most 100 bytes"):
        lines_of(tmp_path, b"a\n" + b"b" * 101)
    with pytest.raises(DatasetError, match=r":1: expected a line of at most 100 bytes"):
        lines_of(tmp_path, b"b" * 101 + b"\n")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\nb\nc\xff\n", r":3: expected UTF-8: byte 0xff, number 2 of the line, is none"),
        (b"\xed\xa0\x80\n", r":1: expected UTF-8: byte 0xed"),
        ("ab\n".encode("utf-16"), r":1: expected UTF-8: this looks like UTF-16"),
        ("é\n".encode("latin-1"), r":1: expected UTF-8: byte 0xe9"),
    ],
)
def test_text_that_is_not_utf8_is_named_by_line(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        lines_of(tmp_path, data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"plain text", "not a gzipped file"),
        (gzip.compress(b"1\n" * 10_000, mtime=0)[:30], "ended before"),
        (gzip.compress(b"1\n" * 10_000, mtime=0)[:-8] + bytes(8), "CRC"),
        (gzip.compress(b"", mtime=0)[:10] + b"\xff" * 30, "invalid block"),
    ],
)
def test_broken_gzip_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=rf"(?i)rows\.gz: cannot be read: .*{message}"):
        lines_of(tmp_path, data, "rows.gz")


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="nowhere: cannot be read: No such file"):
        list(numbered_lines(tmp_path / "nowhere"))
    with pytest.raises(DatasetError, match="cannot be read: Is a directory"):
        list(numbered_lines(tmp_path))
