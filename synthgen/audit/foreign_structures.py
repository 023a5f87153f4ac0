"""Structures of rows as bags of ids: of sequences of tokens, and of trees.

Ids are computed for symbols, compounds, and the parts of two and three symbols that define tiers of
novelty. They depend only on the text of the symbols, so batches and files can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import pyarrow as pa

from synthgen.core.columns import Ragged
from synthgen.core.content import Keys, derivation_keys, domain_seed, hash_symbols
from synthgen.core.derivation import Signature
from synthgen.core.local_structures import local_structures, structure_ids
from synthgen.core.ngrams import ngrams
from synthgen.core.randomness import U64
from synthgen.core.structures import atoms, edges, fragments
from synthgen.coverage.structure_texts import Trees, arity_of
from synthgen.coverage.templates import MASK, mask_values, masked_texts, numerals_of

_DOMAIN = "foreign"
_SEQUENCE = domain_seed(f"{_DOMAIN}/sequence")
_FRAGMENT_NODES = 3


class Structures(Protocol):
    """Structures of n rows, computed on demand."""

    @property
    def symbols(self) -> Ragged:
        """Ids in order, ragged uint64."""

    @property
    def bags(self) -> Mapping[str, Ragged]:
        """Compounds by name, ragged uint64."""

    @property
    def pairs(self) -> Ragged:
        """Parts of two symbols, for tiers, ragged uint64."""

    @property
    def triples(self) -> Ragged:
        """Parts of three symbols, for tiers, ragged uint64."""

    @property
    def keys(self) -> Keys | None:
        """Keys of whole structures (L2), unless they are only the words of the prompt."""

    @property
    def templates(self) -> Keys:
        """Keys of structures with masked numbers (L3)."""

    @property
    def trees(self) -> Trees | None:
        """The trees, if structures are trees; all numbers of two or more digits are one symbol."""


@dataclass(frozen=True)
class Sequences:
    """Structures of texts that are sequences of tokens; n-grams have borders.

    Attributes:
        texts: (n,).
        tokens: ids of the tokens of texts.
        of_column: whether the texts are a structure column rather than the prompts.
    """

    texts: pa.StringArray
    tokens: Callable[[pa.StringArray], Ragged]
    of_column: bool
    trees: Trees | None = None

    @cached_property
    def symbols(self) -> Ragged:
        """Tokens in order."""
        return self.tokens(self.texts)

    @cached_property
    def pairs(self) -> Ragged:
        """Pairs of adjacent tokens."""
        return ngrams(self.symbols, 2, borders=True)

    @cached_property
    def triples(self) -> Ragged:
        """Three tokens in a row."""
        return ngrams(self.symbols, 3, borders=True)

    @property
    def bags(self) -> Mapping[str, Ragged]:
        """N-grams."""
        return {"2-grams": self.pairs, "3-grams": self.triples}

    @property
    def keys(self) -> Keys | None:
        """Keys of whole structures, if the texts are a structure column."""
        return _sequence_keys(self.symbols) if self.of_column else None

    @property
    def templates(self) -> Keys:
        """Keys of the tokens of masked texts."""
        return _sequence_keys(self.tokens(masked_texts(self.texts)))


@dataclass(frozen=True)
class TreeStructures:
    """Structures of trees: edges and fragments of up to three nodes, and local structures."""

    whole: Trees

    @cached_property
    def symbols(self) -> Ragged:
        """Symbols in prefix order."""
        return atoms(self.whole.codes, self.whole.signature)

    @property
    def bags(self) -> Mapping[str, Ragged]:
        """Edges and fragments."""
        codes, signature = self.whole.codes, self.whole.signature
        larger = fragments(codes, signature, max_nodes=_FRAGMENT_NODES)
        return {"edges": edges(codes, signature), "fragments": larger}

    @property
    def pairs(self) -> Ragged:
        """Local structures of size 2."""
        return self._local(2)

    @property
    def triples(self) -> Ragged:
        """Local structures of sizes 2 and 3."""
        return self._local(3)

    @property
    def keys(self) -> Keys:
        """Keys of the trees as they are."""
        return derivation_keys(self.whole.codes, self.whole.signature, _DOMAIN)

    @property
    def templates(self) -> Keys:
        """Keys of the trees with their numbers masked."""
        codes, signature = self.whole.codes, self.whole.signature
        values = numerals_of(signature) | ({MASK} & set(signature.names))
        return derivation_keys(*mask_values(codes, signature, values), _DOMAIN)

    @cached_property
    def trees(self) -> Trees:
        """Trees with one symbol for all long numbers, as there may be arbitrarily many."""
        codes, signature = self.whole.codes, self.whole.signature
        long = frozenset(name for name in numerals_of(signature) if len(name) > 1)
        masked = mask_values(codes, signature, long | ({MASK} & set(signature.names)))
        return Trees(*masked, self.whole.depths)

    def _local(self, n: int) -> Ragged:
        words = local_structures(self.trees.codes, self.trees.signature, n)
        return Ragged(structure_ids(words.values, self.trees.signature), words.offsets)


@dataclass
class Vocabulary:
    """Numbers the symbols of all batches for tables of local structures."""

    names: list[str] = field(default_factory=list)
    _codes: dict[str, int] = field(default_factory=dict)

    def renumbered(self, trees: Trees) -> Ragged:
        """Return the codes of trees in this vocabulary, adding new symbols."""
        for name in trees.signature.names:
            if name not in self._codes:
                self._codes[name] = len(self.names)
                self.names.append(name)
        to = np.array([self._codes[name] for name in trees.signature.names], np.uint32)
        return Ragged(to[trees.codes.values], trees.codes.offsets)

    @property
    def signature(self) -> Signature:
        """All symbols so far."""
        return Signature(tuple(self.names), tuple(arity_of(name) for name in self.names))


def _sequence_keys(tokens: Ragged) -> Keys:
    """Return a key of each whole sequence, uint64 (n, 2)."""
    words: U64 = tokens.values.astype(np.uint64)
    ids, codes = np.unique(words, return_inverse=True)
    return hash_symbols(codes.astype(np.uint32), tokens.offsets, ids, _SEQUENCE)
