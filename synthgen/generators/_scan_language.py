"""The language of SCAN commands (Lake and Baroni 2018), which words it has and what they mean.

    command = phrase { (and | after) phrase }        phrase = form [ twice | thrice | ... ]
    form = verb | (verb | turn) [ opposite | around | ... ] (left | right | ...)

A verb does its action, a direction turns, and a manner says how the two follow each other. The
original has 4 verbs, 2 directions, 2 manners, 2 repeat words and at most one connective; the lists
here go on with words of our own, in an order that never changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from synthgen.core.derivation import Signature

VERBS = (
    *("walk", "look", "run", "jump", "crawl", "hop", "swim", "climb", "skip", "march", "roll"),
    *("slide", "dive", "kick", "throw", "catch", "push", "pull", "lift", "drop", "clap", "wave"),
    *("nod", "bow", "sing", "dance", "whistle", "shout", "read", "write", "draw", "paint", "dig"),
    *("plant", "cut", "fold", "cook", "eat", "drink", "sleep", "sit", "kneel", "stretch", "bend"),
    *("knock", "ring", "tap", "press", "count", "point", "blink", "smile", "laugh", "hum", "yawn"),
    *("cough", "float", "fly", "glide", "drift", "chase", "hide", "seek", "rest"),
)
TURN = "turn"
"""Stands where a verb does, needs a direction, and has no action of its own."""
DIRECTIONS = ("left", "right", "up", "down", "north", "south", "east", "west")
MANNERS = {
    "opposite": "TTA",
    "around": "TATATATA",
    "across": "TATA",
    "past": "ATA",
    "beyond": "TAA",
}
"""What a manner makes of a turn T and an action A; without one it is TA."""
PLAIN_MANNER = "TA"
REPEATS = (
    *("twice", "thrice", "fourfold", "fivefold", "sixfold", "sevenfold", "eightfold", "ninefold"),
)
CONNECTIVES = ("and", "after")
AND, AFTER, NO_CONNECTIVE = range(3)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase: an empty text stands for a part that is not there.

    Attributes:
        verb: a verb, or `turn`.
        times: 1 without a repeat word, 2 for `twice` and so on.
    """

    verb: str
    manner: str
    direction: str
    times: int

    @property
    def repeat(self) -> str:
        """The repeat word."""
        return REPEATS[self.times - 2] if self.times > 1 else ""

    @property
    def form(self) -> str:
        """The phrase without its repeat word."""
        return " ".join(filter(None, (self.verb, self.manner, self.direction)))

    @property
    def text(self) -> str:
        """The phrase as it stands in a command."""
        return " ".join(filter(None, (self.form, self.repeat)))

    @property
    def derivation(self) -> tuple[str, ...]:
        """Symbols in prefix order: repeat word, manner or direction, verb, argument of a manner."""
        if self.manner:
            body: tuple[str, ...] = (self.manner, self.verb, argument_of(self.direction))
        else:
            body = tuple(filter(None, (self.direction, self.verb)))
        return (self.repeat, *body) if self.repeat else body

    @property
    def depth(self) -> int:
        """Depth of the derivation; a bare verb is 1."""
        return 1 + bool(self.direction) + bool(self.repeat)


@dataclass(frozen=True)
class Language:
    """How many words of each list a language has."""

    verbs: int
    directions: int
    manners: int
    repeats: int

    @property
    def verb_words(self) -> tuple[str, ...]:
        """All that may begin a phrase, `turn` last."""
        return (*VERBS[: self.verbs], TURN)

    @property
    def direction_words(self) -> tuple[str, ...]:
        """Directions in use."""
        return DIRECTIONS[: self.directions]

    @property
    def manner_words(self) -> tuple[str, ...]:
        """Manners in use."""
        return tuple(MANNERS)[: self.manners]

    @property
    def repeat_words(self) -> tuple[str, ...]:
        """Repeat words in use."""
        return REPEATS[: self.repeats]

    @property
    def manner_names(self) -> tuple[str, ...]:
        """All that may follow a verb, as names: bare, left, right, opposite_left, ..."""
        kinds = ("", *self.manner_words)
        pairs = [f"{kind}_{d}".strip("_") for kind in kinds for d in self.direction_words]
        return ("bare", *pairs)

    @property
    def n_phrases(self) -> int:
        """Number of different phrases."""
        modified = (self.verbs + 1) * self.directions * (1 + self.manners)
        return (1 + self.repeats) * (self.verbs + modified)

    def n_commands(self, count: int) -> int:
        """Return the number of commands of so many phrases."""
        joined: int = (self.n_phrases * len(CONNECTIVES)) ** (count - 1)
        return self.n_phrases * joined

    def phrases(self) -> Iterator[Phrase]:
        """Yield all phrases: their number in this order is their code."""
        for times in range(1, self.repeats + 2):
            for verb in self.verb_words:
                if verb != TURN:
                    yield Phrase(verb, "", "", times)
                for manner in ("", *self.manner_words):
                    for direction in self.direction_words:
                        yield Phrase(verb, manner, direction, times)

    @cached_property
    def signature(self) -> Signature:
        """Symbols of derivations.

        A direction is the function `left` where it stands alone and the argument `leftward` of a
        manner, as in (twice (around jump leftward)) and (and (left jump) walk).
        """
        return Signature.of(
            dict.fromkeys(self.verb_words, 0)
            | dict.fromkeys(map(argument_of, self.direction_words), 0)
            | dict.fromkeys(self.direction_words, 1)
            | dict.fromkeys(self.manner_words, 2)
            | dict.fromkeys(self.repeat_words, 1)
            | dict.fromkeys(CONNECTIVES, 2)
        )


def argument_of(direction: str) -> str:
    """Return the symbol of a direction that a manner takes."""
    return f"{direction}ward"


def form_actions(phrase: Phrase) -> list[str]:
    """Return the actions of a phrase without its repeat word."""
    own = [] if phrase.verb == TURN else [f"I_{phrase.verb.upper()}"]
    if not phrase.direction:
        return own
    meaning = {"T": [f"I_TURN_{phrase.direction.upper()}"], "A": own}
    pattern = MANNERS[phrase.manner] if phrase.manner else PLAIN_MANNER
    return [action for part in pattern for action in meaning[part]]


def phrase_steps(phrase: Phrase) -> list[str]:
    """Return a line for each node of a phrase that means actions, arguments first."""
    actions = form_actions(phrase)
    lines = []
    if phrase.direction and phrase.verb != TURN:
        lines.append(f"{phrase.verb} = I_{phrase.verb.upper()}")
    lines.append(f"{phrase.form} = {' '.join(actions)}")
    if phrase.times > 1:
        lines.append(f"{phrase.text} = {' '.join(actions * phrase.times)}")
    return lines
