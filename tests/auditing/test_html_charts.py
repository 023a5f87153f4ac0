"""Charts as a reader of the page sees them: marks at their places, ticks and notes."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from synthgen.auditing.blocks import OK, BarChart, Block
from synthgen.auditing.findings import Report, SplitReport
from synthgen.auditing.html import render_html
from synthgen.auditing.tallies import Bin, Histogram
from tests.auditing.html_page import Element, Page

BAR = re.compile(r"M([\d.]+) ([\d.]+)v-([\d.]+)h([\d.]+)V")


def page(*charts: BarChart, splits: tuple[SplitReport, ...] = ()) -> Page:
    blocks = (Block("a", "A", OK, "", bars=charts),)
    return Page(render_html(Report("charts", "0", (), splits, (), blocks=blocks)))


def bars(labels: tuple[str, ...], *rows: tuple[float, ...]) -> BarChart:
    return BarChart("t", "x", "y", labels, tuple(f"s{i}" for i in range(len(rows))), rows)


def marks(shown: Page, name: str, kind: str | None = None) -> list[Element]:
    """The marks of the drawings, without those of legends."""
    found = shown.all(name, kind=kind) if kind else shown.all(name)
    return [each for each in found if "figure" in each.inside and "li" not in each.inside]


def ticks(shown: Page, kind: str) -> list[str]:
    return [each.text for each in shown.all("text", kind=kind)]


def place(mark: Element, *names: str) -> list[float]:
    return [float(mark.attributes[name]) for name in names]


def split(name: str, axis: str, *bins: Bin) -> SplitReport:
    rows, low, high = sum(each.rows for each in bins), bins[0].first, bins[-1].last
    mean = (low + high) / 2 if isinstance(low, int) and isinstance(high, int) else None
    axes = (Histogram(axis, rows, 0, 9, low, high, mean, bins),)
    return SplitReport(name, 1, 1, 1, 1, 1, 0, 0, axes)


def histograms(*splits: SplitReport) -> list[list[list[float]]]:
    """The bars of each split: left, foot, height and width."""
    drawn = page(splits=splits).all("path", kind="bar")
    return [[[*map(float, bar)] for bar in BAR.findall(each.attributes["d"])] for each in drawn]


def test_bars_have_the_heights_of_values_and_hang_below_zero() -> None:
    none, up, down = marks(page(bars(("a", "b", "c"), (0.0, 5.0, -10.0))), "rect", "bar")
    (zero, nothing), (top, height), (start, depth) = (
        place(mark, "y", "height") for mark in (none, up, down)
    )
    assert nothing == 0
    assert top + height == pytest.approx(zero) == start
    assert depth == pytest.approx(2 * height, abs=0.2)


def test_bars_of_series_are_beside_each_other() -> None:
    drawn = marks(page(bars(tuple("abcde"), *[(1.0,) * 5] * 3)), "rect", "bar")
    spans = sorted((x, x + width) for x, width in (place(mark, "x", "width") for mark in drawn))
    assert len(spans) == 15
    assert all(end <= start + 0.2 for (_, end), (start, _) in pairwise(spans))


def test_long_names_have_horizontal_bars_and_no_zero_is_written_at_their_ends() -> None:
    shown = page(bars(("all of the pairs seen",) * 6, (0.0, 5.0, 0, 1, 2, 0)))
    widths = [place(mark, "width")[0] for mark in marks(shown, "rect", "bar")]
    assert widths[1] > widths[4] > widths[3] > widths[0] == 0
    assert ticks(shown, "value") == ["5", "1", "2"]


def test_labels_without_room_are_left_out_of_the_drawing_only() -> None:
    shown = page(bars(tuple(f"{i}" for i in range(60)), (1.0,) * 60))
    places = [place(mark, "x")[0] for mark in shown.all("text", kind="middle")]
    assert 5 < len(places) < 30
    assert min(b - a for a, b in pairwise(places)) > 14
    assert len(shown.all("th", scope="row")) == 60


def test_what_is_cut_is_noted_and_thin_bars_become_curves() -> None:
    shown = page(bars(tuple(str(i) for i in range(99)), *[(1.0,) * 99] * 9))
    note = "Shown: 60 of 99 labels, 8 of 9 series. The JSON report has all."
    assert note in [each.text for each in shown.all("p", kind="note")]
    assert len(marks(shown, "path", "curve")) == 8


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ((0.0,), ["0", "0.25", "0.5", "0.75", "1"]),
        ((62.0, 4.0), ["0", "20", "40", "60", "80"]),
        ((0.031,), ["0", "0.01", "0.02", "0.03", "0.04"]),
        ((-2.0, 5.0), ["−2", "0", "2", "4", "6"]),
        ((3999.0,), ["0", "1k", "2k", "3k", "4k"]),
    ],
)
def test_values_get_round_ticks_from_zero(values: tuple[float, ...], labels: list[str]) -> None:
    assert ticks(page(bars(tuple("ab"[: len(values)]), values)), "end") == labels


def test_places_of_histograms_can_be_compared_between_splits() -> None:
    first, second = histograms(
        split("a", "depth", *(Bin(v, v, 5) for v in range(10))),
        split("b", "depth", *(Bin(v, v, 5) for v in range(10, 20))),
    )
    assert [x for x, *_ in first] == [9.0 * i for i in range(10)]
    assert [x for x, *_ in second] == [90 + 9.0 * i for i in range(10)]


def test_the_area_of_a_bar_follows_its_rows() -> None:
    wide = (Bin(0, 9, 100), Bin(10, 19, 50), Bin(20, 29, 0), Bin(30, 69, 100))
    (found,) = histograms(split("a", "n", *wide))
    whole = found[0][2]
    assert [height for _, _, height, _ in found] == [whole, whole / 2, whole / 4]


def test_ranges_that_differ_much_are_drawn_by_logarithms() -> None:
    far = split("far", "n", *(Bin(100 * v, 100 * v + 99, 1) for v in range(20)))
    last = histograms(split("near", "n", *(Bin(v, v, 1) for v in range(50))), far)[0][-1]
    below = histograms(split("below", "n", *(Bin(v, v, 1) for v in range(-1, 50))), far)[0][-1]
    assert last[0] > 60 > below[0]


def test_texts_are_shares_in_one_order_for_all_splits() -> None:
    one = split("a", "form", Bin("x", "x", 3), Bin("y", "y", 1))
    other = split("b", "form", Bin("y", "y", 9), Bin("z", "z", 1))
    lines = [each.text for each in page(splits=(one, other)).all("tr")]
    rows = ["".join(line.split()) for line in lines if line[0] in "xyz"]
    assert rows == ["y25%90%", "x75%0%", "z0%10%"]
