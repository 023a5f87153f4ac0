"""Puzzles of houses: published examples, one solution, no spare clue, one tree for all images."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.generators.omega.logic import _zebra_solver as solver
from synthgen.generators.omega.logic._zebra_form import tree_of
from synthgen.generators.omega.logic._zebra_text import Puzzle
from synthgen.generators.omega.logic._zebra_words import CATEGORIES
from synthgen.generators.omega.logic.logic_zebralogic import LogicZebralogic

SAME, APART, LEFT, JUST_LEFT = solver.SAME, solver.APART, solver.LEFT, solver.JUST_LEFT
NEXT, GAP, AT, NOT_AT = solver.NEXT, solver.GAP, solver.AT, solver.NOT_AT
Clue = tuple[int, int, int]


def true_of(clue: Clue, table: tuple[int, ...]) -> bool:
    kind, u, v = clue
    here, there = table[u], v if kind in (AT, NOT_AT) else table[v]
    if kind in (SAME, APART, AT, NOT_AT):
        return (here == there) == (kind in (SAME, AT))
    if kind in (LEFT, JUST_LEFT):
        return here < there and (kind == LEFT or here + 1 == there)
    return abs(here - there) == (1 if kind == NEXT else 2)


def tables(n: int, m: int) -> list[tuple[int, ...]]:
    orders = list(permutations(range(n)))
    return [tuple(h for order in some for h in order) for some in product(orders, repeat=m)]


def has_other(clues: list[Clue], n: int, m: int, skipped: int = -1) -> bool:
    stack = np.empty((solver.MOST_VALUES + 1, solver.MOST_VALUES), np.int64)
    other = np.empty(solver.MOST_VALUES, np.int64)
    told = np.array(clues, np.int64).reshape(-1, 3)
    return bool(solver.find_other(told, skipped, n, m, stack, other))


def puzzles(rows: int, level: int) -> list[Puzzle]:
    problems = LogicZebralogic(levels=(level,)).draw(Rows.span(3, 0, rows))
    return [made.facts for made in problems.parts["made"]]


def test_examples_by_hand() -> None:
    """Value h of category c is number c * n + h: people, animals, drinks by house."""
    two = [(SAME, 0, 2), (AT, 3, 1)]  # the cat owner is Bo; the dog is in the other house
    assert not has_other(two, 2, 2)
    assert has_other(two[:1], 2, 2)
    ana, _, bo, _, cat, owl, _, pekoe, oolong = range(9)
    three = [
        *((AT, bo, 2), (JUST_LEFT, ana, cat), (SAME, cat, pekoe)),
        *((SAME, owl, oolong), (SAME, bo, oolong)),
    ]
    assert not has_other(three, 3, 3)  # so the dog, the animal of house 1, is Ana's
    assert all(has_other(three, 3, 3, skipped) for skipped in range(len(three)))


@pytest.mark.parametrize("level", [1, 2])
def test_one_solution_and_no_spare_clue_by_all_tables(level: int) -> None:
    for puzzle in puzzles(60, level):
        known = tuple(range(puzzle.n)) * puzzle.m
        every = tables(puzzle.n, puzzle.m)
        assert [t for t in every if all(true_of(c, t) for c in puzzle.clues)] == [known]
        for spared in puzzle.clues:
            rest = [clue for clue in puzzle.clues if clue != spared]
            assert sum(all(true_of(c, t) for c in rest) for t in every) > 1


@pytest.mark.parametrize("level", [3, 4, 5, 6])
def test_sizes_of_levels_and_clues_that_hold(level: int) -> None:
    shapes = set()
    for puzzle in puzzles(40, level):
        known = tuple(range(puzzle.n)) * puzzle.m
        assert max(puzzle.n, puzzle.m) == level + 1
        assert min(puzzle.n, puzzle.m) >= 2
        assert all(true_of(clue, known) for clue in puzzle.clues)
        assert len(set(puzzle.clues)) == len(puzzle.clues)
        assert not has_other(list(puzzle.clues), puzzle.n, puzzle.m)
        shapes.add((puzzle.n, puzzle.m))
    assert len(shapes) > level


def test_every_shape_of_a_level_is_equally_frequent() -> None:
    counts = Counter((puzzle.n, puzzle.m) for puzzle in puzzles(1_200, 2))
    assert set(counts) == {(2, 3), (3, 2), (3, 3)}
    assert min(counts.values()) > 330


def test_no_clue_alone_answers_the_question() -> None:
    for puzzle in puzzles(300, 1) + puzzles(100, 3):
        answer, named = puzzle.question
        assert answer // puzzle.n != named // puzzle.n
        assert (SAME, *sorted((answer, named))) not in {
            (kind, *sorted((u, v))) for kind, u, v in puzzle.clues
        }
        assert named >= 0 or (AT, answer, answer % puzzle.n) not in puzzle.clues
        assert named < 0 or named % puzzle.n == answer % puzzle.n


def universe(n: int, m: int) -> list[Clue]:
    """Every clue that is true of the known solution, those of symmetric meaning once."""
    known, found = tuple(range(n)) * m, []
    for u in range(n * m):
        found += [(kind, u, h) for kind in (AT, NOT_AT) for h in range(n)]
        for v in range(n * m):
            for kind in (SAME, APART, LEFT, JUST_LEFT, NEXT, GAP):
                symmetric = kind in (SAME, APART, NEXT, GAP)
                if u != v and not (symmetric and u > v):
                    found.append((kind, u, v))
    return [
        (kind, u, v)
        for kind, u, v in found
        if true_of((kind, u, v), known) and not (kind in (SAME, APART) and u // n == v // n)
    ]


def test_the_lowest_level_has_two_hundred_problems() -> None:
    """All sets of clues that leave one solution, none of them spare, with every question."""
    others = [table for table in tables(2, 2) if table != (0, 1, 0, 1)]
    out = {c: {t for t in others if not true_of(c, t)} for c in universe(2, 2)}
    enough = [
        some
        for k in (1, 2, 3)
        for some in combinations(out, k)
        if set().union(*(out[c] for c in some)) == set(others)
        and all(set().union(*(out[c] for c in some if c != d)) != set(others) for d in some)
    ]
    assert max(map(len, enough)) == 2
    trees = set()
    for some in enough:
        for answer in range(4):
            named = answer ^ 2
            if (AT, answer, answer % 2) not in some:
                trees.add(tree_of(2, 2, some, (answer, -1)))
            if (SAME, min(answer, named), max(answer, named)) not in some:
                trees.add(tree_of(2, 2, some, (answer, named)))
    assert len(trees) == LogicZebralogic(levels=(1,)).fewest_problems
    problems = LogicZebralogic(levels=(1,)).draw(Rows.span(3, 0, 6_000))
    drawn = {made.tree for made in problems.parts["made"] if made}
    assert drawn <= trees
    assert len(drawn) > 190


def test_the_second_level_has_more_than_a_thousand_problems() -> None:
    generator = LogicZebralogic(levels=(2,))
    problems = generator.draw(Rows.span(3, 0, 1_500))
    assert len(np.unique(problems.keys[problems.valid], axis=0)) > 1_000
    assert generator.fewest_problems is None


def image(puzzle: Puzzle, order: list[int], *, mirrored: bool) -> Any:
    """Number the categories otherwise, and the houses from the other end."""
    n = puzzle.n

    def moved(value: int) -> int:
        house = n - 1 - value % n if mirrored else value % n
        return order[value // n] * n + house

    clues = []
    for kind, u, v in puzzle.clues:
        if kind in (AT, NOT_AT):
            clues.append((kind, moved(u), n - 1 - v if mirrored else v))
        elif mirrored or kind in (SAME, NEXT):
            clues.append((kind, moved(v), moved(u)))
        else:
            clues.append((kind, moved(u), moved(v)))
    answer, named = puzzle.question
    return clues, (moved(answer), named if named < 0 else moved(named))


@settings(max_examples=60, deadline=None, database=None)
@given(st.integers(1, 6), st.integers(0, 10**6), st.randoms(use_true_random=False), st.booleans())
def test_images_have_one_tree(level: int, address: int, random: Any, mirrored: bool) -> None:
    problems = LogicZebralogic(levels=(level,)).draw(Rows.span(3, address, address + 1))
    made = problems.parts["made"][0]
    order = random.sample(range(made.facts.m), made.facts.m)
    clues, question = image(made.facts, order, mirrored=mirrored)
    random.shuffle(clues)
    assert tree_of(made.facts.n, made.facts.m, clues, question) == made.tree


def test_other_questions_and_clues_are_other_problems() -> None:
    clues = [(SAME, 0, 2), (AT, 3, 1)]
    one = tree_of(2, 2, clues, (0, -1))
    assert one == ("zebra2", 2, 2, ("by_house", "B1"), ("same", "A1", "B1"), ("at", "A2"))
    assert tree_of(2, 2, clues, (1, -1)) != one
    assert tree_of(2, 2, clues, (0, 2)) != one
    assert tree_of(2, 2, [(SAME, 0, 2), (NOT_AT, 3, 0)], (0, -1)) != one


def test_the_place_of_the_answer_is_uniform_and_the_table_ends_with_it() -> None:
    generator = LogicZebralogic(levels=(3,))
    problems = generator.draw(Rows.span(3, 0, 600))
    texts = generator.render(problems, Render("instruction", "steps"))
    assert texts.solutions is not None
    by_houses: dict[int, Counter[str]] = {2: Counter(), 3: Counter(), 4: Counter()}
    rows = zip(
        problems.parts["made"], texts.answers.to_pylist(), texts.solutions.to_pylist(), strict=True
    )
    for made, answer, way in rows:
        by_houses[made.facts.n][answer] += 1
        assert way.count("\n") == made.facts.n
        assert way.endswith(f", number {answer}")
    assert {n: len(counts) for n, counts in by_houses.items()} == {2: 2, 3: 3, 4: 4}
    assert max(by_houses[4].values()) < 0.35 * by_houses[4].total()


def test_no_value_has_the_name_of_another() -> None:
    values = [value for category in CATEGORIES for value in category.values]
    assert len(set(values)) == len(values)
    assert len(CATEGORIES) >= solver.MOST_CATEGORIES
    assert all(len(category.values) >= solver.MOST_HOUSES for category in CATEGORIES)
