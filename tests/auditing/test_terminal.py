from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from synthgen.auditing.report import audit
from synthgen.auditing.tallies import Bin, Histogram
from synthgen.auditing.text_report import bars, plain, show_report
from synthgen.core.errors import DatasetError
from tests.dataset.tiny import edit_manifest, read_rows, sign, write_dataset, write_rows

HARD = "data/test_hard-00000-of-00001.parquet"


def shown(folder: Path) -> str:
    out = io.StringIO()
    show_report(Console(file=out, width=140), audit(folder), verbose=True)
    return out.getvalue()


def test_a_good_report_ends_well(tmp_path: Path) -> None:
    text = shown(write_dataset(tmp_path / "tiny"))
    assert text.rstrip().endswith("checks, all ok")
    assert "FAILED" not in text
    for word in ("Rows of every split", "Problems shared", "Axes of train", "(3)", "█████"):
        assert word in text


def test_a_bad_report_shows_the_rows(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    rows = read_rows(folder, HARD)
    rows[0] |= {"n_op": 1, "prompt": "[red]odd\x1b[31m\n?"}
    write_rows(folder, HARD, rows)
    sign(folder)
    text = shown(folder)
    assert "First rows that fail where/test_hard" in text
    assert "[red]odd\\x1b[31m\\n?" in text
    assert "\x1b[31m" not in text
    assert text.rstrip().endswith("1 FAILED")


def test_unreadable_files_still_give_a_report(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    (folder / HARD).unlink()
    assert "contents not checked" in shown(folder).replace("\n", "")


def test_names_of_a_manifest_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    edit_manifest(folder, lambda manifest: manifest.update(name="\x1b]0;title\x07"))
    with pytest.raises(DatasetError) as refused:
        shown(folder)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "drawn"), [((8, 4, 1, 0), "█▄▁ "), ((0,), " "), ((), ""), ((1000, 1), "█▁")]
)
def test_bars_show_that_a_bin_has_rows(rows: tuple[int, ...], drawn: str) -> None:
    bins = tuple(Bin(i, i, count) for i, count in enumerate(rows))
    assert bars(Histogram("n_op", sum(rows), 0, len(rows), None, None, None, bins)) == drawn


def test_long_text_is_cut() -> None:
    assert len(plain("x" * 1000)) == 100
    assert plain("a\u202eb") == "a\\u202eb"
