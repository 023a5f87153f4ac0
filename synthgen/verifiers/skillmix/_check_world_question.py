"""Checkers of questions: those that take something for granted, and those that are dodged."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from synthgen.core.skill_lexicon import domains, senses
from synthgen.core.skill_world import records
from synthgen.verifiers.skillmix._check_world_parse import DETERMINERS
from synthgen.verifiers.skillmix._text import STOP, Sentence, Text

LOADED = frozenset("stop stopped stops quit ceased cease again still anymore".split())
ASKS_WHY = frozenset("why when how".split())
AUXILIARIES = frozenset("did does do has have is are was were will would had".split())
WHO = frozenset("who what which".split())
QUESTION_TRIGGERS = LOADED | ASKS_WHY


def complex_question(text: Text) -> bool:
    """Whether a question takes for granted what the text has not asserted before."""
    if "?" not in text.raw:
        return False
    asserted: list[frozenset[str]] = []
    for sentence in text.sentences:
        question = _question(sentence)
        for clause in sentence.clauses:
            if clause.words == question:
                assumed = _stems(_assumed(question))
                if assumed and not any(assumed <= clause for clause in asserted):
                    return True
            else:
                asserted.append(_stems(clause.words))
    return False


def _question(sentence: Sentence) -> tuple[str, ...]:
    return sentence.clauses[-1].words if sentence.question else ()


def _assumed(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a question takes for granted: the words under its trigger."""
    start = 0
    while start < len(words) and words[start] in ("and", "but", "so", "then", "exactly"):
        start += 1
    words = words[start:]
    if len(words) < 4:
        return ()
    if words[0] in ASKS_WHY:
        at = next((at for at, word in enumerate(words[1:4], 1) if word in AUXILIARIES), 0)
        if words[0] == "how" and words[1] not in ("long", "often", "many", "much"):
            return ()
        return words[at + 1 :] if at else ()
    if (words[0] in AUXILIARIES or words[0] in WHO) and not LOADED.isdisjoint(words):
        return words[1:]
    return ()


_FORMS = ("ing", "ed", "es", "s", "e")


@cache
def _misdeeds() -> dict[str, str]:
    return {
        record[form]: record["base"]
        for record in records("people", "misdeed")
        for form in ("base", "gerund", "past")
    }


def _stems(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        stem(word)
        for word in words
        if word not in STOP and word not in QUESTION_TRIGGERS and word not in DETERMINERS
    )


def stem(word: str) -> str:
    known = _misdeeds().get(word)
    if known:
        return known
    for sense in senses(word):
        return sense.lemma
    for ending in _FORMS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)]
    return word


ASKS = frozenset("asked asks".split())
ANSWERS = frozenset(
    "answers answered replies replied says said responds responded remarks remarked declares "
    "declared observes observed".split()
)
YES = frozenset("yes no indeed certainly".split())


def red_herring(text: Text) -> bool:
    """Whether a question about one topic gets an assertion about another as its answer."""
    told = [clause.words for clause in text.clauses]
    for at, words in enumerate(told):
        asked = next((i for i, word in enumerate(words) if word in ASKS), -1)
        if asked >= 0 and at + 1 < len(told):
            here = _reply(words[asked + 1 :])
            question = words[asked + 1 :] if here is None else words[asked + 1 : asked + 1 + here]
            answer = told[at + 1] if here is None else words[asked + 1 + here :]
            if _misses(_after_that(question), answer):
                return True
        elif asked >= 0 and (here := _reply(words[asked + 1 :])) is not None:
            split = asked + 1 + here
            if _misses(words[asked + 1 : split], words[split:]):
                return True
    return any(
        one.question and not other.question and _misses(one.clauses[-1].words, other.words)
        for one, other in pairwise(text.sentences)
        if not ANSWERS.isdisjoint(other.words)
    )


def _reply(words: tuple[str, ...]) -> int | None:
    """Return where the reply's verb is in a clause that holds question and answer."""
    return next((i for i, word in enumerate(words) if word in ANSWERS), None)


def _after_that(words: tuple[str, ...]) -> tuple[str, ...]:
    """The question without the one who is asked: "the cook whether the salt is dry"."""
    for at, word in enumerate(words):
        if word in ("whether", "if", "why", "how", "when", "where", "about"):
            return words[at + 1 :]
    return words


def _misses(question: tuple[str, ...], reply: tuple[str, ...]) -> bool:
    """Whether the reply is of domains that the question is not of, and shares no word with it."""
    verb = _reply(reply)
    if verb is None or not YES.isdisjoint(reply):
        return False
    answer = reply[verb + 1 :]
    about = {domain for word in question if word not in STOP for domain in domains(word)}
    spoken = [domains(word) for word in answer if word not in STOP]
    known = [places for places in spoken if places]
    if not about or not known or not all(about.isdisjoint(places) for places in known):
        return False
    return _stems(question).isdisjoint(_stems(answer))
