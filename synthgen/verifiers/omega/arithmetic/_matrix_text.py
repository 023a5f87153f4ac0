"""Reading questions about matrices: their wordings, and the matrices and numbers in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.verifiers.omega.arithmetic._matrix_scan import scan

MOST_ROWS = 20
MOST_EXPONENT = 16
_CELL = r"(?:0|-?[1-9][0-9]{0,6})"
_CELLS = re.compile(rf"{_CELL}(?:(?:, |\], \[){_CELL})*", re.ASCII)
_MOST_CELL_TEXT = 12 * MOST_ROWS * MOST_ROWS
_NUMERAL = re.compile(r"[0-9]+", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)
_HOLE = re.compile(r"<([a-z]+)>")
_MATRIX_HOLES = ("a", "b")


@dataclass(frozen=True, slots=True)
class Matrix:
    """Integers row by row, below 10^7 in magnitude, in at most MOST_ROWS rows and columns."""

    rows: int
    columns: int
    entries: tuple[int, ...]

    def lists(self) -> list[list[int]]:
        """Return the rows as lists."""
        width, entries = self.columns, self.entries
        return [list(entries[at : at + width]) for at in range(0, len(entries), width)]


@dataclass(frozen=True, slots=True)
class Question:
    """What a statement asks.

    Attributes:
        kind: name of the question.
        matrices: in the order of the text.
        numbers: the parameters beside them, in the order of their names' alphabet.
    """

    kind: str
    matrices: tuple[Matrix, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    kind: str
    names: tuple[str, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Squares:
    """Questions about one square matrix each.

    Attributes:
        asked: number of the kind of question, -1 for any that is not asked so, int64 (n,).
        sizes: rows of the matrix, int64 (n,).
        entries, entry_ends: of the matrices of all statements, int64 (n + 1,).
    """

    asked: NDArray[np.int64]
    sizes: NDArray[np.int64]
    entries: NDArray[np.int64]
    entry_ends: NDArray[np.int64]

    def take(self, chosen: NDArray[np.int64]) -> Squares:
        """Return some of the questions."""
        found = Ragged(self.entries, self.entry_ends).take(chosen)
        return Squares(self.asked[chosen], self.sizes[chosen], found.values, found.offsets)


class Reader:
    """Reads the statements of a family.

    Args:
        wordings: kind of question -> wordings, with `<a>` and `<b>` for matrices and any other
            `<name>` for a positive integer.
    """

    def __init__(self, wordings: Mapping[str, Sequence[str]]) -> None:
        self._forms: dict[str, _Form] = {}
        for kind, texts in wordings.items():
            for text in texts:
                names = [name for name in _HOLE.findall(text) if name not in _MATRIX_HOLES]
                order = tuple(names.index(name) for name in sorted(names))
                self._forms[_HOLE.sub(_mark, text)] = _Form(kind, tuple(sorted(names)), order)

    def read(self, statement: str) -> Question | None:
        """Return the question of a statement, None if it is none of the family's."""
        if "<" in statement:
            return None
        matrices: list[Matrix] = []
        rest, at = "", 0
        while (start := statement.find("[[", at)) >= 0:
            end = statement.find("]]", start)
            matrix = matrix_of(statement[start + 2 : end]) if end > start else None
            if matrix is None or len(matrices) == len(_MATRIX_HOLES):
                return None
            matrices.append(matrix)
            rest += statement[at:start] + "<m>"
            at = end + 2
        rest += statement[at:]
        numerals = _NUMERAL.findall(rest)
        form = self._forms.get(_NUMERAL.sub("<n>", rest))
        if form is None or not all(map(_NUMBER.fullmatch, numerals)):
            return None
        numbers = tuple(int(numerals[place]) for place in form.order)
        return Question(form.kind, tuple(matrices), numbers)

    def read_all(
        self, prompts: pa.StringArray, ending: str, alone: Callable[[str], Question | None]
    ) -> list[Question | None]:
        """Return the questions of many statements, as `read` does.

        Args:
            prompts: statements, each with the ending or without it.
            ending: what may follow a statement.
            alone: reads a prompt that is too unusual to be read together with the others.
        """
        found = scan(prompts, ending)
        coded = found.forms.dictionary_encode()
        forms = [self._forms.get(form) for form in coded.dictionary.to_pylist()]
        codes = coded.indices.to_pylist()
        entries, at = found.entries.tolist(), found.entry_ends.tolist()
        numbers, numbers_at = found.numbers.tolist(), found.number_ends.tolist()
        questions: list[Question | None] = []
        for i, (code, dims) in enumerate(zip(codes, found.dims.tolist(), strict=True)):
            form = forms[code]
            if form is None:
                questions.append(alone(prompts[i].as_py()))
                continue
            matrices, start = [], at[i]
            for rows, columns in dims:
                if rows:
                    end = start + rows * columns
                    matrices.append(Matrix(rows, columns, tuple(entries[start:end])))
                    start = end
            given = tuple([numbers[numbers_at[i] + place] for place in form.order])
            questions.append(Question(form.kind, tuple(matrices), given))
        return questions

    def squares(self, prompts: pa.StringArray, ending: str, kinds: Sequence[str]) -> Squares:
        """Return what many statements ask about one square matrix, without any number.

        Args:
            prompts: statements, each with the ending or without it.
            ending: what may follow a statement.
            kinds: names of the questions.
        """
        found = scan(prompts, ending)
        coded = found.forms.dictionary_encode()
        forms = [self._forms.get(form) for form in coded.dictionary.to_pylist()]
        asked = [
            kinds.index(form.kind) if form and form.kind in kinds and not form.names else -1
            for form in forms
        ]
        kind = np.array(asked, np.int64)[coded.indices.to_numpy()]
        rows, columns = found.dims[:, 0].T
        fits = (rows > 0) & (rows == columns) & (found.dims[:, 1, 0] == 0)
        return Squares(np.where(fits, kind, -1), rows, found.entries, found.entry_ends)


def _mark(hole: re.Match[str]) -> str:
    return "<m>" if hole[1] in _MATRIX_HOLES else "<n>"


def matrix_of(text: str) -> Matrix | None:
    """Read what stands between the double brackets of a matrix, None if it is none."""
    if len(text) > _MOST_CELL_TEXT or _CELLS.fullmatch(text) is None:
        return None
    rows_of_cells = text.split("], [")
    (columns, *others) = {row.count(",") + 1 for row in rows_of_cells}
    entries = tuple(np.fromstring(",".join(rows_of_cells), np.int64, sep=",").tolist())
    rows = len(entries) // columns
    if others or rows > MOST_ROWS or columns > MOST_ROWS:
        return None
    return Matrix(rows, columns, entries)


def square_of(question: Question) -> Matrix | None:
    """Return the only matrix of a question if it is square."""
    if len(question.matrices) != 1 or question.matrices[0].rows != question.matrices[0].columns:
        return None
    return question.matrices[0]
