"""OMEGA families whose problems are few enough to be listed, and the text that they share.

A statement is written once for each problem, wording and variant of the text, with the bytes 1 to 8
where the letters of its tiles will stand; a row is a copy of it in which a kernel puts letters of
its own. So a row costs no more than its bytes, however the statement was made.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.byte_spans import copy_bytes
from synthgen.core.checks import check_int
from synthgen.core.columns import (
    Ragged,
    choice_text,
    constant_text,
    offsets_of,
    text_column,
)
from synthgen.core.content import Keys, derivation_keys
from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.permutation import permutation_table, permute
from synthgen.core.randomness import U64, RowDraws, Rows, draw_below, stream_key
from synthgen.generators.omega._family import BOXED, MOST_REPEATS, Made, OmegaFamily
from synthgen.generators.omega._numbers import trees_column

MOST_LETTERS = 8
_ALPHABET = np.frombuffer(b"abcdefghijmnpqrstuvwxyz", np.uint8)
"""Letters of tiles; without k, which names numbers elsewhere, and two that look like digits."""
_REMEMBERED = 1 << 17


def letter(place: int) -> str:
    """Return what stands for letter number `place`, from 0, in a statement."""
    return chr(place + 1)


@dataclass(frozen=True)
class Listing:
    """All m problems of the chosen levels of a family, and the texts made of them so far.

    Attributes:
        made: the problems, each once.
        codes, keys: their derivations and content keys.
        axes: values of every axis, (m,).
        order: table of the permutation in which addresses visit them.
        statements, answers, ways: texts by number; what they hold is a matter of speed alone.
    """

    made: Sequence[Made]
    codes: Ragged
    keys: Keys
    axes: dict[str, NDArray[np.signedinteger]]
    order: U64
    statements: dict[int, bytes] = field(default_factory=dict)
    answers: dict[int, bytes] = field(default_factory=dict)
    ways: dict[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class ListedFamily(OmegaFamily):
    """A family that lists its problems; address i is problem i modulo their number, permuted.

    Attributes:
        repeats: addresses for each problem, to see it in other wordings and letters.
    """

    repeats: int = 1

    n_letters: ClassVar[int] = 0
    """Different letters that a statement can need."""
    variants: ClassVar[int] = 8
    """Statements made of one problem and wording, if there are choices of the text alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("repeats", self.repeats, 1, MOST_REPEATS)

    @abstractmethod
    def list_level(self, level: int) -> Iterable[Made]:
        """Make every problem of a level, always in the same order; none twice."""

    @abstractmethod
    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Put the question in one of the wordings; `draws` are for choices of the text alone."""

    def answer(self, made: Made) -> str:
        """Return the answer, for a family that leaves it out when it lists its problems."""
        return made.answer

    def steps(self, made: Made) -> str:
        """Return the way to the answer, line by line."""
        raise NotImplementedError

    @property
    def space(self) -> int | None:
        """Every problem, `repeats` times."""
        return len(listing_of(self).made) * self.repeats

    @property
    def fewest_problems(self) -> int | None:
        """The exact number of problems."""
        return len(listing_of(self).made)

    def draw(self, rows: Rows) -> Problems:
        """Look the problems at these addresses up."""
        listing = listing_of(self)
        n = np.uint64(len(listing.made))
        index = permute(rows.addresses % n, listing.order).astype(np.int64)
        axes = {name: values[index] for name, values in listing.axes.items()}
        return Problems(
            rows=rows,
            derivations=listing.codes.take(index),
            keys=listing.keys[index],
            axes=axes,
            difficulty=axes["level"],
            valid=np.ones(len(rows), bool),
            parts={"index": index},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Copy the statements, each with letters of its own, and the ways if asked."""
        listing, index = listing_of(self), problems.parts["index"]
        wordings = self.wording_of_rows(problems.rows)
        text = problems.rows.branch("text")
        variants = text.draws().integers(0, self.variants)
        numbers = (index * self.wordings + wordings) * self.variants + variants
        ending = BOXED.encode() if style.prompt == "boxed" else b""
        names = problems.rows.branch("letters").keys
        solutions: pa.StringArray | None = None
        if style.solution == "steps":
            ways = _texts(index, listing.ways, lambda i: self.steps(listing.made[i]))
            solutions = _lettered(*ways, b"", names, self.n_letters)
        statements = _texts(numbers, listing.statements, self._statement)
        answers = _texts(index, listing.answers, lambda i: self.answer(listing.made[i]))
        return Texts(
            prompts=_lettered(*statements, ending, names, self.n_letters),
            answers=_lettered(*answers, b"", names, 0),
            answer_types=constant_text(self.answer_type, len(index)),
            templates=choice_text(wordings, self.template_names(style)),
            solutions=solutions,
        )

    def _statement(self, number: int) -> str:
        rest, variant = divmod(number, self.variants)
        problem, wording = divmod(rest, self.wordings)
        made = listing_of(self).made[problem]
        return self.tell(made, wording, RowDraws(stream_key("omega text", number, variant)))


