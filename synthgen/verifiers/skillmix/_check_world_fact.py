"""Checkers of facts about the world: what comes of what, what has exceptions, what words mean."""

from __future__ import annotations

from functools import cache

from synthgen.core.skill_lexicon import senses
from synthgen.core.skill_world import Record, listed, records
from synthgen.verifiers.skillmix._check_world_parse import (
    NEGATIONS,
    PRONOUNS,
    Statement,
    bare,
    concluded,
    statements,
)
from synthgen.verifiers.skillmix._text import STOP, Text
from synthgen.verifiers.skillmix._wanted import wanted

FARTHEST = 2
"""Statements between a deed and what comes of it, at most, counted from the deed."""


@cache
def _kinds_of() -> dict[str, frozenset[str]]:
    """Thing -> its physical kinds."""
    found: dict[str, set[str]] = {}
    for record in records("physics", "kind"):
        for thing in listed(record["things"]):
            found.setdefault(thing, set()).add(record["name"])
    return {thing: frozenset(kinds) for thing, kinds in found.items()}


@cache
def _events() -> dict[str, tuple[tuple[str, frozenset[str]], ...]]:
    """Verb -> events it may tell of, each with the words of which one must be near."""
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for record in records("physics", "event"):
        for verb in listed(record["verbs"]):
            found.setdefault(verb, []).append((record["name"], frozenset(listed(record["near"]))))
    return {verb: tuple(events) for verb, events in found.items()}


@cache
def _effects() -> dict[str, frozenset[str]]:
    """Word -> the effects it shows."""
    found: dict[str, set[str]] = {}
    for record in records("physics", "effect"):
        for word in listed(record["words"]):
            found.setdefault(word, set()).add(record["name"])
    return {word: frozenset(effects) for word, effects in found.items()}


@cache
def _rules() -> dict[tuple[str, str], str]:
    """Kind and event -> effect."""
    return {
        (record["kind"], record["event"]): record["effect"] for record in records("physics", "rule")
    }


@cache
def effect_words() -> frozenset[str]:
    """Words without which nothing comes of anything."""
    return frozenset(_effects())


def event_words() -> dict[str, tuple[tuple[str, frozenset[str]], ...]]:
    """Words for deeds."""
    return _events()


def thing_words() -> dict[str, frozenset[str]]:
    """Words for things whose physics is known."""
    return _kinds_of()


def folk_physics(text: Text) -> bool:
    """Whether a deed is told, and of the same thing what must come of the deed."""
    events = _events()
    told = statements(text)
    for at, statement in enumerate(told):
        for i, word in enumerate(statement.words):
            if word in events and i and _comes_true(told, at, i):
                return True
    return False


def _comes_true(told: tuple[Statement, ...], at: int, verb: int) -> bool:
    words = told[at].words
    if not NEGATIONS.isdisjoint(words[:verb]):
        return False
    thing = next((word for word in words[verb + 1 :] if word in _kinds_of()), "")
    if not thing:
        return False
    happened = {name for name, near in _events()[words[verb]] if not near.isdisjoint(words)}
    due = {
        effect
        for (kind, event), effect in _rules().items()
        if event in happened and kind in _kinds_of()[thing]
    }
    if not due:
        return False
    near = range(max(0, at - FARTHEST), min(len(told), at + FARTHEST + 1))
    return any(_shows_effect(told[other].words, thing, due) for other in near if other != at)


def _shows_effect(words: tuple[str, ...], thing: str, due: set[str]) -> bool:
    """Whether the clause says of the thing, or of "it", that a due effect comes."""
    effects = _effects()
    at = next((at for at, word in enumerate(words) if word in effects), -1)
    if at < 0 or due.isdisjoint(effects[words[at]]):
        return False
    before = words[:at]
    about = thing in before or "it" in before or "which" in before or not before
    denied = not NEGATIONS.isdisjoint(before)
    return about and denied == (words[at] == "budge")


@cache
def _exceptions() -> dict[str, tuple[Record, ...]]:
    """Exception -> the rules that do not hold for it."""
    found: dict[str, list[Record]] = {}
    for record in records("kinds", "rule"):
        for exception in listed(record["exceptions"]):
            found.setdefault(exception, []).append(record)
    return {exception: tuple(rules) for exception, rules in found.items()}


