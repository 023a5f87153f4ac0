"""Compiled checkers of world and mind find what the plain ones find."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.core.skill_world import listed, records
from synthgen.engine.kept import valid_ones
from synthgen.generators.skillmix.skill_text import SkillText
from synthgen.verifiers.skillmix import _check_world_kernel_bits as bits
from synthgen.verifiers.skillmix import _text_table
from synthgen.verifiers.skillmix._check_world import CHECKERS
from synthgen.verifiers.skillmix._check_world_codes import CLASSES
from synthgen.verifiers.skillmix._check_world_compiled import FRAMES, Worlds
from synthgen.verifiers.skillmix._text import view
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_words import Words
from tests.bounded import bounded
from tests.fresh_process import printed
from tests.verifiers.skillmix.test_check_world import HOSTILE, NOT_SHOWN, SHOWN

STATEMENTS = [
    part.lower()
    for _, told in SHOWN + NOT_SHOWN
    for part in re.split(r"[.;,?] *", told)
    if len(part) > 3
]
WORDS = sorted(
    set(re.findall("[a-z0-9']+", " ".join(STATEMENTS)))
    | {word for words in CLASSES.values() for word in words}
    | {word for record in records("physics", "effect") for word in listed(record["words"])}
)
JOINTS = ("; ", ", ", ". ", ", so ", ", and ", " because ", ", then ", "? ", " while ", ", but ")


def found(raws: Sequence[str], worlds: Worlds | None = None) -> NDArray[np.bool_]:
    cut = Cut(raws, Words())
    return (worlds or Worlds()).frames(cut, np.ones((len(FRAMES), len(raws)), bool))


def plainly(raws: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([[CHECKERS[one].shows(view(raw)) for raw in raws] for one in FRAMES])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A few statements of texts that show skills, or nearly, with some words changed."""
    start = draw(st.integers(0, len(STATEMENTS) - 1))
    told = ""
    for at in range(draw(st.integers(1, 7))):
        near = (start + draw(st.integers(0, 4))) % len(STATEMENTS)
        words = STATEMENTS[near].split()
        if draw(st.integers(0, 3)) == 0:
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
        told += (draw(st.sampled_from(JOINTS)) if at else "") + " ".join(words)
    return told + draw(st.sampled_from((".", "?", "", " too.")))


def test_bits_are_in_the_order_of_the_checkers() -> None:
    named = {name: getattr(bits, name.upper()) for name in CHECKERS}
    assert list(named.values()) == [1 << at for at in range(len(FRAMES))]


def test_texts_that_show_a_skill_and_texts_that_do_not() -> None:
    for skill, raw in SHOWN:
        assert found([raw])[FRAMES.index(skill), 0], (skill, raw)
    for skill, raw in NOT_SHOWN:
        assert not found([raw])[FRAMES.index(skill), 0], (skill, raw)


def test_generated_texts_are_judged_alike() -> None:
    generator = SkillText(ks=(2, 4), skills=FRAMES)
    problems = valid_ones(generator.draw(Rows.span(4, 0, 150)))
    raws = generator.render(problems, Render("instruction", "none")).answers.to_pylist()
    judged = found(raws)
    assert np.array_equal(judged, plainly(raws))
    assert judged.any(axis=1).all()


@settings(max_examples=150, deadline=None)
@given(st.lists(texts(), min_size=1, max_size=10))
def test_any_text_is_judged_alike(raws: list[str]) -> None:
    assert np.array_equal(found(raws), plainly(raws)), raws


def test_only_wanted_skills_are_looked_for() -> None:
    raws = [raw for _, raw in SHOWN]
    wanted = np.zeros((len(FRAMES), len(raws)), bool)
    wanted[::2, ::2] = True
    judged = Worlds().frames(Cut(raws, Words()), wanted)
    assert np.array_equal(judged, plainly(raws) & wanted)
    assert judged.any()


def test_words_keep_their_numbers_while_tables_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_text_table, "FIRST_ENTRIES", 2)
    worlds, known = Worlds(), Words()
    for _, raw in SHOWN:
        wanted = np.ones((len(FRAMES), 1), bool)
        assert np.array_equal(worlds.frames(Cut([raw], known), wanted), plainly([raw]))


@pytest.mark.parametrize("raw", [*HOSTILE, "", "so. " * 1200, "no " * 1600])
def test_hostile_texts_are_judged_alike(raw: str) -> None:
    expected = plainly([raw[:5000]])
    with bounded(10.0):
        assert np.array_equal(found([raw[:5000]]), expected)


def test_compiled_and_plain_agree() -> None:
    module = "tests.verifiers.skillmix.test_check_world_compiled"
    assert printed(f"from {module} import digest; print(digest())", plain=True) == digest()


def digest() -> str:
    """Return the digest of what is found."""
    rng = np.random.default_rng(3)
    raws = [raw for _, raw in SHOWN]
    raws += ["; ".join(rng.choice(STATEMENTS, 5).tolist()) for _ in range(40)]
    return hashlib.sha256(found(raws).tobytes()).hexdigest()
