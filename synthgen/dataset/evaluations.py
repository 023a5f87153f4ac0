"""Files by which evaluators find the splits of a dataset: `eval.yaml` and `lm_eval.yaml`.

Builds write both into the dataset, exports write the same beside their rows. They are YAML whose
values are JSON, which YAML includes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from textwrap import indent

from synthgen.dataset.manifest import INSPECT_FILE, LM_EVAL_FILE, Manifest

_UNGRADED = ("constraints", "skill_prompt")
"""Verifiers of answers that are not values, so that a text cannot be compared with them."""


def render_evaluations(manifest: Manifest) -> dict[str, str]:
    """Write `eval.yaml` and `lm_eval.yaml` of a finished dataset; return the texts by file.

    They have no tasks if the dataset holds answers that are rubrics or constraints, or prompts that
    need their pictures. Paths are relative to the dataset.
    """
    splits = {split.name: f"data/{split.name}-*.parquet" for split in manifest.splits}
    tested = tested_splits([*splits]) if has_tasks(manifest) else []
    tasks = lm_eval_tasks(splits, tested)
    listed = "".join(
        f"- {yaml_of(task=split)}{indent(text, '  ')}" for split, text in tasks.items()
    )
    group = yaml_of(group=manifest.name) + (f"task:\n{listed}" if tasks else "task: []\n")
    return {INSPECT_FILE: inspect_yaml(manifest.name, tested), LM_EVAL_FILE: group}


def has_tasks(manifest: Manifest) -> bool:
    """Return whether evaluators can ask the questions of a dataset, and compare the answers."""
    sources = manifest.sources
    ungraded = any(source.verifier in _UNGRADED for source in sources)
    return not (ungraded or any("picture" in source.params.values() for source in sources))


def tested_splits(splits: Sequence[str]) -> list[str]:
    """Return the splits to evaluate: all but those of training, if there are others."""
    return [split for split in splits if not split.startswith("train")] or [*splits]


def yaml_of(**values: object) -> str:
    """Return a mapping as YAML, one key per line."""
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in values.items())


def lm_eval_tasks(files: Mapping[str, str], tested: Sequence[str]) -> dict[str, str]:
    """Return a task of lm-evaluation-harness, as YAML without a name, for each split to evaluate.

    The strict reward grades texts, so synthgen must be installed beside the harness.

    Args:
        files: Path or pattern of the rows of each split.
        tested: Names of the splits to evaluate.
    """
    train = next((split for split in files if split not in tested), None)
    shared = yaml_of(
        dataset_path="parquet",
        dataset_kwargs={"data_files": dict(files)},
        training_split=train,
        fewshot_split=train,
        output_type="generate_until",
        doc_to_text="{{prompt}}",
        doc_to_target="{{answer}}",
        generation_kwargs={"until": [], "do_sample": False, "max_gen_toks": 2048},
        metric_list=[{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
        num_fewshot=0,
        metadata={"version": 1.0},
    )
    shared += "process_results: !function synthgen.training.adapters.lm_eval_results\n"
    return {split: yaml_of(test_split=split) + shared for split in tested}


_LAST = (
    r"(?:\A|\n)(?:[^\n]*\\boxed\{([^\n]*)\}[^\w\n]*|[ \t]*(?:Answer:[ \t]*)?([^\n]*[^\n\s]))\s*\Z"
)
"""Reads the last line: what its box holds, what follows "Answer:", or all of it."""


def inspect_yaml(name: str, tested: Sequence[str]) -> str:
    """Return a benchmark of inspect_ai whose tasks compare the last line of a text with the answer.

    Args:
        name: Name of the dataset.
        tested: Names of the splits to evaluate.
    """
    spec = {"input": "prompt", "target": "answer", "metadata": ["id", "answer_type"]}
    scorer = {"name": "pattern", "args": {"pattern": _LAST, "ignore_case": False}}
    means = {"field_spec": spec, "solvers": [{"name": "generate"}], "scorers": [scorer]}
    about = f"Problems of {name} with exact answers, made and verified by synthgen."
    head = yaml_of(name=name, description=about, evaluation_framework="inspect-ai")
    tasks = [{"id": split, "config": "default", "split": split} for split in tested]
    lines = "".join(f"- {json.dumps(task | means)}\n" for task in tasks)
    return f"{head}tasks:\n{lines}" if tasks else f"{head}tasks: []\n"
