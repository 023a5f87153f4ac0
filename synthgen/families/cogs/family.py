"""COGS (Kim and Linzen 2020): English sentences with their logical forms, in all its categories.

The categories that a source chooses take turns with the address. A sentence of the main grammar is
drawn as the published procedure does: expansions by their probability, words by their rank. Single
words are visited in a keyed order, and the depths of the recursion categories take turns, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from synthgen.authoring import (
    Axis,
    Condition,
    DrawnFamily,
    ParamError,
    Problem,
    Problems,
    Render,
    RowDraws,
    Rows,
    Signature,
    Texts,
    derivation_text,
    equal_to,
    levelled,
    params,
    span,
)
from synthgen.authoring.compiled import mix_words
from synthgen.authoring.distractors import chained
from synthgen.families.cogs.categories import (
    CATEGORIES,
    IN_DISTRIBUTION,
    PRIMITIVE,
    Grammar,
    Program,
    chosen_categories,
)
from synthgen.families.cogs.draw import RejectedError, Sentence
from synthgen.families.cogs.grammar import CONSTRUCTIONS, WORD_FORMS
from synthgen.families.cogs.text import Reading, variable_free
from synthgen.families.cogs.vocabulary import LEXICONS, Vocabulary, check_extra, vocabulary
from synthgen.families.cogs.words import WORDS, target_words

_FORMS = ("original", "variable_free")
_EXTRA = ("extra_animate", "extra_inanimate", "extra_places", "extra_names")
_TRANSITIVE, _CLAUSE = 4, 8
"""Places of the active weights."""
_PUBLISHED_DEPTH, _MAX_DEPTH = 2, 40
_TARGETS = target_words()
_SUBJECT_TYPES = {"": "none", "NP_det": "common", "NP_det_pp": "common_pp", "NP_name": "name"}
_ROLES = ("agent", "theme", "recipient")
_MISTAKEN = [
    re.compile(pattern)
    for pattern in (
        rf"\. (?P<name>{'|'.join(_ROLES)})\b",
        r"(?P<name>\b[a-z]+) \. (?:agent|theme|recipient|ccomp|xcomp)\b",
        r"(?<!\. )(?P<name>\b[a-z]+) \( x",
        r"(?P<name>\b[A-Z][a-z]+)\b",
        r"\b_ (?P<name>[0-9]+)",
    )
]
"""Roles, verbs, nouns, names and variables."""
_ATTEMPTS, _OFFERED = 64, 10
"""Sentences tried for one address before it is given up as invalid."""


@levelled("n_tokens", 2, 4, 5, 6, 7, 8, 10, 12, 16, 24)
@dataclass(frozen=True)
class Cogs(DrawnFamily):
    """Sentences, single words and their logical forms.

    Attributes:
        categories: A category, a group (exposure, lexical, structural, generalization, all), or
            several of them; they take turns with the address.
        in_distribution_turns: Turns that in_distribution has for each turn of another category.
        logical_form: "original", or "variable_free" as later work writes it.
        lexicon: "original", or "large" with about twice as many words.
        extra_animate, extra_inanimate, extra_places, extra_names: Words added at the end of lists.
        zipf_exponent: Exponent of the words' weights by rank, 1 (all equal) to 10.
        sentence_weights: Weights of active, unaccusative, passive and passive dative sentences.
        active_weights: Weights of the active verb phrases, in the order unergative, transitive
            unaccusative, omitted object, transitive omissible, transitive, infinitive, dative with
            to, double object, that-clause.
        pp, further_pp, definite, name: Probability that a noun which may have a prepositional
            phrase has one, that the phrase contains another, that an article is `the`, and that an
            animate noun phrase is a name.
        repeated_nouns: Whether a noun or name may occur twice in a sentence. Otherwise such
            sentences are refused, or where they nest deeper than two the noun is drawn again.
        max_cp_depth, max_pp_depth: Nesting of clauses and of prepositional phrases, 0 to 40.
        cp_recursion, pp_recursion: Smallest and largest depth of the two recursion categories.
    """

    categories: str | tuple[str, ...] = params.checked(
        IN_DISTRIBUTION, lambda _, value: chosen_categories(value)
    )
    in_distribution_turns: int = params.integer(1, 1, 1_000_000)
    logical_form: str = params.choice("original", _FORMS)
    lexicon: str = params.choice("original", LEXICONS)
    extra_animate: tuple[str, ...] = ()
    extra_inanimate: tuple[str, ...] = ()
    extra_places: tuple[str, ...] = ()
    extra_names: tuple[str, ...] = ()
    zipf_exponent: float = params.number(1.4, 1, 10)
    sentence_weights: tuple[float, ...] = params.weights((0.49, 0.06, 0.375, 0.075), needed=4)
    active_weights: tuple[float, ...] = params.weights((0.10525,) * 8 + (0.158,), needed=8)
    pp: float = params.number(0.5, 0, 1)
    further_pp: float = params.number(0.1, 0, 1)
    definite: float = params.number(0.5, 0, 1)
    name: float = params.number(0.5, 0, 1)
    repeated_nouns: bool = params.flag(default=False)
    max_cp_depth: int = params.integer(2, 0, _MAX_DEPTH)
    max_pp_depth: int = params.integer(2, 0, _MAX_DEPTH)
    cp_recursion: tuple[int, ...] = params.span((3, 12), 1, _MAX_DEPTH)
    pp_recursion: tuple[int, ...] = params.span((3, 12), 1, _MAX_DEPTH)

    version = 4
    verifier = "cogs"
    words = WORDS
    answer_type = "string"
    prompts = ("bare", "instruction")
    solutions = ("none", "derivation")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in _EXTRA:
            check_extra(name, getattr(self, name), self.lexicon)
        # Recursion must be deeper than all else, or the same sentence would be in two categories.
        for name, deepest in (
            ("cp_recursion", self.max_cp_depth),
            ("pp_recursion", self.max_pp_depth),
        ):
            depths = getattr(self, name)
            if name in self._chosen and depths[0] <= deepest:
                wanted = f"depths above those of other categories, {deepest}"
                raise ParamError(name, depths, wanted)

    @cached_property
    def signature(self) -> Signature:
        """Rules, and the words in use."""
        return self._vocabulary.signature

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        cp_depth, pp_depth = self.max_cp_depth, self.max_pp_depth
        if "cp_recursion" in self._chosen:
            cp_depth = max(cp_depth, self.cp_recursion[1])
        if "pp_recursion" in self._chosen:
            pp_depth = max(pp_depth, self.pp_recursion[1])
        return _axes(cp_depth, pp_depth, self.logical_form)

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The category, and the depths of the recursion categories."""
        return {
            "category": equal_to("categories"),
            "cp_depth": span("cp_recursion", categories=("cp_recursion",)),
            "pp_depth": span("pp_recursion", categories=("pp_recursion",)),
        }

    @property
    def space(self) -> int | None:
        """Number of single words if there is nothing else, else None."""
        return len(self._vocabulary.primitives) if self._chosen == (PRIMITIVE,) else None

    @property
    def fewest_problems(self) -> int | None:
        """Single words, or sentences `[name] [verb] that ... Det noun verb Det noun`."""
        if self.space is not None:
            return self.space
        is_free = 0 < self.definite < 1 and 0 < self.name < 1 and self.pp < 1
        is_drawn = self.sentence_weights[0] > 0 and self.active_weights[_TRANSITIVE] > 0
        if IN_DISTRIBUTION not in self._chosen or not is_free or not is_drawn:
            return None
        sizes = {name: len(words.items) for name, words in self._vocabulary.lists.items()}
        beginnings, total = 1, 0
        for depth in range(self.max_cp_depth + 1 if self.active_weights[_CLAUSE] > 0 else 1):
            objects = sizes["inanimate"] - 1  # the list may have the subject, too
            total += beginnings * 4 * sizes["animate"] * sizes["transitive"] * objects
            beginnings *= max(0, sizes["name"] - depth) * sizes["clause"]
        return total

    @property
    def _chosen(self) -> tuple[str, ...]:
        return chosen_categories(self.categories)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        extra = (self.extra_animate, self.extra_inanimate, self.extra_places, self.extra_names)
        return vocabulary(self.lexicon, extra, float(self.zipf_exponent))

    @cached_property
    def _programs(self) -> dict[str, Program]:
        grammar = Grammar(
            lists=self._vocabulary.lists,
            sentences=self.sentence_weights,
            active=self.active_weights,
            pp=self.pp,
            further_pp=self.further_pp,
            definite=self.definite,
            name=self.name,
            max_cp=self.max_cp_depth,
            max_pp=self.max_pp_depth,
            may_repeat=self.repeated_nouns,
            redrawn=max(self.max_cp_depth, self.max_pp_depth) > _PUBLISHED_DEPTH,
        )
        return {name: Program(CATEGORIES[name], grammar) for name in self._chosen}

    def make_all(self, rows: Rows) -> list[Problem | None]:
        """Draw the sentences and words at these addresses."""
        turns = {IN_DISTRIBUTION: self.in_distribution_turns}
        cycle = [name for name in self._chosen for _ in range(turns.get(name, 1))]
        words = self._visited(rows.stream)
        made: list[Problem | None] = []
        for address, draws in zip(rows.addresses.tolist(), rows.each(), strict=True):
            turn, place = divmod(address, len(cycle))
            if cycle[place] == PRIMITIVE:
                made.append(_single_word(*words[turn % len(words)]))
            else:
                made.append(self._make(cycle[place], turn, draws))
        return made

    def _visited(self, stream: int) -> list[tuple[str, str]]:
        """Return the single words in the order in which a stream visits them."""
        words = self._vocabulary.primitives
        ranks = mix_words(np.arange(len(words), dtype=np.uint64) ^ np.uint64(stream))
        return [words[place] for place in np.argsort(ranks, kind="stable")]

    def _make(self, category: str, turn: int, draws: RowDraws) -> Problem | None:
        """Draw the sentence of a category's turn."""
        depths = {}
        nested = CATEGORIES[category].nested
        if nested:
            low, high = getattr(self, category)
            depths[nested] = low + turn % (high - low + 1)
        for _ in range(_ATTEMPTS):
            try:
                sentence = Sentence(
                    self._programs[category], draws, depths.get("cp"), depths.get("pp")
                )
            except RejectedError:
                continue
            return self._problem(category, sentence)
        return None

    def _problem(self, category: str, sentence: Sentence) -> Problem:
        tree: Any = sentence.tree
        reading = Reading(tree)
        text = reading.sentence
        is_original = self.logical_form == "original"
        answer = reading.original if is_original else variable_free(tree)
        cp_depth, pp_depth = len(sentence.frames) - 1, max(sentence.chains)
        return Problem(
            tree=tree,
            answer=answer,
            kind=self.logical_form,
            holes={"sentence": text, "example": WORDS["examples"][self.logical_form]},
            axes={
                "category": category,
                "construction": sentence.frames[0].split("/")[0],
                "clause": sentence.frames[-1].split("/")[0],
                "subject_type": _SUBJECT_TYPES[tree[1][0]],
                "primitive": CATEGORIES[category].target or "none",
                "cp_depth": cp_depth,
                "pp_depth": pp_depth,
                "n_pp": sum(sentence.chains),
                "n_tokens": text.count(" ") + 1,
                "lf_tokens": answer.count(" ") + 1,
                "depth": sentence.depth,
            },
            difficulty=cp_depth + pp_depth,
        )

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Exchange roles, words or variables throughout the formula, or mistake the only role."""
        return chained(problem.answer, _misread, draws, _OFFERED)

    def render(self, problems: Problems, style: Render) -> Texts:
        """Render sentences, logical forms and, with style.solution "derivation", derivations."""
        texts = super().render(problems, style)
        if style.solution == "derivation":
            solutions = derivation_text(problems.derivations, self.signature)
            texts = replace(texts, solutions=solutions)
        return texts


def _misread(formula: str, draws: RowDraws) -> str | None:
    """Return a formula with one mistake; None if it has nothing to mistake."""
    places = [*draws.choice(_MISTAKEN).finditer(formula)]
    names = [*dict.fromkeys(place["name"] for place in places)]
    if len(names) > 1:
        one, other = draws.sample(names, 2)
    elif names and names[0] in _ROLES:
        one, other = names[0], _ROLES[names[0] == _ROLES[0]]
    else:
        return None
    turned = {one: other, other: one}
    for place in reversed(places):
        name = turned.get(place["name"], place["name"])
        formula = f"{formula[: place.start('name')]}{name}{formula[place.end('name') :]}"
    return formula


GENERATORS = {"cogs": Cogs}


def _axes(cp_depth: int, pp_depth: int, form: str) -> dict[str, Axis]:
    """Return the axes, given the most nested clauses and prepositional phrases."""
    phrase = 2 + 3 * pp_depth
    subjects = cp_depth + 1
    tokens = subjects * (phrase + 2) + 2 * phrase + 5
    formula = (subjects + 2) * (8 + 23 * pp_depth + 27)
    return {
        "category": Axis("category of the row, as published", values=tuple(CATEGORIES)),
        "construction": Axis("construction of the outermost clause", values=CONSTRUCTIONS),
        "clause": Axis("construction of the innermost clause", values=CONSTRUCTIONS),
        "subject_type": Axis(
            "subject of the outermost clause", values=tuple(_SUBJECT_TYPES.values())
        ),
        "primitive": Axis(
            "word whose use differs between training and generalization",
            values=("none", *_TARGETS),
        ),
        "cp_depth": Axis("nested `that` clauses", "int16", 0, cp_depth),
        "pp_depth": Axis("longest chain of prepositional phrases", "int16", 0, pp_depth),
        "n_pp": Axis("prepositional phrases", "int16", 0, (subjects + 2) * pp_depth),
        "n_tokens": Axis("tokens of the sentence, including the full stop", "int16", 1, tokens),
        "lf_tokens": Axis(
            "tokens of the logical form", "int16", 1, formula, (), canonical=form == "original"
        ),
        "depth": Axis("depth of the derivation", "int16", 2, 2 * cp_depth + 2 * pp_depth + 4),
    }


def _single_word(rule: str, word: str) -> Problem:
    formula = WORD_FORMS[rule].format(word.lower() if rule == "word_noun" else word)
    axes = dict.fromkeys(("cp_depth", "pp_depth", "n_pp"), 0)
    return Problem(
        tree=(rule, word),
        answer=formula,
        kind="word",
        holes={"sentence": word},
        axes={
            "category": PRIMITIVE,
            "construction": rule,
            "clause": rule,
            "subject_type": "none",
            "primitive": word if word in _TARGETS else "none",
            **axes,
            "n_tokens": 1,
            "lf_tokens": formula.count(" ") + 1,
            "depth": 2,
        },
    )
