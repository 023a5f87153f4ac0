"""Families of atoms on lists, on numbers and on words."""

from __future__ import annotations

from synthgen.generators.skillmix import _chain_opcodes as ops
from synthgen.generators.skillmix._chain_family import (
    A_NUMBER,
    ARITHMETIC,
    CHOICE,
    CONVERSION,
    LIST,
    MEASURE,
    NUMBER,
    ORDER,
    PERM,
    SORTS,
    STRING,
    THEORY,
    WORDS,
    Family,
)

S, L, N, W = STRING, LIST, NUMBER, WORDS
LISTS = (
    Family(
        *("lrev", ops.REV, L, L, ORDER, "reverse the list"),
        *("writes the numbers of a list in reverse order", (*PERM, "undo", "reversal")),
    ),
    Family(
        *("lsort", ops.SORT, L, L, ORDER, "sort the list upwards"),
        *("puts the smallest number of a list first and the largest last", SORTS),
    ),
    Family(
        *("lsortdesc", ops.SORT_DOWN, L, L, ORDER, "sort the list downwards"),
        *("puts the largest number of a list first and the smallest last", SORTS),
    ),
    Family(
        *("ladd", ops.ADD, L, L, ARITHMETIC, "add {n} to every number"),
        *("makes every number of a list larger by {n}", ("map", "inj", "mono", "even")),
        *(A_NUMBER, 1, 50),
    ),
    Family(
        *("lmul", ops.MUL, L, L, ARITHMETIC, "multiply every number by {n}"),
        *("multiplies every number of a list by {n}", ("map", "inj", "mono", "even")),
        *(A_NUMBER, 2, 12),
    ),
    Family(
        *("lmod", ops.MOD, L, L, ARITHMETIC, "take every number modulo {n}"),
        "replaces every number of a list by its remainder from 0 up when divided by {n}",
        *(("map", "even", "again"), A_NUMBER, 2, 50),
    ),
    Family(
        *("prefix", ops.PREFIX, L, L, ARITHMETIC, "form running sums"),
        *("adds to every number of a list all numbers before it", ("even",)),
    ),
    Family(
        *("diffs", ops.DIFFS, L, L, ARITHMETIC, "form differences of neighbours"),
        "lists for every number of a list but the last how much larger the next one is",
    ),
    Family(
        *("unique", ops.UNIQUE, L, L, CHOICE, "drop repeated numbers"),
        *("keeps only the first of equal numbers in a list", ("unique", "again")),
    ),
    Family(
        *("keepeven", ops.KEEP_EVEN, L, L, CHOICE, "keep the even numbers"),
        *("takes the odd numbers out of a list", ("filter", "again")),
    ),
    Family(
        *("keepgt", ops.KEEP_ABOVE, L, L, CHOICE, "keep numbers above {n}"),
        *("takes every number up to {n} out of a list", ("filter", "merge:keepgt")),
        *(A_NUMBER, 0, 50),
    ),
    Family(
        *("lrot", ops.ROT, L, L, ORDER, "rotate the list left by {n}"),
        *("moves the first number of a list to its end, {times}", (*PERM, "merge:lrot")),
        *(A_NUMBER, 1, 9),
    ),
    Family(
        *("ltake", ops.TAKE, L, L, CHOICE, "keep the first {numbers}"),
        *("cuts a list off after its first {numbers}", ("place", "merge:ltake"), A_NUMBER, 1, 9),
    ),
    Family(
        *("ldrop", ops.DROP, L, L, CHOICE, "drop the first {numbers}"),
        *("takes the first {numbers} off a list", ("place", "merge:ldrop"), A_NUMBER, 1, 9),
    ),
    Family(
        *("pairsums", ops.PAIR_SUMS, L, L, ARITHMETIC, "add up pairs"),
        "adds the first number of a list to the second, the third to the fourth and so on, where "
        "a last number without a partner stays",
    ),
    Family("sum", ops.SUM, L, N, MEASURE, "add up the list", "adds up all numbers of a list"),
    Family("max", ops.MAX, L, N, MEASURE, "take the largest", "gives a list's largest number"),
    Family("min", ops.MIN, L, N, MEASURE, "take the smallest", "gives a list's smallest number"),
    Family(
        *("count", ops.LENGTH, L, N, MEASURE, "count the numbers"),
        "counts how many numbers a list has",
    ),
    Family(
        *("range", ops.RANGE, L, N, MEASURE, "take the range"),
        "subtracts the smallest number of a list from the largest",
    ),
    Family(
        *("median", ops.MEDIAN, L, N, MEASURE, "take the lower median"),
        "gives the middle number of a sorted list, the left one if there are two",
    ),
    Family(
        *("argmax", ops.ARGMAX, L, N, MEASURE, "find the largest"),
        "gives the place of the largest number in a list, of the first if several are, counted "
        "from 1",
    ),
)
NUMBERS = (
    Family(
        *("add", ops.ADD, N, N, ARITHMETIC, "add {n}"),
        *("makes a number larger by {n}", ("merge:add",), A_NUMBER, 1, 99),
    ),
    Family(
        *("mul", ops.MUL, N, N, ARITHMETIC, "multiply by {n}"),
        *("multiplies a number by {n}", ("merge:mul",), A_NUMBER, 2, 12),
    ),
    Family(
        *("mod", ops.MOD, N, N, ARITHMETIC, "take the remainder modulo {n}"),
        "gives the remainder from 0 up of a number divided by {n}",
        *(("again",), A_NUMBER, 2, 99),
    ),
    Family(
        *("digitsum", ops.DIGIT_SUM, N, N, THEORY, "add up the digits"),
        "adds up a number's digits",
    ),
    Family(
        *("revdigits", ops.TURN_DIGITS, N, N, THEORY, "reverse the digits"),
        "reads a number's digits from the right, where zeros in front fall away",
        ("undo",),
    ),
    Family(
        *("collatz", ops.COLLATZ, N, N, THEORY, "make a Collatz step"),
        "halves a number that is even, and adds 1 to the triple of one that is odd",
    ),
    Family(
        *("sqmod", ops.SQUARE_MOD, N, N, THEORY, "square modulo {n}"),
        *("gives the remainder of a number's square divided by {n}", (), A_NUMBER, 2, 99),
    ),
    Family(
        *("gcd", ops.GCD, N, N, THEORY, "take the greatest common divisor with {n}"),
        "gives the largest number that divides both a number and {n}",
        *(("merge:gcd",), A_NUMBER, 2, 99),
    ),
    Family(
        *("digits", ops.DIGITS, N, L, CONVERSION, "list the digits"),
        "turns a number into the list of its digits",
    ),
    Family(
        *("divisors", ops.DIVISORS, N, L, THEORY, "list the divisors"),
        "lists all numbers that divide a number, from 1 up to itself",
    ),
    Family(
        *("primes", ops.PRIMES, N, L, THEORY, "list the prime factors"),
        "lists a number's prime factors from the smallest up, each as often as it divides",
    ),
)
ON_WORDS = (
    Family(
        *("acronym", ops.FIRSTS, W, S, CONVERSION, "join the first letters"),
        "joins the first letters of all words",
    ),
    Family(
        *("lasts", ops.LASTS, W, S, CONVERSION, "join the last letters"),
        "joins the last letters of all words",
    ),
    Family(
        *("wrev", ops.WORDS_REV, W, W, ORDER, "reverse the words"),
        "writes the words of a list in reverse order, each as it is",
        (*PERM, "undo", "reversal"),
    ),
    Family(
        *("wsort", ops.WORDS_SORT, W, W, ORDER, "sort the words"),
        *("puts the words of a list in alphabetical order", SORTS),
    ),
    Family(
        *("wdedup", ops.WORDS_UNIQUE, W, W, CHOICE, "drop repeated words"),
        *("keeps only the first of equal words in a list", ("unique", "again")),
    ),
    Family(
        *("wlonger", ops.WORDS_LONGER, W, W, CHOICE, "keep words of more than {letters}"),
        "takes every word of at most {letters} out of a list",
        *(("filter", "merge:wlonger"), A_NUMBER, 1, 9),
    ),
)
