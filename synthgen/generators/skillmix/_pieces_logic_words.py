"""What arguments are made of: statements from a topic, of words that do not sound alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, article, gerund, onset, plural, third

Sounding = tuple[tuple[str, str], ...]
"""Words with their first sounds."""

_MINDS = (
    "proud of",
    "fond of",
    "in need of",
    "in charge of",
    "busy with",
    "done with",
    "familiar with",
    "content with",
)
_READY = ("keen", "eager", "ready", "slow", "quick", "able", "glad", "free", "happy")


_FEWEST_BITS = 1 << 24


class Noun(NamedTuple):
    """A countable noun.

    Attributes:
        one: singular.
        many: plural.
        a_one: singular with its article.
    """

    one: str
    many: str
    a_one: str


class _Table(NamedTuple):
    """The words of a topic with their first sounds, and the plurals of its things."""

    topic: Topic
    persons: Sounding
    tools: Sounding
    places: Sounding
    objects: Sounding
    verbs: Sounding
    doing: Sounding
    adjectives: Sounding
    things: dict[str, str]


def sounding(words: tuple[str, ...]) -> Sounding:
    """Return words with the first sound of their last word but particles."""
    return tuple((word, onset(max(word.split(), key=len))) for word in words)


_MIND_SOUNDS = sounding(_MINDS)
_READY_SOUNDS = sounding(_READY)
_TABLES: dict[str, _Table] = {}


def _table(topic: Topic) -> _Table:
    """Return the table of a topic; to look it up by the topic itself would cost more."""
    known = _TABLES.get(topic.name)
    if known is None or known.topic is not topic:
        known = _Table(
            topic=topic,
            persons=sounding(topic.persons),
            tools=sounding(topic.tools),
            places=sounding(topic.places),
            objects=sounding(topic.tools + topic.goods),
            verbs=sounding(topic.verbs),
            doing=sounding(tuple(map(gerund, topic.verbs))),
            adjectives=sounding(topic.adjectives),
            things={word: plural(word) for word in topic.tools},
        )
        _TABLES[topic.name] = known
    return known


@lru_cache(maxsize=16_384)
def noun(word: str) -> Noun:
    """Return the forms of a noun."""
    return Noun(word, plural(word), f"{article(word)} {word}")


_third = lru_cache(maxsize=8192)(third)


class Chooser:
    """Draws words of one topic, no word twice and no first sound twice while it can.

    Attributes:
        topic: whose words it gives.
        table: its words.
    """

    __slots__ = ("_bits", "_draws", "_heard", "_used", "table", "topic")

    def __init__(self, draws: RowDraws, topic: Topic) -> None:
        self.topic = topic
        self.table = _table(topic)
        self._draws = draws
        self._bits = draws.bits()
        self._heard: set[str] = set()
        self._used: set[str] = set()

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1; one draw serves for several, as n is small."""
        if self._bits < _FEWEST_BITS:
            self._bits = self._draws.bits()
        self._bits, at = divmod(self._bits, n)
        return at

    def fresh(self, words: Sounding) -> str:
        """Return a word with a first sound that is new, or else just a new word.

        Raises:
            LookupError: if all words are used up.
        """
        n = len(words)
        start = self.below(n)
        other = ""
        for at in range(start - n, start):  # from `start` on, and round
            word, sound = words[at]
            if word in self._used:
                continue
            if sound not in self._heard:
                self._heard.add(sound)
                self._used.add(word)
                return word
            other = other or word
        if not other:
            msg = f"topic={self.topic.name!r} has too few words for this frame"
            raise LookupError(msg)
        self._used.add(other)
        return other

    def person(self) -> Noun:
        """Return a person."""
        return noun(self.fresh(self.table.persons))

    def tool(self) -> str:
        """Return a thing."""
        return self.fresh(self.table.tools)

    def place(self) -> str:
        """Return a place."""
        return self.fresh(self.table.places)

    def deed(self) -> tuple[str, str]:
        """Return what people do, for many of them and for one: "carry ropes", "carries ropes"."""
        verb = self.fresh(self.table.verbs)
        thing = self._things()
        return f"{verb} {thing}", f"{_third(verb)} {thing}"

    def trait(self) -> str:
        """Return what people are: "keen to carry ropes"."""
        verb = self.fresh(self.table.verbs)
        thing = self._things()
        return f"{self.fresh(_READY_SOUNDS)} to {verb} {thing}"

    def _things(self) -> str:
        thing = self.fresh(self.table.objects)
        return self.table.things.get(thing, thing)

    def doing(self) -> str:
        """Return a statement such as "the guard is carrying the rope"."""
        table = self.table
        who, verb = self.fresh(table.persons), self.fresh(table.doing)
        return f"the {who} is {verb} the {self.fresh(table.objects)}"

    def minding(self) -> str:
        """Return a statement such as "the guard is proud of the rope"."""
        table = self.table
        who, mind = self.fresh(table.persons), self.fresh(_MIND_SOUNDS)
        return f"the {who} is {mind} the {self.fresh(table.objects)}"

    def near(self) -> str:
        """Return a statement such as "the rope is near the tower"."""
        return f"the {self.tool()} is near the {self.place()}"

    def state(self) -> str:
        """Return a statement such as "the rope is wet"."""
        return f"the {self.tool()} is {self.fresh(self.table.adjectives)}"


Maker = Callable[[Chooser], str]
DENIABLE: tuple[Maker, ...] = (Chooser.doing, Chooser.minding, Chooser.near)
"""Kinds of statements without an adjective that a denial could turn into an understatement."""
ANY: tuple[Maker, ...] = (*DENIABLE, Chooser.state)


def deny(statement: str) -> str:
    """Deny a statement with "is"."""
    return statement.replace(" is ", " is not ", 1)


def statements(words: Chooser, kinds: tuple[Maker, ...], n: int, spare: int) -> list[str]:
    """Return n statements of different kinds, at most as many as there are kinds.

    One more behind them is of the kind of number `spare`: it takes its place in broken arguments.

    Raises:
        LookupError: if the topic has too few words.
    """
    pool = list(kinds)
    chosen = [pool.pop(words.below(len(pool))) for _ in range(n)]
    return [make(words) for make in (*chosen, chosen[spare])]
