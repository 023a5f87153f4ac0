"""What the kernels draw from: the words of a lexicon with their weights, and the categories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import flint
import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Words
from synthgen.core.columns import offsets_of
from synthgen.core.errors import ParamError
from synthgen.families.cogs.grammar import FRAME, LIST, LISTS, PLACES, RULES
from synthgen.families.cogs.kernels import ANY, REDRAWN, REQUIRED, Programs, WordTables
from synthgen.families.cogs.text import Pieces, text_pieces
from synthgen.families.cogs.words import (
    VERBS,
    Verb,
    all_verbs,
    infinitives,
    target_words,
    verb_list,
    word_list,
)
from synthgen.trees.derivations import Codes, Signature

_NOUN, _NAME = re.compile(r"[a-z]{2,20}"), re.compile(r"[A-Z][a-z]{1,19}")
_FUNCTION_WORDS = ("a", "the", "was", "to", "by", "that", *PLACES)
_PARTS = {"original": ("published",), "large": ("published", "large")}
LEXICONS = tuple(_PARTS)
_ONE = 1 << 32
"""Limit of a slot of an alias table that is always itself: its draw has 32 bits."""
_PRECISION = 128
"""Bits of the weights before they are exact fractions."""


@dataclass(frozen=True)
class Vocabulary:
    """A lexicon as the kernels read it.

    Attributes:
        signature: rules and words.
        words: tables to draw from.
        pieces: tables to render with.
        sizes: number of words of every list.
        primitives: uint16 (m, 2), rule and word of each derivation of a single word.
    """

    signature: Signature
    words: WordTables
    pieces: Pieces
    sizes: dict[str, int]
    primitives: Codes


def check_extra(name: str, words: object, lexicon: str) -> None:
    """Check words that a user adds to a list: nothing else may be spelled like them.

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
    taken = {*_FUNCTION_WORDS, *target_words(), *infinitives()}
    taken |= {form for _, verb in all_verbs() for form in verb}
    key = name.removeprefix("extra_")
    for each in {"names": ("name",), "places": PLACES}.get(key, (key,)):
        taken |= {word for part in _PARTS[lexicon] for word in word_list(part, each)}
    for word in words:
        if not isinstance(word, str) or not pattern.fullmatch(word) or word in taken:
            raise ParamError(name, words, f"{wanted}, unlike {word!r}")


@lru_cache(maxsize=16)
def vocabulary(lexicon: str, extra: tuple[tuple[str, ...], ...], exponent: float) -> Vocabulary:
    """Return the vocabulary of a lexicon.

    Args:
        lexicon: "original", or "large" with further words after the published ones.
        extra: words to add to the animate and inanimate nouns, all three lists of places, names.
        exponent: of the Zipf weights.
    """
    animate, inanimate, places, names = extra
    added = {"animate": animate, "inanimate": inanimate, "name": names}
    added |= dict.fromkeys(PLACES, places)
    lists = {key: [*_words(lexicon, key), *added.get(key, ())] for key in LISTS}
    primitives = _primitives(lexicon, lists)
    words = dict.fromkeys([*(w for key in LISTS for w in lists[key]), *(w for _, w in primitives)])
    signature = Signature.of(RULES | dict.fromkeys(words, 0))
    code = signature.code
    bases = {form: verb.base for _, verb in all_verbs() for form in (verb.past, verb.participle)}
    formulas = [_formula(name, bases) for name in signature.names]
    return Vocabulary(
        signature=signature,
        words=_tables([[code[word] for word in lists[key]] for key in LISTS], exponent),
        pieces=text_pieces(signature.names, formulas),
        sizes={key: len(words) for key, words in lists.items()},
        primitives=np.array([[code[rule], code[word]] for rule, word in primitives], np.uint16),
    )


def _words(lexicon: str, key: str) -> list[str]:
    """Return the words of one of LISTS, by rank."""
    if key in target_words():
        return [key]
    name = key.removesuffix("_participle")
    verbs = _verbs(lexicon, name)
    if key != name:
        return [verb.participle for verb in verbs]
    if name in VERBS:
        return [verb.past for verb in verbs]
    return [word for part in _PARTS[lexicon] for word in word_list(part, name)]


def _verbs(lexicon: str, name: str) -> list[Verb]:
    return [verb for part in _PARTS[lexicon] for verb in verb_list(part, name)]


