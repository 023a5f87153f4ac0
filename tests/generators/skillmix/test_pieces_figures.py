from __future__ import annotations

import re
from collections import Counter

import pytest

from synthgen.core.randomness import Rows
from synthgen.core.skill_lexicon import Topic, topic_words
from synthgen.generators.skillmix._piece import Piece
from synthgen.generators.skillmix._pieces_figures import ALONE, AROUND, IMPLIES, PIECES
from synthgen.generators.skillmix._pieces_figures_wordings import WORDINGS
from synthgen.verifiers.skillmix._check_figures import CHECKERS
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view
from tests.generators.skillmix.segments import SEGMENT, drawn, words_of

N_ROWS = 1_000
every_piece = pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)


def figures_of(segment: str) -> set[str]:
    text = view(segment.capitalize() + ".")
    return {skill for skill, checker in CHECKERS.items() if shown(text, checker)}


@every_piece
def test_whole_shows_its_figure_and_broken_does_not(piece: Piece) -> None:
    for _, parts, wording in drawn(piece, N_ROWS):
        whole, broken = (piece.tell(parts, wording, side) for side in (False, True))
        checker = CHECKERS[piece.skill]
        assert shown(view(f"{whole}."), checker), whole
        assert not shown(view(f"{broken}."), checker), broken


@every_piece
def test_no_other_figure_arises(piece: Piece) -> None:
    implied = IMPLIES.get(piece.skill, frozenset())
    for side in (False, True):
        others: Counter[str] = Counter()
        for _, parts, wording in drawn(piece, N_ROWS):
            found = figures_of(piece.tell(parts, wording, side)) - {piece.skill}
            others.update(found - implied)
            assert side or implied <= found
        assert max(others.values(), default=0) <= N_ROWS // 200, others


@every_piece
def test_segments_are_clean_and_on_topic(piece: Piece) -> None:
    for topic, parts, wording in drawn(piece, N_ROWS):
        assert len(set(parts)) == len(parts)
        whole, broken = (piece.tell(parts, wording, side) for side in (False, True))
        assert whole != broken
        for segment in (whole, broken):
            assert SEGMENT.fullmatch(segment), segment
            assert words_of(segment) & topic_words(topic.name), segment
            assert piece.skill not in segment
        named = words_of(whole) & topic_words(topic.name)
        assert len(named) >= 2, whole


@every_piece
def test_a_break_is_minimal(piece: Piece) -> None:
    """Whole and broken differ in one stretch of words, or in one word of a list's joints."""
    for texts in WORDINGS[piece.skill].texts:
        breaks = re.findall(r"\[([^|\]]*)\|([^\]]*)\]", texts)
        assert breaks, texts
        assert sum(max(len(one.split()), len(two.split())) for one, two in breaks) <= 4, texts


def test_every_figure_has_a_checker_and_enough_wordings() -> None:
    assert [piece.skill for piece in PIECES] == list(CHECKERS)
    kinds = {piece.skill: piece.kind for piece in PIECES}
    assert kinds == {skill: "constraint" if skill in AROUND else "figure" for skill in CHECKERS}
    assert all(piece.wordings >= 4 for piece in PIECES)
    names = {piece.skill for piece in PIECES}
    assert names > ALONE
    assert all(names > {skill, *others} for skill, others in IMPLIES.items())


@every_piece
def test_wordings_differ(piece: Piece) -> None:
    _, parts, _ = drawn(piece, N_ROWS)[0]
    told = {piece.tell(parts, wording, False) for wording in range(piece.wordings)}
    assert len(told) == piece.wordings
    with pytest.raises(IndexError):
        piece.tell(parts, piece.wordings, False)


def test_a_topic_without_enough_words_cannot() -> None:
    poor = Topic("Void", "none", ("ghost",), ("chain",), ("mist",), ("ruin",), ("rattle",), ())
    piece = next(piece for piece in PIECES if piece.skill == "tricolon")
    (draws,) = Rows.span(1, 0, 1).each()
    assert piece.make(draws, poor) is None


def test_neighbours_without_a_common_content_word_make_no_new_figure() -> None:
    """The rule by which segments may stand side by side, in a sentence or across two."""
    n_pairs = 0
    pieces = [piece for piece in PIECES if piece.kind == "figure"]
    for at in range(1_500):
        one, two = pieces[at % len(pieces)], pieces[(at // len(pieces)) % len(pieces)]
        _, parts, wording = drawn(one, N_ROWS)[at % N_ROWS]
        _, others, other_wording = drawn(two, N_ROWS)[at % N_ROWS]
        first, second = one.tell(parts, wording, False), two.tell(others, other_wording, False)
        last, following = view(first).clauses[-1], view(second).clauses[0]
        if one is two or not set(last.content).isdisjoint(following.content):
            continue
        n_pairs += 1
        apart = figures_of(first) | figures_of(second)
        assert figures_of(f"{first}. {second}") == apart
        if not ALONE & {one.skill, two.skill}:
            assert figures_of(f"{first}; {second}") == apart
    assert n_pairs > 1_000
