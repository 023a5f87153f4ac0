"""Operations that rearrange, select or repeat what a value is made of."""

from __future__ import annotations

import numpy as np

from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.generators.skillmix import _chain_opcodes as op
from synthgen.generators.skillmix._chain_opcodes import Value


@lent
def place_op(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Write what one of the first operations makes of source[:n], and return its length."""
    if code == op.SORT or code == op.SORT_DOWN:
        return _sorted(source, n, out, code - op.SORT)
    if code == op.UNIQUE:
        return _unique(source, n, out)
    if code == op.TAKE:
        n = min(n, a)
    elif code == op.HALF:
        n = (n + 1) // 2
    elif code == op.DROP or code == op.ROT or code == op.ROT_BACK or code == op.HALVES:
        return _cut(code, a, source, n, out)
    elif code == op.EVENS or code == op.ODDS or code == op.DOUBLE or code == op.MIRROR:
        return _spaced(code, source, n, out)
    if code == op.REV:
        for k in range(n):
            out[k] = source[n - 1 - k]
    elif code == op.RIFFLE:
        middle = (n + 1) // 2
        for k in range(n):
            out[k] = source[k // 2 + (k % 2) * middle]
    else:
        for k in range(n):
            out[k] = source[k]
        if code == op.SWAP:
            for k in range(0, n - 1, 2):
                out[k], out[k + 1] = source[k + 1], source[k]
    return n


@lent
def _sorted(source: Value, n: Int, out: Value, downwards: Int) -> Int:
    """Sort by insertion."""
    for k in range(n):
        value = source[k]
        at = k
        while at > 0 and (out[at - 1] < value if downwards else out[at - 1] > value):
            out[at] = out[at - 1]
            at -= 1
        out[at] = value
    return n


@lent
def _unique(source: Value, n: Int, out: Value) -> Int:
    m: Int = np.int64(0)
    for k in range(n):
        known = False
        for j in range(m):
            if out[j] == source[k]:
                known = True
                break
        if not known:
            out[m] = source[k]
            m += 1
    return m


@lent
def _cut(code: Int, a: Int, source: Value, n: Int, out: Value) -> Int:
    """Cut a value in two, and write the second part, then the first unless it is dropped."""
    first = (n + 1) // 2
    if code == op.ROT:
        first = a % n
    elif code == op.ROT_BACK:
        first = (n - a % n) % n
    elif code == op.DROP:
        first = min(n, a)
    for k in range(first, n):
        out[k - first] = source[k]
    if code == op.DROP:
        return n - first
    for k in range(first):
        out[n - first + k] = source[k]
    return n


@lent
def _spaced(code: Int, source: Value, n: Int, out: Value) -> Int:
    """Keep every other item, or write each twice."""
    if code == op.EVENS or code == op.ODDS:
        m: Int = np.int64(0)
        for k in range(code - op.EVENS, n, 2):
            out[m] = source[k]
            m += 1
        return m
    for k in range(n):
        if code == op.DOUBLE:
            out[2 * k] = source[k]
            out[2 * k + 1] = source[k]
        else:
            out[k] = source[k]
            out[2 * n - 1 - k] = source[k]
    return 2 * n
