"""Whether a stated rule is an identity: its two sides, worked out exactly, have one form.

Terms are real functions of a, b, c, d. log(u) needs u > 0, sqrt(u) needs u >= 0, u / v needs v
other than 0, and u^v needs u > 0 unless v is a written number. A rule is an identity if both sides
have the same value wherever both have one, and this is so somewhere. Single points at which
something is 0 do not count: forms are compared as functions.

Where it matters (logarithms, roots, absolute values, powers) this is shown for all combinations of
signs of the variables apart; those for which a side never has a value are passed over. A rule is
refused if it is false, and also if it cannot be shown in bounded work to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import product

from synthgen.verifiers._identities_algebra import (
    EXP,
    TURN,
    Budget,
    Form,
    TooMuchError,
    UndefinedError,
    constant,
)
from synthgen.verifiers._identities_functions import Functions
from synthgen.verifiers._identities_tree import METAS, NotATermError, Term, read, subterms

MOST_RULE_BYTES = 512
_MOST_WORK = 20_000
_KEPT = 1_024
_WAVES = {
    "sin": (TURN, True),
    "cos": (TURN, False),
    "sinh": (EXP, True),
    "cosh": (EXP, False),
}
_RATIOS = {"tan": ("sin", "cos"), "tanh": ("sinh", "cosh")}


@lru_cache(maxsize=_KEPT)
def is_identity(rule: str) -> bool:
    """Say whether `LHS = RHS` is an identity over a, b, c, d."""
    if len(rule) > MOST_RULE_BYTES:
        return False
    left, _, right = rule.partition(" = ")
    try:
        return have_one_value(read(left, METAS), read(right, METAS))
    except NotATermError:
        return False


def have_one_value(left: Term, right: Term) -> bool:
    """Say whether two sides are shown to be equal wherever both have a value."""
    every = [inner for side in (left, right) for _, inner in subterms(side)]
    letters = sorted({inner.symbol for inner in every} & set(METAS))
    signs = (1, -1) if any(map(_minds_signs, every)) else (1,)
    budget = Budget(_MOST_WORK)
    shown = False
    for chosen in product(signs, repeat=len(letters)):
        algebra = Functions(budget)
        values = dict(zip(letters, chosen, strict=True))
        try:
            forms = [_form(algebra, side, values) for side in (left, right)]
            if not algebra.equal(*forms):
                return False
            shown = True
        except UndefinedError:
            continue
        except TooMuchError:
            return False
    return shown


def _minds_signs(term: Term) -> bool:
    """Say whether what becomes of a term's operands depends on their signs."""
    powers = term.symbol == "^" and not term.operands[1].symbol.isdecimal()
    return powers or term.symbol in ("log", "sqrt", "abs")


def _form(algebra: Functions, term: Term, signs: Mapping[str, int]) -> Form:
    """Work out a term whose variables have these signs.

    Raises:
        UndefinedError: if it has no value anywhere.
        TooMuchError: if it takes too much work.
    """
    symbol, operands = term.symbol, term.operands
    if not operands:
        known = symbol in signs
        return algebra.variable(symbol, signs[symbol]) if known else constant(int(symbol))
    if symbol == "^" and operands[1].symbol.isdecimal():
        return algebra.whole_power(_form(algebra, operands[0], signs), int(operands[1].symbol))
    return _applied(algebra, symbol, [_form(algebra, operand, signs) for operand in operands])


def _applied(algebra: Functions, symbol: str, values: list[Form]) -> Form:
    """Work out an operator or function of these values."""
    if symbol in _WAVES:
        kind, odd = _WAVES[symbol]
        return algebra.wave(values[0], kind, odd=odd)
    if symbol in _RATIOS:
        over, under = (_applied(algebra, name, values) for name in _RATIOS[symbol])
        return algebra.divide(over, under)
    if symbol == "-":
        return algebra.add(values[0], algebra.multiply(values[1], constant(-1)))
    operations: dict[str, Callable[..., Form]] = {
        "+": algebra.add,
        "*": algebra.multiply,
        "/": algebra.divide,
        "^": algebra.any_power,
        "exp": algebra.exp,
        "log": algebra.log,
        "sqrt": algebra.sqrt,
        "abs": algebra.absolute,
    }
    return operations[symbol](*values)
