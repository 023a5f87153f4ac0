"""Levels at which two problems count as equal, and the keys for L0 to L3.

| level | equal in |
|---|---|
| L0 EXACT | bytes of the text |
| L1 NORMALISED | text, after composed Unicode, lower case and single spaces; see `loose_texts` |
| L2 CANONICAL | derivation |
| L3 TEMPLATE | derivation, with all values also masked |
| L4 NEAR | most word n-grams of the text |
| L5 ANSWER | only the answer |

Train and test share nothing at L0 to L2 unless declared; L3 and L4 are only reported.
"""

from __future__ import annotations

import re
from enum import IntEnum

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import Ragged
from synthgen.coverage.structure_reader import StructureReader
from synthgen.trees.content_keys import Keys, domain_seed, hash_symbols, text_keys
from synthgen.trees.derivations import Signature
from synthgen.trees.local_structures import symbol_mask

MASK = "#"
_NUMERAL = re.compile(r"[+-]?(\d+([./]\d+)?|\.\d+)", re.ASCII)
_NUMBERS_IN_TEXT = r"\b\d+(\.\d+)?"


class Level(IntEnum):
    """Level at which two problems count as equal."""

    EXACT = 0
    NORMALISED = 1
    CANONICAL = 2
    TEMPLATE = 3
    NEAR = 4
    ANSWER = 5

    @property
    def label(self) -> str:
        """Name of the level in reports: L0, L1 ..."""
        return f"L{self.value}"


def exact_keys(texts: pa.StringArray) -> Keys:
    """Return the L0 key of each text, computed from its bytes, uint64 (n, 2)."""
    return text_keys(texts, Level.EXACT.label)


def normalised_keys(texts: pa.StringArray, *, fold_case: bool = True) -> Keys:
    """Return the L1 key of each text, uint64 (n, 2); `fold_case` as in `normalised_texts`."""
    return text_keys(normalised_texts(texts, fold_case=fold_case), Level.NORMALISED.label)


def normalised_texts(texts: pa.StringArray, *, fold_case: bool = True) -> pa.StringArray:
    """Return texts in composed Unicode (NFC), in lower case and with single spaces.

    Numbers and punctuation are kept, as problems of one template differ in these.

    Args:
        texts: Text column; nulls stay null.
        fold_case: False keeps the case, if texts that differ only in case are different problems.
    """
    out = pc.utf8_normalize(texts, form="NFC")
    out = pc.utf8_lower(out) if fold_case else out
    return pc.utf8_trim_whitespace(pc.replace_substring_regex(out, r"[\s\pZ]+", " "))


def masked_texts(texts: pa.StringArray) -> pa.StringArray:
    """Return texts with each number masked: templates of problems without a derivation.

    Digits inside a name, as in x1, are not a number; digits before a name, as in 3x, are.
    """
    return pc.replace_substring_regex(texts, _NUMBERS_IN_TEXT, MASK)


def numerals_of(signature: Signature) -> frozenset[str]:
    """Return the symbols without arguments that are numbers: -3, 2.5, 1/2 ..."""
    pairs = zip(signature.names, signature.arities, strict=True)
    return frozenset(name for name, arity in pairs if not arity and is_numeral(name))


def is_numeral(name: str) -> bool:
    """Return whether a name is a number."""
    return _NUMERAL.fullmatch(name) is not None


def template_keys(derivations: Ragged, signature: Signature) -> Keys:
    """Return the L3 key of each derivation without canonicalising it, uint64 (n, 2).

    Numbers without arguments are the values. Unlike in `templates`, arguments keep their order.
    """
    ids = signature.symbol_ids.copy()
    numerals = symbol_mask(numerals_of(signature), signature)
    ids[numerals] = Signature.from_arities({MASK: 0}).symbol_ids[0]
    seed = domain_seed("template")
    return hash_symbols(derivations.values, derivations.offsets, ids, seed)


class TemplateReader:
    """Reads the templates of derivations from texts, batch by batch."""

    def __init__(self) -> None:
        self._reader = StructureReader()

    def words(self, derivations: pa.StringArray) -> NDArray[np.uint64]:
        """Return a word for the template of each derivation, half its L3 key, uint64 (n,).

        Raises:
            ParamError: as `StructureReader.read`.
        """
        codes = self._reader.read(derivations)
        return template_keys(codes, self._reader.signature)[:, 0].copy()
