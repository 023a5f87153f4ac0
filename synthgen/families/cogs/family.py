"""COGS (Kim and Linzen 2020): English sentences with their logical forms, in all its categories.

The categories that a source asks for take turns with the address. A sentence of the main grammar is
drawn as the published procedure does: expansions by their probability, words by their rank. Single
words are visited in a keyed order, and the depths of the recursion categories take turns, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.authoring import CompiledFamily, params
from synthgen.authoring.levels import levelled
from synthgen.authoring.words import filled
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.columns import LazyColumns, Ragged, choice_text, constant_text
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, mix_words
from synthgen.families.cogs import tables as cogs
from synthgen.families.cogs.grammar import CONSTRUCTION_OF_FRAME, CONSTRUCTIONS
from synthgen.families.cogs.kernels import (
    ALLOWED,
    MEASURED,
    MOST_DEPTH,
    REDRAWN,
    REFUSED,
    SUBJECT_TYPES,
    Chances,
    Draws,
    Programs,
    Tables,
    Wanted,
    draw_sentences,
    measure,
)
from synthgen.families.cogs.tables import LEXICONS, Vocabulary, check_extra, vocabulary
from synthgen.families.cogs.text import sentence_texts
from synthgen.families.cogs.words import WORDS, target_words
from synthgen.rules.axes import Axis
from synthgen.rules.conditions import Condition, equal_to, span
from synthgen.trees.content_keys import derivation_keys
from synthgen.trees.derivations import Codes, Signature, derivation_depths, derivation_text

T = TypeVar("T")
_FORMS = ("original", "variable_free")
_EXTRA = ("extra_animate", "extra_inanimate", "extra_places", "extra_names")
_N_SENTENCES, _N_ACTIVE = 4, 9
_TRANSITIVE, _CLAUSE = 4, 8
"""Places of the active weights."""
_PUBLISHED_DEPTH = 2
_TARGETS = tuple(target_words())
_IN_DISTRIBUTION, _PRIMITIVE, _CP_RECURSION, _PP_RECURSION = (
    cogs.NAMES.index(name)
    for name in (cogs.IN_DISTRIBUTION, cogs.PRIMITIVE, "cp_recursion", "pp_recursion")
)


def _checked(default: T, check: Callable[[str, Any], object]) -> T:
    """Declare a field with a check of its own."""
    return field(default=default, metadata={"check": check})


def _weights(default: tuple[float, ...], needed: int) -> tuple[float, ...]:
    """Declare a list of weights, of which one of the first `needed` is above 0."""

    def check(name: str, values: Any) -> None:
        wanted = f"{len(default)} numbers from 0 to 1,000, not all of the first {needed} being 0"
        if not isinstance(values, tuple) or len(values) != len(default):
            raise ParamError(name, values, wanted)
        for value in values:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not 0 <= value <= 1000:
                raise ParamError(name, values, wanted)
        if not any(values[:needed]):
            raise ParamError(name, values, wanted)

    return _checked(default, check)


def _depths(name: str, values: Any) -> None:
    wanted = f"a smallest and a largest depth from 1 to {MOST_DEPTH}"
    if not isinstance(values, tuple) or [type(value) for value in values] != [int, int]:
        raise ParamError(name, values, wanted)
    if not 1 <= values[0] <= values[1] <= MOST_DEPTH:
        raise ParamError(name, values, wanted)


@levelled("n_tokens", 2, 4, 5, 6, 7, 8, 10, 12, 16, 24)
@dataclass(frozen=True)
class Cogs(CompiledFamily):
    """Sentences, single words and their logical forms.

    Attributes:
        categories: a category, a group (exposure, lexical, structural, generalization, all), or
            several of them; they take turns with the address.
        in_distribution_turns: turns that in_distribution has for each turn of another category.
        logical_form: "original", or "variable_free" as later work writes it.
        lexicon: "original", or "large" with about twice as many words.
        extra_animate, extra_inanimate, extra_places, extra_names: words added at the end of lists.
        zipf_exponent: of the words' weights by rank, 1 (all equal) to 10.
        sentence_weights: of active, unaccusative, passive and passive dative sentences.
        active_weights: of the active verb phrases, in the order unergative, transitive
            unaccusative, omitted object, transitive omissible, transitive, infinitive, dative with
            to, double object, that-clause.
        pp, further_pp, definite, name: probability that a noun which may have a prepositional
            phrase has one, that the phrase contains another, that an article is `the`, and that an
            animate noun phrase is a name.
        repeated_nouns: a noun or name may occur twice in a sentence. Otherwise such sentences are
            refused, or where they nest deeper than two the noun is drawn again.
        max_cp_depth, max_pp_depth: nesting of clauses and of prepositional phrases, 0 to 40.
        cp_recursion, pp_recursion: smallest and largest depth of the two recursion categories.
    """

    categories: str | tuple[str, ...] = _checked(
        cogs.IN_DISTRIBUTION, lambda _, value: cogs.chosen_categories(value)
    )
    in_distribution_turns: int = params.integer(1, 1, 1_000_000)
    logical_form: str = params.choice("original", _FORMS)
    lexicon: str = params.choice("original", LEXICONS)
    extra_animate: tuple[str, ...] = ()
    extra_inanimate: tuple[str, ...] = ()
    extra_places: tuple[str, ...] = ()
    extra_names: tuple[str, ...] = ()
    zipf_exponent: float = params.number(1.4, 1, 10)
    sentence_weights: tuple[float, ...] = _weights((0.49, 0.06, 0.375, 0.075), _N_SENTENCES)
    active_weights: tuple[float, ...] = _weights((0.10525,) * 8 + (0.158,), _N_ACTIVE - 1)
    pp: float = params.number(0.5, 0, 1)
    further_pp: float = params.number(0.1, 0, 1)
    definite: float = params.number(0.5, 0, 1)
    name: float = params.number(0.5, 0, 1)
    repeated_nouns: bool = params.flag(default=False)
    max_cp_depth: int = params.integer(2, 0, MOST_DEPTH)
    max_pp_depth: int = params.integer(2, 0, MOST_DEPTH)
    cp_recursion: tuple[int, ...] = _checked((3, 12), _depths)
    pp_recursion: tuple[int, ...] = _checked((3, 12), _depths)

    version = 2
    verifier = "cogs"
    prompts = ("bare", "instruction")
    solutions = ("none", "derivation")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in _EXTRA:
            check_extra(name, getattr(self, name), self.lexicon)
        # Recursion must be deeper than all else, or the same sentence would be in two categories.
        for name, most in (
            ("cp_recursion", self.max_cp_depth),
            ("pp_recursion", self.max_pp_depth),
        ):
            depths = getattr(self, name)
            if name in self._chosen and depths[0] <= most:
                raise ParamError(name, depths, f"depths above those of other categories, {most}")

    @property
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
        return _axes(cp_depth, pp_depth, variable_free=self._variable_free)

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
        return len(self._vocabulary.primitives) if self._chosen == (cogs.PRIMITIVE,) else None

    @property
    def fewest_problems(self) -> int | None:
        """Single words, or sentences `[name] [verb] that ... Det noun verb Det noun`."""
        if self.space is not None:
            return self.space
        is_free = 0 < self.definite < 1 and 0 < self.name < 1 and self.pp < 1
        is_drawn = self.sentence_weights[0] > 0 and self.active_weights[_TRANSITIVE] > 0
        if cogs.IN_DISTRIBUTION not in self._chosen or not is_free or not is_drawn:
            return None
        sizes = self._vocabulary.sizes
        beginnings, total = 1, 0
        for depth in range(self.max_cp_depth + 1 if self.active_weights[_CLAUSE] > 0 else 1):
            objects = sizes["inanimate"] - 1  # the list may have the subject, too
            total += beginnings * 4 * sizes["animate"] * sizes["transitive"] * objects
            beginnings *= max(0, sizes["name"] - depth) * sizes["clause"]
        return total

    @property
    def _chosen(self) -> tuple[str, ...]:
        return cogs.chosen_categories(self.categories)

    @property
    def _variable_free(self) -> bool:
        return self.logical_form == "variable_free"

    @property
    def _vocabulary(self) -> Vocabulary:
        extra = (self.extra_animate, self.extra_inanimate, self.extra_places, self.extra_names)
        return vocabulary(self.lexicon, extra, float(self.zipf_exponent))

    @property
    def _tables(self) -> Tables:
        chances = Chances(
            pp=float(self.pp),
            definite=float(self.definite),
            name=float(self.name),
            max_cp=self.max_cp_depth,
            max_pp=self.max_pp_depth,
        )
        return Tables(self._vocabulary.words, chances)

    def draw(self, rows: Rows) -> Problems:
        """Make the sentences and words at these addresses."""
        numbers = np.array([cogs.NAMES.index(name) for name in self._chosen], np.int64)
        times = np.where(numbers == _IN_DISTRIBUTION, self.in_distribution_turns, 1)
        cycle = np.repeat(numbers, times)
        category = cycle[(rows.addresses % np.uint64(len(cycle))).astype(np.int64)]
        turns = rows.addresses // np.uint64(len(cycle))
        known = self._vocabulary
        wanted = Wanted(
            keys=rows.keys,
            categories=np.where(category == _PRIMITIVE, -1, category),
            cp_depths=_given(category == _CP_RECURSION, turns, self.cp_recursion),
            pp_depths=_given(category == _PP_RECURSION, turns, self.pp_recursion),
            singles=_visited(known.primitives, rows.stream, turns),
        )
        drawn = draw_sentences(wanted, _programs(self), self._tables)
        trees = Ragged(drawn.codes, drawn.offsets)
        columns = self._columns(category, drawn)
        return Problems(
            rows=rows,
            derivations=trees,
            keys=derivation_keys(trees, known.signature, self.domain),
            axes=columns,
            difficulty=columns["cp_depth"] + columns["pp_depth"],
            valid=drawn.valid,
            parts={},
        )

    def _columns(self, category: NDArray[np.int64], drawn: Draws) -> Mapping[str, NDArray[Any]]:
        """Return the columns of all axes; the depth only when it is looked at."""
        signature = self.signature
        measured = measure(drawn.codes, drawn.offsets, int(self._variable_free))
        target_of_code = np.zeros(len(signature.names), np.int16)
        for place, word in enumerate(_TARGETS, 1):
            target_of_code[signature.code[word]] = place
        single = np.flatnonzero(category == _PRIMITIVE)
        targets = _TARGET_OF_CATEGORY[category]
        targets[single] = target_of_code[drawn.codes[drawn.offsets[single] + 1]]
        columns: dict[str, NDArray[Any]] = {
            "category": category.astype(np.int16),
            "construction": CONSTRUCTION_OF_FRAME[drawn.outer],
            "clause": CONSTRUCTION_OF_FRAME[drawn.inner],
            "primitive": targets,
            **{name: measured[i] for i, name in enumerate(MEASURED)},
        }

        def depth() -> dict[str, NDArray[Any]]:
            depths = derivation_depths(drawn.codes, drawn.offsets, signature.arity_array)
            return {"depth": depths.astype(np.int16)}

        return LazyColumns(columns, ("depth",), depth)

    def render(self, problems: Problems, style: Render) -> Texts:
        """Render sentences, logical forms and, if asked, derivations."""
        known = self._vocabulary
        inputs, answers = sentence_texts(
            problems.derivations, known.pieces, variable_free=self._variable_free
        )
        is_word = problems.axes["category"] == _PRIMITIVE
        prompts, templates = inputs, choice_text(is_word, ["bare", "bare_word"])
        if style.prompt == "instruction":
            prompts, templates = _instructions(problems.rows, inputs, is_word, self.logical_form)
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


GENERATORS = {"cogs": Cogs}

_TARGET_OF_CATEGORY = np.array(
    [
        1 + _TARGETS.index(category.target) if category.target else 0
        for category in cogs.CATEGORIES.values()
    ],
    np.int16,
)


def _axes(cp_depth: int, pp_depth: int, *, variable_free: bool) -> dict[str, Axis]:
    """Return the axes, given the most nested clauses and prepositional phrases."""
    phrase = 2 + 3 * pp_depth
    subjects = cp_depth + 1
    tokens = subjects * (phrase + 2) + 2 * phrase + 5
    formula = (subjects + 2) * (8 + 23 * pp_depth + 27)
    return {
        "category": Axis("category of the row, as published", values=cogs.NAMES),
        "construction": Axis("construction of the outermost clause", values=CONSTRUCTIONS),
        "clause": Axis("construction of the innermost clause", values=CONSTRUCTIONS),
        "subject_type": Axis("subject of the outermost clause", values=SUBJECT_TYPES),
        "primitive": Axis(
            "word whose use differs between training and generalization",
            values=("none", *_TARGETS),
        ),
        "cp_depth": Axis("nested `that` clauses", "int16", 0, cp_depth),
        "pp_depth": Axis("longest chain of prepositional phrases", "int16", 0, pp_depth),
        "n_pp": Axis("prepositional phrases", "int16", 0, (subjects + 2) * pp_depth),
        "n_tokens": Axis("tokens of the sentence, including the full stop", "int16", 1, tokens),
        "lf_tokens": Axis(
            "tokens of the logical form", "int16", 1, formula, (), canonical=not variable_free
        ),
        "depth": Axis("depth of the derivation", "int16", 2, 2 * cp_depth + 2 * pp_depth + 4),
    }


@lru_cache(maxsize=16)
def _programs(family: Cogs) -> Programs:
    deep = max(family.max_cp_depth, family.max_pp_depth) > _PUBLISHED_DEPTH
    weights = cogs.Weights(
        sentences=family.sentence_weights,
        active=family.active_weights,
        further_pp=float(family.further_pp),
        nested=family.max_cp_depth > 0,
        repeats=ALLOWED if family.repeated_nouns else REDRAWN if deep else REFUSED,
    )
    return cogs.programs(weights)


def _given(
    is_asked: NDArray[np.bool_], turns: NDArray[np.uint64], depths: tuple[int, ...]
) -> NDArray[np.int64]:
    """Return the depth that each row's turn gives it where it is asked for, else -1."""
    turn = (turns % np.uint64(depths[1] - depths[0] + 1)).astype(np.int64)
    return np.where(is_asked, depths[0] + turn, -1)


