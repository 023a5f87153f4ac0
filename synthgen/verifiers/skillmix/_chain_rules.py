"""Rules for single items: where each item of a result comes from, what it becomes, which stay."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._chain_atoms import ROW
from synthgen.verifiers.skillmix._chain_read import Numbers
from synthgen.verifiers.skillmix._chain_values import BASE, WORD_LENGTH

BY_PLACE, BY_ITEM, CHOOSING, BY_RANK, LISTING, COUNTING, BY_NUMBER = range(7)
"""Kinds of rules."""
_KINDS = {
    BY_PLACE: "rev rotl rotr dbl evens odds swap halves riffle mirror drop take half codes lrev "
    "lrot ltake ldrop wrev",
    BY_ITEM: "caesar atbash vowrot replace_ letters ladd lmul lmod add mul mod sqmod gcd collatz "
    "acronym lasts",
    CHOOSING: "dedup rmvow remove_ unique keepeven keepgt wdedup wlonger",
    BY_RANK: "sort lsort lsortdesc wsort",
    LISTING: "insert_ toggle_ prefix diffs pairsums",
    COUNTING: "length vowels distinct alphasum index_ sum max min count range median argmax",
    BY_NUMBER: "digitsum revdigits digits divisors primes",
}
KIND = np.zeros(len(ROW), np.int64)
"""Kind of rule of each row."""
for _kind, _labels in _KINDS.items():
    KIND[[ROW[_label] for _label in _labels.split()]] = _kind
_REV, _LREV, _WREV = ROW["rev"], ROW["lrev"], ROW["wrev"]
_ROTL, _ROTR, _LROT, _SWAP = ROW["rotl"], ROW["rotr"], ROW["lrot"], ROW["swap"]
_HALVES, _RIFFLE, _HALF = ROW["halves"], ROW["riffle"], ROW["half"]
_EVENS, _ODDS, _DBL, _MIRROR = ROW["evens"], ROW["odds"], ROW["dbl"], ROW["mirror"]
_TAKE, _LTAKE, _DROP, _LDROP = ROW["take"], ROW["ltake"], ROW["drop"], ROW["ldrop"]
_CAESAR, _ATBASH, _VOWROT, _REPLACE = (ROW[n] for n in ("caesar", "atbash", "vowrot", "replace_"))
_LETTERS, _COLLATZ, _GCD, _SQMOD = (ROW[n] for n in ("letters", "collatz", "gcd", "sqmod"))
_ADDS, _LADD, _LMUL, _MUL = ROW["add"], ROW["ladd"], ROW["lmul"], ROW["mul"]
_ACRONYM, _LASTS = ROW["acronym"], ROW["lasts"]
_RMVOW, _REMOVE, _KEEPEVEN = ROW["rmvow"], ROW["remove_"], ROW["keepeven"]
_KEEPGT, _WLONGER = ROW["keepgt"], ROW["wlonger"]


@lent
def is_vowel(letter: Int) -> bool:
    """Say whether a letter (a is 1) is a vowel."""
    return letter == 1 or letter == 5 or letter == 9 or letter == 15 or letter == 21


@lent
def length_of(row: Int, a: Int, n: Int) -> Int:
    """Return how many items a rule by place makes of n."""
    if row == _TAKE or row == _LTAKE:
        return min(a, n)
    if row == _DROP or row == _LDROP:
        return max(n - a, np.int64(0))
    if row == _HALF or row == _EVENS:
        return n - n // 2
    if row == _ODDS:
        return n // 2
    return 2 * n if row == _DBL or row == _MIRROR else n


@lent
def place_of(row: Int, a: Int, n: Int, k: Int) -> Int:
    """Return the place, among n, from which item k of the result comes."""
    if row == _REV or row == _LREV or row == _WREV:
        return n - 1 - k
    if row == _ROTL or row == _LROT:
        return (k + a) % n
    if row == _ROTR:
        return (k - a) % n
    if row == _SWAP:
        return k if k == n - 1 and k % 2 == 0 else k + 1 - 2 * (k % 2)
    if row == _HALVES:
        return (k + n - n // 2) % n
    if row == _RIFFLE:
        return k // 2 if k % 2 == 0 else n - n // 2 + k // 2
    if row == _DROP or row == _LDROP:
        return k + a
    if row == _EVENS or row == _ODDS:
        return 2 * k + (row - _EVENS)
    if row == _DBL:
        return k // 2
    return 2 * n - 1 - k if k >= n else k


@lent
def item_of(row: Int, a: Int, b: Int, item: Int) -> Int:
    """Return what a rule by item makes of a letter, a number or a word."""
    if row == _CAESAR:
        return item + a if item + a <= 26 else item + a - 26
    if row == _ATBASH:
        return 27 - item
    if row == _VOWROT:
        if not is_vowel(item):
            return item
        return item + (6 if item == 9 or item == 15 else 4) if item < 21 else np.int64(1)
    if row == _REPLACE:
        return b if item == a else item
    if row == _LETTERS:
        rest = item % 26
        return rest if rest > 0 else np.int64(26)
    if row == _ADDS or row == _LADD:
        return item + a
    if row == _MUL or row == _LMUL:
        return item * a
    if row == _SQMOD:
        return item * item % a
    if row == _COLLATZ:
        return 3 * item + 1 if item % 2 else item // 2
    if row == _GCD:
        divisor = a
        while a % divisor or item % divisor:
            divisor -= 1
        return divisor
    if row == _ACRONYM or row == _LASTS:
        return _letter_of(row, item)
    return item % a


@lent
def _letter_of(row: Int, word: Int) -> Int:
    """Return the first or the last letter of a packed word."""
    if row == _LASTS:
        while word % BASE == 0:
            word //= BASE
        return word % BASE
    while word >= BASE:
        word //= BASE
    return word


@lent
def stays(row: Int, a: Int, values: Numbers, k: Int) -> bool:
    """Say whether item k is in the result of a choosing rule."""
    item = values[k]
    if row == _RMVOW:
        return not is_vowel(item)
    if row == _REMOVE:
        return bool(item != a)
    if row == _KEEPEVEN:
        return bool(item % 2 == 0)
    if row == _KEEPGT:
        return bool(item > a)
    if row == _WLONGER:
        spaces = 0
        while item % BASE == 0:
            item //= BASE
            spaces += 1
        return bool(WORD_LENGTH - spaces > a)
    for before in range(k):
        if values[before] == item:
            return False
    return True
