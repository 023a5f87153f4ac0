"""The sieve leaves out no skill that a checker finds, and does leave out skills."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from numpy.typing import NDArray

from synthgen.verifiers.skillmix import _check_sieve, _check_sieve_words
from synthgen.verifiers.skillmix._check_sieve import Sieve
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._skills import CHECKERS, SKILLS
from synthgen.verifiers.skillmix._text import MOST_CHARACTERS, view
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_words import Words
from synthgen.verifiers.skillmix._wanted import bits_of
from tests.fresh_process import printed

SIGNED = {
    "anaphora": "Ropes hang here; ropes lie there; ropes rot below.",
    "epistrophe": "They want rope. We need rope. You sell rope.",
    "symploce": "Ropes hold the tent, ropes save the tent, ropes lift the tent.",
    "anadiplosis": "They lift the crate; the crate hides a lamp.",
    "gradatio": "They lift the crate; the crate hides a lamp; the lamp burns oil.",
    "inclusio": "It rained on the miner, the lamp went out, it rained on the miner.",
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
    "metaphor": "Time is a thief.",
    "simile": "The miner is as strong as an ox, and roars like a lion.",
    "oxymoron": "They heard the deafening silence.",
    "hyperbole": "The crate weighs more than a million tons, and is older than time itself.",
    "complex_question": "Why did the miner steal the lamp?",
    "red_herring": "Is the needle sharp? The tailor replied that the beehive is full of honey.",
    "counting": "They packed 2 ropes, 3 lamps and 4 crates, 9 things in all.",
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


def sifted(raws: list[str]) -> NDArray[np.bool_]:
    return Sieve(CHECKERS).possible(Cut(raws, Words()))


def _lost(raw: list[str]) -> list[tuple[str, str]]:
    texts = [view(each) for each in raw]
    possible = sifted(raw)
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
    possible = sifted(["Nobody spoke.", SIGNED[skill]])
    assert shown(view(SIGNED[skill]), CHECKERS[skill])
    assert possible[SKILLS.index(skill)].tolist() == [False, True]


def test_certain_signs_are_those_that_checkers_find() -> None:
    raw = _mixed(1500) + list(SIGNED.values())
    possible = sifted(raw)
    for skill in _check_sieve.CERTAIN:
        found = [shown(view(each), CHECKERS[skill]) for each in raw]
        assert possible[SKILLS.index(skill)].tolist() == found, skill


def test_nothing_that_a_checker_finds_is_left_out() -> None:
    assert _lost(_mixed(600) + list(SIGNED.values())) == []
    possible = sifted(_mixed(600))
    assert 0.02 < possible.mean() < 0.5


def test_texts_without_words_show_nothing() -> None:
    texts = ["", " ;. ", "a" * (MOST_CHARACTERS + 1), "Rope, rope, rope."]
    possible = sifted(texts)
    assert possible[:, :3].sum() == 0
    assert possible[SKILLS.index("epizeuxis"), 3]
    assert sifted([]).shape == (len(CHECKERS), 0)


def test_clauses_get_the_bits_of_their_words() -> None:
    raw = "The tin lamp is cold, as they say; nobody knows why."
    cut = Cut([raw], Words())
    Sieve(CHECKERS).possible(cut)
    text = cut.text(0)
    assert [one.bits for one in text.clauses] == [bits_of(one.words) for one in text.clauses]


def test_what_is_known_of_words_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, before = _mixed(40), sifted(_mixed(40))
    monkeypatch.setattr(_check_sieve_words, "_FIRST_ROWS", 2)
    sieve, known = Sieve(CHECKERS), Words()
    after = [sieve.possible(Cut([raw], known))[:, 0] for raw in texts]
    assert np.array_equal(np.array(after).T, before)


def test_compiled_and_plain_agree() -> None:
    program = "from tests.verifiers.skillmix.test_check_sieve import digest; print(digest())"
    assert printed(program, plain=True) == digest()


def digest() -> str:
    """Return the digest of what passes."""
    possible = sifted(_mixed(60))
    return hashlib.sha256(possible.tobytes()).hexdigest()
