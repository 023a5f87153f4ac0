"""Extract the atoms and compounds of problems, by the names that recipes use.

Compounds are structures of the derivation, and atoms its symbols; or both are taken from a sequence
of words: n-grams of them, with a border at either end, and the words themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

from synthgen.core.columns import Ragged
from synthgen.core.errors import ParamError
from synthgen.trees.compound_kinds import NGRAMS, CompoundKind
from synthgen.trees.derivations import Signature
from synthgen.trees.ngrams import joined, ngrams, token_ids
from synthgen.trees.structures import atoms, edges, fragments, subtrees


class Taken(NamedTuple):
    """Decomposed problems: atoms and compounds of each, with repeats, ragged uint64."""

    atoms: Ragged
    compounds: Ragged


def take_apart(kind: CompoundKind, derivations: Ragged, signature: Signature) -> Taken:
    """Decompose derivations, also into n-grams of their symbols.

    Args:
        kind: Kind of compounds, not of prompts.
        derivations: Symbol codes in prefix order.
        signature: Names and arities of the codes.

    Raises:
        ParamError: for nodes or numbers of words out of range, codes that are not whole
            derivations, or a kind of prompts.
    """
    if kind.of_prompts:
        raise ParamError("words", kind.words, "those of derivations")
    symbols = atoms(derivations, signature)
    if kind.name == NGRAMS:
        return _taken_words(kind, symbols)
    if kind.name == "edges":
        return Taken(symbols, edges(derivations, signature))
    if kind.name == "fragments":
        return Taken(symbols, fragments(derivations, signature, max_nodes=kind.nodes))
    return Taken(symbols, subtrees(derivations, signature))


def take_prompts_apart(kind: CompoundKind, prompts: pa.StringArray) -> Taken:
    """Decompose prompts into words, and n-grams of them between <s> and </s>.

    Raises:
        ParamError: for numbers of words out of range, or a kind that is not of prompts.
    """
    if not kind.of_prompts:
        raise ParamError("words", kind.words, "those of prompts")
    return _taken_words(kind, token_ids(prompts))


def _taken_words(kind: CompoundKind, words: Ragged) -> Taken:
    return Taken(words, joined([ngrams(words, n, borders=True) for n in sorted(kind.ngram)]))
