"""The COGS oracle: logical forms clause by clause in plain Python.

A sentence is cut at `that`, each clause into noun phrases and other words, and the pattern that
these make is looked up. Conjuncts are collected in any order and sorted in the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from synthgen.authoring.problem_text import problem_of
from synthgen.families.cogs.words import all_verbs, infinitives, word_list

_MAX_LENGTH = 1 << 16
_WORD = re.compile(r"[A-Za-z]{1,64}")
_NAME, _NOUN = re.compile(r"[A-Z][a-z]+"), re.compile(r"[a-z]+|[A-Z]+")
_ARTICLES = {"a": False, "the": True}
_PREPOSITIONS = ("on", "in", "beside")
_FUNCTION_WORDS = {"A", "The", "a", "the", "was", "to", "by", "that", *_PREPOSITIONS}

# Pattern of a clause -> classes of its verb, each with the roles of its noun phrases in order.
_PATTERNS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "N V": (
        ("unergative", ("agent",)),
        ("omissible", ("agent",)),
        ("unaccusative", ("theme",)),
    ),
    "N V N": (("transitive omissible unaccusative", ("agent", "theme")),),
    "N V N N": (("dative", ("agent", "recipient", "theme")),),
    "N V N to N": (("dative", ("agent", "theme", "recipient")),),
    "N V to V": (("control", ("agent",)),),
    "N was V": (("participle", ("theme",)),),
    "N was V by N": (("participle", ("theme", "agent")),),
    "N was V to N": (("dative_participle", ("theme", "recipient")),),
    "N was V to N by N": (("dative_participle", ("theme", "recipient", "agent")),),
    "N was V N": (("dative_participle", ("recipient", "theme")),),
    "N was V N by N": (("dative_participle", ("recipient", "theme", "agent")),),
}
_BASES = {
    "unergative": "unergative_base",
    "unaccusative": "unaccusative_base",
    "omissible": "transitive_base",
    "transitive": "transitive_base",
}
"""Classes of verbs whose bases may be single words."""
_INTRANSITIVE = "LAMBDA a . LAMBDA e . {0} . %s ( e , a )"
_WORD_FORMS = {
    "unergative_base": _INTRANSITIVE % "agent",
    "unaccusative_base": _INTRANSITIVE % "theme",
    "transitive_base": (
        "LAMBDA a . LAMBDA b . LAMBDA e . {0} . agent ( e , b ) AND {0} . theme ( e , a )"
    ),
}


@dataclass(frozen=True)
class _Phrase:
    """A noun phrase: its nouns with position, article and the preposition after each."""

    nouns: tuple[tuple[int, str, bool, str], ...]
    name: str = ""

    @property
    def filler(self) -> str:
        return self.name or f"x _ {self.nouns[0][0]}"


@dataclass(frozen=True)
class _Event:
    """A verb with its position and its roles; the last filler may be another event's number."""

    position: int
    base: str
    roles: tuple[tuple[str, _Phrase | int], ...]


def right_answers(prompt: str) -> tuple[str, ...]:
    """Return the logical form that a prompt asks for: both if it shows neither, or nothing."""
    text = problem_of(prompt)
    wording = prompt.rsplit("`", 2)[0] + "`" if prompt.count("`") > 1 else ""
    if len(text) > _MAX_LENGTH:
        return ()
    words = text.split(" ")
    if len(words) == 1:
        form = _word_form(text)
        return (form,) if form else ()
    if words.pop() != "." or not all(_WORD.fullmatch(word) for word in words):
        return ()
    events = _events(words)
    if not events:
        return ()
    if "x _" in wording:
        return (_original(events),)
    if " = " in wording:
        return (_variable_free(events),)
    return _original(events), _variable_free(events)


@cache
def _verb_forms() -> dict[str, tuple[str, set[str]]]:
    """Return the base and the uses of every verb form."""
    forms: dict[str, tuple[str, set[str]]] = {}

    def add(form: str, base: str, use: str) -> None:
        forms.setdefault(form, (base, set()))[1].add(use)

    for name, verb in all_verbs():
        add(verb.past, verb.base, name)
        if verb.participle:
            kind = "dative_participle" if name == "dative" else "participle"
            add(verb.participle, verb.base, kind)
        if name in _BASES:
            add(verb.base, verb.base, _BASES[name])
    for word in infinitives():
        add(word, word, "infinitive")
    for word in word_list("targets", "infinitive"):
        add(word, word, "unergative_base")
    return forms


def _word_form(word: str) -> str:
    """Return the logical form of a single word, or nothing."""
    if not _WORD.fullmatch(word) or word in _FUNCTION_WORDS:
        return ""
    base, uses = _verb_forms().get(word, (word, set[str]()))
    for use, form in _WORD_FORMS.items():
        if use in uses:
            return form.format(base)
    if uses:
        return ""
    if _NAME.fullmatch(word):
        return word
    return f"LAMBDA a . {word} ( a )" if word.islower() else ""


