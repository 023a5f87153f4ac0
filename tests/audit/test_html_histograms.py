from __future__ import annotations

import dataclasses
import re

from synthgen.audit.findings import Bin, Histogram, SplitReport
from synthgen.audit.html_histograms import HEIGHT, WIDTH, axis_views
from synthgen.audit.html_tables import Limits

BAR = re.compile(r"M([\d.]+) ([\d.]+)v-([\d.]+)h([\d.]+)V")


def split(name: str, *axes: Histogram) -> SplitReport:
    return SplitReport(name, 1, 1, 1, 0, 1, 1, 0, 0, axes)


def numbers(axis: str, *bins: tuple[int, int, int]) -> Histogram:
    rows = sum(count for _, _, count in bins)
    low, high = bins[0][0], bins[-1][1]
    mean = (low + high) / 2
    return Histogram(axis, rows, 0, 9, low, high, mean, tuple(Bin(*each) for each in bins))


def texts(axis: str, **counts: int) -> Histogram:
    bins = tuple(Bin(text, text, rows) for text, rows in counts.items())
    rows = sum(counts.values())
    return Histogram(axis, rows, 0, len(counts), min(counts), max(counts), None, bins)


def bars(path: str) -> list[list[float]]:
    return [[float(each) for each in bar] for bar in BAR.findall(path)]


def test_places_can_be_compared_between_splits() -> None:
    left = numbers("depth", *((v, v, 5) for v in range(10)))
    right = numbers("depth", *((v, v, 5) for v in range(10, 20)))
    ((view,), note) = axis_views([split("a", left), split("b", right)], Limits())
    assert note == ""
    assert (view.low, view.high, view.logarithmic) == ("0", "19", False)
    first, second = (bars(panel.path) for panel in view.panels)
    assert [x for x, *_ in first] == [9.0 * i for i in range(10)]
    assert [x for x, *_ in second] == [90 + 9.0 * i for i in range(10)]
    assert view.panels[0].mean == 45
    assert view.panels[0].summary == "0 to 9 · mean 4.5 · 9 values"


def test_the_area_of_a_bar_follows_its_rows() -> None:
    wide = numbers("n", (0, 9, 100), (10, 19, 50), (20, 29, 0), (30, 69, 100))
    ((view,), _) = axis_views([split("a", wide)], Limits())
    found = bars(view.panels[0].path)
    assert [height for _, _, height, _ in found] == [HEIGHT, HEIGHT / 2, HEIGHT / 4]


def test_ranges_that_differ_much_are_drawn_by_logarithms() -> None:
    near = numbers("n", *((v, v, 1) for v in range(50)))
    far = numbers("n", *((100 * v, 100 * v + 99, 1) for v in range(20)))
    ((view,), _) = axis_views([split("a", near), split("b", far)], Limits())
    assert view.logarithmic
    last = bars(view.panels[0].path)[-1]
    assert last[0] > WIDTH / 3
    below = numbers("n", (-50, -1, 1), *((v, v, 1) for v in range(3)))
    ((view,), _) = axis_views([split("a", below), split("b", far)], Limits())
    assert not view.logarithmic


def test_texts_are_shares_in_one_order_for_all_splits() -> None:
    views, _ = axis_views(
        [split("a", texts("form", x=3, y=1)), split("b", texts("form", y=9, z=1))], Limits()
    )
    (view,) = views
    assert view.splits == ("a", "b")
    assert [text for text, _ in view.rows] == ["y", "x", "z"]
    assert [[share.text for share in shares] for _, shares in view.rows] == [
        ["25 %", "90 %"],
        ["75 %", "0 %"],
        ["0 %", "10 %"],
    ]


def test_an_axis_without_values_is_named_and_what_is_cut_is_told() -> None:
    none = Histogram("none", 0, 5, 0, None, None, None, ())
    many = tuple(dataclasses.replace(none, axis=f"axis {i}") for i in range(60))
    views, note = axis_views([split("a", *many)], Limits())
    assert views[0].panels[0].summary == "0 values · 5 rows without"
    assert views[0].panels[0].path == ""
    assert len(views) == 48
    assert note == "Shown: 48 of 60 axes. The JSON report has all."


def test_one_value_in_all_rows_fills_its_room() -> None:
    ((view,), _) = axis_views([split("a", numbers("n", (7, 7, 4)))], Limits())
    assert bars(view.panels[0].path) == [[0, HEIGHT, HEIGHT, WIDTH - 1]]
    assert view.panels[0].summary == "7 · mean 7 · 9 values"
