from __future__ import annotations

import re
from collections import Counter

import pytest

from synthgen.core.randomness import Rows
from synthgen.core.skill_lexicon import Topic, topic_words
from synthgen.generators.skillmix._piece import Piece
from synthgen.generators.skillmix._pieces_lexical import IMPLIES, PIECES
from synthgen.generators.skillmix._pieces_lexical_wordings import WORDINGS
from synthgen.generators.skillmix._pieces_lexical_words import ANY, sides, teller
from synthgen.verifiers.skillmix._check_figures import CHECKERS as FIGURES
from synthgen.verifiers.skillmix._check_lexical import CHECKERS
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view
from tests.generators.skillmix.segments import SEGMENT, drawn, words_of

N_ROWS = 1_200
every_piece = pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)


@every_piece
def test_whole_shows_its_figure_and_broken_does_not(piece: Piece) -> None:
    checker = CHECKERS[piece.skill]
    for _, parts, wording in drawn(piece, N_ROWS):
        whole, broken = (piece.tell(parts, wording, side) for side in (False, True))
        assert shown(view(f"{whole}."), checker), whole
        assert not shown(view(f"{broken}."), checker), broken


@every_piece
def test_hardly_another_figure_arises(piece: Piece) -> None:
    others: Counter[str] = Counter()
    for _, parts, wording in drawn(piece, N_ROWS):
        for side in (False, True):
            text = view(piece.tell(parts, wording, side) + ".")
            for skill, checker in (CHECKERS | FIGURES).items():
                others[skill] += skill != piece.skill and shown(text, checker)
    assert max(others.values()) <= N_ROWS // 100, others
    assert all(count <= N_ROWS // 300 for skill, count in others.items() if skill != "alliteration")


@every_piece
def test_segments_are_clean_and_on_topic(piece: Piece) -> None:
    for topic, parts, wording in drawn(piece, N_ROWS):
        whole, broken = (piece.tell(parts, wording, side) for side in (False, True))
        assert whole != broken
        for segment in (whole, broken):
            assert SEGMENT.fullmatch(segment), segment
            assert piece.skill not in segment
            assert words_of(segment) & topic_words(topic.name), segment
        assert len(words_of(whole) & topic_words(topic.name)) >= 2, whole


def test_every_figure_has_a_checker_and_enough_wordings() -> None:
    assert [piece.skill for piece in PIECES] == list(CHECKERS)
    assert all(piece.kind == "lexical" and piece.wordings >= 4 for piece in PIECES)
    assert not IMPLIES


@every_piece
def test_wordings_differ(piece: Piece) -> None:
    _, parts, _ = drawn(piece, N_ROWS)[0]
    told = {piece.tell(parts, wording, False) for wording in range(piece.wordings)}
    assert len(told) == piece.wordings
    with pytest.raises(IndexError):
        piece.tell(parts, piece.wordings, False)


@every_piece
def test_a_break_is_minimal(piece: Piece) -> None:
    for texts in WORDINGS[piece.skill].texts.values():
        assert len(texts) == piece.wordings
        for text in texts:
            breaks = re.findall(r"\[([^|\]]*)\|([^\]]*)\]", text)
            assert 1 <= len(breaks) <= 2, text
            assert all(max(len(side.split()) for side in pair) <= 4 for pair in breaks), text


@pytest.mark.parametrize("skill", ["simile", "personification", "alliteration", "antithesis"])
def test_a_topic_without_words_cannot(skill: str) -> None:
    poor = Topic("Void", "none", (), ("brush",), (), (), (), ())
    piece = next(piece for piece in PIECES if piece.skill == skill)
    for draws in Rows.span(1, 0, 20).each():
        assert piece.make(draws, poor) is None


@every_piece
def test_content_is_varied(piece: Piece) -> None:
    """Not the topics alone vary, but what makes the figure."""
    n_names = len(WORDINGS[piece.skill].names.split())
    contents = {parts[:n_names] for _, parts, _ in drawn(piece, N_ROWS)}
    assert len(contents) > 30


def test_sides_of_two_breaks() -> None:
    assert sides("a [b|c] d<, e|> f") == ("a b d, e f", "a c d, e f", "a b d f")


def test_slots_without_a_name_are_errors() -> None:
    with pytest.raises(ValueError, match="slot='goat'"):
        teller(("cow",), {ANY: ("the {cow:s} and the {goat}",)})