def _events(words: list[str]) -> list[_Event]:
    """Return the verbs of a sentence without its full stop, or nothing if it is not one."""
    if words[0] in ("A", "The"):
        words = [words[0].lower(), *words[1:]]
    elif words[0] in _ARTICLES:
        return []
    ends = [at for at, word in enumerate(words) if word == "that"] + [len(words)]
    events: list[_Event] = []
    start = 0
    for end in ends:
        clause = _chunks(words, start, end)
        made = _clause(clause, len(events), is_last=end == len(words))
        if not made:
            return []
        events += made
        start = end + 1
    return events


def _chunks(words: list[str], start: int, end: int) -> list[tuple[int, str | _Phrase]]:
    """Cut a clause into noun phrases and other words, each with its position."""
    found: list[tuple[int, str | _Phrase]] = []
    at = start
    while at < end:
        if words[at] in _ARTICLES:
            nouns: list[tuple[int, str, bool, str]] = []
            more = True
            while more and at + 1 < end and words[at] in _ARTICLES and _is_noun(words[at + 1]):
                more = at + 2 < end and words[at + 2] in _PREPOSITIONS
                joint = words[at + 2] if more else ""
                nouns.append((at + 1, words[at + 1].lower(), _ARTICLES[words[at]], joint))
                at += 3 if more else 2
            if more:  # nothing follows a preposition, or no noun an article
                return []
            found.append((at, _Phrase(tuple(nouns))))
        elif _NAME.fullmatch(words[at]) and words[at] not in _FUNCTION_WORDS:
            found.append((at, _Phrase((), words[at])))
            at += 1
        else:
            found.append((at, words[at]))
            at += 1
    return found


def _is_noun(word: str) -> bool:
    known = word in _verb_forms() or word in _FUNCTION_WORDS
    return _NOUN.fullmatch(word) is not None and not known


def _clause(chunks: list[tuple[int, str | _Phrase]], number: int, *, is_last: bool) -> list[_Event]:
    """Return the events of one clause, or nothing; a clause before `that` has a ccomp."""
    phrases = [chunk for _, chunk in chunks if isinstance(chunk, _Phrase)]
    verbs = [(at, chunk) for at, chunk in chunks if isinstance(chunk, str) and _is_verb(chunk)]
    pattern = " ".join(
        "N" if isinstance(chunk, _Phrase) else "V" if _is_verb(chunk) else chunk
        for _, chunk in chunks
    )
    if not verbs:
        return []
    position, form = verbs[0]
    base, uses = _verb_forms()[form]
    if not is_last:
        roles = (("agent", phrases[0]), ("ccomp", number + 1)) if phrases else ()
        return [_Event(position, base, roles)] if pattern == "N V" and "clause" in uses else []
    for wanted, names in _PATTERNS.get(pattern, ()):
        if not uses & set(wanted.split()):
            continue
        filled: tuple[tuple[str, _Phrase | int], ...] = tuple(zip(names, phrases, strict=True))
        if len(verbs) == 1:
            return [_Event(position, base, filled)]
        inner, other = verbs[1]
        other_base, other_uses = _verb_forms()[other]
        if "infinitive" not in other_uses:
            return []
        with_xcomp = (*filled, ("xcomp", number + 1))
        return [_Event(position, base, with_xcomp), _Event(inner, other_base, filled)]
    return []


def _is_verb(word: str) -> bool:
    return word in _verb_forms()


def _original(events: list[_Event]) -> str:
    """Return the published form."""
    definite: dict[int, str] = {}
    terms: dict[tuple[int, int], str] = {}
    for event in events:
        for place, (role, filler) in enumerate(event.roles):
            value = f"x _ {events[filler].position}" if isinstance(filler, int) else filler.filler
            term = f"{event.base} . {role} ( x _ {event.position} , {value} )"
            terms[event.position, place] = term
            if isinstance(filler, int):
                continue
            for step, (at, noun, is_definite, joint) in enumerate(filler.nouns):
                if is_definite:
                    definite[at] = f"* {noun} ( x _ {at} ) ; "
                else:
                    terms[at, 0] = f"{noun} ( x _ {at} )"
                if joint:
                    inner = filler.nouns[step + 1][0]
                    terms[at, 1] = f"{noun} . nmod . {joint} ( x _ {at} , x _ {inner} )"
    front = "".join(definite[at] for at in sorted(definite))
    return front + " AND ".join(terms[key] for key in sorted(terms))


def _variable_free(events: list[_Event]) -> str:
    """Return the variable-free form, from the innermost event outwards."""
    text = ""
    for event in reversed(events):
        arguments = [
            f"{role} = {text if isinstance(filler, int) else _nested(filler)}"
            for role, filler in event.roles
        ]
        text = f"{event.base} ( {' , '.join(arguments)} )"
    return text


def _nested(phrase: _Phrase) -> str:
    """Return a noun phrase in the variable-free form, from its last noun forwards."""
    if phrase.name:
        return phrase.name
    text = ""
    for _, noun, is_definite, joint in reversed(phrase.nouns):
        inside = f" ( nmod . {joint} = {text} )" if joint else ""
        text = ("* " if is_definite else "") + noun + inside
    return text
