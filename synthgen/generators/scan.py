"""SCAN navigation commands (Lake and Baroni 2018): all 20,910 of them, or a larger language.

Commands are numbered by their phrase count, phrases and connectives, and addresses are a keyed
permutation of these numbers: the first addresses are a random sample without repeats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, choice_text, constant_text, text_column
from synthgen.core.conditions import Condition, bounded
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.permutation import permutation_table
from synthgen.core.randomness import Rows
from synthgen.generators import _scan_rows as kernels
from synthgen.generators._scan_axes import command_axes, command_columns, count_axis
from synthgen.generators._scan_language import DIRECTIONS, MANNERS, REPEATS, VERBS, Language
from synthgen.generators._scan_prompts import instruction_templates
from synthgen.generators._scan_tables import Pieces, phrase_tables, phrases_with

MOST_PHRASES = 16
_MOST_COMMANDS = 2**63 - 1
_MOST_COUNTS = 64


@dataclass(frozen=True)
class Scan:
    """Commands and their action sequences; the defaults are the published language.

    Attributes:
        verbs: verbs beside `turn`, 1 to 64: walk look run jump crawl hop ...
        directions: 1 to 8: left right up down north south east west.
        manners: words before a direction, 0 to 5: opposite around across past beyond.
        repeats: repeat words, 0 to 8: twice thrice fourfold ... ninefold.
        min_phrases, max_phrases: phrases of a command, 1 to 16, joined by and/after from the left.
        count: words that stand side by side in a phrase, such as "around right"; U is any verb but
            turn. Each gives an axis that counts the phrases with them: "U around right" is
            `n_u_around_right`.
    """

    verbs: int = 4
    directions: int = 2
    manners: int = 2
    repeats: int = 2
    min_phrases: int = 1
    max_phrases: int = 2
    count: tuple[str, ...] = ()

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "scan"
    verifier: ClassVar[str] = "scan"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        "n_phrases": bounded("min_phrases", "max_phrases")
    }

    def __post_init__(self) -> None:
        check_int("verbs", self.verbs, 1, len(VERBS))
        check_int("directions", self.directions, 1, len(DIRECTIONS))
        check_int("manners", self.manners, 0, len(MANNERS))
        check_int("repeats", self.repeats, 0, len(REPEATS))
        check_int("max_phrases", self.max_phrases, 1, MOST_PHRASES)
        check_int("min_phrases", self.min_phrases, 1, self.max_phrases)
        if self.space > _MOST_COMMANDS:
            wanted = f"fewer phrases or words: the commands must not be more than {_MOST_COMMANDS}"
            raise ParamError("max_phrases", self.max_phrases, wanted)
        self._check_count()

    def _check_count(self) -> None:
        wanted = f"a list (in Python a tuple) of at most {_MOST_COUNTS} different texts"
        if not isinstance(self.count, tuple) or len(self.count) > _MOST_COUNTS:
            raise ParamError("count", self.count, wanted)
        if len(set(self.count)) < len(self.count):
            raise ParamError("count", self.count, wanted)
        for words in self.count:
            if not isinstance(words, str) or not phrases_with(self._language, words).any():
                wanted = "words of the language that stand side by side in a phrase, or U for one"
                raise ParamError("count", words, f"{wanted} of the verbs")

    @cached_property
    def _language(self) -> Language:
        return Language(self.verbs, self.directions, self.manners, self.repeats)

    @property
    def signature(self) -> Signature:
        """Symbols of the words in use."""
        return self._language.signature

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        return command_axes(self._language, self.min_phrases, self.max_phrases, self.count)

    @cached_property
    def space(self) -> int:
        """Number of different commands."""
        return sum(self._sizes)

    @property
    def fewest_problems(self) -> int:
        """Every address has a command of its own."""
        return self.space

    @property
    def _sizes(self) -> list[int]:
        """Numbers of commands of `min_phrases`, ..., `max_phrases` phrases."""
        counts = range(self.min_phrases, self.max_phrases + 1)
        return [self._language.n_commands(count) for count in counts]

    def draw(self, rows: Rows) -> Problems:
        """Make the commands at these addresses; beyond `space` there is nothing valid."""
        language, space = self._language, self.space
        tables = phrase_tables(language)
        starts = np.cumsum([0, *self._sizes[:-1]]).astype(np.uint64)
        phrases, links, counts = kernels.unrank_commands(
            rows.addresses % np.uint64(space),
            permutation_table(rows.stream, space),
            starts,
            self.min_phrases,
            language.n_phrases,
        )
        pieces = kernels.symbol_pieces(phrases, links, counts, language.n_phrases)
        symbols = tables.symbols
        trees = Ragged(*kernels.join_pieces(*pieces, symbols.values, symbols.offsets, 0))
        axes = command_columns(tables, phrases, links, counts)
        for words in self.count:
            found = phrases_with(language, words)[phrases]
            axes[count_axis(words)] = found.sum(axis=1, dtype=np.int16)
        return Problems(
            rows=rows,
            derivations=trees,
            keys=derivation_keys(trees, language.signature, self.domain),
            axes=axes,
            difficulty=axes["action_length"],
            valid=rows.addresses < np.uint64(space),
            parts={"phrases": phrases, "links": links, "counts": counts},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write commands, their actions and, if asked, the steps."""
        language = self._language
        pieces = Pieces.of(language.n_phrases)
        parts = problems.parts
        command = (parts["phrases"], parts["links"], parts["counts"])
        prompts = self._joined(kernels.command_pieces(*command, pieces.connective))
        done = kernels.action_pieces(*command, pieces.actions)
        templates = constant_text("bare", len(problems))
        solutions = None
        if style.solution == "steps":
            numbers = (pieces.connective, pieces.equals, pieces.opening, pieces.steps)
            solutions = self._joined(kernels.step_pieces(*command, done[0], numbers))
        if style.prompt == "instruction":
            prompts, templates = self._instructions(problems.rows, prompts)
        return Texts(
            prompts=prompts,
            answers=self._joined(done),
            answer_types=constant_text("string", len(problems)),
            templates=templates,
            solutions=solutions,
        )

    def _joined(self, pieces: kernels.PieceRows) -> pa.StringArray:
        texts = phrase_tables(self._language).texts
        return text_column(*kernels.join_pieces(*pieces, texts.values, texts.offsets, 1))

    def _instructions(
        self, rows: Rows, commands: pa.StringArray
    ) -> tuple[pa.StringArray, pa.DictionaryArray]:
        """Put each command into the wording that its own draw chooses."""
        wordings = instruction_templates(self._language, self.max_phrases)
        choice = rows.branch("template").draws().integers(0, len(wordings))
        before = choice_text(choice, [start for start, _ in wordings]).dictionary_decode()
        after = choice_text(choice, [end for _, end in wordings]).dictionary_decode()
        names = [f"instruction_{i + 1}" for i in range(len(wordings))]
        prompts = pc.binary_join_element_wise(before, commands, after, "")
        return prompts, choice_text(choice, names)


GENERATOR = Scan
