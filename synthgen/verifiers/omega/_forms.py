"""Reading statements with a kernel: which wording a text has, and what stands in its holes.

A wording is plain text in which `<name>` is a hole of one of five kinds. A text is read strictly:
the fixed parts byte by byte, numbers without signs or superfluous zeros, lists with one comma and
one space between items.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from synthgen.core.columns import text_bytes, text_list
from synthgen.verifiers.omega._form_read import (
    MOST_BYTES,
    NO_FORM,
    NUMBER,
    PAIRS,
    ROWS,
    STOP,
    WORD,
    WORDS,
    Bytes,
    Marks,
    Tables,
    read_all,
)

__all__ = [
    "MOST_BYTES",
    "NO_FORM",
    "NUMBER",
    "PAIRS",
    "ROWS",
    "WORD",
    "WORDS",
    "Bytes",
    "Form",
    "Marks",
    "Reading",
]


@dataclass(frozen=True)
class Reading:
    """What was read from n texts.

    Attributes:
        wordings: int64 (n,), the wording of each text, or NO_FORM.
        values, offsets: of the holes, in the order of the form's holes.
    """

    wordings: Marks
    values: Marks
    offsets: Marks


class Form:
    """All wordings of a family.

    Args:
        kinds: of questions, each with its wordings.
        holes: name -> kind of hole.
        words: that holes can name, by number; none is the beginning of another.
    """

    def __init__(
        self, kinds: Sequence[Sequence[str]], holes: Mapping[str, int], words: Sequence[str] = ()
    ) -> None:
        texts = [text for kind in kinds for text in kind]
        self.kind_of = np.array([k for k, kind in enumerate(kinds) for _ in kind], np.int64)
        self.tables = _tables(texts, dict(holes), list(words) or [" "])

    def read(self, text: Bytes, offsets: Marks) -> Reading:
        """Read every text between two offsets."""
        return Reading(*read_all(text, offsets, self.tables))

    def read_one(self, statement: str) -> tuple[int, tuple[int, ...]] | None:
        """Return the kind of question and the values of one statement, or None."""
        if len(statement) > MOST_BYTES:
            return None
        reading = self.read(*text_bytes(text_list([statement])))
        wording = int(reading.wordings[0])
        if wording == NO_FORM:
            return None
        return int(self.kind_of[wording]), tuple(reading.values.tolist())


def _tables(texts: Sequence[str], holes: dict[str, int], words: Sequence[str]) -> Tables:
    names, fixed = list(holes), list[str]()
    programs = []
    for text in texts:
        program = []
        for place, part in enumerate(re.split(r"<([a-z]+)>", text)):
            if place % 2:
                program.append(-1 - names.index(part))
            else:
                program.append(len(fixed))
                fixed.append(part)
        programs.append(program)
    steps = np.full((len(programs), max(map(len, programs)) + 1), STOP, np.int64)
    for program, row in zip(programs, steps, strict=True):
        row[: len(program)] = program
    lasts = np.array([program[-1] for program in programs], np.int64)
    kinds = np.array(list(holes.values()), np.int64)
    tables = text_bytes(text_list(fixed)), text_bytes(text_list(words))
    return Tables(steps, lasts, *tables[0], kinds, *tables[1], *_by_first_byte(words))


def _by_first_byte(words: Sequence[str]) -> tuple[Marks, Marks]:
    first, following = np.full(256, -1, np.int64), np.full(len(words), -1, np.int64)
    for k, word in reversed(list(enumerate(words))):
        byte = word.encode()[0]
        first[byte], following[k] = k, first[byte]
    return first, following
