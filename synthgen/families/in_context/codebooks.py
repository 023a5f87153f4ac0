"""Codebooks: their entries, and words encoded and decoded by them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from synthgen.authoring import (
    ParamError,
    Problem,
    RowDraws,
    Signature,
    Words,
    axis,
    levelled,
    params,
    signature_of,
    stream_key,
)
from synthgen.authoring.distractors import misspelt
from synthgen.families.in_context.worlds import (
    GROUPS,
    LAST_WORLD,
    Ints,
    LatentFamily,
    groups_of,
    shuffles,
)

_WORDS = Words.beside(__file__).part("codebooks")
_ASKS = ("definition", "encoding", "decoding")
_MAX_LENGTH, _MAX_BOOKS = 10, 10_000
_OFFERED = 12


class _Range(NamedTuple):
    """Numbers of the problems of one kind and length."""

    kind: str
    length: int
    size: int


@levelled("length", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
@dataclass(frozen=True)
class LatentCodebooks(LatentFamily):
    """Entries of random codebooks, and words that are encoded or decoded by one of them.

    Attributes:
        books, entries: Number of codebooks, and of letters in each.
        number: Number of the world.
        asks: The "definition" of an entry, the "encoding" of a word, or its "decoding".
        min_length, max_length: Letters of the shortest and longest word; definitions have one.
    """

    books: int = params.integer(200, 1, _MAX_BOOKS)
    entries: int = params.integer(20, 2, 26)
    number: int = params.integer(0, 0, LAST_WORLD)
    asks: tuple[str, ...] = params.choices(_ASKS[:2], _ASKS)
    min_length: int = params.integer(1, 1, _MAX_LENGTH, up_to="max_length")
    max_length: int = params.integer(4, 1, _MAX_LENGTH)

    verifier = "latent_codebooks"
    words = _WORDS
    answer_type = "string"
    own_axes = {
        "length": axis("letters of the word", "min_length", "max_length"),
        "book": axis("number of the codebook", 1, _MAX_BOOKS),
        "low_group": axis("lowest group of the entries used, of 100 equal groups", 0, GROUPS - 1),
        "high_group": axis("highest group of the entries used", 0, GROUPS - 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if "definition" in self.asks and self.min_length > 1:
            raise ParamError("min_length", self.min_length, '1, as "definition" is asked for')

    @property
    def world(self) -> str:
        """Name of the set of codebooks."""
        return f"cb-{self.books}-{self.entries}-{self.number}"

    @cached_property
    def signature(self) -> Signature:
        """Kinds of questions, codebooks and letters as integers, and the world."""
        words = dict.fromkeys(_ASKS[1:], (3, 2 + _MAX_LENGTH))
        return signature_of({"definition": 3, **words, self.world: 0})

    @cached_property
    def _ranges(self) -> list[_Range]:
        lengths = range(self.min_length, self.max_length + 1)
        return [
            _Range(kind, length, self.books * self.entries**length)
            for kind in _ASKS
            if kind in self.asks
            for length in ([1] if kind == "definition" else lengths)
        ]

    @property
    def space(self) -> int:
        """Number of entries and words."""
        return sum(each.size for each in self._ranges)

    def numbered(self, numbers: Ints) -> Iterator[Problem]:
        """Read a number as a kind, a length, a codebook and the letters of a word."""
        ends = [*accumulate(each.size for each in self._ranges)]
        groups = groups_of(self.world, self.books * self.entries)
        for number in numbers.tolist():
            place = bisect_right(ends, number)
            kind, length, size = self._ranges[place]
            rest, letters = number - ends[place] + size, list[int]()
            for _ in range(length):
                rest, letter = divmod(rest, self.entries)
                letters.append(letter)
            used = [int(groups[rest * self.entries + letter]) for letter in letters]
            codes = self._codes(rest)
            texts = (
                "".join(ascii_lowercase[letter] for letter in letters),
                "".join(codes[letter] for letter in letters),
            )
            asked, answer = reversed(texts) if kind == "decoding" else texts
            yield Problem(
                tree=(kind, self.world, rest, *letters),
                answer=answer,
                holes={"book": rest + 1, "word": asked},
                kind=kind,
                axes={
                    "length": length,
                    "book": rest + 1,
                    "low_group": min(used),
                    "high_group": max(used),
                },
                steps=[f"{one} is {other}" for one, other in zip(asked, answer, strict=True)],
                difficulty=length,
                data=rest,
            )

    def _codes(self, book: int) -> str:
        """Return the codes of all letters, in alphabetic order of the letters."""
        stream = stream_key("codebooks", self.books, self.entries, self.number)
        order = shuffles(stream, self.books, 26)[book, : self.entries]
        return "".join(ascii_uppercase[code] for code in order.tolist())

    def stated(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """State all entries of the codebook in any order."""
        codes = self._codes(problem.data)
        for letter in draws.shuffled(range(self.entries)):
            yield f"{ascii_lowercase[letter]} = {codes[letter]}"

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return answers with other letters of the codebook, or in another order."""
        codes = self._codes(problem.data)
        signs = ascii_lowercase[: self.entries] if problem.kind == "decoding" else codes
        if len(problem.answer) == 1:
            return draws.shuffled([sign for sign in signs if sign != problem.answer])
        return ["".join(signs) for signs in misspelt(problem.answer, signs, draws, _OFFERED)]
