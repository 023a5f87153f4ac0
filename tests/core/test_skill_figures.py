from __future__ import annotations

import pytest

from synthgen.core.skill_figures import fields, records
from synthgen.core.skill_lexicon import onset, senses, topics

TABLES = {
    "rhymes": ("class",),
    "opposites": ("neutral", "contrast", "pair", "clash", "phrase", "denied"),
    "images": ("image", "idea", "living", "collective", "extreme", "bound"),
    "words": ("sound", "sense", "scale", "human"),
}


@pytest.mark.parametrize(
    ("name", "table"), [(n, t) for n, tables in TABLES.items() for t in tables]
)
def test_tables_hold_texts_and_cannot_be_changed(name: str, table: str) -> None:
    for record in records(name, table):
        assert all(isinstance(text, str) for text in record.values())
        with pytest.raises(TypeError):
            record["more"] = "x"  # type: ignore[index]


def test_unknown_names_are_errors() -> None:
    with pytest.raises(FileNotFoundError):
        records("smells", "class")
    with pytest.raises(KeyError):
        records("rhymes", "vowel")


def test_fields_are_split_at_slashes() -> None:
    assert fields("open/secret lion/brave,proud//person") == (
        ("open", "secret"),
        ("lion", "brave,proud", "", "person"),
    )


def test_a_word_rhymes_in_one_class() -> None:
    seen: dict[str, str] = {}
    for record in records("rhymes", "class"):
        ends = {tail.split()[-1] for tail in record["tails"].split(",")}
        assert len(ends) > 1
        for word in {*record["words"].split(), *ends}:
            assert seen.setdefault(word, record["words"]) == record["words"], word


def test_words_of_a_sound_begin_with_it_and_all_topics_have_people_for_one() -> None:
    sounds = set()
    for record in records("words", "sound"):
        sounds.add(record["onset"])
        for word in (record["traits"] + " " + record["manners"]).split():
            assert onset(word) == record["onset"], word
    for topic in topics():
        assert sounds & set(map(onset, topic.persons)), topic.name


def test_a_sense_has_its_words_alone() -> None:
    for part in ("adjectives", "nouns"):
        words = [word for record in records("words", "sense") for word in record[part].split()]
        assert len(words) == len(set(words))


def test_scales_that_are_told_have_three_steps() -> None:
    for record in records("words", "scale"):
        assert record["of"] in ("mood", "quality", "any")
        assert len(record["words"].split()) == len(set(record["words"].split())) >= 3


def test_images_have_traits_or_bearers() -> None:
    for record in records("images", "image"):
        for noun, person, thing, bearers in fields(record["nouns"]):
            assert person or thing or bearers, noun
            assert set(filter(None, bearers.split(","))) <= {"person", "thing", "place"}


def test_negative_adjectives_do_not_come_from_topics() -> None:
    """So that a denied adjective of a topic is no understatement."""
    for record in records("opposites", "denied"):
        for bad, _ in fields(record["pairs"]):
            assert not any(sense.part == "adjective" for sense in senses(bad)), bad
