"""Schedulers: shares, determinism, states, and a simulated learner."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.training.schedulers import Falling, Fixed, Scheduler, Thompson, Window

NAMES = [f"hint {level}" for level in range(8)]
MAKERS: dict[str, Callable[[int], Scheduler]] = {
    "fixed": lambda seed: Fixed({name: i for i, name in enumerate(NAMES)}, seed=seed),
    "window": lambda seed: Window({"a": NAMES[:4], "b": NAMES[4:]}, seed=seed),
    "thompson": lambda seed: Thompson(NAMES, seed=seed),
    "falling": lambda seed: Falling(NAMES, draws=400, seed=seed),
}


def run(scheduler: Scheduler, steps: int, first: int = 0, skill: float = 3.0) -> list[str]:
    """Train a learner that solves a level with a chance that falls with the level."""
    chosen = []
    for step in range(first, first + steps):
        (name,) = scheduler.choose()
        chance = 1 / (1 + 2.0 ** (2 * (NAMES.index(name) - skill)))
        random = Random(step)  # noqa: S311
        scheduler.report(name, sum(random.random() < chance for _ in range(8)), 8)
        chosen.append(name)
    return chosen


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("stop", [0, 1, 37, 150])
def test_a_scheduler_resumes_exactly(kind: str, stop: int) -> None:
    expected = run(MAKERS[kind](5), 300)
    first = MAKERS[kind](5)
    assert run(first, stop) == expected[:stop]
    second = MAKERS[kind](5)
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    assert run(second, 300 - stop, stop) == expected[stop:]
    assert run(MAKERS[kind](6), 300) != expected


@pytest.mark.parametrize("kind", MAKERS)
def test_a_state_of_other_options_or_cells_is_refused(kind: str) -> None:
    state = MAKERS[kind](1).state_dict()
    for other in [each for name, each in MAKERS.items() if name != kind]:
        with pytest.raises(ParamError, match="state"):
            other(1).load_state_dict(state)
    with pytest.raises(ParamError, match="state: seed"):
        MAKERS[kind](2).load_state_dict(state)
    with pytest.raises(ParamError, match="state: tried"):
        MAKERS[kind](1).load_state_dict(state | {"tried": {}})
    with pytest.raises(ParamError, match="state"):
        MAKERS[kind](1).load_state_dict({})
    with pytest.raises(UnknownNameError):
        MAKERS[kind](1).report("other", 1)
    with pytest.raises(ParamError, match="passed"):
        MAKERS[kind](1).report(NAMES[0], 2)


def test_fixed_weights_are_kept() -> None:
    found = Counter(Fixed({"a": 1, "b": 3, "c": 0}, seed=2).choose(4000))
    assert "c" not in found
    assert abs(found["b"] - 3000) < 5 * (4000 * 0.75 * 0.25) ** 0.5
    assert {*Fixed(["a", "b"]).choose(50)} == {"a", "b"}


def test_a_window_rises_at_nine_of_ten_right_and_slides() -> None:
    window = Window({"all": NAMES}, width=3)
    window.report(NAMES[0], 7, 7)
    assert window.windows["all"] == NAMES[:1]  # too few answers
    window.report(NAMES[0], 0, 1)
    assert window.windows["all"] == NAMES[:1]  # 7 of 8
    for top in range(4):
        assert {*window.choose(100)} == {*NAMES[max(0, top - 2) : top + 1]}
        window.report(NAMES[0], 0, 50) if top else None  # only the highest level counts
        window.report(NAMES[top], 9, 10)
        assert window.windows["all"] == NAMES[max(0, top - 1) : top + 2]
    for top in range(4, 12):
        window.report(NAMES[min(top, 7)], 8, 8)
    assert window.windows["all"] == NAMES[5:]


def test_thompson_finds_the_cell_at_half_and_follows_a_learner() -> None:
    scheduler = Thompson(NAMES, seed=1)
    assert Counter(run(scheduler, 300)[100:]).most_common(1)[0][0] == NAMES[3]
    assert Counter(run(scheduler, 500, 300, skill=5.0)[200:]).most_common(1)[0][0] == NAMES[5]


def test_the_mean_of_the_falling_gaussian_falls() -> None:
    scheduler = Falling(NAMES, draws=400, seed=1)
    chosen = [NAMES.index(name) for name in run(scheduler, 600)]
    assert sum(chosen[50:150]) < sum(chosen[300:400]) < sum(chosen[500:]) + 60
    assert scheduler.mean == pytest.approx(0.2)
    assert {*Falling(["a"], draws=1, width=1e-9).choose(3)} == {"a"}


@pytest.mark.parametrize(
    "make",
    [
        lambda: Fixed({}),
        lambda: Fixed({"a": -1.0}),
        lambda: Fixed({"a": 0}),
        lambda: Window({"a": []}),
        lambda: Window({"a": ["x"], "b": ["x"]}),
        lambda: Window({"a": ["x"]}, threshold=2),
        lambda: Thompson([]),
        lambda: Thompson(["a"], memory=1.5),
        lambda: Falling(["a"], draws=0),
        lambda: Falling(["a"], draws=1, width=0),
        lambda: Thompson(["a"], seed=-1),
    ],
)
def test_bad_options_are_refused(make: Callable[[], Scheduler]) -> None:
    with pytest.raises(ParamError):
        make()
