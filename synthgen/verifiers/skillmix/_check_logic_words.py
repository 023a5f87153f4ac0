"""Words of arguments: stems, negation, and what may stand before a statement."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from synthgen.core.skill_lexicon import senses
from synthgen.verifiers.skillmix._wanted import ByWord

CONCLUSION, REASON, REASON_AFTER, FILLER = "so", "since", "for", "well"
"""What words before a statement make of it.

A conclusion; a reason for the statement beside it; a reason for the one before it; or nothing.
"""

_LEADS = {
    CONCLUSION: """
        so, therefore, thus, hence, consequently, accordingly, it follows that, it must follow that,
        this means that, which means that, that means that, we may conclude that,
        we can conclude that, we must conclude that, one may conclude that, we conclude that,
        as a result, for that reason, for this reason, from this it follows that, this shows that,
        which shows that, this proves that, which proves that, in conclusion, ergo, so that means,
        we may infer that, we can infer that, clearly then, from which it follows that
    """,
    REASON: "since, given that, seeing that, considering that",
    REASON_AFTER: "because, for, after all",
    FILLER: """
        and, but, now, yet, also, too, today, then, that, we know that, we also know that, it is
        known that, it is also known that, it is well known that, everybody knows that, we all
        know that, everyone knows that, note that, remember that, it is clear that, as it
        happens, in fact, it turns out that, we see that, we can see that, we learn that, we
        hear that, word is that, i hear that, i know that, i see that, it is true that, it is
        the case that, it is a fact that, they say that, there is no doubt that, nobody doubts
        that, as we know, as everyone knows, suppose that, at the moment, right now, this
        morning, this evening, we are told that
    """,
}
MARKED = frozenset(
    """
    so therefore thus hence consequently accordingly follows follow means conclude infer result
    reason shows proves conclusion ergo since given seeing considering because for after then
    """.split()
)
"""Each phrase that marks a conclusion or a reason has one of these."""
_DROPPED = frozenset(
    """
    the a an will must shall surely indeed certainly really still just even probably likely
    presumably do does did too also likewise very well quite now today
    """.split()
)
_BE = frozenset("am are is was were be been being".split())
_NEGATIONS = frozenset(("not", "never"))
_SHORT = {
    "isn't": "be",
    "aren't": "be",
    "wasn't": "be",
    "weren't": "be",
    "cannot": "can",
    "can't": "can",
    "hasn't": "have",
    "haven't": "have",
    "don't": "",
    "doesn't": "",
    "didn't": "",
    "won't": "",
}
_IRREGULAR = {
    "has": "have",
    "men": "man",
    "women": "woman",
    "children": "child",
    "people": "person",
    "feet": "foot",
    "teeth": "tooth",
    "geese": "goose",
    "mice": "mouse",
    "knives": "knife",
    "wives": "wife",
    "lives": "life",
    "leaves": "leaf",
    "thieves": "thief",
    "wolves": "wolf",
}


def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return, by first word, the phrases that may stand before a statement, longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for meaning, phrases in _LEADS.items():
        for phrase in phrases.split(","):
            words = tuple(phrase.split())
            found.setdefault(words[0], []).append((words, meaning))
    return {
        first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in found.items()
    }


_BY_FIRST = _phrases()
BREAKS = frozenset(("because", "since", "therefore", "thus", "hence"))
"""Words that begin another statement in the middle of a clause."""


STATEMENT_WORDS = frozenset(
    (
        *(word for phrases in _LEADS.values() for word in phrases.replace(",", " ").split()),
        *(*_DROPPED, *_BE, *_NEGATIONS, *_SHORT, *BREAKS, "no", "is", "that", "and"),
    )
)
"""Words on which depends what may stand before a statement, and which sign and stems it has."""


def lead(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Take off what stands before a statement; say what it makes of the statement."""
    if not words or words[0] not in _BY_FIRST:
        return "", words
    meaning, at = "", 0
    while at < len(words) and words[at] in _BY_FIRST:
        for phrase, said in _BY_FIRST[words[at]]:
            if words[at : at + len(phrase)] == phrase:
                meaning = said if said != FILLER else meaning
                at += len(phrase)
                break
        else:
            break
    return meaning, words[at:]


def stem(word: str) -> str:
    """Return one form for a noun in both numbers, and for a verb with and without -s."""
    return STEMS[word]


def _stem(word: str) -> str:
    if word in _BE:
        return "be"
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    readings = senses(word)
    if readings:
        lemmas = {sense.lemma for sense in readings if sense.form in ("plural", "third")}
        if len(lemmas) == 1 and not any(sense.form == "base" for sense in readings):
            return lemmas.pop()
    if word.endswith("men") and len(word) > 4:
        return word[:-2] + "an"
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return word[:-2]
    return word[:-1]


STEMS = ByWord(_stem)


class Stems:
    """The words whose stem is one of those that a function returns."""

    def __init__(self, stems: Callable[[], Container[str]]) -> None:
        self._stems = stems

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and stem(word) in self._stems()


def token(word: str) -> str:
    """Return a stem, with a minus before what denies, or nothing for a word without weight."""
    if word in _DROPPED:
        return ""
    if word in _NEGATIONS:
        return "-"
    return f"-{_SHORT[word]}" if word in _SHORT else stem(word)


_TOKENS = ByWord(token)


def reduce(words: Sequence[str]) -> tuple[bool, str]:
    """Reduce a statement to its sign and its stems, without articles and the like."""
    stems = [one for one in map(_TOKENS.__getitem__, words) if one]
    body = " ".join(stems)
    if "-" not in body and "no" not in stems[1:]:
        return True, body
    positive, kept = True, list[str]()
    for one in stems:
        if one[0] == "-" or (one == "no" and kept):
            positive = not positive
            if len(one) > 1 and one[0] == "-":
                kept.append(one[1:])
        else:
            kept.append(one)
    return positive, " ".join(kept)


def first_of(words: Sequence[str], wanted: Iterable[str], start: int = 0) -> int:
    """Return the first place of any of these words, or -1."""
    for at in range(start, len(words)):
        if words[at] in wanted:
            return at
    return -1
