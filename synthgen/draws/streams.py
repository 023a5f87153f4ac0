"""64-bit words in numpy: keys of streams, their finaliser, and keyed orders.

What draws and shuffles share, without kernels, so that readers start quickly.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

U64 = NDArray[np.uint64]

# Odd constant of the golden ratio: steps through all 2^64 states (SplitMix64's gamma).
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = (np.uint64(shift) for shift in (30, 27, 31))


def stream_key(*words: str | int) -> int:
    """Hash words to a 64-bit stream key; different words give unrelated streams."""
    text = "\x1f".join(f"{type(word).__name__}:{word}" for word in words)
    digest = hashlib.blake2b(text.encode(), digest_size=8, person=b"synthgen-stream").digest()
    return int.from_bytes(digest, "little")


def mix_words(values: U64) -> U64:
    """Apply the finaliser `mix64` to an array of words."""
    values = (values ^ (values >> _S30)) * MIX_1
    values = (values ^ (values >> _S27)) * MIX_2
    return values ^ (values >> _S31)


def keyed_order(key: int, n: int) -> NDArray[np.int64]:
    """Return a permutation of 0..n-1 that the key selects, each equally likely.

    It sorts the words of the numbers. The finaliser is a bijection, so no two are equal, and the
    order is the same whatever sorts them.
    """
    words = mix_words(np.uint64(key) + np.arange(1, n + 1, dtype=np.uint64) * GOLDEN)
    return np.argsort(words).astype(np.int64, copy=False)
