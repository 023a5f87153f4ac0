"""Shapes of clauses as numbers, for compiled checkers of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from synthgen.verifiers.skillmix import _check_logic_kernel_known as known
from synthgen.verifiers.skillmix._check_logic_formula import Formula
from synthgen.verifiers.skillmix._check_logic_kernel_told import N_PIECE_COLUMNS, Shapes
from synthgen.verifiers.skillmix._check_logic_shapes import pieces, place_in
from synthgen.verifiers.skillmix._check_logic_words import CONCLUSION, REASON, REASON_AFTER
from synthgen.verifiers.skillmix._text_table import FIRST_ENTRIES, Table, extended

_ROLES = {
    "": known.NONE,
    CONCLUSION: known.CONCLUSION,
    REASON: known.REASON,
    REASON_AFTER: known.REASON_AFTER,
}
_OPERATIONS = {"not": known.NOT, "and": known.AND, "or": known.OR, "if": known.IF}
_FIRST_KEYS = 1 << 15


class Programs(Table):
    """Shapes by the codes of the keys of their words.

    Attributes:
        shapes: for the kernel.
    """

    def __init__(self) -> None:
        super().__init__(np.zeros(_FIRST_KEYS, np.int64))
        self._numbers: dict[tuple[int, ...], int] = {}
        self._sizes = 0, 0
        self.shapes = Shapes(
            np.zeros(FIRST_ENTRIES, np.int64),
            np.zeros((FIRST_ENTRIES, N_PIECE_COLUMNS), np.int64),
            np.zeros(_FIRST_KEYS, np.int64),
        )

    def numbers_of(
        self, clauses: Sequence[tuple[int, ...]], names: Sequence[str], code: Callable[[str], int]
    ) -> list[int]:
        """Return the numbers of clauses by the codes of their keys; read those that are new.

        Args:
            clauses: codes of their keys.
            names: keys by their codes.
            code: gives the code of a stem.
        """
        new = [keys for keys in dict.fromkeys(clauses) if keys not in self._numbers]
        if new:
            self._read([tuple([names[key] for key in keys]) for keys in new], code)
            for keys in new:
                self._numbers[keys] = len(self._numbers)
            joined = np.array([key for keys in new for key in keys], np.int64)
            self.add(joined, list(map(len, new)))
        return [self._numbers[keys] for keys in clauses]

    def _read(self, clauses: Sequence[tuple[str, ...]], code: Callable[[str], int]) -> None:
        """Add the shapes of clauses to the arrays."""
        n_pieces, n_codes = self._sizes
        stops, rows, codes = list[int](), list[list[int]](), list[int]()
        for keys in clauses:
            for role, antecedent, rest, start, stop in pieces(keys):
                borders = [n_codes + len(codes)]
                for formula in (antecedent, rest):
                    codes += _program(formula, code) if formula is not None else ()
                    borders.append(n_codes + len(codes))
                rows.append([_ROLES[role], start, stop, *borders])
            stops.append(n_pieces + len(rows))
        more = np.array(rows, np.int64).reshape(-1, N_PIECE_COLUMNS)
        self.shapes = Shapes(
            extended(self.shapes.stops, len(self), stops),
            extended(self.shapes.pieces, n_pieces, more),
            extended(self.shapes.programs, n_codes, codes),
        )
        self._sizes = n_pieces + len(rows), n_codes + len(codes)


def _program(one: Formula, code: Callable[[str], int]) -> Iterator[int]:
    """Yield the parts of a formula before what joins them; see `filled` of the kernel."""
    if one.op == "is":
        stems = one.body.split()
        yield from (known.IS, one.positive, len(stems))
        for stem in stems:
            place = place_in(stem)
            yield code(stem) if place < 0 else -1 - place
        return
    for part in one.parts:
        yield from _program(part, code)
    yield _OPERATIONS[one.op]
