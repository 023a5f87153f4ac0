"""Params that are the text of a file beside the recipe."""

from pathlib import Path

import pytest

from synthgen.core.errors import ParamError, RecipeError
from synthgen.recipe.fingerprint import canonical, differing_keys, fingerprint
from synthgen.recipe.loader import load_recipe, read_beside
from synthgen.recipe.overrides import Overrides

RECIPE = """
name = "own"

[[source]]
generator = "skill_prompt"
params = { rounds = 5 }
files = { inventory = "data/skills.csv" }

[[split]]
name = "train"
rows = 5
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "skills.csv").write_bytes("\ufeffa,b\r\n1,é\r\n".encode())
    path = tmp_path / "own.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


def test_the_text_is_read_beside_the_recipe(recipe: Path) -> None:
    (source,) = load_recipe(recipe).recipe.source
    assert source.texts == {"inventory": "a,b\n1,é\n"}
    assert source.params == {"rounds": 5}


def test_the_text_is_part_of_the_fingerprint(recipe: Path) -> None:
    before = canonical(load_recipe(recipe).recipe)
    assert before["source"][0]["files"]["inventory"]["file"] == "data/skills.csv"
    (recipe.parent / "data" / "skills.csv").write_bytes("a,b\n1,é\n".encode())
    assert fingerprint(canonical(load_recipe(recipe).recipe)) == fingerprint(before)
    (recipe.parent / "data" / "skills.csv").write_text("a,b\n2,3\n", encoding="utf-8")
    after = canonical(load_recipe(recipe).recipe)
    (line,) = differing_keys(before, after)
    assert line.startswith("source.skill_prompt.files.inventory.sha256: ")


def test_a_recipe_without_files_has_the_fingerprint_it_had(recipe: Path) -> None:
    text = RECIPE.replace('files = { inventory = "data/skills.csv" }\n', "")
    recipe.write_text(text, encoding="utf-8")
    assert "files" not in canonical(load_recipe(recipe).recipe)["source"][0]


def test_an_override_may_name_another_file(recipe: Path) -> None:
    (recipe.parent / "other.csv").write_text("x\n", encoding="utf-8")
    sets = ("source.skill_prompt.files.inventory=other.csv",)
    (source,) = load_recipe(recipe, Overrides(sets)).recipe.source
    assert source.texts == {"inventory": "x\n"}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            '{ inventory = "none.csv" }',
            "7: source.skill_prompt.files.inventory: .*'none.csv': .*existing",
        ),
        (
            '{ inventory = "../own.toml" }',
            "7: .*files.inventory.*below the recipe's folder",
        ),
        ('{ inventory = "/etc/hostname" }', "7: .*below the recipe's folder"),
        ('{ inventory = "data" }', "7: .*existing file"),
        ('{ inventory = "data/bytes" }', "7: .*UTF-8 text; line 2 is invalid"),
        ('{ rounds = "data/skills.csv" }', "7: .*rounds: expected in either params or files"),
        ('{ inventory = "" }', "7: source.skill_prompt.files.inventory"),
        ("{ inventory = 5 }", "7: source.skill_prompt.files.inventory"),
        ('"skills.csv"', "7: source.skill_prompt.files"),
    ],
)
def test_faults_are_told_at_their_line(recipe: Path, files: str, message: str) -> None:
    (recipe.parent / "data" / "bytes").write_bytes(b"fine\n\xff\n")
    recipe.write_text(RECIPE.replace('{ inventory = "data/skills.csv" }', files), encoding="utf-8")
    with pytest.raises(RecipeError, match=message):
        load_recipe(recipe)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "outside.csv").write_text("x", encoding="utf-8")
    (tmp_path / "inside" / "link.csv").symlink_to(tmp_path / "outside.csv")
    with pytest.raises(ParamError, match="below the recipe's folder"):
        read_beside(tmp_path / "inside", "inventory", "link.csv")
