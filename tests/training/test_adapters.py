"""The signatures of trainers, called as they call them."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import json
import pickle
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pydantic
import pytest

import synthgen
from synthgen.core.errors import ParamError
from synthgen.training import adapters
from tests.dataset.tiny import write_dataset


def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a module with lists for tensors in the place of torch."""
    torch = ModuleType("torch")
    torch.tensor = list  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)


def test_trl_calls_with_texts_or_messages_and_all_columns() -> None:
    logged: dict[str, list[str]] = {}
    texts = ["Answer: 6", "Answer: 7", "I give up"]
    messages = [[{"role": "assistant", "content": text}] for text in texts]
    for completions in (texts, messages):
        found = adapters.trl_reward(
            prompts=["2*3"] * 3,
            completions=completions,
            completion_ids=[[1], [2], [3]],
            trainer_state=None,
            log_extra=logged.__setitem__,
            log_metric=None,
            answer=["6"] * 3,
            answer_type=["integer"] * 3,
            task=["hint"] * 3,
        )
        assert found == [1.0, 0.0, 0.0]
    assert logged == {"why": ["right", "wrong", "unreadable"]}
    assert pickle.loads(pickle.dumps(adapters.trl_reward)) is adapters.trl_reward  # noqa: S301


def test_trl_gets_none_for_rows_of_other_tasks_and_reads_parts() -> None:
    logged: dict[str, list[str]] = {}
    parts = [{"type": "image"}, {"type": "text", "text": "Answer: "}, {"type": "text", "text": "6"}]
    found = adapters.trl_reward(
        prompts=["2*3", [{"role": "user", "content": [{"type": "text", "text": "2*3"}]}]],
        completions=["6", [{"role": "assistant", "content": parts}]],
        answer=[None, "6"],
        answer_type=[None, "integer"],
        log_extra=logged.__setitem__,
    )
    assert found == [None, 1.0]
    assert logged == {"why": ["another task", "right"]}


def test_labels_without_a_type_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without_torch(monkeypatch)
    with pytest.raises(ParamError, match="label=6: expected an answer and its answer_type"):
        adapters.reward_func(["6"], [""], [6])  # type: ignore[list-item]
    with pytest.raises(ParamError, match="label='6'"):
        adapters.reward_func(["6"], [""], ["6"])
    with pytest.raises(ParamError, match="extra_info=None"):
        adapters.compute_score("hint", "6", "6")
    with pytest.raises(ParamError, match="metadata"):
        asyncio.run(adapters.custom_rm(None, SimpleNamespace(response="6", label=6, metadata={})))


def test_every_plan_is_paid_where_any_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    without_torch(monkeypatch)
    (row,) = synthgen.generate("sokoban", 1, params={"asks": ["any"]}, seed=3)
    prompt, answer, kind = row["prompt"], row["answer"], row["answer_type"]
    back = {"Up": "Down", "Down": "Up", "Left": "Right", "Right": "Left"}
    first = answer.split(", ")[0]
    texts = [f"{there},{back[there]},{answer}" for there in back]
    asked = [{"role": "user", "content": prompt}]
    info = {"answer": answer, "answer_type": kind, "prompt": prompt}
    graded = [
        [adapters.trl_reward([asked], [text], [answer], [kind])[0] for text in texts],
        [adapters.compute_score("", text, answer, info)["score"] for text in texts],
        adapters.reward_func(texts, [""] * 4, [json.dumps(info)] * 4)["rewards"],
        [adapters.lm_eval_results(row, [text])["acc"] for text in texts],
    ]
    assert graded == [graded[0]] * 4
    assert 1.0 in graded[0]
    assert adapters.trl_reward([asked], [first], [answer], [kind]) == [0.0]


def test_verl_calls_by_keyword() -> None:
    info = {"split": "train", "index": 0, "answer_type": "integer", "num_turns": 1}
    grade = adapters.compute_score
    assert grade(data_source="hint", solution_str="<think>", ground_truth="6", extra_info=info) == {
        "score": 0.0,
        "no_answer": 1.0,
        "unreadable": 0.0,
    }
    assert grade("hint", "Answer: 6", "6", info, reward_router_address=None)["score"] == 1.0


def test_slime_awaits_it() -> None:
    sample = SimpleNamespace(response="6", label="6", metadata={"answer_type": "integer"})
    assert asyncio.run(adapters.custom_rm(None, sample)) == 1.0


def test_openrlhf_gets_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    without_torch(monkeypatch)
    label = '{"answer": "6", "answer_type": "integer"}'
    found = adapters.reward_func(["2*3 = Answer: 6", "2*3 = 5"], ["2*3 = "] * 2, [label] * 2)
    assert [float(score) for score in found["rewards"]] == [1.0, 0.0]
    assert found["scores"] is found["rewards"]
    ends = ["<|im_end|>", "\n</s>", "<|eot_id|><|endoftext|>\n", "<eos>", "<end_of_turn>"]
    found = adapters.reward_func([f"2*3 = 6{end}" for end in ends], ["2*3 = "] * 5, [label] * 5)
    assert [float(score) for score in found["rewards"]] == [1.0] * 5


