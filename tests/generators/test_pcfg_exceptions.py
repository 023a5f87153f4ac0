from __future__ import annotations

import numpy as np
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.registry import load_verifier
from synthgen.generators.pcfg import Pcfg
from synthgen.generators.pcfg_exceptions import PcfgExceptions
from tests.generators import pcfg_oracle as oracle

ROWS = Rows.span(stream_key(7, "source", "pcfg"), 0, 4_000)
BARE = Render("bare", "none")


def test_programs_are_those_of_pcfg_and_results_differ_where_exceptions_apply() -> None:
    regular, exceptional = Pcfg(), PcfgExceptions()
    one, other = regular.draw(ROWS), exceptional.draw(ROWS)
    assert np.array_equal(one.derivations.values, other.derivations.values)
    assert np.array_equal(one.valid, other.valid)
    assert not np.any(np.all(one.keys == other.keys, axis=1))
    texts, others = regular.render(one, BARE), exceptional.render(other, BARE)
    assert texts.prompts.equals(others.prompts)
    hit = other.axes["exception"] > 0
    assert 0.05 < hit.mean() < 0.2
    prompts, answers = others.prompts.to_pylist(), others.answers.to_pylist()
    assert answers == [oracle.answer(prompt, exceptions=True) for prompt in prompts]
    same = np.array(texts.answers.to_pylist()) == np.array(answers)
    assert same[~hit].all()
    assert same[hit].mean() < 0.5


@pytest.mark.parametrize("solution", ["steps", "unrolled"])
def test_steps_and_axes_are_those_of_the_exceptional_meaning(solution: str) -> None:
    kind = PcfgExceptions()
    problems = kind.draw(Rows(ROWS.stream, ROWS.addresses[:1500]))
    texts = kind.render(problems, Render("bare", solution))
    assert texts.solutions is not None
    prompts = texts.prompts.to_pylist()
    for prompt, told in zip(prompts, texts.solutions.to_pylist(), strict=True):
        tree = oracle.parse(oracle.meant(prompt.split(" ")))
        steps = "\n".join(" ".join(value) for _, value in oracle.results(tree))
        assert told == (steps if solution == "steps" else oracle.unrolled(tree))
    axes = [oracle.axes(prompt, exceptions=True) for prompt in prompts]
    for name in ("answer_length", "longest_result", "n_exceptions", "n_pairs"):
        assert problems.axes[name].tolist() == [row[name] for row in axes]
    names = kind.axes["exception"].values
    assert [names[i] for i in problems.axes["exception"]] == [row["exception"] for row in axes]


def test_the_wordings_tell_the_exceptions() -> None:
    kind = PcfgExceptions()
    problems = kind.draw(Rows(ROWS.stream, ROWS.addresses[:50]))
    texts = kind.render(problems, Render("instruction", "none"))
    assert all("reverse right before echo means echo" in text for text in texts.prompts.to_pylist())
    verifier = load_verifier("pcfg_exceptions")
    assert verifier.check(texts.prompts, texts.answers, None).all()


def test_synonyms_and_exceptions_exclude_each_other() -> None:
    with pytest.raises(ParamError, match="twin_mode='all'"):
        PcfgExceptions(twin_mode="all")
