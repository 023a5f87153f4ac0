"""Number theory: roots lifted digit by digit, and products of counting polynomials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import gcd
from typing import ClassVar, NamedTuple

from flint import fmpz, fmpz_poly

from synthgen.authoring import LevelledListedFamily, Problem, RowDraws, Tree, Words, axis
from synthgen.families.omega.number_theory.digits import NumbertheoryQrSum

_WORDS = Words.beside(__file__)
Range = tuple[int, int]


def _through(limits: Range) -> range:
    return range(limits[0], limits[1] + 1)


def _power(base: str, exponent: int) -> str:
    return base if exponent == 1 else f"{base}^{exponent}"


# --- numbertheory_lte_qr ---

_LARGEST_PRIME = 5_000


class _Ranges(NamedTuple):
    """Parameters of some levels: exponents k, powers of the prime, the offset's magnitude.

    Questions about congruences have other exponents and powers and a modulus of the prime, or a
    prime below `prime`, whose powers and exponents k are given last.
    """

    exponents: Range
    powers: Range
    offset: int
    other_exponents: Range
    other_powers: Range
    moduli: Range
    prime: int
    given_powers: Range
    given_exponents: Range


_EASY = _Ranges((2, 5), (1, 5), 2, (2, 6), (2, 4), (2, 9), 40, (1, 4), (2, 4))
_HARD = _Ranges((2, 6), (2, 6), 2, (2, 7), (2, 4), (2, 9), 60, (2, 5), (2, 5))
_WIDE = _Ranges((2, 8), (2, 7), 9, (2, 8), (2, 6), (2, 20), 100, (2, 6), (2, 8))


class _Root(NamedTuple):
    """One question about n^k + offset, a power of a prime p = 1 (mod `modulus`), and p^lifted."""

    kind: str
    k: int
    offset: int
    power: int
    lifted: int
    modulus: int
    prime: int

    @property
    def tree(self) -> Tree:
        """The canonical parameters of the kind."""
        if self.kind == "least_root":
            return self.kind, self.k, self.offset, self.power
        if self.kind in ("lifted_root", "largest_root"):
            return self.kind, self.k, self.offset, self.power, self.lifted
        given = self.modulus if self.kind == "root_of_minus_one" else self.prime
        return self.kind, given, self.k, self.power

    @property
    def all(self) -> list[int]:
        """All roots from 1 to the modulus."""
        roots = _roots(self.k, self.offset, self.prime, self.lifted)
        return sorted(n or self.prime**self.lifted for n in roots)


@dataclass(frozen=True)
class NumbertheoryLteQr(LevelledListedFamily):
    """Six kinds of question about n^k + o and powers of primes.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all. The answers lie in 1-10, 1-100,
            10-100, 100-1,000, 1,000-10^7, 1,000-10^7 and 10^6-10^14; exponents and powers go up to
            6, from level 6 on to 8, and offsets from -2 to 2, then from -9 to 9. A problem of
            several chosen levels is dealt to one of them.
        repeats: Addresses for each problem, to see it in other wordings.
    """

    version = 3
    verifier = "numbertheory_lte_qr"
    domain = "omega"
    words = _WORDS.part("lte_qr")
    symbols = {kind: 4 if kind in ("lifted_root", "largest_root") else 3 for kind in words.kinds}
    own_axes = {
        "root_exponent": axis("exponent of the unknown", 2, 8),
        "prime_power": axis("power of the prime in question", 1, 8),
    }
    n_levels = 7
    ranges: ClassVar[tuple[tuple[_Ranges, int, int], ...]] = (
        *((_EASY, 1, 10), (_EASY, 1, 100), (_EASY, 10, 100), (_HARD, 100, 1_000)),
        *((_HARD, 1_000, 10**7), (_WIDE, 1_000, 10**7), (_WIDE, 10**6, 10**14)),
    )
    """Ranges, and the smallest and the largest answer of each level."""

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield every question whose answer exists and lies between the level's limits."""
        ranges, low, high = self.ranges[level - 1]
        for root in _questions(ranges):
            roots = root.all
            if roots and low <= (answer := _answer(root, roots)) <= high:
                axes = {"root_exponent": root.k, "prime_power": root.lifted}
                yield Problem(root.tree, str(answer), kind=root.kind, axes=axes, data=root)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose the name of the unknown."""
        root, x = problem.data, draws.choice("mnx")
        prime = str(root.prime) if root.kind.startswith("n_roots") else "p"
        power = _power(x, root.k)
        return {
            "x": x,
            "power": power,
            "f": _sum(power, root.offset),
            "pe": _power(prime, root.power),
            "pf": _power(prime, root.lifted),
            "q": root.modulus,
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Try the primes in turn, lift the roots power by power, and test the answer."""
        root, answer = problem.data, problem.answer
        all_roots, modulus, roots = root.all, root.prime**root.lifted, []
        for power in range(1, root.lifted + 1):
            lifted = root._replace(lifted=power)
            roots.append(f"roots modulo {root.prime**power}: {', '.join(map(str, lifted.all))}")
        if root.kind == "n_roots":
            return [*roots, f"number of roots: {answer}"]
        if root.kind == "n_roots_plus_least":
            return [*roots, f"{len(all_roots)} + {all_roots[0]} = {answer}"]
        lines = [
            f"p = {prime}: no root modulo {prime**root.power}"
            for prime in _primes()
            if prime < root.prime and prime % root.modulus == 1 % root.modulus
        ]
        first = _roots(root.k, root.offset, root.prime, root.power)[0]
        lines.append(f"p = {root.prime}: {first} is a root modulo {root.prime**root.power}")
        value = int(answer) ** root.k + root.offset
        lines += [*roots, f"{_sum(_power(answer, root.k), root.offset)} = {value}"]
        return [*lines, f"{value} = {modulus} * {value // modulus}"]


