"""COGS from the text: the logical form and the derivation of a sentence, clause by clause.

The input (a sentence, or a single word) is between the last two backticks of a prompt, or the whole
prompt if there are none. A sentence is cut at `that`, each clause into noun phrases and other
words, and a table gives the roles for the pattern of these. Conjuncts are collected in any order
and sorted at the end. Nouns and names may be any words that are not otherwise known; verbs are
known by their forms.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.authoring import Verifier, problem_of
from synthgen.families.cogs.words import all_verbs, infinitives, word_list

_MAX_LENGTH = 1 << 16
_NAME, _NOUN = re.compile(r"[A-Z][a-z]{1,63}"), re.compile(r"[a-z]{1,64}|[A-Z]{1,64}")
_ARTICLES = ("a", "the")
_PREPOSITIONS = ("on", "in", "beside")
_FUNCTION_WORDS = {"A", "The", *_ARTICLES, "was", "to", "by", "that", *_PREPOSITIONS}

# Pattern of a clause -> uses of its verb, each with the rule of its verb phrase and the roles of
# its noun phrases in order.
_PATTERNS = {
    "N V": (
        ("unergative", "unergative", "agent"),
        ("omissible", "omitted", "agent"),
        ("unaccusative", "unaccusative", "theme"),
    ),
    "N V N": (
        ("transitive", "transitive", "agent theme"),
        ("omissible", "transitive", "agent theme"),
        ("unaccusative", "transitive", "agent theme"),
    ),
    "N V N N": (("dative", "do_dative", "agent recipient theme"),),
    "N V N to N": (("dative", "pp_dative", "agent theme recipient"),),
    "N V to V": (("control", "inf", "agent"),),
    "N V that": (("clause", "cp", "agent"),),
    "N was V": (("participle", "passive", "theme"),),
    "N was V by N": (("participle", "passive_by", "theme agent"),),
    "N was V to N": (("dative_participle", "passive_pp_dative", "theme recipient"),),
    "N was V to N by N": (("dative_participle", "passive_pp_dative_by", "theme recipient agent"),),
    "N was V N": (("dative_participle", "passive_do_dative", "recipient theme"),),
    "N was V N by N": (("dative_participle", "passive_do_dative_by", "recipient theme agent"),),
}
_WORD_FORMS = {
    "name": "{0}",
    "noun": "LAMBDA a . {0} ( a )",
    "unergative": "LAMBDA a . LAMBDA e . {0} . agent ( e , a )",
    "unaccusative": "LAMBDA a . LAMBDA e . {0} . theme ( e , a )",
    "transitive": (
        "LAMBDA a . LAMBDA b . LAMBDA e . {0} . agent ( e , b ) AND {0} . theme ( e , a )"
    ),
}
"""Logical forms of single words."""
_SINGLE = {"omissible": "transitive"} | {name: name for name in _WORD_FORMS}
"""Rule of a verb's base as a single word, by the class of the verb."""


class _Noun(NamedTuple):
    """A noun, and the preposition after it or nothing."""

    place: int
    word: str
    article: str
    joint: str


class _Phrase(NamedTuple):
    """A noun phrase: a name, or nouns joined by prepositions."""

    name: str
    nouns: tuple[_Noun, ...] = ()

    @property
    def filler(self) -> str:
        return self.name or f"x _ {self.nouns[0].place}"


class _Event(NamedTuple):
    """A verb with its roles; the filler None is the event after it. An infinitive has no rule."""

    place: int
    word: str
    base: str
    rule: str
    roles: tuple[tuple[str, _Phrase | None], ...]


