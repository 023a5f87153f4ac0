"""The language of SCAN commands (Lake and Baroni 2018): phrases, their meanings, and instructions.

    command = phrase { (and | after) phrase }        phrase = form [ twice | thrice | ... ]
    form = verb | (verb | turn) [ opposite | around | ... ] (left | right | ...)

A verb does its action, a direction turns, and a manner states how the two follow each other. The
original has 4 verbs, 2 directions, 2 manners, 2 repeat words and at most one connective; the word
lists continue with additional ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Signature, Words, filled
from synthgen.authoring.compiled import U64, Ragged, offsets_of, ragged

WORDS = Words.beside(__file__)
VERBS: tuple[str, ...] = tuple(WORDS["verbs"])
DIRECTIONS: tuple[str, ...] = tuple(WORDS["directions"])
MANNERS: tuple[str, ...] = tuple(WORDS["manners"])
REPEATS: tuple[str, ...] = tuple(WORDS["repeats"])
CONNECTIVES = ("and", "after")
TURN = "turn"
"""Takes the place of a verb, needs a direction, and has no action of its own."""
ANY_VERB = "U"
"""In a pattern of words, any verb but `turn`."""
_PATTERNS = {
    "": "TA",
    "opposite": "TTA",
    "around": "TATATATA",
    "across": "TATA",
    "past": "ATA",
    "beyond": "TAA",
}
"""Sequence of turns T and actions A that each manner denotes."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase; a missing part is an empty text.

    Attributes:
        verb: Verb, or `turn`.
        manner: Word before the direction.
        direction: Word of the direction.
        times: Number of repetitions: 1 without a repeat word, 2 for `twice` and so on.
    """

    verb: str
    manner: str
    direction: str
    times: int

    @property
    def form(self) -> str:
        """The phrase without its repeat word."""
        return " ".join(filter(None, (self.verb, self.manner, self.direction)))

    @property
    def repeat(self) -> str:
        """The repeat word."""
        return REPEATS[self.times - 2] if self.times > 1 else ""

    @property
    def text(self) -> str:
        """The phrase as it occurs in a command."""
        return " ".join(filter(None, (self.form, self.repeat)))

    @property
    def manner_name(self) -> str:
        """Name of the words after the verb."""
        return "_".join(filter(None, (self.manner, self.direction))) or "bare"

    @property
    def derivation(self) -> tuple[str, ...]:
        """Symbols in prefix order: repeat word, manner or direction, verb, argument of a manner."""
        if self.manner:
            body: tuple[str, ...] = (self.manner, self.verb, f"{self.direction}ward")
        else:
            body = tuple(filter(None, (self.direction, self.verb)))
        return (self.repeat, *body) if self.repeat else body

    @property
    def actions(self) -> list[str]:
        """Actions of the phrase without its repeat word."""
        act = [] if self.verb == TURN else [f"I_{self.verb.upper()}"]
        if not self.direction:
            return act
        meaning = {"T": [f"I_TURN_{self.direction.upper()}"], "A": act}
        return [action for part in _PATTERNS[self.manner] for action in meaning[part]]

    @property
    def steps(self) -> list[str]:
        """A line for each node of the derivation, arguments first."""
        lines = []
        if self.direction and self.verb != TURN:
            lines.append(f"{self.verb} = I_{self.verb.upper()}")
        lines.append(f"{self.form} = {' '.join(self.actions)}")
        if self.times > 1:
            lines.append(f"{self.text} = {' '.join(self.actions * self.times)}")
        return lines

    def holds(self, pattern: list[str]) -> bool:
        """Return whether these words are side by side in the phrase."""
        words = self.text.split()
        if pattern[0] == ANY_VERB:
            return words[0] != TURN and words[1 : len(pattern)] == pattern[1:]
        places = range(len(words) - len(pattern) + 1)
        return any(words[place : place + len(pattern)] == pattern for place in places)


@dataclass(frozen=True)
class Language:
    """A language, by the number of words that it takes from each list."""

    verbs: int
    directions: int
    manners: int
    repeats: int

    @property
    def verb_words(self) -> tuple[str, ...]:
        """Words that may begin a phrase, `turn` last."""
        return (*VERBS[: self.verbs], TURN)

    @property
    def repeat_words(self) -> tuple[str, ...]:
        """Repeat words in use."""
        return REPEATS[: self.repeats]

    @property
    def manner_names(self) -> tuple[str, ...]:
        """Names of all continuations of a verb: bare, left, right, opposite_left, ..."""
        return tuple(dict.fromkeys(phrase.manner_name for phrase in self.phrases))

    @property
    def n_phrases(self) -> int:
        """Number of different phrases."""
        modified = (self.verbs + 1) * self.directions * (1 + self.manners)
        return (1 + self.repeats) * (self.verbs + modified)

    def n_commands(self, count: int) -> int:
        """Return the number of commands of `count` phrases."""
        joined: int = (self.n_phrases * len(CONNECTIVES)) ** (count - 1)
        return self.n_phrases * joined

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases; the place of a phrase is its code."""
        return tuple(self._phrases())

    def _phrases(self) -> Iterator[Phrase]:
        for times in range(1, self.repeats + 2):
            for verb in self.verb_words:
                if verb != TURN:
                    yield Phrase(verb, "", "", times)
                for manner in ("", *MANNERS[: self.manners]):
                    for direction in DIRECTIONS[: self.directions]:
                        yield Phrase(verb, manner, direction, times)

    @cached_property
    def signature(self) -> Signature:
        """Symbols of derivations.

        A direction is a function, `left`, or the argument of a manner, `leftward`, as in
        (twice (around jump leftward)) and (and (left jump) walk).
        """
        directions = DIRECTIONS[: self.directions]
        return Signature.from_arities(
            dict.fromkeys(self.verb_words, 0)
            | dict.fromkeys((f"{direction}ward" for direction in directions), 0)
            | dict.fromkeys(directions, 1)
            | dict.fromkeys(MANNERS[: self.manners], 2)
            | dict.fromkeys(self.repeat_words, 1)
            | dict.fromkeys(CONNECTIVES, 2)
        )


