"""The words and wordings of COGS, as both sides read them from `lexicon.toml` and `words.toml`."""

from __future__ import annotations

from typing import NamedTuple

from synthgen.authoring import Words

WORDS = Words.beside(__file__)
_LEXICON = Words.beside(__file__, "lexicon.toml")
VERBS = ("omissible", "unaccusative", "transitive", "dative", "unergative", "clause", "control")
"""Classes of verbs."""
_PARTS = ("published", "targets", "large")


class Verb(NamedTuple):
    """Forms of a verb; the participle is empty where the verb has no passive."""

    past: str
    participle: str
    base: str


def word_list(part: str, name: str) -> list[str]:
    """Return a list of nouns, names or infinitives of a part of the lexicon, by rank."""
    words: str = _LEXICON[part].get(name, "")
    return words.split()


def verb_list(part: str, name: str) -> list[Verb]:
    """Return the verbs of a class in a part of the lexicon, by rank."""
    forms = [word.split(":") for word in word_list(part, name)]
    return [Verb(each[0], each[1] if len(each) > 2 else "", each[-1]) for each in forms]


def all_verbs() -> list[tuple[str, Verb]]:
    """Return every verb of the whole lexicon with its class; some are of several."""
    return [(name, verb) for part in _PARTS for name in VERBS for verb in verb_list(part, name)]


def infinitives() -> list[str]:
    """Return every infinitive of the whole lexicon."""
    return [word for part in _PARTS for word in word_list(part, "infinitive")]


def target_words() -> list[str]:
    """Return the words whose use differs between training and generalization."""
    return [word.split(":")[0] for words in _LEXICON["targets"].values() for word in words.split()]
