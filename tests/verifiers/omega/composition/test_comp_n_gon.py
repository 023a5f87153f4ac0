"""Letters on a rotated polygon from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.comp_n_gon import VERIFIER

END = (
    " Write this value as a fraction in lowest terms (an integer has the denominator one) and give"
    " the sum of its numerator and its denominator, an integer."
)


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "A bag holds 3 tiles marked 'a', 2 tiles marked 'b' and 1 tile marked"
            " 'c'. 6 of these tiles are drawn at random without replacement and laid,"
            " clockwise and in the order in which they are drawn, on the vertices of"
            " a regular 6-gon. A copy of the lettered polygon is turned clockwise by"
            " 2 vertices about its centre and laid on top of it. Take the expected"
            " number of vertices at which the two polygons show the same letter." + END,
            "13",
        ),
        (
            "A bag holds 2 tiles marked 'x' and 2 tiles marked 'y'. 3 of these tiles"
            " are drawn at random without replacement and laid, clockwise and in the"
            " order in which they are drawn, on the vertices of a regular 3-gon. A"
            " copy of the lettered polygon is turned clockwise by 1 vertices about"
            " its centre and laid on top of it. Take the expected number of vertices"
            " at which the two polygons show the same letter." + END,
            "2",
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
            "A bag holds 3 tiles marked 'a', 2 tiles marked 'b' and 1 tile marked"
            " 'c'. 7 of these tiles are drawn at random without replacement and laid,"
            " clockwise and in the order in which they are drawn, on the vertices of"
            " a regular 7-gon. A copy of the lettered polygon is turned clockwise by"
            " 2 vertices about its centre and laid on top of it. Take the expected"
            " number of vertices at which the two polygons show the same letter." + END
        ),
        (
            "A bag holds 3 tiles marked 'a', 2 tiles marked 'b' and 1 tile marked"
            " 'c'. 6 of these tiles are drawn at random without replacement and laid,"
            " clockwise and in the order in which they are drawn, on the vertices of"
            " a regular 6-gon. A copy of the lettered polygon is turned clockwise by"
            " 6 vertices about its centre and laid on top of it. Take the expected"
            " number of vertices at which the two polygons show the same letter." + END
        ),
        (
            "A bag holds 3 tiles marked 'a', 2 tiles marked 'b' and 1 tile marked"
            " 'c'. 6 of these tiles are drawn at random without replacement and laid,"
            " clockwise and in the order in which they are drawn, on the vertices of"
            " a regular 6-gon. A copy of the lettered polygon is turned clockwise by"
            " 0 vertices about its centre and laid on top of it. Take the expected"
            " number of vertices at which the two polygons show the same letter." + END
        ),
        (
            "A bag holds 3 tiles marked 'a' and 1 tiles marked 'b'. 4 of these tiles"
            " are drawn at random without replacement and laid, clockwise and in the"
            " order in which they are drawn, on the vertices of a regular 4-gon. A"
            " copy of the lettered polygon is turned clockwise by 1 vertices about"
            " its centre and laid on top of it. Take the expected number of vertices"
            " at which the two polygons show the same letter." + END
        ),
        (
            "A bag holds 3 tiles marked 'a', 2 tiles marked 'b' and 1 tile marked"
            " 'c'. 06 of these tiles are drawn at random without replacement and"
            " laid, clockwise and in the order in which they are drawn, on the"
            " vertices of a regular 06-gon. A copy of the lettered polygon is turned"
            " clockwise by 1 vertices about its centre and laid on top of it. Take"
            " the expected number of vertices at which the two polygons show the same"
            " letter." + END
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "A bag holds 3 tiles marked 'a', 2 tiles marked 'b' and 1 tile marked 'c'. 6"
        " of these tiles are drawn at random without replacement and laid, clockwise"
        " and in the order in which they are drawn, on the vertices of a regular"
        " 6-gon. A copy of the lettered polygon is turned clockwise by 2 vertices"
        " about its centre and laid on top of it. Take the expected number of"
        " vertices at which the two polygons show the same letter." + END
    )
    way = "equal pairs: 3 * 2 + 2 * 1 = 8 of 6 * 5 = 30\n6 * 8/30 = 8/5: 8 + 5 = 13"
    assert accepts(prompt, "13", way)
    for other in [
        "6 * 8/30 = 8/5: 8 + 5 = 13",
        "equal pairs: 3 * 2 = 6 of 6 * 5 = 30\n6 * 8/30 = 8/5: 8 + 5 = 13",
        "",
    ]:
        assert not accepts(prompt, "13", other)
