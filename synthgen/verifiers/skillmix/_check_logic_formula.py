"""Statements as formulas, and which follow from which by truth table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from synthgen.verifiers.skillmix._check_logic_words import first_of, reduce

MOST_WORDS = 60
"""A longer clause is taken as one statement, whatever connectives it has."""
MOST_CONNECTIVES = 8
"""So is a clause with more of them, which could be read in too many ways."""
MOST_ATOMS = 6


class Formula(NamedTuple):
    """A literal or a compound.

    Attributes:
        op: "is" (literal), "not", "and", "or" or "if".
        positive: sign of a literal.
        body: stems of a literal.
        parts: of a compound; those of "if" are antecedent and consequent.
    """

    op: str
    positive: bool
    body: str
    parts: tuple[Formula, ...]


CONNECTIVES = frozenset(("if", "whenever", "when", "unless", "provided", "only", "either"))
CONNECTIVES |= frozenset(
    ("or", "and", "both", "neither", "nor", "true", "false", "case", "implies")
)
CONDITIONAL = frozenset(("if", "whenever", "when", "provided", "unless"))
_DENIALS = (
    ("it", "is", "not", "true", "that"),
    ("it", "is", "not", "the", "case", "that"),
    ("it", "is", "false", "that"),
    ("it", "cannot", "be", "true", "that"),
    ("it", "cannot", "be", "that"),
    ("it", "is", "untrue", "that"),
)
_BE = frozenset(("is", "are", "was", "were"))
_SUBJECTS = _BE | frozenset(
    "the this that these those every each all no some my our your it he she they we you i".split()
)
"""Words of which a clause has one, and the rest of an elliptical one has none."""
FORMULA_WORDS = (
    CONNECTIVES
    | _SUBJECTS
    | frozenset(("not", "then", *(word for phrase in _DENIALS for word in phrase)))
)
"""Words on which depends what formula a clause is."""


@lru_cache(maxsize=256)
def literal(words: tuple[str, ...]) -> Formula:
    """Read words as one statement."""
    positive, body = reduce(words)
    return Formula("is", positive, body, ())


def both(op: str, first: Formula, second: Formula) -> Formula:
    """Join two formulas."""
    return Formula(op, True, "", (first, second))


def negate(formula: Formula) -> Formula:
    """Return the denial; a double denial is taken away."""
    if formula.op == "is":
        return Formula("is", not formula.positive, formula.body, ())
    if formula.op == "not":
        return formula.parts[0]
    return Formula("not", True, "", (formula,))


def is_rule(one: Formula) -> bool:
    """Say whether a formula is a conditional whose two sides are not the same but for a sign."""
    return one.op == "if" and not alike(*one.parts)


def alike(one: Formula, other: Formula) -> bool:
    """Say whether two formulas are the same but for a sign."""
    return one == other or one == negate(other)


def opening_if(words: tuple[str, ...]) -> tuple[Formula | None, tuple[str, ...]]:
    """Read "if A" or "if A then B".

    Returns:
        The antecedent, or None if the words do not begin so; and the words of the consequent.
    """
    if not words or words[0] not in CONDITIONAL:
        return None, ()
    start = 2 if words[:2] == ("provided", "that") else 1
    then = first_of(words, ("then",))
    stop = len(words) if then < 0 else then
    antecedent = formula(words[start:stop])
    return (negate(antecedent) if words[0] == "unless" else antecedent), words[stop + 1 :]


def formula(words: tuple[str, ...]) -> Formula:
    """Read a clause."""
    if CONNECTIVES.isdisjoint(words) or len(words) > MOST_WORDS:
        return literal(words)
    if sum(word in CONNECTIVES for word in words) > MOST_CONNECTIVES:
        return literal(words)
    return _conditional(words) or _denial(words) or _choice(words) or literal(words)


def _conditional(words: tuple[str, ...]) -> Formula | None:
    antecedent, rest = opening_if(words)
    if antecedent is not None:
        return both("if", antecedent, formula(rest)) if rest else None
    at = first_of(words, CONDITIONAL)
    if at > 0 and at + 1 < len(words):
        if words[at - 1] == "only" and words[at] == "if":
            left, right = words[: at - 1], words[at + 1 :]
            return both("if", formula(left), formula(right)) if left else None
        start = at + 2 if words[at : at + 2] == ("provided", "that") else at + 1
        antecedent = formula(words[start:])
        if words[at] == "unless":
            antecedent = negate(antecedent)
        return both("if", antecedent, formula(words[:at]))
    at = first_of(words, ("implies",))
    if 0 < at < len(words) - 2 and words[at + 1] == "that":
        return both("if", formula(words[:at]), formula(words[at + 2 :]))
    return None


def _denial(words: tuple[str, ...]) -> Formula | None:
    for phrase in _DENIALS:
        if words[: len(phrase)] == phrase and len(words) > len(phrase):
            return negate(formula(words[len(phrase) :]))
    if words[:2] == ("not", "both"):
        return negate(formula(words[1:]))
    if words[0] == "neither" and "nor" in words:
        at = words.index("nor")
        if 1 < at < len(words) - 1:
            return negate(both("or", formula(words[1:at]), formula(words[at + 1 :])))
    return None


def _choice(words: tuple[str, ...]) -> Formula | None:
    """Read "either A or B", "both A and B", and the same without the first word."""
    for op, opener in (("or", "either"), ("and", "both")):
        at = first_of(words, (op,))
        if not 0 < at < len(words) - 1:
            continue
        start = first_of(words[:at], (opener,))
        left, right = words[start + 1 : at], words[at + 1 :]
        if start > 0:  # "the rope is either wet or dry"
            left, right = words[:start] + left, words[:start] + right
        else:
            copula = first_of(left, _BE)
            if copula >= 0 and len(right) < 4 and _SUBJECTS.isdisjoint(right):
                right = left[: copula + 1] + right  # "the rope is wet or dry"
        if left and right:
            return both(op, formula(left), formula(right))
    return None


def atoms(formulas: Sequence[Formula]) -> Iterator[str]:
    """Yield the bodies of all literals."""
    for one in formulas:
        if one.op == "is":
            yield one.body
        else:
            yield from atoms(one.parts)


@cache
def _columns(n: int) -> tuple[int, ...]:
    """Return the columns of a truth table of n atoms, each as 2^n bits."""
    return tuple(sum(1 << row for row in range(1 << n) if row >> atom & 1) for atom in range(n))


def _truth(one: Formula, columns: dict[str, int], full: int) -> int:
    if one.op == "is":
        column = columns[one.body]
        return column if one.positive else full & ~column
    values = [_truth(part, columns, full) for part in one.parts]
    if one.op == "not":
        return full & ~values[0]
    if one.op == "and":
        return values[0] & values[1]
    if one.op == "or":
        return values[0] | values[1]
    return (full & ~values[0]) | values[1]


def entails(premises: Sequence[Formula], conclusion: Formula) -> bool:
    """Whether no row of the truth table has true premises and a false conclusion.

    With too many atoms, the answer is no.
    """
    names = sorted(set(atoms((*premises, conclusion))))
    if len(names) > MOST_ATOMS:
        return False
    full = (1 << (1 << len(names))) - 1
    columns = dict(zip(names, _columns(len(names)), strict=True))
    value = full & ~_truth(conclusion, columns, full)
    for premise in premises:
        value &= _truth(premise, columns, full)
    return value == 0


def proves(premises: tuple[Formula, ...], conclusion: Formula) -> bool:
    """Whether the premises entail the conclusion, and none of them can be left out."""
    return entails(premises, conclusion) and not any(
        entails(premises[:at] + premises[at + 1 :], conclusion) for at in range(len(premises))
    )
