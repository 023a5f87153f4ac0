"""OMEGA number theory: roots of n^k + o modulo powers of the least prime that allows one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made
from synthgen.generators.omega._listed import ListedFamily
from synthgen.generators.omega.numbertheory._lte_texts import WORDINGS
from synthgen.generators.omega.numbertheory._residues import least_prime, primes, roots

_NAMES = tuple(WORDINGS)
_LEAST, _LIFTED, _LARGEST, _CLASS, _NUMBER, _NUMBER_PLUS = range(len(_NAMES))


@dataclass(frozen=True)
class Ranges:
    """Parameters of some levels, each from the first number to the second.

    Attributes:
        exponents, powers, offset: of the polynomial and of the prime, and the offset's magnitude.
        other_exponents, other_powers: further ones, of questions about congruences.
        moduli: of the prime.
        prime: above all primes that are given.
        given_powers, given_exponents: where the prime is given.
    """

    exponents: tuple[int, int]
    powers: tuple[int, int]
    offset: int
    other_exponents: tuple[int, int]
    other_powers: tuple[int, int]
    moduli: tuple[int, int]
    prime: int
    given_powers: tuple[int, int]
    given_exponents: tuple[int, int]


_EASY = Ranges((1, 5), (1, 5), 2, (1, 6), (2, 4), (2, 9), 40, (1, 4), (1, 4))
_HARD = Ranges((2, 6), (2, 6), 2, (2, 7), (2, 4), (2, 9), 60, (2, 5), (2, 5))
_WIDE = Ranges((2, 8), (2, 7), 9, (2, 8), (2, 6), (2, 20), 100, (2, 6), (2, 8))
_LEVELS = (
    *((_EASY, 1, 10), (_EASY, 1, 100), (_EASY, 10, 100), (_HARD, 100, 1_000)),
    *((_HARD, 1_000, 10**7), (_WIDE, 1_000, 10**7), (_WIDE, 10**6, 10**14)),
)
"""Ranges, and the smallest and the largest answer of each level."""
_MOST_EXPONENT = _MOST_POWER = 8


@dataclass(frozen=True)
class Root:
    """One question.

    Attributes:
        kind: index of the subtype.
        k, offset: the polynomial n^k + offset.
        power: of the prime, where it is chosen.
        lifted: of the prime, where the root is looked for.
        modulus: of the prime, 1 for any.
        prime: the prime itself.
    """

    kind: int
    k: int
    offset: int
    power: int
    lifted: int
    modulus: int
    prime: int

    @property
    def all(self) -> tuple[int, ...]:
        """All roots from 1 to the modulus."""
        found = roots(self.k, self.offset, self.prime, self.lifted)
        return tuple(sorted(n or self.prime**self.lifted for n in found))


@dataclass(frozen=True)
class NumbertheoryLteQr(ListedFamily):
    """Six questions about n^k + o and powers of primes.

    Attributes:
        levels: of difficulty, 1 to 7; none stand for all. The answers lie in 1-10, 1-100, 10-100,
            100-1,000, 1,000-10^7, 1,000-10^7 and 10^6-10^14; exponents and powers go up to 6, from
            level 6 on to 8, and offsets from -2 to 2, then from -9 to 9. A problem of several
            chosen levels is dealt to one of them.
        repeats: addresses for each problem, to see it in other wordings.
    """

    version: ClassVar[int] = 1
    verifier: ClassVar[str] = "numbertheory_lte_qr"
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    wordings: ClassVar[int] = 4
    variants: ClassVar[int] = 1
    subtypes: ClassVar[tuple[str, ...]] = _NAMES
    symbols: ClassVar[Mapping[str, int]] = {
        "least_root": 3,
        "lifted_root": 4,
        "largest_root": 4,
        "root_of_minus_one": 3,
        "n_roots": 3,
        "n_roots_plus_least": 3,
    }

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """The exponents."""
        return {
            "root_exponent": Axis("exponent of the unknown", low=1, high=_MOST_EXPONENT),
            "prime_power": Axis("power of the prime in question", low=1, high=_MOST_POWER),
        }

    def list_level(self, level: int) -> Iterator[Made]:
        """Make every question whose answer exists and lies between the level's limits."""
        ranges, low, high = _LEVELS[level - 1]
        for root in _questions(ranges):
            found = root.all
            if found and low <= (answer := _answer(root, found)) <= high:
                axes = {"root_exponent": root.k, "prime_power": root.lifted}
                yield Made(_tree(root), str(answer), root, subtype=root.kind, axes=axes)

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Put the question."""
        del draws
        root = made.facts
        prime = str(root.prime) if root.kind in (_NUMBER, _NUMBER_PLUS) else "p"
        names = {name: _power(name, root.k) for name in "nmx"}
        names |= {f"f{name}": _sum(power, root.offset) for name, power in names.items()}
        powers = {"pe": _power(prime, root.power), "pf": _power(prime, root.lifted)}
        return WORDINGS[_NAMES[root.kind]][wording].format(**names, **powers, q=root.modulus)

    def steps(self, made: Made) -> str:
        """Try the primes in turn, and test the root."""
        root, found = made.facts, made.facts.all
        modulus = root.prime**root.lifted
        if root.kind in (_NUMBER, _NUMBER_PLUS):
            lines = [f"roots modulo {modulus}: {', '.join(map(str, found))}"]
            if root.kind == _NUMBER:
                return "\n".join([*lines, f"number: {made.answer}"])
            return "\n".join([*lines, f"{len(found)} + {found[0]} = {made.answer}"])
        lines = [
            f"p = {prime}: no root modulo {prime**root.power}"
            for prime in primes()
            if prime < root.prime and prime % root.modulus == 1 % root.modulus
        ]
        first = roots(root.k, root.offset, root.prime, root.power)[0]
        lines.append(f"p = {root.prime}: root {first} modulo {root.prime**root.power}")
        value = int(made.answer) ** root.k + root.offset
        lines.append(f"roots modulo {modulus}: {', '.join(map(str, found))}")
        lines.append(f"{_sum(_power(made.answer, root.k), root.offset)} = {value}")
        lines.append(f"{value} = {modulus} * {value // modulus}")
        return "\n".join(lines)


def _questions(ranges: Ranges) -> Iterator[Root]:
    """Yield every question of the given ranges whose prime exists, none twice."""
    offsets = range(-ranges.offset, ranges.offset + 1)
    plain = {(k, e) for k in _through(ranges.exponents) for e in _through(ranges.powers)}
    others = {
        (k, e) for k in _through(ranges.other_exponents) for e in _through(ranges.other_powers)
    }
    for k, e in sorted(plain | others):
        for offset in offsets:
            prime = least_prime(k, offset, e)
            if prime and offset != -1:  # where 1 is a root of everything
                yield Root(_LEAST, k, offset, e, e, 1, prime)
            if not prime or not offset or (k, e) not in plain:
                continue
            for lifted in range(e, ranges.powers[1] + 1):
                yield Root(_LARGEST, k, offset, e, lifted, 1, prime)
                if lifted > e and offset != -1:
                    yield Root(_LIFTED, k, offset, e, lifted, 1, prime)
    for k, e in sorted(others):
        for modulus in _through(ranges.moduli):
            prime = least_prime(k, 1, e, modulus)
            if prime:
                yield Root(_CLASS, k, 1, e, e, modulus, prime)
    for prime in primes():
        for e in _through(ranges.given_powers):
            for k in _through(ranges.given_exponents):
                if prime < ranges.prime:
                    yield Root(_NUMBER, k, 1, e, e, 1, prime)
                    yield Root(_NUMBER_PLUS, k, 1, e, e, 1, prime)


def _through(limits: tuple[int, int]) -> range:
    return range(limits[0], limits[1] + 1)


def _answer(root: Root, found: tuple[int, ...]) -> int:
    if root.kind == _LARGEST:
        return found[-1]
    if root.kind == _NUMBER:
        return len(found)
    return found[0] + (len(found) if root.kind == _NUMBER_PLUS else 0)


def _tree(root: Root) -> tuple[str | int, ...]:
    name = _NAMES[root.kind]
    if root.kind == _LEAST:
        return name, root.k, root.offset, root.power
    if root.kind in (_LIFTED, _LARGEST):
        return name, root.k, root.offset, root.power, root.lifted
    return name, root.modulus if root.kind == _CLASS else root.prime, root.k, root.power


def _power(base: str, exponent: int) -> str:
    return base if exponent == 1 else f"{base}^{exponent}"


def _sum(power: str, offset: int) -> str:
    return f"{power} {'+' if offset > 0 else '-'} {abs(offset)}" if offset else power


GENERATOR = NumbertheoryLteQr
