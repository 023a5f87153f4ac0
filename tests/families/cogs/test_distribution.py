from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.cogs_distribution import chi_squared, compare, generated_rows, main
from benchmarks.cogs_reading import read_row, read_rows
from tests.conformance import original


def test_reading_a_row() -> None:
    row = read_row(
        "Emma hoped that the cat on a table in the house wanted to walk .",
        "* cat ( x _ 4 ) ; * house ( x _ 10 ) ; hope . agent ( x _ 1 , Emma ) AND hope . ccomp "
        "( x _ 1 , x _ 11 ) AND want . agent ( x _ 11 , x _ 4 ) AND want . xcomp ( x _ 11 , "
        "x _ 13 )",
    )
    assert (row.construction, row.inner) == ("cp", "infinitive")
    assert (row.cp_depth, row.pp_depth, row.tokens) == (1, 2, 15)
    assert row.articles == (2, 1)
    assert row.names == ("Emma",)


def test_chi_squared_of_a_table_by_hand() -> None:
    one, other = Counter({"x": 30, "y": 70}), Counter({"x": 50, "y": 50})
    statistic, freedom = chi_squared(Counter(one), Counter(other))
    assert freedom == 1
    assert statistic == pytest.approx(400 / 80 + 400 / 120)
    assert chi_squared(Counter(one), Counter(one))[0] == 0


def test_samples_of_one_source_agree_and_a_shorter_one_does_not() -> None:
    one, other = (read_rows(generated_rows(3_000, stream)) for stream in (1, 2))
    assert all(abs(deviations) < 5 for _, _, deviations in compare(one, other))
    short = [row for row in other if row.tokens < 8]
    assert max(abs(deviations) for _, _, deviations in compare(one, short)) > 10


def test_without_the_published_files_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no train.tsv and dev.tsv" in capsys.readouterr().out


def test_it_prints_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(original("cogs"))]) == 0
    printed = capsys.readouterr().out
    assert "27,000 published rows and 30,000 generated ones" in printed
    for figure in ("construction", "that clauses", "names", "mean tokens"):
        assert figure in printed
