"""Generators of other packages: found by entry point, and stopped when they are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.building import folder_digests, synthgen_process, write_recipe

MODULE = '''
"""Additions of two digits, and ways to get them wrong."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa

from synthgen.families.hint.family import Hint


@dataclass(frozen=True)
class Sums(Hint):
    """Sums.

    Attributes:
        wrong_every: one in so many addresses has a wrong answer, 0 for none.
    """

    operators: str = "+"
    max_operators: int = 4
    wrong_every: int = 0

    domain: ClassVar[str] = "sums"

    def render(self, problems, style):
        texts = super().render(problems, style)
        if not self.wrong_every:
            return texts
        wrong = problems.rows.addresses % np.uint64(self.wrong_every) == 7
        answers = problems.axes["result"].astype(np.int64) + wrong
        return replace(texts, answers=pa.array(answers).cast(pa.string()))
'''

RECIPE = """
name = "sums"
[[source]]
generator = "sums"
params = { wrong_every = 0 }
[[split]]
name = "train"
rows = 6_000
where = "n_op > 1"
[output]
rows_per_shard = 1000
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with a package as an installer would leave it."""
    (tmp_path / "sums_package.py").write_text(MODULE)
    info = tmp_path / "sums_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sums-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[synthgen.generators]\nsums = sums_package:Sums\n")
    return tmp_path


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_registered_generator_is_listed_and_built(
    installed: Path, tmp_path: Path, workers: str
) -> None:
    listed = json.loads(synthgen_process("list", "--json", path=installed).stdout)
    assert "sums" in listed["generators"]
    recipe = write_recipe(tmp_path, RECIPE)
    out = tmp_path / "out"
    ended = synthgen_process(
        "build", str(recipe), "--out", str(out), "--workers", workers, path=installed
    )
    assert ended.returncode == 0, ended.stderr
    assert len(folder_digests(out / "data")) == 6


def test_an_axis_with_the_name_of_a_column_is_refused(installed: Path, tmp_path: Path) -> None:
    axes = """
    @property
    def axes(self):
        return {**super().axes, "task": super().axes["n_op"]}
"""
    (installed / "sums_package.py").write_text(MODULE + axes)
    recipe = write_recipe(tmp_path, RECIPE)
    ended = synthgen_process("build", str(recipe), "--out", str(tmp_path / "out"), path=installed)
    assert ended.returncode == 2
    assert "axis 'task' of sums has the name of a standard column" in ended.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_wrong_answer_stops_the_build_and_is_shown(
    installed: Path, tmp_path: Path, workers: str
) -> None:
    recipe = write_recipe(tmp_path, RECIPE.replace("wrong_every = 0", "wrong_every = 9001"))
    out = tmp_path / "out"
    ended = synthgen_process(
        "build", str(recipe), "--out", str(out), "--workers", workers, path=installed
    )
    assert ended.returncode == 1
    assert "split 'train': the verifier rejects" in ended.stderr
    assert "address: " in ended.stderr
    assert "prompt: '" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not out.exists()
