"""Coloured polygons from the text: published examples, ill-posed texts, wrong ways."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.geometry.geometry_polygon_color import VERIFIER

NAMES = {"R": "red", "B": "blue", "?": "uncoloured", "G": "green"}
BEST = (
    "Going around a regular {}-gon, the colours of its vertices are {}. Of all rotations that "
    "carry the polygon onto itself, take one that moves as many red vertices as possible to places "
    "of blue vertices. How many does it move there? Answer with an integer."
)
PAINT = (
    "Going around a regular {}-gon, its vertices are {}. The uncoloured ones are to be coloured "
    "red or blue. Count the colourings for which the polygon can be turned about its centre, "
    "vertices onto vertices, so that no red vertex ends where a red vertex was before. Answer with "
    "an integer."
)
TURN = (
    "{0} lamps stand at equal distances around a wheel; clockwise they are {1}. The wheel makes "
    "{2}/{0} of a full turn clockwise. How many red lamps are now where a blue lamp was at first? "
    "The answer is an integer."
)


def told(question: str, word: str, turn: int = 0) -> str:
    return question.format(len(word), ", ".join(NAMES[letter] for letter in word), turn)


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (told(BEST, "RBRRBBRB"), "3"),
        (told(PAINT, "RB?R?B?"), "3"),
        (told(TURN, "RRBB", 2), "2"),
        (told(TURN, "RRBB", 1), "1"),
        (told(BEST, "RBRB"), "2"),
        (told(PAINT, "R?B"), "1"),
        (told(TURN, "RRRB", 3), "1"),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    for wrong in (str(int(answer) + 1), str(int(answer) - 1), ""):
        assert not accepts(prompt, wrong)
        assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([wrong])).any()


@pytest.mark.parametrize(
    "prompt",
    [
        *(told(BEST, "RRRR"), told(BEST, "BBBB"), told(BEST, "RBG"), told(BEST, "RB?")),
        *(told(PAINT, "RBRB"), told(PAINT, "RR?"), told(TURN, "RRBB", 0), told(TURN, "RRBB", 4)),
        *(told(TURN, "RR?B", 1), told(BEST, "RB"), told(BEST, "RB" * 16)),
        told(BEST, "RBRB").replace("4-gon", "5-gon"),
        told(BEST, "RBRB").replace("of blue", "of red"),
        told(BEST, "RBRB").replace("many red", "many uncoloured"),
        told(PAINT, "RB" + "?" * 9),
        told(TURN, "RRBB", 1).replace("1/4", "1/5"),
    ],
)
def test_other_statements_are_none_of_this_family(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None
    assert not VERIFIER.symbolic(pa.array([prompt] * 4), pa.array(["0", "1", "2", "3"])).any()


def by_turning(word: str) -> list[int]:
    """Return for every turn how many R of a word come to places of B."""
    turned = (word[len(word) - turn :] + word[: len(word) - turn] for turn in range(len(word)))
    return [sum(a == "R" and b == "B" for a, b in zip(way, word, strict=True)) for way in turned]


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_both_ways_are_right_about_all_small_polygons(n: int) -> None:
    prompts, answers = list[str](), list[str]()
    for letters in product("RB?", repeat=n):
        word = "".join(letters)
        if not {"R", "B"} <= set(word):
            continue
        if "?" not in word:
            counts = by_turning(word)
            prompts += [told(BEST, word), *(told(TURN, word, turn) for turn in range(1, n))]
            answers += map(str, [max(counts), *counts[1:]])
            continue
        ways = product("RB", repeat=word.count("?"))
        wholes = (word.replace("?", "{}").format(*way) for way in ways)
        good = [whole for whole in wholes if whole.count("R") in by_turning(whole)]
        prompts.append(told(PAINT, word))
        answers.append(str(len(good)))
    assert VERIFIER.check(pa.array(prompts), pa.array(answers), None).all()
    assert VERIFIER.symbolic(pa.array(prompts), pa.array(answers)).all()


BEST_WAY = "turn 0: 0\nturn 1: 1\nturn 2: 2\nturn 3: 1\nlargest: 2"


@pytest.mark.parametrize(
    ("prompt", "answer", "way", "right"),
    [
        (told(BEST, "RRBB"), "2", BEST_WAY, True),
        (told(BEST, "RRBB"), "2", BEST_WAY.replace("1: 1", "1: 2"), False),
        (told(BEST, "RRBB"), "2", "turn 2: 2\nlargest: 2", False),
        (told(TURN, "RRBB", 1), "1", "2 to 3\ncount: 1", True),
        (told(TURN, "RRBB", 1), "1", "1 to 2\ncount: 1", False),
        (told(TURN, "RRBB", 1), "1", "count: 1", False),
        (told(PAINT, "R?B"), "1", "red: none\nblue: turn 1\nways: 1", True),
        (told(PAINT, "R?B"), "1", "red: none\nblue: turn 2\nways: 1", True),
        (told(PAINT, "R?B"), "1", "red: none\nblue: turn 0\nways: 1", False),
        (told(PAINT, "R?B"), "1", "red: none\nblue: none\nways: 1", False),
        (told(PAINT, "R?B"), "1", "red: turn 1\nblue: turn 1\nways: 1", False),
        (told(PAINT, "R?B"), "1", "blue: turn 1\nred: none\nways: 1", False),
        (told(PAINT, "R?B"), "1", "ways: 1", False),
    ],
)
def test_ways(prompt: str, answer: str, way: str, *, right: bool) -> None:
    assert accepts(prompt, answer, way) == right