def _sum(power: str, offset: int) -> str:
    return f"{power} {'+' if offset > 0 else '-'} {abs(offset)}" if offset else power


def _questions(ranges: _Ranges) -> Iterator[_Root]:
    """Yield every question of the given ranges whose prime exists, none twice."""
    plain = set(product(_through(ranges.exponents), _through(ranges.powers)))
    others = set(product(_through(ranges.other_exponents), _through(ranges.other_powers)))
    for k, e in sorted(plain | others):
        for offset in range(-ranges.offset, ranges.offset + 1):
            prime = _least_prime(k, offset, e)
            if prime and offset != -1:  # where 1 is a root of everything
                yield _Root("least_root", k, offset, e, e, 1, prime)
            if not prime or not offset or (k, e) not in plain:
                continue
            for lifted in range(e, ranges.powers[1] + 1):
                yield _Root("largest_root", k, offset, e, lifted, 1, prime)
                if lifted > e and offset != -1:
                    yield _Root("lifted_root", k, offset, e, lifted, 1, prime)
    for k, e in sorted(others):
        for modulus in _through(ranges.moduli):
            prime = _least_prime(k, 1, e, modulus)
            if prime:
                yield _Root("root_of_minus_one", k, 1, e, e, modulus, prime)
    for prime in _primes():
        if prime < ranges.prime:
            for e, k in product(_through(ranges.given_powers), _through(ranges.given_exponents)):
                yield _Root("n_roots", k, 1, e, e, 1, prime)
                yield _Root("n_roots_plus_least", k, 1, e, e, 1, prime)


def _answer(root: _Root, roots: list[int]) -> int:
    if root.kind == "largest_root":
        return roots[-1]
    if root.kind == "n_roots":
        return len(roots)
    return roots[0] + (len(roots) if root.kind == "n_roots_plus_least" else 0)


@cache
def _primes() -> list[int]:
    return [n for n in range(2, _LARGEST_PRIME) if fmpz(n).is_prime()]