def test_open_instruct_gets_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    class VerifierFunction:
        def __init__(self, name: str, verifier_config: object, weight: float) -> None:
            self.name, self.weight = name, weight

    module = ModuleType("open_instruct.ground_truth_utils")
    module.VerifierFunction = VerifierFunction  # type: ignore[attr-defined]
    module.VerificationResult = lambda score: SimpleNamespace(score=score)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "open_instruct", ModuleType("open_instruct"))
    monkeypatch.setitem(sys.modules, "open_instruct.ground_truth_utils", module)
    verifier = adapters.open_instruct_verifier()()
    label = '{"answer": "6", "answer_type": "integer"}'
    assert verifier(tokenized_prediction=[1], prediction="Answer: 6", label=label).score == 1.0


class Typed:
    """A class with type parameters."""

    def __class_getitem__(cls, types: object) -> type:
        return cls


def stub(monkeypatch: pytest.MonkeyPatch, name: str, **content: object) -> None:
    """Put a module, and the packages that it is in, in the place of one that is not installed."""
    parts = name.split(".")
    for n in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:n]), ModuleType(".".join(parts[:n])))
    for n in range(1, len(parts)):
        setattr(sys.modules[".".join(parts[:n])], parts[n], sys.modules[".".join(parts[: n + 1])])
    vars(sys.modules[name]).update(content)


def fresh(monkeypatch: pytest.MonkeyPatch, name: str) -> Any:
    """Import a module as it is with the stubs, for one test."""
    monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module(name)
    monkeypatch.delitem(sys.modules, name)
    return module


def test_verifiers_loads_tasks_and_awaits_the_reward(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As in verifiers 0.4.0: v1/task.py and v1/taskset.py."""

    class TaskData(pydantic.BaseModel):
        id: str | None = None
        prompt: str | None = None

    class TasksetConfig(pydantic.BaseModel):
        task: None = None

    class Task(Typed):
        def __init__(self, data: TaskData, config: object = None) -> None:
            self.data = data

    class Taskset(Typed):
        def __init__(self, config: TasksetConfig) -> None:
            self.config = config

    def reward(function: Any) -> Any:
        function.reward = True
        return function

    content = {"TaskData": TaskData, "TasksetConfig": TasksetConfig, "Task": Task}
    content |= {"Taskset": Taskset, "State": object, "TaskConfig": object, "reward": reward}
    stub(monkeypatch, "verifiers.v1", **content)
    module = fresh(monkeypatch, "synthgen.training.verifiers")
    folder = str(write_dataset(tmp_path / "tiny"))
    tasks = list(module.SynthgenTaskset(module.SynthgenConfig(path=folder)).load())
    assert len(tasks) == 40
    assert (tasks[7].key, tasks[7].data.prompt) == (tasks[7].data.id, "What is 7 + 1?")
    assert tasks[7].right.reward
    for reply, score in (("Answer: 8", 1.0), ("Answer: 80", 0.0)):
        assert asyncio.run(tasks[7].right(SimpleNamespace(last_reply=reply))) == score
    config = module.SynthgenConfig(path=folder, split="test_hard", where="n_op = 8")
    assert {task.data.answer_type for task in module.SynthgenTaskset(config).load()} == {"integer"}
    assert len(list(module.SynthgenTaskset(config).load())) == 5


def test_nemo_gym_awaits_a_response_with_the_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in NeMo Gym 0.4.0: base_resources_server.py, and items of OpenAI's responses."""

    class BaseVerifyRequest(pydantic.BaseModel):
        response: Any

    class BaseVerifyResponse(BaseVerifyRequest):
        reward: float

    stub(
        monkeypatch,
        "nemo_gym.base_resources_server",
        BaseVerifyRequest=BaseVerifyRequest,
        BaseVerifyResponse=BaseVerifyResponse,
        SimpleResourcesServer=object,
    )
    module = fresh(monkeypatch, "synthgen.training.nemo_gym")

    def verified(*output: dict[str, Any]) -> tuple[float, str]:
        items = [SimpleNamespace(role="", content="") for _ in output]
        for item, values in zip(items, output, strict=True):
            vars(item).update(values)
        body = module.SynthgenVerifyRequest(
            response=SimpleNamespace(output=items), expected_answer="6", answer_type="integer"
        )
        found = asyncio.run(module.SynthgenServer().verify(body))
        return found.reward, found.why

    def said(*texts: str) -> dict[str, Any]:
        parts = [SimpleNamespace(type="output_text", text=text) for text in texts]
        return {"type": "message", "role": "assistant", "content": parts}

    thought = {"type": "reasoning"}
    assert verified(thought, said("Answer: ", "6"), thought) == (1.0, "right")
    assert verified(said("Answer: 6"), said("Answer: 7")) == (0.0, "wrong")
    assert verified({"type": "message", "role": "assistant", "content": "6"})[0] == 1.0
    assert verified(thought, {"type": "message", "role": "user"}) == (0.0, "no answer")


def test_the_examples() -> None:
    result = doctest.testmod(adapters)
    assert (result.attempted, result.failed) == (3, 0)
