"""What the terminal shows of builds and of rows."""

import re
from io import StringIO
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from rich.console import Console

import synthgen
from synthgen.cli import common, progress_display
from synthgen.cli.progress_display import ProgressBars, ProgressLines, state_of
from synthgen.cli.terminal import show_rows
from synthgen.engine.progress import Phases
from tests.building import recipe_of, source_of, split_of, write_recipe


@pytest.mark.parametrize(
    ("done", "doing", "seconds", "shown"),
    [
        (0, "", 1.0, "0 of 100 rows"),
        (0, "", 4.0, "starting; a first run compiles kernels"),
        (5, "", 4.0, "5 of 100 rows"),
        (5, "searching a", 4.0, "5 of 100 rows; searching a"),
        (100, "searching a", 4.0, "searching a"),
        (100, "", 4.0, "100 of 100 rows"),
    ],
)
def test_the_state_of_a_phase_is_one_line(
    done: int, doing: str, seconds: float, shown: str
) -> None:
    assert state_of(done, 100, doing, seconds) == shown


def test_a_bar_that_searches_on_is_one_line_that_names_what_it_searches() -> None:
    shown = StringIO()
    bars = ProgressBars(Console(file=shown, force_terminal=True, width=60))
    bars.start("select", 1_000)
    bars.update(1_000, lambda: "searching train (n_op=0); 65,536 candidates, and much more")
    progress = bars._progress
    assert progress is not None
    text = StringIO()
    Console(file=text, width=60).print(progress.get_renderable())
    bars.stop()
    (line,) = text.getvalue().splitlines()
    assert "searching train (n_op=0)" in line
    assert "1,000" not in line


def test_bars_show_the_phase_and_how_far_it_is() -> None:
    shown = StringIO()
    bars = ProgressBars(Console(file=shown, force_terminal=True, width=100))
    bars.update(3)  # before the first phase
    bars.start("select", 1_000)
    bars.update(1_000)
    bars.stop()
    assert "select" in shown.getvalue()
    assert "1,000 of 1,000" in shown.getvalue()


def test_lines_tell_each_phase_once() -> None:
    shown = StringIO()
    lines = ProgressLines(Console(file=shown, width=100))
    lines.start("write", 50)
    lines.update(20)
    lines.update(50)
    lines.stop()
    (line,) = shown.getvalue().splitlines()
    assert line.startswith("write: 50 rows in ")
    assert line.endswith(" rows/s")


def test_each_phase_ends_at_its_rows_and_one_without_rows_is_not_shown(tmp_path: Path) -> None:
    shown = StringIO()
    phases = Phases(ProgressLines(Console(file=shown, width=100)))
    recipe, out = write_recipe(tmp_path), tmp_path / "out"
    for select_only in (True, False):
        synthgen.build(recipe, out, select_only=select_only, workers=1, phases=phases)
    lines = [line.partition(" in ")[0] for line in shown.getvalue().splitlines() if " in " in line]
    assert lines == ["select: 4,200 rows", "write: 4,200 rows"]


def test_lines_show_a_long_phase_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1_000, 6))
    monkeypatch.setattr(progress_display, "perf_counter", lambda: next(clock))
    shown = StringIO()
    lines = ProgressLines(Console(file=shown, width=100))
    lines.start("write", 50)
    for done in range(10, 60, 10):
        lines.update(done)
    assert shown.getvalue().splitlines() == ["write: 20 of 50 rows", "write: 40 of 50 rows"]


def test_lines_say_what_is_searched_and_none_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_display, "_BETWEEN_LINES", -1)
    shown = StringIO()
    phases = Phases(ProgressLines(Console(file=shown, width=100)))
    text = recipe_of(
        source_of("hint", "max_operators = 4"),
        split_of("train", 3000, "max_value < 4000", 'balance = ["n_op"]'),
        split_of("test", 10, "max_value >= 4000"),
        '[limits]\nshortfall = "allow"\n',
    )
    synthgen.build(write_recipe(tmp_path, text), tmp_path / "out", workers=1, phases=phases)
    lines = [line for line in shown.getvalue().splitlines() if "searching" in line]
    assert len(lines) == len(set(lines))
    assert re.search(r"^select: searching train \(n_op=\d.*\); [\d,]+ candidates$", lines[0])
    lines_of_one = StringIO()
    one = ProgressLines(Console(file=lines_of_one, width=100))
    one.start("write", 50)
    for _ in range(3):
        one.update(20)
    assert lines_of_one.getvalue() == "write: 20 of 50 rows\n"


def test_a_source_without_a_row_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = source_of("addition") + source_of("hint")
    note = "note: split 'train' has no row of source 'hint'; give the sources weights, or the "
    for balance, said in (
        ("", f"{note}split balance = ['source']\n"),
        ('balance = ["source"]', ""),
    ):
        recipe = write_recipe(tmp_path, recipe_of(sources, split_of("train", 600, more=balance)))
        out = tmp_path / f"out{len(balance)}"
        phases = Phases(ProgressLines(Console(file=StringIO())))
        synthgen.build(recipe, out, workers=1, select_only=True, phases=phases)
        assert capsys.readouterr().err == said


def test_a_command_that_takes_long_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(common, "_NOTICE_INTERVAL", 0.01)
    with common.at_work("audit"):
        while not (said := capsys.readouterr().err):
            sleep(0.01)
        common.plain_console()
        capsys.readouterr()
        sleep(0.05)
    assert said.startswith("audit: still at work after 0 s")
    assert capsys.readouterr().err == ""


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