@cache
def _roots(k: int, offset: int, prime: int, power: int) -> list[int]:
    """Return all n from 0 below prime^power with n^k + offset divisible by it, in order.

    Each root is one of the `prime` numbers that lie over a root one power below.
    """
    below = [0] if power == 1 else _roots(k, offset, prime, power - 1)
    step, modulus = prime ** (power - 1), prime**power
    over = (low + digit * step for low in below for digit in range(prime))
    return sorted(n for n in over if (pow(n, k, modulus) + offset) % modulus == 0)


@cache
def _least_prime(k: int, offset: int, power: int, modulus: int = 1) -> int | None:
    """Return the least prime p = 1 (mod `modulus`) such that n^k + offset has a root mod p^power.

    By Euler's criterion, primes modulo which -offset is not a k-th power are left out.
    """
    for prime in _primes():
        if prime % modulus == 1 % modulus:
            euler = pow(-offset, (prime - 1) // gcd(k, prime - 1), prime)
            if euler in (0, 1) and _roots(k, offset, prime, power):
                return prime
    return None


# --- numbertheory_ordered_lte ---

_NAMES = ("xyzwv", "abcde", "uvwxy", "pqrst")
_TUPLES = ("", "", "pairs", "triples", "quadruples", "quintuples")


class _Choice(NamedTuple):
    """Parameters of one part of a level: bases b, i in the bound b^i, j in the modulus b^j.

    Coefficients have magnitudes up to `most`; of coprime unknowns they can be zero.
    """

    bases: tuple[int, ...]
    sizes: Range
    powers: Range
    terms: int
    most: int = 4
    coprime: bool = False


class _Count(NamedTuple):
    """One question: base b, bound b^size, modulus b^power, coefficients in order."""

    base: int
    size: int
    power: int
    coefficients: tuple[int, ...]
    coprime: bool

    @property
    def ring(self) -> tuple[int, int, int]:
        """Exponent, bound and modulus."""
        return self.base, self.base**self.size, self.base**self.power

    @property
    def number(self) -> int:
        """The number of tuples."""
        if self.coprime:
            return sum(many for _, many in _signed(self.coefficients, self.ring))
        return _vanishing(self.coefficients, self.ring)


_SMALL, _LONG = ((2, 3), (2, 3), (2, 3)), ((3, 4), (3, 4), (2, 3))
_USUAL, _LARGE = ((3, 4), (2, 3), (2, 3)), ((3, 4, 6), (2, 3), (2, 3))


@dataclass(frozen=True)
class NumbertheoryOrderedLte(LevelledListedFamily):
    """Number of tuples of integers up to b^i with a sum of c * x^b divisible by b^j, mod 1,000.

    Attributes:
        levels: Difficulty levels, 1 to 7; an empty list means all. They have 1-2, 1-2, 2-3, 3-4, 4,
            4 or 5 unknowns, from level 5 on also 3 unknowns with greatest common divisor one, bases
            2-3, 3-4, then also 6, and coefficients of magnitude up to 4, 5 or 3. Answers lie in
            1-10, 1-100, 10-100 and 100-999, and from level 5 on the number of tuples is at least
            1,000. A problem of several chosen levels is dealt to one of them. Of congruences that
            differ by a unit factor, such as a sign, only the simplest is a problem.
        repeats: Addresses for each problem, to see it in other wordings and orders of terms.
    """

    version = 4
    verifier = "numbertheory_ordered_lte"
    domain = "omega"
    words = _WORDS.part("ordered_lte")
    symbols = {"plain": 4, "coprime": 4} | {f"terms{n}": n for n in range(1, 6)}
    own_axes = {
        "power_base": axis("base b of bound, exponent and modulus", 2, 6),
        "n_unknowns": axis("unknowns", 1, 5),
    }
    n_levels = 7
    parts: ClassVar[tuple[tuple[tuple[_Choice, ...], int, int | None], ...]] = (
        ((_Choice(*_SMALL, 1), _Choice(*_SMALL, 2)), 1, 10),
        ((_Choice(*_LONG, 1), _Choice(*_LONG, 2)), 1, 100),
        ((_Choice(*_USUAL, 2), _Choice(*_USUAL, 3)), 10, 100),
        ((_Choice(*_USUAL, 3), _Choice(*_USUAL, 4)), 100, 999),
        ((_Choice(*_USUAL, 4), _Choice(*_USUAL, 3, most=1, coprime=True)), 1_000, None),
        ((_Choice(*_LARGE, 4, most=5), _Choice(*_USUAL, 3, most=2, coprime=True)), 1_000, None),
        ((_Choice(*_LARGE, 5, most=3), _Choice(*_USUAL, 3, most=3, coprime=True)), 1_000, None),
    )
    """Parts of each level, and the smallest and the largest answer; without a largest one, the
    smallest number of tuples."""

    def problems_at(self, level: int) -> Iterator[Problem]:
        """Yield every question whose answer lies between the level's limits."""
        choices, low, high = self.parts[level - 1]
        for count in (one for choice in choices for one in _counts(choice)):
            number = count.number
            answer = number % 1_000
            if low <= (number if high is None else answer) <= (high or number):
                n, kind = len(count.coefficients), self.words.kinds[count.coprime]
                terms: Tree = (f"terms{n}", *count.coefficients)
                yield Problem(
                    (kind, count.base, count.size, count.power, terms),
                    str(answer),
                    kind=kind,
                    axes={"power_base": count.base, "n_unknowns": n},
                    data=count,
                )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Choose names of the unknowns, and shuffle the terms."""
        count = problem.data
        base, n = count.base, len(count.coefficients)
        names = draws.choice(_NAMES)[:n]
        unknowns = f"positive integers {names}"
        if n > 1:
            unknowns = f"ordered {_TUPLES[n]} ({', '.join(names)}) of positive integers"
        coefficients = draws.shuffled(count.coefficients) if n > 1 else count.coefficients
        return {
            "unknowns": unknowns,
            "sum": _terms(coefficients, names, base),
            "bound": f"{base}^{count.size}",
            "modulus": f"{base}^{count.power}",
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Count residues term by term, or the tuples by common divisors."""
        count, lines = problem.data, []
        coefficients, (exponent, bound, modulus) = count.coefficients, count.ring
        if count.coprime:
            lines.append("triples of multiples of d, with the sign of Moebius's function:")
            lines += (f"d = {d}: {many}" for d, many in _signed(coefficients, count.ring))
        else:
            lines.append("residues, each with the number of its occurrences:")
            total = fmpz_poly([1])
            for place, coefficient in enumerate(coefficients):
                own = _spread(coefficient, exponent, bound, modulus)
                total *= own
                lines.append(f"coefficient {coefficient}: {_residues(own, modulus)}")
                if 0 < place < len(coefficients) - 1:
                    lines.append(f"first {place + 1} terms: {_residues(total, modulus)}")
        number = count.number
        return [*lines, f"N = {number}", f"{number} = 1000 * {number // 1_000} + {number % 1_000}"]


def _terms(coefficients: Sequence[int], names: str, exponent: int) -> str:
    """Write the sum; a term with coefficient zero is left out."""
    text = ""
    for coefficient, name in zip(coefficients, names, strict=True):
        if coefficient:
            sign = "-" if coefficient < 0 else "+"
            sign = f" {sign} " if text else sign.removeprefix("+")
            size = "" if abs(coefficient) == 1 else f"{abs(coefficient)}*"
            text += f"{sign}{size}{name}^{exponent}"
    return text


def _counts(choice: _Choice) -> Iterator[_Count]:
    """Yield the questions of one part of a level, each in its simplest form.

    If the base divides all coefficients, the congruence is one modulo a lower power.
    """
    values = [c for c in range(-choice.most, choice.most + 1) if c or choice.coprime]
    rings = product(choice.bases, _through(choice.sizes), _through(choice.powers))
    for base, size, power in rings:
        for coefficients in combinations_with_replacement(
            values if choice.terms > 1 else [1], choice.terms
        ):
            modulus = base**power
            if any(c % base for c in coefficients) and _is_simplest(coefficients, modulus):
                yield _Count(base, size, power, coefficients, choice.coprime)


def _is_simplest(coefficients: tuple[int, ...], modulus: int) -> bool:
    """Return whether no multiple by a unit has smaller, fewer negative or lower coefficients.

    Such congruences have the same solutions up to the order of the unknowns; -1 is one of the
    units, and coefficients count modulo the modulus.
    """
    own, most = _rank(coefficients), max(map(abs, coefficients))
    first = next(filter(None, coefficients))
    return all(
        _rank([_centred(unit * c, modulus) for c in coefficients]) >= own
        for unit in _units(first, modulus, most)
    )


def _rank(coefficients: Sequence[int]) -> tuple[int, int, int, list[int]]:
    sizes = [abs(c) for c in coefficients]
    return max(sizes), sum(sizes), sum(c < 0 for c in coefficients), sorted(coefficients)


def _centred(value: int, modulus: int) -> int:
    """Return the residue of least magnitude, positive in a tie."""
    return modulus // 2 - (modulus // 2 - value) % modulus


@cache
def _units(coefficient: int, modulus: int, most: int) -> list[int]:
    """Return the units that leave a coefficient with a magnitude up to `most`."""
    units = (u for u in range(1, modulus) if gcd(u, modulus) == 1)
    return [u for u in units if abs(_centred(u * coefficient, modulus)) <= most]


@lru_cache(maxsize=1 << 12)
def _spread(coefficient: int, exponent: int, bound: int, modulus: int, scale: int = 1) -> fmpz_poly:
    """Count x from 1 to `bound` by the residue of coefficient * (scale * x)^exponent."""
    counts = [0] * modulus
    for x in range(1, bound + 1):
        counts[coefficient * pow(scale * x, exponent, modulus) % modulus] += 1
    return fmpz_poly(counts)


def _vanishing(coefficients: Sequence[int], ring: tuple[int, int, int], scale: int = 1) -> int:
    """Count the tuples with entries from 1 to the bound, times `scale`, whose sum vanishes."""
    exponent, bound, modulus = ring
    sums = fmpz_poly([1])
    for coefficient in coefficients:
        sums *= _spread(coefficient, exponent, bound, modulus, scale)
    return int(sum(sums[place] for place in range(0, len(coefficients) * modulus, modulus)))


def _residues(sums: fmpz_poly, modulus: int) -> str:
    """List the residues that occur, each with the number of its occurrences."""
    counts = [0] * modulus
    for place, many in enumerate(sums):
        counts[place % modulus] += int(many)
    return ", ".join(f"{residue} ({many})" for residue, many in enumerate(counts) if many)


@lru_cache(maxsize=1 << 12)
def _signed(coefficients: tuple[int, ...], ring: tuple[int, int, int]) -> list[tuple[int, int]]:
    """Count the tuples whose greatest common divisor is a multiple of d, with Moebius's sign.

    Returns:
        Squarefree d and its signed number of tuples, for each d with any; the sum counts the tuples
        with greatest common divisor one.
    """
    exponent, bound, modulus = ring
    signed = []
    for divisor in range(1, bound + 1):
        sign = int(fmpz(divisor).moebius_mu())
        scaled = (exponent, bound // divisor, modulus)
        many = _vanishing(coefficients, scaled, divisor % modulus) if sign else 0
        if many:
            signed.append((divisor, sign * many))
    return signed


GENERATORS = {
    "numbertheory_lte_qr": NumbertheoryLteQr,
    "numbertheory_ordered_lte": NumbertheoryOrderedLte,
    "numbertheory_qr_sum": NumbertheoryQrSum,
}
