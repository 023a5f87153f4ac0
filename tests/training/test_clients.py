"""Exports and adapters in the programs they are for; `-m clients` runs those that are installed.

Nothing is downloaded: models are tiny and random, and tokens are letters.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import math
import runpy
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import synthgen
from synthgen.dataset.evaluations import render_evaluations
from synthgen.dataset.manifest import read_manifest
from synthgen.training import adapters
from tests.building import build_small, recipe_of, rows_of, source_of, split_of

pytestmark = [pytest.mark.clients, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if "clients" not in request.config.getoption("markexpr"):
        pytest.skip("asked for with -m clients")
    return build_small(tmp_path_factory.mktemp("clients")).folder


def run_by_lm_eval(folder: Path, task: str, include: str) -> Any:
    """Evaluate a model that answers every other problem."""
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    splits = ("test_i", "test", "test_long")
    rows = {row["prompt"]: row["answer"] for split in splits for row in rows_of(folder, split)}

    class HalfRight(LM):  # type: ignore[misc]
        def generate_until(self, requests: Any) -> list[str]:
            texts = []
            for number, request in enumerate(requests):
                answer = rows[request.args[0]]
                texts.append(f"So\nAnswer: {answer}" if number % 2 else f"{answer} or {answer}")
            return texts

        loglikelihood = loglikelihood_rolling = None

    return lm_eval.simple_evaluate(
        model=HalfRight(),
        tasks=[task],
        task_manager=TaskManager(include_path=include, include_defaults=False),
        limit=100,
        bootstrap_iters=0,
    )["results"]


def test_lm_eval_runs_the_tasks_and_grades_as_we_do(folder: Path, tmp_path: Path) -> None:
    synthgen.export(folder, "lm-eval", tmp_path / "out")
    found = run_by_lm_eval(folder, "small_test", str(tmp_path / "out"))
    assert found["small_test"]["acc,none"] == 0.5


def test_lm_eval_runs_the_file_of_a_dataset_in_its_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in render_evaluations(read_manifest(folder)).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "data").symlink_to(folder / "data")
    monkeypatch.chdir(tmp_path)
    found = run_by_lm_eval(folder, "small", ".")
    assert {name: each.get("acc,none") for name, each in found.items() if name != "small"} == {
        f"small::{split}": 0.5 for split in ("test_i", "test", "test_long")
    }


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


def letters() -> Any:
    """Return a tokenizer of printable ASCII, in which a text is tokens of one letter each."""
    tokenizers = pytest.importorskip("tokenizers")
    from transformers import PreTrainedTokenizerFast

    signs = ["<pad>", "<|im_end|>", *map(chr, range(32, 127)), "\n"]
    model = tokenizers.models.WordLevel({sign: n for n, sign in enumerate(signs)}, "<pad>")
    of_letters = tokenizers.Tokenizer(model)
    of_letters.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    of_letters.decoder = tokenizers.decoders.Fuse()
    found = PreTrainedTokenizerFast(
        tokenizer_object=of_letters,
        eos_token="<|im_end|>",  # noqa: S106
        pad_token="<pad>",  # noqa: S106
    )
    found.chat_template = (
        "{% for each in messages %}{{ each.role[0] }}: {{ each.content }}\n{% endfor %}"
        "{% if add_generation_prompt %}a: {% endif %}"
    )
    return found


def tiny_model(tokens: int) -> Any:
    from transformers import Qwen2Config, Qwen2ForCausalLM

    config = Qwen2Config(
        vocab_size=tokens,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    return Qwen2ForCausalLM(config)


def one_step(tmp_path: Path) -> dict[str, Any]:
    return {
        "output_dir": str(tmp_path / "run"),
        "max_steps": 1,
        "logging_steps": 1,
        "per_device_train_batch_size": 4,
        "use_cpu": True,
        "bf16": False,
        "report_to": "none",
        "save_strategy": "no",
        "disable_tqdm": True,
    }


@pytest.mark.parametrize("form", ["sft", "chat"])
def test_trl_takes_a_step_on_completions(folder: Path, tmp_path: Path, form: str) -> None:
    trl = pytest.importorskip("trl")
    from datasets import load_dataset

    synthgen.export(folder, form, tmp_path / "out")
    rows = load_dataset(str(tmp_path / "out"), split="train", cache_dir=str(tmp_path / "cache"))
    tokenizer = letters()
    trainer = trl.SFTTrainer(
        model=tiny_model(len(tokenizer)),
        args=trl.SFTConfig(**one_step(tmp_path)),
        train_dataset=rows.select(range(8)),
        processing_class=tokenizer,
    )
    trainer.train()
    assert 0 < trainer.state.log_history[0]["loss"] < math.inf


def test_trl_takes_a_step_of_grpo_on_the_reward(folder: Path, tmp_path: Path) -> None:
    trl = pytest.importorskip("trl")
    from datasets import load_dataset

    synthgen.export(folder, "trl", tmp_path / "out")
    rows = load_dataset(str(tmp_path / "out"), split="train", cache_dir=str(tmp_path / "cache"))
    said: list[str] = []

    def if_right(prompts: Any, completions: Any, answer: list[str], **more: Any) -> list[float]:
        said.extend(completion[0]["content"] for completion in completions)
        right = [[{"role": "assistant", "content": f"Answer: {each}"}] for each in answer]
        return adapters.trl_reward(prompts, right, answer, more["answer_type"])

    tokenizer = letters()
    trainer = trl.GRPOTrainer(
        model=tiny_model(len(tokenizer)),
        args=trl.GRPOConfig(**one_step(tmp_path), num_generations=2, max_completion_length=6),
        reward_funcs=[adapters.trl_reward, if_right],
        train_dataset=rows.select(range(8)),
        processing_class=tokenizer,
    )
    trainer.train()
    (logged, *_) = trainer.state.log_history
    assert len(said) == 4
    assert logged["rewards/trl_reward/mean"] == 0.0
    assert logged["rewards/if_right/mean"] == 1.0


def test_the_example_of_grpo_takes_three_steps(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("trl")
    example = Path(__file__).parents[2] / "examples" / "grpo.py"
    monkeypatch.setattr(sys, "argv", [example.name, str(folder), "--out", str(tmp_path / "grpo")])
    runpy.run_path(str(example), run_name="__main__")
    assert "step 3: reward 0.000" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["pkg://synthgen.training.adapters", adapters.__file__])
def test_verl_reads_the_rows_and_calls_the_reward(folder: Path, tmp_path: Path, path: str) -> None:
    pytest.importorskip("verl")
    import torch
    from omegaconf import OmegaConf
    from verl import DataProto
    from verl.trainer.ppo.reward import load_reward_manager
    from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

    synthgen.export(folder, "verl", tmp_path / "out")
    files = str(tmp_path / "out" / "test.parquet")
    data = OmegaConf.create(
        {"cache_dir": str(tmp_path / "cache"), "filter_overlong_prompts": False}
    )
    tokenizer = letters()
    rows = collate_fn([RLHFDataset(files, tokenizer, data)[row] for row in (0, 1)])
    texts = [f"Answer: {rows['reward_model'][0]['ground_truth']}", "I do not know."]
    said = [tokenizer.encode(text) for text in texts]
    width = max(map(len, said))
    batch = DataProto.from_single_dict(
        {
            **rows,
            "responses": torch.tensor([each + [0] * (width - len(each)) for each in said]),
            "attention_mask": torch.tensor(
                [[1] * len(each) + [0] * (width - len(each)) for each in said]
            ),
        }
    )
    reward = {
        "reward_manager": {"source": "register", "name": "naive"},
        "custom_reward_function": {"path": path, "name": "compute_score"},
    }
    config = OmegaConf.create({"reward": reward})

    async def graded() -> list[dict[str, Any]]:
        manager = load_reward_manager(config, tokenizer)
        return [await manager.run_single(batch[row : row + 1]) for row in range(2)]

    found = asyncio.run(graded())
    assert [each["reward_score"] for each in found] == [1.0, 0.0]
    assert found[1]["reward_extra_info"]["unreadable"] == 1.0


def test_openrlhf_reads_the_rows_and_calls_the_reward(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("openrlhf")
    from datasets import load_dataset
    from openrlhf.datasets.prompts_dataset import preprocess_data
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    synthgen.export(folder, "openrlhf", tmp_path / "out")
    rows = load_dataset(str(tmp_path / "out"), split="test", cache_dir=str(tmp_path / "cache"))
    tokenizer = letters()
    prompt, label = preprocess_data(rows[0], None, "input", "label", tokenizer.apply_chat_template)
    answer = json.loads(label)["answer"]

    async def rewarded(text: str) -> Any:
        tokens = [*tokenizer.encode(text), tokenizer.eos_token_id]
        output = SimpleNamespace(token_ids=tokens, finish_reason="stop", logprobs=None)

        async def generate(*_: Any, **__: Any) -> Any:
            return SimpleNamespace(outputs=[output])

        return await SingleTurnAgentExecutor(adapters.__file__).execute(
            prompt,
            label,
            SimpleNamespace(max_tokens=50, logprobs=None),
            1_000,
            tokenizer,
            SimpleNamespace(generate=generate),
        )

    right, wrong = (asyncio.run(rewarded(text)) for text in (f"Answer: {answer}", f"{answer}0"))
    assert right["reward"].tolist() == right["extra_logs"]["right"].tolist() == [1.0]
    assert wrong["reward"].tolist() == wrong["scores"].tolist() == [0.0]


def test_verifiers_loads_the_tasks_and_scores_a_trace(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("verifiers.v1")
    from verifiers.v1.utils.loaders import load_taskset

    from synthgen.training.verifiers import SynthgenConfig

    text = (
        'from synthgen.training.verifiers import SynthgenTaskset\n__all__ = ["SynthgenTaskset"]\n'
    )
    (tmp_path / "rows_of_ours.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    config = SynthgenConfig(id="rows-of-ours", path=str(folder), split="test", where="n_op = 4")
    taskset = load_taskset(config)
    tasks = list(taskset)
    rows = [row for row in rows_of(folder, "test") if row["n_op"] == 4]
    assert [task.key for task in tasks] == [row["id"] for row in rows]
    assert tasks[0].data.prompt_text == rows[0]["prompt"]
    assert len(list(taskset.include(keys=[rows[3]["id"]]))) == 1
    task = tasks[0]
    assert rewarded(task, f"So\nAnswer: {task.data.answer}") == 1.0
    assert rewarded(task, "Answer: 12345") == 0.0
    sys.modules.pop("rows_of_ours")


def test_verifiers_loads_an_exported_environment_by_its_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vf = pytest.importorskip("verifiers.v1")
    from verifiers.v1.configs.env import default_agent_harness
    from verifiers.v1.utils.loaders import harness_class

    sources = source_of("hint"), source_of("sokoban", 'asks = ["any"]')
    train = split_of("train", 6, more='balance = ["source"]')
    text = recipe_of(*sources, train, split_of("test", 6))
    dataset = Path(build_small(tmp_path, text=text).folder)
    synthgen.export(dataset, "environment", tmp_path / "export")
    monkeypatch.syspath_prepend(str(tmp_path / "export"))
    rows = {split: rows_of(dataset, split) for split in ("train", "test")}
    shutil.rmtree(dataset)

    taskset = {"id": "owner/synthgen-small@0.1.0", "split": "test"}
    environment = vf.load_environment(vf.SingleAgentEnvConfig(taskset=taskset))
    assert [task.key for task in environment.taskset] == [row["id"] for row in rows["test"]]
    assert not harness_class(default_agent_harness("synthgen-small").id).EXECUTES_CODE
    with pytest.raises(ValueError, match="Input should be 'train' or 'test'"):
        vf.SingleAgentEnvConfig(taskset=taskset | {"split": "tset"})
    module = importlib.import_module("synthgen_small")
    assert len([*module.load_environment().taskset]) == 6
    tasks = [*module.load_environment("train", "task = 'sokoban'").taskset]
    assert [task.key for task in tasks] == [
        row["id"] for row in rows["train"] if row["task"] == "sokoban"
    ]
    task, answer = tasks[0], tasks[0].data.answer
    assert task.data.answer_type == "checked:sokoban"
    ways = (("Up", "Down"), ("Down", "Up"), ("Left", "Right"), ("Right", "Left"))
    others = [f"Answer: {there}, {back}, {answer}" for there, back in ways]
    assert max(rewarded(task, text) for text in others) == rewarded(task, answer) == 1.0
    assert rewarded(task, answer.rpartition(", ")[0]) == 0.0
    sys.modules.pop("synthgen_small")


def rewarded(task: Any, reply: str) -> float:
    """Return the reward of a reply."""
    import verifiers.v1 as vf
    from verifiers.v1.trace import AgentInfo, TraceTask

    trace = vf.Trace(
        task=TraceTask(type="SynthgenTask", data=task.data),
        agent=AgentInfo(config=vf.AgentConfig()),
        root_reply=reply,
    )
    asyncio.run(task.score(trace))
    return float(trace.reward)


def test_nemo_gym_serves_the_reward(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("nemo_gym")
    from fastapi.testclient import TestClient
    from nemo_gym.base_resources_server import BaseResourcesServerConfig
    from nemo_gym.server_utils import ServerClient

    from synthgen.training.nemo_gym import SynthgenServer

    synthgen.export(folder, "nemo-gym", tmp_path / "out")
    lines = (tmp_path / "out" / "test.jsonl").read_text().splitlines()
    row = json.loads(lines[0])
    config = BaseResourcesServerConfig(
        host="", port=0, entrypoint="app.py", name="synthgen", domain="math"
    )
    server = SynthgenServer(
        config=config, server_client=ServerClient.model_construct(), name="synthgen"
    )
    client = TestClient(server.setup_webserver())
    for text, reward, why in (
        (f"Answer: {row['expected_answer']}", 1.0, "right"),
        ("Answer: 12345", 0.0, "wrong"),
    ):
        part = {"type": "output_text", "text": text, "annotations": []}
        said = {"id": "m", "type": "message", "role": "assistant", "status": "completed"}
        response = {
            "id": "r",
            "created_at": 0,
            "model": "tiny",
            "object": "response",
            "output": [said | {"content": [part]}],
            "parallel_tool_calls": False,
            "tool_choice": "none",
            "tools": [],
        }
        found = client.post("/verify", json=row | {"response": response})
        assert found.status_code == 200, found.text
        assert (found.json()["reward"], found.json()["why"]) == (reward, why)
