"""Content keys: 128-bit hashes of canonical problems, and the ids derived from them.

A key depends on the domain (the family, whose semantics the symbols have) and on the symbols' names
and arities in prefix order, never on codes, parameters, addresses or versions. So it is the same
problem's key in every dataset, forever. Two lanes with different finalisers make it 128 bits wide:
at 10^9 problems the chance of any collision is about 10^-21.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, text_bytes, text_column
from synthgen.core.kernels import inline, jit
from synthgen.draws.randomness import mix64
from synthgen.trees.derivations import Signature

Keys = NDArray[np.uint64]

_FMIX_1 = np.uint64(0xFF51AFD7ED558CCD)
_FMIX_2 = np.uint64(0xC4CEB9FE1A85EC53)
_S33 = np.uint64(33)
_LANE_STEP = np.uint64(0xD6E8FEB86659FD93)
_HEX = np.frombuffer(b"0123456789abcdef", np.uint8)
ID_LENGTH = 32


@inline
def _fmix64(value: np.uint64) -> np.uint64:
    """Finaliser of MurmurHash3 (Appleby, public domain), a bijection of 64-bit words."""
    value = (value ^ (value >> _S33)) * _FMIX_1
    value = (value ^ (value >> _S33)) * _FMIX_2
    return value ^ (value >> _S33)


def domain_seed(domain: str) -> Keys:
    """Return the two lanes' initial words of a domain, uint64 (2,)."""
    digest = hashlib.blake2b(domain.encode(), digest_size=16, person=b"synthgen-domain").digest()
    return np.frombuffer(digest, np.uint64)


def derivation_keys(derivations: Ragged, signature: Signature, domain: str) -> Keys:
    """Return the content key of every derivation, uint64 (n, 2).

    Args:
        derivations: Symbol codes in prefix order, already in canonical form.
        signature: Names and arities of the codes.
        domain: Name of the family.
    """
    return hash_symbols(
        derivations.values, derivations.offsets, signature.symbol_ids, domain_seed(domain)
    )


@jit
def hash_symbols(
    codes: NDArray[np.unsignedinteger], offsets: NDArray[np.int64], ids: Keys, seed: Keys
) -> Keys:
    """Fold the ids of each row's codes into two lanes, uint64 (n, 2).

    Each step of a lane depends on the last, so rows are folded in pairs while both have codes left.
    """
    n = len(offsets) - 1
    keys = np.empty((n, 2), np.uint64)
    for one in range(0, n, 2):
        other = min(one + 1, n - 1)  # an odd last row is paired with itself
        start, start_other = np.uintp(offsets[one]), np.uintp(offsets[other])
        length = np.uintp(offsets[one + 1]) - start
        length_other = np.uintp(offsets[other + 1]) - start_other
        high, low = high_other, low_other = seed[0], seed[1]
        both = min(length, length_other)
        for place in range(both):
            high, low = _folded(high, low, ids[codes[start + place]])
            symbol = ids[codes[start_other + place]]
            high_other, low_other = _folded(high_other, low_other, symbol)
        for place in range(both, length):
            high, low = _folded(high, low, ids[codes[start + place]])
        for place in range(both, length_other):
            symbol = ids[codes[start_other + place]]
            high_other, low_other = _folded(high_other, low_other, symbol)
        keys[one, 0], keys[one, 1] = mix64(high + length), _fmix64(low ^ length)
        keys[other, 0] = mix64(high_other + length_other)
        keys[other, 1] = _fmix64(low_other ^ length_other)
    return keys


@inline
def _folded(high: np.uint64, low: np.uint64, symbol: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return both lanes after one more symbol."""
    return mix64(high ^ symbol), _fmix64(low + symbol * _LANE_STEP)


def text_keys(column: pa.StringArray, domain: str) -> Keys:
    """Return a content key of every text, uint64 (n, 2): for duplicates by prompt."""
    data, offsets = text_bytes(column)
    return hash_symbols(data, offsets, _byte_ids(), domain_seed(f"text/{domain}"))


def _byte_ids() -> Keys:
    """Return a word for each byte value, uint64 (256,)."""
    return np.frombuffer(
        b"".join(
            hashlib.blake2b(bytes([value]), digest_size=8, person=b"synthgen-byte").digest()
            for value in range(256)
        ),
        np.uint64,
    )


def id_column(keys: Keys) -> pa.StringArray:
    """Write keys as ids: 32 hexadecimal digits, high word first."""
    offsets = np.arange(0, ID_LENGTH * (len(keys) + 1), ID_LENGTH, dtype=np.int64)
    return text_column(_write_hex(keys, _HEX), offsets)


@jit
def _write_hex(keys: Keys, digits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    out = np.empty(len(keys) * 32, np.uint8)
    for i in range(len(keys)):
        for lane in range(2):
            word = keys[i, lane]
            for j in range(16):
                out[i * 32 + lane * 16 + 15 - j] = digits[np.int64(word & np.uint64(15))]
                word >>= np.uint64(4)
    return out


def keys_of_ids(ids: pa.StringArray) -> Keys:
    """Read keys back from ids, uint64 (n, 2).

    Raises:
        ValueError: for a column that does not hold ids of 32 hexadecimal digits.
    """
    data, offsets = text_bytes(ids)
    raw = bytes.fromhex(data[offsets[0] : offsets[-1]].tobytes().decode("ascii"))
    # `fromhex` skips white space, so the length of each id does not prove its digits.
    if (np.diff(offsets) != ID_LENGTH).any() or len(raw) != len(ids) * ID_LENGTH // 2:
        msg = "ids must have 32 hexadecimal digits"
        raise ValueError(msg)
    return np.frombuffer(raw, ">u8").astype(np.uint64).reshape(-1, 2)
