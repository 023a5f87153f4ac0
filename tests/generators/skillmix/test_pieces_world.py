"""Frames of world and mind: each shows its skill, broken it does not, and it shows no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from synthgen.core.randomness import Rows
from synthgen.core.skill_lexicon import Topic, topic_words, topics
from synthgen.generators.skillmix._piece import Piece
from synthgen.generators.skillmix._pieces_world import IMPLIES, PIECES
from synthgen.generators.skillmix._pieces_world_wording import pronouns, teller
from synthgen.verifiers.skillmix._check_figures import CHECKERS as FIGURES
from synthgen.verifiers.skillmix._check_world import CHECKERS
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view

ROWS = 1_000
SEGMENT = re.compile(r"[a-z0-9' ]+(?:[,;] [a-z0-9' ]+)*")


def told(piece: Piece, n: int = ROWS) -> Iterator[tuple[Topic, str, str]]:
    """Yield (topic, segment, broken segment), every wording with every topic in turn."""
    every = topics()
    for i, draws in enumerate(Rows.span(17, 0, n).each()):
        topic = every[i % len(every)]
        parts = piece.make(draws, topic)
        if parts is not None:
            wording = draws.integer(0, piece.wordings)
            yield topic, piece.tell(parts, wording, False), piece.tell(parts, wording, True)


def detected(segment: str, mark: str) -> set[str]:
    text = view(f"{segment[0].upper()}{segment[1:]}{mark}")
    return {skill for skill, checker in CHECKERS.items() if shown(text, checker)}


def test_pieces_are_those_that_can_be_checked() -> None:
    assert [piece.skill for piece in PIECES] == sorted(CHECKERS, key=_place)
    assert all(piece.wordings >= 8 for piece in PIECES)
    assert IMPLIES == {}


def _place(skill: str) -> int:
    return [piece.skill for piece in PIECES].index(skill)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_exactly_the_skill_is_shown_and_lost(piece: Piece) -> None:
    rows = list(told(piece))
    assert len(rows) >= 0.95 * ROWS
    for _, whole, broken in rows:
        assert detected(whole, piece.mark) == {piece.skill}, whole
        assert detected(broken, piece.mark) == set(), broken
        assert whole != broken


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_segments_are_well_formed_and_on_topic(piece: Piece) -> None:
    for topic, *segments in told(piece, 300):
        for segment in segments:
            assert SEGMENT.fullmatch(segment), segment
            assert "  " not in segment
            assert not topic_words(topic.name).isdisjoint(re.findall(r"[a-z]+", segment)), segment
            assert not re.search(r"\b(a [aeio]|an [^aeiouh])", segment), segment
            assert not re.search(r"\b(\w+) \1\b", segment), segment


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_figures_are_rare(piece: Piece) -> None:
    rows = [segment for _, segment, _ in told(piece, 400)]
    texts = [view(f"{row.capitalize()}{piece.mark}") for row in rows]
    for figure, checker in FIGURES.items():
        assert sum(shown(text, checker) for text in texts) <= 0.05 * len(texts), figure


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_wordings_differ(piece: Piece) -> None:
    draws = next(iter(Rows.span(3, 5, 6).each()))
    parts = next(parts for topic in topics() if (parts := piece.make(draws, topic)) is not None)
    segments = {piece.tell(parts, wording, False) for wording in range(piece.wordings)}
    assert len(segments) == piece.wordings


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_a_topic_without_words_has_no_content(piece: Piece) -> None:
    topic = topics()[0]
    bare = replace(topic, persons=(), tools=(), goods=(), places=(), verbs=(), adjectives=())
    poor = replace(topic, persons=topic.persons[:1], tools=topic.tools[:1])
    draws = next(iter(Rows.span(3, 0, 1).each()))
    assert piece.make(draws, bare) is None
    piece.make(draws, poor)


def test_a_template_must_name_its_slots() -> None:
    with pytest.raises(KeyError):
        teller("who thing", ("the {who} has the {place}",))
    tell = teller("a b c|a|b", ("{a} {c}",))
    assert tell(("x", "y"), 0, False) == "x x"
    assert tell(("x", "y"), 0, True) == "x y"


def test_pronouns_agree_with_nouns_that_say_whether_he_or_she() -> None:
    women = "aunt bride countess godmother grandmother laundress maiden muse niece nun soprano"
    men = "abbot earl friar gentleman grandfather landlord monk pharaoh sultan uncle wizard"
    told = {
        person: {pronouns(draws, person)[0] for draws in Rows.span(5, 0, 50).each()}
        for person in f"{women} {men} baker nurse".split()
    }
    assert all(told[person] == {"she"} for person in women.split())
    assert all(told[person] == {"he"} for person in men.split())
    assert told["baker"] == told["nurse"] == {"he", "she"}
