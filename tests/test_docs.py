"""What the pages show runs: recipes, splits, the Python API, training, export and score."""

import doctest
import importlib
import re
import shlex
import tomllib
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import synthgen
from synthgen import api
from synthgen.api import verify
from synthgen.core.errors import ParamError, RecipeError
from synthgen.recipe.written import recipe_text
from synthgen.training.mixture import rising
from synthgen.training.schedulers import Fixed, Window
from tests.building import build_small, failed_checks, recipe_of, rows_of, source_of, split_of
from tests.building import synthgen as command

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


def test_the_page_about_other_data() -> None:
    text = PAGE.with_name("compare.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    run("".join(code), {})


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
    with pytest.raises(RecipeError, match=r"source\.hitn\.generator.*did you mean 'hint'"):
        synthgen.generate("hitn", 3)
    with pytest.raises(RecipeError, match="n_opp"):
        synthgen.generate("hint", 3, "n_opp = 2")


def test_the_names_are_listed() -> None:
    assert {"build", "generate", "audit"} <= {*dir(synthgen)}
    assert synthgen.audit is importlib.import_module("synthgen.api").audit


DOC = (Path(__file__).parents[1] / "docs" / "recipes.md").read_text(encoding="utf-8")
RECIPES = {
    text.split('"')[1]: text for text in re.findall(r"```toml\n(name = .*?)```", DOC, re.DOTALL)
}
FILES = dict(re.findall(r"`([\w.]+)`:\n+```\n(.*?)```", DOC, re.DOTALL))


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_recipe_keeps_its_promises(name: str, tmp_path: Path) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    folder = build_small(tmp_path, text=RECIPES[name]).folder
    assert failed_checks(folder) == {}
    if name == "mixture":
        rows = rows_of(folder, "train")
        assert Counter(row["source"] for row in rows) == {
            "hint": 1350,
            "scan": 675,
            "numbertheory_qr_sum": 675,
        }
        assert {row["source"] for row in rows if row["solution"]} == {"numbertheory_qr_sum"}
        assert verify(folder).ok
    if name == "listed":
        listed = FILES["train.txt"].splitlines()
        assert sorted(row["prompt"] for row in rows_of(folder, "train")) == sorted(listed)


def test_there_are_five_recipes_two_with_files_of_the_users() -> None:
    assert set(RECIPES) == {"by-length", "mixture", "unseen-pairs", "listed", "own-skills"}
    assert set(FILES) == {"train.txt", "skills.csv", "topics.txt"}


SPLITS = Path(__file__).parents[1] / "docs" / "splits.md"
OF_SPLITS = {
    text.split('"')[1]: text
    for text in re.findall(
        r"```toml\n(name = .*?)```", SPLITS.read_text(encoding="utf-8"), re.DOTALL
    )
}


@pytest.mark.parametrize("name", OF_SPLITS)
def test_recipe_of_splits_keeps_its_promises(name: str, tmp_path: Path) -> None:
    assert failed_checks(build_small(tmp_path, text=OF_SPLITS[name]).folder) == {}


def test_there_is_one_for_every_kind() -> None:
    assert len(OF_SPLITS) == 11


TRAINING = Path(__file__).parents[1] / "docs" / "training.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", TRAINING.read_text(encoding="utf-8"), re.DOTALL)
RECIPE = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100, level = true"),
    split_of("train", 3000),
    "[output]\nrows_per_shard = 700\nrow_group = 250\n",
)


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("top")
    build_small(folder, "outputs/hint", text=RECIPE)
    return folder


@pytest.mark.parametrize("function", [synthgen.stream, synthgen.cells, rising, Fixed, Window])
def test_examples_of_functions_run(
    top: Path, monkeypatch: pytest.MonkeyPatch, function: Any
) -> None:
    monkeypatch.chdir(top)
    (found,) = doctest.DocTestFinder(recurse=False).find(function, function.__name__)
    assert doctest.DocTestRunner().run(found) == (0, len(found.examples))
    assert found.examples


def test_examples_of_the_page_run(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(top)
    names: dict[str, Any] = {}
    for example in EXAMPLES:
        if "torch" not in example or find_spec("torch"):
            exec(example, names)  # noqa: S102  # the page is ours
    assert len(names["train"]) == 3000
    assert len(EXAMPLES) == 14
    assert len(names["group"]) == 8
    assert names["scheduler"].drawn == 80
    assert sum(map(len, synthgen.stream(names["rising_order"].sources, form="dicts"))) == 3000


DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["export.md", "score.md"])
def test_the_page_of_predictions(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    shown = ""
    for kind, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if kind == "python":
            test = doctest.DocTestParser().get_doctest(text, names, page, None, None)
            assert test.examples
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names = test.globs
        elif kind == "bash":
            for line in text.splitlines():
                ended = command(*shlex.split(line)[1:])
                assert ended.returncode == 0, ended.stderr
                shown = ended.stdout
        elif text.startswith(" split"):
            assert [line.split() for line in text.splitlines()] == [
                line.split() for line in shown.splitlines()
            ]
