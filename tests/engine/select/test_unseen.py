"""Values that two splits must not share, and the evenness of axes, from recipe to audit."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from synthgen.core.errors import RecipeError, ShortfallError
from synthgen.coverage.evenness import evenness
from tests.building import (
    build_small,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    synthgen,
    write_recipe,
)
from tests.dataset.tiny import save_manifest

HELD = recipe_of(
    source_of("hint", "max_operators = 4"),
    split_of("train", 300, "result < 10", 'measure = ["result", "n_op"]'),
    split_of(
        "test", 60, "result > 12 AND max_value < 90", 'unseen = { of = "train", axes = ["result"] }'
    ),
)


def test_the_manifest_tells_how_even_an_axis_is(tmp_path: Path) -> None:
    result = build_small(tmp_path, text=HELD)
    counts = Counter(row["result"] for row in rows_of(result.folder, "train"))
    found = {measure.axis: measure for measure in result.manifest.splits[0].measured}
    assert set(found) == {"result", "n_op"}
    expected = evenness(np.array(list(counts.values())))
    assert found["result"].values == len(counts) == 10
    assert found["result"].effective == pytest.approx(expected.effective)
    assert found["result"].most == max(counts.values())


def test_repeats_count_as_rows(tmp_path: Path) -> None:
    parts = "parts = [{ where = 'n_op = 0', rows = 200, distinct = 5 }, "
    parts += "{ where = 'n_op > 0', rows = 100 }]"
    text = HELD.replace('measure = ["result", "n_op"]', f'measure = ["n_op"]\n{parts}')
    (measure,) = build_small(tmp_path, text=text).manifest.splits[0].measured
    assert measure.most == 200


def test_values_that_are_shared_are_told(tmp_path: Path) -> None:
    text = HELD.replace("result > 12", "result > 7")
    with pytest.raises(ShortfallError, match="'test' shares 2 values of result with 'train'"):
        build_small(tmp_path, text=text)


def test_axes_are_compared_together(tmp_path: Path) -> None:
    text = HELD.replace('axes = ["result"]', 'axes = ["result", "max_value"]')
    with pytest.raises(ShortfallError, match="values of result, max_value with 'train'"):
        build_small(tmp_path, text=text)


def test_the_audit_looks_again(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=HELD).folder
    good = synthgen("audit", str(folder), "--verbose")
    assert good.returncode == 0, good.stdout
    assert "0 values of result also occur in train" in good.stdout
    assert "effective number" in good.stdout
    text = (folder / "manifest.json").read_text()
    manifest = json.loads(text)
    manifest["splits"][1]["unseen"]["axes"] = ["n_op"]
    save_manifest(folder, manifest)
    assert synthgen("audit", str(folder)).returncode == 1
    manifest = json.loads(text)
    manifest["splits"][0]["measured"][0]["gini"] += 0.01
    save_manifest(folder, manifest)
    assert synthgen("audit", str(folder)).returncode == 1


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('of = "train"', 'of = "trian"', "no such split; did you mean 'train'"),
        ('of = "train"', 'of = "test"', "no such split"),
        ('axes = ["result"]', 'axes = ["reslt"]', "unknown integer axis 'reslt'"),
        ('axes = ["result"]', "axes = []", "expected a list of names of integer axes"),
        ('measure = ["result", "n_op"]', 'measure = ["n_ops"]', "did you mean 'n_op'"),
        (
            'rows = 60\nwhere = "result > 12 AND max_value < 90"',
            'rows = 60\nseen_in = "train"',
            "cannot be combined with unseen",
        ),
    ],
)
def test_faults_are_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in HELD
    with pytest.raises(RecipeError, match=told):
        plan_of(write_recipe(tmp_path, HELD.replace(old, new, 1)))
