"""Expected matches, from the text: examples by hand, ties, and steps."""

from __future__ import annotations

import pyarrow as pa
import pytest

from synthgen.verifiers.omega.combinatorics import combinatory_pattern_matching

VERIFIER = combinatory_pattern_matching.VERIFIER


def accepts(prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    checked = bool(VERIFIER.check(pa.array([prompt]), pa.array([answer]), ways)[0])
    if way is None:
        assert checked == bool(VERIFIER.symbolic(pa.array([prompt]), pa.array([answer]))[0])
    return checked


QUESTION = (
    "Tiles: {}. A row of {} tiles is made by drawing at random without replacement. Let X be the"
    " number of its non-empty intervals of consecutive positions that spell a text which the"
    " regular expression '{}' matches completely. Compute the expected value of X. In the pattern,"
    " the point stands for any one letter, * lets what is before it occur any number of times or"
    " not at all, and + lets it occur one or more times. Round to two decimals and write both of"
    " them."
)
SIX = "2 of 'a', 2 of 'b' and 2 of 'c'"


@pytest.mark.parametrize(
    ("bag", "n", "pattern", "answer"),
    [
        *(("2 of 'p' and 2 of 'q'", 2, "pq+", "0.33"), (SIX, 3, "a.*b", "0.40")),
        *((SIX, 3, "a.*a", "0.20"), (SIX, 2, "a*b", "0.80"), (SIX, 2, "ab*", "0.80")),
        *((SIX, 2, "a+b", "0.13"), ("1 of 'a' and 3 of 'b'", 2, "b.*b", "0.50")),
    ],
)
def test_examples_by_hand(bag: str, n: int, pattern: str, answer: str) -> None:
    assert accepts(QUESTION.format(bag, n, pattern), answer)
    assert not accepts(QUESTION.format(bag, n, pattern), answer.rstrip("0") + "1")


def test_a_tie_of_rounding_has_no_answer() -> None:
    # 2/16 * 3/15 = 0.025
    assert VERIFIER.answer(QUESTION.format("2 of 'a', 3 of 'b' and 11 of 'c'", 2, "a.*b")) is None


@pytest.mark.parametrize("pattern", ["a.b", "aa+", "ab", "a.*d", "a*b*", "(ab)", "a.*.*b", ""])
def test_other_patterns_are_none_of_this_family(pattern: str) -> None:
    assert VERIFIER.answer(QUESTION.format(SIX, 3, pattern)) is None


def test_every_line_of_a_solution_counts() -> None:
    prompt = QUESTION.format(SIX, 3, "a.*b")
    lines = ["length 2: 2 * 2/15 = 4/15", "length 3: 1 * 2/15 = 2/15", "sum: 2/5", "rounded: 0.40"]
    assert accepts(prompt, "0.40", "\n".join(lines))
    for left_out in range(4):
        assert not accepts(prompt, "0.40", "\n".join(lines[:left_out] + lines[left_out + 1 :]))