def _visited(primitives: Codes, stream: int, turns: NDArray[np.uint64]) -> Codes:
    """Return the single word of each turn, in the order in which a stream visits them."""
    ranks = mix_words(np.arange(len(primitives), dtype=np.uint64) ^ np.uint64(stream))
    order = np.argsort(ranks, kind="stable")
    visited: Codes = primitives[order[(turns % np.uint64(len(order))).astype(np.int64)]]
    return visited


def _instructions(
    rows: Rows, inputs: pa.StringArray, is_word: NDArray[np.bool_], form: str
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Put each input into the wording that its own draw chooses.

    Args:
        rows: whose draws choose.
        inputs: sentences and single words, n texts.
        is_word: which of them are single words, (n,).
        form: of logical forms, original or variable_free.

    Returns:
        Prompts and names of their wordings, n each.
    """
    sentences, words = (WORDS.wordings("instruction", kind) for kind in (form, "word"))
    names = [*_numbered("instruction", sentences), *_numbered("instruction_word", words)]
    example = {"example": WORDS["examples"][form]}
    wordings = [filled(text, example) for text in (*sentences, *words)]
    drawn = rows.branch("template").draws().bits()
    of_sentences = drawn % np.uint64(len(sentences))
    of_words = drawn % np.uint64(len(words)) + np.uint64(len(sentences))
    choice = np.where(is_word, of_words, of_sentences).astype(np.int64)
    before = choice_text(choice, [f"{text}\n\n`" for text in wordings]).dictionary_decode()
    after = constant_text("`", len(rows)).dictionary_decode()
    return pc.binary_join_element_wise(before, inputs, after, ""), choice_text(choice, names)


def _numbered(name: str, wordings: Sequence[str]) -> list[str]:
    return [f"{name}_{number}" for number in range(1, len(wordings) + 1)]
