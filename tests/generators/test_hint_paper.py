"""The published rows as a generator: places, order and texts."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators._hint_expression import SIGNATURE
from synthgen.generators._hint_published import CONCEPTS, SPLITS, SUBSETS, published
from synthgen.generators.hint import Hint
from synthgen.generators.hint_paper import HintPaper
from tests.conformance import original
from tests.generators import hint_oracle as oracle

BARE = Render("bare", "none")


def everything(concept: str) -> Rows:
    return Rows.span(0, 0, HintPaper(concept).space)


@pytest.mark.parametrize("concept", ["x", "d"])
def test_rows_come_in_published_order(concept: str) -> None:
    table = published(concept)
    problems = HintPaper(concept).draw(everything(concept))
    assert np.array_equal(problems.derivations.values, table.derivations.values)
    assert np.array_equal(problems.derivations.offsets, table.derivations.offsets)
    assert np.array_equal(problems.axes["published_split"], table.split)
    assert np.array_equal(problems.axes["subset"], table.subset)
    assert problems.valid.all()


@pytest.mark.parametrize("concept", CONCEPTS)
def test_space_is_the_number_of_published_rows(concept: str) -> None:
    assert HintPaper(concept).space == len(published(concept).derivations)


def test_rows_do_not_depend_on_the_seed() -> None:
    addresses = np.array([6_000, 3, 3, 1_200], np.uint64)
    one, other = (HintPaper("x").draw(Rows(stream, addresses)) for stream in (0, 99))
    assert np.array_equal(one.keys, other.keys)
    assert np.array_equal(one.keys[1], one.keys[2])
    assert not np.array_equal(one.keys[0], one.keys[1])


def test_places_are_axes() -> None:
    axes = HintPaper("x").axes
    assert axes["published_split"].values == SPLITS
    assert axes["subset"].values == SUBSETS
    assert not axes["published_split"].canonical
    assert not axes["subset"].canonical
    assert set(axes) == {*Hint().axes, "published_split", "subset"}
    assert all(axis.canonical for name, axis in axes.items() if name in Hint().axes)


def test_axes_agree_with_a_slow_reading_of_the_text() -> None:
    paper = HintPaper("c")
    problems = paper.draw(Rows(0, np.arange(0, paper.space, 7, dtype=np.uint64)))
    texts = paper.render(problems, BARE).prompts.to_pylist()
    derivations = derivation_text(problems.derivations, SIGNATURE).to_pylist()
    for i, text in enumerate(texts):
        facts = oracle.axes(text)
        assert {name: int(problems.axes[name][i]) for name in facts} == facts
        assert derivations[i] == oracle.prefix(oracle.parse(text))
        assert oracle.infix(oracle.parse(text)) == text


def test_subsets_follow_operators_and_values() -> None:
    problems = HintPaper("x").draw(everything("x"))
    axes = problems.axes
    for name, long, large in (("SS", 0, 0), ("LS", 1, 0), ("SL", 0, 1), ("LL", 1, 1)):
        own = axes["subset"] == SUBSETS.index(name)
        assert own.any()
        assert ((axes["n_op"][own] > 10) == long).all()
        assert ((axes["max_value"][own] > 100) == large).all()
    train = axes["published_split"] == SPLITS.index("train")
    assert (axes["subset"][train] == SUBSETS.index("-")).all()
    train_keys = {tuple(key) for key in problems.keys[train].tolist()}
    seen = axes["subset"] == SUBSETS.index("I")
    assert all(tuple(key) in train_keys for key in problems.keys[seen].tolist())
    fresh = ~train & ~seen
    assert not any(tuple(key) in train_keys for key in problems.keys[fresh].tolist())


def test_problems_are_those_of_the_sampler() -> None:
    """An expression has one key, whichever of the two generators made it."""
    ours = Hint(max_operators=1, digits="0123456789x", max_value=100)
    listed = ours.draw(Rows.span(5, 0, ours.space or 0))
    keys = {tuple(key) for key in listed.keys.tolist()}
    problems = HintPaper("x").draw(everything("x"))
    small = (problems.axes["n_op"] <= 1) & (problems.axes["max_value"] <= 100)
    assert small.sum() > 100
    assert all(tuple(key) in keys for key in problems.keys[small].tolist())


def test_instructions_tell_the_concepts_of_a_concept_set_only() -> None:
    few = Rows.span(0, 0, 20)
    style = Render("instruction", "steps")
    paper = HintPaper("a")
    told = paper.render(paper.draw(few), style)
    assert all("the larger of l and r" in prompt for prompt in told.prompts.to_pylist())
    assert told.solutions is not None


@pytest.mark.parametrize("concept", ["z", "xy", "+", 3, None])
def test_an_unknown_concept_is_refused(concept: object) -> None:
    with pytest.raises(ParamError, match=r"^concept=.*: expected one of , x, y, a, b, c, d$"):
        HintPaper(concept)  # type: ignore[arg-type]


@pytest.mark.parametrize("concept", CONCEPTS)
def test_texts_and_answers_are_the_published_ones(concept: str) -> None:
    path = original("hint/hint_fewshot_train_val.tsv")
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    expected = [(row[2], row[3]) for row in lines if row[0] == concept]
    paper = HintPaper(concept)
    texts = paper.render(paper.draw(Rows.span(0, 0, len(expected))), BARE)
    found = zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
    assert list(found) == expected


@pytest.mark.slow
def test_main_rows_have_the_published_extremes() -> None:
    paper = HintPaper()
    train = paper.draw(Rows.span(0, 0, 998_000))
    assert (train.axes["published_split"] == 0).all()
    assert train.axes["max_dependency"].max() == 33
    assert train.axes["length"].max() == 39
    assert train.axes["depth"].max() == 11
    assert round(float(train.axes["length"].mean()), 2) == 16.23
    test = paper.draw(Rows.span(0, 998_000 + 4_698, paper.space))
    assert len(test) == 46_620
    assert (test.axes["published_split"] == 2).all()
    assert test.axes["max_dependency"].max() == 60
    assert test.axes["depth"].max() == 15
    assert test.axes["paren_depth"].max() == 9
    assert test.axes["length"].max() == 69
    plain = paper.render(paper.draw(Rows.span(0, 0, 20)), Render("instruction", "none"))
    assert not any("Besides" in prompt for prompt in plain.prompts.to_pylist())
