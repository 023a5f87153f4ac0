"""Datasets at a URL, in fsspec's store in memory; `test_s3.py` has a real one."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

import synthgen
from synthgen.core.errors import (
    ChangedError,
    DatasetError,
    OutputError,
    ParamError,
    ShortfallError,
    VerificationError,
)
from synthgen.dataset import remote
from synthgen.dataset.places import Place
from synthgen.dataset.remote import staging_at
from tests.building import TWO_SPLITS, folder_digests, write_recipe
from tests.building import synthgen as command

OTHER = TWO_SPLITS.replace("seed = 3", "seed = 4").replace("rows = 400", "rows = 390")
SHARD = "data/train-00001-of-00004.parquet"


class KilledError(BaseException):
    """Stands for a kill."""


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("recipe"), TWO_SPLITS)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("other"), OTHER)


@pytest.fixture(scope="module")
def whole(recipe: Path) -> dict[str, bytes]:
    """The files of the same build in a folder."""
    return files_of(Path(synthgen.build(recipe, recipe.with_name("out"), workers=1).folder))


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A place in the store; whatever a test does, nothing is left on this machine."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    monkeypatch.setattr(remote, "BEAT", 0.05)
    fsspec.filesystem("memory").store.clear()
    yield f"memory://{tmp_path.name}/set"
    assert not [*(tmp_path / "scratch").iterdir()]


def files_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in folder_digests(folder)}


def stored(url: str) -> dict[str, bytes]:
    place = Place.from_path(url)
    return {name: place.read(name) or b"" for name in place.objects()}


def store(url: str, name: str, content: bytes) -> None:
    fsspec.filesystem("memory").pipe_file(f"{url}/{name}", content)


def build(recipe: Path, url: str, **more: Any) -> Any:
    return synthgen.build(recipe, url, workers=1, **more)


def at_put(patched: pytest.MonkeyPatch, act: Callable[[int, str], None]) -> None:
    """Act before each upload, knowing its number and name."""
    put, count = MemoryFileSystem.put_file, [0]

    def counted(system: MemoryFileSystem, path: str, name: str, **more: Any) -> None:
        if not name.endswith("/lock"):  # these come when they come
            act(count[0], name)
            count[0] += 1
        put(system, path, name, **more)

    patched.setattr(MemoryFileSystem, "put_file", counted)


def interrupt(recipe: Path, url: str, at: int | str, **more: Any) -> bool:
    """Build, but be killed before an upload, by number or name; return whether there was one."""

    def act(count: int, name: str) -> None:
        if count == at or (isinstance(at, str) and name.endswith(at)):
            raise KilledError

    with pytest.MonkeyPatch.context() as patched:
        at_put(patched, act)
        try:
            build(recipe, url, **more)
        except KilledError:
            return True
    return False


def test_a_url_has_the_bytes_of_a_folder(recipe: Path, url: str, whole: dict[str, bytes]) -> None:
    built = build(recipe, f"{url}/")
    assert built.folder == f"{url}/"
    assert stored(url) == whole
    assert build(recipe, url).was_there
    assert str(build(recipe, url).manifest.totals.rows) in repr(built)


def test_a_url_is_read_as_a_folder_is(recipe: Path, url: str, tmp_path: Path) -> None:
    build(recipe, url)
    folder = recipe.with_name("out")
    assert list(synthgen.open(url)["test"]) == list(synthgen.open(folder)["test"])
    assert synthgen.verify(url, seed=1) == synthgen.verify(folder, seed=1)
    assert synthgen.audit(url).to_dict() == synthgen.audit(folder).to_dict()
    for place in (url, folder):
        synthgen.export(place, "sft", tmp_path / "sft" / Path(place).name, ["test"])
    assert files_of(tmp_path / "sft" / "set") == files_of(tmp_path / "sft" / "out")
    assert synthgen.score(url, {}).splits["train"].rows == 400
    assert Path(*synthgen.export(url, "jsonl", splits=["test"])).parts[:2] == ("export", "set")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_command_line_takes_urls(recipe: Path, url: str) -> None:
    told = command("build", str(recipe), "--out", url)
    assert told.returncode == 0
    assert f"folder: {url}\n" in told.stdout
    assert f"synthgen.open('{url}')" in told.stdout
    assert f"already built: {url}" in command("build", str(recipe), "--out", url).stdout
    assert command("verify", url).returncode == 0
    audited = command("audit", url)
    assert audited.returncode == 0
    assert f"report: {url}/audit/report.html" in audited.stdout
    assert json.loads(stored(url)["audit/report.json"])["ok"]
    assert command("audit", url, "--json").returncode == 0  # the report is no stray file
    assert command("export", url, "--format", "verl").returncode == 0


def test_nothing_is_installed_for_a_store(recipe: Path, tmp_path: Path) -> None:
    told = command("build", str(recipe), "--out", "nosuch://bucket/x")
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert "nosuch://bucket/x: cannot be read: Protocol not known: nosuch" in told.stderr


def test_a_build_killed_anywhere_is_resumed(
    recipe: Path, url: str, whole: dict[str, bytes]
) -> None:
    number = 0
    while interrupt(recipe, url, number):
        names = stored(url)
        assert "manifest.json" not in names
        assert {name: names[name] for name in names if name in whole}.items() <= whole.items()
        with pytest.raises(DatasetError, match=r"manifest\.json: cannot be read"):
            synthgen.open(url)
        number += 1
    assert number > 5
    assert stored(url) == whole


def test_finished_shards_are_kept_if_they_are_as_recorded(
    recipe: Path, url: str, whole: dict[str, bytes]
) -> None:
    assert interrupt(recipe, url, "/recipe.toml")
    assert {SHARD, "selection/train.members"} <= stored(url).keys()
    store(url, SHARD, whole[SHARD][:-1])
    store(url, "selection/test.members", whole["selection/train.members"])
    store(url, ".synthgen/done/data/test-00000-of-00001.parquet.json", b'{"record": {}, "tag": 1')
    built = build(recipe, url)
    assert stored(url) == whole
    assert built.shards_kept == 3


def test_another_recipe_is_refused_and_fresh_replaces(
    recipe: Path, other: Path, url: str, whole: dict[str, bytes]
) -> None:
    assert interrupt(other, url, SHARD)
    with pytest.raises(OutputError, match=f"{url} holds another build, which differs in\n"):
        build(recipe, url)
    assert build(other, url).manifest.totals.rows == 490
    with pytest.raises(OutputError, match="holds another build"):
        build(recipe, url)
    store(url, "audit/report.json", b"{}")
    store(url, "data/old-00000-of-00001.parquet", b"an orphan")
    assert synthgen.verify(url).files == ["data/old-00000-of-00001.parquet: not in the manifest"]
    assert interrupt(recipe, url, "/recipe.toml", fresh=True)
    assert "manifest.json" not in stored(url)
    assert build(recipe, url, fresh=True).shards_kept == 5
    assert stored(url) == whole


@pytest.mark.parametrize("fresh", [True, False])
def test_a_dataset_that_cannot_be_removed_at_once_is_removed_later(
    recipe: Path,
    other: Path,
    url: str,
    whole: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    fresh: bool,
) -> None:
    if fresh:
        build(other, url)
    else:
        assert interrupt(other, url, "/manifest.json")
    remove = MemoryFileSystem.rm_file

    def fail(system: MemoryFileSystem, path: str) -> None:
        if path.endswith(SHARD):
            raise PermissionError(path)
        remove(system, path)

    with monkeypatch.context() as patched:
        patched.setattr(MemoryFileSystem, "rm_file", fail)
        with pytest.raises(OutputError, match=f"{SHARD}: cannot be removed"):
            build(recipe, url, fresh=True)
    with pytest.raises(DatasetError):
        synthgen.open(url)
    build(recipe, url)
    assert stored(url) == whole


@pytest.mark.parametrize("name", ["notes.txt", "data/mine.bin", ".synthgen/mine", "selection/a/b"])
@pytest.mark.parametrize("built", [True, False])
def test_what_synthgen_did_not_write_is_never_replaced(
    recipe: Path, url: str, name: str, *, built: bool
) -> None:
    if built:
        build(recipe, url)
    store(url, name, b"mine")
    before = stored(url)
    ours = built or name.startswith(".synthgen")
    expected = "holds files that synthgen did not write" if ours else "not a synthgen dataset"
    for fresh in (False, True):
        with pytest.raises(OutputError, match=expected):
            build(recipe, url, fresh=fresh)
    assert stored(url) == before


def test_a_manifest_of_others_is_never_replaced(recipe: Path, url: str) -> None:
    store(url, "manifest.json", b"{}")
    with pytest.raises(OutputError, match="is not replaced; name another URL"):
        build(recipe, url, fresh=True)


def test_a_manifest_of_which_a_part_has_arrived_is_uploaded_again(
    recipe: Path, other: Path, url: str, whole: dict[str, bytes]
) -> None:
    assert interrupt(recipe, url, "/manifest.json")
    store(url, "manifest.json", whole["manifest.json"][:1000])
    with pytest.raises(DatasetError, match=r"manifest\.json"):
        synthgen.open(url)
    with pytest.raises(DatasetError, match=r"manifest\.json"):
        build(other, url)
    build(recipe, url)
    assert stored(url) == whole


def test_data_is_added_to_a_selection(recipe: Path, url: str, whole: dict[str, bytes]) -> None:
    selected = build(recipe, url, select_only=True)
    assert not selected.manifest.has_data
    assert "verified from their addresses" in synthgen.verify(url).notes[0]
    rows = list(synthgen.open(url)["train"])
    assert interrupt(recipe, url, SHARD)
    assert list(synthgen.open(url)["train"]) == rows  # the manifest is still that of the selection
    assert not build(recipe, url).was_there
    assert stored(url) == whole


def test_a_sweep_has_a_place_for_each_point(tmp_path: Path, url: str) -> None:
    recipe = write_recipe(
        tmp_path, f"{TWO_SPLITS}[sweep]\nover.split.train.rows = [20, 60]\nsame = []\n"
    )
    names = []
    synthgen.build(
        recipe, url, workers=1, each=lambda name, result: names.append((name, result.folder))
    )
    assert names == [(name, f"{url}/{name}") for name in ("rows-20", "rows-60")]


def test_a_build_that_cannot_be_leaves_nothing(tmp_path: Path, url: str) -> None:
    recipe = write_recipe(tmp_path, TWO_SPLITS.replace("n_op <= 2", "n_op = 0"))
    with pytest.raises(ShortfallError):
        build(recipe, url)
    assert stored(url) == {}


def test_a_wrong_row_leaves_nothing(recipe: Path, url: str) -> None:
    def refuse(count: int, name: str) -> None:
        if name.endswith(SHARD):
            raise VerificationError

    with pytest.MonkeyPatch.context() as patched:
        at_put(patched, refuse)
        with pytest.raises(VerificationError):
            build(recipe, url)
    assert stored(url) == {}


def test_errors_name_the_object(recipe: Path, url: str, whole: dict[str, bytes]) -> None:
    def fail(count: int, name: str) -> None:
        if name.endswith(SHARD):
            raise StoreError

    class StoreError(Exception):
        """An error of a store's own library."""

    with pytest.MonkeyPatch.context() as patched:
        at_put(patched, fail)
        told = command("build", str(recipe), "--out", url)
    assert told.returncode == 2
    expected = f"{url}/{SHARD}: cannot be written: StoreError; run the same command to resume\n"
    assert told.stderr.endswith(expected)
    build(recipe, url)
    store(url, SHARD, whole[SHARD][:99] + b"x" + whole[SHARD][100:])
    told = command("verify", url)
    assert told.returncode == 1
    assert f"{SHARD}: changed since it was built" in told.stdout
    store(url, SHARD, b"")
    with pytest.raises(ChangedError, match=f"{url}/{SHARD}: bytes=0: expected"):
        synthgen.verify(url)
    told = command("export", url, "--format", "verl")
    assert f"{url}/{SHARD}: bytes=0" in told.stderr


