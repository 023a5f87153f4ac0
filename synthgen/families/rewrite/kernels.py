"""Kernels that draw the inputs of rewriting steps, and write their derivations.

An input is drawn letter by letter, then copies of the left side are planted. If the left side
occurs too early or too often, the first letter of that match is drawn again among all letters but
the left side's first. So this match cannot come back, and every row is valid.
Letters are numbers below the size of the alphabet until they are written as text.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring.compiled import (
    U64,
    Codes,
    Int,
    copy_bytes,
    draw_below,
    draw_bits,
    find_byte,
    inline,
    jit,
    kernel,
    same_bytes,
)

Letters = NDArray[np.uint8]
Offsets = NDArray[np.int64]
MILLION = 1_000_000
NOOP_KINDS = ("none", "random", "changed", "prefix", "reversed")
"""Kinds of inputs: with the left side, with nothing like it, and with a near occurrence: a letter
changed, a proper prefix of at least half of it, or its reverse. The first that applies counts."""
NONE, RANDOM, CHANGED, PREFIX, REVERSED = range(5)
APPLY, RULE, STRING = range(3)
"""Codes of the root, of a rule and of the empty string; add k for a string of k letters."""
PACK = 3
"""Letters of a leaf; the last leaf of a string may have fewer."""
# Numbers of a row's draws. The first two choose its rule and whether its input lacks the left side.
_LENGTH_DRAW, _TIMES_DRAW, _NEARLY_DRAW = range(2, 5)
_KIND_DRAW, _CHANGE_DRAW, _LETTER_DRAW, _CUT_DRAW, _PLACE_DRAW = range(1 << 17, (1 << 17) + 5)
_PLACES, _LETTERS, _MENDING = 1 << 18, 1 << 20, 1 << 22
_A_DRAW = 8
"""Letters from one draw: four from each half, with a bias below 2^-13 for 26 letters."""
_LOW_32, _S32 = np.uint64(0xFFFFFFFF), np.uint64(32)


class Rules(NamedTuple):
    """Both sides of all rules end to end: strings 2i and 2i + 1 are those of rule i.

    Attributes:
        letters: Letters, uint8.
        offsets: Offsets of the strings, int64 (2n + 1,).
        made: Rules that the pool holds up to the last one needed; fewer if it is exhausted.
    """

    letters: Letters
    offsets: Offsets
    made: Int


class Wanted(NamedTuple):
    """Requirements on the inputs of n rows.

    Attributes:
        keys: Row keys, uint64 (n,).
        rules: Index of the rule, int64 (n,).
        absent: Whether the input must not contain the left side, bool (n,).
    """

    keys: U64
    rules: NDArray[np.int64]
    absent: NDArray[np.bool_]


class Shape(NamedTuple):
    """Parameters of the inputs.

    Attributes:
        shortest, longest: Bounds of the length.
        n_letters: Size of the alphabet.
        nearly: Share of the inputs without the left side that get something like it, in
            millionths.
        times: Numbers of occurrences to choose from.
        kinds: Kinds of near occurrences to choose from.
    """

    shortest: int
    longest: int
    n_letters: int
    nearly: int
    times: NDArray[np.int64]
    kinds: NDArray[np.int64]


class Inputs(NamedTuple):
    """The inputs of n rows.

    Attributes:
        letters, offsets: Letters of the inputs, and their offsets.
        position: Place of the leftmost occurrence, -1 if there is none, int16 (n,).
        overlapping, separate: Number of occurrences with and without overlaps, int16 (n,).
        kind: Index into NOOP_KINDS, int16 (n,).
    """

    letters: Letters
    offsets: Offsets
    position: NDArray[np.int16]
    overlapping: NDArray[np.int16]
    separate: NDArray[np.int16]
    kind: NDArray[np.int16]


@jit
def draw_inputs(wanted: Wanted, rules: Rules, shape: Shape) -> Inputs:
    """Draw the input of every row."""
    n = len(wanted.keys)
    offsets = np.zeros(n + 1, np.int64)
    span = shape.longest - shape.shortest + 1
    for i in range(n):
        length = shape.shortest + draw_below(wanted.keys[i], _LENGTH_DRAW, span)
        offsets[i + 1] = offsets[i] + length
    inputs = Inputs(
        np.empty(offsets[n] + _A_DRAW, np.uint8),
        offsets,
        np.full(n, -1, np.int16),
        np.zeros(n, np.int16),
        np.zeros(n, np.int16),
        np.zeros(n, np.int16),
    )
    places = np.empty(shape.longest, np.int64)
    for i in range(n):
        _draw_input(i, wanted, rules, shape, inputs, places)
    return inputs


@kernel
def _draw_input(
    i: Int, wanted: Wanted, rules: Rules, shape: Shape, inputs: Inputs, places: NDArray[np.int64]
) -> None:
    key, side = wanted.keys[i], 2 * wanted.rules[i]
    lhs = rules.letters[rules.offsets[side] : rules.offsets[side + 1]]
    start, end = inputs.offsets[i], inputs.offsets[i + 1]
    _draw_letters(inputs.letters, start, end, key, np.uint64(shape.n_letters))
    text = inputs.letters[start:end]
    if wanted.absent[i]:
        span: tuple[Int, Int] = (np.int64(0), np.int64(0))
        if draw_below(key, _NEARLY_DRAW, MILLION) < shape.nearly:
            span = _plant_nearly(text, lhs, key, shape)
        _mend_all(text, lhs, key, shape.n_letters, span)
        inputs.kind[i] = nearest_kind(text, lhs)
        return
    count = shape.times[draw_below(key, _TIMES_DRAW, len(shape.times))]
    _draw_places(len(text), len(lhs), key, places[:count])
    for j in range(count):
        copy_bytes(text, places[j], lhs, 0, len(lhs))
    n_overlapping = _count_all(text, lhs)
    if n_overlapping > count:
        _mend_others(text, lhs, key, shape.n_letters, places[:count])
        n_overlapping = _count_all(text, lhs)
    inputs.position[i], inputs.separate[i], inputs.overlapping[i] = places[0], count, n_overlapping


@kernel
def _draw_letters(out: Letters, start: Int, end: Int, key: np.uint64, n_letters: np.uint64) -> None:
    """Draw all letters, and up to seven more."""
    place = start
    for drawn in range(0, end - start, _A_DRAW):
        bits = draw_bits(key, _LETTERS + drawn)
        low, high = bits & _LOW_32, bits >> _S32
        for _ in range(_A_DRAW // 2):
            low *= n_letters
            high *= n_letters
            out[place] = low >> _S32
            out[place + 1] = high >> _S32
            low &= _LOW_32
            high &= _LOW_32
            place += 2


@kernel
def _find(text: Letters, lhs: Letters, start: Int) -> Int:
    """Return the first place from `start` on where `lhs` occurs, or -1."""
    last = len(text) - len(lhs)
    while start <= last:
        start += find_byte(text, lhs[0], start, last - start + 1)
        if start <= last and same_bytes(text, start, lhs, 0, len(lhs)):
            return start
        start += 1
    return -1


@kernel
def _count_all(text: Letters, lhs: Letters) -> Int:
    """Count occurrences, including overlapping ones."""
    count: Int = 0
    at = _find(text, lhs, 0)
    while at >= 0:
        count += 1
        at = _find(text, lhs, at + 1)
    return count


@kernel
def _draw_places(length: Int, size: Int, key: np.uint64, places: NDArray[np.int64]) -> None:
    """Draw the begins of copies of `size` letters: arrangements without overlap, equally likely.

    The number of other letters before each copy, plus the copy's rank, is an element of a random
    set below the number of all other letters and copies. Floyd's algorithm draws the set; insertion
    keeps it sorted.
    """
    count = len(places)
    free = length - size * count
    for j in range(count):
        top = free + j
        chosen = draw_below(key, _PLACES + j, top + 1)
        for other in range(j):
            if places[other] == chosen:
                chosen = top
        at = j
        while at > 0 and places[at - 1] > chosen:
            places[at] = places[at - 1]
            at -= 1
        places[at] = chosen
    for j in range(count):
        places[j] += j * (size - 1)


@kernel
def _mend_others(
    text: Letters, lhs: Letters, key: np.uint64, n_letters: Int, places: NDArray[np.int64]
) -> None:
    """Remove occurrences until, counted from the left without overlaps, only planted ones remain.

    Any other occurrence begins with a letter that was not planted, so planted ones stay intact.
    """
    size = len(lhs)
    at: Int = 0
    planted, draw = 0, 0
    while True:
        place = _find(text, lhs, at)
        if place < 0:
            return
        if planted < len(places) and place == places[planted]:
            planted += 1
            at = place + size
            continue
        text[place] = _other_letter(np.int64(lhs[0]), key, draw, n_letters)
        draw += 1
        before = 0 if planted == 0 else places[planted - 1] + size
        at = max(before, place - size + 1)


@kernel
def _mend_all(
    text: Letters, lhs: Letters, key: np.uint64, n_letters: Int, span: tuple[Int, Int]
) -> None:
    """Remove all occurrences of `lhs`, if possible without changing a letter of the span.

    After many attempts the span is no longer preserved.
    """
    start, end = span
    at: Int = 0
    draw = 0
    while True:
        place = _find(text, lhs, at)
        if place < 0:
            return
        if draw > 2 * len(text):
            start, end = 0, 0
        if start <= place < end:
            letter = np.int64(lhs[end - place])
            text[end] = _other_letter(letter, key, draw, n_letters)
            at = max(0, end - len(lhs) + 1)
        else:
            text[place] = _other_letter(np.int64(lhs[0]), key, draw, n_letters)
            at = max(0, place - len(lhs) + 1)
        draw += 1


@kernel
def _other_letter(letter: Int, key: np.uint64, draw: Int, n_letters: Int) -> Int:
    """Draw a letter different from this one."""
    other = draw_below(key, _MENDING + draw, n_letters - 1)
    return other + 1 if other >= letter else other


@kernel
def _plant_nearly(text: Letters, lhs: Letters, key: np.uint64, shape: Shape) -> tuple[Int, Int]:
    """Plant something like `lhs`; return its begin and end.

    If the kind drawn would be `lhs` itself or empty, a letter is changed instead.
    """
    size = len(lhs)
    kind = shape.kinds[draw_below(key, _KIND_DRAW, len(shape.kinds))]
    is_palindrome = True
    for place in range(size // 2):
        is_palindrome = is_palindrome and lhs[place] == lhs[size - 1 - place]
    if (kind == REVERSED and is_palindrome) or (kind == PREFIX and size < 2):
        kind = CHANGED
    end: Int = size
    if kind == PREFIX:
        half = (size + 1) // 2
        end = half + draw_below(key, _CUT_DRAW, size - half)
    start = draw_below(key, _PLACE_DRAW, len(text) - end + 1)
    for place in range(end):
        text[start + place] = lhs[size - 1 - place] if kind == REVERSED else lhs[place]
    if kind == CHANGED:
        changed = draw_below(key, _CHANGE_DRAW, size)
        other = draw_below(key, _LETTER_DRAW, shape.n_letters - 1)
        text[start + changed] = other + 1 if other >= lhs[changed] else other
    return start, start + end


@kernel
def nearest_kind(text: Letters, lhs: Letters) -> Int:
    """Return the kind of an input without occurrences of `lhs`."""
    size = len(lhs)
    half = (size + 1) // 2
    has_prefix, has_reverse = False, False
    for start in range(len(text) - half + 1):
        room = min(size, len(text) - start)
        same, wrong, backwards = 0, 0, 0
        while same < room and wrong < 2:
            if text[start + same] != lhs[same]:
                wrong += 1
            if wrong == 0 and same + 1 == half:
                has_prefix = True
            same += 1
        if wrong == 1 and same == size:
            return CHANGED
        while backwards < room and text[start + backwards] == lhs[size - 1 - backwards]:
            backwards += 1
        has_reverse = has_reverse or backwards == size
    if has_prefix:
        return PREFIX
    return REVERSED if has_reverse else RANDOM


@jit
def write_derivations(
    numbers: NDArray[np.int64], rules: Rules, inputs: Inputs, n_letters: Int, first_leaf: Int
) -> tuple[Codes, Offsets]:
    """Return `(rewrite (rule x y) z)` of every row, with strings as leaves of three letters."""
    n = len(numbers)
    offsets = np.zeros(n + 1, np.int64)
    for i in range(n):
        side = 2 * numbers[i]
        lhs, rhs, end = rules.offsets[side], rules.offsets[side + 1], rules.offsets[side + 2]
        leaves = _leaves(rhs - lhs) + _leaves(end - rhs)
        leaves += _leaves(inputs.offsets[i + 1] - inputs.offsets[i])
        offsets[i + 1] = offsets[i] + 5 + leaves
    codes = np.empty(offsets[n], np.uint16)
    firsts = (first_leaf, first_leaf + n_letters, first_leaf + n_letters + n_letters * n_letters)
    for i in range(n):
        side, at = 2 * numbers[i], offsets[i]
        codes[at], codes[at + 1] = APPLY, RULE
        at += 2
        for place in range(side, side + 2):
            span = rules.offsets[place], rules.offsets[place + 1]
            at = _write_string(codes, at, rules.letters, span, n_letters, firsts)
        span = inputs.offsets[i], inputs.offsets[i + 1]
        _write_string(codes, at, inputs.letters, span, n_letters, firsts)
    return codes, offsets


@inline
def _leaves(length: Int) -> Int:
    return (length + PACK - 1) // PACK


@kernel
def _write_string(
    codes: Codes,
    at: Int,
    text: Letters,
    span: tuple[Int, Int],
    n: Int,
    firsts: tuple[Int, Int, Int],
) -> Int:
    """Write a string at `at` and return its end; `firsts`: leaves of 1, 2 and 3 letters."""
    start, end = span
    codes[at] = STRING + end - start
    at += 1
    rest = (end - start) % PACK
    for place in range(start, end - rest, PACK):
        pair = np.int64(text[place]) * n + np.int64(text[place + 1])
        codes[at] = firsts[2] + pair * n + np.int64(text[place + 2])
        at += 1
    if rest == 1:
        codes[at] = firsts[0] + np.int64(text[end - 1])
    elif rest == 2:
        codes[at] = firsts[1] + np.int64(text[end - 2]) * n + np.int64(text[end - 1])
    return at + (rest > 0)
