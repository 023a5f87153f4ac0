"""Rows without files: those of a build made when they are read, and those without end."""

from __future__ import annotations

import json
import pickle
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import synthgen
from synthgen.core.errors import ParamError, RecipeError, UnknownNameError
from tests.building import PAIRS, PARTS, SMALL, build_small, recipe_of, source_of, split_of

MIXED = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    source_of("string_systems"),
    split_of("train", 300),
    split_of("validation", 60),
)
TWO = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    source_of("string_systems"),
    split_of("train", 400, "source = 'string_systems' OR n_op > 1"),
    split_of("validation", 100, "source = 'string_systems' OR n_op > 1"),
    split_of("test", 100, "n_op > 3"),
)


def addresses(order: Any) -> set[tuple[str, int]]:
    """Return source and address of the rows of 20 batches."""
    return {(row["source"], row["address"]) for batch in islice(order, 20) for row in batch}


def write(folder: Path, text: str) -> Path:
    file = folder / "recipe.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "text", [SMALL, PARTS, PAIRS, MIXED], ids=["small", "parts", "pairs", "two"]
)
def test_rows_are_those_of_a_build(tmp_path: Path, text: str) -> None:
    built = synthgen.open(build_small(tmp_path, text=text).folder)
    made = synthgen.rows(write(tmp_path, text), workers=1)
    assert repr(made) == repr(built)
    for name, view in built.items():
        whole = view.to_arrow()
        assert made[name].to_arrow().equals(whole)
        places = np.random.default_rng(1).permutation(len(view))[:50]
        assert made[name].take(places).equals(whole.take(pa.array(places)))
        assert pickle.loads(pickle.dumps(made[name]))[-1] == view[-1]  # noqa: S301


def test_rows_can_be_filtered_and_streamed(tmp_path: Path) -> None:
    recipe = write(tmp_path, SMALL)
    built = synthgen.open(build_small(tmp_path, text=SMALL).folder)["train"]
    train = synthgen.rows(recipe, workers=1)["train"].select("prompt").where("n_op = 4")
    assert train[:] == built.select("prompt").where("n_op = 4")[:]
    order = synthgen.stream(train, batch=50, form="dicts", seed=4)
    first = list(islice(order, 2))
    state = json.loads(json.dumps(order.state_dict()))
    rest = list(order)
    prompts = [row["prompt"] for batch in first + rest for row in batch]
    assert sorted(prompts) == sorted(row["prompt"] for row in train)
    same = synthgen.rows(recipe, workers=1)["train"].select("prompt").where("n_op = 4")
    again = synthgen.stream(same, batch=50, form="dicts", seed=4)
    again.load_state_dict(state)
    assert list(again) == rest
    files = synthgen.stream(built.select("prompt").where("n_op = 4"), batch=50, seed=4)
    with pytest.raises(ParamError, match="by address"):
        files.load_state_dict(state)  # the row groups of files are others


@pytest.mark.parametrize("call", [synthgen.rows, synthgen.endless])
def test_sweeps_are_refused(call: Any) -> None:
    with pytest.raises(RecipeError, match="sweep: expected a recipe of one dataset"):
        call("rewrite-diversity-sweep")


def test_endless_rows_are_of_no_other_split(tmp_path: Path) -> None:
    recipe = write(tmp_path, TWO)
    others = {
        key
        for name, view in synthgen.rows(recipe, workers=1).items()
        if name != "train"
        for key in view.column("id").to_pylist()
    }
    tables = list(islice(synthgen.endless(recipe, batch=500), 60))
    assert {table.num_rows for table in tables} == {500}
    found = pa.concat_tables(tables)
    assert not others & {*found["id"].to_pylist()}
    assert found.schema.equals(synthgen.rows(recipe, workers=1)["train"].schema)
    assert {*found.slice(0, 500)["source"].to_pylist()} == {"hint", "string_systems"}
    held_back = synthgen.endless(recipe, "validation", batch=500)
    assert not {*next(held_back)["id"].to_pylist()} & {*found["id"].to_pylist()}


def test_endless_rows_resume_and_are_divided_among_ranks(tmp_path: Path) -> None:
    recipe = write(tmp_path, TWO)

    def stream(**options: Any) -> Any:
        return synthgen.endless(recipe, batch=300, form="dicts", **options)

    order = stream(rank=1, world_size=3)
    list(islice(order, 17))
    state = json.loads(json.dumps(order.state_dict()))
    rest = list(islice(order, 20))
    again = stream(rank=1, world_size=3)
    again.load_state_dict(state)
    assert list(islice(again, 20)) == rest
    ranks = [addresses(stream(rank=rank, world_size=3)) for rank in range(3)]
    assert all(len(one) == 6000 for one in ranks)
    assert len(set().union(*ranks)) == 18_000
    with pytest.raises(ParamError, match="world_size=3: expected 2, as here"):
        stream(rank=1, world_size=2).load_state_dict(state)
    with pytest.raises(ParamError, match="fingerprint"):
        stream(rank=1, world_size=3, seed=9).load_state_dict(state)
    later = stream(rank=1, world_size=2)
    later.at(state["block"] + 3)
    assert later.block >= state["block"] + 3
    assert later.block % 2 == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (recipe_of(source_of("scan"), split_of("train", 50)), "only 20,910 addresses"),
        (PAIRS, "variant"),
        (SMALL + '[dedup]\non = "prompt"\n', "may have the same prompt"),
    ],
)
def test_splits_that_depend_on_a_selection_are_refused(
    tmp_path: Path, text: str, reason: str
) -> None:
    recipe = write(tmp_path, text)
    with pytest.raises(RecipeError, match=rf"recipe.toml:\d+: split.train: .* endless: .*{reason}"):
        synthgen.endless(recipe)


def test_endless_names_the_splits(tmp_path: Path) -> None:
    recipe = write(tmp_path, SMALL)
    with pytest.raises(UnknownNameError, match="did you mean 'train'"):
        synthgen.endless(recipe, "trian")
    with pytest.raises(RecipeError, match="its problems are those of 'train'"):
        synthgen.endless(recipe, "test_i")
