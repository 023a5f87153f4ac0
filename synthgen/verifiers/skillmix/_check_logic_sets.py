"""Statements about all, no and some, and which follow from which by models of three sets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from synthgen.verifiers.skillmix._check_logic_words import reduce

ALL, NO, SOME, MOST, FEW, ONE = "all", "no", "some", "most", "few", "one"
NOT_ALL = "not all"


class Quantified(NamedTuple):
    """A statement about some share of a set, or about one individual.

    Attributes:
        share: `ALL`, `NO`, `SOME`, `MOST`, `FEW`, or `ONE` for an individual or a few counted.
        members: individuals if `share` is `ONE`.
        positive: sign of the predicate.
        body: stems of subject and predicate.
    """

    share: str
    members: int
    positive: bool
    body: str


ARTICLES = frozenset(("the", "these", "those", "our", "my"))
NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "twenty": 20,
    "hundred": 100,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
PHRASES = (
    (("the", "vast", "majority", "of"), MOST),
    (("the", "majority", "of"), MOST),
    (("more", "than", "half", "of"), MOST),
    (("most", "of"), MOST),
    (("most",), MOST),
    (("not", "all"), NOT_ALL),
    (("not", "every"), NOT_ALL),
    (("almost", "all"), MOST),
    (("nearly", "all"), MOST),
    (("almost", "every"), MOST),
    (("nearly", "every"), MOST),
    (("hardly", "any"), FEW),
    (("few",), FEW),
    (("at", "least", "one"), SOME),
    (("some", "of"), SOME),
    (("some",), SOME),
    (("several",), SOME),
    (("all", "of"), ALL),
    (("all",), ALL),
    (("every",), ALL),
    (("each",), ALL),
    (("any",), ALL),
    (("no",), NO),
    (("none", "of"), NO),
)
_BY_FIRST = {
    first: tuple((phrase, share) for phrase, share in PHRASES if phrase[0] == first)
    for first in {phrase[0] for phrase, _ in PHRASES}
}
INDIVIDUAL = frozenset(("a", "an", "this", "that", "another"))


def number(word: str) -> int | None:
    """Read a number in figures or a short one in words."""
    if word.isdigit() and len(word) < 5:
        return int(word)
    return NUMBERS.get(word)


def quantified(words: tuple[str, ...]) -> Quantified:
    """Read a statement; without a quantifier it is about an individual."""
    for phrase, share in _BY_FIRST.get(words[0], ()):
        if words[: len(phrase)] == phrase:
            return _of_share(share, words[len(phrase) :])
    counted = _share_of_numbers(words)
    if counted is not None:
        return counted
    rest = words[1:] if words[0] in INDIVIDUAL else words
    return Quantified(ONE, 1, *reduce(rest))


def _of_share(share: str, words: tuple[str, ...]) -> Quantified:
    positive, body = reduce(words[1:] if words and words[0] in ARTICLES else words)
    if share == NOT_ALL:
        return Quantified(SOME, 0, not positive, body)
    return Quantified(share, 0, positive, body)


def _share_of_numbers(words: tuple[str, ...]) -> Quantified | None:
    """Read "nine in ten", "nine out of ten", "ninety percent of" and plain counts."""
    count = number(words[0])
    if count is None:
        return None
    start = 2 if words[1:2] == ("in",) else 3 if words[1:3] == ("out", "of") else 0
    whole = number(words[start]) if start and start < len(words) else None
    if whole is not None:
        return _of_share(_named_share(count, whole), words[start + 1 :])
    if words[1:3] == ("percent", "of"):
        return _of_share(_named_share(count, 100), words[3:])
    return Quantified(ONE, count, *reduce(words[1:]))


def _named_share(count: int, whole: int) -> str:
    if count >= whole:
        return ALL
    return MOST if 2 * count > whole else FEW


def terms(bodies: Sequence[str]) -> list[tuple[str, str]]:
    """Split statements into subject and predicate.

    The copula parts them; without one, the subject is the longest one known from the others, or
    else one word.
    """
    split = [body.partition(" be ") for body in bodies]
    known = {term for subject, copula, rest in split if copula for term in (subject, rest)}
    found = []
    for body, (subject, copula, rest) in zip(bodies, split, strict=True):
        if copula:
            found.append((subject, rest))
            continue
        fits = [term for term in known if body.startswith(f"{term} ")]
        own = max(fits, key=len) if fits else body.partition(" ")[0]
        found.append((own, body[len(own) + 1 :]))
    return found


_LETTERS = {
    (ALL, True): "A",
    (ALL, False): "E",
    (NO, True): "E",
    (NO, False): "A",
    (SOME, True): "I",
    (SOME, False): "O",
    (ONE, True): "A",
    (ONE, False): "E",
}


def letter(one: Quantified) -> str:
    """Return A, E, I or O, or nothing for other shares; an individual is a set of one."""
    return _LETTERS.get((one.share, one.positive), "")


@cache
def models(form: str, subject: int, predicate: int) -> int:
    """Return the models where a form holds, as 256 bits.

    A model says which of the eight regions of three sets have members, one bit each.
    """
    inside = sum(1 << region for region in range(8) if region >> subject & region >> predicate & 1)
    outside = sum(
        1 << region for region in range(8) if region >> subject & ~(region >> predicate) & 1
    )
    held = 0
    for model in range(256):
        common, rest = model & inside, model & outside
        if {"A": not rest, "E": not common, "I": bool(common), "O": bool(rest)}[form]:
            held |= 1 << model
    return held


@cache
def follows(premises: tuple[tuple[str, int, int], ...], end: tuple[str, int, int]) -> bool:
    """Whether no model has true premises and a false conclusion; each is form, subject, predicate.

    Terms are numbered 0, 1, 2. Sets may be empty.
    """
    value = ~models(*end)
    for premise in premises:
        value &= models(*premise)
    return value & ((1 << 256) - 1) == 0
