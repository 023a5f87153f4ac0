"""The vocabulary of one set of params: its symbols, its lists of words and their texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.core.columns import offsets_of
from synthgen.core.derivation import Codes, Signature
from synthgen.core.errors import ParamError
from synthgen.generators import _cogs_large as large
from synthgen.generators import _cogs_lexicon as published
from synthgen.generators._cogs_grammar import LISTS, RULES, TARGET_WORDS
from synthgen.generators._cogs_pieces import Pieces, text_pieces
from synthgen.generators._cogs_zipf import alias_table

_NOUN, _NAME = re.compile(r"[a-z]{2,20}"), re.compile(r"[A-Z][a-z]{1,19}")
_FUNCTION_WORDS = frozenset(("a", "the", "was", "to", "by", "that", "on", "in", "beside"))
_ORIGINAL = "original"
_PLACES = ("on", "in", "beside")


class Words(NamedTuple):
    """All lists of words end to end, with tables to draw from them.

    Attributes:
        starts: int64 (lists + 1,), where each list begins.
        codes: uint16 (m,), the words.
        limits: uint64 (m,), below which 32 bits mean the word itself.
        others: uint16 (m,), the word that is meant otherwise.
    """

    starts: NDArray[np.int64]
    codes: Codes
    limits: NDArray[np.uint64]
    others: Codes


@dataclass(frozen=True)
class Vocabulary:
    """What the kernels need of a lexicon.

    Attributes:
        primitives: uint16 (m, 2), rule and word of each derivation of a single word.
    """

    signature: Signature
    words: Words
    pieces: Pieces
    primitives: Codes


def check_extra(name: str, words: object, lexicon: str) -> tuple[str, ...]:
    """Return words that a user adds to a list, if they can be told from all others.

    Args:
        name: of the parameter; `extra_names` holds names, the others common nouns.
        words: its value.
        lexicon: in use, "original" or "large".

    Raises:
        ParamError: for anything else.
    """
    pattern = _NAME if name == "extra_names" else _NOUN
    wanted = f"different new words of the form {pattern.pattern}, no verbs or function words"
    if not isinstance(words, tuple) or len(set(words)) != len(words):
        raise ParamError(name, words, wanted)
    lists = _lists(lexicon)
    verbs = {word for key in LISTS[6:18] for word in lists[key]} | set(TARGET_WORDS)
    taken = verbs | set(_lemmas(lexicon).values()) | _FUNCTION_WORDS
    for key in {"extra_names": ("name",), "extra_places": _PLACES}.get(name, (name[6:],)):
        taken |= set(lists[key])
    for word in words:
        if not isinstance(word, str) or not pattern.fullmatch(word) or word in taken:
            raise ParamError(name, words, f"{wanted}, unlike {word!r}")
    return words


@lru_cache(maxsize=16)
def vocabulary(lexicon: str, extra: tuple[tuple[str, ...], ...], exponent: float) -> Vocabulary:
    """Return the vocabulary of a lexicon.

    Args:
        lexicon: "original", or "large" with our own words after the published ones.
        extra: words to add to the animate and inanimate nouns, all three lists of places, names.
        exponent: of the Zipf weights.
    """
    lists = _lists(lexicon)
    animate, inanimate, places, names = extra
    additions = {"animate": animate, "inanimate": inanimate, "name": names}
    for key, added in (additions | dict.fromkeys(_PLACES, places)).items():
        lists[key] = (*lists[key], *added)
    lemmas = _lemmas(lexicon)
    primitives = _primitives(lists, lemmas)
    words = dict.fromkeys([*(w for key in LISTS for w in lists[key]), *(w for _, w in primitives)])
    signature = Signature.of(RULES | dict.fromkeys(words, 0))
    code = signature.code
    return Vocabulary(
        signature=signature,
        words=_tables([[code[word] for word in lists[key]] for key in LISTS], exponent),
        pieces=text_pieces(signature.names, [_formula(name, lemmas) for name in signature.names]),
        primitives=np.array([[code[rule], code[word]] for rule, word in primitives], np.uint16),
    )


def _lists(lexicon: str) -> dict[str, Sequence[str]]:
    """Return the words of every list of `LISTS`, in rank order."""
    known: dict[str, Sequence[str]] = {
        "animate": published.ANIMATE_NOUNS,
        "inanimate": published.INANIMATE_NOUNS,
        "name": published.NAMES,
        "on": published.ON_NOUNS,
        "in": published.IN_NOUNS,
        "beside": published.BESIDE_NOUNS,
        "omissible": published.OMISSIBLE_VERBS,
        "omissible_participle": published.OMISSIBLE_PARTICIPLES,
        "transitive": published.TRANSITIVE_VERBS,
        "transitive_participle": published.TRANSITIVE_PARTICIPLES,
        "clause": published.CLAUSE_VERBS,
        "control": published.CONTROL_VERBS,
        "infinitive": published.INFINITIVES,
        "unaccusative": published.UNACCUSATIVE_VERBS,
        "unaccusative_participle": published.UNACCUSATIVE_PARTICIPLES,
        "unergative": published.UNERGATIVE_VERBS,
        "dative": published.DATIVE_VERBS,
        "dative_participle": published.DATIVE_PARTICIPLES,
        **{word: [word] for word in TARGET_WORDS},
    }
    more = {} if lexicon == _ORIGINAL else _larger()
    return {key: (*words, *more.get(key, ())) for key, words in known.items()}


def _larger() -> dict[str, Sequence[str]]:
    """Return what the larger lexicon adds to each list."""
    nouns: dict[str, Sequence[str]] = {
        "animate": large.ANIMATE_NOUNS,
        "inanimate": large.INANIMATE_NOUNS,
        "name": large.NAMES,
        "on": large.ON_NOUNS,
        "in": large.IN_NOUNS,
        "beside": large.BESIDE_NOUNS,
        "infinitive": large.INFINITIVES,
    }
    verbs = {
        "omissible": large.OMISSIBLE_VERBS,
        "transitive": large.TRANSITIVE_VERBS,
        "unaccusative": large.UNACCUSATIVE_VERBS,
        "unergative": large.UNERGATIVE_VERBS,
        "dative": large.DATIVE_VERBS,
        "clause": large.CLAUSE_VERBS,
        "control": large.CONTROL_VERBS,
    }
    told = {key: [verb.split(":") for verb in group] for key, group in verbs.items()}
    pasts: dict[str, Sequence[str]] = {
        key: [forms[0] for forms in group] for key, group in told.items()
    }
    with_passive = ("omissible", "transitive", "unaccusative", "dative")
    participles: dict[str, Sequence[str]] = {
        f"{key}_participle": [forms[1] for forms in told[key]] for key in with_passive
    }
    return nouns | pasts | participles


def _lemmas(lexicon: str) -> dict[str, str]:
    """Return the base of every verb form that is another word."""
    if lexicon == _ORIGINAL:
        return published.LEMMAS
    verbs = [
        *(*large.UNERGATIVE_VERBS, *large.UNACCUSATIVE_VERBS, *large.OMISSIBLE_VERBS),
        *(*large.TRANSITIVE_VERBS, *large.DATIVE_VERBS, *large.CLAUSE_VERBS),
        *large.CONTROL_VERBS,
    ]
    forms = [verb.split(":") for verb in verbs]
    return published.LEMMAS | {form: parts[-1] for parts in forms for form in parts[:-1]}


def _primitives(lists: dict[str, Sequence[str]], lemmas: dict[str, str]) -> list[tuple[str, str]]:
    """Return rule and word of everything that can be a row of a single word."""
    kinds = {
        "word_noun": [*lists["animate"], *lists["inanimate"], "shark"],
        "word_name": [*lists["name"], "Paula"],
        "word_unergative": [*(lemmas.get(w, w) for w in lists["unergative"]), "crawl"],
        "word_unaccusative": [lemmas.get(word, word) for word in lists["unaccusative"]],
        "word_transitive": [
            lemmas.get(word, word) for word in (*lists["omissible"], *lists["transitive"])
        ],
    }
    return [(rule, word) for rule, words in kinds.items() for word in dict.fromkeys(words)]


def _tables(lists: list[list[int]], exponent: float) -> Words:
    """Put the lists end to end, with the tables that give each word its weight."""
    columns = [np.array(codes, np.uint16) for codes in lists]
    tables = [alias_table(len(codes), exponent) for codes in lists]
    return Words(
        starts=offsets_of(np.array([len(codes) for codes in lists])),
        codes=np.concatenate(columns),
        limits=np.concatenate([limits for limits, _ in tables]),
        others=np.concatenate(
            [codes[others] for codes, (_, others) in zip(columns, tables, strict=True)]
        ),
    )


def _formula(name: str, lemmas: dict[str, str]) -> str:
    """Return how a symbol is written in logical forms."""
    return lemmas.get(name, name if _NAME.fullmatch(name) else name.lower())
