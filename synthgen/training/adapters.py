"""The reward with the signatures that trainers call.

Every function grades by `judge`, and takes the columns `answer` and `answer_type` of a row, and the
prompt where a problem has several right answers, from the place where its trainer keeps them. None
imports its trainer before it is called. The classes that subclass those of verifiers and NeMo Gym
are in modules named after these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from synthgen.core.chat import content_text
from synthgen.core.errors import ParamError
from synthgen.training.reward import MISSING, UNREADABLE, judge

Messages = Sequence[Mapping[str, Any]]
_NOT_OURS = "another task"


def trl_reward(
    prompts: Sequence[str | Messages],
    completions: Sequence[str | Messages],
    answer: Sequence[str | None],
    answer_type: Sequence[str | None],
    log_extra: Callable[[str, list[str]], None] | None = None,
    statement: Sequence[str | None] | None = None,
    **_: object,
) -> list[float | None]:
    """Grade a batch for TRL (`reward_funcs` of GRPO and RLOO).

    Rows of other tasks, which have no answer, get None, so that TRL leaves their grades to others.

    Args:
        prompts: Texts, or lists of messages of which the last one counts.
        completions: The same of the model.
        answer: Column of the dataset, as `answer_type`.
        answer_type: Column of the dataset.
        log_extra: Function of TRL that logs a column; it gets the reason of each grade.
        statement: Column of datasets with pictures, which stands for the prompts.

    >>> trl_reward(["2*3", ""], ["Answer: 6", ""], ["6", None], ["integer", None])
    [1.0, None]
    """
    said = [last_text(prompt) for prompt in prompts]
    if statement is not None:
        said = [whole or text for whole, text in zip(statement, said, strict=True)]
    verdicts = [
        None
        if gold is None or kind is None
        else judge(last_text(completion), gold, kind, prompt=prompt)
        for prompt, completion, gold, kind in zip(
            said, completions, answer, answer_type, strict=True
        )
    ]
    if log_extra is not None:
        log_extra("why", [verdict.why if verdict else _NOT_OURS for verdict in verdicts])
    return [verdict.score if verdict else None for verdict in verdicts]


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
        extra_info: Mapping with the row's `answer_type`, and its prompt where it needs one.

    Raises:
        ParamError: without an `answer_type`.

    >>> compute_score("hint", "Answer: 7", "6", {"answer_type": "integer"})["score"]
    0.0
    """
    del data_source
    about = _row({"answer": ground_truth, **(extra_info or {})}, "extra_info", extra_info)
    verdict = judge(solution_str, ground_truth, about["answer_type"], prompt=about.get("prompt"))
    reasons = {"no_answer": MISSING, "unreadable": UNREADABLE}
    return {
        "score": verdict.score,
        **{name: float(verdict.why == why) for name, why in reasons.items()},
    }


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: object
) -> dict[str, Any]:
    """Grade a batch for OpenRLHF (`remote_rm_url` with a Python file); needs torch.

    Args:
        queries: Prompts with the texts of the model after them, and the tokens that end these.
        prompts: Prompts.
        labels: JSON objects with `answer` and `answer_type`.

    Raises:
        ParamError: for another label.
    """
    import torch

    scores = [
        _labelled(query.removeprefix(prompt), label)
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    rewards = torch.tensor(scores)
    return {"rewards": rewards, "scores": rewards, "extra_logs": {"right": rewards}}


async def custom_rm(args: object, sample: Any, **_: object) -> float:
    """Grade a sample for slime (`--custom-rm-path`).

    Args:
        args: Options of slime, which are not used.
        sample: Sample with `response`, `label` and, in `metadata`, the row's `answer_type`.

    Raises:
        ParamError: without an `answer_type`.
    """
    del args
    row = _row({"answer": sample.label, **(sample.metadata or {})}, "metadata", sample.metadata)
    prompt = row.get("prompt")
    return judge(sample.response, row["answer"], row["answer_type"], prompt=prompt).score


def lm_eval_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Grade a text for lm-evaluation-harness (`process_results` of a task).

    Args:
        doc: Row, with `prompt`, `answer` and `answer_type`.
        results: Texts of the model, of which the first counts.
    """
    verdict = judge(results[0], doc["answer"], doc["answer_type"], prompt=doc.get("prompt"))
    return {"acc": verdict.score}


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
            return VerificationResult(_labelled(prediction, label))

    return SynthgenVerifier


def _labelled(text: str, label: str) -> float:
    """Grade a text by a label that holds what a grade needs."""
    try:
        row = json.loads(label)
    except (TypeError, ValueError):
        row = None
    row = _row(row, "label", label)
    return judge(text, row["answer"], row["answer_type"], prompt=row.get("prompt")).score


def _row(row: object, name: str, value: object) -> Mapping[str, Any]:
    """Return a row with a text `answer` and `answer_type`; raise ParamError if it is none."""
    if isinstance(row, Mapping):
        texts = row.get("answer"), row.get("answer_type")
        if all(isinstance(text, str) for text in texts):
            return row
    expected = "an answer and its answer_type as text, as `synthgen export` writes them"
    raise ParamError(name, value, expected)


def last_text(said: str | Messages | None) -> str:
    """Return a text, or that of the last message, whose content may be in parts.

    >>> last_text([{"role": "user", "content": [{"type": "text", "text": "Hello"}]}])
    'Hello'
    """
    if said is None or isinstance(said, str):
        return said or ""
    return (content_text(said[-1].get("content")) if said else None) or ""
