from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError, UnknownNameError
from synthgen.recipe import bundled
from synthgen.recipe.bundled import bundled_about, bundled_names, find_recipe


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source checkout with two recipes, as the current folder."""
    (tmp_path / "recipes").mkdir()
    for name in ("scan.toml", "hint.toml", "notes.md"):
        (tmp_path / "recipes" / name).touch()
    (tmp_path / "synthgen").mkdir()
    monkeypatch.setattr(bundled, "_PACKAGE", tmp_path / "synthgen")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_names_of_a_source_checkout(checkout: Path) -> None:
    assert bundled_names() == ["hint", "scan"]
    assert find_recipe("hint") == checkout / "recipes" / "hint.toml"


def test_an_installed_package_has_its_own_folder(checkout: Path) -> None:
    inside = checkout / "synthgen" / "bundled"
    inside.mkdir()
    (inside / "pcfg.toml").touch()
    assert bundled_names() == ["pcfg"]
    assert find_recipe("pcfg") == inside / "pcfg.toml"


def test_a_file_wins_over_a_name(checkout: Path) -> None:
    (checkout / "hint").touch()
    assert find_recipe("hint") == Path("hint")
    (checkout / "mine.toml").touch()
    assert find_recipe(checkout / "mine.toml") == checkout / "mine.toml"


def test_a_folder_of_the_same_name_is_no_recipe(checkout: Path) -> None:
    (checkout / "scan").mkdir()
    assert find_recipe("scan") == checkout / "recipes" / "scan.toml"


def test_no_folder_means_no_names(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "_PACKAGE", checkout / "elsewhere" / "synthgen")
    assert bundled_names() == []


def test_an_unknown_name_proposes_the_nearest(checkout: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown recipe 'hnit'; did you mean 'hint'"):
        find_recipe("hnit")
    with pytest.raises(UnknownNameError):
        find_recipe("x" * 5000)


@pytest.mark.parametrize("path", ["no/such", "mine.toml", "../such", "/no/such", "", ".."])
def test_a_path_that_does_not_exist(checkout: Path, path: str) -> None:
    with pytest.raises(RecipeError) as caught:
        find_recipe(path)
    (fault,) = caught.value.faults
    assert fault.message == "no such file"
    assert fault.line is None
    assert caught.value.file == path


def test_a_bundled_file_name_proposes_the_name(checkout: Path) -> None:
    for path in ("hint.toml", "no/hint"):
        with pytest.raises(
            RecipeError, match=r"no such file; did you mean the bundled recipe 'hint'\?"
        ):
            find_recipe(path)


def test_every_recipe_says_what_it_is() -> None:
    summaries = {name: bundled_about(name).summary for name in bundled_names()}
    assert all(summary.endswith(".") and "\n" not in summary for summary in summaries.values())
    assert len(set(summaries.values())) == len(summaries)
