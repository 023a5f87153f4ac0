from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.core.errors import Fault, RecipeError
from synthgen.recipe.loader import MAX_BYTES, parse_toml, read_text


def read_fault(path: Path) -> Fault:
    with pytest.raises(RecipeError) as caught:
        read_text(path)
    (fault,) = caught.value.faults
    return fault


def parse_fault(text: str) -> Fault:
    with pytest.raises(RecipeError) as caught:
        parse_toml(text, "a.toml")
    (fault,) = caught.value.faults
    return fault


def test_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbfname = 'a'\r\n")
    assert parse_toml(read_text(path), "a.toml") == {"name": "a"}


def test_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert len(read_text(path)) == MAX_BYTES
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    assert read_fault(path) == Fault("expected a file of at most 4194304 bytes")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    assert read_fault(tmp_path / "no.toml").message == "cannot be read: No such file or directory"
    assert read_fault(tmp_path).message == "cannot be read: Is a directory"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a = 1\nb 2\n", "Expected '=' after a key", 2),
        ("a = 1\n\na = 2", "this key is already set above", 3),
        ("a = [1,\n2\n\n", "Unclosed array (at the end)", 3),
        ('a = """\n\n\nx', "Unterminated string (at the end)", 4),
        ("a =", "Invalid value", 1),
        pytest.param("a = " + "[" * 50_000, "nested too deeply", None, id="deep"),
        pytest.param("a = " + "1" * 5000, "too many digits", None, id="long"),
    ],
)
def test_syntax_faults_have_their_line(text: str, message: str, line: int | None) -> None:
    fault = parse_fault(text)
    assert fault.message.startswith("not valid TOML: ")
    assert message in fault.message
    assert fault.line == line
