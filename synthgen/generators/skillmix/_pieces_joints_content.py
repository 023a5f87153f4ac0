"""What joints of two skills are about, where the content of one skill alone is not enough."""

from __future__ import annotations

from functools import cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic, plural, senses
from synthgen.generators.skillmix import _pieces_lexical_content as contents
from synthgen.generators.skillmix import _pieces_lexical_images as images
from synthgen.generators.skillmix._piece import Parts, distinct
from synthgen.generators.skillmix._pieces_lexical_words import one_of

_STILL = "stands falls leans rests tilts drops moves bends wobbles".split()
_MOODS = "complains laughs sighs gossips prays mourns frowns daydreams".split()
"""What only people do; no two begin alike, nor do any of those that things do."""
_ENDS = "chaos ruin misery disaster famine anarchy despair war".split()
_BLESSINGS = "plenty comfort laughter applause rejoicing prosperity".split()
_CLASSES = "items objects pieces things".split()


def nothing(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001 - as all content
    """Choose nothing: words of the topic do."""
    return ()


def opposite_people(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose opposite traits and a neutral one, and a negative adjective with the plain one."""
    contrast = contents.antithesis(draws, topic)
    denied = draws.choice(contents.denied("person"))
    if contrast is None or not set(denied).isdisjoint(contrast):
        return None
    return (*contrast, *denied)


@cache
def _images_of_people() -> tuple[str, ...]:
    """Return those of the lexicon, so that clauses with two of them are parallel."""
    return tuple(
        name
        for name in images.names("person")
        if any(sense.part in ("tool", "place") for sense in senses(name))
    )


def twins(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose two people, an image of each, and what each may be in fact."""
    people = one_of(draws, topic, "person", 4)
    if people is None:
        return None
    bearer, rival, *peers = people
    found = [
        name
        for name in _images_of_people()
        if images.apart(bearer, name) and images.apart(rival, name)
    ]
    if len(found) < 2:
        return None
    return bearer, rival, *distinct(draws, found, 2), *peers


def waiting(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001 - as all content
    """Choose a time that nobody can wait, and a short one."""
    return images.long_and_short(draws)


def rising(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose who or what is meant, and three words from weak to strong."""
    content = contents.climax(draws, topic)
    if content is None:
        return None
    about, *words = content
    bearer = one_of(draws, topic, "person" if about == "mood" else "tool")
    return None if bearer is None else (*bearer, *words)


def moods(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose a thing, three deeds of people, and three that things may do."""
    thing = one_of(draws, topic, "tool")
    if thing is None:
        return None
    return *thing, *distinct(draws, _MOODS, 3), *distinct(draws, _STILL, 3)


def end_of_slope(draws: RowDraws, topic: Topic) -> Parts | None:  # noqa: ARG001
    """Choose a bad end and a good one."""
    return draws.choice(_ENDS), draws.choice(_BLESSINGS)


def counted(draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose numbers of three things, their sum, a wrong sum, and what all of them are."""
    tools = one_of(draws, topic, "tool", 3)
    if tools is None:
        return None
    counts = [draws.integer(2, 30) for _ in tools]
    told = [f"{n} {plural(tool)}" for n, tool in zip(counts, tools, strict=True)]
    wrong = sum(counts) + draws.choice((-1, 1, 2, 10))
    return *told, str(sum(counts)), str(wrong), draws.choice(_CLASSES)
