"""Templates with a break for each skill, and words of a topic that fill them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_figures import fields, records
from synthgen.core.skill_lexicon import (
    Topic,
    article,
    gerund,
    onset,
    participle,
    past,
    plural,
    senses,
    third,
)
from synthgen.generators.skillmix._piece import Parts

Content = Callable[[RowDraws, Topic], Parts | None]
"""Chooses what makes the figure; where wordings differ by what it is about, that comes first."""
Make = Callable[[RowDraws, Topic], Parts | None]
Tell = Callable[[Parts, int, int], str]
"""Writes parts in a wording without the skill of this index, or whole for -1."""
Texts = Mapping[str, tuple[str, ...]]
"""Wordings by what the content is about; ANY if that does not matter."""

ANY = "any"
_FORMS: dict[str, Callable[[str], str]] = {
    "": str,
    "a": lambda word: f"{article(word)} {word}",
    "s": plural,
    "z": third,
    "ed": past,
    "en": participle,
    "ing": gerund,
}
_FIELDS = {
    "person": "persons",
    "tool": "tools",
    "thing": "tools",
    "good": "goods",
    "place": "places",
    "verb": "verbs",
}
_FIRST = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_SECOND = re.compile(r"<([^|>]*)\|([^>]*)>")
_SLOT = re.compile(r"\{(\w+)")
_READINGS = frozenset(("person", "verb", "adjective"))


class _Word(str):
    """A word that a template asks for by form: `{tool:s}` is the plural of a tool."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return _FORMS[form](str(self))


def sides(text: str) -> tuple[str, str, str]:
    """Return a wording as it is, without its first skill, and without its second.

    `[this|that]` breaks the first skill, `<this|that>` the second one.
    """
    first, second = _FIRST.sub(r"\1", text), _FIRST.sub(r"\2", text)
    return _SECOND.sub(r"\1", first), _SECOND.sub(r"\1", second), _SECOND.sub(r"\2", first)


def teller(names: Sequence[str], texts: Texts) -> Tell:
    """Return what tells parts of these names.

    Raises:
        ValueError: if a wording has a slot of another name.
    """
    place = {name: f"{{{at}" for at, name in enumerate(names)}
    for slot in _SLOT.findall(" ".join(text for wordings in texts.values() for text in wordings)):
        if slot not in place:
            msg = f"slot={slot!r} is none of {', '.join(names)}"
            raise ValueError(msg)
    table = {
        about: tuple(
            tuple(_SLOT.sub(lambda slot: place[slot[1]], side) for side in sides(text))
            for text in wordings
        )
        for about, wordings in texts.items()
    }
    only = table.get(ANY, ())

    def tell(parts: Parts, wording: int, lost: int) -> str:
        wordings = only or table[parts[0]]
        return wordings[wording][lost + 1].format(*map(_Word, parts))

    return tell


def kinds_of(words: str) -> dict[str, str]:
    """Return the kind of each named word: "person rival=person" are two persons."""
    pairs = (word.partition("=") for word in words.split())
    return {name: kind or name for name, _, kind in pairs}


def maker(content: Content, kinds: Mapping[str, str], texts: Texts) -> Make:
    """Return what draws content, and then words of a topic of these kinds for the named slots.

    No word comes twice or stands in the wordings; none begins like another where that can be had,
    so that nothing alliterates by chance.
    """
    wanted = tuple(kinds.values())

    def make(draws: RowDraws, topic: Topic) -> Parts | None:
        chosen = content(draws, topic)
        if chosen is None:
            return None
        said = " ".join(chosen).split()
        words = draw_words(draws, topic, wanted, told(texts), said)
        return None if words is None else (*chosen, *words)

    return make


@cache
def _sound(word: str) -> str:
    return onset(word) or word[0]


def draw_words(
    draws: RowDraws,
    topic: Topic,
    kinds: Sequence[str],
    taken: frozenset[str],
    said: Sequence[str],
) -> list[str] | None:
    """Draw a word of each kind, of a new first sound where there is one.

    Args:
        draws: of the row; one draw serves for all words, as each is one of few.
        topic: that has the words.
        kinds: at most ten, see `_FIELDS`.
        taken: words that must not be drawn.
        said: more of them, whose first sounds are avoided, too.
    """
    chosen: list[str] = []
    sounds = set(map(_sound, said))
    bits = draws.bits()
    for kind in kinds:
        words = getattr(topic, _FIELDS[kind])
        start = 0
        if words:
            bits, start = divmod(bits, len(words))
        spare = ""
        for at in range(start - len(words), start):
            word = words[at]
            sound = _sound(word)
            if (sound in sounds and spare) or word in taken or word in chosen or word in said:
                continue
            if kind == "thing" and not lifeless(word):
                continue
            if sound not in sounds:
                break
            spare = word
        else:
            if not spare:
                return None
            word, sound = spare, _sound(spare)
        chosen.append(word)
        sounds.add(sound)
    return chosen


def one_of(draws: RowDraws, topic: Topic, kind: str, n: int = 1) -> tuple[str, ...] | None:
    """Draw words of a kind that are no images themselves; "tool" draws things that do not live."""
    words = draw_words(draws, topic, ("thing" if kind == "tool" else kind,) * n, _images(), ())
    return None if words is None else tuple(words)


@cache
def _images() -> frozenset[str]:
    return frozenset(
        entry[0] for record in records("images", "image") for entry in fields(record["nouns"])
    )


_TOLD: dict[int, tuple[Texts, frozenset[str]]] = {}


def told(texts: Texts) -> frozenset[str]:
    """Return the words of wordings, and those of the lexicon of which they have a form."""
    known = _TOLD.get(id(texts))
    if known is None:
        bare = re.sub(r"\{[^}]*\}", " ", " ".join(text for rows in texts.values() for text in rows))
        words = set(re.findall("[a-z]+", bare))
        lemmas = frozenset(sense.lemma for word in words for sense in senses(word)) | words
        known = _TOLD[id(texts)] = (texts, lemmas)  # kept with its key, which stays its own
    return known[1]


@cache
def _living() -> frozenset[str]:
    return frozenset(
        noun for record in records("images", "living") for noun in record["nouns"].split()
    )


@cache
def lifeless(noun: str) -> bool:
    """Whether a tool is a thing that does not live, in all readings."""
    return noun not in _living() and all(sense.part not in _READINGS for sense in senses(noun))
