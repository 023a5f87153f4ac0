"""Families of atoms on strings, and between strings, numbers and lists."""

from __future__ import annotations

from synthgen.generators.skillmix import _chain_opcodes as ops
from synthgen.generators.skillmix._chain_family import (
    A_LETTER,
    A_NUMBER,
    CHOICE,
    CONVERSION,
    GROWTH,
    LETTER,
    LETTER_AND_NUMBER,
    LIST,
    MEASURE,
    NUMBER,
    ORDER,
    PERM,
    SORTS,
    STRING,
    TWO_LETTERS,
    Family,
)

S, L, N = STRING, LIST, NUMBER
LETTERS = (
    Family(
        *("rev", ops.REV, S, S, ORDER, "reverse the letters"),
        *("writes the letters of a string in reverse order", (*PERM, "undo", "reversal")),
    ),
    Family(
        *("rotl", ops.ROT, S, S, ORDER, "rotate left by {n}"),
        *("moves the first letter of a string to its end, {times}", (*PERM, "merge:rotate")),
        *(A_NUMBER, 1, 9),
    ),
    Family(
        *("rotr", ops.ROT_BACK, S, S, ORDER, "rotate right by {n}"),
        *("moves the last letter of a string to its front, {times}", (*PERM, "merge:rotate")),
        *(A_NUMBER, 1, 9),
    ),
    Family(
        *("caesar", ops.SHIFT, S, S, LETTER, "shift the letters by {n}"),
        "replaces every letter of a string by the one {places} later in the alphabet, where a "
        "comes after z",
        *(("map", "inj", "even", "merge:caesar"), A_NUMBER, 1, 25),
    ),
    Family(
        *("atbash", ops.FLIP, S, S, LETTER, "mirror the alphabet"),
        "exchanges a with z, b with y, c with x and so on in a string",
        ("map", "inj", "even", "undo"),
    ),
    Family(
        *("sort", ops.SORT, S, S, ORDER, "sort the letters"),
        *("puts the letters of a string in alphabetical order", SORTS),
    ),
    Family(
        *("dedup", ops.UNIQUE, S, S, CHOICE, "drop repeated letters"),
        *("keeps only the first of equal letters in a string", ("unique", "again")),
    ),
    Family(
        *("rmvow", ops.NO_VOWELS, S, S, CHOICE, "remove the vowels"),
        *("takes every a, e, i, o and u out of a string", ("filter", "again")),
    ),
    Family(
        *("dbl", ops.DOUBLE, S, S, GROWTH, "double every letter"),
        *("writes every letter of a string twice in a row", ("place", "doubling", "twice")),
    ),
    Family(
        *("evens", ops.EVENS, S, S, CHOICE, "keep every other letter from the first on"),
        *("keeps the first, third, fifth letter of a string and so on", ("place",)),
    ),
    Family(
        *("odds", ops.ODDS, S, S, CHOICE, "keep every other letter from the second on"),
        *("keeps the second, fourth, sixth letter of a string and so on", ("place",)),
    ),
    Family(
        *("swap", ops.SWAP, S, S, ORDER, "swap neighbouring letters"),
        "exchanges the first letter of a string with the second, the third with the fourth and so "
        "on, where a last letter without a partner stays",
        (*PERM, "undo"),
    ),
    Family(
        *("halves", ops.HALVES, S, S, ORDER, "exchange the halves"),
        "puts the second half of a string before the first, to which a middle letter belongs",
        PERM,
    ),
    Family(
        *("riffle", ops.RIFFLE, S, S, ORDER, "interleave the halves"),
        "takes letters in turn from the first half of a string, to which a middle letter belongs, "
        "and from the second",
        PERM,
    ),
    Family(
        *("mirror", ops.MIRROR, S, S, GROWTH, "append the mirror image"),
        *("writes a string and behind it the same string reversed", ("place", "doubling")),
    ),
    Family(
        *("drop", ops.DROP, S, S, CHOICE, "drop the first {letters}"),
        *("takes the first {letters} off a string", ("place", "merge:drop"), A_NUMBER, 1, 9),
    ),
    Family(
        *("vowrot", ops.VOWEL_STEP, S, S, LETTER, "rotate the vowels"),
        *("turns a into e, e into i, i into o, o into u and u into a", ("map", "inj", "even")),
    ),
    Family(
        *("take", ops.TAKE, S, S, CHOICE, "keep the first {letters}"),
        *("cuts a string off after its first {letters}", ("place", "merge:take"), A_NUMBER, 1, 9),
    ),
    Family(
        *("half", ops.HALF, S, S, CHOICE, "keep the first half"),
        *("keeps the first half of a string, a middle letter included", ("place",)),
    ),
    Family(
        *("replace_", ops.REPLACE, S, S, LETTER, "replace {x} by {y}"),
        *("writes {y} for every {x} of a string", ("map", "even", "again"), TWO_LETTERS),
    ),
    Family(
        *("remove_", ops.REMOVE, S, S, CHOICE, "remove every {x}"),
        *("takes every {x} out of a string", ("filter", "again"), A_LETTER),
    ),
    Family(
        *("insert_", ops.INSERT, S, S, GROWTH, "insert {x} after {letters}"),
        "puts {x} behind the first {letters} of a string, or at its end if it is shorter",
        *((), LETTER_AND_NUMBER, 1, 9),
    ),
    Family(
        *("toggle_", ops.TOGGLE, S, S, GROWTH, "toggle the letter {x}"),
        "takes every {x} out of a string that has one, and else puts {x} at its end",
        *((), A_LETTER),
    ),
)
MEASURES = (
    Family("length", ops.LENGTH, S, N, MEASURE, "count the letters", "counts a string's letters"),
    Family(
        *("vowels", ops.VOWELS, S, N, MEASURE, "count the vowels"),
        "counts how often a, e, i, o and u stand in a string",
    ),
    Family(
        *("distinct", ops.DISTINCT, S, N, MEASURE, "count the different letters"),
        "counts the different letters of a string",
    ),
    Family(
        *("alphasum", ops.SUM, S, N, MEASURE, "add up the places in the alphabet"),
        "adds up a string's letters, with a for 1, b for 2 and so on",
    ),
    Family(
        *("index_", ops.INDEX, S, N, MEASURE, "find the first {x}"),
        "gives the place of the first {x} in a string, counted from 1, or 0 if it has none",
        *((), A_LETTER),
    ),
    Family(
        *("codes", ops.COPY, S, L, CONVERSION, "number the letters"),
        "turns a string into the list of its letters' places in the alphabet, with a for 1",
    ),
    Family(
        *("letters", ops.LETTERS, L, S, CONVERSION, "turn numbers into letters"),
        "writes a for 1, b for 2 up to z for 26, then a again for 27 and so on, also downwards, "
        "so that z stands for 0",
    ),
)
