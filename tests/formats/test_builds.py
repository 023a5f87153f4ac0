"""Recipes with formats: splits by format, other formats of the same problems, and faults."""

import re
from dataclasses import fields
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from synthgen import verify
from synthgen.authoring import Words
from synthgen.core.errors import RecipeError
from synthgen.engine.preview import preview
from synthgen.engine.workers.local import LocalEngine
from synthgen.families import graph_paths
from synthgen.formats.formatted import VERSION, Format
from synthgen.recipe.fingerprint import canonical
from synthgen.training.scoring import score
from tests.building import (
    build_small,
    failed_checks,
    ids_of,
    plan_of,
    recipe_of,
    rows_of,
    source_of,
    split_of,
    write_recipe,
)
from tests.dataset.tiny import sign
from tests.formats.test_formats import EVERYTHING, WORDS

FORMAT = """
[render]
solution = "steps"
[render.format]
types = ["open", "fill_in", "choice", "select_all", "true_false"]
separators = ["colon_blank", "dash_blank", "tab"]
sentences = ["none", "fact_before"]
"""
SPLITS = (
    split_of("train", 300, "format_separator <> 'tab' AND format_type <> 'true_false'"),
    split_of("test", 60, "format_separator = 'tab'"),
    split_of("test_types", 60, "format_type = 'true_false'"),
)
WORDINGS = Words.beside(graph_paths.__file__)
BY_FORMAT = recipe_of(source_of("graph_paths"), *SPLITS, FORMAT)
SAME_PROBLEMS = recipe_of(
    source_of("graph_paths"),
    source_of(
        "graph_paths",
        more='name = "choice"\ndraws_of = "graph_paths"\n'
        'render = { format = { types = ["choice"] } }',
    ),
    split_of("train", 100),
    split_of("test", 50),
    split_of("test_choice", 50, more='variant = { of = "test", source = "choice" }'),
)


def test_splits_by_format_are_proven_from_the_files(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=BY_FORMAT).folder
    assert failed_checks(folder) == {}
    found = verify(folder, rebuild=20)
    assert found.ok, found.examples
    assert (found.rows, found.rebuilt) == (420, 60)
    rows = {split: rows_of(folder, split) for split in ("train", "test", "test_types")}
    assert {row["format_separator"] for row in rows["train"]} == {"colon_blank", "dash_blank"}
    assert {row["answer"] for row in rows["test_types"]} == {"True", "False"}
    assert all(
        row["prompt"].endswith(":\t") or row["prompt"].endswith("\t") for row in rows["test"]
    )


def test_a_column_that_its_prompt_does_not_show_is_found(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=BY_FORMAT).folder
    path = folder / "data/test-00000-of-00001.parquet"
    table = pq.read_table(path)
    place = table.schema.get_field_index("format_casing")
    turned = ["lower" if one == "upper" else "upper" for one in table["format_casing"].to_pylist()]
    pq.write_table(table.set_column(place, "format_casing", [turned]), path)
    sign(folder)
    found = verify(folder, rebuild=0)
    assert found.wrong == 60
    assert {row["why"] for row in found.examples} == {
        "the axes of its format are not what it shows"
    }


def test_ids_are_those_of_the_problems(tmp_path: Path) -> None:
    plain = recipe_of(source_of("graph_paths"), split_of("train", 200))
    own = build_small(tmp_path, "plain", text=plain).folder
    other = build_small(tmp_path, "other", text=plain + FORMAT).folder
    assert ids_of(own, "train") == ids_of(other, "train")
    assert {row["prompt"] for row in rows_of(own, "train")}.isdisjoint(
        row["prompt"] for row in rows_of(other, "train")
    )


def test_the_same_problems_in_another_format(tmp_path: Path) -> None:
    folder = build_small(tmp_path, text=SAME_PROBLEMS).folder
    assert failed_checks(folder) == {}
    assert verify(folder, rebuild=10).ok
    assert ids_of(folder, "test") == ids_of(folder, "test_choice")
    for plain, row in zip(rows_of(folder, "test"), rows_of(folder, "test_choice"), strict=True):
        assert WORDINGS.without_form(plain["prompt"]) in row["prompt"]
        assert f"({row['answer']}) {plain['answer']}" in row["prompt"]
        assert row["answer_type"] == "choice"
    labels = {
        row["id"]: f"It is {row['answer']}.\n({row['answer']})"
        for row in rows_of(folder, "test_choice")
    }
    scored = score(folder, labels, ["test_choice"]).splits["test_choice"]
    assert scored.accuracy
    assert scored.accuracy.mean == 1.0
    texts = {row["id"]: row["answer"] for row in rows_of(folder, "test")}
    scored = score(folder, texts, ["test_choice"]).splits["test_choice"]
    assert scored.accuracy
    assert scored.accuracy.mean == 0.0


