"""Splits decided by a hash of each row's group key: without state, and stable as rows are added.

The hash of a key is u = blake2b-64(salt, byte 0x1F, key) / 2^64, the digest read as a big-endian
number. A row is in train if and only if u < ratio; rows with equal keys are always together.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import integer_values
from synthgen.core.errors import ParamError
from synthgen.core.randomness import U64

_SEPARATOR = b"\x1f"
_WORDS = 1 << 64
_CLOSE = 1e-9


def hash_words(keys: pa.StringArray, salt: str) -> U64:
    """Return u times 2^64 for each key, uint64 (n,).

    Args:
        keys: group keys without nulls; equal ones are hashed once.
        salt: names the split, so that other splits are unrelated.

    Raises:
        ParamError: for keys that are null.
    """
    if keys.null_count:
        raise ParamError("group keys that are null", keys.null_count, "a key for each row")
    encoded = keys.dictionary_encode()
    begun = hashlib.blake2b(salt.encode() + _SEPARATOR, digest_size=8)
    digests = []
    for key in encoded.dictionary.to_pylist():
        state = begun.copy()
        state.update(key.encode())
        digests.append(state.digest())
    words = np.frombuffer(b"".join(digests), ">u8").astype(np.uint64)
    chosen: U64 = words[integer_values(encoded.indices)]
    return chosen


def hash_fractions(keys: pa.StringArray, salt: str) -> NDArray[np.float64]:
    """Return u for each key, from 0 to 1, float64 (n,); `hash_words` says for which arguments."""
    return hash_words(keys, salt).astype(np.float64) * 2.0**-64


def hash_split(keys: pa.StringArray, salt: str, shares: Sequence[float]) -> NDArray[np.int64]:
    """Return for each row which part it belongs to, int64 (n,).

    Args:
        keys: group keys without nulls.
        salt: names the split.
        shares: expected share of rows of each part, such as (0.9, 0.1); they add up to 1. Part 0 is
            train of the ratio shares[0].

    Raises:
        ParamError: for shares that are negative or do not add up to 1, or keys that are null.
    """
    if not shares or min(shares) < 0.0 or not math.isclose(math.fsum(shares), 1.0, abs_tol=_CLOSE):
        raise ParamError("shares", tuple(shares), "numbers of at least 0 that add up to 1")
    ends = [math.fsum(shares[: i + 1]) for i in range(len(shares) - 1)]
    bounds = [min(int(end * _WORDS), _WORDS) for end in ends]
    words = hash_words(keys, salt)
    parts = np.zeros(len(words), np.int64)
    for bound in bounds:
        if bound < _WORDS:  # above the last word there is nothing
            parts += words >= np.uint64(bound)
    return parts
