"""Kinds of structure: trees of a column, or the words, tokens or characters of a text.

Every kind gives symbols, parts of two and of three symbols, and templates for a batch of rows, so
all metrics of novelty and divergence are the same for all kinds.

Numbers in texts: a number of one digit is a word of its own, and all longer ones are one word, `#`,
since a random split of numbers would otherwise have unseen words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, integer_values, offsets_of, text_bytes
from synthgen.coverage.inputs import PROMPT, STRUCTURE, TOKENS, Sides, text_of
from synthgen.coverage.structure_reader import StructureReader
from synthgen.coverage.templates import MASK, is_numeral, masked_texts
from synthgen.coverage.text_words import words_and_signs
from synthgen.draws.randomness import U64
from synthgen.trees.content_keys import domain_seed, hash_symbols
from synthgen.trees.derivations import Signature, derivation_depths
from synthgen.trees.local_structures import ROOT, code_of, local_structures, structure_words
from synthgen.trees.ngrams import ngrams, token_ids
from synthgen.trees.structures import atoms, fragments

Ints = NDArray[np.int64]
_Tokenizer = Callable[[pa.StringArray], Ragged]

MAX_NUMERALS, MAX_LEAVES = 32, 4_096
NUMERALS, MARKS, LEAVES = "numbers", "marks", "leaves"
PEEKED = 65_536
"""Rows of each side that decide which leaves are values."""
_LONG = 2
"""Numbers of at least this many digits are one word."""
FRAGMENT_NODES, MAX_FRAGMENTS = 3, 1_024
_SIZE_2 = np.uint64(2)
_SIZE_3 = 2  # code number from which structures have three symbols
_MASK_ID = Signature.from_arities({MASK: 0}).symbol_ids[0]
_SEQUENCE = domain_seed("sequence")
BEGIN_NAME, END_NAME = "<s>", "</s>"
"""Names of the borders of a sequence."""


@dataclass(frozen=True)
class Parsed:
    """Structures of some rows.

    Attributes:
        codes: Form in which samples are kept, for `Kind.bags`.
        symbols: Ids of the symbols in order, ragged uint64.
        pairs, triples: Parts of two and of three symbols, ragged uint64.
        templates: Key of each row with its values masked (L3), uint64 (n,).
        sizes: Sizes of the structures, by name.
    """

    codes: Ragged
    symbols: Ragged
    pairs: Ragged
    triples: Ragged
    templates: U64
    sizes: Mapping[str, Ints]


class Kind(Protocol):
    """One way to take rows apart."""

    @property
    def key(self) -> str:
        """Prefix of its figures; empty for trees."""

    @property
    def symbol(self) -> str:
        """Name of one symbol in reports."""

    @property
    def column(self) -> str:
        """Column that it reads."""

    @property
    def size(self) -> str:
        """Name of the length of a structure."""

    @property
    def parts(self) -> tuple[str, str]:
        """Names of parts of two and of three symbols."""

    def parse(self, batch: pa.RecordBatch) -> Parsed:
        """Take the rows of a batch apart."""

    def bags(self, sample: Ragged) -> dict[str, Ragged]:
        """Return symbols, smaller and larger compounds of sampled rows, by name, for divergence."""

    def text(self, symbol: int, row: str) -> str:
        """Return the text of a symbol that occurs in a row of the kind's column."""

    def part_text(self, part: int, row: str) -> str:
        """Return the text of a pair or triple that occurs in a row of the kind's column."""


