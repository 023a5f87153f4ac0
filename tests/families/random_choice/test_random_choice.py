"""Random choices: every right answer is paid, and targets are uniform."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import synthgen
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.families.random_choice.family import RandomChoice
from synthgen.rules.axes import Axis
from synthgen.testing import check_family
from synthgen.verifying.target_checks import check_targets, probability
from tests.building import build_small, recipe_of, source_of, split_of

ALL = {"kinds": ("number", "item", "set"), "max_choices": 30}
EVEN = "Pick an even number from 7 to 12 at random. Answer with the number only."
MULTIPLE = "Draw a multiple of 7 uniformly at random from the range 1 to 27. "
MULTIPLE += "Give the number and nothing else."
FRUITS = "Pick one of these fruits at random: fig, lime, pear. Answer with your choice only."
SEASON = "Name a random season of the year. Answer with your choice only."
AXES = {"choices": Axis("right answers"), "chosen": Axis("place of the target")}


@pytest.mark.parametrize("params", [{"level": True}, ALL], ids=["levels", "all"])
def test_contract(params: dict[str, Any]) -> None:
    check_family("random_choice", params, rows=200)


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        (EVEN, ("8", "10", "12", "08"), ("6", "7", "9", "14", "ten", "8.0", "8 or 10")),
        (MULTIPLE, ("7", "14", "21"), ("0", "28", "1", "-7")),
        (FRUITS, ("fig", "Lime", "pear."), ("apple", "fig, lime", "fruits", "")),
        (SEASON, ("winter", "Spring"), ("monsoon", "Monday")),
    ],
    ids=["even", "multiple", "fruits", "season"],
)
def test_any_member_is_right(prompt: str, right: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    gold = next(text for text in right if load_verifier("random_choice").accepts(prompt, text))
    for text in right + wrong:
        paid = synthgen.reward(text, gold, "checked:random_choice", prompt=prompt)
        assert paid == (text in right), text


def test_targets_of_one_prompt_are_uniform() -> None:
    """A question with four answers, asked about 1,300 times."""
    family = RandomChoice(kinds=("set",), min_choices=4, max_choices=4)
    problems = family.draw(Rows.span(7, 0, 4_000))
    answers = family.render(problems, Render("instruction", "none")).answers.to_pylist()
    counts = Counter(
        answer for answer in answers if answer in ("clubs", "diamonds", "hearts", "spades")
    )
    mean = sum(counts.values()) / 4
    assert len(counts) == 4
    assert probability(sum((n - mean) ** 2 for n in counts.values()) / mean, 3) > 0.001


def test_an_audit_finds_targets_that_are_not_uniform(tmp_path: Path) -> None:
    text = recipe_of(source_of("random_choice"), split_of("train", 800))
    built = build_small(tmp_path, text=text)
    checks = {check.name: check for check in synthgen.audit(built.folder).checks}
    assert checks["targets/train"].ok
    assert "degrees of freedom" in checks["targets/train"].detail
    (split,) = built.manifest.splits
    for chosen, where, ok in ((range(100), None, True), ([1] * 100, None, False)):
        frame = pl.LazyFrame({"choices": [10] * 100, "chosen": [each % 10 for each in chosen]})
        (check,) = check_targets(replace(split, where=where), frame, AXES)
        assert check.ok is ok
    assert not check_targets(replace(split, where="chosen = 1"), frame, AXES)
    (few,) = check_targets(split, frame.head(3), AXES)
    assert few.detail == "not tested: 3 rows are too few"


@pytest.mark.parametrize(
    "params",
    [{"min_choices": 21}, {"kinds": ("set",), "min_choices": 27}],
    ids=["items", "sets"],
)
def test_params_that_leave_no_problem_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match="min_choices"):
        RandomChoice(**params)
