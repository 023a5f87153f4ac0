from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from synthgen.recipe.fields import Table
from synthgen.recipe.schema import Card, Recipe, Run, Source, Split

MINIMAL: dict[str, Any] = {
    "name": "a",
    "source": [{"generator": "hint"}],
    "split": [{"name": "train", "rows": 1}],
}


def all_tables(model: type[Table] = Table) -> list[type[Table]]:
    return [below for sub in model.__subclasses__() for below in (sub, *all_tables(sub))]


def test_defaults() -> None:
    recipe = Recipe.model_validate(MINIMAL)
    assert (recipe.seed, recipe.description) == (0, "")
    assert recipe.source[0] == Source(generator="hint", name="hint", params={})
    split = recipe.split[0]
    assert (split.where, split.balance, split.seen_in, split.overlap) == (None, (), None, ())
    assert split.cap is None
    assert recipe.dedup.on == "canonical"
    assert (recipe.render.prompt, recipe.render.solution) == ("", "none")
    assert recipe.verify.symbolic == 0.01
    output = recipe.output
    assert (output.rows_per_shard, output.row_group, output.order) == (50_000, 10_000, "shuffled")
    assert (recipe.limits.acceptance_floor, recipe.limits.shortfall) == (1e-4, "error")
    assert recipe.card == Card(license="mit", creator="synthgen", language="en")
    assert recipe.run == Run(workers=None, engine="local")


def test_every_field_says_what_it_expects() -> None:
    tables = all_tables()
    assert len(tables) == 25
    fields = [field for table in tables for field in table.model_fields.values()]
    assert all(field.description for field in fields)


def test_nothing_changes_after_construction() -> None:
    recipe = Recipe.model_validate(MINIMAL)
    with pytest.raises(ValidationError, match="frozen"):
        recipe.seed = 3  # type: ignore[misc]
    with pytest.raises(ValidationError, match="frozen"):
        recipe.split[0].rows = 3  # type: ignore[misc]


@pytest.mark.parametrize("name", ["a", "train_2", "a" * 64, "validation"])
def test_split_names_that_loaders_take(name: str) -> None:
    assert Split(name=name, rows=1).name == name


@pytest.mark.parametrize(
    "name", ["", "2a", "_a", "A", "a-b", "a.b", "a b", "a/b", "..", "a\n", "é", "all", "a" * 65]
)
def test_split_names_that_loaders_refuse(name: str) -> None:
    with pytest.raises(ValidationError):
        Split(name=name, rows=1)


@pytest.mark.parametrize("name", ["a", "0", "hint-small_2", "all", "a" * 64])
def test_recipe_names(name: str) -> None:
    assert Recipe.model_validate({**MINIMAL, "name": name}).name == name


@pytest.mark.parametrize("name", ["", "-a", "A", "a/b", "..", "../a", "a\\b", "a\0", "a" * 65])
def test_recipe_names_that_are_no_folder_names(name: str) -> None:
    with pytest.raises(ValidationError):
        Recipe.model_validate({**MINIMAL, "name": name})


@pytest.mark.parametrize("value", [[[1]], {"a": 1}, None, float("nan"), 2**63, "\udcff", object()])
def test_params_are_scalars_or_lists_of_them(value: object) -> None:
    with pytest.raises(ValidationError):
        Source.model_validate({"generator": "a", "params": {"x": value}})