class TreeKind:
    """Trees such as `(+ 2 (* 3 4))`; symbols of all sides share one vocabulary."""

    key, symbol, column, size = "", "atom", STRUCTURE, "nodes"
    parts = ("pair", "triple")

    def __init__(self, sides: Sides) -> None:
        """Decide from the first rows of every side which leaves to treat as values."""
        peek = StructureReader()
        for side in sides.all:
            left = PEEKED
            for batch in side.batches([STRUCTURE]):
                peek.read(text_of(batch, STRUCTURE)[:left])
                left -= batch.num_rows
                if left <= 0:
                    break
        self.masked = kinds_to_mask(peek.signature)
        self._reader = StructureReader(lambda leaf: MASK if _kind(leaf) in self.masked else leaf)
        self.classes = classes_of(self._reader.signature)

    @property
    def signature(self) -> Signature:
        """Signature of the codes so far."""
        return self._reader.signature

    def parse(self, batch: pa.RecordBatch) -> Parsed:
        """Read the trees of a batch."""
        codes = self._reader.read(text_of(batch, STRUCTURE))
        signature = self._reader.signature
        if len(signature.names) > len(self.classes.of):
            self.classes = classes_of(signature)
        classes = self.classes
        local = local_structures(codes, signature, 3)
        words = merged_words(local.values, classes) if classes.merge else local.values
        large = code_of(words) >= _SIZE_3
        seed = domain_seed("template")
        keys = hash_symbols(codes.values, codes.offsets, classes.template_ids, seed)
        depths = derivation_depths(codes.values, codes.offsets, signature.arity_array)
        return Parsed(
            codes,
            Ragged(classes.of[codes.values].astype(np.uint64), codes.offsets),
            Ragged(words, local.offsets).only(~large),
            Ragged(words, local.offsets).only(large),
            keys[:, 0].copy(),
            {"nodes": codes.lengths, "depth": depths},
        )

    def bags(self, sample: Ragged) -> dict[str, Ragged]:
        """Return atoms, edges and fragments of two to three nodes."""
        signature = self.signature
        edges, larger = (
            fragments(sample, signature, max_nodes=nodes, limit=MAX_FRAGMENTS)
            for nodes in (2, FRAGMENT_NODES)
        )
        return {"atoms": atoms(sample, signature), "edges": edges, "fragments": larger}

    def text(self, symbol: int, row: str) -> str:  # noqa: ARG002
        """Return the name of a class of symbols."""
        return self.classes.names[symbol]

    def part_text(self, part: int, row: str) -> str:  # noqa: ARG002
        """Return the position of the symbols of a structure in words."""
        return structure_words(part, self.classes.signature)


@dataclass(frozen=True)
class Sequences:
    """Sequences of symbols taken from a text column; n-grams have borders.

    Attributes:
        tokens: Function that returns the ids of the symbols of texts.
        split: Function that returns the symbols of one text by the same rule.
        masked: Function that returns ids with one for all numbers; None without templates.
    """

    key: str
    symbol: str
    column: str
    tokens: _Tokenizer
    split: Callable[[str], Iterable[str]]
    masked: _Tokenizer | None
    parts: tuple[str, str] = ("bigram", "trigram")

    @property
    def size(self) -> str:
        """Name of the length of a sequence."""
        return f"{self.symbol}s"

    def parse(self, batch: pa.RecordBatch) -> Parsed:
        """Take the texts of a batch apart."""
        texts = text_of(batch, self.column)
        symbols = self.tokens(texts)
        pairs, triples = (ngrams(symbols, n, borders=True) for n in (2, 3))
        templates = _sequence_keys(self.masked(texts)) if self.masked else np.zeros(0, np.uint64)
        return Parsed(symbols, symbols, pairs, triples, templates, {self.size: symbols.lengths})

    def bags(self, sample: Ragged) -> dict[str, Ragged]:
        """Return symbols and their bigrams and trigrams."""
        pairs, triples = (ngrams(sample, n, borders=True) for n in (2, 3))
        return {f"{self.symbol}s": sample, "bigrams": pairs, "trigrams": triples}

    def text(self, symbol: int, row: str) -> str:
        """Return the symbol of a row that has this id."""
        for each in self.split(row):
            if int(self.tokens(pa.array([each])).values[0]) == symbol:
                return MASK if self.key == WORDS and each.isdigit() and len(each) >= _LONG else each
        return f"{symbol:016x}"

    def part_text(self, part: int, row: str) -> str:
        """Return the symbols of an n-gram of a row, with the borders of the row."""
        ids = self.tokens(pa.array([row]))
        last = len(ids.values) + 1

        def name(place: int) -> str:
            border = {0: BEGIN_NAME, last: END_NAME}.get(place)
            return border or self.text(int(ids.values[place - 1]), row)

        for n in (2, 3):
            places = np.flatnonzero(ngrams(ids, n, borders=True).values == np.uint64(part))
            if len(places):
                return " ".join(name(int(places[0]) + i) for i in range(n))
        return f"{part:016x}"


WORDS, NUMBERS, CHARS = "words", "numbers", "chars"
ALPHABETS = (WORDS, NUMBERS, CHARS)
"""Units of prompts: words, words with every number a word of its own, or characters."""
_WORD = re.compile(r"[0-9A-Za-z\u0080-\U0010ffff]+|[!-/:-@\[-`{-~]")


def sequences_of(alphabet: str) -> Sequences:
    """Return the kind for prompts, by one of `ALPHABETS`."""
    if alphabet == CHARS:
        masked = _after_masking(_characters)
        return Sequences("characters", "character", PROMPT, _characters, str, masked)
    read = partial(words_and_signs, mask_numbers=_LONG if alphabet == WORDS else 0)
    masked = partial(words_and_signs, mask_numbers=1)
    return Sequences(WORDS, "word", PROMPT, read, _WORD.findall, masked)