def _primitives(lexicon: str, lists: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Return rule and word of everything that can be a row of a single word."""
    bases = {
        name: [verb.base for verb in _verbs(lexicon, name)]
        for name in ("unergative", "unaccusative", "omissible", "transitive")
    }
    kinds = {
        "word_noun": [*lists["animate"], *lists["inanimate"], "shark"],
        "word_name": [*lists["name"], "Paula"],
        "word_unergative": [*bases["unergative"], "crawl"],
        "word_unaccusative": bases["unaccusative"],
        "word_transitive": [*bases["omissible"], *bases["transitive"]],
    }
    return [(rule, word) for rule, words in kinds.items() for word in dict.fromkeys(words)]


def _formula(name: str, bases: dict[str, str]) -> str:
    """Return how a symbol is written in logical forms."""
    return bases.get(name, name if _NAME.fullmatch(name) else name.lower())


def _tables(lists: list[list[int]], exponent: float) -> WordTables:
    """Put the lists end to end, with the tables that give each word its weight."""
    columns = [np.array(codes, np.uint16) for codes in lists]
    tables = [alias_table(zipf_weights(len(codes), exponent)) for codes in lists]
    return WordTables(
        starts=offsets_of(np.array([len(codes) for codes in lists])),
        codes=np.concatenate(columns),
        limits=np.concatenate([limits for limits, _ in tables]),
        others=np.concatenate(
            [codes[others] for codes, (_, others) in zip(columns, tables, strict=True)]
        ),
    )


@lru_cache(maxsize=64)
def zipf_weights(size: int, exponent: float) -> tuple[Fraction, ...]:
    """Return the probability of each of `size` ranks; they add up to 1.

    Rank k has k^-s / zeta(s), and what all ranks beyond the list would have is spread evenly over
    the list. For s = 1, where zeta has no value, that leaves every rank the same.
    """
    if exponent <= 1:
        return (Fraction(1, size),) * size
    with flint.ctx.workprec(_PRECISION):
        power = flint.arb(flint.fmpq(*Fraction(repr(exponent)).as_integer_ratio()))
        zeta = power.zeta()
        heads = [_fraction(flint.arb(k) ** -power / zeta) for k in range(1, size + 1)]
    missing = (1 - sum(heads, Fraction(0))) / size
    return tuple(head + missing for head in heads)


def _fraction(ball: flint.arb) -> Fraction:
    """Return the middle of a ball, mantissa * 2^exponent, as an exact value."""
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def alias_table(weights: Sequence[Fraction]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the tables by which Walker's method draws ranks with these weights.

    Returns:
        limits: uint64 (size,); slot i is itself if 32 uniform bits are below limits[i].
        others: int64 (size,); the rank (from 0) that slot i is otherwise.
    """
    size = len(weights)
    shares = [weight * size for weight in weights]
    limits, others = [_ONE] * size, list(range(size))
    poor = [i for i, share in enumerate(shares) if share < 1]
    rich = [i for i, share in enumerate(shares) if share >= 1]
    while poor and rich:
        low, high = poor.pop(), rich[-1]
        limits[low] = int(shares[low] * _ONE)
        others[low] = high
        shares[high] -= 1 - shares[low]
        if shares[high] < 1:
            poor.append(rich.pop())
    return np.array(limits, np.uint64), np.array(others, np.int64)


_CATEGORIES = Words.beside(__file__, "categories.toml")


@dataclass(frozen=True)
class Category:
    """What the sentences of one category are drawn from; see `categories.toml`.

    Attributes:
        frames: name of a list of frames or of one frame, or empty.
    """

    frames: str = ""
    clauses: float = 0.0
    first_clause: float | None = None
    subject: str = ""
    theme: str = ""
    verb: str = ""
    infinitive: str = ""
    subject_pp: bool = False
    sentences: Sequence[float] = ()
    further_pp: float | None = None
    nested: str = ""

    @property
    def target(self) -> str:
        """The target word, or nothing."""
        return self.subject or self.theme or self.verb or self.infinitive


def _part(name: str, prefix: str = "") -> dict[str, Category]:
    return {f"{prefix}{key}": Category(**fields) for key, fields in _CATEGORIES[name].items()}


IN_DISTRIBUTION, PRIMITIVE = "in_distribution", "primitive"
_EXPOSURE = _part("exposure", "exposure_example_")
_LEXICAL, _STRUCTURAL = _part("lexical"), _part("structural")
CATEGORIES = _part("training") | _EXPOSURE | _LEXICAL | _STRUCTURAL
NAMES = tuple(CATEGORIES)
GROUPS = {
    "exposure": tuple(_EXPOSURE),
    "lexical": tuple(_LEXICAL),
    "structural": tuple(_STRUCTURAL),
    "generalization": (*_LEXICAL, *_STRUCTURAL),
    "all": NAMES,
}


def chosen_categories(value: object) -> tuple[str, ...]:
    """Return the categories that a name or a list of names of categories and groups selects.

    Raises:
        ParamError: for an unknown name, an empty list, or a category selected twice.
    """
    known = f"names of categories or of the groups {', '.join(GROUPS)}, none of them twice"
    asked = (value,) if isinstance(value, str) else value
    if not isinstance(asked, tuple) or not asked:
        raise ParamError("categories", value, known)
    names: list[str] = []
    for name in asked:
        if not isinstance(name, str) or (name not in GROUPS and name not in CATEGORIES):
            raise ParamError("categories", value, f"{known}; {name!r} is not one")
        names += GROUPS.get(name, (name,))
    if len(set(names)) != len(names):
        raise ParamError("categories", value, known)
    return tuple(names)


@dataclass(frozen=True)
class Weights:
    """Params of the main grammar that all categories share.

    Attributes:
        sentences: weights of active, unaccusative, passive and passive dative sentences.
        active: weights of the nine active verb phrases.
        further_pp: share of prepositional phrases that contain another.
        nested: whether sentences may have `that` clauses.
        repeats: REFUSED, REDRAWN or ALLOWED.
    """

    sentences: tuple[float, ...]
    active: tuple[float, ...]
    further_pp: float
    nested: bool
    repeats: int


def programs(weights: Weights) -> Programs:
    """Return the programs of all categories.

    Where a category nests deep, a repeated noun is drawn again: nearly every sentence has one.
    """
    categories = list(CATEGORIES.values())
    cumulated = np.cumsum(np.array([_shares(each, weights) for each in categories]), axis=2)
    parts = ("subject", "theme", "verb", "infinitive")
    targets = [[LIST.get(getattr(each, part), -1) for part in parts] for each in categories]
    deep = max(weights.repeats, REDRAWN)
    further = [
        weights.further_pp if each.further_pp is None else each.further_pp for each in categories
    ]
    return Programs(
        frames=cumulated / cumulated[:, :, -1:],
        targets=np.array(targets, np.int64),
        subject_depth=np.array([REQUIRED if each.subject_pp else ANY for each in categories]),
        further=np.array(further),
        repeats=np.array([deep if each.nested else weights.repeats for each in categories]),
    )


def _shares(category: Category, weights: Weights) -> list[list[float]]:
    """Return the shares of the frames at the outermost level and further in."""
    without_clauses = (*weights.active[:-1], 0.0)
    if category.frames:
        frames = _CATEGORIES["frames"].get(category.frames, (category.frames,))
        simple = [float(name in frames) for name in FRAME]
    elif category.sentences:
        simple = _main(category.sentences, (*(1.0 for _ in weights.active[:-1]), 0.0))
    elif category.nested or not weights.nested:
        simple = _main(weights.sentences, without_clauses)
    else:
        main = _main(weights.sentences, weights.active)
        return [main, main]
    shares = []
    for clauses in (category.first_clause, category.clauses):
        share = (category.clauses if clauses is None else clauses) if weights.nested else 0.0
        row = [weight * (1 - share) / (sum(simple) or 1.0) for weight in simple]
        row[FRAME["cp"]] = share
        shares.append(row)
    return shares


def _main(sentences: Sequence[float], active: Sequence[float]) -> list[float]:
    """Return the share of every frame in the main grammar."""
    total, phrases = sum(sentences), sum(active) or 1.0
    return [
        *(sentences[0] / total * weight / phrases for weight in active),
        sentences[1] / total,
        *[sentences[2] / total / 8] * 8,  # six passives of plain verbs and two of `to` datives
        *[sentences[3] / total / 2] * 2,  # passives of double objects
    ]
