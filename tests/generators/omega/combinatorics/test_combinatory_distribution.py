"""Ways to fill boxes: examples by hand, brute force, and the sizes of the levels."""

from __future__ import annotations

from itertools import permutations

import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.omega._listed import listing_of
from synthgen.generators.omega.combinatorics._fillings import fillings
from synthgen.generators.omega.combinatorics._partitions import partitions
from synthgen.generators.omega.combinatorics.combinatory_distribution import (
    CombinatoryDistribution,
)


def tried(counts: tuple[int, ...], sizes: tuple[int, ...], *, alike: bool) -> int:
    """Lay the tiles in every order, cut the row into boxes, and count what is different."""
    tiles = [letter for letter, many in enumerate(counts) for _ in range(many)]
    seen = set()
    for row in set(permutations(tiles)):
        boxes, at = [], 0
        for size in sizes:
            boxes.append(tuple(sorted(row[at : at + size])))
            at += size
        seen.add(tuple(sorted(boxes)) if alike else tuple(boxes))
    return len(seen)


def test_examples_by_hand() -> None:
    assert fillings((2, 2), (2, 2), alike=True) == 2  # aa|bb and ab|ab
    assert fillings((2, 2), (2, 2), alike=False) == 3
    assert fillings((3, 2, 1), (2, 2, 2), alike=False) == 15
    assert fillings((3, 2, 1), (2, 2, 2), alike=True) == 3
    assert fillings((3, 3, 3, 2, 2), (3, 3, 3, 2, 2), alike=False) == 34_392


@pytest.mark.parametrize("alike", [False, True])
def test_small_ones_by_brute_force(alike: bool) -> None:
    for counts in [*partitions(6, 3), *partitions(5, 2), (2, 2, 1, 1)]:
        for sizes in partitions(sum(counts), 3):
            assert fillings(counts, sizes, alike=alike) == tried(counts, sizes, alike=alike)


def test_the_published_levels_have_all_problems_up_to_renaming() -> None:
    sizes = [CombinatoryDistribution(levels=(level,)).space for level in range(1, 9)]
    assert sizes[:6] == [8, 18, 50, 242, 450, 648]
    assert min(size for size in sizes[6:] if size) >= 1_000


def test_the_columns_describe_the_problem_of_the_text() -> None:
    generator = CombinatoryDistribution(levels=(2,), repeats=4)
    problems = generator.draw(Rows.span(3, 0, generator.space or 0))
    texts = generator.render(problems, Render("instruction", "none"))
    names = [name.as_py() for name in texts.prompts]
    made = listing_of(generator).made
    for i, prompt in enumerate(names):
        sizes, counts = made[problems.parts["index"][i]].facts
        assert f"{len(sizes)} " in prompt
        assert problems.axes["n_tiles"][i] == sum(sizes) == sum(counts)
        for size in sizes:
            assert str(size) in prompt
        letters = [char for part in prompt.split("'")[1::2] for char in part]
        assert len(set(letters)) == len(counts) == problems.axes["n_letters"][i]


def test_numbers_of_boxes_and_letters_can_differ_with_a_spread() -> None:
    made = listing_of(CombinatoryDistribution(levels=(2,), spread=1)).made
    assert {(len(sizes), len(counts)) for sizes, counts in (one.facts for one in made)} == {
        (boxes, kinds) for boxes in (2, 3, 4) for kinds in (2, 3, 4)
    }
    assert {sum(one.facts[0]) for one in made} == {5, 6, 7}


@pytest.mark.parametrize("spread", [-1, 3, True, "1"])
def test_other_spreads_are_refused(spread: object) -> None:
    with pytest.raises(ParamError, match=r"spread=.*an integer from 0 to 2"):
        CombinatoryDistribution(spread=spread)  # type: ignore[arg-type]
