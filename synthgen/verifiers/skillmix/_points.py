"""The k + 3 points of SKILL-MIX for a text: each skill, topic, sense, length."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from synthgen.core.skill_lexicon import senses, topic_words, topics
from synthgen.core.skill_words import article
from synthgen.verifiers.skillmix._points_kernel import LEAST_CLAUSE
from synthgen.verifiers.skillmix._request import Request
from synthgen.verifiers.skillmix._skills import shows_skill
from synthgen.verifiers.skillmix._text import Clause, Sentence, Text
from synthgen.verifiers.skillmix._wanted import ByWord, wanted

_TITLE = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof)\. ")
_END = re.compile(r"[.?!][\"'\u201d\u2019)]* [\"'\u201c\u2018(]*[A-Z]")
_MARKS = (".", "?", "!")
ARTICLES = ("a", "an")
_HAS_ARTICLE = wanted(ARTICLES)
_SENTENCES = 128


def points(request: Request, text: Text) -> tuple[int, ...]:
    """Give the points in the order of the rubric."""
    plain = text.plain
    skills = [
        int(name not in plain and shows_skill(text, skill))
        for skill, name in zip(request.skills, request.names, strict=True)
    ]
    length = fits(text.raw, request.most_sentences)
    return (*skills, int(on_topic(text, request.topic)), int(makes_sense(text)), int(length))


def fits(raw: str, most: int) -> bool:
    """Say whether a text has at most so many sentences; a mark at its end is no border."""
    marks = raw.count(".") + raw.count("?") + raw.count("!")
    return (marks <= most and raw[-1:] in _MARKS) or count_sentences(raw) <= most


def count_sentences(raw: str) -> int:
    """Count sentences as the published protocol does: one more than the borders between them."""
    if "Mr" in raw or "Ms." in raw or "Dr." in raw or "Prof." in raw:
        raw = _TITLE.sub(r"\1.", raw)
    return 1 + len(_END.findall(raw))


def on_topic(text: Text, topic: str) -> bool:
    """Say whether every sentence has a word of the topic, or the text at least two."""
    if text.topics is not None:
        return text.topics & topic_bits().get(topic, 0) > 0
    words = topic_words(topic)
    if not text.sentences:
        return False
    if not any(words.isdisjoint(sentence.words) for sentence in text.sentences):
        return True
    return sum([word in words for sentence in text.sentences for word in sentence.words]) > 1


@cache
def topic_bits() -> Mapping[str, int]:
    """Return the bit of each topic."""
    return {topic.name: 1 << at for at, topic in enumerate(topics())}


def makes_sense(text: Text) -> bool:
    """Say whether a text is well-formed as far as can be told from its words.

    It begins with a capital and ends in a mark, articles fit what follows, no sentence stands
    there twice, and no long clause twice in a row (arguments say a clause again, but not at once).
    """
    raw = text.raw.strip()
    if not raw[:1].isupper() or raw[-1] not in _MARKS:
        return False
    return _words_make_sense(text.sentences) if text.sense is None else text.sense


def _words_make_sense(sentences: Sequence[Sentence]) -> bool:
    if not sentences or not all(map(_is_sound, sentences)):
        return False
    if len(sentences) == 1:
        return True
    if len({sentence.words for sentence in sentences}) != len(sentences):
        return False
    return not any(
        _says_again(one.clauses[-1], other.clauses[0]) for one, other in pairwise(sentences)
    )


@lru_cache(maxsize=_SENTENCES)
def _is_sound(sentence: Sentence) -> bool:
    """Say whether a sentence makes sense by itself; sentences are remembered by identity."""
    before: tuple[str, ...] = ()
    for clause in sentence.clauses:
        words = clause.words
        if words == before and len(words) >= LEAST_CLAUSE:
            return False
        if clause.bits & _HAS_ARTICLE and not _articles_fit(words):
            return False
        before = words
    return True


def _says_again(one: Clause, other: Clause) -> bool:
    return one.words == other.words and len(one.words) >= LEAST_CLAUSE


def _articles_fit(words: tuple[str, ...]) -> bool:
    """Say whether every "a" and "an" goes with the word after it."""
    for first, second in pairwise(words):
        if first in ARTICLES and first != _ARTICLE_OF[second]:
            return False
    return True


def article_of(word: str) -> str:
    """Return the article that goes before a word, or nothing before one that is plural."""
    known = senses(word)
    plural = bool(known) and all(sense.form == "plural" for sense in known)
    return "" if plural else article(word)


_ARTICLE_OF = ByWord(article_of)
