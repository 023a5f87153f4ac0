"""The schema of a recipe: keys, fields, references, and `spread`."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from synthgen.core.errors import RecipeError
from synthgen.recipe.fields import (
    Table,
    check_date,
    check_distinct,
    check_param,
    date_text,
    named_by,
)
from synthgen.recipe.fingerprint import canonical
from synthgen.recipe.loader import load_recipe, worded
from synthgen.recipe.references import reference_faults
from synthgen.recipe.schema import Card, Recipe, Run, Source, Split
from synthgen.recipe.tables import RecipeTables, name_of

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


check_name = named_by("[a-z][a-z0-9_]{0,63}", reserved=("all",))


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("test-ood", "hyphens are not allowed, did you mean 'test_ood'?"),
        ("Test OOD!", "did you mean 'test_ood'?"),
        ("--", "hyphens are not allowed"),
        ("all", "'all' is reserved"),
        ("7", ""),
    ],
)
def test_names_come_with_advice(name: str, advice: str) -> None:
    with pytest.raises(PydanticCustomError) as caught:
        check_name(name)
    assert caught.value.message() == advice


@given(st.text())
def test_a_proposed_name_is_itself_allowed(name: str) -> None:
    try:
        assert check_name(name) == name
    except PydanticCustomError as error:
        _, _, proposal = error.message().partition("did you mean ")
        if proposal:
            assert check_name(proposal[1:-2])


@given(st.lists(st.text(max_size=2)).map(tuple))
def test_distinct(items: tuple[str, ...]) -> None:
    if len(set(items)) == len(items):
        assert check_distinct(items) == items
    else:
        with pytest.raises(PydanticCustomError, match="is repeated"):
            check_distinct(items)


@given(st.dates())
def test_dates_with_and_without_quotes(day: dt.date) -> None:
    assert date_text(day) == check_date(day.isoformat())


@pytest.mark.parametrize("text", ["", "20260131", "2026-W05-1", "2026-02-30", "31.01.2026"])
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(PydanticCustomError):
        check_date(text)


def test_a_moment_is_no_date() -> None:
    moment = dt.datetime(2026, 1, 31, tzinfo=dt.UTC)
    assert date_text(moment) is moment


@given(st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e300, 1e300) | st.text())
def test_scalars_are_kept_as_they_are(value: object) -> None:
    assert check_param(value) is value
    assert check_param([value, value]) == (value, value)


def faults(*splits: object, source: object = (), **more: object) -> list[tuple[str, str]]:
    document = {"split": list(splits), "source": source, **more}
    try:
        Recipe.model_validate(document)
    except ValidationError as error:
        tables = RecipeTables(document, [path for path, _ in worded(error)])
    found = reference_faults(tables, lambda _: None)
    return [(".".join(path), message) for path, message in found]


def split(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "rows": 1, **more}


def test_references_forwards_and_backwards() -> None:
    assert faults(split("a", seen_in="b"), split("b", overlap=["c", "a"]), split("c")) == []


def test_sources_without_a_name_have_the_generators() -> None:
    twice = [{"generator": "hint"}, {"generator": "scan", "name": "hint"}]
    assert faults(source=twice) == [
        ("source.1.name", "name='hint': expected a unique name; source.0 has it too")
    ]
    assert faults(source=[{"generator": "hint"}, {"generator": "hint", "name": "other"}]) == []


def test_a_table_with_a_fault_still_lends_its_name() -> None:
    broken = {"name": "test-ood", "rows": "many", "wheer": 3}
    assert faults(broken, split("train", overlap=["test-ood"], seen_in="test-ood")) == []


@pytest.mark.parametrize("odd", [3, "x", None, {"name": 3, "seen_in": 4, "overlap": "a"}, {}])
def test_wrong_types_are_left_to_the_schema(odd: object) -> None:
    assert faults(odd, split("a", overlap=[3, ""], seen_in="")) == []
    assert faults(split=odd, source=odd) == []


def test_name_of() -> None:
    assert name_of({"generator": "hint"}) == "hint"
    assert name_of({"generator": "hint", "name": "other"}) == "other"
    assert name_of({"generator": "hint", "name": 3}) is None
    assert name_of(3) is None


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
    assert refused.value.faults[0].path == "source.hint.spread"
    assert refused.value.faults[0].line == 4
    assert told in str(refused.value)


def test_it_cannot_stand_beside_draws_of(tmp_path: Path) -> None:
    twins = '[[source]]\nname = "b"\ngenerator = "hint"\ndraws_of = "hint"\nspread = ["n_op"]\n'
    with pytest.raises(RecipeError, match="spread: cannot be combined with draws_of"):
        load(tmp_path, "[]", twins)
