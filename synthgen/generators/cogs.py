"""COGS (Kim and Linzen 2020): English sentences with their logical forms, in all its categories.

The categories that a source asks for take turns with the address. A sentence of the main grammar is
drawn as the published procedure does: expansions by their probability, words by their rank. The
single words are walked through in a keyed order, and the depths of the recursion categories take
turns, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_bool, check_choice, check_int
from synthgen.core.columns import Ragged, choice_text, constant_text
from synthgen.core.conditions import Condition, equal_to, span
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Codes, Signature, derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, mix_words
from synthgen.generators import _cogs_categories as cogs
from synthgen.generators._cogs_axes import cogs_axes, cogs_columns
from synthgen.generators._cogs_bound import fewest_sentences
from synthgen.generators._cogs_checks import check_depths, check_number, check_weights
from synthgen.generators._cogs_draw import MOST_DEPTH, draw_sentences
from synthgen.generators._cogs_phrases import ALLOWED, REDRAWN, Chances
from synthgen.generators._cogs_prompts import instructions
from synthgen.generators._cogs_text import sentence_texts
from synthgen.generators._cogs_words import Vocabulary, check_extra, vocabulary

_SENTENCES, _ACTIVE = 4, 9
_TRANSITIVE, _CLAUSE = 4, 8
_PUBLISHED_DEPTH = 2
_MOST_TURNS = 1_000_000
_PRIMITIVE, _IN_DISTRIBUTION = (
    cogs.NAMES.index(name) for name in (cogs.PRIMITIVE, cogs.IN_DISTRIBUTION)
)


@dataclass(frozen=True)
class Cogs:
    """Sentences, single words and their logical forms.

    Attributes:
        categories: a category, a group (exposure, lexical, structural, generalization, all), or
            several of them; they take turns with the address.
        in_distribution_turns: turns that in_distribution has for each one of the others.
        logical_form: "original", or "variable_free" as later work writes it.
        lexicon: "original", or "large" with about as many words again.
        extra_animate, extra_inanimate, extra_places, extra_names: words that follow in the lists.
        zipf_exponent: of the words' weights by rank, 1 (all equal) to 10.
        sentence_weights: of active, unaccusative, passive and passive dative sentences.
        active_weights: of the active verb phrases, in the order unergative, transitive
            unaccusative, omitted object, transitive omissible, transitive, infinitive, dative with
            to, double object, that-clause.
        pp, further_pp, definite, name: probability that a noun which may have a prepositional
            phrase has one, that it holds another, that an article is `the`, and that an animate
            noun phrase is a name.
        repeated_nouns: a noun or name may occur twice in a sentence. Otherwise such sentences are
            refused, or where they nest deeper than two the noun is drawn again.
        max_cp_depth, max_pp_depth: nesting of clauses and of prepositional phrases, 0 to 40.
        cp_recursion, pp_recursion: least and largest depth of the two recursion categories.
    """

    categories: str | tuple[str, ...] = cogs.IN_DISTRIBUTION
    in_distribution_turns: int = 1
    logical_form: str = "original"
    lexicon: str = "original"
    extra_animate: tuple[str, ...] = ()
    extra_inanimate: tuple[str, ...] = ()
    extra_places: tuple[str, ...] = ()
    extra_names: tuple[str, ...] = ()
    zipf_exponent: float = 1.4
    sentence_weights: tuple[float, ...] = (0.49, 0.06, 0.375, 0.075)
    active_weights: tuple[float, ...] = (0.10525,) * 8 + (0.158,)
    pp: float = 0.5
    further_pp: float = 0.1
    definite: float = 0.5
    name: float = 0.5
    repeated_nouns: bool = False
    max_cp_depth: int = 2
    max_pp_depth: int = 2
    cp_recursion: tuple[int, ...] = (3, 12)
    pp_recursion: tuple[int, ...] = (3, 12)

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "cogs"
    verifier: ClassVar[str] = "cogs"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "derivation")
    conditions: ClassVar[Mapping[str, Condition]] = {
        "category": equal_to("categories"),
        "cp_depth": span("cp_recursion", categories=("cp_recursion",)),
        "pp_depth": span("pp_recursion", categories=("pp_recursion",)),
    }

    def __post_init__(self) -> None:
        cogs.chosen_categories(self.categories)
        check_int("in_distribution_turns", self.in_distribution_turns, 1, _MOST_TURNS)
        check_choice("logical_form", self.logical_form, ("original", "variable_free"))
        check_choice("lexicon", self.lexicon, ("original", "large"))
        for name in ("extra_animate", "extra_inanimate", "extra_places", "extra_names"):
            check_extra(name, getattr(self, name), self.lexicon)
        check_number("zipf_exponent", self.zipf_exponent, 1, 10)
        for name in ("pp", "further_pp", "definite", "name"):
            check_number(name, getattr(self, name), 0, 1)
        check_weights("sentence_weights", self.sentence_weights, _SENTENCES, _SENTENCES)
        check_weights("active_weights", self.active_weights, _ACTIVE, _ACTIVE - 1)
        check_bool("repeated_nouns", self.repeated_nouns)
        check_int("max_cp_depth", self.max_cp_depth, 0, MOST_DEPTH)
        check_int("max_pp_depth", self.max_pp_depth, 0, MOST_DEPTH)
        check_depths("cp_recursion", self.cp_recursion)
        check_depths("pp_recursion", self.pp_recursion)
        self._check_recursion_is_apart()

    def _check_recursion_is_apart(self) -> None:
        """Refuse depths that would put the same sentence in two categories."""
        chosen = cogs.chosen_categories(self.categories)
        for name, most in (
            ("cp_recursion", self.max_cp_depth),
            ("pp_recursion", self.max_pp_depth),
        ):
            depths = getattr(self, name)
            if name in chosen and depths[0] <= most:
                raise ParamError(name, depths, f"depths above those of other categories, {most}")

    @property
    def signature(self) -> Signature:
        """Rules, and the words in use."""
        return self._vocabulary.signature

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        chosen = cogs.chosen_categories(self.categories)
        cp_depth = self.cp_recursion[1] if "cp_recursion" in chosen else self.max_cp_depth
        pp_depth = self.pp_recursion[1] if "pp_recursion" in chosen else self.max_pp_depth
        return cogs_axes(
            max(cp_depth, self.max_cp_depth),
            max(pp_depth, self.max_pp_depth),
            variable_free=self._variable_free,
        )

    @property
    def space(self) -> int | None:
        """Number of single words if there is nothing else, else None."""
        if cogs.chosen_categories(self.categories) == (cogs.PRIMITIVE,):
            return len(self._vocabulary.primitives)
        return None

    @property
    def fewest_problems(self) -> int | None:
        """Single words, or transitive sentences inside clauses, as far as they may be drawn."""
        if self.space is not None:
            return self.space
        free = 0 < self.definite < 1 and 0 < self.name < 1 and self.pp < 1
        drawn = self.sentence_weights[0] > 0 and self.active_weights[_TRANSITIVE] > 0
        if cogs.IN_DISTRIBUTION not in cogs.chosen_categories(self.categories):
            return None
        if not (free and drawn):
            return None
        depth = self.max_cp_depth if self.active_weights[_CLAUSE] > 0 else 0
        return fewest_sentences(self._vocabulary.words.starts, depth)

    @property
    def _variable_free(self) -> bool:
        return self.logical_form == "variable_free"

    @property
    def _vocabulary(self) -> Vocabulary:
        extra = (self.extra_animate, self.extra_inanimate, self.extra_places, self.extra_names)
        return vocabulary(self.lexicon, extra, float(self.zipf_exponent))

    @property
    def _chances(self) -> Chances:
        deep = max(self.max_cp_depth, self.max_pp_depth) > _PUBLISHED_DEPTH
        repeats = ALLOWED if self.repeated_nouns else REDRAWN if deep else 0
        return Chances(
            pp=float(self.pp),
            definite=float(self.definite),
            name=float(self.name),
            max_cp=self.max_cp_depth,
            max_pp=self.max_pp_depth,
            repeats=repeats,
        )

    def draw(self, rows: Rows) -> Problems:
        """Make the sentences and words at these addresses."""
        chosen = cogs.chosen_categories(self.categories)
        numbers = np.array([cogs.NAMES.index(name) for name in chosen], np.int64)
        times = np.where(numbers == _IN_DISTRIBUTION, self.in_distribution_turns, 1)
        cycle = np.repeat(numbers, times)
        category = cycle[(rows.addresses % np.uint64(len(cycle))).astype(np.int64)]
        turns = rows.addresses // np.uint64(len(cycle))
        known = self._vocabulary
        drawn = draw_sentences(
            rows.keys,
            np.where(category == _PRIMITIVE, -1, category),
            _given(category, turns, "cp_recursion", self.cp_recursion),
            _given(category, turns, "pp_recursion", self.pp_recursion),
            _walked(known.primitives, rows.stream, turns),
            _programs(self),
            known.words,
            self._chances,
        )
        trees = Ragged(drawn.codes, drawn.offsets)
        columns = cogs_columns(category, drawn, known.signature, variable_free=self._variable_free)
        return Problems(
            rows=rows,
            derivations=trees,
            keys=derivation_keys(trees, known.signature, self.domain),
            axes=columns,
            difficulty=columns["cp_depth"] + columns["pp_depth"],
            valid=drawn.valid,
            parts={},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write sentences, logical forms and, if asked, derivations."""
        known = self._vocabulary
        inputs, answers = sentence_texts(
            problems.derivations, known.pieces, variable_free=self._variable_free
        )
        is_word = problems.axes["category"] == _PRIMITIVE
        prompts, templates = inputs, choice_text(is_word, ["bare", "bare_word"])
        if style.prompt == "instruction":
            prompts, templates = instructions(
                problems.rows, inputs, is_word, variable_free=self._variable_free
            )
        solutions = None
        if style.solution == "derivation":
            solutions = derivation_text(problems.derivations, known.signature)
        return Texts(
            prompts=prompts,
            answers=answers,
            answer_types=constant_text("string", len(problems)),
            templates=templates,
            solutions=solutions,
        )


GENERATOR = Cogs


@lru_cache(maxsize=16)
def _programs(params: Cogs) -> cogs.Programs:
    return cogs.programs(
        params.sentence_weights,
        params.active_weights,
        float(params.further_pp),
        nested=params.max_cp_depth > 0,
    )


def _given(
    category: NDArray[np.int64],
    turns: NDArray[np.uint64],
    name: str,
    depths: tuple[int, ...],
) -> NDArray[np.int64]:
    """Return the depth that each row's turn gives it in a recursion category, else -1."""
    span = np.uint64(depths[1] - depths[0] + 1)
    turn = (turns % span).astype(np.int64)
    return np.where(category == cogs.NAMES.index(name), depths[0] + turn, -1)


def _walked(primitives: Codes, stream: int, turns: NDArray[np.uint64]) -> Codes:
    """Return the single word of each turn, in the order in which a stream walks through them."""
    ranks = mix_words(np.arange(len(primitives), dtype=np.uint64) ^ np.uint64(stream))
    order = np.argsort(ranks, kind="stable")
    walked: Codes = primitives[order[(turns % np.uint64(len(order))).astype(np.int64)]]
    return walked
