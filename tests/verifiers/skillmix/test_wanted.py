"""Bits of the words that checkers look for, and what parts of texts remember."""

from __future__ import annotations

import pytest

from synthgen.verifiers.skillmix import _wanted
from synthgen.verifiers.skillmix._check_figures import CHECKERS as FIGURES
from synthgen.verifiers.skillmix._check_lexical import CHECKERS as LEXICAL
from synthgen.verifiers.skillmix._checker import shown
from synthgen.verifiers.skillmix._look import looked_at, marks_of
from synthgen.verifiers.skillmix._skills import shows_skill
from synthgen.verifiers.skillmix._text import MOST_CHARACTERS, view
from synthgen.verifiers.skillmix._wanted import ByWord, bits_of, wanted


def test_a_text_has_the_bits_of_its_words() -> None:
    like, than = wanted(("as", "like")), wanted(("than", "by"))
    text = view("The cup is like a boat; it is so. It is more than that.")
    assert bits_of(["as", "oak"]) & (like | than) == like
    assert [bool(clause.bits & like) for clause in text.clauses] == [True, False, False]
    assert text.bits & (like | than) == like | than
    assert wanted(("as", "like"), ("than", "by")) == like | than


def test_a_table_by_word_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_wanted, "_REMEMBERED", 3)
    table = ByWord(len)
    assert [table["a" * n] for n in range(10)] == list(range(10))
    assert len(table) <= 3


def test_a_part_is_asked_once_and_each_text_gets_its_own_answer() -> None:
    one = view("Rope after rope hangs here; we left.")
    other = view("Rope after rope hangs here; they came.")
    assert one.clauses[0] is other.clauses[0]
    assert shown(one, FIGURES["diacope"])
    assert shown(other, FIGURES["diacope"])
    assert not shown(view("We left; they came."), FIGURES["diacope"])
    assert not shown(other, LEXICAL["litotes"])


def test_all_skills_of_many_texts_are_those_of_each() -> None:
    raw = ["The tray is not unwelcome.", "They want rope, rope, rope.", "Nobody spoke.", ""]
    texts = [view(each) for each in raw]
    alone = [
        {skill for skill in (*FIGURES, *LEXICAL) if shows_skill(text, skill)} for text in texts
    ]
    seen = looked_at(raw)
    marked = [
        {skill for skill in (*FIGURES, *LEXICAL) if shows_skill(text, skill)} for text in seen
    ]
    assert marked == alone
    assert alone[:2] == [{"litotes"}, {"epizeuxis"}]
    assert [text.raw for text in seen] == raw
    assert [marks_of(text) == 0 for text in seen] == [False, False, True, True]
    assert list(map(marks_of, texts)) == list(map(marks_of, seen))


def test_texts_that_are_too_long_are_not_kept() -> None:
    raw = "a" * (MOST_CHARACTERS + 1)
    assert view(raw) is not view(raw)
    assert view(raw).sentences == ()
