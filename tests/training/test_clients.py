"""Exports read by the programs they are for; run with `-m clients` where those are installed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import synthgen
from tests.building import build_small, rows_of

pytestmark = [pytest.mark.clients, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if "clients" not in request.config.getoption("markexpr"):
        pytest.skip("asked for with -m clients")
    return build_small(tmp_path_factory.mktemp("clients")).folder


def test_lm_eval_runs_the_tasks_and_grades_as_we_do(folder: Path, tmp_path: Path) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    rows = {row["prompt"]: row["answer"] for row in rows_of(folder, "test")}

    class HalfRight(LM):  # type: ignore[misc]
        def generate_until(self, requests: Any) -> list[str]:
            texts = []
            for number, request in enumerate(requests):
                answer = rows[request.args[0]]
                texts.append(f"So\nAnswer: {answer}" if number % 2 else f"{answer} or {answer}")
            return texts

        loglikelihood = loglikelihood_rolling = None

    synthgen.export(folder, "lm-eval", tmp_path / "out")
    found = lm_eval.simple_evaluate(
        model=HalfRight(),
        tasks=["small_test"],
        task_manager=TaskManager(include_path=str(tmp_path / "out"), include_defaults=False),
        limit=100,
        bootstrap_iters=0,
    )
    assert found["results"]["small_test"]["acc,none"] == 0.5


def test_inspect_makes_tasks_and_grades_the_last_line(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai")
    import huggingface_hub
    from inspect_ai._eval.task import hf
    from inspect_ai.dataset import hf_dataset
    from inspect_ai.scorer import Target

    out = tmp_path / "out"
    synthgen.export(folder, "inspect", out)
    # The hub is not reached: its files are those of the export.
    monkeypatch.setattr(
        huggingface_hub, "hf_hub_download", lambda filename, **_: str(out / filename)
    )

    def local(path: str, revision: str, name: str, **more: Any) -> Any:
        return hf_dataset(path=str(out), name=name, **more)

    monkeypatch.setattr(hf, "hf_dataset", local)
    tasks = hf.task_create_from_hf("hf/us/small")
    assert [task.name.rpartition("/")[2] for task in tasks] == ["test_i", "test", "test_long"]
    (task,) = hf.task_create_from_hf("hf/us/small/test")
    rows = rows_of(folder, "test")
    sample = task.dataset[0]
    row = next(row for row in rows if row["id"] == sample.metadata["id"])
    assert (sample.input, sample.target) == (row["prompt"], row["answer"])
    answer = row["answer"]
    texts = {
        answer: "C",
        f"First 1.\nAnswer: {answer}\n": "C",
        rf"So it is $\boxed{{{answer}}}$.": "C",
        f"{answer}0": "I",
        f"-{answer}": "I",
        f"{answer}\nor 7 apples": "I",
        f"Answer: {answer} or so": "I",
        "": "I",
    }
    for text, value in texts.items():
        state: Any = SimpleNamespace(output=SimpleNamespace(completion=text))
        score = asyncio.run(task.scorer[0](state, Target(answer)))
        assert score.value == value, text
