"""Compiled arguments about all, some, most and a few; see `_check_logic_quantified`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_logic_kernel_formula import Formulas, first_stem
from synthgen.verifiers.skillmix._check_logic_kernel_known import (
    ALL,
    AMONG,
    BE,
    BELONG,
    IS,
    MOST,
    NO,
    OF,
    ONE,
    ONE_STEM,
    SOME,
    TO,
    Known,
)
from synthgen.verifiers.skillmix._check_logic_kernel_rules import (
    CATEGORICAL,
    HASTY,
    STATISTICAL,
    UNDISTRIBUTED,
)
from synthgen.verifiers.skillmix._check_logic_kernel_share import (
    BODY,
    MEMBERS,
    N_SHARE_COLUMNS,
    POSITIVE,
    SHARE,
)
from synthgen.verifiers.skillmix._check_logic_kernel_told import FORMULA, Told
from synthgen.verifiers.skillmix._check_logic_quantified import MOST_INSTANCES
from synthgen.verifiers.skillmix._text_table import Ints

_A, _E, _I, _O = range(4)
_NO_LETTER = -1
_MEMBERSHIP = np.array([[BE, ONE_STEM, OF], [BE, AMONG, 0], [BELONG, TO, 0], [BE, 0, 0]], np.int64)
_LENGTHS = np.array([3, 2, 2, 1], np.int64)


class Terms(NamedTuple):
    """Room for the terms of three statements, two for each.

    Attributes:
        letters: of the statements.
        spans: of the terms, as places of stems.
        names: numbers of the terms, the same for the same ones.
        uses: how often each of them occurs.
        copulas: whether each statement has one.
    """

    letters: Ints
    spans: Ints
    names: Ints
    uses: Ints
    copulas: Ints


@njit(cache=True, nogil=True)
def no_terms() -> Terms:
    """Return the room."""
    return Terms(
        np.empty(3, np.int64),
        np.empty((6, 2), np.int64),
        np.empty(6, np.int64),
        np.empty(6, np.int64),
        np.empty(3, np.int64),
    )


@lent
def rules_of_sets(
    told: Told, premises: Ints, end: int, formulas: Formulas, known: Known, terms: Terms
) -> int:
    """Return the rules about shares of sets that an argument follows."""
    n = 0
    for premise in premises:
        if formulas.nodes[told.rows[premise, FORMULA], 0] == IS:
            for column in range(N_SHARE_COLUMNS):
                told.given[n, column] = told.shares[premise, column]
            n += 1
    shares, last = told.given[:n], told.shares[end]
    found = STATISTICAL if _statistical(shares, last, formulas) else 0
    if _hasty(shares, last):
        found |= HASTY
    if formulas.nodes[told.rows[end, FORMULA], 0] == IS and _letter(last) != _NO_LETTER:
        found |= _syllogisms(shares, last, formulas, known, terms)
    return found


@lent
def _letter(row: Ints) -> int:
    """Return A, E, I or O, or none for other shares; an individual is a set of one."""
    positive = row[POSITIVE] == 1
    if row[SHARE] == ALL or row[SHARE] == ONE:
        return _A if positive else _E
    if row[SHARE] == NO:
        return _E if positive else _A
    if row[SHARE] == SOME:
        return _I if positive else _O
    return _NO_LETTER


@lent
def _hasty(shares: Ints, end: Ints) -> bool:
    """One or two F are G, three at most; so all F are G."""
    if end[SHARE] != ALL and end[SHARE] != NO:
        return False
    positive = (end[POSITIVE] == 1) == (end[SHARE] == ALL)
    count = 0
    for one in shares:
        if one[BODY] != end[BODY]:
            continue
        if one[SHARE] in (ALL, NO, MOST):
            return False
        if one[SHARE] == ONE and (one[POSITIVE] == 1) == positive:
            count += one[MEMBERS]
    return 0 < count <= MOST_INSTANCES


@lent
def _statistical(shares: Ints, end: Ints, formulas: Formulas) -> bool:
    """Most F are G; a is an F; so a is probably G."""
    if end[SHARE] != ONE:
        return False
    for rule in shares:
        if rule[SHARE] != MOST or rule[POSITIVE] != end[POSITIVE]:
            continue
        for fact in shares:
            if fact[SHARE] != ONE or fact[POSITIVE] != 1:
                continue
            for phrase in range(len(_LENGTHS)):
                if _applies(phrase, rule[BODY], fact[BODY], end[BODY], formulas):
                    return True
    return False


@lent
def _applies(phrase: int, rule: int, fact: int, end: int, formulas: Formulas) -> bool:
    """Say whether a rule about F, and that a is an F, give the rule's predicate to a.

    The phrase parts a from F where it comes first, with something on either side.
    """
    length = _LENGTHS[phrase]
    start, stop = first_stem(formulas, fact), formulas.bodies[fact]
    at = start + 1
    while at + length < stop and not _same(formulas.stems, at, _MEMBERSHIP[phrase], 0, length):
        at += 1
    if at + length >= stop:
        return False
    group, n = at + length, stop - at - length
    first, last = first_stem(formulas, rule), formulas.bodies[rule]
    if last - first <= n or not _same(formulas.stems, first, formulas.stems, group, n):
        return False
    begin, n_individual, n_told = first_stem(formulas, end), at - start, last - first - n
    return (
        formulas.bodies[end] - begin == n_individual + n_told
        and _same(formulas.stems, begin, formulas.stems, start, n_individual)
        and _same(formulas.stems, begin + n_individual, formulas.stems, first + n, n_told)
    )


@lent
def _same(stems: Ints, one: int, others: Ints, other: int, n: int) -> bool:
    for at in range(n):
        if stems[one + at] != others[other + at]:
            return False
    return True


@lent
def _syllogisms(shares: Ints, end: Ints, formulas: Formulas, known: Known, terms: Terms) -> int:
    """Look at the pairs of premises that share three terms with the conclusion."""
    found = 0
    letters, names = terms.letters, terms.names
    letters[2] = _letter(end)
    for at in range(len(shares)):
        letters[0] = _letter(shares[at])
        if letters[0] == _NO_LETTER or shares[at, BODY] == end[BODY]:
            continue
        for other in range(at + 1, len(shares)):
            letters[1] = _letter(shares[other])
            if letters[1] == _NO_LETTER or shares[other, BODY] == end[BODY]:
                continue
            if shares[at, SHARE] == ONE and shares[other, SHARE] == ONE:
                continue
            bodies = (shares[at, BODY], shares[other, BODY], end[BODY])
            _split(bodies, terms, formulas)
            if not _number_terms(terms, formulas.stems):
                continue
            both = _follows(letters, names, True, True, known)
            if (
                both
                and not _follows(letters, names, True, False, known)
                and not _follows(letters, names, False, True, known)
            ):
                found |= CATEGORICAL
            same = names[1] == names[3] and letters[0] == letters[1] == letters[2] == _A
            if same and not both:
                found |= UNDISTRIBUTED
    return found


@lent
def _split(bodies: tuple[int, int, int], terms: Terms, formulas: Formulas) -> None:
    """Split statements into subject and predicate, as places of stems.

    The copula parts them; without one, the subject is the longest one known from the others, or
    else one word.
    """
    stems, spans, copulas = formulas.stems, terms.spans, terms.copulas
    for at in range(3):
        copulas[at] = 0
        start, stop = first_stem(formulas, bodies[at]), formulas.bodies[bodies[at]]
        for place in range(start + 1, stop - 1):
            if stems[place] == BE:
                spans[2 * at, 0], spans[2 * at, 1] = start, place
                spans[2 * at + 1, 0], spans[2 * at + 1, 1] = place + 1, stop
                copulas[at] = 1
                break
    for at in range(3):
        if copulas[at]:
            continue
        start, stop = first_stem(formulas, bodies[at]), formulas.bodies[bodies[at]]
        n = min(1, stop - start)
        for term in range(6):
            length = spans[term, 1] - spans[term, 0]
            if (
                copulas[term // 2]
                and n <= length < stop - start
                and _same(stems, start, stems, spans[term, 0], length)
            ):
                n = length
        spans[2 * at, 0], spans[2 * at, 1] = start, start + n
        spans[2 * at + 1, 0], spans[2 * at + 1, 1] = start + n, stop


@lent
def _number_terms(terms: Terms, stems: Ints) -> bool:
    """Number the terms; say whether there are three, each of them used twice."""
    spans, names, uses = terms.spans, terms.names, terms.uses
    n = 0
    for at in range(6):
        uses[at] = 0
        names[at] = n
        for before in range(at):
            length = spans[at, 1] - spans[at, 0]
            if spans[before, 1] - spans[before, 0] == length and _same(
                stems, spans[at, 0], stems, spans[before, 0], length
            ):
                names[at] = names[before]
                break
        if names[at] == n:
            n += 1
        uses[names[at]] += 1
    return n == 3 and uses[0] == 2 and uses[1] == 2


@lent
def _follows(letters: Ints, names: Ints, first: bool, second: bool, known: Known) -> bool:  # noqa: FBT001
    """Say whether no model has true premises, one or both of two, and a false conclusion."""
    end = known.models[letters[2], names[4], names[5]]
    one = known.models[letters[0], names[0], names[1]]
    other = known.models[letters[1], names[2], names[3]]
    for word in range(4):
        value = ~end[word]
        if first:
            value &= one[word]
        if second:
            value &= other[word]
        if value != np.uint64(0):
            return False
    return True
