from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from synthgen.core.randomness import RowDraws, Rows, stream_key
from synthgen.core.skill_inventory import shipped_skills
from synthgen.core.skill_lexicon import topic_words, topics
from synthgen.generators.skillmix._piece import Piece
from synthgen.generators.skillmix._pieces_logic import CHAINS, IMPLIES, PIECES
from synthgen.generators.skillmix._pieces_logic_chains import Chain
from synthgen.verifiers.skillmix._check_logic import CHECKERS
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._text import view
from tests.generators.skillmix.segments import words_of

ROWS = 1_000
BY_SKILL = {piece.skill: piece for piece in PIECES}
ALLOWED = re.compile(r"[a-z]+('s)?([,;]? [a-z]+('s)?)*")
WRONG = re.compile(r"\b(an (?![aeiouh])|a (?=[aeio])|every [a-z]+s are|all [a-z]+ is|(\w+) \2\b)")


def draws(label: str) -> list[RowDraws]:
    return list(Rows.span(stream_key("logic", label), 0, ROWS).each())


def fired(segment: str) -> set[str]:
    text = view(segment[0].upper() + segment[1:] + ".")
    return {skill for skill, checker in CHECKERS.items() if shown(text, checker)}


def test_one_piece_for_each_checker() -> None:
    assert sorted(BY_SKILL) == sorted(CHECKERS)
    assert len(PIECES) == len(BY_SKILL)
    assert not IMPLIES


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_a_piece_shows_its_skill_alone_and_broken_none(piece: Piece) -> None:
    assert piece.wordings >= 8
    names = {skill.id: skill.name for skill in shipped_skills()}
    every = topics()
    told = Counter[str]()
    for at, row in enumerate(draws(piece.skill)):
        topic = every[at % len(every)]
        parts = piece.make(row, topic)
        assert parts is not None, topic.name
        wording = (at + at // len(every)) % piece.wordings
        good, bad = piece.tell(parts, wording, False), piece.tell(parts, wording, True)
        assert fired(good) == {piece.skill}, good
        assert not fired(bad), bad
        for segment in (good, bad):
            assert ALLOWED.fullmatch(segment), segment
            assert not WRONG.search(segment), segment
            assert names[piece.skill] not in segment
            words = words_of(segment)
            assert words & topic_words(topic.name), segment
        told[good] += 1
    assert len(told) > 0.9 * ROWS


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_wordings_differ(piece: Piece) -> None:
    parts = piece.make(draws("wordings")[0], topics()[0])
    assert parts is not None
    segments = {piece.tell(parts, wording, False) for wording in range(piece.wordings)}
    assert len(segments) == piece.wordings


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.skill)
def test_a_broken_piece_differs_little(piece: Piece) -> None:
    for at, row in enumerate(draws("little")[:100]):
        parts = piece.make(row, topics()[at % len(topics())])
        assert parts is not None
        good = piece.tell(parts, at % piece.wordings, False).split("; ")
        bad = piece.tell(parts, at % piece.wordings, True).split("; ")
        assert len(good) == len(bad)
        assert 1 <= sum(one != other for one, other in zip(good, bad, strict=True)) <= 2


def test_two_pieces_beside_each_other_keep_to_themselves() -> None:
    every = topics()
    for at, row in enumerate(draws("pairs")):
        one, other = row.shuffled(PIECES)[:2]
        first = one.make(row, every[at % len(every)])
        second = other.make(row, every[at % len(every)])
        assert first is not None
        assert second is not None
        if not set(first).isdisjoint(second):
            continue  # a statement that both make is no longer a conclusion of one
        wording, next_wording = row.integer(0, one.wordings), row.integer(0, other.wordings)
        link = "; " if at % 2 else ". "
        for broken in (-1, 0, 1):
            segments = (
                one.tell(first, wording, broken == 0),
                other.tell(second, next_wording, broken == 1),
            )
            left = {one.skill, other.skill}
            left -= {(one.skill, other.skill)[broken]} if broken >= 0 else set()
            assert fired(link.join(segments)) == left, segments


def test_no_statement_ends_as_the_next_begins() -> None:
    piece = BY_SKILL["hypothetical_syllogism"]
    for at, row in enumerate(draws("ends")[:200]):
        parts = piece.make(row, topics()[at % len(topics())])
        assert parts is not None
        text = view(piece.tell(parts, at % 8, False))
        for one, other in pairwise(text.clauses):
            assert one.content[-1] != other.content[0]


@pytest.mark.parametrize("chain", CHAINS.values(), ids=lambda chain: "-".join(chain.skills))
def test_a_chain_shows_both_skills_and_loses_one_at_a_time(chain: Chain) -> None:
    every = topics()
    for at, row in enumerate(draws("-".join(chain.skills))[:300]):
        parts = chain.make(row, every[at % len(every)])
        assert parts is not None
        wording = at % chain.wordings
        assert fired(chain.tell(parts, wording, -1)) == set(chain.skills)
        assert fired(chain.tell(parts, wording, 0)) == {chain.skills[1]}
        assert fired(chain.tell(parts, wording, 1)) == {chain.skills[0]}
        assert ALLOWED.fullmatch(chain.tell(parts, wording, -1))
