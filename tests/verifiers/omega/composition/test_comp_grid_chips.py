"""Full boards of chips from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.comp_grid_chips import VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (
            "Each cell of a board with 5 rows and 5 columns may hold one chip, which"
            " is red or blue, or stay empty. All chips in the same row must have the"
            " same colour, and all chips in the same column must have the same"
            " colour. Call such a placement full if no chip of any of these colours"
            " can be put into an empty cell without breaking the rules. How many full"
            " placements are there? Placements that differ by a rotation or a"
            " reflection of the board count separately. Give an integer.",
            "902",
        ),
        (
            "Each cell of a board with 4 rows and 6 columns may hold one chip, which"
            " is red or blue, or stay empty. All chips in the same row must have the"
            " same colour, and all chips in the same column must have the same"
            " colour. Call such a placement full if no chip of any of these colours"
            " can be put into an empty cell without breaking the rules. How many full"
            " placements are there? Placements that differ by a rotation or a"
            " reflection of the board count separately. Give an integer.",
            "870",
        ),
        (
            "Each cell of a board with 2 rows and 2 columns may hold one chip, which"
            " is red or blue, or stay empty. All chips in the same row must have the"
            " same colour, and all chips in the same column must have the same"
            " colour. Call such a placement full if no chip of any of these colours"
            " can be put into an empty cell without breaking the rules. In how many"
            " full placements is the cell in the top left corner empty? Give an"
            " integer.",
            "2",
        ),
        (
            "Each cell of a board with 2 rows and 2 columns may hold one chip, which"
            " is red, blue or green, or stay empty. All chips in the same row must"
            " have the same colour, and all chips in the same column must have the"
            " same colour. Call such a placement full if no chip of any of these"
            " colours can be put into an empty cell without breaking the rules. How"
            " many full placements are there? Placements that differ by a rotation or"
            " a reflection of the board count separately. Give an integer.",
            "15",
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
            "Each cell of a board with 1 rows and 5 columns may hold one chip, which"
            " is red or blue, or stay empty. All chips in the same row must have the"
            " same colour, and all chips in the same column must have the same"
            " colour. Call such a placement full if no chip of any of these colours"
            " can be put into an empty cell without breaking the rules. How many full"
            " placements are there? Placements that differ by a rotation or a"
            " reflection of the board count separately. Give an integer."
        ),
        (
            "Each cell of a board with 99 rows and 5 columns may hold one chip, which"
            " is red or blue, or stay empty. All chips in the same row must have the"
            " same colour, and all chips in the same column must have the same"
            " colour. Call such a placement full if no chip of any of these colours"
            " can be put into an empty cell without breaking the rules. How many full"
            " placements are there? Placements that differ by a rotation or a"
            " reflection of the board count separately. Give an integer."
        ),
        (
            "Each cell of a board with 5 rows and 5 columns may hold one chip, which"
            " is red or green, or stay empty. All chips in the same row must have the"
            " same colour, and all chips in the same column must have the same"
            " colour. Call such a placement full if no chip of any of these colours"
            " can be put into an empty cell without breaking the rules. How many full"
            " placements are there? Placements that differ by a rotation or a"
            " reflection of the board count separately. Give an integer."
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "Each cell of a board with 3 rows and 2 columns may hold one chip, which is"
        " red or blue, or stay empty. All chips in the same row must have the same"
        " colour, and all chips in the same column must have the same colour. Call"
        " such a placement full if no chip of any of these colours can be put into an"
        " empty cell without breaking the rules. How many full placements are there?"
        " Placements that differ by a rotation or a reflection of the board count"
        " separately. Give an integer."
    )
    way = "1 colours: 2 * 1 * 1 = 2\n2 colours: 1 * 2 * 6 = 12\nfull: 14"
    assert accepts(prompt, "14", way)
    for other in ["1 colours: 2 * 1 * 1 = 2\nfull: 14", "full: 14"]:
        assert not accepts(prompt, "14", other)
