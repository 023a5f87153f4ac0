"""L1 keys of many texts: those of `templates.normalised_keys`, with a short way for plain ASCII.

A text of printable ASCII, tabs and line ends needs no composed Unicode, so that a kernel can write
its normal form; all others go the long way. The keys are the same.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from synthgen.core.columns import text_bytes, text_column
from synthgen.core.content import Keys, text_keys
from synthgen.core.coverage.templates import Level, normalised_keys

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

_SPACE = np.uint8(32)
_TO_LOWER = np.uint8(32)


def fast_normalised_keys(texts: pa.StringArray, *, fold_case: bool = True) -> Keys:
    """Return the L1 key of each text, uint64 (n, 2), as `normalised_keys` does."""
    data, offsets = text_bytes(texts)
    out, out_offsets, plain = _normalise(data, offsets, fold_case)
    keys = text_keys(text_column(out, out_offsets), Level.NORMALISED.label)
    others = np.flatnonzero(~plain)
    if len(others):
        chosen = texts.take(pa.array(others))
        keys[others] = normalised_keys(chosen, fold_case=fold_case)
    return keys


@njit(cache=True, nogil=True)
def _normalise(
    data: Bytes,
    offsets: Ints,
    fold_case: bool,  # noqa: FBT001
) -> tuple[Bytes, Ints, NDArray[np.bool_]]:
    """Write plain texts with single spaces; say which ones are plain, others being left empty."""
    n = len(offsets) - 1
    out = np.empty(offsets[n] - offsets[0], np.uint8)
    out_offsets = np.zeros(n + 1, np.int64)
    plain = np.ones(n, np.bool_)
    at = 0
    for i in range(n):
        start = at
        gap = False
        for place in range(offsets[i], offsets[i + 1]):
            byte = data[place]
            if byte == 32 or byte == 9 or byte == 10 or byte == 12 or byte == 13:
                gap = at > start
                continue
            if byte < 32 or byte > 126:
                plain[i] = False
                at = start
                break
            if gap:
                out[at] = _SPACE
                at += 1
                gap = False
            out[at] = byte + _TO_LOWER if fold_case and 65 <= byte <= 90 else byte
            at += 1
        out_offsets[i + 1] = at
    return out, out_offsets, plain
