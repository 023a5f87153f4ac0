"""Kernels of the atoms: one value in, one value out.

A value is a row of integers: a string its letters (a is 1), a list its numbers, a number itself,
words their letters with a 0 after each word. So one operation may serve several types.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, kernel

Value = NDArray[np.int64]
_SHARED = (
    *("rev lrev", "rotl lrot", "rotr", "halves", "take ltake", "half", "codes", "drop ldrop"),
    *("evens", "odds", "swap", "riffle", "dbl", "mirror", "sort lsort", "lsortdesc"),
    *("dedup unique", "caesar", "atbash", "vowrot", "replace_", "remove_", "rmvow", "insert_"),
    *("toggle_", "letters", "ladd add", "lmul mul", "lmod mod", "prefix", "diffs", "keepeven"),
    *("keepgt", "pairsums", "length count", "vowels", "distinct", "alphasum sum", "index_", "max"),
    *("min", "range", "median", "argmax", "digitsum", "revdigits", "collatz", "sqmod", "gcd"),
    *("digits", "divisors", "primes", "acronym", "lasts", "wrev", "wsort", "wdedup", "wlonger"),
)
OPERATION = {label: code for code, labels in enumerate(_SHARED) for label in labels.split()}
"""Number of the operation of each family; operations of one kernel are adjacent."""
# As numbers of numpy, as a kernel is compiled again for every literal of Python.
_REV, _ROTL, _ROTR, _HALVES, _TAKE, _HALF, _CODES, _DROP = np.arange(8)
_EVENS, _ODDS, _SWAP, _RIFFLE, _DBL, _MIRROR, _SORT, _SORT_DOWN = np.arange(8, 16)
_DEDUP, _CAESAR, _ATBASH, _VOWROT, _REPLACE, _REMOVE, _RMVOW, _INSERT = np.arange(16, 24)
_TOGGLE, _LETTERS, _ADD, _MUL, _MOD, _PREFIX, _DIFFS, _KEEPEVEN = np.arange(24, 32)
_KEEPGT, _PAIRSUMS, _LENGTH, _VOWELS, _DISTINCT, _SUM, _INDEX, _MAX = np.arange(32, 40)
_MIN, _RANGE, _MEDIAN, _ARGMAX, _DIGITSUM, _REVDIGITS, _COLLATZ = np.arange(40, 47)
_SQMOD, _GCD, _DIGITS, _DIVISORS, _PRIMES, _ACRONYM, _LASTS = np.arange(47, 54)
_WREV, _WSORT, _WDEDUP, _WLONGER = np.arange(54, 58)
ROOM = 256
"""Integers that any value fits into, and any before it is found to be too long."""
MOST_LENGTH, MOST_NUMBER = 100, 1_000_000_000
_MOST_DIVIDED = 10_000
"""Largest number whose divisors and prime factors are listed."""
_FAILED = np.int64(-1)
_NEXT_VOWEL = np.zeros(27, np.int64)
"""The vowel after each, 0 for other letters."""
_NEXT_VOWEL[[1, 5, 9, 15, 21]] = [5, 9, 15, 21, 1]
_TEN, _ALPHABET = np.int64(10), np.int64(26)


@kernel
def apply(atom: Value, source: Value, n: Int, out: Value, bounds: tuple[Int, Int]) -> Int:
    """Write what an operation makes of source[:n] to the beginning of `out`.

    Args:
        atom: number of the operation and its argument.
        source: the value.
        n: its length, at least 1.
        out: space for ROOM integers.
        bounds: longest string or list and largest number, of either sign, that may result.

    Returns:
        The length; 0 or less where the operation is undefined or leaves the bounds.
    """
    code, a = atom[0], atom[1]
    if code >= _ACRONYM:
        return _on_words(code, a, source, n, out)
    if code < _SORT:
        m = _by_place(code, a, source, n, out)
    elif code < _CAESAR:
        m = _by_order(code, source, n, out)
    elif code < _LETTERS:
        m = _by_letter(atom, source, n, out)
    elif code < _LENGTH:
        m = _by_number(code, a, source, n, out)
    elif code < _DIGITSUM:
        out[0] = _measure(code, a, source, n)
        m = np.int64(1)
    else:
        m = _on_number(code, a, source[0], out)
    if code >= _LETTERS:
        for k in range(m):
            if not -bounds[1] <= out[k] <= bounds[1]:
                return _FAILED
    return m if m <= bounds[0] else _FAILED


@kernel
def _by_place(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Rearrange, select or repeat items by their places."""
    half = (n + 1) // 2
    if code == _REV:
        for k in range(n):
            out[k] = source[n - 1 - k]
        return n
    if code == _EVENS or code == _ODDS:
        m = half if code == _EVENS else n // 2
        for k in range(m):
            out[k] = source[2 * k + code - _EVENS]
        return m
    if code == _RIFFLE:
        for k in range(n):
            out[k] = source[k // 2 + k % 2 * half]
        return n
    if code == _DBL or code == _MIRROR:
        for k in range(n):
            out[2 * k if code == _DBL else k] = source[k]
            out[2 * k + 1 if code == _DBL else 2 * n - 1 - k] = source[k]
        return 2 * n
    if code == _SWAP:
        for k in range(n):
            out[k] = source[k]
        for k in range(1, n, 2):
            out[k - 1], out[k] = source[k], source[k - 1]
        return n
    first = n if code == _CODES else half if code == _HALVES or code == _HALF else min(n, a)
    if code == _ROTL or code == _ROTR:
        first = a % n if code == _ROTL else n - a % n
    if code == _TAKE or code == _HALF or code == _CODES:
        for k in range(first):
            out[k] = source[k]
        return first
    for k in range(first, n):
        out[k - first] = source[k]
    if code == _DROP:
        return n - first
    for k in range(first):
        out[n - first + k] = source[k]
    return n


@kernel
def _by_order(code: Int, source: Value, n: Int, out: Value) -> Int:
    """Sort by insertion, or keep the first of equal items."""
    m: Int = np.int64(0)
    for k in range(n):
        value = source[k]
        at = m
        if code == _DEDUP:
            while at > 0 and out[at - 1] != value:
                at -= 1
            if at > 0:
                continue
            at = m
        else:
            while at > 0 and (out[at - 1] < value if code != _SORT else out[at - 1] > value):
                out[at] = out[at - 1]
                at -= 1
        out[at] = value
        m += 1
    return m


@kernel
def _by_letter(atom: Value, source: Value, n: Int, out: Value) -> Int:
    """Replace, remove or insert letters."""
    code, a, b = atom[0], atom[1], atom[2]
    m: Int = np.int64(0)
    for k in range(n):
        letter = source[k]
        if (code == _REMOVE or code == _TOGGLE) and letter == a:
            continue
        if code == _RMVOW and _NEXT_VOWEL[letter] > 0:
            continue
        if code == _CAESAR:
            letter = (letter - 1 + a) % _ALPHABET + 1
        elif code == _ATBASH:
            letter = _ALPHABET + 1 - letter
        elif code == _VOWROT and _NEXT_VOWEL[letter] > 0:
            letter = _NEXT_VOWEL[letter]
        elif code == _REPLACE and letter == a:
            letter = b
        out[m] = letter
        m += 1
        if code == _INSERT and m == b:
            out[m] = a
            m += 1
    if (code == _INSERT or code == _TOGGLE) and m == n:
        out[m] = a
        m += 1
    return m


@kernel
def _by_number(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Calculate with the numbers of a list, or with one number."""
    m, total = np.int64(0), np.int64(0)
    for k in range(n):
        value = source[k]
        if (code == _KEEPEVEN and value % 2 != 0) or (code == _KEEPGT and value <= a):
            continue
        if (code == _DIFFS and k == n - 1) or (code == _PAIRSUMS and k % 2 == 1):
            continue
        if code == _LETTERS:
            value = (value - 1) % _ALPHABET + 1
        elif code == _ADD:
            value += a
        elif code == _MUL:
            value *= a
        elif code == _MOD:
            value %= a
        elif code == _PREFIX:
            total += value
            value = total
        elif code == _DIFFS:
            value = source[k + 1] - value
        elif code == _PAIRSUMS and k + 1 < n:
            value += source[k + 1]
        out[m] = value
        m += 1
    return m


@kernel
def _measure(code: Int, a: Int, source: Value, n: Int) -> Int:
    """Return the number that a measure gives of source[:n]."""
    if code == _LENGTH:
        return n
    low, high, place = source[0], source[0], np.int64(1)
    total, count, seen, first = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for k in range(n):
        value = source[k]
        total += value
        low = min(low, value)
        if value > high:
            high, place = value, np.int64(k + 1)
        if code == _VOWELS:
            count += _NEXT_VOWEL[value] > 0
        elif code == _DISTINCT:
            count += 1 - (seen >> value & 1)
            seen |= 1 << value
        elif code == _INDEX and value == a and first == 0:
            first = np.int64(k + 1)
        elif code == _MEDIAN:
            below, equal = 0, 0
            for j in range(n):
                below += source[j] < value
                equal += source[j] == value
            if below <= (n - 1) // 2 < below + equal:
                return np.int64(value)
    if code == _VOWELS or code == _DISTINCT:
        return count
    if code == _SUM or code == _INDEX:
        return total if code == _SUM else first
    if code == _RANGE or code == _ARGMAX:
        return np.int64(high - low) if code == _RANGE else place
    return np.int64(high if code == _MAX else low)


@kernel
def _on_number(code: Int, a: Int, value: Int, out: Value) -> Int:
    """Write what becomes of a number, and return its length, or 0."""
    if value < 0 or (value == 0 and code == _COLLATZ):
        return np.int64(0)
    if code == _DIVISORS or code == _PRIMES:
        return _divided(code, value, out)
    total: Int = np.int64(0)
    turned, n = np.int64(0), np.int64(0)
    if code == _COLLATZ:
        total = value // 2 if value % 2 == 0 else 3 * value + 1
    elif code == _SQMOD:
        total = (value % a) * (value % a) % a
    elif code == _GCD:
        total = value
        while a != 0:
            total, a = a, total % a
    else:
        while n == 0 or value > 0:
            total += value % _TEN
            turned = _TEN * turned + value % _TEN
            out[n] = value % _TEN
            n += 1
            value //= _TEN
    if code == _DIGITS:
        for k in range(n // 2):
            out[k], out[n - 1 - k] = out[n - 1 - k], out[k]
        return n
    out[0] = turned if code == _REVDIGITS else total
    return np.int64(1)


@kernel
def _divided(code: Int, value: Int, out: Value) -> Int:
    """Write the divisors in pairs up to the root, or the prime factors; return their number."""
    m: Int = np.int64(0)
    if value > _MOST_DIVIDED:
        return m
    factor = np.int64(1) if code == _DIVISORS else np.int64(2)
    while factor * factor <= value:
        if value % factor != 0:
            factor += 1
            continue
        out[m] = factor
        m += 1
        if code == _DIVISORS:
            factor += 1
        else:
            value //= factor
    if code == _DIVISORS:
        for k in range(m - 1, -1, -1):
            if out[k] * out[k] != value:
                out[m] = value // out[k]
                m += 1
    elif value > 1:
        out[m] = value
        m += 1
    return m


@kernel
def _on_words(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Write what becomes of words, one by one, and return its length."""
    m, start = np.int64(0), np.int64(0)
    for end in range(n):
        if source[end] != 0:
            continue
        size = np.int64(end + 1 - start)
        place: Int = np.int64(0) if code == _WREV else m
        if code == _ACRONYM or code == _LASTS:
            out[m] = source[start if code == _ACRONYM else end - 1]
            m += 1
            place = _FAILED
        elif code == _WSORT or code == _WDEDUP:
            place = _place_among(code, source[start:], out, m)
        elif code == _WLONGER and size - 1 <= a:
            place = _FAILED
        if place >= 0:
            for k in range(m - 1, place - 1, -1):
                out[k + size] = out[k]
            for k in range(size):
                out[place + k] = source[start + k]
            m += size
        start = np.int64(end + 1)
    return m


@kernel
def _place_among(code: Int, word: Value, out: Value, m: Int) -> Int:
    """Return where to insert a word into those of out[:m], or a negative number for nowhere.

    In order, that is before the first larger word; among distinct words, at the end.
    """
    place: Int = np.int64(0)
    while place < m:
        k = 0
        while word[k] == out[place + k] and word[k] != 0:
            k += 1
        if code == _WSORT and word[k] < out[place + k]:
            return place
        if code == _WDEDUP and word[k] == out[place + k]:
            return _FAILED
        while out[place] != 0:
            place += 1
        place += 1
    return place