def test_a_url_in_a_path_is_refused(recipe: Path, tmp_path: Path) -> None:
    for use in (lambda path: build(recipe, path), synthgen.open, synthgen.verify):
        with pytest.raises(ParamError, match="path='memory:/x/y': expected a URL as a text"):
            use(Path("memory://x/y"))
    assert not [*tmp_path.iterdir()]


def test_a_name_that_leads_out_of_the_folder_is_refused(recipe: Path, url: str) -> None:
    build(recipe, url)
    files = fsspec.filesystem("memory").store
    files[f"{url.removeprefix('memory:/')}/../../out"] = next(iter(files.values()))
    with pytest.raises(DatasetError, match="not a name of a file"):
        synthgen.audit(url)


# Builds at the same time.


def lock(url: str, holder: str, beats: int) -> None:
    store(url, ".synthgen/lock", json.dumps({"holder": holder, "beats": beats}).encode())


def test_a_build_that_lives_is_left_alone(recipe: Path, url: str) -> None:
    ended = threading.Event()

    def beat() -> None:
        beats = 0
        while not ended.wait(0.02):
            lock(url, "another machine", beats := beats + 1)

    lock(url, "another machine", 0)
    holder = threading.Thread(target=beat)
    holder.start()
    try:
        with pytest.raises(OutputError, match=f"{url} is being built by another process"):
            build(recipe, url)
    finally:
        ended.set()
        holder.join()
    assert stored(url).keys() == {".synthgen/lock"}


