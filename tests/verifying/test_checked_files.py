from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import synthgen
from synthgen.dataset.foreign import open_foreign
from synthgen.dataset.foreign.column_choice import RowBatch
from synthgen.verifying import checked_files as check_module
from synthgen.verifying.checked_files import CheckedFile, FailedRow, check
from tests.conformance import original

REJECTED = "the verifier does not accept the answer"


def batch(
    rows: Sequence[tuple[str | None, ...]], first: int = 1, lines: list[int] | None = None
) -> RowBatch:
    columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
    return RowBatch(first, lines, *columns)


def reason(*row: str | None) -> str:
    found = check("hint", [batch([row])], 1)
    assert not found.ok
    return found.examples[0].why


def test_rows_that_agree_are_counted() -> None:
    found = check("hint", [batch([("1+1", "2"), ("2*(3+4)", "14")]), batch([("7", "7")], 3)], 5)
    assert found == CheckedFile("hint", 3, 3, ())
    assert found.ok
    assert found.fail == 0
    with pytest.raises(FrozenInstanceError):
        found.rows = 4  # type: ignore[misc]


def test_every_row_is_checked_and_the_first_that_fail_are_kept() -> None:
    one = [(str(i % 10), str(i % 10 + (i % 4 == 3))) for i in range(100)]
    batches = [batch(one, 1, [*range(2, 102)]), batch(one, 101), batch(one, 201)]
    for show in (0, 3, 26, 1000):
        found = check("hint", batches, show)
        assert (found.rows, found.agree, found.fail, found.ok) == (300, 225, 75, False)
        assert len(found.examples) == min(show, 75)
        places = [(row.row, row.line) for row in found.examples]
        wanted = [(i, i + 1 if i <= 100 else None) for i in range(4, 301, 4)]
        assert places == wanted[:show]
    assert found.examples[0] == FailedRow(4, 5, "3", "4", REJECTED)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (("1+1", "3"), REJECTED),
        (("1+", "1"), "the verifier cannot read the prompt: no wording of the family matches it"),
        ((None, "1"), "the prompt is null"),
        (("1", None), "the answer is null"),
        ((None, None), "the prompt is null"),
        (("", "1"), "the prompt is empty"),
        (("1", " "), "the answer is empty"),
        (
            ("1+1 ", "2"),
            "the verifier accepts the answer only without white space around the texts",
        ),
        (("1+1", " 3"), REJECTED),
        (('"1+1"', "'2'"), "the verifier accepts the answer only without white space and quotes"),
        (("1+1", "2", "1+1=3"), "the verifier accepts the answer, but not the solution"),
        (("1+1", "3", "1+1=3"), REJECTED),
    ],
)
def test_the_reason_is_told_as_far_as_it_is_known(row: tuple[str | None, ...], why: str) -> None:
    assert reason(*row).startswith(why)


def test_solutions_are_checked_where_there_are_some() -> None:
    rows = [("1+2*3", "7", "2*3=6\n1+6=7"), ("1+2*3", "7", None), ("1+2*3", "7", "1+2=3\n3*3=9")]
    found = check("hint", [batch(rows)], 5)
    assert [row.row for row in found.examples] == [3]


def test_nulls_fail_and_are_kept_from_the_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    class Agreeable:
        open_ended = True

        def check(self, prompts: Any, answers: Any, solutions: Any) -> Any:
            assert prompts.null_count == answers.null_count == 0
            assert isinstance(prompts, pa.StringArray)
            return np.ones(len(prompts), bool)

    monkeypatch.setattr(check_module, "load_verifier", lambda name: Agreeable())
    rows = [(None, "1"), ("1", "1"), ("1", None), (None, None), ("", "")]
    found = check("hint", [batch(rows), batch([(None, None)], 6)], 9)
    assert (found.rows, found.agree) == (6, 2)
    assert [row.row for row in found.examples] == [1, 3, 4, 6]


def test_long_texts_of_examples_are_cut() -> None:
    found = check("hint", [batch([("1" * 20_000, "2" * 10_000)])], 1)
    assert found.examples[0].prompt == f"{'1' * 10_000}… (20,000 characters)"
    assert found.examples[0].answer == "2" * 10_000


def test_no_rows_are_not_ok() -> None:
    assert check("hint", [], 5) == CheckedFile("hint", 0, 0, ())
    assert not check("hint", [], 5).ok


def test_edited_ones_among_published_rows_are_found(tmp_path: Path) -> None:
    published = original("hint/hint_val.tsv")
    lines = published.read_text().splitlines()
    for line in (100, 4000):
        fields = lines[line - 1].split("\t")
        lines[line - 1] = "\t".join([fields[0], str(int(fields[1]) + 1), *fields[2:]])
    edited = tmp_path / "edited.tsv"
    edited.write_text("\n".join(["expr\tresult\tn_op\tsubset\tlargest", *lines]))
    with open_foreign(edited) as foreign:
        found = check("hint", foreign.batches, 5)
    assert (found.rows, found.agree) == (4698, 4696)
    assert [(row.row, row.line) for row in found.examples] == [(100, 101), (4000, 4001)]


def test_a_prompt_that_the_verifier_cannot_read_is_named() -> None:
    found = check("arithmetic_gcd", [batch([("Find the gcd of 4 and 6.", "2")])], 5)
    assert found.examples[0].why.startswith("the verifier cannot read the prompt")


SPELLINGS: dict[str, Callable[[str], str]] = {
    "graph_paths": lambda answer: answer.replace(", ", ","),
    "decomposition": lambda answer: answer.strip("[]").lower(),
    "variable_assignment": str.upper,
    "board_shapes": str.title,
    "addition": lambda answer: f"{int(answer):,}",
    "programs": lambda answer: answer.replace(", ", ","),
    "geometry_basic": lambda answer: f"{answer}0",
}


@pytest.mark.parametrize("generator", SPELLINGS)
def test_other_spellings_of_right_answers_agree(generator: str) -> None:
    rows = synthgen.generate(generator, 8, seed=1)
    texts = [(row["prompt"], SPELLINGS[generator](row["answer"])) for row in rows]
    assert check(generator, [batch(texts)], 1).ok
    wrong = [(prompt, f"{text}1") for prompt, text in texts]
    assert check(generator, [batch(wrong)], 1).agree == 0