@pytest.mark.parametrize(
    ("format_", "expected"),
    [
        (
            "spacing = ['blank']",
            "render.format.spacing: spacing=('blank',): expected one of the keys",
        ),
        (
            "spaces = ['bank']",
            "render.format.spaces: spaces=('bank',): expected a list of at least 1",
        ),
        ("options = 11", "render.format.options: options=11: expected an integer from 2 to 10"),
        (
            "separators = ['newline_tab']\nspaces = ['blank']",
            "render.format.spaces: spaces=('blank',)",
        ),
    ],
)
def test_faults_of_a_format_name_the_key(tmp_path: Path, format_: str, expected: str) -> None:
    text = recipe_of(source_of("graph_paths"), split_of("train", 10), "[render.format]\n", format_)
    with pytest.raises(RecipeError) as caught:
        plan_of(write_recipe(tmp_path, text))
    assert expected in str(caught.value)


@pytest.mark.parametrize("name", ["constraints", "skill_prompt"])
def test_a_plan_refuses_suggested_answers_where_answers_are_requirements(
    name: str, tmp_path: Path
) -> None:
    render = '[source.render.format]\ntypes = ["true_false"]\n'
    sources = source_of("graph_paths"), source_of(name, more=render)
    text = recipe_of(*sources, split_of("train", 10))
    line = text.splitlines().index('types = ["true_false"]') + 1
    with pytest.raises(RecipeError) as caught:
        plan_of(write_recipe(tmp_path, text))
    found = str(caught.value)
    assert (
        f":{line}: source.{name}.render.format.types: types=('true_false',): expected open" in found
    )
    assert f"as answers of {name} state what a text must satisfy" in found


def test_lists_of_prompts_exclude_formats(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("a\nb\n", encoding="utf-8")
    split = split_of("train", 2, more='members = "list.txt"')
    text = recipe_of(source_of("scan"), split, "[render.format]\n")
    with pytest.raises(RecipeError, match="cannot be combined with lists of prompts"):
        plan_of(write_recipe(tmp_path, text))


def test_only_recipes_with_formats_have_them_in_their_fingerprint(tmp_path: Path) -> None:
    plain = recipe_of(source_of("graph_paths"), split_of("train", 10))
    plan = plan_of(write_recipe(tmp_path, plain))
    assert "format" not in canonical(plan.recipe)["render"]
    assert "formats" not in plan.content
    other = plan_of(write_recipe(tmp_path, plain + "[render.format]\n", "other.toml"))
    assert canonical(other.recipe)["render"]["format"] == {}
    assert other.content["formats"] == VERSION
    assert other.fingerprint != plan.fingerprint


PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
RECIPES = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_recipes_of_the_page(number: int, tmp_path: Path) -> None:
    text = RECIPES[number] if number == 0 else recipe_of(RECIPES[number])
    plan = plan_of(write_recipe(tmp_path, text))
    with LocalEngine(1) as engine:
        shown = preview(plan, engine, 2, None)
    assert [len(rows) for rows in shown.values()] == [2, 2]


NAMES = {
    "symbol_templates": r"x[0-9]+",
    "pcfg": r"[A-Z][0-9]+",
    "skill_chain": r"func_[a-z]+",
    "sokoban": r"`([a-z]+)` \(",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_params_of_the_page_give_other_names(name: str, tmp_path: Path) -> None:
    rows = (line for line in PAGE.read_text("utf-8").splitlines() if f"| `{name}`" in line)
    row = next(line for line in rows if " = " in line)
    train, test = re.findall(r"\| `([^|]* = [^|]*)`", row)
    style = {"symbol_templates": 'prompt = "bare"', "skill_chain": 'prompt = "opaque"'}.get(
        name, ""
    )
    more = "name = '{}'\nparams = {{ {} }}"
    text = recipe_of(
        source_of(name, more=more.format("names", train)),
        source_of(name, more=more.format("others", test)),
        split_of("train", 30, "source = 'names'"),
        split_of("test", 30, "source = 'others'"),
        f"[render]\n{style}\n",
    )
    with LocalEngine(1) as engine:
        shown = preview(plan_of(write_recipe(tmp_path, text)), engine, 30, None)
    used = [
        {found for made in of_split for found in re.findall(NAMES[name], made["prompt"])}
        for of_split in shown.values()
    ]
    assert all(len(names) > 8 for names in used)
    assert used[0].isdisjoint(used[1])


def test_the_page_names_every_key_and_value() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for field in fields(Format):
        (row,) = (one for one in text.splitlines() if one.startswith(f"| `{field.name}` |"))
        for name in WORDS[field.name] if field.name in EVERYTHING else ():
            assert f"`{name}`" in row, name
