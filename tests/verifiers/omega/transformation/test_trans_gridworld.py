"""Lattice paths by turns from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.transformation.trans_gridworld import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "A path on the square grid leads from the origin to the point (9, 9) by"
            " steps of length one to the right or up. A turn is a point of the path"
            " where a step to the right is directly followed by a step up, or the"
            " other way round. How many such paths have exactly 4 turns? Give an"
            " integer.",
            "448",
        ),
        (
            "A path on the square grid leads from the origin to the point (8, 8) by"
            " steps of length one to the right or up. A turn is a point of the path"
            " where a step to the right is directly followed by a step up, or the"
            " other way round. How many such paths have exactly 4 turns? Give an"
            " integer.",
            "294",
        ),
        (
            "A path on the square grid leads from the origin to the point (1, 1) by"
            " steps of length one to the right or up. A turn is a point of the path"
            " where a step to the right is directly followed by a step up, or the"
            " other way round. How many such paths have exactly 1 turns? Give an"
            " integer.",
            "2",
        ),
        (
            "A path on the square grid leads from the origin to the point (2, 3) by"
            " steps of length one to the right or up. A turn is a point of the path"
            " where a step to the right is directly followed by a step up, or the"
            " other way round. How many such paths have exactly 2 turns? Give an"
            " integer.",
            "3",
        ),
    ],
)
def test_examples_by_hand(prompt: str, answer: str) -> None:
    assert accepts(prompt, answer)
    assert VERIFIER.symbolic(pa.array([prompt]), pa.array([answer])).all()
    wrong = str(int(answer) + 1)
    assert not accepts(prompt, wrong)
    assert not VERIFIER.symbolic(pa.array([prompt]), pa.array([wrong])).any()


@pytest.mark.parametrize(
    "statement",
    [
        (
            "A path on the square grid leads from the origin to the point (0, 9) by"
            " steps of length one to the right or up. A turn is a point of the path"
            " where a step to the right is directly followed by a step up, or the"
            " other way round. How many such paths have exactly 4 turns? Give an"
            " integer."
        ),
        (
            "A path on the square grid leads from the origin to the point (99, 9) by"
            " steps of length one to the right or up. A turn is a point of the path"
            " where a step to the right is directly followed by a step up, or the"
            " other way round. How many such paths have exactly 4 turns? Give an"
            " integer."
        ),
        (
            "A path on the square grid leads from the origin to the point (9, -9) by"
            " steps of length one to the right or up. A turn is a point of the path"
            " where a step to the right is directly followed by a step up, or the"
            " other way round. How many such paths have exactly 4 turns? Give an"
            " integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "A path on the square grid leads from the origin to the point (9, 9) by steps"
        " of length one to the right or up. A turn is a point of the path where a"
        " step to the right is directly followed by a step up, or the other way"
        " round. How many such paths have exactly 4 turns? Give an integer."
    )
    way = "4 turns: 224 + 224 = 448\npaths: 448"
    assert accepts(prompt, "448", way)
    for other in ["4 turns: 448\npaths: 448", "paths: 448"]:
        assert not accepts(prompt, "448", other)
