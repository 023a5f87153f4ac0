"""Charts as a reader of the page sees them: marks at their places, ticks and notes."""

from __future__ import annotations

import re

import polars as pl
import pytest

from synthgen.auditing.blocks import OK, BarChart, Block
from synthgen.auditing.drawings import scale_of
from synthgen.auditing.findings import Report, SplitReport
from synthgen.auditing.html import render_html
from synthgen.auditing.tallies import Bin, Histogram
from synthgen.auditing.tallies import histograms as histograms_of
from tests.auditing.html_page import Element, Page

BAR = re.compile(r"M([\d.]+) ([\d.]+)v-([\d.]+)h([\d.]+)V")


def page(*charts: BarChart, splits: tuple[SplitReport, ...] = ()) -> Page:
    blocks = (Block("a", "A", OK, "", bars=charts),)
    return Page(render_html(Report("charts", "0", (), splits, (), blocks=blocks)))


def bars(labels: tuple[str, ...], *rows: tuple[float, ...]) -> BarChart:
    return BarChart("t", "x", "y", labels, tuple(f"s{i}" for i in range(len(rows))), rows)


def marks(shown: Page, kind: str) -> list[Element]:
    """The marks of a class, without those of legends."""
    return [
        each
        for name in ("path", "rect", "circle")
        for each in shown.all(name, kind=kind)
        if "figure" in each.inside and "li" not in each.inside
    ]


def panels(shown: Page) -> list[list[list[float]]]:
    """The bars of each small multiple: left, foot, height and width."""
    return [
        [[*map(float, bar)] for bar in BAR.findall(each.attributes["d"])]
        for each in shown.all("path", kind="bar")
    ]


def place(mark: Element, *names: str) -> list[float]:
    return [float(mark.attributes[name]) for name in names]


def split(name: str, axis: str, *bins: Bin) -> SplitReport:
    rows, low, high = sum(each.rows for each in bins), bins[0].first, bins[-1].last
    mean = (low + high) / 2 if isinstance(low, int) and isinstance(high, int) else None
    axes = (Histogram(axis, rows, 0, 9, low, high, mean, bins),)
    return SplitReport(name, 1, 1, 1, 1, 1, 0, 0, axes)


def histograms(*splits: SplitReport) -> list[list[list[float]]]:
    """The bars of each split: left, foot, height and width."""
    return panels(page(splits=splits))


def test_series_are_small_multiples_of_one_scale() -> None:
    first, second = panels(page(bars(("1", "2", "3"), (0.0, 5.0, 10.0), (10.0, 0.0, 2.5))))
    assert [height for _, _, height, _ in first] == [28, 56]
    assert [height for _, _, height, _ in second] == [56, 14]
    assert [x for x, *_ in first] == [60, 120]


def test_what_is_cut_is_noted() -> None:
    shown = page(bars(tuple(str(i) for i in range(99)), *[(1.0,) * 99] * 9))
    note = "Shown: 60 of 99 labels, 8 of 9 series. The JSON report has all."
    assert note in [each.text for each in shown.all("p", kind="note")]
    assert len(panels(shown)) == 8


def test_shares_of_names_are_one_bar_of_each_series() -> None:
    shown = page(bars(("all seen", "unseen pair"), (25.0, 75.0), (100.0, 0.0)))
    widths = [place(mark, "width")[0] for mark in marks(shown, "bar")]
    assert len(widths) == 3  # a share of nothing is not drawn
    assert widths[1] == pytest.approx(3 * widths[0], rel=0.01)
    assert widths[2] == pytest.approx(widths[0] + widths[1], rel=0.01)
    assert "s0, unseen pair: 75" in [each.text for each in shown.all("title")]


@pytest.mark.parametrize(
    ("high", "labels"),
    [
        (0.0, ["0", "0.25", "0.5", "0.75", "1"]),
        (62.0, ["0", "20", "40", "60", "80"]),
        (0.031, ["0", "0.01", "0.02", "0.03", "0.04"]),
        (3999.0, ["0", "1k", "2k", "3k", "4k"]),
    ],
)
def test_values_get_round_ticks_from_zero(high: float, labels: list[str]) -> None:
    assert [label for _, label in scale_of([high], 0, 100).ticks(4)] == labels


def test_dots_show_divergences_against_random_splits() -> None:
    divergence = {"atom": {"value": 0.03, "random_mean": 0.01, "random_sd": 0.002}}
    lengths = {"prompt": {"min": 1, "mean": 5.0, "max": 9}}
    figures = {"test": {"divergence": divergence, "lengths": lengths}}
    blocks = (Block("divergence", "D", OK, "", figures=figures),)
    splits = (split("test", "n", Bin(1, 1, 5)),)
    shown = Page(render_html(Report("r", "0", (), splits, (), blocks=blocks)))
    (band,) = marks(shown, "band")
    atoms, length = (place(each, "cx")[0] for each in shown.all("circle", kind="bar"))
    left, width = place(band, "x", "width")
    assert left + width < atoms
    (whisker,) = marks(shown, "whisker")
    start, end = map(float, re.findall(r"M([\d.]+).*H([\d.]+)", whisker.attributes["d"])[0])
    assert start < length < end


def test_places_of_histograms_can_be_compared_between_splits() -> None:
    first, second = histograms(
        split("a", "depth", *(Bin(v, v, 5) for v in range(10))),
        split("b", "depth", *(Bin(v, v, 5) for v in range(10, 20))),
    )
    assert [x for x, *_ in first] == [9.0 * i for i in range(10)]
    assert [x for x, *_ in second] == [90 + 9.0 * i for i in range(10)]


def test_odd_values_stand_side_by_side() -> None:
    (odd,) = histograms(split("a", "nodes", *(Bin(v, v, 4) for v in range(1, 41, 2))))
    assert {height for _, _, height, _ in odd} == {56}
    assert [x for x, *_ in odd] == [9.0 * i for i in range(20)]
    assert {width for *_, width in odd} == {8}


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


def test_bins_follow_the_step_of_the_values() -> None:
    frame = pl.LazyFrame({"nodes": [v for v in range(1, 203, 2) for _ in range(4)]})
    (nodes,) = histograms_of(frame, ["nodes"])
    assert len(nodes.bins) > 10
    assert {each.rows for each in nodes.bins[:-1]} == {nodes.bins[0].rows}
