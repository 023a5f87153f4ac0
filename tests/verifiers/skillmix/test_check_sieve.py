"""The sieve leaves out no skill that a checker finds, and does leave out skills."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from synthgen.verifiers.skillmix import _check_sieve
from synthgen.verifiers.skillmix._check_sieve import Sieve
from synthgen.verifiers.skillmix._skills import CHECKERS, SKILLS
from synthgen.verifiers.skillmix._text import MOST_CHARACTERS, shown, view
from synthgen.verifiers.skillmix._wanted import bits_of
from tests.fresh_process import printed

SIGNED = {
    "anaphora": "Ropes hang here; ropes lie there; ropes rot below.",
    "epistrophe": "They want rope. We need rope. You sell rope.",
    "symploce": "Ropes hold the tent, ropes save the tent, ropes lift the tent.",
    "anadiplosis": "They lift the crate; the crate hides a lamp.",
    "gradatio": "They lift the crate; the crate hides a lamp; the lamp burns oil.",
    "epanalepsis": "Rope is what they want: only rope; rope holds the old rope.",
    "antimetabole": "The miner fears the lamp, the lamp fears the miner.",
    "polysyndeton": "They carry rope and lamps and oil and salt.",
    "asyndeton": "They carried rope, oil, salt.",
    "epizeuxis": "They want rope, rope, rope.",
    "diacope": "They want rope, good rope, always rope after rope.",
    "isocolon": "The miner lifts the lamp, the miner drops the rope.",
    "tricolon": "The miner lifts a lamp, the miner lifts a rope, the miner lifts a crate.",
    "polyptoton": "They weld what was welded; a welder welds welding.",
    "alliteration": "Big brown barrels block the door.",
    "rhyme": "They sleep all night; we see the light.",
    "antithesis": "The start was hot, the end was cold.",
    "climax": "It was warm, it was hot, it was scorching.",
}
WORDS = (
    "the a an so if not and or every all no most is was rope ropes lamp lamps miner miners hot "
    "cold big small night light day of in on like as than one two three because therefore left "
    "before after barrel basket bell weld welds welded good bad warm dark all told then that it"
).split()


def _mixed(n: int) -> list[str]:
    rng = np.random.default_rng(5)
    marks = np.array([" "] * 5 + [", ", ", ", "; ", ". ", "? "])
    lengths = rng.integers(1, 30, n).tolist()
    return ["".join(np.char.add(rng.choice(WORDS, k), rng.choice(marks, k))) for k in lengths]


def _lost(raw: list[str]) -> list[tuple[str, str]]:
    texts = [view(each) for each in raw]
    possible = Sieve(CHECKERS).possible(texts)
    return [
        (skill, text.raw)
        for skill, row in zip(SKILLS, possible, strict=True)
        for text, can in zip(texts, row.tolist(), strict=True)
        if not can and shown(text, CHECKERS[skill])
    ]


def test_signs_stand_for_skills() -> None:
    assert SIGNED.keys() <= CHECKERS.keys()
    assert set(_check_sieve._SIGNS) - SIGNED.keys() == {
        "spatial_reasoning",
        "temporal_order",
        "begging_the_question",
    }


@pytest.mark.parametrize("skill", SIGNED)
def test_what_shows_a_skill_passes(skill: str) -> None:
    told, plain = view(SIGNED[skill]), view("Nobody spoke.")
    possible = Sieve(CHECKERS).possible([plain, told])
    assert shown(told, CHECKERS[skill])
    assert possible[SKILLS.index(skill)].tolist() == [False, True]


def test_nothing_that_a_checker_finds_is_left_out() -> None:
    assert _lost(_mixed(600) + list(SIGNED.values())) == []
    possible = Sieve(CHECKERS).possible([view(raw) for raw in _mixed(600)])
    assert 0.02 < possible.mean() < 0.5


def test_texts_without_words_show_nothing() -> None:
    texts = [view(raw) for raw in ("", " ;. ", "a" * (MOST_CHARACTERS + 1), "Rope, rope, rope.")]
    possible = Sieve(CHECKERS).possible(texts)
    assert possible[:, :3].sum() == 0
    assert possible[SKILLS.index("epizeuxis"), 3]
    assert Sieve(CHECKERS).possible([]).shape == (len(CHECKERS), 0)


def test_clauses_get_the_bits_of_their_words() -> None:
    text = view("The tin lamp is cold, as they say; nobody knows why.")
    Sieve(CHECKERS).possible([text])
    assert [one.bits for one in text.clauses] == [bits_of(one.words) for one in text.clauses]


def test_a_new_table_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [view(raw) for raw in _mixed(40)]
    sieve = Sieve(CHECKERS)
    before = sieve.possible(texts)
    monkeypatch.setattr(_check_sieve, "_MOST_WORDS", 3)
    monkeypatch.setattr(_check_sieve, "_FIRST_ROWS", 2)
    assert np.array_equal(sieve.possible(texts), before)


def test_compiled_and_plain_agree() -> None:
    program = "from tests.verifiers.skillmix.test_check_sieve import digest; print(digest())"
    assert printed(program, plain=True) == digest()


def digest() -> str:
    """Return the digest of what passes."""
    possible = Sieve(CHECKERS).possible([view(raw) for raw in _mixed(60)])
    return hashlib.sha256(possible.tobytes()).hexdigest()