def test_a_build_that_is_dead_is_taken_over(
    recipe: Path, url: str, whole: dict[str, bytes]
) -> None:
    assert interrupt(recipe, url, "/recipe.toml")
    lock(url, "another machine", 3)
    assert build(recipe, url).shards_kept
    assert stored(url) == whole


def test_of_two_builds_on_a_machine_one_is_refused(recipe: Path, url: str) -> None:
    def second(count: int, name: str) -> None:
        if name.endswith(SHARD):
            with pytest.raises(OutputError, match=f"{url} is being built by another process"):
                staging_at(url, fresh=True).open()

    with pytest.MonkeyPatch.context() as patched:
        at_put(patched, second)
        build(recipe, url)


def test_a_build_that_was_taken_over_ends(recipe: Path, url: str, whole: dict[str, bytes]) -> None:
    def take_over(count: int, name: str) -> None:
        if count > 4:  # again and again, as a beat of the first build may come in between
            lock(url, "another machine", count)

    with pytest.MonkeyPatch.context() as patched:
        at_put(patched, take_over)
        with pytest.raises(OutputError, match="is being built by another process"):
            build(recipe, url)
    assert "manifest.json" not in stored(url)
    assert b"another machine" in stored(url)[".synthgen/lock"]
    build(recipe, url)
    assert stored(url) == whole
