from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from synthgen.core.skill_lexicon import (
    Sense,
    Topic,
    article,
    domains,
    gerund,
    onset,
    participle,
    past,
    plural,
    senses,
    third,
    topic_named,
    topic_words,
    topics,
)

PUBLIC = """
Sewing|Dueling|The Ottoman Empire|Urbanism|Beekeeping|Survivalism|Guerilla warfare|Triathlons|
Gardening|Knots
"""
LEAST = {"persons": 5, "tools": 12, "goods": 6, "places": 5, "verbs": 8, "adjectives": 8}
# Words that grammar or the cues of skills need for themselves.
RESERVED = frozenset(
    """
    a about above after again all almost also although an and another any are as at be because
    been before behind below beneath beside between both but by can could did do does done down
    each either else even ever every few first for from found had half has have he her his how if
    in inside into is it its just last least left less like lot many may me might mine more most
    much must my near neither never next no none nor not of off on once one only or other our out
    outside over own past perhaps probably right round same saw second several shall she should
    since so some still stop such than that the their them then there therefore these they third
    this those though through thus to too two under unless until up us very was we well were what
    when where whether which while who whose why will with without would yes yet you your
    """.split()
)
NOUNS_IN_ING = frozenset(
    "king ring sapling seedling shilling farthing string awning kindling rigging webbing "
    "handwriting wadding frosting housing lightning".split()
)


def listed(topic: Topic) -> list[tuple[str, str]]:
    return [(field, word) for field in LEAST for word in getattr(topic, field)]


def forms(topic: Topic) -> list[Sense]:
    name = topic.name
    found = [
        Sense(name, part, word, "base")
        for part, words in (
            ("person", topic.persons),
            ("tool", topic.tools),
            ("good", topic.goods),
            ("place", topic.places),
            ("verb", topic.verbs),
            ("adjective", topic.adjectives),
        )
        for word in words
    ]
    counted = [sense for sense in found if sense.part in {"person", "tool", "place"}]
    inflected = ("third", "past", "participle", "gerund")
    return [
        *found,
        *(sense._replace(form="plural") for sense in counted),
        *(Sense(name, "verb", verb, form) for verb in topic.verbs for form in inflected),
    ]


def spelled(sense: Sense) -> str:
    make = {
        "base": str,
        "plural": plural,
        "third": third,
        "past": past,
        "participle": participle,
        "gerund": gerund,
    }
    return make[sense.form](sense.lemma)


def test_there_are_enough_topics_in_groups() -> None:
    names = [topic.name for topic in topics()]
    assert len(names) >= 104
    assert len(set(names)) == len(names)
    assert {name.strip() for name in PUBLIC.split("|")} <= set(names)
    groups = Counter(topic.group for topic in topics())
    assert 10 <= len(groups) <= 14
    assert min(groups.values()) >= 6


@pytest.mark.parametrize("topic", topics(), ids=lambda topic: topic.name)
def test_a_topic_has_enough_different_words(topic: Topic) -> None:
    words = [word for _, word in listed(topic)]
    assert len(set(words)) == len(words) >= 44
    short = {field for field, least in LEAST.items() if len(getattr(topic, field)) < least}
    assert not short
    assert all(re.fullmatch("[a-z]{2,}", word) for word in words)


@pytest.mark.parametrize("topic", topics(), ids=lambda topic: topic.name)
def test_a_form_of_a_topic_has_one_reading(topic: Topic) -> None:
    readings = defaultdict(set)
    for sense in forms(topic):
        readings[spelled(sense)].add((sense.part, sense.lemma))
    assert {word: found for word, found in readings.items() if len(found) > 1} == {}
    assert not RESERVED & set(readings)
    for noun in (*topic.persons, *topic.tools, *topic.places):
        assert plural(noun) != noun
    for verb in topic.verbs:
        assert past(verb) != verb
        assert participle(verb) != verb


@pytest.mark.parametrize("topic", topics(), ids=lambda topic: topic.name)
def test_every_form_is_found_again(topic: Topic) -> None:
    expected = forms(topic)
    for sense in expected:
        word = spelled(sense)
        assert sense in senses(word)
        assert topic.name in domains(word)
    assert topic_words(topic.name) == {spelled(sense) for sense in expected}
    named = {word for word in topic_words(topic.name) if not senses(word)}
    assert not named


def test_a_sense_is_never_of_a_word_that_its_topic_lacks() -> None:
    every = {sense for topic in topics() for sense in forms(topic)}
    found = {
        sense for topic in topics() for word in topic_words(topic.name) for sense in senses(word)
    }
    assert found == every


def test_nouns_do_not_look_like_verbs() -> None:
    nouns = {word for topic in topics() for field, word in listed(topic) if field not in {"verbs"}}
    adjectives = {word for topic in topics() for word in topic.adjectives}
    assert {noun for noun in nouns - adjectives if noun.endswith("ing")} <= NOUNS_IN_ING


def test_no_adjective_is_made_of_a_noun_that_it_may_meet() -> None:
    pairs = [
        (topic.name, adjective, noun)
        for topic in topics()
        for adjective in topic.adjectives
        for noun in (*topic.goods, *topic.tools)
        if adjective
        in {noun + "y", noun[:-1] + "y", noun + noun[-1] + "y", noun + "n", noun + "en"}
    ]
    assert pairs == []


def test_words_of_a_topic_are_mostly_its_own() -> None:
    uses = defaultdict(set)
    for topic in topics():
        for field, word in listed(topic):
            uses[word, field in {"verbs", "adjectives"}].add(topic.name)
    nouns = [len(names) for (_, loose), names in uses.items() if not loose]
    loose = [len(names) for (_, loose), names in uses.items() if loose]
    assert sum(count <= 2 for count in nouns) / len(nouns) >= 0.85
    assert max(nouns) <= 8
    assert sum(count <= 2 for count in loose) / len(loose) >= 0.65
    assert max(loose) <= 14


def test_topics_of_different_groups_share_few_words() -> None:
    words = {topic.name: {word for _, word in listed(topic)} for topic in topics()}
    shared = [
        len(words[one.name] & words[other.name])
        for one, other in itertools.combinations(topics(), 2)
        if one.group != other.group
    ]
    assert max(shared) <= 10
    assert sum(shared) / len(shared) < 0.6


def test_words_are_spread_over_first_sounds() -> None:
    for topic in topics():
        sounds = Counter(onset(word) for _, word in listed(topic))
        assert len(sounds) >= 12, topic.name
        assert sounds.most_common(1)[0][1] <= 16, topic.name


def test_lookups_of_strangers_are_empty() -> None:
    assert topic_named("Astrology") is None
    assert topic_words("Astrology") == frozenset()
    assert senses("") == senses("zyzzyva") == ()
    assert domains("zyzzyva") == frozenset()


def test_lookups_of_known_words() -> None:
    sewing = topic_named("Sewing")
    assert sewing is not None
    assert sewing.group == "cloth"
    assert Sense("Sewing", "verb", "sew", "participle") in senses("sewn")
    assert Sense("Sewing", "verb", "stitch", "past") in senses("stitched")
    assert Sense("Sewing", "verb", "stitch", "participle") in senses("stitched")
    assert Sense("Sewing", "tool", "needle", "plural") in senses("needles")
    assert domains("needles") == {"Sewing"}
    assert (article("hourglass"), article("unicycle"), article("hive")) == ("an", "a", "a")


def test_nothing_is_read_at_import() -> None:
    code = (
        "from synthgen.core import skill_lexicon as lexicon;"
        "assert lexicon.topics.cache_info().currsize == 0"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True
    )
    assert done.returncode == 0, done.stderr
