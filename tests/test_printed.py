"""The README and the quickstart run as printed, and the notebook is the quickstart."""

from pathlib import Path

import pytest

from tests.printed import (
    NOTEBOOK,
    PAGES,
    QUICKSTART,
    folder_like_the_root,
    is_as_shown,
    notebook_of,
    outputs_of,
    shortened,
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    with folder_like_the_root(tmp_path):
        outputs = [*outputs_of(page.read_text(encoding="utf-8"))]
    assert outputs
    wrong = [
        f"{shown.text}is now\n{out}" for shown, out in outputs if not is_as_shown(shown.text, out)
    ]
    assert not wrong, "\n".join([*wrong, "`python -m tests.printed` writes them"])


def test_the_notebook_is_the_quickstart() -> None:
    book = notebook_of(QUICKSTART.read_text(encoding="utf-8"))
    assert NOTEBOOK.read_text(encoding="utf-8") == book, "`python -m tests.printed` writes it"


def test_what_is_left_out_stays_left_out() -> None:
    shown, out = "a\n...\ny\nz\n", "1\n2\n3\n4\n5\n"
    assert shortened(shown, out) == "1\n...\n4\n5\n"
    assert shortened("a\n", out) == out
    assert is_as_shown("1\n...\n5\n", out)
    assert not is_as_shown("1\n...\n6\n", out)
