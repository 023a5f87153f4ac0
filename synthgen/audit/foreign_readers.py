"""Readers of structures: trees or tokens of a column, or the words of prompts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.audit.foreign_sides import Part, Side
from synthgen.audit.foreign_structures import Sequences, Structures, TreeStructures
from synthgen.core.columns import Ragged, integer_values, offsets_of, text_bytes
from synthgen.core.errors import DatasetError
from synthgen.core.ngrams import token_ids
from synthgen.coverage.structure_texts import BadTree, Trees, read_trees, symbol_text
from synthgen.coverage.words import words_and_signs

TREES, TOKENS = "tree", "tokens"
FORMS = (TREES, TOKENS)
WORDS, CHARS = "words", "chars"
ALPHABETS = (WORDS, CHARS)
_MOST_TEXT = 60
_WORD = re.compile(r"[0-9A-Za-z\u0080-\U0010ffff]+|[!-/:-@\[-`{-~]")


class Reader(Protocol):
    """Reads the structures of parts and names their symbols."""

    @property
    def symbol(self) -> str:
        """Name of one symbol in reports."""

    @property
    def description(self) -> str:
        """Short description of the structures."""

    @property
    def parts(self) -> tuple[str, str]:
        """Names of parts of two and of three symbols."""

    def read(self, part: Part) -> Structures:
        """Return the structures of some rows.

        Raises:
            DatasetError: for an invalid text; the message names file, row and character.
        """

    def names(self, part: Part, row: int) -> dict[int, str]:
        """Return the text of each symbol of a row, by id."""


@dataclass(frozen=True)
class SequenceReader:
    """Structures that are sequences of tokens.

    Attributes:
        symbol: name of one token in reports.
        description: what the structures are, for reports.
        tokens: returns the ids of the tokens of texts.
        split: returns the tokens of one text by the same rule.
        of_column: whether the texts are a structure column rather than the prompts.
    """

    symbol: str
    description: str
    tokens: Callable[[pa.StringArray], Ragged]
    split: Callable[[str], Iterable[str]]
    of_column: bool = False
    parts: tuple[str, str] = ("2-gram", "3-gram")

    def read(self, part: Part) -> Structures:
        """Return tokens and their n-grams."""
        return Sequences(self._texts(part), self.tokens, self.of_column)

    def names(self, part: Part, row: int) -> dict[int, str]:
        """Return the text of each token of a row."""
        text = self._texts(part)[row].as_py()
        texts = list(dict.fromkeys(self.split(text)))
        return {int(self.tokens(pa.array([each])).values[0]): each for each in texts}

    def _texts(self, part: Part) -> pa.StringArray:
        return part.structure_texts if self.of_column else part.prompts


@dataclass
class TreeReader:
    """Structures that are trees written in a column."""

    symbol: str = "symbol"
    description: str = "trees of a column"
    parts: tuple[str, str] = ("2-structure", "3-structure")
    advice: str = ""

    def read(self, part: Part) -> Structures:
        """Return trees and their parts."""
        return TreeStructures(self._trees(part))

    def names(self, part: Part, row: int) -> dict[int, str]:
        """Return each symbol of a row with its number of arguments."""
        found = self._trees(_row(part, row))
        ids = found.signature.symbol_ids.tolist()
        return {ids[i]: symbol_text(name) for i, name in enumerate(found.signature.names)}

    def _trees(self, part: Part) -> Trees:
        found = read_trees(part.structure_texts)
        if isinstance(found, BadTree):
            text = part.structure_texts[found.row].as_py()
            shown = text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"
            place = f"{part.place(found.row)}: structure {shown!r}: character {found.character}"
            msg = f"{place}: expected {found.expected}{self.advice}"
            raise DatasetError(msg)
        return found


def words_reader() -> SequenceReader:
    """Return a reader for the words, numbers and signs of prompts."""
    return SequenceReader("word", "words and signs of the prompt", words_and_signs, _WORD.findall)


def chars_reader() -> SequenceReader:
    """Return a reader for the characters of prompts."""
    return SequenceReader("character", "characters of the prompt", _characters, str)


def reader_of(side: Side, form: str | None, tokens: str) -> Reader:
    """Return the reader for a side's structures.

    Args:
        side: side whose first row is inspected if it has structures and `form` is None.
        form: one of `FORMS`, or None.
        tokens: one of `ALPHABETS`, for sides without structures.
    """
    if not side.has_structures:
        return chars_reader() if tokens == CHARS else words_reader()
    if form is None:
        form = TREES if _first_structure_has_bracket(side) else TOKENS
    if form == TREES:
        return TreeReader(advice=" (use --structure-form tokens if these are not trees)")
    return SequenceReader("token", "tokens of a column", token_ids, _tokens, of_column=True)


def _first_structure_has_bracket(side: Side) -> bool:
    first = next(side.parts(), None)
    return first is not None and "(" in first.structure_texts[0].as_py()


def _tokens(text: str) -> list[str]:
    return [token for token in text.split(" ") if token]


def _characters(texts: pa.StringArray) -> Ragged:
    """Return the code point of each character."""
    lengths = integer_values(pc.utf8_length(texts)).astype(np.int64)
    data, offsets = text_bytes(texts)
    whole = data[offsets[0] : offsets[-1]].tobytes().decode()
    points = np.frombuffer(whole.encode("utf-32-le"), np.uint32).astype(np.uint64)
    return Ragged(points, offsets_of(lengths))


def _row(part: Part, row: int) -> Part:
    structures = None if part.structures is None else part.structures.slice(row, 1)
    rows = slice(row, row + 1)
    lines = None if part.lines is None else part.lines[rows]
    return Part(part.file, part.rows[rows], lines, part.prompts.slice(row, 1), None, structures)
