"""Texts that are taken apart at once are those that are taken apart by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.verifiers.skillmix import _text_table
from synthgen.verifiers.skillmix._text import MOST_CHARACTERS, Text, view
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_words import Words

TRICKY = "aZ019' .,;:?!\n\t\x00\u2019\u212a\u0130\u017f\xe9\ud800"
"""The Kelvin sign and the dotted I have letters of ASCII in their lower case."""


def parts(text: Text) -> list[list[tuple[tuple[str, ...], str]]]:
    return [[(c.words, c.mark) for c in sentence.clauses] for sentence in text.sentences]


def assert_same(raws: list[str], known: Words) -> None:
    cut = Cut(raws, known)
    for at, raw in enumerate(raws):
        text = cut.text(at)
        assert text.raw == raw
        assert [cut.clause(one).words for one in cut.clauses_of(at)] == [
            clause.words for clause in text.clauses
        ]
        alone = view(text.raw)
        assert parts(text) == parts(alone), text.raw
        assert text.plain == alone.plain
        assert [c.words for c in text.clauses] == [c.words for c in alone.clauses]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.sampled_from(TRICKY), max_size=40), max_size=5))
def test_tricky_texts_are_taken_apart_alike(raws: list[str]) -> None:
    assert_same(raws, Words())


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=5))
def test_any_texts_are_taken_apart_alike(raws: list[str]) -> None:
    assert_same(raws, Words())


def test_words_keep_their_numbers_while_tables_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_text_table, "FIRST_ENTRIES", 2)
    known = Words()
    for n in range(30):
        assert_same([f"Rope {n}, rope{n} don't; {'x' * n}. Rope!", "", "a1'b2'c"], known)
    numbers = known.numbers_of(known.names)
    assert numbers == list(range(len(known)))
    assert len(known.slots) > len(known)


def test_texts_that_are_too_long_have_no_sentences() -> None:
    cut = Cut(["Rope.", "a" * (MOST_CHARACTERS + 1), "Rope."], Words())
    assert [len(cut.text(at).sentences) for at in range(3)] == [1, 0, 1]
    assert list(cut.clauses_of(1)) == []
