from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
