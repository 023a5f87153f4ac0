"""Grouping rows by their texts up to the names of letters."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from synthgen.verifiers.omega._grouped import GroupedVerifier

SEEN: list[str] = []


def read(statement: str) -> str | None:
    SEEN.append(statement)
    return statement


def count_quoted(statement: str) -> str:
    """How many different letters stand between apostrophes."""
    return str(len(set("".join(statement.split("'")[1::2]))))


VERIFIER = GroupedVerifier(read, count_quoted, count_quoted, "integer", lambda p, a, w: w == "ok")


def check(rows: list[tuple[str, str]], ways: list[str | None] | None = None) -> list[bool]:
    prompts, answers = (pa.array(list(column)) for column in zip(*rows, strict=True))
    solutions = None if ways is None else pa.array(ways, pa.string())
    return VERIFIER.check(prompts, answers, solutions).tolist()


def test_rows_that_differ_in_letters_alone_are_read_once() -> None:
    SEEN.clear()
    assert check([("x 'ab' 'b'", "2"), ("x 'qz' 'z'", "2"), ("x 'zq' 'q'", "2")]) == [True] * 3
    assert len(SEEN) == 1


def test_other_differences_are_seen() -> None:
    SEEN.clear()
    rows = [("x 'ab' 'b'", "2"), ("x 'ab' 'a'", "2"), ("y 'ab' 'b'", "2"), ("x 'ab' 'b'", "3")]
    assert check(rows) == [True, True, True, False]
    assert len(SEEN) == 4
    assert check([("x 'aa'", "1"), ("x 'ab'", "1"), ("x 'ba'", "2")]) == [True, False, True]


def test_letters_outside_apostrophes_are_no_names() -> None:
    SEEN.clear()
    assert check([("a 'c'", "1"), ("b 'c'", "1")]) == [True, True]
    assert len(SEEN) == 2


def test_solutions_belong_to_the_row() -> None:
    rows = [("'a'", "1")] * 4
    assert check(rows, ["ok", "no", None, ""]) == [True, False, True, False]


def test_borders_between_the_texts_count() -> None:
    assert check([("'a'1", "1"), ("'a'", "11")]) == [True, False]


@given(st.lists(st.tuples(st.text("ab'c ", max_size=6), st.sampled_from("0123")), min_size=1))
def test_verdicts_are_those_of_each_row_alone(rows: list[tuple[str, str]]) -> None:
    together = check(rows)
    assert together == [count_quoted(prompt) == answer for prompt, answer in rows]
    assert np.array_equal(together, [check([row])[0] for row in rows])
