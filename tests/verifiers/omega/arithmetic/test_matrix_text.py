"""Reading matrices and wordings: just what the families write, and nothing else."""

from __future__ import annotations

import pytest

from synthgen.verifiers.omega.arithmetic._matrix_text import Matrix, Question, Reader, matrix_of

READER = Reader({"entry": ("Row <row>, column <column> of A = <a>?",), "sum": ("Add <a> to <b>!",)})


def test_numbers_are_read_by_name_whatever_their_place() -> None:
    question = READER.read("Row 12, column 3 of A = [[1, -2], [0, 3000000]]?")
    matrix = Matrix(2, 2, (1, -2, 0, 3_000_000))
    assert question == Question("entry", (matrix,), (3, 12))
    assert matrix.lists() == [[1, -2], [0, 3_000_000]]


def test_two_matrices_of_different_size() -> None:
    question = READER.read("Add [[1, 2, 3]] to [[4], [5]]!")
    assert question == Question("sum", (Matrix(1, 3, (1, 2, 3)), Matrix(2, 1, (4, 5))), ())


@pytest.mark.parametrize(
    "statement",
    [
        *("Row 0, column 3 of A = [[1]]?", "Row 01, column 3 of A = [[1]]?"),
        *("Row 1, column -3 of A = [[1]]?", "Row 1, column x of A = [[1]]?"),
        *("Row 1, column 1234567 of A = [[1]]?", "Row 1, column 3 of A = 5?"),
        *("Row 1, column 3 of A = [[1]]? ", "Row 1, column 3 of A = <m>?", "Row <n>?"),
        *("Add [[1]] to [[1]] to [[1]]!", "Add [[1]] to [[1]!", "Add [[]] to [[1]]!"),
        *("Row ١, column 3 of A = [[1]]?", "", "[[", "]]", "[[1]]"),
    ],
)
def test_other_statements_are_not_read(statement: str) -> None:
    assert READER.read(statement) is None


@pytest.mark.parametrize(
    "cells",
    [
        *("", "01", "-0", "+1", "1.0", "1,2", "1 , 2", "1,  2", " 1", "1 ", "--1", "12345678"),
        *("1, 2], [3", "1], [2, 3", "1],[2", "1]], [[2", "1], [", ", ".join(["1"] * 21)),
        *("], [".join(["1"] * 21), "1\n", "１"),
    ],
)
def test_other_matrices_are_not_read(cells: str) -> None:
    assert matrix_of(cells) is None
