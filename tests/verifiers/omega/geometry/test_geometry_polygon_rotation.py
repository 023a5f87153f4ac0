"""Pieces of polygons from the text: published examples, known numbers, wrong ways."""

from __future__ import annotations

from itertools import combinations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.geometry import geometry_polygon_rotation
from synthgen.verifiers.omega.geometry.geometry_polygon_rotation import VERIFIER

QUESTION = (
    "The vertices of a regular {0}-gon are numbered in order, beginning with one, and the "
    "diagonals {1} are drawn, each named by its two ends. The drawing is then rotated about the "
    "centre by {2}/{0} of a full turn, in the direction of the numbering, and put on top of the "
    "first one; lines that fall together count as one. How many of the smallest pieces into which "
    "all lines cut the polygon have exactly {3} sides? Give an integer."
)
EIGHT = QUESTION.format(8, "(1, 4), (7, 3)", 2, 4)
WAY = (
    "lines: (1, 4), (1, 5), (3, 6), (3, 7)\npieces: 9\n"
    "by sides: 4 with 3 sides, 5 with 4 sides\nwith 4 sides: 5"
)


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (QUESTION.format(6, "(1, 4)", 1, 3), "2"),
        (EIGHT, "5"),
        (QUESTION.format(6, "(1, 4)", 3, 4), "2"),
        (QUESTION.format(6, "(1, 4), (2, 5)", 1, 3), "6"),
        (QUESTION.format(6, "(1, 3), (3, 5), (1, 5)", 2, 3), "4"),
        (QUESTION.format(5, "(3, 1)", 1, 4), "1"),
        (QUESTION.format(5, "(3, 1)", 1, 7), "0"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    assert not accepts(prompt, str(int(answer) + 1))
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([str(int(answer) + 1)])).any()


@pytest.mark.parametrize(("n", "regions"), [(6, 24), (8, 80), (9, 154), (12, 444)])
def test_all_diagonals_cut_known_numbers_of_regions(n: int, regions: int) -> None:
    """Regions of a regular n-gon with all diagonals (Poonen and Rubinstein 1998), both ways."""
    lines = tuple((a, b) for a, b in combinations(range(n), 2) if (b - a) % n not in (1, n - 1))
    pieces = geometry_polygon_rotation._pieces(n, lines)
    assert pieces.total() == regions
    for sides in range(3, 8):
        assert geometry_polygon_rotation._corners((n, lines, sides)) == str(pieces[sides])


@pytest.mark.parametrize(
    "prompt",
    [
        *(QUESTION.format(8, "(1, 9)", 1, 3), QUESTION.format(8, "(1, 2)", 1, 3)),
        *(QUESTION.format(8, "(0, 4)", 1, 3), QUESTION.format(8, "(4, 4)", 1, 3)),
        *(QUESTION.format(8, "(1, 4)", 0, 3), QUESTION.format(8, "(1, 4)", 8, 3)),
        *(QUESTION.format(31, "(1, 4)", 1, 3), QUESTION.format(8, "", 1, 3)),
        EIGHT.replace("2/8", "2/9"),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None


@pytest.mark.parametrize(
    "way",
    [
        *("", WAY + "\n", WAY.replace("pieces: 9", "pieces: 8"), WAY.replace("(1, 5), ", "")),
        WAY.replace("4 with 3 sides, ", ""),
        WAY.replace("sides: 5", "sides: 4"),
    ],
)
def test_steps_must_be_right(way: str) -> None:
    assert accepts(EIGHT, "5", WAY)
    assert not accepts(EIGHT, "5", way)