@dataclass(frozen=True)
class Tables:
    """Columns and texts for each of the m phrases of a language.

    Attributes:
        texts, actions, steps: Text of each phrase, its actions, and its worked lines.
        symbols: Codes of each phrase in prefix order, then of each connective.
        n_words, action_length, depth: Columns, int16 (m + 1,); the last place is a missing phrase.
        verb, manner, repeat: Codes of names, int16 (m + 1,); the last is that of "none".
    """

    texts: list[str]
    actions: list[str]
    steps: list[str]
    symbols: Ragged
    n_words: NDArray[np.int16]
    action_length: NDArray[np.int16]
    depth: NDArray[np.int16]
    verb: NDArray[np.int16]
    manner: NDArray[np.int16]
    repeat: NDArray[np.int16]

    @cached_property
    def equally_long(self) -> list[list[int]]:
        """For each phrase, the others with as many actions; all phrases if there are none."""
        lengths = self.action_length[:-1]
        alike = [np.flatnonzero(lengths == length).tolist() for length in lengths]
        every = [*range(len(lengths))]
        return [
            [other for other in others if other != phrase] or every
            for phrase, others in enumerate(alike)
        ]


@lru_cache(maxsize=8)
def phrase_tables(language: Language) -> Tables:
    """Return the tables of a language."""
    phrases, code = language.phrases, language.signature.code
    verbs, manners = language.verb_words, language.manner_names
    return Tables(
        texts=[phrase.text for phrase in phrases],
        actions=[" ".join(phrase.actions * phrase.times) for phrase in phrases],
        steps=["\n".join(phrase.steps) for phrase in phrases],
        symbols=ragged(
            [code[symbol] for symbol in symbols]
            for symbols in (*(phrase.derivation for phrase in phrases), *zip(CONNECTIVES))
        ),
        n_words=_column(len(phrase.text.split()) for phrase in phrases),
        action_length=_column(len(phrase.actions) * phrase.times for phrase in phrases),
        depth=_column(1 + bool(phrase.direction) + bool(phrase.repeat) for phrase in phrases),
        verb=_column((verbs.index(phrase.verb) for phrase in phrases), len(verbs)),
        manner=_column((manners.index(phrase.manner_name) for phrase in phrases), len(manners)),
        repeat=_column((phrase.times - 1 for phrase in phrases), language.repeats + 1),
    )


def _column(values: Iterable[int], last: int = 0) -> NDArray[np.int16]:
    return np.array([*values, last], np.int16)


@lru_cache(maxsize=64)
def phrases_with(language: Language, pattern: str) -> NDArray[np.bool_]:
    """Return which phrases hold the words of a pattern side by side, bool (m + 1,)."""
    return np.array([*(phrase.holds(pattern.split(" ")) for phrase in language.phrases), False])


