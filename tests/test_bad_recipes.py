"""Broken recipes and hostile values end in exit code 2, with all faults at their lines."""

import json
import math
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synthgen.contract.interfaces import Generator
from synthgen.contract.registry import generator_class, generator_names
from synthgen.core.errors import ParamError, RecipeError, SynthgenError, UnknownNameError
from synthgen.engine.build import build
from synthgen.engine.plan.plan import make_plan
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.loader import load_recipe, read_recipe
from tests.building import plan_of, synthgen, write_recipe

FOLDER = Path(__file__).parent / "recipes" / "bad"
EXPECT = re.compile(rb"^# expect: (-|\d+): (.+)$", re.MULTILINE)
RECIPES = sorted(FOLDER.glob("*.toml"))


def expected(path: Path) -> list[tuple[int | None, str]]:
    found = EXPECT.findall(path.read_bytes())
    return [(None if line == b"-" else int(line), text.decode()) for line, text in found]


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_all_faults_are_shown_and_no_folder_is_left(path: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError) as caught, LocalEngine(1) as engine:
        build(make_plan(read_recipe(path)), tmp_path / "out", engine, Phases())
    faults = list(caught.value.faults)
    assert expected(path)
    for line, text in expected(path):
        match = [fault for fault in faults if fault.line == line and text in fault.message]
        assert match, f"no fault at {line} with {text!r}: {faults}"
        faults.remove(match[0])
    assert faults == []
    assert caught.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["sem_with_schema_faults", "sem_rows_too_many", "sem_where_contradiction"]
)
def test_the_command_line_shows_file_and_line(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.toml"
    ended = synthgen("build", str(path), cwd=tmp_path)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    for line, text in expected(path):
        assert re.search(rf"{name}\.toml:{line}: .*{re.escape(text)}", ended.stderr), ended.stderr
    assert not (tmp_path / "outputs").exists()


PARAMS = ("x", "", -1, 10**30, 1.5, math.nan, math.inf, True, (), ("x",), (True,), ("", ""), (1.5,))


@pytest.mark.parametrize("name", generator_names())
def test_params_of_a_wrong_kind_are_named(name: str) -> None:
    kind = generator_class(name)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    refused = [fault for each in names for value in PARAMS if (fault := refusal(kind, each, value))]
    assert len(refused) >= len(names)
    assert {error.name for error in refused if isinstance(error, ParamError)} <= set(names)


def refusal(kind: type[Generator], name: str, value: object) -> SynthgenError | None:
    try:
        kind(**{name: value})
    except (ParamError, UnknownNameError) as error:
        return error
    return None


def test_unknown_names_in_params_are_found_by_their_place(tmp_path: Path) -> None:
    text = """
name = "odd"
[[source]]
generator = "skill_chain"
params = { atoms = ["x"] }
[[split]]
name = "train"
rows = 100
"""
    with pytest.raises(RecipeError, match=r":5: source\.skill_chain\.params: unknown atom 'x'"):
        plan_of(write_recipe(tmp_path, text))


KINDS = ("x", "", -1, 10**30, 1.5, True, [], ["x"], [["a"]], [{}], {}, {"a": [1]}, [1, [2]])
DOCUMENT: dict[str, Any] = {
    "name": "small",
    "seed": 3,
    "source": [
        {"name": "a", "generator": "hint", "params": {"max_operators": 4}, "spread": ["n_op"]},
        {"name": "b", "generator": "hint", "draws_of": "a", "files": {"digits": "x.txt"}},
    ],
    "axis": [{"name": "held", "structures": "edges", "of": ["+ 1"], "pick": 1, "count": "kinds"}],
    "split": [
        {
            "name": "train",
            "rows": 10,
            "where": "n_op > 1",
            "overlap": ["test"],
            "balance": ["n_op"],
        },
        {
            "name": "test",
            "rows": 10,
            "seen_in": "train",
            "members": "list.txt",
            "measure": ["n_op"],
        },
        {"name": "other", "rows": 10, "variant": {"of": "train", "source": "b"}, "cap": {}},
        {"name": "parted", "rows": 10, "parts": [{"where": "n_op > 1", "rows": 10, "distinct": 5}]},
        {
            "name": "steered",
            "rows": 10,
            "unseen": {"of": "train", "axes": ["n_op"]},
            "shares": {"law": "zipf", "ratio": 0.5},
            "diverse": {"structures": "edges"},
            "cover": [{"axes": ["n_op"], "strength": 2, "of": [[1]], "symbols": ["+"]}],
            "order": {"by": "turns", "axis": "n_op", "of": [[1, 2]], "first": 0.1, "end": 0.2},
        },
    ],
    "divergence": {"train": ["train"], "test": ["test"], "compounds": "ngrams", "ngram": [2]},
    "assign": {"by": ["n_op"]},
    "dedup": {"on": "canonical"},
    "render": {"prompt": "bare", "solution": "none"},
    "limits": {"acceptance_floor": 0.1, "shortfall": "error"},
    "output": {"rows_per_shard": 100, "row_group": 100},
    "card": {"title": "x", "date": "2026-01-31"},
    "run": {"workers": 1},
}
Place = tuple[str | int, ...]


def places(value: Any, above: Place = ()) -> Iterator[Place]:
    if above:
        yield above
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*above, key))


def changed(document: Any, place: Place, value: Any) -> Any:
    found = deepcopy(document)
    table = found
    for key in place[:-1]:
        table = table[key]
    table[place[-1]] = value
    return found


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, list) else json.dumps(value)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from([*places(DOCUMENT)]), value=st.sampled_from(KINDS))
def test_a_value_of_any_kind_anywhere_gives_faults(
    place: Place, value: object, tmp_path: Path
) -> None:
    document = changed(DOCUMENT, place, value)
    text = "".join(f"{key} = {toml(item)}\n" for key, item in document.items())
    with pytest.raises(RecipeError) as caught:
        load_recipe(write_recipe(tmp_path, text))
    assert all(fault.message for fault in caught.value.faults)
