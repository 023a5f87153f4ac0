"""Statements that are read together: the same questions as one by one, and the same refusals."""

from __future__ import annotations

import pytest

from synthgen.core.columns import text_list
from synthgen.verifiers.omega._plain import BOXED
from synthgen.verifiers.omega.arithmetic._matrix_scan import scan
from synthgen.verifiers.omega.arithmetic._matrix_text import Question, Reader

READER = Reader(
    {
        "power": ("Raise <a> to the power <k> and add row <r>.", "Row <r> of <a>, power <k>?"),
        "product": ("Multiply <a> by <b>.",),
    }
)
WIDE = "[[" + "], [".join([", ".join(["-9999999"] * 20)] * 20) + "]]"
TEXTS = [
    "Raise [[1, -2], [0, 30]] to the power 3 and add row 12.",
    "Row 1 of [[5]], power 999999?",
    "Multiply [[1, 2, 3]] by [[1], [2], [9999999]].",
    f"Multiply {WIDE} by {WIDE}.",
    "Multiply [[1]] by [[2]]." + BOXED,
    # none of them a statement of the family
    "Multiply [[1]] by [[2]]." + BOXED + BOXED,
    *("", "[[", "[[1", "[[1]", "Multiply [[1]] by [[2]]. ", "multiply [[1]] by [[2]]."),
    *(f"Row 1 of {cells}, power 2?" for cells in ("[[]]", "[[1], ]", "[[1],[2]]", "[[1, 2], [3]]")),
    *(
        f"Row 1 of [[{cell}]], power 2?"
        for cell in ("-0", "01", "+1", "1.0", "10000000", "٣", " 1")
    ),
    *(f"Row {number} of [[1]], power 2?" for number in ("0", "01", "1000000", "-1", "x", "²")),
    *("Row 1 of [[[1]]], power 2?", "Row 1 of [[1]]], power 2?", "Row 1 of <m>, power <n>?"),
    "Multiply [[1]] by [[2]] by [[3]].",
    "Multiply [[1]].",
    "Row 1 of [[" + ", ".join(["1"] * 21) + "]], power 2?",
    "Row 1 of [[" + "], [".join(["1"] * 21) + "]], power 2?",
    "Row 1 of [[1]], power 2?" + " " * 60_000,
]


def alone(prompt: str) -> Question | None:
    statement = prompt.removesuffix(BOXED)
    return READER.read(statement) if len(statement) <= 50_000 else None


def test_reads_what_it_reads_one_by_one() -> None:
    found = READER.read_all(text_list(TEXTS), BOXED, alone)
    assert found == [alone(text) for text in TEXTS]
    assert [one is not None for one in found] == [True] * 5 + [False] * (len(TEXTS) - 5)


def test_plain_statements_need_no_second_reading() -> None:
    def never(prompt: str) -> Question | None:
        raise AssertionError(prompt)

    assert all(READER.read_all(text_list(TEXTS[:5]), BOXED, never))


@pytest.mark.parametrize("texts", [[], ["7", "7", "7"], ["[[1]]"], TEXTS[6:12]])
def test_what_is_left_fits_into_its_room(texts: list[str]) -> None:
    found = scan(text_list(texts), BOXED)
    assert len(found.forms) == len(texts)
    if texts == ["7", "7", "7"]:
        assert found.forms.to_pylist() == ["<n>"] * 3
        assert found.numbers.tolist() == [7, 7, 7]
