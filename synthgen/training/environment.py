"""ENVIRONMENT: a dataset as a Python package that verifiers loads by its name.

The package holds the rows and a module without logic of its own: synthgen reads and grades them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

import synthgen
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.rules.axes import Axis

KEPT_OUT = ("solution", "derivation", "address", "corrupted")
"""Columns of a dataset that neither tasks nor rules over the rows need."""
_NO_AXES = ("id", "prompt", "answer", "answer_type")
_LICENSE = re.compile(r"[A-Za-z0-9.+-]{1,100}")

_MODULE = Template('''\
"""Problems of a dataset of synthgen as an environment of verifiers; see README.md."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import verifiers.v1 as vf
from synthgen.training.verifiers import SynthgenTask, stored_tasks
from verifiers.v1.harnesses.null import NullHarness

# The harness is the default one: a model answers in text, without tools.
__all__ = ["NullHarness", "Problems", "load_environment"]


class ProblemsConfig(vf.TasksetConfig):
    """Choice of the rows: a split, and a rule over the columns."""

    split: Literal[$splits] = $split
    where: str | None = None


class Problems(vf.Taskset[SynthgenTask, ProblemsConfig]):
    """The rows of a split in the order of its file."""

    def load(self) -> Iterator[SynthgenTask]:
        """Yield the rows, read batch by batch."""
        file = Path(__file__).with_name(f"{self.config.split}.parquet")
        return stored_tasks(file, self.config.where, self.config.task)


def load_environment(split: str = $split, where: str | None = None) -> vf.Env:
    """Return the environment of a split, or of its rows that satisfy a rule."""
    taskset = {"id": $id, "split": split, "where": where}
    return vf.load_environment(vf.SingleAgentEnvConfig(taskset=taskset))
''')

# `tags` are shown by the Environments Hub. Rows belong to the package even if git ignores them.
_PROJECT = Template("""\
[project]
name = $id
version = "0.1.0"
description = $description
readme = "README.md"
requires-python = ">=3.11"
tags = ["single-turn", "synthetic", "train", "eval"]
dependencies = [$synthgen, "verifiers>=0.4.0"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build]
ignore-vcs = true
include = [$module, "README.md"]

[tool.hatch.build.targets.wheel]
packages = [$module]
""")

_CARD = Template("""\
# $id

Problems of the dataset `$name` with exact answers, made and verified by synthgen: one prompt and
one reply in text. The reward is 1 for a right answer and 0 for any other; where a problem has
several right answers, each of them is paid.

| split | rows |
|---|---|
$rows

$facts

## Use

```
prime env install OWNER/$id
vf-eval $id -m MODEL -n 20 --env.taskset.split $split --env.agent.runtime.type subprocess
```

`pip install .` in this folder installs it, too. No code of a model is run. In Python:

```python
from $module import load_environment

tasks = list(load_environment("$split").taskset)
```

| setting | meaning | default |
|---|---|---|
| `split` | split of the dataset | `$split` |
| `where` | rule over the axes, `difficulty`, `source`, `task` and `template` | all rows |
""")


def module_of(dataset: Dataset) -> str:
    """Return the name of the module of a dataset.

    The prefix keeps it apart from other packages, such as `random`.
    """
    return f"synthgen_{dataset.manifest.name.rstrip('-_')}".replace("-", "_")


def package(dataset: Dataset, splits: Sequence[str]) -> dict[str, str]:
    """Return the texts of a package beside the rows of some splits, by path."""
    module, manifest = module_of(dataset), dataset.manifest
    names = {"id": module.replace("_", "-"), "module": module}
    names["split"] = "train" if "train" in splits else splits[0]
    quoted = {key: json.dumps(name) for key, name in names.items()}
    facts = {"Digest": manifest.digest}
    card = manifest.recipe.get("card")
    stated = str(card.get("license", "")) if isinstance(card, Mapping) else ""
    if _LICENSE.fullmatch(stated):
        facts["License"] = stated
    return {
        "README.md": _CARD.substitute(
            names,
            name=manifest.name,
            rows="\n".join(f"| `{split}` | {dataset.rows(split):,} |" for split in splits),
            facts="\n".join(f"- {key} of the dataset: `{text}`" for key, text in facts.items()),
        ),
        "pyproject.toml": _PROJECT.substitute(
            quoted,
            description=json.dumps(f"Problems of {manifest.name} with exact answers, by synthgen"),
            synthgen=json.dumps(f"synthgen>={synthgen.__version__}"),
        ),
        f"{module}/__init__.py": _MODULE.substitute(
            quoted, splits=", ".join(map(json.dumps, splits))
        ),
    }


def stored_rows(
    file: Path, columns: Sequence[str], where: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield rows of an exported file, read batch by batch.

    Args:
        file: Path of the file.
        columns: Names of the columns of each row.
        where: Rule over the other columns that the rows satisfy, or None for all.

    Raises:
        UnknownNameError, ParamError: if the text is not a rule over them.
    """
    import polars as pl

    from synthgen.rules.language import names_in, read_rule

    schema = pl.read_parquet_schema(file)
    texts = {name for name, kind in schema.items() if kind == pl.String}
    axes = {n: Axis(n, values=("",) * (n in texts)) for n in schema if n not in _NO_AXES}
    holds = read_rule(where, axes).expression
    read = [*columns, *(names_in(where, axes) if where else ())]
    for batch in stream_shard(file, read):
        frame = pl.DataFrame(pl.from_arrow(batch))
        yield from frame.filter(holds).select(columns).iter_rows(named=True)
