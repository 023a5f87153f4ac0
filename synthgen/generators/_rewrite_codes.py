"""Codes of string rewriting: symbols of derivations, and the kernel that writes derivations."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators._rewrite_strings import Letters, Offsets

APPLY, RULE, STRING = range(3)
"""Codes of the root, of a rule and of the empty string; a string of k letters comes k later."""
PACK = 3
"""Letters of a leaf; the last leaf of a string may have fewer."""
_NONE, _ONE, _TWO, _THREE = (np.uintp(k) for k in range(PACK + 1))
_STRING = np.uintp(STRING)


@njit(cache=True, nogil=True)
def rule_codes(
    letters: Letters, sides: Offsets, n_letters: Int, first_leaf: Int
) -> tuple[Codes, Offsets]:
    """Return the part of a derivation that each rule is, and the offsets of these.

    Args:
        letters: both sides of all rules.
        sides: offsets of the sides.
        n_letters: of the alphabet.
        first_leaf: code of the first leaf.
    """
    n = len(sides) // 2
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        lhs, rhs, end = sides[2 * i], sides[2 * i + 1], sides[2 * i + 2]
        offsets[i + 1] = offsets[i] + 3 + _leaves(rhs - lhs) + _leaves(end - rhs)
    codes = np.empty(offsets[n], np.uint16)
    for i in range(n):
        lhs, rhs, end = sides[2 * i], sides[2 * i + 1], sides[2 * i + 2]
        codes[offsets[i]] = RULE
        at = _write_string(codes, offsets[i] + 1, letters, lhs, rhs, n_letters, first_leaf)
        _write_string(codes, at, letters, rhs, end, n_letters, first_leaf)
    return codes, offsets


@njit(cache=True, nogil=True)
def write_derivations(
    rules: NDArray[np.int64],
    of_rules: Codes,
    rule_offsets: Offsets,
    inputs: Letters,
    ends: Offsets,
    n_letters: Int,
    first_leaf: Int,
) -> tuple[Codes, Offsets]:
    """Return derivations and their offsets.

    Args:
        rules: of the rows.
        of_rules: codes of all rules, as `rule_codes` gives them.
        rule_offsets: of these.
        inputs: of the rows, end to end.
        ends: offsets of the inputs.
        n_letters: of the alphabet.
        first_leaf: code of the first leaf.
    """
    n = len(rules)
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        rule = rule_offsets[rules[i] + 1] - rule_offsets[rules[i]]
        offsets[i + 1] = offsets[i] + 2 + rule + _leaves(ends[i + 1] - ends[i])
    codes = np.empty(offsets[n], np.uint16)
    for i in range(n):
        codes[offsets[i]] = APPLY
        rule, end = np.uintp(rule_offsets[rules[i]]), np.uintp(rule_offsets[rules[i] + 1])
        to = np.uintp(offsets[i]) + _ONE
        for place in range(end - rule):
            codes[to + place] = of_rules[rule + place]
        at = np.int64(to + end - rule)
        _write_string(codes, at, inputs, ends[i], ends[i + 1], n_letters, first_leaf)
    return codes, offsets


@njit(cache=True, nogil=True, inline="always")
def _leaves(length: Int) -> Int:
    return (length + PACK - 1) // PACK


@lent
def _write_string(
    codes: Codes, at: Int, text: Letters, start: Int, end: Int, n: Int, first: Int
) -> Int:
    """Write text[start:end] in leaves: those of one letter come first in code, then of two."""
    length = np.uintp(end - start)
    leaves, rest = length // _THREE, length % _THREE
    leaf, place = np.uintp(at), np.uintp(start)  # unsigned: no index from the end to look for
    base, ones = np.uint64(n), np.uint64(first)
    twos, threes = np.uint64(first + n), np.uint64(first + n + n * n)
    codes[leaf] = _STRING + length
    leaf += _ONE
    for number in range(leaves):
        of = place + number * _THREE
        pair = np.uint64(text[of]) * base + np.uint64(text[of + _ONE])
        codes[leaf + number] = threes + pair * base + np.uint64(text[of + _TWO])
    leaf += leaves
    place += leaves * _THREE
    if rest == _ONE:
        codes[leaf] = ones + np.uint64(text[place])
    elif rest == _TWO:
        codes[leaf] = twos + np.uint64(text[place]) * base + np.uint64(text[place + _ONE])
    return np.int64(leaf + (rest > _NONE))
