"""What the terminal shows of rows."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from synthgen.cli.terminal import show_rows


def shown(row: dict[str, Any]) -> str:
    text = StringIO()
    show_rows(Console(file=text, width=200), {"train": [row]})
    return text.getvalue()


@pytest.mark.parametrize("n", [0, 12, 13, 57])
def test_many_zeros_are_counted_and_few_are_shown(n: int) -> None:
    row = {"id": "x", "prompt": "ask", "answer": "4", "solution": None, "address": 0, "k": 2}
    text = shown(row | {"none": None, "name": ""} | {f"shows_{i}": 0 for i in range(n)})
    assert "ask" in text
    assert "-> 4" in text
    assert "address=0 k=2 name=" in text
    assert text.count("shows_") == (n if n <= 12 else 0)
    assert (f"and {n} zeros" in text) == (n > 12)
    assert "None" not in text


def test_texts_are_shown_without_reading_them_as_markup() -> None:
    hostile = "[/a] [bold]x :smile: \x1b[31m\u202e"
    row = {"prompt": f"{hostile}\n\t2", "answer": hostile, "solution": hostile, "k": hostile}
    escaped = "[/a] [bold]x :smile: \\x1b[31m\\u202e"
    assert shown(row).count(escaped) == 4
    assert all(line.isprintable() for line in shown(row).split("\n"))