@lru_cache(maxsize=16)
def listing_of(family: ListedFamily) -> Listing:
    """List the problems of a family's chosen levels.

    A problem of several chosen levels is dealt to one of them, to each in turn.
    """
    found: dict[object, tuple[Made, list[int]]] = {}
    for level in family.chosen_levels:
        for one in family.list_level(level):
            found.setdefault(one.tree, (one, []))[1].append(level)
    turns: dict[tuple[int, ...], int] = {}
    levels = []
    for _, choices in found.values():
        turn = turns.get(tuple(choices), 0)
        turns[tuple(choices)] = turn + 1
        levels.append(choices[turn % len(choices)])
    made = [one for one, _ in found.values()]
    codes = trees_column((one.tree for one in made), family.signature)
    columns = {"level": levels}
    if family.subtypes:
        columns["subtype"] = [one.subtype for one in made]
    for name in family.own_axes:
        columns[name] = [(one.axes or {})[name] for one in made]
    return Listing(
        made=made,
        codes=codes,
        keys=derivation_keys(codes, family.signature, family.domain),
        axes={name: np.array(values, family.axes[name].dtype) for name, values in columns.items()},
        order=permutation_table(stream_key("omega", type(family).__name__), len(made)),
    )


def _texts(
    numbers: NDArray[np.int64], known: dict[int, bytes], write: Callable[[int], str]
) -> tuple[list[bytes], NDArray[np.int64]]:
    """Return the different texts of these numbers, and which of them each number has."""
    wanted, which = np.unique(numbers, return_inverse=True)
    if len(known) > _REMEMBERED:
        known.clear()
    texts = []
    for number in wanted.tolist():
        text = known.get(number)
        if text is None:
            text = known[number] = write(number).encode()
        texts.append(text)
    return texts, which


def _lettered(
    texts: list[bytes], which: NDArray[np.int64], ending: bytes, names: U64, n_letters: int
) -> pa.StringArray:
    """Copy the texts, each with an ending, and put letters drawn by the rows' keys `names`."""
    offsets = offsets_of(np.array([len(text) + len(ending) for text in texts], np.int64))
    data = np.frombuffer(b"".join(text + ending for text in texts), np.uint8)
    ends = offsets_of(np.diff(offsets)[which])
    places = (
        np.flatnonzero((data > 0) & (data <= n_letters)) if n_letters else np.zeros(0, np.int64)
    )
    marks = np.searchsorted(places, offsets)
    copied = _put_letters(data, offsets, places, marks, which, ends, names, n_letters, _ALPHABET)
    return text_column(copied, ends)


@njit(cache=True, nogil=True)
def _put_letters(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    places: NDArray[np.int64],
    marks: NDArray[np.int64],
    which: NDArray[np.int64],
    ends: NDArray[np.int64],
    names: U64,
    n_letters: int,
    alphabet: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """Copy texts; `places` are those of letters, places[marks[k] : marks[k + 1]] of text k."""
    out = np.empty(ends[-1], np.uint8)
    letters = alphabet.copy()
    for i in range(len(which)):
        text = which[i]
        copy_bytes(out, ends[i], data, offsets[text], ends[i + 1] - ends[i])
        if marks[text] == marks[text + 1]:
            continue
        copy_bytes(letters, 0, alphabet, 0, len(alphabet))
        for j in range(n_letters):
            other = j + draw_below(names[i], j, len(alphabet) - j)
            letters[j], letters[other] = letters[other], letters[j]
        shift = ends[i] - offsets[text]
        for k in range(marks[text], marks[text + 1]):
            out[places[k] + shift] = letters[data[places[k]] - 1]
    return out