@cache
def exception_words() -> frozenset[str]:
    """Kinds for which a general rule does not hold."""
    return frozenset(_exceptions())


_EXCEPTION = wanted(exception_words)
SOME = frozenset("most some few many several certain nine often sometimes almost nearly".split())


def accident_fallacy(text: Text) -> bool:
    """Whether a general rule is stated and applied to a kind that is known to be an exception."""
    told = statements(text)
    return any(
        _rule_stated(told, rule) and _applied(told, rule, exception)
        for exception in text.words_in(_EXCEPTION, _exceptions())
        for rule in _exceptions()[exception]
    )


def _shows(words: tuple[str, ...], rule: Record) -> bool:
    return not set(listed(rule["words"])).isdisjoint(words) and NEGATIONS.isdisjoint(words)


def _rule_stated(told: tuple[Statement, ...], rule: Record) -> bool:
    one = (("every", rule["kind"]), ("any", rule["kind"]))
    return any(
        _shows(statement.words, rule)
        and (rule["kinds"] in statement.words or statement.words[:2] in one)
        and SOME.isdisjoint(statement.words)
        for statement in told
    )


def _applied(told: tuple[Statement, ...], rule: Record, exception: str) -> bool:
    """Whether a conclusion gives the property to the exception, or to "it"."""
    for at, statement in enumerate(told):
        words = statement.words
        if not _shows(words, rule) or rule["kinds"] in words or not concluded(told, at):
            continue
        before = {word for near in told[max(0, at - 3) : at] for word in near.words}
        if exception in words or (words[0] in PRONOUNS and exception in before):
            return True
    return False


@cache
def _homonyms() -> dict[str, Record]:
    return {record["word"]: record for record in records("senses", "homonym")}


@cache
def homonym_words() -> frozenset[str]:
    """Words that have two senses."""
    return frozenset(_homonyms())


_HOMONYM = wanted(homonym_words)


def equivocation(text: Text) -> bool:
    """Whether a syllogism has a middle term that its two premises use in different senses."""
    told = statements(text)
    known = _homonyms()
    return any(_slides(told, known[word]) for word in text.words_in(_HOMONYM, known))


def _slides(told: tuple[Statement, ...], record: Record) -> bool:
    word = record["word"]
    holders = [
        (at, holder)
        for at, minor in enumerate(told)
        if minor.link != "so" and (holder := _holder(minor, record))
    ]
    ends = [
        end.words
        for at, end in enumerate(told)
        if concluded(told, at) and NEGATIONS.isdisjoint(end.words)
    ]
    for at, major in enumerate(told if holders else ()):
        if major.link == "so" or word not in major.words[:5]:
            continue
        fact = major.words[major.words.index(word) + 1 :]
        if _sense(fact, record) == "second":
            subjects = _subjects(ends, fact)
            if any(one != at and not subjects.isdisjoint((holder, _IT)) for one, holder in holders):
                return True
    return False


_IT = ""
"""Stands for whoever a pronoun stands for."""


def _subjects(ends: list[tuple[str, ...]], fact: tuple[str, ...]) -> set[str]:
    """Return of whom conclusions may say what a fact says: their first words, and `_IT`."""
    content = {word for word in fact if word not in STOP}
    found: set[str] = set()
    for words in ends:
        if content.issubset(words):
            found.update(words[:4], (_IT,) if words[0] in PRONOUNS else ())
    return found


def _holder(statement: Statement, record: Record) -> str:
    """Return who has the word as a predicate in its first sense, or nothing."""
    words = statement.words
    if record["word"] not in words[2:]:
        return ""
    rest = bare(words)
    if not rest:
        return ""
    parts = {sense.part for sense in senses(rest[0])}
    return rest[0] if record["bearer"] in parts and rest[0] != record["word"] else ""


def _sense(words: tuple[str, ...], record: Record) -> str:
    marks = {
        name: {word for fact in listed(record[name]) for word in fact.split()}.union(
            listed(record[f"{name}_cues"])
        )
        for name in ("first", "second")
    }
    first = marks["first"] - marks["second"] - STOP
    second = marks["second"] - marks["first"] - STOP
    if first.isdisjoint(words):
        return "" if second.isdisjoint(words) else "second"
    return "first"
