from __future__ import annotations

from itertools import pairwise

from synthgen.audit.blocks import Bars
from synthgen.audit.html_charts import WIDTH, bars_view
from synthgen.audit.html_tables import Limits


def chart(labels: tuple[str, ...], *rows: tuple[float, ...]) -> Bars:
    return Bars("t", "x", "y", labels, tuple(f"s{i}" for i in range(len(rows))), rows)


def test_ordered_values_stand_and_long_names_lie() -> None:
    numbers = tuple(f"{i}–{i + 9}" for i in range(0, 400, 10))
    assert not bars_view(chart(numbers, (1.0,) * 40), Limits()).horizontal
    assert not bars_view(chart(("a", "b"), (1.0, 2.0)), Limits()).horizontal
    assert bars_view(chart(("all of the pairs seen",) * 5, (1.0,) * 5), Limits()).horizontal


def test_heights_follow_values() -> None:
    view = bars_view(chart(("a", "b", "c"), (0.0, 5.0, 10.0)), Limits())
    none, half, whole = (bar.height for bar in view.bars)
    assert none == 0
    assert abs(2 * half - whole) < 0.2
    assert all(abs(bar.y + bar.height - view.zero) < 0.1 for bar in view.bars)


def test_bars_below_zero_hang() -> None:
    up, down = bars_view(chart(("a", "b"), (3.0, -3.0)), Limits()).bars
    assert up.y + up.height == down.y


def test_bars_of_series_stand_beside_each_other_inside_the_drawing() -> None:
    view = bars_view(chart(tuple("abcde"), *[(1.0,) * 5] * 3), Limits())
    spans = sorted((bar.x, bar.x + bar.width) for bar in view.bars)
    assert len(spans) == 15
    assert all(end <= start + 0.2 for (_, end), (start, _) in pairwise(spans))
    assert spans[0][0] >= view.plot[0]
    assert spans[-1][1] <= WIDTH


def test_labels_that_have_no_room_are_left_out() -> None:
    view = bars_view(chart(tuple(str(i) for i in range(60)), (1.0,) * 60), Limits())
    places = [label.x for label in view.labels]
    assert 5 < len(places) < 30
    assert min(b - a for a, b in pairwise(places)) > 14
    assert len(view.table.rows) == 60


def test_what_is_cut_is_told() -> None:
    view = bars_view(chart(tuple(str(i) for i in range(99)), *[(1.0,) * 99] * 9), Limits())
    assert view.table.note == "Shown: 60 of 99 labels, 8 of 9 series. The JSON report has all."


def test_bars_too_thin_to_see_become_curves() -> None:
    labels = tuple(str(i) for i in range(40))
    view = bars_view(chart(labels, *[tuple(map(float, range(40)))] * 5), Limits())
    assert view.bars == ()
    assert [series for series, _ in view.curves] == [0, 1, 2, 3, 4]
    assert all(path.count("L") == 39 for _, path in view.curves)


def test_no_zero_is_written_next_to_horizontal_bars() -> None:
    view = bars_view(chart(("all of the pairs seen",) * 6, (0.0, 5.0, 0, 1, 2, 0)), Limits())
    assert [end.text for end in view.ends] == ["5", "1", "2"]