def instructions(language: Language, max_phrases: int) -> list[str]:
    """Return the text before the command of each wording: all rules whose words are in use.

    Args:
        language: Language whose words are explained.
        max_phrases: Largest number of phrases: connectives are explained from 2 on, their grouping
            from 3 on.
    """
    manners, repeats = MANNERS[: language.manners], language.repeat_words
    texts = []
    for wording in WORDS["instructions"]:
        items = {
            "manners": [
                filled(wording["manner"], {"word": word, "actions": " ".join(_PATTERNS[word])})
                for word in manners
            ],
            "repeats": [
                filled(wording["repeat"], {"word": word, "times": times})
                for word, times in zip(repeats, WORDS["times"], strict=False)
            ],
        }
        sentences = [
            wording["verbs"],
            *(
                filled(wording[rule], {"list": "; ".join(some)})
                for rule, some in items.items()
                if some
            ),
            *(
                wording[rule]
                for rule, from_phrases in (("links", 2), ("chains", 3))
                if max_phrases >= from_phrases
            ),
            wording["answer"],
        ]
        texts.append(" ".join(sentences))
    return texts


_AND, _MISSING = CONNECTIVES.index("and"), len(CONNECTIVES)


class Commands(NamedTuple):
    """A batch of n commands of at most m phrases.

    Attributes:
        phrases: Codes in the order of the text, int32 (n, m); the number of phrases of the
            language for a missing one.
        links: Connective before each phrase, int8 (n, m); the number of connectives for none.
        counts: Phrases of each command, int64 (n,).
    """

    phrases: NDArray[np.int32]
    links: NDArray[np.int8]
    counts: NDArray[np.int64]


def unrank_commands(
    numbers: U64, starts: NDArray[np.uint64], min_phrases: int, n_phrases: int
) -> Commands:
    """Return the commands with these numbers.

    Args:
        numbers: Numbers of commands.
        starts: Number of the first command of `min_phrases`, `min_phrases` + 1, ... phrases.
        min_phrases: Smallest number of phrases.
        n_phrases: Number of different phrases of the language.
    """
    size = np.searchsorted(starts, numbers, side="right") - 1
    rest, counts = numbers - starts[size], min_phrases + size
    shape = len(numbers), min_phrases + len(starts) - 1
    phrases, links = np.full(shape, n_phrases, np.int32), np.full(shape, _MISSING, np.int8)
    for place in range(shape[1]):
        some = counts > place
        rest, phrase = np.divmod(rest, np.uint64(n_phrases))
        phrases[some, place] = phrase[some]
        if place:
            rest, link = np.divmod(rest, np.uint64(len(CONNECTIVES)))
            links[some, place] = link[some]
    return Commands(phrases, links, counts)


def derivations(commands: Commands, symbols: Ragged, n_phrases: int) -> Ragged:
    """Return the derivations: the connectives, the last one outermost, and then the phrases.

    Args:
        commands: Batch of commands.
        symbols: Codes of each phrase, then of each connective.
        n_phrases: Number of different phrases of the language.
    """
    links = commands.links[:, :0:-1].astype(np.int64)
    pieces = np.hstack([n_phrases + links, commands.phrases])
    occurs = np.hstack([links != _MISSING, commands.phrases != n_phrases])
    joined = symbols.take(pieces[occurs])
    return Ragged(joined.values, joined.offsets[offsets_of(2 * commands.counts - 1)])


class Written(NamedTuple):
    """Commands as text, their actions, and their worked lines."""

    commands: list[str]
    actions: list[str]
    steps: list[str]


def write_commands(commands: Commands, tables: Tables) -> Written:
    """Write commands; the lines of each phrase but the first precede a line for all so far."""
    written = Written([], [], [])
    texts, meanings, steps = tables.texts, tables.actions, tables.steps
    for phrases, links, count in zip(*(column.tolist() for column in commands), strict=True):
        words, actions, lines = texts[phrases[0]], meanings[phrases[0]], [steps[phrases[0]]]
        for phrase, link in zip(phrases[1:count], links[1:count], strict=True):
            words = f"{words} {CONNECTIVES[link]} {texts[phrase]}"
            parts = actions, meanings[phrase]
            actions = " ".join(parts if link == _AND else reversed(parts))
            lines += [steps[phrase], f"{words} = {actions}"]
        written.commands.append(words)
        written.actions.append(actions)
        written.steps.append("\n".join(lines))
    return written
