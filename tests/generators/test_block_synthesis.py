"""Block synthesis: every rule by hand, axes from the texts, the whole published space."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators import _blocks_rules as blocks
from synthgen.generators._blocks_run import run_rows
from synthgen.generators.block_synthesis import BlockSynthesis
from synthgen.verifiers.block_synthesis import VERIFIER

PUBLISHED = np.arange(blocks.N_RULES)[None]
STEPS = Render("bare", "steps")
BY_HAND = [
    ("1 1 1 0 0 0 0 0 0", "0 0 0 1 0 0 0 0 0", 1),
    ("1 1 0 0 0 0 0 0 0", "0 0 0 0 0 1 0 0 0", 1),
    ("0 1 1 0 0 0 0 0 0", "0 0 0 0 1 0 0 0 0", 1),
    ("0 0 2 0 0 0 0 0 0", "0 0 0 0 0 1 0 0 0", 1),
    ("0 0 0 1 0 1 0 0 0", "0 0 0 0 0 0 1 1 0", 1),
    ("0 0 0 0 2 0 0 0 0", "0 0 0 0 0 0 0 0 1", 1),
    ("0 0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0 0", 0),
    ("5 0 1 9 1 0 3 3 3", "5 0 1 9 1 0 3 3 3", 0),
    ("3 2 4 0 0 0 0 0 0", "1 0 0 1 0 0 1 1 0", 4),
    ("2 5 3 0 0 0 0 0 0", "0 2 0 2 1 0 0 0 0", 3),
]


def made(generator: BlockSynthesis, n: int, style: Render = STEPS) -> tuple[Problems, Texts]:
    problems = generator.draw(Rows.span(5, 0, n))
    assert problems.valid.all() == (n <= generator.space)
    return problems, generator.render(problems, style)


def numbers(text: str) -> list[int]:
    return list(map(int, text.split(" ")))


@pytest.mark.parametrize(("start", "end", "steps"), BY_HAND)
def test_worked_examples(start: str, end: str, steps: int) -> None:
    ends, counted, _ = run_rows(PUBLISHED, np.array([numbers(start)]))
    assert ends.tolist() == [numbers(end)]
    assert counted.tolist() == [steps]


def test_every_step_uses_up_a_block_that_is_not_round() -> None:
    """So every run ends, no state comes back, and a start has fewer steps than such blocks."""
    change = (blocks.GIVEN - blocks.TAKEN)[:, :6].sum(axis=1)
    assert (change < 0).all()
    kind = BlockSynthesis("all", max_blocks=40, shuffled=True)
    problems, _ = made(kind, 500)
    assert (problems.axes["n_steps"] <= problems.parts["starts"][:, :6].sum(axis=1)).all()


def test_the_published_limit_of_steps_is_out_of_reach() -> None:
    """With up to 500 blocks of each square kind, in the published order and in any other."""
    squares = list(product(range(0, 501, 100), (0, 250, 500), range(0, 501, 100)))
    starts = np.array([[*counts, *[0] * 6] for counts in squares])
    orders = np.array(list(permutations(range(blocks.N_RULES))))
    most = [
        int(run_rows(np.tile(order, (len(starts), 1)), starts)[1].max()) for order in orders[::7]
    ]
    assert most[0] == 750
    assert max(most) < 1_000


@pytest.mark.parametrize(
    "kind",
    [
        BlockSynthesis(),
        BlockSynthesis(shuffled=True, min_blocks=3, max_blocks=60),
        BlockSynthesis("all", max_blocks=9, shuffled=True),
    ],
)
def test_axes_and_derivations_are_those_of_the_texts(kind: BlockSynthesis) -> None:
    problems, texts = made(kind, 600)
    axes = {name: column.tolist() for name, column in problems.axes.items()}
    trees = derivation_text(problems.derivations, kind.signature).to_pylist()
    rows = zip(
        *(c.to_pylist() for c in (texts.prompts, texts.answers, texts.solutions)), strict=True
    )
    for i, (prompt, answer, solution) in enumerate(rows):
        rules, told = prompt.split(" | ")
        start, lines = numbers(told), solution.split("\n")[1:-1]
        order = [blocks.NOTATIONS.index(rule) + 1 for rule in rules.split(" ")]
        assert sorted(order) == [1, 2, 3, 4, 5, 6]
        expected = {
            "start": int(any(start[3:])),
            "shuffled": int(order != sorted(order)),
            "n_steps": len(lines),
            "n_fired": len({line.split(":")[0] for line in lines}),
            "n_blocks": sum(start),
            "n_left": sum(numbers(answer)),
            "most_blocks": max(start),
            "blocks_level": 1 + sum(max(start) > most for most in (10, 50, 100)),
        }
        assert {name: column[i] for name, column in axes.items()} == expected
        listed = " ".join(f"rule{rule}" for rule in order)
        counts = " ".join(f"#{count}" for count in start)
        assert trees[i] == f"(synthesis (rules6 {listed}) (blocks9 {counts}))"
    assert problems.difficulty.tolist() == axes["n_steps"]


def test_the_space_is_gone_through_without_repeats() -> None:
    published = BlockSynthesis(max_blocks=5)
    assert published.space == published.fewest_problems == 216
    _, texts = made(published, 216)
    assert len(set(texts.prompts.to_pylist())) == 216
    beyond = published.draw(Rows.span(5, 200, 230)).valid
    assert beyond.tolist() == [True] * 16 + [False] * 14
    shuffled = BlockSynthesis(max_blocks=1, shuffled=True)
    assert shuffled.space == 8 * 720
    assert len(set(made(shuffled, 5_760)[1].prompts.to_pylist())) == 5_760


@pytest.mark.parametrize("start", ["square", "all"])
def test_wordings_differ_and_are_accepted(start: str) -> None:
    kind = BlockSynthesis(start, shuffled=True)
    _, texts = made(kind, 200, Render("instruction", "steps"))
    told = {prompt.rsplit("\n\n`", 1)[0] for prompt in texts.prompts.to_pylist()}
    assert len(told) == len(set(texts.templates.to_pylist())) == 6
    assert all(" ".join(blocks.BLOCKS) in text and ">" in text for text in told)
    assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
    assert VERIFIER.symbolic(texts.prompts, texts.answers).all()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"start": "round"}, "start="),
        ({"max_blocks": 0}, "max_blocks="),
        ({"max_blocks": 501}, "max_blocks="),
        ({"min_blocks": 21}, "min_blocks="),
        ({"min_blocks": -1}, "min_blocks="),
        ({"shuffled": 1}, "shuffled="),
        ({"start": "all", "max_blocks": 200}, "max_blocks=200: expected at most 127,"),
        (
            {"start": "all", "max_blocks": 200, "min_blocks": 100, "shuffled": True},
            "max_blocks=200: expected at most 160,",
        ),
    ],
)
def test_params_that_make_no_sense_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError) as error:
        BlockSynthesis(**params)
    assert str(error.value).startswith(message)


def test_the_same_answers_as_reasoning_gym() -> None:
    pytest.importorskip("reasoning_gym")
    from reasoning_gym.algorithmic import string_synthesis as peer

    config = peer.StringSynthesisConfig(size=1, seed=0)
    synthesis = peer.StringSynthesisDataset(config)
    for kind, n in ((BlockSynthesis(max_blocks=7), 512), (BlockSynthesis(max_blocks=500), 150)):
        problems, texts = made(kind, n)
        for i, answer in enumerate(texts.answers.to_pylist()):
            states = synthesis._get_answer(*problems.parts["starts"][i, :3].tolist())
            assert states[-1] == numbers(answer)
            assert len(states) - 1 == problems.axes["n_steps"][i]
