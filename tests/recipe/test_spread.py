"""The key `spread` of a source."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError
from synthgen.recipe.fingerprint import canonical
from synthgen.recipe.loader import load_recipe
from synthgen.recipe.schema import Recipe

HEAD = 'name = "a"\n[[source]]\ngenerator = "hint"\n'
TAIL = '[[split]]\nname = "train"\nrows = 10\n'


def load(folder: Path, spread: str, more: str = "") -> Recipe:
    path = folder / "a.toml"
    path.write_text(HEAD + f"spread = {spread}\n" + more + TAIL)
    return load_recipe(path).recipe


def test_axes_alone_stand_for_all_values(tmp_path: Path) -> None:
    assert load(tmp_path, '["n_op", "depth"]').source[0].spread == (("n_op", ()), ("depth", ()))


def test_values_are_told_by_a_table(tmp_path: Path) -> None:
    source = load(tmp_path, '{ system = ["ab"], n_op = [3, 1] }').source[0]
    assert source.spread == (("system", ("ab",)), ("n_op", (3, 1)))


def test_the_kept_form_reads_back_the_same(tmp_path: Path) -> None:
    recipe = load(tmp_path, "{ n_op = [3, 1], depth = [2] }")
    assert Recipe.model_validate(recipe.model_dump()).source == recipe.source
    assert canonical(recipe)["source"][0]["spread"] == [["n_op", [3, 1]], ["depth", [2]]]


def test_without_it_nothing_is_kept(tmp_path: Path) -> None:
    assert "spread" not in canonical(load(tmp_path, "[]"))["source"][0]


@pytest.mark.parametrize(
    ("spread", "told"),
    [
        ('"n_op"', "expected a list of axes, or a table of axes"),
        ('["n_op", "n_op"]', "'n_op' is repeated"),
        ("[3]", "3 is not a name"),
        ("{ n_op = 3 }", "'n_op' does not have a list of values"),
        ("{ n_op = [] }", "'n_op' does not have a list of values"),
        ("{ n_op = [1, 1] }", "1 is repeated"),
        ("{ n_op = [1.5] }", "1.5 is not a value that an axis can have"),
    ],
)
def test_faults_say_what_is_wrong(tmp_path: Path, spread: str, told: str) -> None:
    with pytest.raises(RecipeError) as refused:
        load(tmp_path, spread)
    assert refused.value.faults[0].path == "source.0.spread"
    assert refused.value.faults[0].line == 4
    assert told in str(refused.value)


def test_it_cannot_stand_beside_draws_of(tmp_path: Path) -> None:
    twins = '[[source]]\nname = "b"\ngenerator = "hint"\ndraws_of = "hint"\nspread = ["n_op"]\n'
    with pytest.raises(RecipeError, match="spread: cannot be combined with draws_of"):
        load(tmp_path, "[]", twins)
