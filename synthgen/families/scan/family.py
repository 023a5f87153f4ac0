"""SCAN navigation commands (Lake and Baroni 2018): all 20,910 of them, or a larger language.

Commands are numbered by their phrase count, phrases and connectives, and addresses are a keyed
permutation of these numbers: the first addresses are a random sample without repeats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    CompiledFamily,
    ParamError,
    Problems,
    Render,
    Rows,
    Signature,
    Texts,
    bounded,
    levelled,
    params,
    text_list,
)
from synthgen.authoring.compiled import (
    constant_text,
    derivation_keys,
    permutation_table,
    permute,
    worded,
)
from synthgen.families.scan.language import (
    CONNECTIVES,
    DIRECTIONS,
    MANNERS,
    REPEATS,
    VERBS,
    WORDS,
    Commands,
    Language,
    Tables,
    derivations,
    instructions,
    phrase_tables,
    phrases_with,
    unrank_commands,
    write_commands,
)

_MAX_PHRASES = 16
_MAX_COMMANDS = 2**63 - 1
_MAX_COUNTS, _OFFERED = 64, 10


@levelled("action_length", 1, 2, 4, 6, 8, 12, 16, 24, 32, 48)
@dataclass(frozen=True)
class Scan(CompiledFamily):
    """Commands and their action sequences; the defaults are the published language.

    Attributes:
        verbs: Number of verbs besides `turn`, 1 to 64: walk look run jump crawl hop ...
        directions: Number of directions, 1 to 8: left right up down north south east west.
        manners: Number of words before a direction, 0 to 5: opposite around across past beyond.
        repeats: Number of repeat words, 0 to 8: twice thrice fourfold ... ninefold.
        min_phrases, max_phrases: Phrases of a command, 1 to 16, joined by and/after from the left.
        count: Words that are side by side in a phrase, such as "around right"; U is any verb but
            turn. Each gives an axis that counts the phrases with them: "U around right" is
            `n_u_around_right`.
    """

    verbs: int = params.integer(4, 1, len(VERBS))
    directions: int = params.integer(2, 1, len(DIRECTIONS))
    manners: int = params.integer(2, 0, len(MANNERS))
    repeats: int = params.integer(2, 0, len(REPEATS))
    min_phrases: int = params.integer(1, 1, _MAX_PHRASES, up_to="max_phrases")
    max_phrases: int = params.integer(2, 1, _MAX_PHRASES)
    count: tuple[str, ...] = params.texts(most=_MAX_COUNTS)

    version = 3
    verifier = "scan"
    prompts = ("bare", "instruction")
    solutions = ("none", "steps")
    words = WORDS
    conditions = {"n_phrases": bounded("min_phrases", "max_phrases")}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.space > _MAX_COMMANDS:
            wanted = f"fewer phrases or words: there may be at most {_MAX_COMMANDS} commands"
            raise ParamError("max_phrases", self.max_phrases, wanted)
        for words in self.count:
            if not phrases_with(self._language, words).any():
                wanted = "words of the language that are side by side in a phrase, or U for a verb"
                raise ParamError("count", words, wanted)

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
        low_count, high_count = self.min_phrases, self.max_phrases
        tables = phrase_tables(self._language)
        words, actions, depth = (
            (int(column[:-1].min()), int(column.max()))
            for column in (tables.n_words, tables.action_length, tables.depth)
        )
        low_words, high_words = (low_count * (words[0] + 1), high_count * (words[1] + 1))
        low_depth, high_depth = depth[0] + low_count - 1, depth[1] + high_count - 1
        low_actions, high_actions = low_count * actions[0], high_count * actions[1]
        axes = {
            "n_words": Axis("words of the command", low=low_words - 1, high=high_words - 1),
            "action_length": Axis("number of actions", low=low_actions, high=high_actions),
            "depth": Axis(
                "depth of the derivation, a bare verb is 1", low=low_depth, high=high_depth
            ),
            "n_phrases": Axis("phrases of the command", low=low_count, high=high_count),
        }
        for place in range(1, high_count + 1):
            axes |= _phrase_axes(self._language, place)
        for pattern in self.count:
            meaning = f"phrases with the words {pattern}"
            axes[_count_axis(pattern)] = Axis(meaning, low=0, high=high_count)
        return axes

    @cached_property
    def space(self) -> int:
        """Number of different commands."""
        return sum(self._sizes)

    @property
    def fewest_problems(self) -> int:
        """Number of commands: every address has a different one."""
        return self.space

    @property
    def _sizes(self) -> list[int]:
        """Numbers of commands of `min_phrases`, ..., `max_phrases` phrases."""
        counts = range(self.min_phrases, self.max_phrases + 1)
        return [self._language.n_commands(count) for count in counts]

    def draw(self, rows: Rows) -> Problems:
        """Make the commands at these addresses; those beyond `space` are invalid."""
        language, space = self._language, self.space
        tables = phrase_tables(language)
        order = permutation_table(rows.stream, space)
        numbers = permute(rows.addresses % np.uint64(space), order)
        starts = np.cumsum([0, *self._sizes[:-1]]).astype(np.uint64)
        commands = unrank_commands(numbers, starts, self.min_phrases, language.n_phrases)
        trees = derivations(commands, tables.symbols, language.n_phrases)
        axes = _columns(tables, commands)
        for words in self.count:
            held = phrases_with(language, words).astype(np.int16)
            axes[_count_axis(words)] = _summed(held, commands)
        return Problems(
            rows=rows,
            derivations=trees,
            keys=derivation_keys(trees, language.signature, self.domain),
            axes=axes,
            difficulty=axes["action_length"],
            valid=rows.addresses < np.uint64(space),
            parts=commands._asdict(),
        )

    def wrong_answers_of(
        self, problems: Problems, places: Sequence[int]
    ) -> Mapping[int, Sequence[str]]:
        """Carry out commands with mistakes: other phrases as long, or `and` for `after`."""
        tables, chosen = phrase_tables(self._language), np.array(places)
        first = Commands(**{name: part[chosen] for name, part in problems.parts.items()})
        rows = Rows(problems.rows.stream, problems.rows.addresses[chosen])
        made, answers = [first], {place: list[str]() for place in places}
        draws = [*rows.branch("mistakes").each()]
        for number in range(_OFFERED):
            before = made[number // 2]
            phrases, links = before.phrases.copy(), before.links.copy()
            for row, (each, count) in enumerate(zip(draws, first.counts.tolist(), strict=True)):
                at = each.integer(0, count)
                if at and each.integer(0, 2):
                    links[row, at] = len(CONNECTIVES) - 1 - links[row, at]
                else:
                    phrases[row, at] = each.choice(tables.equally_long[phrases[row, at]])
            made.append(Commands(phrases, links, first.counts))
            texts = text_list(write_commands(made[-1], tables).actions).to_pylist()
            for place, text in zip(places, texts, strict=True):
                answers[place].append(text)
        return answers

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write commands, their actions and, with style.solution "steps", the steps."""
        written = write_commands(Commands(**problems.parts), phrase_tables(self._language))
        prompts, templates = text_list(written.commands), constant_text("bare", len(problems))
        if style.prompt == "instruction":
            texts = instructions(self._language, self.max_phrases)
            wordings = [(f"{text}\n\n`", "`") for text in texts]
            prompts, templates = worded(problems.rows, wordings, prompts)
        return Texts(
            prompts=prompts,
            answers=text_list(written.actions),
            answer_types=constant_text("string", len(problems)),
            templates=templates,
            solutions=text_list(written.steps) if style.solution == "steps" else None,
        )


