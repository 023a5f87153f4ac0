"""Answer priors, counted by hand."""

from __future__ import annotations

import polars as pl

from synthgen.auditing.tallies import FEW_ANSWERS, CommonAnswer, answer_priors

MANY = FEW_ANSWERS + 1


def frame(*groups: tuple[str, int, list[str]]) -> pl.LazyFrame:
    rows = [(task, level, answer) for task, level, answers in groups for answer in answers]
    schema = {"task": pl.String, "difficulty": pl.Int16, "answer": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row").lazy()


def test_the_most_frequent_answer_of_each_family_and_level() -> None:
    several = [str(i) for i in range(MANY)]
    found = answer_priors(
        frame(
            ("gcd", 1, several + ["7"] * 60),
            ("gcd", 2, several + ["8"] * 50 + ["9"] * 50),
            ("knight", 1, ["2"] * 80 + ["3"] * 40),  # few answers are possible
            ("rank", 1, several),  # too few rows to tell
            ("sum", 1, several + ["x" * 99] * 900),
        )
    )
    assert found == (
        CommonAnswer("sum", 1, MANY + 900, MANY + 1, "x" * 60, 900),
        CommonAnswer("gcd", 1, MANY + 60, MANY, "7", 61),
        CommonAnswer("gcd", 2, MANY + 100, MANY, "8", 51),
    )


def test_nothing_is_told_of_no_rows() -> None:
    assert answer_priors(frame()) == ()
