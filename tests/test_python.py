"""The Python API: every example of its docstrings and of docs/python.md."""

from __future__ import annotations

import doctest
import tomllib
from pathlib import Path

import pytest

import synthgen
from synthgen import api
from synthgen.core.errors import ParamError, RecipeError
from synthgen.recipe.written import recipe_text

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run(text: str, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(text, names, "example", None, None)
    assert test.examples
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(test)
    assert result.failed == 0


@pytest.mark.parametrize(
    "name", [name for name in synthgen.__all__ if hasattr(api, name) and name != "SynthgenError"]
)
def test_the_example_of_each_function(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run(getattr(api, name).__doc__, dict(vars(api)))


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(PAGE.read_text(encoding="utf-8").replace("```", ""), {})


def test_a_recipe_as_a_mapping_is_the_file() -> None:
    text = (
        'name = "few"\nseed = 7\n\n[[source]]\ngenerator = "hint"\n'
        'params = { max_operators = 4, "odd key" = "a\\"b" }\n\n[output]\nrow_group = 10\n'
    )
    recipe = {
        "name": "few",
        "seed": 7,
        "description": None,
        "output": {"row_group": 10},
        "source": [{"generator": "hint", "params": {"max_operators": 4, "odd key": 'a"b'}}],
    }
    assert tomllib.loads(recipe_text(recipe)) == tomllib.loads(text)
    with pytest.raises(ParamError, match=r"output\.row_group=inf"):
        recipe_text({"output": {"row_group": float("inf")}})


def test_faults_of_a_mapping_are_those_of_a_file() -> None:
    with pytest.raises(RecipeError, match=r"source\.0\.generator.*did you mean 'hint'"):
        synthgen.generate("hitn", 3)
    with pytest.raises(RecipeError, match="n_opp"):
        synthgen.generate("hint", 3, "n_opp = 2")


def test_the_names_are_listed() -> None:
    assert {"build", "generate", "audit"} <= {*dir(synthgen)}
    assert synthgen.audit.__name__ == "synthgen.audit"
