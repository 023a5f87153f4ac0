"""Right angles between chords from the text: published examples, defects, wrong ways."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.geometry.geometry_polygon_chords import VERIFIER

QUESTION = (
    "The vertices of a regular polygon with {} sides are numbered in order, beginning with one. "
    "The diagonals {} are drawn, each named by its two ends. How many pairs of these diagonals "
    "meet at a right angle, inside the polygon or at one of its vertices? Give an integer."
)
EIGHT = QUESTION.format(8, "(1, 5), (3, 7), (2, 6), (1, 4), (4, 7)")
TWELVE = QUESTION.format(12, "(1, 7), (4, 10), (2, 5), (3, 12), (6, 9), (1, 10)")
APART = QUESTION.format(14, "(14, 11), (1, 3), (1, 8)")
WAY = "(14, 11): direction 11\n(1, 3): direction 4\n(1, 8): direction 9\n(14, 11) and (1, 3): apart"


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (EIGHT, "1"),
        (TWELVE, "1"),
        (QUESTION.format(4, "(1, 3), (4, 2)"), "1"),
        (QUESTION.format(6, "(1, 4), (3, 1), (3, 6), (2, 6)"), "1"),
        (QUESTION.format(5, "(1, 3), (2, 4), (5, 3)"), "0"),
        (QUESTION.format(12, "(1, 7)"), "0"),
        (QUESTION.format(60, "(1, 31), (16, 46), (30, 2)"), "2"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    for wrong in (str(int(answer) + 1), "", "01"):
        assert not accepts(prompt, wrong)
        assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([wrong])).any()


def test_lines_that_meet_outside_the_polygon_do_not_count() -> None:
    """The published generator counts the perpendicular lines (14, 11) and (1, 3) as a pair."""
    assert VERIFIER.answer(APART) == "0"
    assert accepts(APART, "0", f"{WAY}\ncount: 0")


@pytest.mark.parametrize(
    ("n", "pairs"),
    [
        *((8, "(1, 9)"), (8, "(0, 4)"), (8, "(1, 2)"), (8, "(1, 8)"), (8, "(3, 3)")),
        *((8, "(1, 4), (4, 1)"), (8, "(1, 4), (1, 4)"), (2, "(1, 2)"), (61, "(1, 4)")),
        *((8, "(1,4)"), (8, "1-4"), (8, ""), (8, "(1, 4), "), (8, "(1, 4, 6)")),
    ],
)
def test_other_statements_are_none_of_this_family(n: int, pairs: str) -> None:
    prompt = QUESTION.format(n, pairs)
    assert VERIFIER.answer(prompt) is None
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array(["0"])).any()


@pytest.mark.parametrize(
    "way",
    [
        *("", "count: 0", WAY, f"{WAY}\ncount: 1", f"{WAY}\ncount: 0\n"),
        WAY.replace("apart", "meet") + "\ncount: 0",
        WAY.replace("direction 4", "direction 5") + "\ncount: 0",
        f"{WAY}\n(1, 3) and (1, 8): apart\ncount: 0",
    ],
)
def test_steps_must_be_right(way: str) -> None:
    assert not accepts(APART, "0", way)
