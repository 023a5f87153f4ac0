"""What the verifier makes of values: reading them, rules of the atoms, comparing them with text.

A string is letters, a number is digits, a list is `[3, 1, 4]`, words are `[pear, plum]`. A word is
packed into one number to the base 27, its first letter highest, so that words are in alphabetical
order as numbers are. A rule says for each item of a result where it comes from, what it becomes, or
whether it stays, or else looks at the whole value.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.core.kernels import Int, kernel
from synthgen.families.skill_chain.words import ATOMS, LIST, NUMBER, STRING, WORD_LIST

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Span = tuple[Bytes, Int, Int]
"""Bytes, and where a text in them starts and ends."""
MOST_ITEMS = 128
ROOM = 2 * MOST_ITEMS + 2
"""Items that any result of a value of at most MOST_ITEMS has."""
_LARGEST, _LARGEST_READ = 10**9, 10**12
"""Numbers of either sign that a chain may make and start from."""
_MOST_DIVIDED = 10_000
_BASE, _WORD_LENGTH = 27, 13
_BEFORE_A, _ZERO, _MINUS = ord("a") - 1, ord("0"), ord("-")
_LIST_OPEN, _LIST_CLOSE, _COMMA, _SPACE = (ord(char) for char in "[], ")
_ALPHABET, _TEN = np.int64(26), np.int64(10)
_NOTHING = np.int64(-1)

RULE, FIRST, SECOND, SOURCE, RESULT = range(5)
"""Columns of the facts on an atom: number of its rule, argument, types."""
_RULES = (
    *("rev lrev wrev", "rotl lrot", "rotr", "swap", "halves", "riffle", "dbl", "mirror"),
    *("evens", "odds", "take ltake", "drop ldrop", "half", "codes"),
    *("caesar", "atbash", "vowrot", "replace_", "letters", "add ladd", "mul lmul", "mod lmod"),
    *("sqmod", "gcd", "collatz", "acronym", "lasts"),
    *("rmvow", "remove_", "keepeven", "keepgt", "wlonger", "dedup unique wdedup"),
    *("sort lsort wsort", "lsortdesc"),
    *("insert_", "toggle_", "prefix", "diffs", "pairsums"),
    *("length count", "vowels", "distinct", "sum alphasum", "index_", "max", "min", "range"),
    *("median", "argmax"),
    *("digits", "digitsum", "revdigits", "divisors", "primes"),
)
"""Families that share a rule. Lines above: by place, by item, choosing, by rank, listing, counting,
of one number."""
# As numbers of numpy, as a kernel is compiled again for every literal of Python.
_REV, _ROTL, _ROTR, _SWAP, _HALVES, _RIFFLE, _DBL, _MIRROR = np.arange(8)
_EVENS, _ODDS, _TAKE, _DROP, _HALF, _CODES = np.arange(8, 14)
_CAESAR, _ATBASH, _VOWROT, _REPLACE, _LETTERS, _ADD, _MUL, _MOD = np.arange(14, 22)
_SQMOD, _GCD, _COLLATZ, _ACRONYM, _LASTS = np.arange(22, 27)
_RMVOW, _REMOVE, _KEEPEVEN, _KEEPGT, _WLONGER, _DEDUP = np.arange(27, 33)
_SORT, _SORT_DOWN = np.arange(33, 35)
_INSERT, _TOGGLE, _PREFIX, _DIFFS, _PAIRSUMS = np.arange(35, 40)
_LENGTH, _VOWELS, _DISTINCT, _SUM, _INDEX, _MAX, _MIN, _RANGE = np.arange(40, 48)
_MEDIAN, _ARGMAX = np.arange(48, 50)
_DIGITS, _DIGITSUM, _REVDIGITS, _DIVISORS, _PRIMES = np.arange(50, 55)
_RULE_OF = {label: rule for rule, labels in enumerate(_RULES) for label in labels.split()}
FACTS = np.array(
    [
        (*(_RULE_OF[atom.family.label], *atom.argument, 0, 0)[:3], *atom.family.types)
        for atom in ATOMS
    ],
    np.int64,
)
"""Facts on every atom of the catalogue, int64 (m, 5)."""


@kernel
def apply_atom(facts: Numbers, values: Numbers, n: Int, out: Numbers, room: Numbers) -> Int:
    """Write what an atom makes of values[:n] to `out`; return its length, 0 if it is undefined."""
    rule, a, b = facts[RULE], facts[FIRST], facts[SECOND]
    m = n
    if rule <= _CODES:
        m = _length_of(rule, a, n)
        for k in range(m):
            out[k] = values[_place_of(rule, a, n, np.int64(k))]
    elif rule <= _LASTS:
        for k in range(n):
            out[k] = _item_of(rule, a, b, values[k])
    elif rule <= _DEDUP:
        m = np.int64(0)
        for k in range(n):
            if _stays(rule, a, values, k):
                out[m] = values[k]
                m += 1
    elif rule <= _SORT_DOWN:
        _rank(rule, values, n, out)
    elif rule <= _PAIRSUMS:
        m = _listed(facts, values, n, out)
    elif rule <= _ARGMAX:
        out[0] = _counted(rule, a, values, n, room)
        m = np.int64(1)
    else:
        m = _of_number(rule, values[0], out)
    if m > MOST_ITEMS:
        return np.int64(0)
    if facts[RESULT] != WORD_LIST:
        for k in range(m):
            if not -_LARGEST <= out[k] <= _LARGEST:
                return np.int64(0)
    return m


@kernel
def _length_of(rule: Int, a: Int, n: Int) -> Int:
    """Return how many items a rule by place makes of n."""
    if rule == _TAKE:
        return min(a, n)
    if rule == _DROP:
        return max(n - a, np.int64(0))
    if rule == _HALF or rule == _EVENS:
        return n - n // 2
    if rule == _ODDS:
        return n // 2
    return 2 * n if rule == _DBL or rule == _MIRROR else n


@kernel
def _place_of(rule: Int, a: Int, n: Int, k: Int) -> Int:
    """Return the place, among n, from which item k of the result comes."""
    if rule == _REV:
        return n - 1 - k
    if rule == _ROTL or rule == _ROTR:
        return (k + a if rule == _ROTL else k - a) % n
    if rule == _SWAP:
        return k if k == n - 1 and k % 2 == 0 else k + 1 - 2 * (k % 2)
    if rule == _HALVES:
        return (k + n - n // 2) % n
    if rule == _RIFFLE:
        return k // 2 if k % 2 == 0 else n - n // 2 + k // 2
    if rule == _DROP:
        return k + a
    if rule == _EVENS or rule == _ODDS:
        return 2 * k + (rule - _EVENS)
    if rule == _DBL:
        return k // 2
    return 2 * n - 1 - k if k >= n else k


@kernel
def _is_vowel(letter: Int) -> bool:
    return letter == 1 or letter == 5 or letter == 9 or letter == 15 or letter == 21


@kernel
def _item_of(rule: Int, a: Int, b: Int, item: Int) -> Int:
    """Return what a rule by item makes of a letter, a number or a word."""
    if rule == _CAESAR:
        return item + a if item + a <= _ALPHABET else item + a - _ALPHABET
    if rule == _ATBASH:
        return _ALPHABET + 1 - item
    if rule == _VOWROT and _is_vowel(item):
        return item + (6 if item == 9 or item == 15 else 4) if item < 21 else np.int64(1)
    if rule == _VOWROT or rule == _REPLACE:
        return b if rule == _REPLACE and item == a else item
    if rule == _LETTERS:
        return item % _ALPHABET if item % _ALPHABET > 0 else _ALPHABET
    if rule == _ADD or rule == _MUL:
        return item + a if rule == _ADD else item * a
    if rule == _SQMOD:
        return item * item % a
    if rule == _COLLATZ:
        return 3 * item + 1 if item % 2 else item // 2
    if rule == _GCD:
        divisor = a
        while a % divisor or item % divisor:
            divisor -= 1
        return divisor
    if rule == _LASTS:
        while item % _BASE == 0:
            item //= _BASE
        return item % _BASE
    while rule == _ACRONYM and item >= _BASE:
        item //= _BASE
    return item if rule == _ACRONYM else item % a


@kernel
def _stays(rule: Int, a: Int, values: Numbers, k: Int) -> bool:
    """Say whether item k is in the result of a choosing rule."""
    item = values[k]
    if rule == _RMVOW:
        return not _is_vowel(item)
    if rule == _REMOVE:
        return bool(item != a)
    if rule == _KEEPEVEN:
        return bool(item % 2 == 0)
    if rule == _KEEPGT:
        return bool(item > a)
    if rule == _WLONGER:
        length = _WORD_LENGTH
        while item % _BASE == 0:
            item //= _BASE
            length -= 1
        return bool(length > a)
    for before in range(k):
        if values[before] == item:
            return False
    return True


@kernel
def _rank(rule: Int, values: Numbers, n: Int, out: Numbers) -> None:
    """Place each item after those that are smaller (or larger), or equal and to its left."""
    for k in range(n):
        place = 0
        for j in range(n):
            before = values[j] > values[k] if rule == _SORT_DOWN else values[j] < values[k]
            place += before or (j < k and values[j] == values[k])
        out[place] = values[k]


@kernel
def _listed(facts: Numbers, values: Numbers, n: Int, out: Numbers) -> Int:
    """Write a string or list that depends on neighbours or on all items; return its length."""
    rule, a, b = facts[RULE], facts[FIRST], facts[SECOND]
    m: Int = np.int64(0)
    if rule == _INSERT:
        for k in range(n + 1):
            out[k] = values[k] if k < b and k < n else values[k - 1] if k > 0 else a
        out[min(b, n)] = a
        return n + 1
    if rule == _TOGGLE:
        for k in range(n):
            out[m] = values[k]
            m += values[k] != a
        if m == n:
            out[n] = a
        return m if m < n else n + 1
    if rule == _DIFFS:
        for k in range(n - 1):
            out[k] = values[k + 1] - values[k]
        return n - 1
    if rule == _PREFIX:
        out[0] = values[0]
        for k in range(1, n):
            out[k] = out[k - 1] + values[k]
        return n
    for k in range(n):
        out[k // 2] = values[k] if k % 2 == 0 else out[k // 2] + values[k]
    return (n + 1) // 2


@kernel
def _counted(rule: Int, a: Int, values: Numbers, n: Int, room: Numbers) -> Int:
    """Return the number that a counting rule gives of values[:n]."""
    if rule == _LENGTH:
        return n
    if rule == _MEDIAN or rule == _MAX or rule == _MIN or rule == _RANGE:
        _rank(rule, values, n, room)
        if rule == _RANGE:
            return np.int64(room[n - 1] - room[0])
        return np.int64(room[(n - 1) // 2 if rule == _MEDIAN else n - 1 if rule == _MAX else 0])
    total: Int = np.int64(0)
    if rule == _ARGMAX:
        for k in range(n - 1, -1, -1):
            total = np.int64(k) if values[k] >= values[total] else total
        for k in range(n):
            if values[k] == values[total]:
                return np.int64(k + 1)
    for k in range(n):
        if rule == _SUM:
            total += values[k]
        elif rule == _VOWELS:
            total += _is_vowel(values[k])
        elif rule == _INDEX:
            if values[k] == a:
                return np.int64(k + 1)
        else:
            again = False
            for j in range(k + 1, n):
                again = again or values[j] == values[k]
            total += not again
    return total


@kernel
def _of_number(rule: Int, number: Int, out: Numbers) -> Int:
    """Write digits, divisors or what is made of them; return the length, 0 if it is undefined."""
    m: Int = np.int64(0)
    if number < 0 or (rule >= _DIVISORS and not 0 < number <= _MOST_DIVIDED):
        return m
    if rule < _DIVISORS:
        power, total, turned, weight = np.int64(1), np.int64(0), np.int64(0), np.int64(1)
        while number // power >= _TEN:
            power *= _TEN
        while power > 0:
            out[m] = number // power % _TEN
            total += out[m]
            turned += out[m] * weight
            power //= _TEN
            weight *= _TEN
            m += 1
        if rule == _DIGITS:
            return m
        out[0] = total if rule == _DIGITSUM else turned
        return np.int64(1)
    if rule == _DIVISORS:
        for divisor in range(1, number // 2 + 1):
            if number % divisor == 0:
                out[m] = divisor
                m += 1
        out[m] = number
        return m + 1
    factor: Int = np.int64(2)
    while number > 1:
        if factor * factor > number:
            factor = number  # what is left is a prime
        if number % factor == 0:
            out[m] = factor
            m += 1
            number //= factor
        else:
            factor += 1
    return m


@kernel
def read_value(text: Bytes, start: Int, end: Int, out: Numbers) -> tuple[Int, Int]:
    """Read text[start:end] as a value; return its type and its length, 0 if it is none."""
    none = (_NOTHING, np.int64(0))
    if start >= end:
        return none
    if text[start] != _LIST_OPEN:
        letter = np.int64(text[start]) - _BEFORE_A
        if not 1 <= letter <= _ALPHABET:
            at, out[0] = read_number(text, start, end)
            return (np.int64(NUMBER), np.int64(1)) if at == end else none
        if end - start > MOST_ITEMS:
            return none
        for at in range(start, end):
            out[at - start] = np.int64(text[at]) - _BEFORE_A
            if not 1 <= out[at - start] <= _ALPHABET:
                return none
        return np.int64(STRING), end - start
    letter = np.int64(text[start + 1]) - _BEFORE_A if start + 1 < end else np.int64(0)
    kind = np.int64(WORD_LIST if 1 <= letter <= _ALPHABET else LIST)
    n, at = np.int64(0), start + 1
    while n < MOST_ITEMS:
        at, out[n] = _read_item(text, at, end, kind)
        n += 1
        if at < 0 or at >= end:
            return none
        if text[at] == _LIST_CLOSE:
            return (kind, n) if at + 1 == end else none
        if text[at] != _COMMA or at + 1 >= end or text[at + 1] != _SPACE:
            return none
        at += 2
    return none


@kernel
def read_number(text: Bytes, at: Int, end: Int) -> tuple[Int, Int]:
    """Return where a number ends and its value; -1 if there is none in canonical form."""
    sign = np.int64(1)
    if at < end and text[at] == _MINUS:
        sign = np.int64(-1)
        at += 1
    start, value = at, np.int64(0)
    while at < end and _ZERO <= text[at] < _ZERO + _TEN:
        value = value * _TEN + np.int64(text[at]) - _ZERO
        at += 1
        if value > _LARGEST_READ:
            return _NOTHING, np.int64(0)
    if at == start or (text[start] == _ZERO and (at > start + 1 or sign < 0)):
        return _NOTHING, np.int64(0)
    return np.int64(at), sign * value


@kernel
def _read_item(text: Bytes, at: Int, end: Int, kind: Int) -> tuple[Int, Int]:
    """Return where a number or a word ends and its value; -1 if there is none."""
    if kind == LIST:
        return read_number(text, at, end)
    start, word = at, np.int64(0)
    while at < end and at - start < _WORD_LENGTH:
        letter = np.int64(text[at]) - _BEFORE_A
        if not 1 <= letter <= _ALPHABET:
            break
        word = word * _BASE + letter
        at += 1
    for _ in range(_WORD_LENGTH - (at - start)):
        word *= _BASE
    return (np.int64(at) if at > start else _NOTHING), word


@kernel
def after_value(text: Span, kind: Int, values: Numbers, n: Int) -> Int:
    """Return where a value ends if a text starts with it, else -1; a start of -1 stays -1."""
    letters, at, end = text
    if at < 0:
        return _NOTHING
    if kind == STRING:
        if at + n > end:
            return _NOTHING
        for k in range(n):
            if np.int64(letters[at + k]) - _BEFORE_A != values[k]:
                return _NOTHING
        return at + n
    if kind == NUMBER:
        stop, value = read_number(letters, at, end)
        return stop if value == values[0] else _NOTHING
    for k in range(n):
        if k == 0 and (at >= end or letters[at] != _LIST_OPEN):
            return _NOTHING
        if k > 0 and (at + 1 >= end or letters[at] != _COMMA or letters[at + 1] != _SPACE):
            return _NOTHING
        at, value = _read_item(letters, at + 1 + int(k > 0), end, kind)
        if at < 0 or value != values[k]:
            return _NOTHING
    return at + 1 if at < end and letters[at] == _LIST_CLOSE else _NOTHING
