"""Letters on a rotated polygon: the example, brute force, and the size of the space."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from synthgen.core.errors import ParamError
from synthgen.generators.omega.composition.comp_n_gon import CompNGon, _problems


def expected(n: int, tiles: str, turn: int, letter: str = "") -> Fraction:
    """Average over all rows of tiles, by definition."""
    meetings = rows = 0
    for row in permutations(tiles, n):
        rows += 1
        pairs = [(row[i], row[(i + turn) % n]) for i in range(n)]
        meetings += sum(p == q and letter in ("", p) for p, q in pairs)
    return Fraction(meetings, rows)


def answers(n: int, counts: tuple[int, ...], turn: int) -> list[str]:
    return [made.answer for made in _problems(n, counts, turn)]


def test_the_example_of_the_sheet() -> None:
    assert answers(6, (3, 2, 1), 1)[0] == "13"  # 6 * 8/30 = 8/5


@pytest.mark.parametrize(
    ("n", "counts", "turn"), [(3, (2, 2), 1), (4, (3, 2), 2), (5, (2, 2, 1), 2), (4, (4, 2), 1)]
)
def test_answers_are_averages_over_all_rows(n: int, counts: tuple[int, ...], turn: int) -> None:
    tiles = "".join(letter * count for letter, count in zip("abc", counts, strict=False))
    values = [expected(n, tiles, turn)]
    values += [
        expected(n, tiles, turn, letter)
        for place, letter in enumerate("abc"[: len(counts)])
        if counts[place] > 1 and counts[place] not in counts[:place]
    ]
    assert answers(n, counts, turn) == [str(v.numerator + v.denominator) for v in values]


def test_the_space_is_what_is_listed() -> None:
    assert [CompNGon(levels=(level,)).space for level in range(1, 6)] == [87, 395, 777, 2547, 5368]
    assert CompNGon().fewest_problems == 9_174
    assert CompNGon(levels=(1,), repeats=3).space == 3 * 87


def test_bad_params_are_refused() -> None:
    with pytest.raises(ParamError, match=r"repeats=0"):
        CompNGon(repeats=0)
    with pytest.raises(ParamError, match=r"levels=\(6,\)"):
        CompNGon(levels=(6,))
