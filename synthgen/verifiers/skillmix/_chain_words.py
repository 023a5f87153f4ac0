"""What a reader of skill chains knows: how atoms are written, and what they take and give.

A row is the bare notation, the types, the English name and the definition. `{n}` is a number in
the range at the end, `{x}` and `{y}` are letters; `{letters}`, `{numbers}`, `{places}`, `{times}`
follow from n.
"""

from __future__ import annotations

Row = tuple[str, str, str, str] | tuple[str, str, str, str, int, int]
ON_STRINGS: tuple[Row, ...] = (
    ("rev", "SS", "reverse the letters", "writes the letters of a string in reverse order"),
    (
        *("rotl{n}", "SS", "rotate left by {n}"),
        *("moves the first letter of a string to its end, {times}", 1, 9),
    ),
    (
        *("rotr{n}", "SS", "rotate right by {n}"),
        *("moves the last letter of a string to its front, {times}", 1, 9),
    ),
    (
        *("caesar{n}", "SS", "shift the letters by {n}"),
        "replaces every letter of a string by the one {places} later in the alphabet, where a "
        "comes after z",
        *(1, 25),
    ),
    (
        *("atbash", "SS", "mirror the alphabet"),
        "exchanges a with z, b with y, c with x and so on in a string",
    ),
    ("sort", "SS", "sort the letters", "puts the letters of a string in alphabetical order"),
    (
        *("dedup", "SS", "drop repeated letters"),
        "keeps only the first of equal letters in a string",
    ),
    ("rmvow", "SS", "remove the vowels", "takes every a, e, i, o and u out of a string"),
    ("dbl", "SS", "double every letter", "writes every letter of a string twice in a row"),
    (
        *("evens", "SS", "keep every other letter from the first on"),
        "keeps the first, third, fifth letter of a string and so on",
    ),
    (
        *("odds", "SS", "keep every other letter from the second on"),
        "keeps the second, fourth, sixth letter of a string and so on",
    ),
    (
        *("swap", "SS", "swap neighbouring letters"),
        "exchanges the first letter of a string with the second, the third with the fourth and so "
        "on, where a last letter without a partner stays",
    ),
    (
        *("halves", "SS", "exchange the halves"),
        "puts the second half of a string before the first, to which a middle letter belongs",
    ),
    (
        *("riffle", "SS", "interleave the halves"),
        "takes letters in turn from the first half of a string, to which a middle letter belongs, "
        "and from the second",
    ),
    (
        *("mirror", "SS", "append the mirror image"),
        "writes a string and behind it the same string reversed",
    ),
    (
        *("drop{n}", "SS", "drop the first {letters}"),
        *("takes the first {letters} off a string", 1, 9),
    ),
    (
        *("vowrot", "SS", "rotate the vowels"),
        "turns a into e, e into i, i into o, o into u and u into a",
    ),
    (
        *("take{n}", "SS", "keep the first {letters}"),
        *("cuts a string off after its first {letters}", 1, 9),
    ),
    (
        *("half", "SS", "keep the first half"),
        "keeps the first half of a string, a middle letter included",
    ),
    ("replace_{x}{y}", "SS", "replace {x} by {y}", "writes {y} for every {x} of a string"),
    ("remove_{x}", "SS", "remove every {x}", "takes every {x} out of a string"),
    (
        *("insert_{x}{n}", "SS", "insert {x} after {letters}"),
        "puts {x} behind the first {letters} of a string, or at its end if it is shorter",
        *(1, 9),
    ),
    (
        *("toggle_{x}", "SS", "toggle the letter {x}"),
        "takes every {x} out of a string that has one, and else puts {x} at its end",
    ),
    ("length", "SN", "count the letters", "counts a string's letters"),
    ("vowels", "SN", "count the vowels", "counts how often a, e, i, o and u stand in a string"),
    ("distinct", "SN", "count the different letters", "counts the different letters of a string"),
    (
        *("alphasum", "SN", "add up the places in the alphabet"),
        "adds up a string's letters, with a for 1, b for 2 and so on",
    ),
    (
        *("index_{x}", "SN", "find the first {x}"),
        "gives the place of the first {x} in a string, counted from 1, or 0 if it has none",
    ),
    (
        *("codes", "SL", "number the letters"),
        "turns a string into the list of its letters' places in the alphabet, with a for 1",
    ),
)
ON_LISTS: tuple[Row, ...] = (
    (
        *("letters", "LS", "turn numbers into letters"),
        "writes a for 1, b for 2 up to z for 26, then a again for 27 and so on, also downwards, "
        "so that z stands for 0",
    ),
    ("lrev", "LL", "reverse the list", "writes the numbers of a list in reverse order"),
    (
        *("lsort", "LL", "sort the list upwards"),
        "puts the smallest number of a list first and the largest last",
    ),
    (
        *("lsortdesc", "LL", "sort the list downwards"),
        "puts the largest number of a list first and the smallest last",
    ),
    (
        *("ladd{n}", "LL", "add {n} to every number"),
        *("makes every number of a list larger by {n}", 1, 50),
    ),
    (
        *("lmul{n}", "LL", "multiply every number by {n}"),
        *("multiplies every number of a list by {n}", 2, 12),
    ),
    (
        *("lmod{n}", "LL", "take every number modulo {n}"),
        "replaces every number of a list by its remainder from 0 up when divided by {n}",
        *(2, 50),
    ),
    ("prefix", "LL", "form running sums", "adds to every number of a list all numbers before it"),
    (
        *("diffs", "LL", "form differences of neighbours"),
        "lists for every number of a list but the last how much larger the next one is",
    ),
    (
        *("unique", "LL", "drop repeated numbers"),
        "keeps only the first of equal numbers in a list",
    ),
    ("keepeven", "LL", "keep the even numbers", "takes the odd numbers out of a list"),
    (
        *("keepgt{n}", "LL", "keep numbers above {n}"),
        *("takes every number up to {n} out of a list", 0, 50),
    ),
    (
        *("lrot{n}", "LL", "rotate the list left by {n}"),
        *("moves the first number of a list to its end, {times}", 1, 9),
    ),
    (
        *("ltake{n}", "LL", "keep the first {numbers}"),
        *("cuts a list off after its first {numbers}", 1, 9),
    ),
    (
        *("ldrop{n}", "LL", "drop the first {numbers}"),
        *("takes the first {numbers} off a list", 1, 9),
    ),
    (
        *("pairsums", "LL", "add up pairs"),
        "adds the first number of a list to the second, the third to the fourth and so on, where "
        "a last number without a partner stays",
    ),
    ("sum", "LN", "add up the list", "adds up all numbers of a list"),
    ("max", "LN", "take the largest", "gives a list's largest number"),
    ("min", "LN", "take the smallest", "gives a list's smallest number"),
    ("count", "LN", "count the numbers", "counts how many numbers a list has"),
    (
        *("range", "LN", "take the range"),
        "subtracts the smallest number of a list from the largest",
    ),
    (
        *("median", "LN", "take the lower median"),
        "gives the middle number of a sorted list, the left one if there are two",
    ),
    (
        *("argmax", "LN", "find the largest"),
        "gives the place of the largest number in a list, of the first if several are, counted "
        "from 1",
    ),
)
ON_NUMBERS: tuple[Row, ...] = (
    ("add{n}", "NN", "add {n}", "makes a number larger by {n}", 1, 99),
    ("mul{n}", "NN", "multiply by {n}", "multiplies a number by {n}", 2, 12),
    (
        *("mod{n}", "NN", "take the remainder modulo {n}"),
        *("gives the remainder from 0 up of a number divided by {n}", 2, 99),
    ),
    ("digitsum", "NN", "add up the digits", "adds up a number's digits"),
    (
        *("revdigits", "NN", "reverse the digits"),
        "reads a number's digits from the right, where zeros in front fall away",
    ),
    (
        *("collatz", "NN", "make a Collatz step"),
        "halves a number that is even, and adds 1 to the triple of one that is odd",
    ),
    (
        *("sqmod{n}", "NN", "square modulo {n}"),
        *("gives the remainder of a number's square divided by {n}", 2, 99),
    ),
    (
        *("gcd{n}", "NN", "take the greatest common divisor with {n}"),
        *("gives the largest number that divides both a number and {n}", 2, 99),
    ),
    ("digits", "NL", "list the digits", "turns a number into the list of its digits"),
    (
        *("divisors", "NL", "list the divisors"),
        "lists all numbers that divide a number, from 1 up to itself",
    ),
    (
        *("primes", "NL", "list the prime factors"),
        "lists a number's prime factors from the smallest up, each as often as it divides",
    ),
)
ON_WORDS: tuple[Row, ...] = (
    ("acronym", "WS", "join the first letters", "joins the first letters of all words"),
    ("lasts", "WS", "join the last letters", "joins the last letters of all words"),
    (
        *("wrev", "WW", "reverse the words"),
        "writes the words of a list in reverse order, each as it is",
    ),
    ("wsort", "WW", "sort the words", "puts the words of a list in alphabetical order"),
    ("wdedup", "WW", "drop repeated words", "keeps only the first of equal words in a list"),
    (
        *("wlonger{n}", "WW", "keep words of more than {letters}"),
        *("takes every word of at most {letters} out of a list", 1, 9),
    ),
)
ROWS = ON_STRINGS + ON_LISTS + ON_NUMBERS + ON_WORDS
"""In the order of the table of opaque names."""
