"""CPython's `random.Random` integer draws, compiled, for data sets published with a seed.

The Mersenne Twister MT19937 (Matsumoto, Nishimura 1998) and, on top of it, the way CPython turns
its 32-bit words into `getrandbits`, `_randbelow` (hence `choice`, `randint`) and `shuffle`. The
state is CPython's own, 624 words and the position of the next one, so the standard library seeds
it. New data never draws from here; it uses `synthgen.core.randomness`.
"""

from __future__ import annotations

import random

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.lent import lent

State = NDArray[np.uint32]

_WORDS = 624
_SHIFT = 397
_UPPER, _LOWER = np.uint64(0x80000000), np.uint64(0x7FFFFFFF)
_MATRIX = np.uint64(0x9908B0DF)
_TEMPER_B, _TEMPER_C = np.uint64(0x9D2C5680), np.uint64(0xEFC60000)
_S1, _S7, _S11, _S15, _S18 = (np.uint64(shift) for shift in (1, 7, 11, 15, 18))


def seeded(seed: int) -> State:
    """Return the state of `random.Random(seed)`, uint32 (625,): the words and the next position."""
    generator = random.Random(seed)  # noqa: S311  the published procedure fixes this generator
    return np.array(generator.getstate()[1], dtype=np.uint32)


@lent
def _twist(state: State) -> None:
    """Replace all words by the next 624 and go back to the first."""
    for i in range(_WORDS):
        after = i + 1 if i + 1 < _WORDS else 0
        far = i + _SHIFT if i + _SHIFT < _WORDS else i + _SHIFT - _WORDS
        joined = (np.uint64(state[i]) & _UPPER) | (np.uint64(state[after]) & _LOWER)
        word = np.uint64(state[far]) ^ (joined >> _S1)
        if joined & _S1:
            word ^= _MATRIX
        state[i] = word
    state[_WORDS] = 0


@lent
def _next_word(state: State) -> np.uint64:
    """Return the next 32 uniform bits."""
    if state[_WORDS] >= _WORDS:
        _twist(state)
    at = np.int64(state[_WORDS])
    state[_WORDS] = at + 1
    word = np.uint64(state[at])
    word ^= word >> _S11
    word ^= (word << _S7) & _TEMPER_B
    word ^= (word << _S15) & _TEMPER_C
    return word ^ (word >> _S18)


@lent
def bits(state: State, k: int) -> np.int64:
    """Draw `getrandbits(k)` for k from 1 to 32; changes the state."""
    return np.int64(_next_word(state) >> np.uint64(32 - k))


@lent
def below(state: State, n: int) -> np.int64:
    """Draw an integer from 0 to n - 1 for n from 1 to 2^32 - 1, as `choice` and `randint` do.

    Words too large are drawn again, so even n = 1 takes at least one word.
    """
    k = 0
    while n >> k:
        k += 1
    drawn = bits(state, k)
    while drawn >= n:
        drawn = bits(state, k)
    return drawn


@njit(cache=True, nogil=True)
def shuffled(state: State, n: int) -> NDArray[np.int64]:
    """Return what `shuffle` makes of the list 0..n-1, int64 (n,): Fisher-Yates from the end."""
    order = np.arange(n)
    for last in range(n - 1, 0, -1):
        other = below(state, last + 1)
        order[last], order[other] = order[other], order[last]
    return order
