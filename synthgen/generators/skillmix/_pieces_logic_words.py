"""What arguments are made of: statements from a topic, of words that do not sound alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, article, gerund, onset, plural, third
from synthgen.generators.skillmix._piece import Sounding, unlike, unsaid

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


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A kind of statements.

    Attributes:
        words: fields of `_Table` that they take words of.
        text: with a slot for each of these.
    """

    words: tuple[str, ...]
    text: str


_DOING = Statement(("persons", "doing", "objects"), "the %s is %s the %s")
_MINDING = Statement(("persons", "minds", "objects"), "the %s is %s the %s")
_NEAR = Statement(("tools", "places"), "the %s is near the %s")
_STATE = Statement(("tools", "adjectives"), "the %s is %s")
DENIABLE = (_DOING, _MINDING, _NEAR)
"""Kinds of statements without an adjective that a denial could turn into an understatement."""
ANY = (*DENIABLE, _STATE)


class _Table(NamedTuple):
    """The words of a topic with their first sounds, and the plurals of its things.

    Attributes:
        topic: whose they are.
        minds: the same for every topic.
        pools: words that statements of a kind take, as far as there have been any.
    """

    topic: Topic
    persons: Sounding
    tools: Sounding
    places: Sounding
    objects: Sounding
    verbs: Sounding
    doing: Sounding
    adjectives: Sounding
    minds: Sounding
    things: dict[str, str]
    pools: dict[Statement, tuple[Sounding, ...]]


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
            minds=_MIND_SOUNDS,
            things={word: plural(word) for word in topic.tools},
            pools={},
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
        self._used: list[str] = []

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1; one draw serves for several, as n is small."""
        if self._bits < _FEWEST_BITS:
            self._bits = self._draws.bits()
        self._bits, at = divmod(self._bits, n)
        return at

    def drawn(self, pools: Iterable[Sounding]) -> list[str]:
        """Return a word of each pool, with a first sound that is new, or else just a new word.

        Raises:
            LookupError: if all words of one are used up.
        """
        bits, heard = self._bits, self._heard
        chosen: list[str] = []
        for words in pools:
            if bits < _FEWEST_BITS:
                bits = self._draws.bits()
            bits, start = divmod(bits, len(words))
            word, sound = words[start]
            if sound in heard:
                other = unlike(words, start, heard) or unsaid(words, start, (*self._used, *chosen))
                if other is None:
                    msg = f"topic={self.topic.name!r} has too few words for this frame"
                    raise LookupError(msg)
                word, sound = other
            heard.add(sound)
            chosen.append(word)
        self._bits = bits
        self._used += chosen
        return chosen

    def persons(self, n: int) -> list[Noun]:
        """Return n persons."""
        return list(map(noun, self.drawn((self.table.persons,) * n)))

    def deed(self) -> tuple[str, str]:
        """Return what people do, for many of them and for one: "carry ropes", "carries ropes"."""
        verb, thing = self.drawn((self.table.verbs, self.table.objects))
        things = self.table.things.get(thing, thing)
        return f"{verb} {things}", f"{_third(verb)} {things}"

    def trait(self) -> str:
        """Return what people are: "keen to carry ropes"."""
        verb, thing, ready = self.drawn((self.table.verbs, self.table.objects, _READY_SOUNDS))
        return f"{ready} to {verb} {self.table.things.get(thing, thing)}"

    def statements(
        self, kinds: tuple[Statement, ...], n: int, spares: tuple[int, ...]
    ) -> list[str]:
        """Return n statements of different kinds, such as "the guard is carrying the rope".

        One more of the kind of each number in `spares` is behind them: it takes the place of one
        in broken arguments.

        Raises:
            LookupError: if the topic has too few words.
        """
        picks = tuple([self.below(len(kinds) - at) for at in range(n)])
        row = _row(kinds, picks, spares)
        pools = self.table.pools.get(row)
        if pools is None:
            pools = tuple(getattr(self.table, words) for words in row.words)
            self.table.pools[row] = pools
        return (row.text % tuple(self.drawn(pools))).split("\n")


@cache
def _row(
    kinds: tuple[Statement, ...], picks: tuple[int, ...], spares: tuple[int, ...]
) -> Statement:
    """Return kinds of statements as one, with lines between: each pick is of those that remain."""
    pool = list(kinds)
    chosen = [pool.pop(pick) for pick in picks]
    chosen += [chosen[spare] for spare in spares]
    words = tuple(word for kind in chosen for word in kind.words)
    return Statement(words, "\n".join([kind.text for kind in chosen]))


def deny(statement: str) -> str:
    """Deny a statement with "is"."""
    return statement.replace(" is ", " is not ", 1)
