"""Expressions, sums and equations as text, and the sentences that define numbers by them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from synthgen.authoring import Words, holes, reads

Tree: TypeAlias = "int | str | tuple[str, Tree, Tree]"
"""An integer, a letter, or (sign, left, right)."""
Letters: TypeAlias = "tuple[tuple[str, int], ...]"
"""Letters that are multiplied, with their exponents."""
Term: TypeAlias = "tuple[Fraction | int, Letters]"
Sum: TypeAlias = "tuple[Term, ...]"

WORDS = Words.beside(__file__)
TEXT = holes.pattern(r"[^.?\n]+")
LETTER = holes.pattern("[a-z]")
_LARGEST = 10**80
_MAX_BITS = 12_000
_MAX_TOKENS, _MAX_TERMS = 300, 200
_NUMBER = "(?:0|[1-9][0-9]{0,79})"
_TOKEN = re.compile(rf"(?:(?:^|(?<=\())-(?=[1-9]))?{_NUMBER}|[a-z]| \+ | - |[*/()]", re.ASCII)
_RANKS = {" + ": 1, " - ": 1, "*": 2, "/": 2}
_POWER = r"([a-z])(?:\^([2-9]|[1-9][0-9]))?"
_TERM = re.compile(
    rf"([+-]?)(?:({_NUMBER})|\(({_NUMBER})/([1-9][0-9]{{0,79}})\)|{_POWER})(?:\*{_POWER})?",
    re.ASCII,
)


def expression_of(text: str) -> Tree | None:
    """Read an expression; None if the text is not one.

    A minus sign without spaces belongs to the number after it, at the beginning of the text or
    after an opening parenthesis.
    """
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text or len(tokens) > _MAX_TOKENS:
        return None
    tokens.reverse()
    try:
        tree = _read_tokens(tokens, 0)
    except (IndexError, ValueError):
        return None
    return None if tokens else tree


def _read_tokens(tokens: list[str], rank: int) -> Tree:
    """Pop an operand and all signs of a higher rank, with their operands, off the end."""
    token = tokens.pop()
    tree: Tree
    if token == "(":
        tree = _read_tokens(tokens, 0)
        if tokens.pop() != ")":
            raise ValueError
    else:
        tree = token if token.isalpha() else int(token)
    while tokens and _RANKS.get(tokens[-1], 0) > rank:
        sign = tokens.pop()
        tree = (sign.strip(), tree, _read_tokens(tokens, _RANKS[sign]))
    return tree


def value_of(tree: Tree, known: Mapping[str, int]) -> Fraction:
    """Evaluate an expression.

    Raises:
        KeyError: for an unknown letter.
        ArithmeticError: for a division by zero or a huge number.
    """
    if isinstance(tree, tuple):
        return applied(tree[0], value_of(tree[1], known), value_of(tree[2], known))
    return Fraction(known[tree] if isinstance(tree, str) else tree)


def applied(sign: str, left: Fraction, right: Fraction) -> Fraction:
    """Add, subtract, multiply or divide two numbers.

    Raises:
        ArithmeticError: for a division by zero or a huge number.
    """
    if sign in "+-":
        value = left + right if sign == "+" else left - right
    else:
        value = left * right if sign == "*" else left / right
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise OverflowError
    return value


def sum_of(text: str) -> Sum | None:
    """Read a sum of terms such as `3*x`, `b*x^2`, `(3/4)*x` and `-7`; None if it is not one."""
    pieces = text.replace(" + ", "\n+").replace(" - ", "\n-").split("\n")
    if len(pieces) > _MAX_TERMS or text.startswith("+"):
        return None
    terms = [term for term in map(_term_of, pieces) if term is not None]
    return tuple(terms) if len(terms) == len(pieces) else None


@lru_cache(1 << 14)
def _term_of(text: str) -> Term | None:
    """Read a term with its sign; small terms come again and again."""
    match = _TERM.fullmatch(text)
    if match is None:
        return None
    sign, whole, top, bottom, first, power, second, other_power = match.groups()
    size = Fraction(int(top), int(bottom)) if top else int(whole or 1)
    pairs = ((first, power), (second, other_power))
    letters = tuple((letter, int(exponent or 1)) for letter, exponent in pairs if letter)
    return -size if sign == "-" else size, letters


def equation_of(text: str) -> Sum | None:
    """Read an equation as the sum that is zero; None if the text is not one."""
    left, _, right = text.partition(" = ")
    terms, others = sum_of(left), sum_of(right)
    if terms is None or others is None:
        return None
    return (*terms, *((-size, letters) for size, letters in others))


def letters_in(terms: Sum) -> set[str]:
    """Return the letters of a sum."""
    return {letter for _, letters in terms for letter, _ in letters}


def collected(terms: Sum, known: Mapping[str, int]) -> dict[Letters, Fraction | int]:
    """Add up the coefficients of the products of unknown letters and of higher powers."""
    totals: dict[Letters, Fraction | int] = {}
    for size, letters in terms:
        left = letters
        for letter, power in letters:
            if letter in known and power == 1:
                size = size * known[letter]
                left = tuple(one for one in left if one != (letter, 1))
        totals[left] = totals.get(left, 0) + size
    return totals


def linear_row(terms: Sum, names: Sequence[str], known: Mapping[str, int]) -> list[int] | None:
    """Return the integer coefficients of the unknowns, and the constant on the other side."""
    totals = collected(terms, known)
    row = [totals.pop(((name, 1),), 0) for name in names]
    row.append(-totals.pop((), 0))
    if totals or any(isinstance(value, Fraction) for value in row):
        return None
    return row  # type: ignore[return-value]


def solved(rows: Sequence[list[int] | None]) -> list[Fraction] | None:
    """Return the only solution of as many equations as unknowns, by Bareiss' elimination."""
    matrix = [row for row in rows if row]
    previous, size = 1, len(rows)
    for column in range(size):
        pivot = next((i for i in range(column, len(matrix)) if matrix[i][column]), None)
        if pivot is None:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        top = matrix[column]
        lead = top[column]
        for i, row in enumerate(matrix):
            by = row[column]
            if i != column:  # the division is exact: all numbers are minors of the matrix
                matrix[i] = [(lead * x - by * y) // previous for x, y in zip(row, top, strict=True)]
        previous = lead
    return [Fraction(row[-1], previous) for row in matrix]


class Definition(NamedTuple):
    """A sentence: letters in alphabetical order, and an expression or equations for them."""

    letters: tuple[str, ...]
    tree: Tree | None
    equations: tuple[Sum, ...] = ()


_Sentence: TypeAlias = "tuple[str, frozenset[str], tuple[str, ...]]"
"""Kind, letters that the sentence names, and its texts."""


@reads(WORDS.part("definitions"), b=LETTER, c=LETTER, text=TEXT, other=TEXT)
def _read_sentence(kind: str, text: str, other: str = "", **names: str) -> _Sentence:
    return kind, frozenset(names.values()), (text, other) if kind == "pair" else (text,)


def definitions_of(given: str) -> tuple[Definition, ...] | None:
    """Read definitions; None if a letter is defined twice, or by letters that are unknown."""
    known: set[str] = set()
    definitions = []
    for text in given.split(". ")[:-1]:
        sentence = _read_sentence(f"{text}.")
        definition = _definition(*sentence, known) if sentence else None
        if definition is None or not known.isdisjoint(definition.letters):
            return None
        known.update(definition.letters)
        definitions.append(definition)
    return tuple(definitions)


def _definition(
    kind: str, named: frozenset[str], texts: tuple[str, ...], known: set[str]
) -> Definition | None:
    if kind == "value":
        tree = expression_of(texts[0])
        if tree is None or not _letters_of(tree) <= known:
            return None
        return Definition(tuple(named), tree)
    equations = tuple(terms for text in texts if (terms := equation_of(text)) is not None)
    letters = set[str]().union(*map(letters_in, equations)) - known
    if len(equations) != len(texts) or len(letters) != len(texts) or not named <= letters:
        return None
    return Definition(tuple(sorted(letters)), None, equations)


def _letters_of(tree: Tree) -> set[str]:
    if isinstance(tree, tuple):
        return _letters_of(tree[1]) | _letters_of(tree[2])
    return {tree} if isinstance(tree, str) else set()


def values_of(definitions: Sequence[Definition]) -> dict[str, int] | None:
    """Return the letters' values; None if one is huge, not an integer or not determined."""
    known: dict[str, int] = {}
    for letters, tree, equations in definitions:
        if tree is None:
            values = solved([linear_row(terms, letters, known) for terms in equations])
        else:
            try:
                values = [value_of(tree, known)]
            except ArithmeticError:
                return None
        if values is None:
            return None
        for letter, value in zip(letters, values, strict=True):
            if value.denominator != 1 or abs(value) >= _LARGEST:
                return None
            known[letter] = int(value)
    return known


def value_lines(known: Mapping[str, int]) -> list[str]:
    """Return the lines with which a solution must state the values of letters."""
    return [f"{letter} = {value}" for letter, value in known.items()]


GIVEN = holes.pattern(r"(?:(?:Let|Suppose) [^.?\n]*\. )*", definitions_of)
"""Definitions before a question."""
