"""Which symbols of structures count as the same: values are masked, variadic symbols are one.

Numbers and names that open-ended vocabularies make up are values: were they told apart, every test
row would have something unseen. So numerals are one class where a dataset has more than 32
different ones, and so are marks (leaves that begin with #); all other leaves are where there are
more than 4,096 of them. The first 65,536 rows of every side decide. Symbols that end in the number
of their arguments, such as `string7`, are one class whatever their length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthgen.core.coverage.local_structures import ROOT
from synthgen.core.coverage.templates import MASK, is_numeral
from synthgen.core.derivation import Signature
from synthgen.core.randomness import U64

Ints = NDArray[np.int64]

MOST_NUMERALS, MOST_LEAVES = 32, 4_096
NUMERALS, MARKS, LEAVES = "numbers", "marks", "leaves"
_SIZE_2 = np.uint64(2)
_MASK_ID = Signature.of({MASK: 0}).symbol_ids[0]


def kinds_to_mask(signature: Signature) -> frozenset[str]:
    """Return which kinds of leaves are values, by how many different ones there are."""
    counts = Counter(
        _kind(name)
        for name, arity in zip(signature.names, signature.arities, strict=True)
        if not arity
    )
    kinds = {
        NUMERALS: counts[NUMERALS] > MOST_NUMERALS,
        MARKS: counts[MARKS] > MOST_NUMERALS,
        LEAVES: counts[LEAVES] > MOST_LEAVES,
    }
    return frozenset(kind for kind, masked in kinds.items() if masked)


def leaf_names(masked: frozenset[str]) -> Callable[[str], str]:
    """Return what leaves are called where these kinds of them are values: `#` for each value."""
    return lambda name: MASK if _kind(name) in masked else name


@dataclass(frozen=True)
class Classes:
    """Classes of the symbols of one signature.

    Attributes:
        names: of the classes.
        of: class of each code, int64 (k,).
        template_ids: id of each code with all values masked, uint64 (k,).
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
    """Return local structures of codes as local structures of classes."""
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
    """Return a name without the number of its arguments at its end."""
    suffix = str(arity)
    return name[: -len(suffix)] if arity and name.endswith(suffix) and name != suffix else name