def _count_axis(words: str) -> str:
    """Return the name of the axis that counts the phrases with these words."""
    return "_".join(["n", *words.lower().split(" ")])


def _phrase_axes(language: Language, place: int) -> dict[str, Axis]:
    """Return the axes of one phrase; later phrases may be missing, which is the value `none`.

    The values do not depend on the number of phrases, so that sources that differ only in it can be
    parts of one recipe.
    """
    none = () if place == 1 else ("none",)
    named = {
        "verb": ("verb", language.verb_words),
        "manner": ("manner and direction", language.manner_names),
        "repeat": ("repetition", ("once", *language.repeat_words)),
    }
    axes = {
        f"{name}_{place}": Axis(f"{meaning} of phrase {place}", values=(*values, *none))
        for name, (meaning, values) in named.items()
    }
    if place > 1:
        meaning = f"connective before phrase {place}"
        axes[f"connective_{place}"] = Axis(meaning, values=(*CONNECTIVES, *none))
    return axes


def _columns(tables: Tables, commands: Commands) -> dict[str, NDArray[Any]]:
    """Return the columns of all axes except those of `count`.

    In a derivation the first two phrases are equally deep, below all connectives.
    """
    n_phrases = commands.counts.astype(np.int16)
    columns: dict[str, NDArray[Any]] = {
        "n_words": n_phrases - np.int16(1) + _summed(tables.n_words, commands),
        "action_length": _summed(tables.action_length, commands),
        "depth": np.zeros(len(n_phrases), np.int16),
        "n_phrases": n_phrases,
    }
    for j, place in enumerate(commands.phrases.T):
        depth = tables.depth[place] + n_phrases - np.int16(max(j, 1))
        columns["depth"] = np.maximum(columns["depth"], np.where(j < n_phrases, depth, 0))
        columns[f"verb_{j + 1}"] = tables.verb[place]
        columns[f"manner_{j + 1}"] = tables.manner[place]
        columns[f"repeat_{j + 1}"] = tables.repeat[place]
        if j > 0:
            columns[f"connective_{j + 1}"] = commands.links[:, j].astype(np.int16)
    return columns


def _summed(table: NDArray[np.int16], commands: Commands) -> NDArray[Any]:
    summed: NDArray[Any] = table[commands.phrases].sum(axis=1, dtype=np.int16)
    return summed


GENERATORS = {"scan": Scan}