def _after_masking(tokens: _Tokenizer) -> _Tokenizer:
    return lambda texts: tokens(masked_texts(texts))


def kinds_of(sides: Sides, alphabet: str = WORDS) -> list[Kind]:
    """Return the kinds that all sides have; the first one is the main one.

    Raises:
        ParamError: for trees with too many symbols.
    """
    kinds: list[Kind] = []
    if sides.have(STRUCTURE):
        kinds.append(TreeKind(sides))
    if sides.have(TOKENS):
        masked = _after_masking(token_ids)
        kinds.append(Sequences("tokens", "token", TOKENS, token_ids, str.split, masked))
    of_prompts = sequences_of(alphabet)
    if kinds:
        of_prompts = replace(of_prompts, masked=None)
    return [*kinds, of_prompts] if sides.have(PROMPT) else kinds


def kinds_to_mask(signature: Signature) -> frozenset[str]:
    """Return the kinds of leaves to treat as values, by their number of distinct leaves."""
    symbols = zip(signature.names, signature.arities, strict=True)
    counts = Counter(_kind(name) for name, arity in symbols if not arity)
    limits = {NUMERALS: MAX_NUMERALS, MARKS: MAX_NUMERALS, LEAVES: MAX_LEAVES}
    return frozenset(kind for kind, limit in limits.items() if counts[kind] > limit)


@dataclass(frozen=True)
class Classes:
    """Classes of the symbols of one signature.

    Attributes:
        names: Names of the classes.
        of: Class of each code, int64 (k,).
        template_ids: Id of each code with all values masked, uint64 (k,).
    """

    names: tuple[str, ...]
    of: Ints
    template_ids: U64

    @property
    def merge(self) -> bool:
        """Whether some class has several symbols."""
        return len(self.names) < len(self.of)

    @property
    def signature(self) -> Signature:
        """Names of the classes, for writing structures."""
        return Signature(self.names, (0,) * len(self.names))


def classes_of(signature: Signature) -> Classes:
    """Return the classes of a signature's symbols.

    A signature that has grown has the same classes for its first symbols, and in the same order.
    """
    numbers: dict[str, int] = {}
    of = np.empty(len(signature.names), np.int64)
    template_ids = signature.symbol_ids.copy()
    for code, (name, arity) in enumerate(zip(signature.names, signature.arities, strict=True)):
        if not arity and _kind(name) == NUMERALS:
            template_ids[code] = _MASK_ID
        of[code] = numbers.setdefault(_base(name, arity), len(numbers))
    return Classes(tuple(numbers), of, template_ids)


def merged_words(words: U64, classes: Classes) -> U64:
    """Convert local structures of codes to local structures of classes."""
    table = np.zeros(ROOT + 1, np.uint64)
    table[: len(classes.of)] = classes.of
    table[ROOT] = ROOT
    code = words >> np.uint64(48)
    out: U64 = code << np.uint64(48)
    for shift in (32, 16, 0):
        symbols = table[(words >> np.uint64(shift)) & np.uint64(ROOT)] << np.uint64(shift)
        out |= np.where(code < _SIZE_2, 0, symbols).astype(np.uint64) if shift == 32 else symbols
    return out


def _kind(leaf: str) -> str:
    if is_numeral(leaf):
        return NUMERALS
    return MARKS if leaf.startswith(MASK) else LEAVES


def _base(name: str, arity: int) -> str:
    """Return a name without its argument-count suffix, as in `string7` and `f/2`."""
    suffix = str(arity)
    if not arity or not name.endswith(suffix) or name == suffix:
        return name
    return name[: -len(suffix)].removesuffix("/") or name


def _sequence_keys(tokens: Ragged) -> U64:
    """Return a key of each whole sequence, uint64 (n,)."""
    ids, codes = np.unique(tokens.values.astype(np.uint64), return_inverse=True)
    keys = hash_symbols(codes.astype(np.uint32), tokens.offsets, ids, _SEQUENCE)
    return keys[:, 0].copy()


def _characters(texts: pa.StringArray) -> Ragged:
    """Return the code point of each character."""
    lengths = integer_values(pc.fill_null(pc.utf8_length(texts), 0)).astype(np.int64)
    data, offsets = text_bytes(texts)
    whole = data[offsets[0] : offsets[-1]].tobytes().decode()
    points = np.frombuffer(whole.encode("utf-32-le"), np.uint32).astype(np.uint64)
    return Ragged(points, offsets_of(lengths))


def all_named(kinds: Sequence[Kind]) -> str:
    """Return the kinds for readers, such as "trees; words"."""
    return "; ".join(kind.key or "trees" for kind in kinds)
