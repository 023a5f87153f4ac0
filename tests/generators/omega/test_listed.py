"""Families that list their problems: every problem once per round of addresses, dealt to levels."""

from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, generator_names
from synthgen.generators.omega._listed import ListedFamily, listing_of

NAMES = [name for name in generator_names() if issubclass(generator_class(name), ListedFamily)]
every_family = pytest.mark.parametrize("name", NAMES)


def family(name: str, **params: object) -> ListedFamily:
    return generator_class(name)(**params)  # type: ignore[return-value]


@every_family
def test_every_round_of_addresses_has_every_problem_once(name: str) -> None:
    generator = family(name, levels=(2, 3), repeats=3)
    assert generator.space is not None
    assert generator.fewest_problems is not None
    assert generator.space == 3 * generator.fewest_problems
    problems = generator.draw(Rows.span(5, 0, generator.space))
    rounds = problems.keys.reshape(3, generator.fewest_problems, 2)
    for keys in rounds:
        assert len(np.unique(keys, axis=0)) == generator.fewest_problems
    assert np.array_equal(rounds[0], rounds[1])


@every_family
def test_a_problem_in_another_round_is_told_otherwise(name: str) -> None:
    generator = family(name, levels=(2,), repeats=60)
    m = generator.fewest_problems
    assert m is not None
    rows = Rows(5, np.arange(60, dtype=np.uint64) * np.uint64(m))
    problems = generator.draw(rows)
    texts = generator.render(problems, Render("instruction", "none"))
    assert len(np.unique(problems.keys, axis=0)) == 1
    assert len(set(texts.answers.to_pylist())) == 1
    assert len(set(texts.prompts.to_pylist())) >= 4


@every_family
def test_levels_share_out_the_problems_that_they_have_in_common(name: str) -> None:
    levels = (1, 2, 3)
    whole = listing_of(family(name, levels=levels))
    trees = [one.tree for one in whole.made]
    assert len(set(trees)) == len(trees)
    for level in levels:
        alone = {one.tree for one in listing_of(family(name, levels=(level,))).made}
        there = {trees[i] for i in np.flatnonzero(whole.axes["level"] == level)}
        assert there
        assert there <= alone
        if family(name).level_is_canonical:
            assert there == alone


@every_family
def test_the_first_addresses_are_spread_over_the_list(name: str) -> None:
    generator = family(name, levels=(3, 4, 5))
    problems = generator.draw(Rows.span(5, 0, 200))
    index = problems.parts["index"]
    many = len(listing_of(generator).made)
    assert len(np.unique(index * 10 // many)) >= 9


@every_family
@pytest.mark.parametrize("repeats", [0, -1, True, 1.5, "2", 10**9 + 1])
def test_other_repeats_are_refused(name: str, repeats: object) -> None:
    with pytest.raises(ParamError, match="repeats="):
        family(name, repeats=repeats)


@every_family
def test_statements_are_one_line_of_plain_text(name: str) -> None:
    generator = family(name, levels=(1, 4), repeats=300)
    problems = generator.draw(Rows.span(5, 0, 300))
    prompts = generator.render(problems, Render("instruction", "none")).prompts.to_pylist()
    for prompt in prompts:
        assert prompt.isascii()
        assert "  " not in prompt
        assert "{" not in prompt
        assert not any(ord(char) < 32 for char in prompt)
        assert prompt[-1] in ".?)"
