"""Expected matches: examples by hand, brute force, ties of rounding, letters that never collide."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations

import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.combinatorics.combinatory_pattern_matching import (
    CombinatoryPatternMatching,
    Search,
    _rounded,
)

PATTERNS = {
    "first_last": "a.*b",
    "same_ends": "a.*a",
    "ab_plus": "ab+",
    "a_plus_b": "a+b",
    "ab_star": "ab*",
    "a_star_b": "a*b",
}
PATTERN = {name: kind for kind, name in enumerate(CombinatoryPatternMatching.subtypes)}


def answers(level: int) -> dict[object, str]:
    return {one.tree: one.answer for one in listing_of(CombinatoryPatternMatching((level,))).made}


def tried(search: Search) -> Fraction:
    """Lay all tiles in every order, and match every substring of what is drawn first."""
    pattern = re.compile(PATTERNS[CombinatoryPatternMatching.subtypes[search.kind]])
    names = {search.first: "a", search.second: "b"} | {search.first: "a"}
    tiles = [names.get(i, "c") for i, many in enumerate(search.counts) for _ in range(many)]
    found = rows = 0
    for order in permutations(tiles, search.n):
        row = "".join(order)
        rows += 1
        for start in range(search.n):
            for end in range(start + 1, search.n + 1):
                found += pattern.fullmatch(row[start:end]) is not None
    return Fraction(found, rows)


def test_examples_by_hand() -> None:
    # p then q: 2/4 * 2/3
    assert answers(1)["ab_plus", 2, 2, 2, ("bag2", 2, 2)] == "0.33"
    # 3 pairs of places, each with chance 2/6 * 2/5
    assert answers(2)["first_last", 3, 2, 2, ("bag3", 2, 2, 2)] == "0.40"


@pytest.mark.parametrize("level", [1, 2])
def test_small_ones_by_brute_force(level: int) -> None:
    for one in listing_of(CombinatoryPatternMatching((level,))).made:
        value = tried(one.facts)
        assert abs(value - Fraction(one.answer)) < Fraction(1, 200)


def test_ties_of_rounding_and_zero_are_left_out() -> None:
    # 3/16 * 2/15 = 0.025
    assert _rounded(Search(2, (11, 3, 2), PATTERN["first_last"], 1, 2)) is None
    # 2/16 * 2/15 = 0.01666...
    assert _rounded(Search(2, (12, 2, 2), PATTERN["first_last"], 1, 2)) == "0.02"
    assert _rounded(Search(2, (14, 1, 1), PATTERN["same_ends"], 1, 1)) is None
    assert _rounded(Search(2, (16, 1, 1), PATTERN["first_last"], 1, 2)) is None  # 0.0032...
    for one in listing_of(CombinatoryPatternMatching((7,))).made:
        assert re.fullmatch(r"(?:0|[1-9][0-9]*)\.[0-9]{2}", one.answer)
        assert one.answer != "0.00"


def test_the_letters_of_a_pattern_are_different() -> None:
    generator = CombinatoryPatternMatching()
    problems = generator.draw(Rows.span(3, 0, 2_000))
    prompts = generator.render(problems, Render("instruction", "none")).prompts.to_pylist()
    same = problems.axes["subtype"] == generator.subtypes.index("same_ends")
    for prompt, alike in zip(prompts, same.tolist(), strict=True):
        pattern = next(part for part in prompt.split("'")[1::2] if re.search(r"[.*+]", part))
        letters = re.findall("[a-z]", pattern)
        assert len(letters) == 2
        assert (letters[0] == letters[1]) == alike


def test_the_solution_adds_the_lengths() -> None:
    generator = CombinatoryPatternMatching((2,))
    tree = ("first_last", 3, 2, 2, ("bag3", 2, 2, 2))
    made = next(one for one in listing_of(generator).made if one.tree == tree)
    assert generator.steps(made).splitlines() == [
        "length 2: 2 * 2/15 = 4/15",
        "length 3: 1 * 2/15 = 2/15",
        "sum: 2/5",
        "rounded: 0.40",
    ]


@pytest.mark.parametrize("spread", [-1, 3, True, "1"])
def test_other_spreads_are_refused(spread: object) -> None:
    with pytest.raises(ParamError, match=r"spread=.*an integer from 0 to 2"):
        CombinatoryPatternMatching(spread=spread)  # type: ignore[arg-type]
