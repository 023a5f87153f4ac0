"""Blue vertices carried to red ones, from the text."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.composition.comp_vertex_color import VERIFIER

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
            "Each vertex of a regular 6-gon is painted blue with probability 1/2 and"
            " red otherwise, independently of the others. What is the probability"
            " that the 6-gon can be rotated about its centre so that all blue"
            " vertices come to places where red vertices were before (which is so if"
            " there are no blue ones)?" + END,
            "47",
        ),
        (
            "Each vertex of a regular 8-gon is painted blue with probability 1/2 and"
            " red otherwise, independently of the others. What is the probability"
            " that the 8-gon can be rotated about its centre so that all blue"
            " vertices come to places where red vertices were before (which is so if"
            " there are no blue ones)?" + END,
            "371",
        ),
        (
            "Each vertex of a regular 3-gon is painted blue with probability 1/2 and"
            " red otherwise, independently of the others. What is the probability"
            " that the 3-gon can be rotated about its centre so that all blue"
            " vertices come to places where red vertices were before (which is so if"
            " there are no blue ones)?" + END,
            "3",
        ),
        (
            "3 of the vertices of a regular 6-gon are chosen at random, all choices"
            " being equally likely, and painted blue; the other vertices are painted"
            " red. What is the probability that the 6-gon can be rotated about its"
            " centre so that all blue vertices come to places where red vertices were"
            " before?" + END,
            "7",
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
            "Each vertex of a regular 2-gon is painted blue with probability 1/2 and"
            " red otherwise, independently of the others. What is the probability"
            " that the 2-gon can be rotated about its centre so that all blue"
            " vertices come to places where red vertices were before (which is so if"
            " there are no blue ones)?" + END
        ),
        (
            "Each vertex of a regular 20-gon is painted blue with probability 1/2 and"
            " red otherwise, independently of the others. What is the probability"
            " that the 20-gon can be rotated about its centre so that all blue"
            " vertices come to places where red vertices were before (which is so if"
            " there are no blue ones)?" + END
        ),
        (
            "Each vertex of a regular 6-gon is painted blue with probability 2/4 and"
            " red otherwise, independently of the others. What is the probability"
            " that the 6-gon can be rotated about its centre so that all blue"
            " vertices come to places where red vertices were before (which is so if"
            " there are no blue ones)?" + END
        ),
        (
            "Each vertex of a regular 6-gon is painted blue with probability 3/2 and"
            " red otherwise, independently of the others. What is the probability"
            " that the 6-gon can be rotated about its centre so that all blue"
            " vertices come to places where red vertices were before (which is so if"
            " there are no blue ones)?" + END
        ),
        (
            "6 of the vertices of a regular 6-gon are chosen at random, all choices"
            " being equally likely, and painted blue; the other vertices are painted"
            " red. What is the probability that the 6-gon can be rotated about its"
            " centre so that all blue vertices come to places where red vertices were"
            " before?" + END
        ),
    ],
)
def test_other_statements_are_none_of_this_family(statement: str) -> None:
    assert VERIFIER.answer(statement) is None


def test_steps_must_be_the_way_to_the_answer() -> None:
    prompt = (
        "3 of the vertices of a regular 6-gon are chosen at random, all choices being"
        " equally likely, and painted blue; the other vertices are painted red. What"
        " is the probability that the 6-gon can be rotated about its centre so that"
        " all blue vertices come to places where red vertices were before?" + END
    )
    way = "3 blue: 8 of 20\n2/5: 2 + 5 = 7"
    assert accepts(prompt, "7", way)
    for other in ["3 blue: 9 of 20\n2/5: 2 + 5 = 7", "2/5: 2 + 5 = 7"]:
        assert not accepts(prompt, "7", other)
