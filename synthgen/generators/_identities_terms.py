"""Symbols of terms, and the sides of the identities as prefix codes.

Codes are operators, functions, variables, numbers and the identities themselves, in this order.
Meta-variables follow; they occur in the sides of identities only, never in a derivation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, ragged
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.generators._identities_list import IDENTITIES, NAMES

OPERATORS = "+-*/^"
FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs")
VARIABLES = "mnpqrstuvwxyz"
METAS = "abcd"
N_NUMBERS = 100
FIRST_FUNCTION = len(OPERATORS)
FIRST_VARIABLE = FIRST_FUNCTION + len(FUNCTIONS)
FIRST_NUMBER = FIRST_VARIABLE + len(VARIABLES)
FIRST_RULE = FIRST_NUMBER + N_NUMBERS
FIRST_META = FIRST_RULE + len(IDENTITIES)
RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_POWER = 3

_TERM_SYMBOLS = {
    **dict.fromkeys(OPERATORS, 2),
    **dict.fromkeys(FUNCTIONS, 1),
    **dict.fromkeys([*VARIABLES, *map(str, range(N_NUMBERS))], 0),
}


@dataclass(frozen=True)
class Rules:
    """Both sides of all identities.

    Attributes:
        left, right: prefix codes, a row for each identity.
        n_metas: meta-variables of each, int64 (k,): they are the first ones.
        most_uses: how often a side uses its meta-variables at most.
        longest: codes of the longest side.
    """

    left: Ragged
    right: Ragged
    n_metas: NDArray[np.int64]
    most_uses: int
    longest: int


@cache
def rules() -> Rules:
    """Read the list of identities."""
    sides = [[_codes(side) for side in identity.sides] for identity in IDENTITIES]
    uses = [[code >= FIRST_META for code in side] for pair in sides for side in pair]
    return Rules(
        left=ragged(left for left, _ in sides),
        right=ragged(right for _, right in sides),
        n_metas=np.array([max(left) - FIRST_META + 1 for left, _ in sides], np.int64),
        most_uses=max(map(sum, uses)),
        longest=max(map(len, uses)),
    )


@cache
def signature() -> Signature:
    """Symbols of terms, and each identity over the values of its meta-variables."""
    arities = dict(zip(NAMES, rules().n_metas.tolist(), strict=True))
    return Signature.of(_TERM_SYMBOLS | arities)


@cache
def term_arities() -> NDArray[np.int64]:
    """Arity of each symbol below the identities, of these, and of meta-variables."""
    return np.concatenate([signature().arity_array, np.zeros(len(METAS), np.int64)])


def _codes(text: str) -> list[int]:
    """Return the prefix codes of a term over meta-variables.

    Raises:
        ParamError: if it is none.
    """
    tokens = _tokens(text)
    codes = _operation(tokens, 1)
    if tokens:
        raise ParamError("side of an identity", text, "one term")
    return codes


def _tokens(text: str) -> list[str]:
    for sign in (*OPERATORS, "(", ")"):
        text = text.replace(sign, f" {sign} ")
    return text.split()[::-1]


def _operation(tokens: list[str], lowest: int) -> list[int]:
    """Read operators of rank >= lowest, joined from the left; `tokens` is a stack."""
    left = _operand(tokens)
    while tokens and RANKS.get(tokens[-1], 0) >= lowest:
        operator = tokens.pop()
        right = _operation(tokens, RANKS[operator] + 1)
        left = [OPERATORS.index(operator), *left, *right]
    return left


def _operand(tokens: list[str]) -> list[int]:
    token = tokens.pop() if tokens else ""
    if token in FUNCTIONS:
        return [FIRST_FUNCTION + FUNCTIONS.index(token), *_operand(tokens)]
    if token == "(":
        inside = _operation(tokens, 1)
        if tokens and tokens.pop() == ")":
            return inside
    elif token.isdecimal():
        return [FIRST_NUMBER + int(token)]
    elif token and token in METAS:
        return [FIRST_META + METAS.index(token)]
    raise ParamError("side of an identity", token, "a term over a, b, c, d")


@cache
def name_tables() -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """How symbols are written: bytes of all names end to end, their offsets, and ranks.

    Operators have their spaces, functions their opening parenthesis; the rank is 0 where a symbol
    is no operator.
    """
    signs = [sign if RANKS[sign] == _POWER else f" {sign} " for sign in OPERATORS]
    functions = [f"{name}(" for name in FUNCTIONS]
    names = [*signs, *functions, *VARIABLES, *map(str, range(N_NUMBERS))]
    offsets = np.cumsum([0, *map(len, names)]).astype(np.int64)
    ranks = np.zeros(FIRST_META + len(METAS), np.int64)
    ranks[:FIRST_FUNCTION] = [RANKS[sign] for sign in OPERATORS]
    return np.frombuffer("".join(names).encode(), np.uint8), offsets, ranks
