"""Builds whose generator has the text of a file as a param."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen import verify
from synthgen.core.errors import OutputError, RecipeError
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

SKILLS = "category,skill,definition,example\n" + "".join(
    f"own,skill number {name},It is {name}.,Such as {name}.\n"
    for name in ("one", "two", "three", "four", "five", "six")
)
RECIPE = recipe_of(
    source_of(
        "skill_prompt",
        "ks = [2, 3], rounds = 20",
        'files = { inventory = "skills.csv", topics = "topics.txt" }',
    ),
    split_of("train", 60, "k = 2"),
    split_of("test", 30, "k = 3"),
    seed=2,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "skills.csv").write_text(SKILLS, encoding="utf-8")
    (tmp_path / "topics.txt").write_text("Bread\nSalt mines\nRain\nGlass\nTea\n", encoding="utf-8")
    return tmp_path


def test_the_dataset_folder_is_enough_to_make_rows_again(folder: Path) -> None:
    result = build_small(folder, text=RECIPE, workers=2)
    prompts = [row["prompt"] for row in rows_of(result.folder, "train")]
    assert all("skill number" in prompt for prompt in prompts)
    assert any("Salt mines" in prompt for prompt in prompts)
    assert verify(result.folder, recipe=folder / "small.toml").ok
    for name in ("skills.csv", "topics.txt", "small.toml"):
        (folder / name).unlink()
    verification = verify(result.folder, rebuild=90)
    assert not verification.is_false
    assert verification.rebuilt == 90
    (line,) = verification.unproven  # the recipe names files that are gone
    assert "--recipe" in line
    assert synthgen("audit", str(result.folder)).returncode == 0


def test_the_same_text_is_the_same_build_and_another_is_not(folder: Path) -> None:
    first = build_small(folder, text=RECIPE)
    assert build_small(folder, text=RECIPE).was_there
    (folder / "skills.csv").write_text(SKILLS.replace("It is six", "That is six"), encoding="utf-8")
    with pytest.raises(OutputError, match=r"files\.inventory\.sha256"):
        build_small(folder, text=RECIPE)
    again = build_small(folder, text=RECIPE, fresh=True)
    assert again.manifest.fingerprint != first.manifest.fingerprint


def test_a_param_that_the_generator_lacks(folder: Path) -> None:
    text = RECIPE.replace("topics =", "topic =")
    meant = r"source.skill_prompt.files.topic: unknown parameter 'topic'; did you mean 'topics'"
    with pytest.raises(RecipeError, match=meant):
        plan_of(write_recipe(folder, text))
