"""The categories of COGS, and the programs from which their sentences are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synthgen.authoring import Words
from synthgen.core.errors import ParamError
from synthgen.families.cogs.grammar import FRAMES, KINDS, PLACES, Kind
from synthgen.families.cogs.vocabulary import Weighted

_PP_SHARES = (0.333, 0.333, 0.334)
_CATEGORIES = Words.beside(__file__, "categories.toml")


@dataclass(frozen=True)
class Category:
    """Settings for the sentences of one category; see `categories.toml`.

    Attributes:
        frames: Name of a list of frames or of one frame, or empty.
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
_GROUPS = {
    "exposure": tuple(_EXPOSURE),
    "lexical": tuple(_LEXICAL),
    "structural": tuple(_STRUCTURAL),
    "generalization": (*_LEXICAL, *_STRUCTURAL),
    "all": tuple(CATEGORIES),
}


def chosen_categories(value: object) -> tuple[str, ...]:
    """Return the categories that a name or a list of names of categories and groups selects.

    Raises:
        ParamError: For an unknown name, an empty list, or a category selected twice.
    """
    known = f"names of categories or of the groups {', '.join(_GROUPS)}, none of them twice"
    chosen = (value,) if isinstance(value, str) else value
    if not isinstance(chosen, tuple) or not chosen:
        raise ParamError("categories", value, known)
    names: list[str] = []
    for name in chosen:
        if not isinstance(name, str) or (name not in _GROUPS and name not in CATEGORIES):
            raise ParamError("categories", value, f"{known}; {name!r} is not one")
        names += _GROUPS.get(name, (name,))
    if len(set(names)) != len(names):
        raise ParamError("categories", value, known)
    return tuple(names)


class Grammar(NamedTuple):
    """Words and params of the family, shared by all categories.

    Attributes:
        lists: Words by the names of their lists.
        sentences: Weights of active, unaccusative, passive and passive dative sentences.
        active: Weights of the nine active verb phrases.
        pp, further_pp, definite, name: Probabilities.
        max_cp, max_pp: Deepest nesting that is kept.
        may_repeat: Whether a noun may occur twice in a sentence.
        redrawn: Whether only the noun is drawn again where it may not, and not the sentence.
    """

    lists: Mapping[str, Weighted[str]]
    sentences: Sequence[float]
    active: Sequence[float]
    pp: float
    further_pp: float
    definite: float
    name: float
    max_cp: int
    max_pp: int
    may_repeat: bool
    redrawn: bool


class Program:
    """Weighted choices from which the sentences of a category are drawn.

    Args:
        category: Category.
        grammar: Words and params that all categories share.
    """

    def __init__(self, category: Category, grammar: Grammar) -> None:
        self.category, self.grammar = category, grammar
        self.frames = [Weighted(FRAMES.items(), shares) for shares in _shares(category, grammar)]
        self.nouns = {
            (kind, is_common): _nouns(kind, grammar.name, is_common=is_common)
            for kind in KINDS
            for is_common in (False, True)
        }
        self.places = Weighted(PLACES, _PP_SHARES)
        further = category.further_pp
        self.further_pp = grammar.further_pp if further is None else further
        self.redrawn = grammar.redrawn or bool(category.nested)


def _nouns(kind: Kind, name: float, *, is_common: bool) -> Weighted[str]:
    """Return the lists of the first noun of a phrase; a common noun is not a name."""
    animate = (1 - kind.inanimate) * (1 - name)
    shares = (kind.inanimate, animate, 1 - kind.inanimate - animate)
    if is_common:
        shares = (kind.inanimate, animate if animate or kind.inanimate else 1.0, 0.0)
    return Weighted(("inanimate", "animate", "name"), shares)


def _shares(category: Category, grammar: Grammar) -> list[Sequence[float]]:
    """Return the shares of the frames at the outermost level and further in."""
    without_clauses = (*grammar.active[:-1], 0.0)
    if category.frames:
        names = _CATEGORIES["frames"].get(category.frames, (category.frames,))
        simple = [float(name in names) for name in FRAMES]
    elif category.sentences:
        simple = _main(category.sentences, [1.0] * len(grammar.active[:-1]) + [0.0])
    elif category.nested or not grammar.max_cp:
        simple = _main(grammar.sentences, without_clauses)
    else:
        return [_main(grammar.sentences, grammar.active)] * 2
    shares: list[Sequence[float]] = []
    for clauses in (category.first_clause, category.clauses):
        share = (category.clauses if clauses is None else clauses) if grammar.max_cp else 0.0
        total = sum(simple)
        shares.append(
            [
                share if name == "cp" else weight * (1 - share) / total
                for name, weight in zip(FRAMES, simple, strict=True)
            ]
        )
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
