"""Numbers of the operations, in groups that kernels of their own carry out.

A value is a row of integers: a string its letters (a is 1), a list its numbers, a number itself,
words their letters with a 0 behind each word. So one operation may serve several types.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Value = NDArray[np.int64]
REV, ROT, ROT_BACK, SORT, SORT_DOWN, UNIQUE, TAKE, DROP = range(8)
EVENS, ODDS, SWAP, HALVES, RIFFLE, HALF, DOUBLE, MIRROR = range(8, 16)
COPY, SHIFT, FLIP, VOWEL_STEP, REPLACE, REMOVE, NO_VOWELS, INSERT, TOGGLE = range(16, 25)
LETTERS, ADD, MUL, MOD, PREFIX, DIFFS, KEEP_EVEN, KEEP_ABOVE, PAIR_SUMS = range(25, 34)
LENGTH, VOWELS, DISTINCT, SUM, INDEX, MAX, MIN, RANGE, MEDIAN, ARGMAX = range(34, 44)
DIGIT_SUM, TURN_DIGITS, COLLATZ, SQUARE_MOD, GCD, DIGITS, DIVISORS, PRIMES = range(44, 52)
FIRSTS, LASTS, WORDS_REV, WORDS_SORT, WORDS_UNIQUE, WORDS_LONGER = range(52, 58)
ROOM = 256
"""Integers that any value fits into, and any before it is found to be too long."""
MOST_LENGTH, MOST_NUMBER = 100, 1_000_000_000
MOST_DIVIDED = 10_000
"""Largest number whose divisors and factors are asked for."""
FAILED = -1
