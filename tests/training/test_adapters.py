"""The signatures of trainers, called as they call them."""

from __future__ import annotations

import asyncio
import doctest
import pickle
import sys
from types import ModuleType, SimpleNamespace

import pytest

from synthgen.training import adapters


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
    if "torch" not in sys.modules:
        torch = ModuleType("torch")
        torch.tensor = list  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "torch", torch)
    label = '{"answer": "6", "answer_type": "integer"}'
    found = adapters.reward_func(["2*3 = Answer: 6", "2*3 = 5"], ["2*3 = "] * 2, [label] * 2)
    assert [float(score) for score in found["rewards"]] == [1.0, 0.0]
    assert found["scores"] is found["rewards"]


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


def test_the_examples() -> None:
    result = doctest.testmod(adapters)
    assert (result.attempted, result.failed) == (2, 0)
