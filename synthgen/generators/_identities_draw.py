"""Kernels that draw rows: values of the meta-variables, a host, and the leaf that is replaced.

A term of depth d has an operator above two terms, one of depth d - 1 and the other of any smaller
depth. A leaf is a variable, a constant or a function of a variable. What does not have exactly one
match is drawn again, so that all allowed terms keep the odds they have to each other.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from synthgen.core.derivation import Codes
from synthgen.core.kinds import Int
from synthgen.core.lent import lent
from synthgen.core.randomness import draw_below, draw_bits
from synthgen.generators._identities_match import count_matches, instance
from synthgen.generators._identities_terms import (
    FIRST_FUNCTION,
    FIRST_META,
    FIRST_NUMBER,
    FIRST_RULE,
    FIRST_VARIABLE,
    METAS,
)

Vocabulary = tuple[Codes, Codes, Codes, int, int, int]
"""Operators, functions and variables as codes; largest constant; shares of functions and constants
among leaves in 65,536ths."""
MEASURED = ("size", "match_depth")
_ATTEMPTS = 64
_LOW_16, _S16 = np.uint64(0xFFFF), np.uint64(16)


@lent
def _piece(bits: np.uint64, place: Int, n: Int) -> Int:
    """Return a number below n from one of the four 16-bit pieces of a draw."""
    piece = np.int64((bits >> (np.uint64(place) * _S16)) & _LOW_16)
    return (piece * np.int64(n)) >> 16


@njit(cache=True, nogil=True)
def _draw_term(
    out: Codes, at: Int, key: np.uint64, j: Int, depth: Int, vocabulary: Vocabulary
) -> tuple[Int, Int]:
    """Write a term of this depth at `at`, from draw number j on; return its end and the next j."""
    operators, functions, variables, most, function_share, constant_share = vocabulary
    pending = np.empty(depth + 2, np.int64)
    pending[0] = depth
    top = 0
    while top >= 0:
        depth = pending[top]
        bits = draw_bits(key, j)
        j += 1
        if depth > 0:
            out[at] = operators[_piece(bits, 0, len(operators))]
            at += 1
            first, second = depth - 1, _piece(bits, 1, depth)
            if _piece(bits, 2, 2) == 1:
                first, second = second, first
            pending[top] = second
            pending[top + 1] = first
            top += 1
            continue
        top -= 1
        kind = _piece(bits, 0, 65_536)
        if function_share <= kind < function_share + constant_share:
            out[at] = np.uint16(FIRST_NUMBER + 1 + _piece(bits, 1, most))
            at += 1
            continue
        if kind < function_share:
            out[at] = functions[_piece(bits, 2, len(functions))]
            at += 1
        out[at] = variables[_piece(bits, 1, len(variables))]
        at += 1
    return at, j


@lent
def _chosen_leaf(host: Codes, key: np.uint64, j: Int) -> tuple[Int, Int]:
    """Return where one of the leaves of a host begins and ends, all equally likely."""
    leaves: Int = 0
    for code in host:
        leaves += np.int64(code >= FIRST_VARIABLE)
    wanted = draw_below(key, j, leaves)
    place: Int = 0
    while wanted > 0 or host[place] < FIRST_VARIABLE:
        wanted -= np.int64(host[place] >= FIRST_VARIABLE)
        place += 1
    is_function = place > 0 and FIRST_FUNCTION <= host[place - 1] < FIRST_VARIABLE
    return place - np.int64(is_function), place + 1


@njit(cache=True, nogil=True)
def _ground(
    bound: Codes,
    starts: NDArray[np.int64],
    key: np.uint64,
    shape: tuple[Int, Int],
    vocabulary: Vocabulary,
    left: Codes,
    right: Codes,
    arities: NDArray[np.int64],
    scratch: tuple[Codes, Codes, NDArray[np.int64]],
) -> Int:
    """Draw values of the meta-variables; return the codes of the left side's instance, or 0.

    The instance stands in the first scratch buffer. It has no other match inside, and differs from
    that of the right side. `shape` is the number of meta-variables and their depth.
    """
    n_metas, depth = shape
    instantiated, other, sizes = scratch
    j: Int = 0
    for _ in range(_ATTEMPTS):
        at: Int = 0
        for meta in range(n_metas):
            starts[meta] = at
            at, j = _draw_term(bound, at, key, j, depth, vocabulary)
        starts[n_metas] = at
        length = instance(instantiated, 0, left, bound, starts)
        if count_matches(instantiated[:length], left, arities, sizes) != 1:
            continue
        result = instance(other, 0, right, bound, starts)
        if result != length or np.any(instantiated[:length] != other[:length]):
            return length
    return 0


@njit(cache=True, nogil=True)
def _placed(
    host: Codes,
    term: Codes,
    key: np.uint64,
    depth: Int,
    vocabulary: Vocabulary,
    left: Codes,
    instantiated: Codes,
    arities: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> tuple[Int, Int, Int, Int]:
    """Draw a host that has no other match with the instance in place of one of its leaves.

    Returns the codes of the host, where the leaf begins and ends, and the codes of `term`, which is
    the host with the instance; the latter is 0 if none was found.
    """
    j: Int = 0
    for _ in range(_ATTEMPTS):
        length, j = _draw_term(host, 0, key, j, depth, vocabulary)
        begin, end = _chosen_leaf(host[:length], key, j)
        j += 1
        middle = begin + len(instantiated)
        total = middle + length - end
        term[:begin] = host[:begin]
        term[begin:middle] = instantiated
        term[middle:total] = host[end:length]
        if count_matches(term[:total], left, arities, sizes) == 1:
            return length, begin, end, total
    return 0, 0, 0, 0


@njit(cache=True, nogil=True)
def draw_rewrites(
    keys: NDArray[np.uint64],
    ground_keys: NDArray[np.uint64],
    numbers: NDArray[np.int64],
    depths: NDArray[np.int64],
    vocabulary: Vocabulary,
    lefts: tuple[Codes, NDArray[np.int64]],
    rights: tuple[Codes, NDArray[np.int64]],
    arities: NDArray[np.int64],
    rooms: tuple[int, int, int],
) -> tuple[Codes, NDArray[np.int64], NDArray[np.bool_], NDArray[np.int16]]:
    """Draw the derivation of every row; an invalid row holds a single symbol.

    Args:
        keys: of the hosts.
        ground_keys: of the values of the meta-variables.
        numbers: identity of each row.
        depths: of host and values, (n, 2).
        vocabulary: of hosts and values.
        lefts: codes and offsets of all left sides.
        rights: codes and offsets of all right sides.
        arities: of all codes.
        rooms: codes that a host, the values together, and a term with an instance have at most.

    Returns:
        Codes, offsets, valid, and the MEASURED axes (n, 2).
    """
    n = len(keys)
    measured = np.zeros((n, 2), np.int16)
    valid = np.ones(n, np.bool_)
    offsets = np.zeros(n + 1, np.int64)
    codes = np.empty(64 * n + rooms[0] + rooms[1] + 1, np.uint16)
    host, bound = np.empty(rooms[0], np.uint16), np.empty(rooms[1], np.uint16)
    term, other = np.empty(rooms[2], np.uint16), np.empty(rooms[2], np.uint16)
    whole, sizes = np.empty(rooms[2], np.uint16), np.empty(rooms[2], np.int64)
    starts = np.empty(len(METAS) + 1, np.int64)
    at: Int = 0
    for i in range(n):
        if at + rooms[0] + rooms[1] + 1 > len(codes):
            more = np.empty(2 * len(codes), np.uint16)
            more[:at] = codes[:at]
            codes = more
        rule = numbers[i]
        left = lefts[0][lefts[1][rule] : lefts[1][rule + 1]]
        right = rights[0][rights[1][rule] : rights[1][rule + 1]]
        n_metas = np.int64(np.max(left)) - FIRST_META + 1
        shape, scratch = (n_metas, depths[i, 1]), (term, other, sizes)
        length = _ground(
            bound, starts, ground_keys[i], shape, vocabulary, left, right, arities, scratch
        )
        total: Int = 0
        begin: Int = 0
        end: Int = 0
        host_length: Int = 0
        if length > 0:
            host_length, begin, end, total = _placed(
                host, whole, keys[i], depths[i, 0], vocabulary, left, term[:length], arities, sizes
            )
        valid[i] = total > 0
        if not valid[i]:
            codes[at] = FIRST_VARIABLE
            at += 1
            offsets[i + 1] = at
            continue
        measured[i, 0] = total
        for place in range(begin):
            measured[i, 1] += np.int16(place + sizes[place] > begin)
        middle = at + begin + 1
        codes[at : at + begin] = host[:begin]
        codes[at + begin] = FIRST_RULE + rule
        codes[middle : middle + starts[n_metas]] = bound[: starts[n_metas]]
        middle += starts[n_metas]
        at = middle + host_length - end
        codes[middle:at] = host[end:host_length]
        offsets[i + 1] = at
    return codes[:at].copy(), offsets, valid, measured
