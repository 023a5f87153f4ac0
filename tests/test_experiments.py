"""The smallest runs of the experiments, and the page that follows from their results."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import synthgen
from tests.building import build_small

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("matplotlib")

from experiments.analysis import correlation  # noqa: E402
from experiments.figures import figures  # noqa: E402
from experiments.page import DOCS, TABLE, write_page  # noqa: E402
from experiments.results import runs_of  # noqa: E402
from experiments.training import Model, Trainer  # noqa: E402
from synthgen.recipe.bundled import bundled_names  # noqa: E402

SMALL = Model(width=32, layers=1, batch=16)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scan") / "data"
    return Path(synthgen.build("scan-length", folder, rows=400, workers=1).folder)


def weights_of(trainer: Trainer) -> list[float]:
    return [float(weights.detach().sum()) for weights in trainer.model.parameters()]


def test_a_resumed_run_equals_a_straight_one(data: Path, tmp_path: Path) -> None:
    straight, interrupted = tmp_path / "straight", tmp_path / "interrupted"
    for folder in (straight, interrupted):
        folder.mkdir()
    whole = Trainer(data, straight, SMALL, seed=1)
    whole.train(32)
    Trainer(data, interrupted, SMALL, seed=1).train(32, stop=16)
    second = Trainer(data, interrupted, SMALL, seed=1)
    second.train(32)
    assert second.step == whole.step
    assert weights_of(second) == weights_of(whole)
    assert {split: score.predicted for split, score in whole.score(20, []).items()} == {
        "train": 20,
        "test": 20,
    }


def test_answers_with_a_cache_are_those_without(data: Path, tmp_path: Path) -> None:
    trainer = Trainer(data, tmp_path, dataclasses.replace(SMALL, layers=2), seed=2)
    model = trainer.model.eval()
    codes = torch.randint(3, len(trainer.vocabulary.names), (4, 7))
    grown = codes
    for _ in range(5):
        grown = torch.cat([grown, model(grown)[:, -1:].argmax(-1)], dim=1)
    stopped = model.answers(codes, 5)
    assert [row[: len(stopped[0])] for row in grown[:, 7:].tolist()] == stopped


def test_figures_tell_apart_what_train_lacks(tmp_path: Path) -> None:
    text = """name = "numbers"
[[source]]
generator = "hint"
params = { max_operators = 4 }
[[split]]
name = "train"
rows = 300
where = "n_op < 3"
[[split]]
name = "test"
rows = 50
where = "n_op = 4"
"""
    known = figures(Path(build_small(tmp_path, text=text).folder))
    assert known["test"]["support"] > known["train"].get("support", 0)
    assert 0 <= known["test"]["longer"] <= 1


def test_equal_orders_have_the_correlation_one() -> None:
    values = np.array([0.1, 0.5, 0.5, 0.9])
    assert correlation(values, values**3) == pytest.approx(1)
    assert correlation(values, -values) == pytest.approx(-1)
    assert correlation(values, np.ones(4)) == 0


def test_every_run_has_a_recipe() -> None:
    runs = runs_of()
    assert len({run.name for run in runs}) == len(runs)
    for run in runs:
        assert "/" in run.recipe or run.recipe in bundled_names()


def test_the_page_follows_from_the_results(tmp_path: Path) -> None:
    write_page(tmp_path, tmp_path / TABLE.name)
    assert (tmp_path / "evidence.md").read_bytes() == (DOCS / "evidence.md").read_bytes()
    assert (tmp_path / TABLE.name).read_bytes() == TABLE.read_bytes()
