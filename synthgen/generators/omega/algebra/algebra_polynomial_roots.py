"""OMEGA algebra: the second-largest root of a polynomial with rational roots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._definitions import (
    DEFINITION_SYMBOLS,
    MOST_DEFINITIONS,
    ComposedFamily,
    Definition,
    define_all,
    letters_of,
    sentence,
)
from synthgen.generators.omega._draws import PER_DIGIT, entropy_between, signed_of
from synthgen.generators.omega._expressions import ratio_text
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._numbers import Tree
from synthgen.generators.omega._parts import (
    LETTERS,
    Ratio,
    digits_of,
    integer_or_rational,
    non_integer,
    several_below,
    shares,
    some_letters,
)
from synthgen.generators.omega.algebra._polynomials import (
    Polynomial,
    factor_of,
    polynomial_text,
    product,
    quotient,
    shifted,
)

_DEGREES = (3, 4, 5, 6, 7, 8, 9)
_ENTROPIES = ((3, 5), (5, 10), (9, 12), (12, 15), (15, 20), (20, 24), (24, 28))
_DEFINITIONS = ((0, 0), (1, 2), (1, 2), (1, 2), (1, 2), (1, 2), (1, 3))
_EVENNESS = 5
_ONE_IN_INTEGER, _ONE_IN_REPEATED = 100, 100
_MOST_DIGITS = 44
_TRIES = 64
_NAMES = LETTERS.replace("f", "").replace("g", "")
_COMBINATION, _SHIFT = 1, 2
_FORMAT = (
    "Write it as n/m in lowest terms with m positive, where m is one for an integer, and give the "
    "integer n + m."
)
_WORDINGS = (
    f"Let p({{x}}) = {{p}}. What is the second-largest of the different roots of p? {_FORMAT}",
    f"All roots of p({{x}}) = {{p}} are rational. Find the second-largest of its different roots. "
    f"{_FORMAT}",
    f"Of the different values of {{x}} at which p({{x}}) = {{p}} is zero, take the second-largest. "
    f"{_FORMAT}",
    f"For which {{x}} does p({{x}}) = {{p}} vanish? Take the second-largest of these values. "
    f"{_FORMAT}",
)


@dataclass(frozen=True, slots=True)
class _Roots:
    """A polynomial in the form of its text.

    Attributes:
        roots: different ones, the largest first.
        divisor: of all coefficients in `given`.
        given: the polynomial, or those that it is made of.
        letters: that stand for coefficients of the first of these, by exponent.
        body: how it is made of f and g, where it is.
    """

    polynomial: Polynomial
    roots: list[Ratio]
    variable: str
    given: list[Polynomial]
    divisor: int
    letters: dict[int, str]
    definitions: list[Definition]
    body: str


@dataclass(frozen=True)
class AlgebraPolynomialRoots(ComposedFamily):
    """A polynomial with rational roots, two of them different at least, in expanded form.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all. The degree
            is 3 to 9, and the roots have 3 to 5, 5 to 10, 9 to 12, 12 to 15, 15 to 20, 20 to 24 or
            24 to 28 digits of entropy together.
        definitions: least and most number of what is defined before the question: coefficients
            that stand as letters, and one pair of polynomials, or one polynomial at another place,
            that the polynomial is made of; none stand for the level's own.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "algebra_polynomial_roots"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_DEGREES)
    n_definitions: ClassVar[tuple[tuple[int, int], ...]] = _DEFINITIONS
    wordings: ClassVar[int] = len(_WORDINGS)
    words_ahead = ((34, 0), (54, 8), (63, 10), (72, 10), (80, 12), (88, 12), (100, 14))
    symbols: ClassVar[Mapping[str, int]] = {
        **DEFINITION_SYMBOLS,
        **{f"roots{d}": d + 1 for d in _DEGREES},
        **{f"polynomial{n}": n for n in range(1, max(_DEGREES) + 2)},
        **{f"given{n}": n + 1 for n in range(1, MOST_DEFINITIONS + 1)},
        "combination": 4,
        "shift": 1,
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How large a polynomial is."""
        degrees = [_DEGREES[level - 1] for level in self.chosen_levels]
        return {
            "degree": Axis("degree of the polynomial", low=min(degrees), high=max(degrees)),
            "n_roots": Axis("different roots", low=2, high=max(degrees)),
            "n_definitions": self.definitions_axis,
            "digits": Axis("digits of the largest integer", low=1, high=_MOST_DIGITS),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Draw roots, multiply their linear factors, and hide some of the result."""
        degree = _DEGREES[level - 1]
        entropy = entropy_between(draws, *_ENTROPIES[level - 1])
        roots = _random_roots(draws, degree, entropy)
        if roots is None:
            return None
        polynomial: Polynomial = [1]
        for root in roots:
            polynomial = product(polynomial, factor_of(root))
        digits = digits_of(polynomial)
        if digits > _MOST_DIGITS:
            return None
        different = sorted(set(roots), key=lambda root: Fraction(*root), reverse=True)
        n_definitions = self.count_definitions(level, draws)
        facts, parts = _hidden(draws, polynomial, different, n_definitions, entropy)
        tree: Tree = (f"roots{degree}", *polynomial)
        if n_definitions:
            tree = (f"given{len(parts)}", tree, *sorted(parts, key=repr))
        axes = {
            "degree": degree,
            "n_roots": len(different),
            "n_definitions": n_definitions,
            "digits": digits,
        }
        return Made(tree, str(sum(different[1])), facts, axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Write the definitions and ask for the root."""
        facts: _Roots = made.facts
        x = facts.variable
        before = [sentence(draws, one) for one in facts.definitions]
        texts = [
            polynomial_text(one, x, facts.divisor, facts.letters if i == 0 else {})
            for i, one in enumerate(facts.given)
        ]
        if facts.body:
            before += [f"Let {f}({x}) = {text}. " for f, text in zip("fg", texts, strict=False)]
        return "".join(before) + _WORDINGS[wording].format(x=x, p=facts.body or texts[0])

    def steps(self, made: Made) -> str:
        """Write the numbers defined, the polynomial, and one linear factor after the other."""
        facts: _Roots = made.facts
        known = letters_of(facts.definitions)
        lines = [f"{letter} = {value}" for letter, value in known.items()]
        lines.append(f"{polynomial_text(facts.polynomial, facts.variable)} = 0")
        lines += _factors(facts.polynomial, facts.roots, facts.variable)
        n, m = facts.roots[1]
        return "\n".join([*lines, f"second {ratio_text((n, m))}, {n} + {m} = {made.answer}"])


def _random_roots(draws: RowDraws, degree: int, entropy: int) -> list[Ratio] | None:
    """Return rational roots, few of them integers or repeated, at least two different."""
    repeated = several_below(draws, _ONE_IN_REPEATED, degree - 1).count(0)
    n = max(2, degree - min(repeated, degree // 2))
    roots: list[Ratio] = []
    for share in shares(draws, entropy, n, _EVENNESS):
        for _ in range(_TRIES):
            root = (
                non_integer(draws, share)
                if draws.integer(0, _ONE_IN_INTEGER)
                else (signed_of(draws, share), 1)
            )
            if root not in roots:
                break
        else:
            return None
        roots.append(root)
    return roots + [roots[draws.integer(0, n)] for _ in range(degree - n)]


def _hidden(
    draws: RowDraws, polynomial: Polynomial, roots: list[Ratio], n: int, entropy: int
) -> tuple[_Roots, list[Tree]]:
    """Multiply a polynomial by a number, and define n parts of it; their trees come second."""
    times = integer_or_rational(draws, PER_DIGIT)
    if (n and times[1] != 1) or times[0] == 0:
        times = (signed_of(draws, PER_DIGIT, 1), 1)
    scaled = [times[0] * value for value in polynomial]
    variable, *letters = some_letters(draws, 1 + 2 * n, _NAMES)
    parts: list[Tree] = []
    given, body = [scaled], ""
    kind = draws.integer(0, 3) if n else 0
    if kind == _COMBINATION:
        given, body, part = _combination(draws, scaled, variable)
        parts.append(part)
    elif kind == _SHIFT:
        by = signed_of(draws, PER_DIGIT, 1)
        given = [shifted(scaled, by)]
        body = f"f({variable} {'-' if by > 0 else '+'} {abs(by)})"
        parts.append(("shift", by))
    n_letters = n - len(parts)
    named: dict[int, str] = {}
    in_text: list[Definition] = []
    if n_letters:
        powers = [power for power, value in enumerate(given[0]) if value]
        n_direct = min(len(powers), max(1, n_letters - draws.integer(0, 2)))
        chosen = [powers.pop(draws.integer(0, len(powers))) for _ in range(n_direct)]
        values = [given[0][power] for power in chosen]
        in_text, direct = define_all(draws, values, n_letters, entropy // 4, letters)
        named = {power: one.letter for power, one in zip(chosen, direct, strict=True)}
        parts += [one.tree for one in direct]
    facts = _Roots(polynomial, roots, variable, given, times[1], named, in_text, body)
    return facts, parts


def _combination(
    draws: RowDraws, polynomial: Polynomial, x: str
) -> tuple[list[Polynomial], str, Tree]:
    """Return f and g such that the polynomial is a f + g or a f - g, the text and the tree."""
    size = max(PER_DIGIT, digits_of(polynomial) * PER_DIGIT // 2)
    length = draws.integer(2, len(polynomial) + 1)
    first = [signed_of(draws, size) for _ in range(length - 1)] + [signed_of(draws, size, 1)]
    a = signed_of(draws, PER_DIGIT, 2)
    b = 1 - 2 * draws.integer(0, 2)
    second = list(polynomial)
    for i, value in enumerate(first):
        second[i] -= a * value
    second = [b * value for value in second]
    while len(second) > 1 and second[-1] == 0:
        second.pop()
    body = f"{a}*f({x}) {'+' if b > 0 else '-'} g({x})"
    terms = sorted(((a, first), (b, second)), key=repr)
    trees: list[Tree] = []
    for factor, one in terms:
        trees += [factor, (f"polynomial{len(one)}", *one)]
    return [first, second], body, ("combination", *trees)


def _factors(polynomial: Polynomial, roots: Sequence[Ratio], x: str) -> Iterator[str]:
    """Split one linear factor after the other off, the one of the largest root first."""
    for root in roots:
        rest = quotient(polynomial, root)
        while product(factor_of(root), rest) == polynomial:
            factor = polynomial_text(factor_of(root), x)
            yield f"{ratio_text(root)}: ({factor})*({polynomial_text(rest, x)})"
            polynomial = rest
            if len(polynomial) == 1:
                return
            rest = quotient(polynomial, root)


GENERATOR = AlgebraPolynomialRoots