class CogsVerifier(Verifier):
    """Checks COGS rows by reading their text.

    Both forms of logical forms are known: a wording shows which one it demands, and without a
    wording the answer may have either.
    """

    def check(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> NDArray[np.bool_]:
        """Read every input, and compare its answer and, if stated, its derivation."""
        steps = solutions.to_pylist() if solutions is not None else [None] * len(answers)
        rows = zip(prompts.to_pylist(), answers.to_pylist(), steps, strict=True)
        return np.array([_accepts(*row) for row in rows], dtype=bool)

    def reads(self, prompt: str) -> bool:
        """Return whether a prompt has right answers."""
        return bool(self.answers(prompt))

    def answers(self, prompt: str) -> tuple[str, ...]:
        """Return the right answers to a prompt: of either form if the prompt shows neither."""
        text, wording = problem_of(prompt), _wording(prompt)
        events = _events(text)
        if not events:
            word = _single_word(text)
            return (word[0],) if word else ()
        if "x _" in wording:
            return (_original(events),)
        if " = " in wording:
            return (_variable_free(events),)
        return _original(events), _variable_free(events)

    def accepts(self, prompt: str, prediction: str) -> bool:
        """Return whether a logical form is that of a prompt; spaces in a row count as one."""
        return super().accepts(prompt, " ".join(prediction.split()))


VERIFIERS = {"cogs": CogsVerifier()}


def _accepts(prompt: str, answer: str, solution: str | None) -> bool:
    text = problem_of(prompt)
    if " " not in text:
        word = _single_word(text)
        return word is not None and answer == word[0] and solution in (None, word[1])
    events = _events(text)
    if not events:
        return False
    wording = _wording(prompt)
    shown = wording if "x _" in wording or " = " in wording else answer
    right = _original(events) if "x _" in shown else _variable_free(events)
    return answer == right and (solution is None or solution == _derivation(events))


def _wording(prompt: str) -> str:
    """Return what precedes the input of a prompt."""
    return prompt.rsplit("`", 2)[0] if prompt.count("`") > 1 else ""


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
        if name in _SINGLE:
            add(verb.base, verb.base, f"word_{_SINGLE[name]}")
    for word in infinitives():
        add(word, word, "infinitive")
    for word in word_list("targets", "infinitive"):
        add(word, word, "word_unergative")
    return forms


@lru_cache(1 << 12)
def _kind(word: str) -> str:
    """Return "V" for a verb, "name", "noun", or the word itself."""
    if word in _verb_forms():
        return "V"
    if word in _FUNCTION_WORDS:
        return word
    return "name" if _NAME.fullmatch(word) else "noun" if _NOUN.fullmatch(word) else word


def _single_word(word: str) -> tuple[str, str] | None:
    """Return the logical form and the derivation of a single word, if it has them."""
    kind = _kind(word)
    if kind == "V":
        uses = _verb_forms()[word][1]
        kind = next((name for name in _WORD_FORMS if f"word_{name}" in uses), "")
    if kind not in _WORD_FORMS or (kind == "noun" and not word.islower()):
        return None
    return _WORD_FORMS[kind].format(word), f"(word_{kind} {word})"


def _events(text: str) -> list[_Event]:
    """Return the verbs of a sentence in their order, or nothing if it is not one."""
    words = text.split(" ")
    if len(text) > _MAX_LENGTH or words.pop() != "." or not words or words[0] in _ARTICLES:
        return []
    if words[0] in ("A", "The"):
        words[0] = words[0].lower()
    events: list[_Event] = []
    start = 0
    for end in [at + 1 for at, word in enumerate(words) if word == "that"] + [len(words)]:
        made = _clause(words, start, end)
        if not made:
            return []
        events += made
        start = end
    return events


def _clause(words: list[str], start: int, end: int) -> list[_Event]:
    """Return the verb of a clause, and an infinitive after it; or nothing if it is not one."""
    pattern: list[str] = []
    phrases: list[_Phrase] = []
    verbs: list[int] = []
    at = start
    while at < end:
        kind = _kind(words[at])
        if kind == "name":
            phrases.append(_Phrase(words[at]))
        elif kind in _ARTICLES:
            nouns = _nouns(words, at, end)
            if not nouns:
                return []
            phrases.append(_Phrase("", nouns))
            at = nouns[-1].place
            kind = "name"
        elif kind == "V":
            verbs.append(at)
        pattern.append("N" if kind == "name" else kind)
        at += 1
    if not verbs:
        return []
    verb, *others = verbs
    frame = _frame(" ".join(pattern), words[verb])
    if not frame:
        return []
    base, rule, names = frame
    roles: tuple[tuple[str, _Phrase | None], ...] = tuple(zip(names, phrases, strict=True))
    if rule == "cp":
        return [_Event(verb, words[verb], base, rule, (*roles, ("ccomp", None)))]
    event = _Event(verb, words[verb], base, rule, roles)
    if not others:
        return [event]
    word = words[others[0]]
    if "infinitive" not in _verb_forms()[word][1]:
        return []
    infinitive = _Event(others[0], word, word, "", roles)
    return [event._replace(roles=(*roles, ("xcomp", None))), infinitive]


@lru_cache(1 << 12)
def _frame(pattern: str, word: str) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the base of a verb, and the rule and roles that it has in a pattern."""
    base, uses = _verb_forms()[word]
    for use, rule, roles in _PATTERNS.get(pattern, ()):
        if use in uses:
            return base, rule, tuple(roles.split())
    return None


def _nouns(words: list[str], at: int, end: int) -> tuple[_Noun, ...]:
    """Return the nouns of the phrase at an article, or nothing if it is not one."""
    nouns: list[_Noun] = []
    while at + 1 < end and words[at] in _ARTICLES and _kind(words[at + 1]) == "noun":
        joint = words[at + 2] if at + 2 < end and words[at + 2] in _PREPOSITIONS else ""
        nouns.append(_Noun(at + 1, words[at + 1], words[at], joint))
        if not joint:
            return tuple(nouns)
        at += 3
    return ()


def _original(events: list[_Event]) -> str:
    """Return the published form."""
    definite: dict[int, str] = {}
    terms: dict[tuple[int, int], str] = {}
    for number, event in enumerate(events):
        for order, (role, phrase) in enumerate(event.roles):
            filler = phrase.filler if phrase else f"x _ {events[number + 1].place}"
            term = f"{event.base} . {role} ( x _ {event.place} , {filler} )"
            terms[event.place, order] = term
            nouns = phrase.nouns if phrase else ()
            for step, (at, word, article, joint) in enumerate(nouns, 1):
                noun = word.lower()
                if article == "the":
                    definite[at] = f"* {noun} ( x _ {at} ) ; "
                else:
                    terms[at, 0] = f"{noun} ( x _ {at} )"
                if joint:
                    inner = f"x _ {nouns[step].place}"
                    terms[at, 1] = f"{noun} . nmod . {joint} ( x _ {at} , {inner} )"
    front = "".join(definite[at] for at in sorted(definite))
    return front + " AND ".join([terms[key] for key in sorted(terms)])


def _variable_free(events: list[_Event]) -> str:
    """Return the variable-free form, from the innermost event outwards."""
    text = ""
    for event in reversed(events):
        arguments = [
            f"{role} = {_nested(phrase) if phrase else text}" for role, phrase in event.roles
        ]
        text = f"{event.base} ( {' , '.join(arguments)} )"
    return text


def _nested(phrase: _Phrase) -> str:
    """Return a noun phrase in the variable-free form, from its last noun forwards."""
    text = phrase.name
    for noun in reversed(phrase.nouns):
        inside = f" ( nmod . {noun.joint} = {text} )" if noun.joint else ""
        text = ("* " if noun.article == "the" else "") + noun.word.lower() + inside
    return text


def _derivation(events: list[_Event]) -> str:
    """Return the derivation, from the innermost event outwards."""
    text = ""
    for event in reversed(events):
        if not event.rule:
            text = event.word
            continue
        subject, *arguments = (_derived(phrase) if phrase else text for _, phrase in event.roles)
        verb = " ".join([f"VP_{event.rule}", event.word, *arguments])
        voice = "passive" if event.rule.startswith("passive") else "active"
        text = f"(S_{voice} {subject} ({verb}))"
    return text


def _derived(phrase: _Phrase) -> str:
    """Return the derivation of a noun phrase, from its last noun forwards."""
    text = f"(NP_name {phrase.name})"
    for noun in reversed(phrase.nouns):
        if noun.joint:
            text = f"(NP_det_pp {noun.article} {noun.word} (PP_{noun.joint} {text}))"
        else:
            text = f"(NP_det {noun.article} {noun.word})"
    return text
