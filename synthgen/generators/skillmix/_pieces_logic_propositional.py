"""Arguments from conditionals and choices, told in one sentence."""

from __future__ import annotations

from collections.abc import Callable

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic
from synthgen.generators.skillmix._piece import Parts, Piece
from synthgen.generators.skillmix._pieces_logic_words import (
    ANY,
    DENIABLE,
    Chooser,
    Statement,
    deny,
)

Make = Callable[[RowDraws, Topic], Parts | None]
Tell = Callable[[Parts, int, bool], str]

# In all templates: {a} and {b} are statements, {m} the second premise, {e} the conclusion.
_PONENS = (
    "if {a}, {b}; {m}; so {b}",
    "{m}; if {a}, then {b}; therefore {b}",
    "whenever {a}, {b}; today {m}; hence {b}",
    "{b} if {a}; as it happens, {m}; thus {b}",
    "{a} only if {b}; {m}; it follows that {b}",
    "{m}; {b} whenever {a}; so {b}",
    "{b}, because {m}; and {b} if {a}",
    "since {m}, and since {b} if {a}, {b}",
)
_DENYING = (
    "if {a}, {b}; {m}; so {e}",
    "if {a}, then {b}; as it happens, {m}; therefore {e}",
    "{m}; if {a}, {b}; hence {e}",
    "{a} only if {b}; {m}; it follows that {e}",
    "whenever {a}, {b}; today {m}; thus {e}",
    "{b} whenever {a}; we see that {m}; so {e}",
    "{e}, because {m}; and {b} if {a}",
    "since {m}, and since {a} only if {b}, {e}",
)
_AFFIRMING = (
    "if {a}, then {b}; we see that {m}; so {a}",
    "{m}; if {a}, {b}; therefore {a}",
    "{b} if {a}; {m}; hence {a}",
    "{a} only if {b}; {m}; it follows that {a}",
    "whenever {a}, {b}; right now, {m}; thus {a}",
    "{b} whenever {a}; and {m}; so {a}",
    "{a}, because {m}; and {b} if {a}",
    "since {m}, and since {b} if {a}, {a}",
)
_HYPOTHETICAL = (
    "if {a}, {b}; if {m}, {c}; so if {a}, {c}",
    "whenever {a}, {b}; whenever {m}, {c}; so whenever {a}, {c}",
    "{b} if {a}; {c} if {m}; hence {c} if {a}",
    "{a} only if {b}; {m} only if {c}; therefore {a} only if {c}",
    "if {m}, then {c}; if {a}, then {b}; thus if {a}, then {c}",
    "{c} when {m}; {b} when {a}; it follows that {c} when {a}",
    "if {a}, {b}; and {m} only if {c}; so if {a}, {c}",
    "we know that if {a}, {b}; we also know that if {m}, {c}; consequently if {a}, {c}",
)
_DISJUNCTIVE = (
    "either {a} or {b}; {m}; so {b}",
    "{m}; either {a} or {b}; therefore {b}",
    "either {b} or {a}; as it happens, {m}; hence {b}",
    "we know that either {a} or {b}; {m}; it follows that {b}",
    "{b}, because either {a} or {b}; and {m}",
    "since either {a} or {b}, and since {m}, {b}",
    "{a} or {b}; today {m}; thus {b}",
    "either {b} or {a}; we see that {m}; we may conclude that {b}",
)
_MORGAN = (  # {n} is the first denial, {m} the second
    "it is not true that both {a} and {b}; so either {n} or {m}",
    "it is not true that either {a} or {b}; so {n} and {m}",
    "either {n} or {m}; hence it is not true that both {a} and {b}",
    "{n} and {m}; it follows that it is not true that either {a} or {b}",
    "it is false that both {a} and {b}; it follows that either {n} or {m}",
    "it cannot be true that both {a} and {b}; therefore {n} or {m}",
    "it is not the case that either {a} or {b}; thus {n} and {m}",
    "either {n} or {m}, because it is not true that both {a} and {b}",
)


def _make(kinds: tuple[Statement, ...], n: int, spare: int) -> Make:
    """Return a maker of n statements of different kinds and one more of kind number `spare`."""

    def make(draws: RowDraws, topic: Topic) -> Parts | None:
        try:
            return tuple(Chooser(draws, topic).statements(kinds, n, (spare,)))
        except LookupError:
            return None

    return make


def _ponens(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001 - by the contract
    a, b, spare = parts
    return _PONENS[wording].format(a=a, b=b, m=spare if broken else a)


def _tollens(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    a, b, spare = parts
    return _DENYING[wording].format(a=a, b=b, m=deny(spare if broken else b), e=deny(a))


def _hypothetical(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    a, b, c, spare = parts
    return _HYPOTHETICAL[wording].format(a=a, b=b, c=c, m=spare if broken else b)


def _disjunctive(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    a, b, spare = parts
    return _DISJUNCTIVE[wording].format(a=a, b=b, m=deny(spare if broken else a))


def _morgan(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    a, b, spare = parts
    return _MORGAN[wording].format(a=a, b=b, n=deny(a), m=deny(spare if broken else b))


def _affirming(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    a, b, spare = parts
    return _AFFIRMING[wording].format(a=a, b=b, m=spare if broken else b)


def _antecedent(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    a, b, spare = parts
    return _DENYING[wording].format(a=a, b=b, m=deny(spare if broken else a), e=deny(b))


PIECES = (
    Piece("modus_ponens", "frame", len(_PONENS), _make(ANY, 2, 0), _ponens),
    Piece("modus_tollens", "frame", len(_DENYING), _make(DENIABLE, 2, 1), _tollens),
    Piece("hypothetical_syllogism", "frame", len(_HYPOTHETICAL), _make(ANY, 3, 1), _hypothetical),
    Piece("disjunctive_syllogism", "frame", len(_DISJUNCTIVE), _make(DENIABLE, 2, 0), _disjunctive),
    Piece("de_morgan", "frame", len(_MORGAN), _make(DENIABLE, 2, 1), _morgan),
    Piece("affirming_the_consequent", "frame", len(_AFFIRMING), _make(ANY, 2, 1), _affirming),
    Piece("denying_the_antecedent", "frame", len(_DENYING), _make(DENIABLE, 2, 0), _antecedent),
)
