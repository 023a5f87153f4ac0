"""The words that sentences are drawn from, with their weights by rank."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Generic, TypeVar

import flint

from synthgen.authoring import ParamError, RowDraws, Signature
from synthgen.families.cogs.grammar import PLACES, RULES
from synthgen.families.cogs.words import (
    VERBS,
    all_verbs,
    infinitives,
    target_words,
    verb_list,
    word_list,
)

T = TypeVar("T")
NAME = re.compile(r"[A-Z][a-z]{1,19}")
_NOUN = re.compile(r"[a-z]{2,20}")
_FUNCTION_WORDS = ("a", "the", "was", "to", "by", "that", *PLACES)
_PARTS = {"original": ("published",), "large": ("published", "large")}
LEXICONS = tuple(_PARTS)
_PRECISION = 128
"""Bits of the weights before they are exact fractions."""


class Weighted(Generic[T]):
    """Items that are drawn by their weights, which need not add up to 1."""

    def __init__(self, items: Iterable[T], weights: Iterable[Fraction | float]) -> None:
        self.items = [*items]
        *sums, total = accumulate(Fraction(weight) for weight in weights)
        self._limits = [int(each / total * 2**64) for each in sums]

    def draw(self, draws: RowDraws) -> T:
        """Draw an item: each has a range of 64-bit words in proportion to its weight."""
        return self.items[bisect_right(self._limits, draws.bits())]


@dataclass(frozen=True)
class Vocabulary:
    """The words in use.

    Attributes:
        signature: Rules and words.
        lists: Words of each list, by rank; a target word is a list of its own.
        primitives: Rule and word of each derivation of a single word.
    """

    signature: Signature
    lists: dict[str, Weighted[str]]
    primitives: list[tuple[str, str]]


def check_extra(name: str, words: object, lexicon: str) -> None:
    """Check words that a user adds to a list: nothing else may be spelled like them.

    Args:
        name: Name of the parameter; `extra_names` holds names, the others common nouns.
        words: Its value.
        lexicon: Lexicon in use, "original" or "large".

    Raises:
        ParamError: For anything else.
    """
    pattern = NAME if name == "extra_names" else _NOUN
    wanted = f"different new words of the form {pattern.pattern}, no verbs or function words"
    if not isinstance(words, tuple) or len(set(words)) != len(words):
        raise ParamError(name, words, wanted)
    taken = {*_FUNCTION_WORDS, *target_words(), *infinitives()}
    taken |= {form for _, verb in all_verbs() for form in verb}
    key = name.removeprefix("extra_")
    for each in {"names": ("name",), "places": PLACES}.get(key, (key,)):
        taken |= {*_words(lexicon, each)}
    for word in words:
        if not isinstance(word, str) or not pattern.fullmatch(word) or word in taken:
            raise ParamError(name, words, f"{wanted}, unlike {word!r}")


@lru_cache(maxsize=16)
def vocabulary(lexicon: str, extra: tuple[tuple[str, ...], ...], exponent: float) -> Vocabulary:
    """Return the vocabulary of a lexicon.

    Args:
        lexicon: "original", or "large" with further words after the published ones.
        extra: Words to add to the animate and inanimate nouns, all three lists of places, names.
        exponent: Exponent of the Zipf weights.
    """
    animate, inanimate, places, names = extra
    added = {"animate": animate, "inanimate": inanimate, "name": names}
    added |= dict.fromkeys(PLACES, places)
    lists = {
        name: [*_words(lexicon, name), *added.get(name, ())]
        for name in ("animate", "inanimate", "name", *PLACES, "infinitive")
    }
    verbs = {
        name: [verb for part in _PARTS[lexicon] for verb in verb_list(part, name)] for name in VERBS
    }
    for name, forms in verbs.items():
        lists[name] = [verb.past for verb in forms]
        if all(verb.participle for verb in forms):
            lists[f"{name}_participle"] = [verb.participle for verb in forms]
    lists |= {word: [word] for word in target_words()}
    kinds = {
        "word_noun": [*lists["animate"], *lists["inanimate"], "shark"],
        "word_name": [*lists["name"], "Paula"],
        "word_unergative": [*(verb.base for verb in verbs["unergative"]), "crawl"],
        "word_unaccusative": [verb.base for verb in verbs["unaccusative"]],
        "word_transitive": [verb.base for verb in verbs["omissible"] + verbs["transitive"]],
    }
    primitives = [(rule, word) for rule, words in kinds.items() for word in dict.fromkeys(words)]
    known = dict.fromkeys(word for words in lists.values() for word in words)
    known |= dict.fromkeys(word for _, word in primitives)
    return Vocabulary(
        signature=Signature.from_arities(RULES | dict.fromkeys(known, 0)),
        lists={
            name: Weighted(words, zipf_weights(len(words), exponent))
            for name, words in lists.items()
        },
        primitives=primitives,
    )


def _words(lexicon: str, name: str) -> list[str]:
    return [word for part in _PARTS[lexicon] for word in word_list(part, name)]


@lru_cache(maxsize=64)
def zipf_weights(size: int, exponent: float) -> Sequence[Fraction]:
    """Return the probability of each of `size` ranks; they add up to 1.

    Rank k has k^-s / zeta(s), and what all ranks beyond the list would have is spread evenly over
    the list. For s = 1, where zeta has no value, that leaves every rank the same.
    """
    if exponent <= 1:
        return [Fraction(1, size)] * size
    # Balls of FLINT give the same bits everywhere, which powers of floating point do not.
    with flint.ctx.workprec(_PRECISION):
        power = flint.arb(flint.fmpq(*Fraction(repr(exponent)).as_integer_ratio()))
        zeta = power.zeta()
        balls = [(flint.arb(k) ** -power / zeta).mid().man_exp() for k in range(1, size + 1)]
    heads = [int(mantissa) * Fraction(2) ** int(power_of_2) for mantissa, power_of_2 in balls]
    missing = (1 - sum(heads, Fraction(0))) / size
    return [head + missing for head in heads]
