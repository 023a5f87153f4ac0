"""Shards that several calls make, and one call takes over."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.api import build
from synthgen.core.errors import OutputError, ParamError
from synthgen.dataset.staging import Staging
from synthgen.engine.build import BuildResult
from tests.building import SMALL, folder_digests, synthgen_process, write_recipe
from tests.engine.test_fresh import KilledError, stop_after


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("straight")
    return folder_digests(build(write_recipe(folder), folder / "out", workers=1).folder)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A recipe whose selection is in the folder `out`: eight shards, five of them of train."""
    recipe = write_recipe(tmp_path)
    build(recipe, tmp_path / "out", select_only=True, workers=1)
    return recipe


def make(recipe: Path, rank: int | None = None) -> BuildResult:
    world_size = None if rank is None else 3
    return build(recipe, recipe.parent / "out", workers=1, rank=rank, world_size=world_size)


def test_the_shards_of_all_ranks_are_taken_over(recipe: Path, straight: dict[str, str]) -> None:
    out = recipe.parent / "out"
    selected = folder_digests(out)
    for rank in range(3):
        assert make(recipe, rank).shards_kept == 0
    assert make(recipe, 0).shards_kept == 3
    assert {
        name: found for name, found in folder_digests(out).items() if name in selected
    } == selected
    assert make(recipe).shards_kept == 8
    assert folder_digests(out) == straight
    assert make(recipe, 1).was_there


def test_missing_and_damaged_shards_are_made_again(recipe: Path, straight: dict[str, str]) -> None:
    out = recipe.parent / "out"
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, 2)
        with pytest.raises(KilledError):
            make(recipe, 0)
    assert make(recipe, 0).shards_kept == 2
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, 2)
        with pytest.raises(KilledError):
            make(recipe, 1)
    one, _ = (out / ".synthgen-1-of-3/tree/data").iterdir()
    one.write_bytes(one.read_bytes()[:-1])
    assert make(recipe).shards_kept == 3 + 1
    assert folder_digests(out) == straight


@pytest.mark.parametrize("files", [1, 3, 6])
def test_a_killed_takeover_resumes(recipe: Path, straight: dict[str, str], files: int) -> None:
    for rank in range(2):
        make(recipe, rank)
    with pytest.MonkeyPatch.context() as patched:
        stop_after(patched, files)
        with pytest.raises(KilledError):
            make(recipe)
    assert make(recipe).shards_kept >= 6
    assert folder_digests(recipe.parent / "out") == straight


def test_shards_are_not_taken_from_a_rank_at_work(recipe: Path, straight: dict[str, str]) -> None:
    make(recipe, 0)
    at_work = Staging(recipe.parent / "out", ".synthgen-1-of-3")
    at_work.open()
    with pytest.raises(OutputError, match="is being built by another process"):
        make(recipe)
    with pytest.raises(OutputError, match="is being built by another process"):
        make(recipe, 1)
    make(recipe, 2)
    at_work.keep()
    make(recipe)
    assert folder_digests(recipe.parent / "out") == straight


def test_shards_of_another_recipe_are_not_taken_over(
    recipe: Path, straight: dict[str, str]
) -> None:
    make(recipe, 0)
    write_recipe(recipe.parent, SMALL.replace("seed = 3", "seed = 4"))
    with pytest.raises(OutputError, match=r"recipe\.seed: 3 -> 4"):
        make(recipe, 1)
    other = build(recipe, recipe.parent / "out", fresh=True, workers=1)
    assert other.shards_kept == 0
    assert folder_digests(other.folder).keys() == straight.keys()


def test_a_rank_needs_a_selection(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    with pytest.raises(OutputError, match="holds no selection of this recipe"):
        make(recipe, 0)
    assert not (tmp_path / "out").exists()


def test_other_files_in_the_folder_of_a_rank_are_kept(recipe: Path) -> None:
    make(recipe, 0)
    (recipe.parent / "out/.synthgen-0-of-3/notes.txt").touch()
    with pytest.raises(OutputError, match=r"files that synthgen did not write \(notes.txt\)"):
        make(recipe)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rank": 3, "world_size": 3}, "rank=3: expected an integer from 0 to 2"),
        ({"rank": -1, "world_size": 3}, "rank=-1: expected an integer from 0 to 2"),
        ({"rank": 0}, "world_size=None: expected the number of ranks"),
        ({"world_size": 2}, "rank=None: expected an integer from 0 to 1"),
        ({"rank": 0, "world_size": 2, "fresh": True}, "rank=0: expected none with fresh"),
    ],
)
def test_wrong_shares_are_refused(tmp_path: Path, options: dict[str, int], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        build(write_recipe(tmp_path), tmp_path / "out", **options)


@pytest.mark.slow
def test_the_command_line_says_what_is_left(recipe: Path) -> None:
    arguments = ("build", str(recipe), "--out", "out", "--workers", "1")
    ended = synthgen_process(*arguments, "--rank", "1", "--world-size", "3", cwd=recipe.parent)
    assert "rank 1 of 3 has made its shards; when all ranks have, run the same" in ended.stdout
    ended = synthgen_process(*arguments, cwd=recipe.parent)
    assert "resumed from 3 finished shards" in ended.stdout
