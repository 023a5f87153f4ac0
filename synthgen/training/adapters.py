"""The reward with the signatures that trainers call.

Every function grades by `judge`, and takes the columns `answer` and `answer_type` of a row from
the place where its trainer keeps them. None imports its trainer before it is called. The classes
that subclass those of verifiers and NeMo Gym are in modules named after these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from synthgen.training.reward import MISSING, UNREADABLE, judge

Messages = Sequence[Mapping[str, Any]]


def trl_reward(
    prompts: Sequence[object],
    completions: Sequence[str | Messages],
    answer: Sequence[str],
    answer_type: Sequence[str],
    log_extra: Callable[[str, list[str]], None] | None = None,
    **_: object,
) -> list[float]:
    """Grade a batch for TRL (`reward_funcs` of GRPO and RLOO).

    Args:
        prompts: Prompts, which are not used.
        completions: Texts, or lists of messages of which the last one counts.
        answer: Column of the dataset, as `answer_type`.
        answer_type: Column of the dataset.
        log_extra: Function of TRL that logs a column; it gets the reason of each grade.

    >>> trl_reward(["2*3"], ["Answer: 6"], answer=["6"], answer_type=["integer"])
    [1.0]
    """
    del prompts
    verdicts = [
        judge(_text(completion), gold, kind)
        for completion, gold, kind in zip(completions, answer, answer_type, strict=True)
    ]
    if log_extra is not None:
        log_extra("why", [verdict.why for verdict in verdicts])
    return [verdict.score for verdict in verdicts]


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    **_: object,
) -> dict[str, float]:
    """Grade a text for verl (`reward.custom_reward_function`).

    Args:
        data_source: Name of the dataset, which is not used.
        solution_str: Text of the model.
        ground_truth: Answer of the row.
        extra_info: Mapping with the row's `answer_type`.

    Raises:
        KeyError: without an `answer_type`.

    >>> compute_score("hint", "Answer: 7", "6", {"answer_type": "integer"})["score"]
    0.0
    """
    del data_source
    verdict = judge(solution_str, ground_truth, (extra_info or {})["answer_type"])
    reasons = {"no_answer": MISSING, "unreadable": UNREADABLE}
    return {
        "score": verdict.score,
        **{name: float(verdict.why == why) for name, why in reasons.items()},
    }


_LAST_TOKENS = re.compile(r"(?:\s*(?:<\|[\w-]+\|>|</s>|<eos>|<end_of_turn>))+\s*\Z")
"""Tokens with which models end a text."""


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: object
) -> dict[str, Any]:
    """Grade a batch for OpenRLHF (`remote_rm_url` with a Python file); needs torch.

    Args:
        queries: Prompts with the texts of the model after them, and the tokens that end these.
        prompts: Prompts.
        labels: JSON objects with `answer` and `answer_type`.
    """
    import torch

    scores = []
    for query, prompt, label in zip(queries, prompts, labels, strict=True):
        row = json.loads(label)
        text = _LAST_TOKENS.sub("", query.removeprefix(prompt))
        scores.append(judge(text, row["answer"], row["answer_type"]).score)
    rewards = torch.tensor(scores)
    return {"rewards": rewards, "scores": rewards, "extra_logs": {"right": rewards}}


async def custom_rm(args: object, sample: Any, **_: object) -> float:
    """Grade a sample for slime (`--custom-rm-path`).

    Args:
        args: Options of slime, which are not used.
        sample: Sample with `response`, `label` and, in `metadata`, the row's `answer_type`.
    """
    del args
    return judge(sample.response, sample.label, sample.metadata["answer_type"]).score


def lm_eval_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Grade a text for lm-evaluation-harness (`process_results` of a task).

    Args:
        doc: Row, with `answer` and `answer_type`.
        results: Texts of the model, of which the first counts.
    """
    return {"acc": judge(results[0], doc["answer"], doc["answer_type"]).score}


def open_instruct_verifier() -> type:
    """Return a verifier class for open-instruct, which must be installed.

    Labels are JSON objects with `answer` and `answer_type`.
    """
    from open_instruct.ground_truth_utils import VerificationResult, VerifierFunction

    class SynthgenVerifier(VerifierFunction):  # type: ignore[misc]
        def __init__(self, verifier_config: object = None) -> None:
            super().__init__("synthgen", verifier_config=verifier_config, weight=1.0)

        def __call__(
            self,
            tokenized_prediction: object,
            prediction: str,
            label: str,
            query: str | None = None,
            **_: object,
        ) -> object:
            del tokenized_prediction, query
            row = json.loads(label)
            return VerificationResult(judge(prediction, row["answer"], row["answer_type"]).score)

    return SynthgenVerifier


def _text(completion: str | Messages) -> str:
    """Return a text, or that of the last message."""
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else ""
    return content if isinstance(content, str) else ""
