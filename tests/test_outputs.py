"""Folders that cannot be written, files that are none, and outputs that take no text."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from synthgen import cli
from tests.building import environment, succeeded, synthgen, synthgen_process, write_recipe
from tests.dataset.tiny import write_dataset

TRAIN = "data/train-00000-of-00002.parquet"
UNSAVED = "note: the report was not saved in the dataset: cannot write "


_CAPABILITIES_3 = 0x20080522
_BYPASS_PERMISSIONS = 0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH


@contextmanager
def unprivileged() -> Iterator[None]:
    """Let permissions count for root, too, in this thread."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0)
    held = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice
    assert libc.capget(header, held) == 0
    fewer = (ctypes.c_uint32 * 6)(*held)
    fewer[0] &= ~_BYPASS_PERMISSIONS
    assert libc.capset(header, fewer) == 0
    try:
        yield
    finally:
        assert libc.capset(header, held) == 0


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a dataset that may be read, but not written."""
    whole = write_dataset(tmp_path / "tiny")
    whole.chmod(0o555)
    yield whole
    whole.chmod(0o755)


def test_a_folder_that_cannot_be_written_is_audited(folder: Path) -> None:
    with unprivileged():
        shown, printed = synthgen("audit", str(folder)), synthgen("audit", str(folder), "--json")
    for ended in (shown, printed):
        assert ended.returncode == 0, ended.stderr
        assert ended.stderr == f"{UNSAVED}{folder}/audit/report.json: Permission denied\n"
    assert "checks, all ok" in shown.stdout
    assert "report:" not in shown.stdout
    assert json.loads(printed.stdout)["ok"]


def test_its_page_can_be_written_elsewhere(folder: Path) -> None:
    place = folder.parent / "pages"
    place.mkdir()
    with unprivileged():
        ended = synthgen("audit", str(folder), "--html", str(place / "page.html"))
        failed = synthgen("audit", str(folder), "--html", str(folder / "page.html"))
    assert ended.returncode == 0, ended.stderr
    assert (place / "page.html").stat().st_size
    assert failed.returncode == 2
    assert "checks, all ok" in failed.stdout
    assert f"error: cannot write {folder / 'page.html'}: Permission denied" in failed.stderr


def test_a_shard_that_may_not_be_read_is_named(folder: Path) -> None:
    (folder / TRAIN).chmod(0)
    with unprivileged():
        ended = [synthgen(command, str(folder)) for command in ("audit", "verify")]
    for each in ended:
        assert each.returncode == 2
        assert each.stderr.startswith(f"error: {folder / TRAIN}: cannot be read")
        assert each.stderr.endswith("Permission denied\n")


def make_file(path: Path) -> None:
    path.write_text("mine")


def make_link(path: Path) -> None:
    path.parent.with_name("elsewhere").mkdir()
    path.symlink_to("../elsewhere")


def make_dangling_link(path: Path) -> None:
    path.symlink_to("../elsewhere")


@pytest.mark.parametrize("make", [make_file, make_link, make_dangling_link])
def test_nothing_is_written_where_audit_is_no_folder(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = write_dataset(tmp_path / "tiny")
    make(folder / "audit")
    ended = succeeded("audit", str(folder))
    assert "checks, all ok" in ended.stdout
    assert ended.stderr.startswith(f"{UNSAVED}{folder}/audit/report.json: ")
    assert ended.stderr.count("\n") == 1
    assert [path for path in tmp_path.rglob("*") if path.name.startswith("report")] == []


def test_a_link_in_place_of_a_report_is_replaced(tmp_path: Path) -> None:
    folder, other = write_dataset(tmp_path / "tiny"), tmp_path / "other"
    other.write_text("mine")
    (folder / "audit").mkdir()
    for name in ("report.json", "report.html", f".report.json.{os.getpid()}.tmp"):
        (folder / "audit" / name).symlink_to(other)
    assert synthgen("audit", str(folder)).returncode == 0
    assert other.read_text() == "mine"
    assert {path.name: path.is_symlink() for path in (folder / "audit").iterdir()} == {
        "report.json": False,
        "report.html": False,
    }


@pytest.mark.parametrize(
    ("command", "pipe"),
    [
        (["audit", "tiny"], "tiny/manifest.json"),
        (["audit", "tiny"], f"tiny/{TRAIN}"),
        (["check", "hint", "pipe.tsv"], "pipe.tsv"),
        (["compare", "tiny", "pipe.parquet"], "pipe.parquet"),
        (["check", "hint", "rows.txt", "--answers", "pipe.txt"], "pipe.txt"),
    ],
)
def test_a_pipe_in_place_of_a_file_is_not_read(
    command: list[str], pipe: str, tmp_path: Path
) -> None:
    write_dataset(tmp_path / "tiny")
    (tmp_path / "rows.txt").write_text("1+1\n")
    (tmp_path / pipe).unlink(missing_ok=True)
    os.mkfifo(tmp_path / pipe)
    ended = synthgen_process(*command, cwd=tmp_path, timeout=100)
    assert ended.returncode == (1 if TRAIN in pipe else 2)
    assert "not a regular file" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_name_that_is_too_long_is_an_error_of_the_user(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    ended = synthgen("build", str(recipe), "--out", str(tmp_path / ("x" * 300)))
    assert ended.returncode == 2
    said = " ".join(ended.stderr.split())
    assert said.startswith(f"error: cannot write to {tmp_path}/xxx")
    assert said.endswith("xxx: File name too long")
    assert synthgen("audit", "x" * 300).returncode == 2


def test_a_folder_that_may_not_be_searched_is_an_error_of_the_user(folder: Path) -> None:
    recipe = write_recipe(folder.parent)
    folder.chmod(0)
    with unprivileged():
        ended = synthgen("build", str(recipe), "--out", str(folder / "out"))
        read = synthgen("audit", str(folder))
    assert ended.returncode == read.returncode == 2
    assert ended.stderr == f"error: cannot write to {folder / 'out'}: Permission denied\n"
    assert "Permission denied" in read.stderr


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            "bash",
            "-c",
            f'set -o pipefail; synthgen() {{ "{sys.executable}" -m synthgen "$@"; }}; ' + command,
        ],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=100,
        check=False,
    )


def test_an_output_that_takes_nothing_is_one_line() -> None:
    for arguments in ("list", "list --json"):
        ended = shell(f"synthgen {arguments} > /dev/full")
        assert (ended.returncode, ended.stderr) == (2, "error: No space left on device\n")


def test_a_reader_that_goes_away_ends_the_command_silently() -> None:
    for arguments in ("list", "list --json"):
        ended = shell(f"(synthgen {arguments}; echo $? >&2) | true")
        assert ended.stderr == "141\n"


def test_closed_outputs_are_written_nowhere() -> None:
    ended = shell("synthgen list >&- 2>&-")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_an_output_in_another_encoding_gets_escapes(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    ended = shell(f"PYTHONIOENCODING=ascii synthgen audit --verbose {folder}")
    assert ended.returncode == 0, ended.stderr
    assert "\\u258" in ended.stdout


NOT_UTF8 = os.fsdecode(b"name-\xff")


def test_names_that_are_not_utf8_are_refused(folder: Path) -> None:
    for arguments in (("build", "scan", "--out", NOT_UTF8), ("audit", NOT_UTF8)):
        ended = synthgen(*arguments, cwd=folder.parent)
        assert ended.returncode == 2
        assert ended.stderr == "error: path='name-\\udcff': expected a name in UTF-8\n"
    out = str(folder.parent / NOT_UTF8)
    ended = synthgen("export", str(folder), "--format", "sft", "--out", out)
    assert ended.returncode == 2
    assert ended.stderr == f"error: path={out!r}: expected a name in UTF-8\n"
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == [folder.name]


def test_names_in_a_locale_without_utf8_are_refused_with_the_way_out(tmp_path: Path) -> None:
    ascii_only = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    ended = subprocess.run(
        [sys.executable, "-m", "synthgen", "build", "scan", "--out", "C-ü"],
        env=environment() | ascii_only,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.endswith("names are ascii in this locale, set PYTHONUTF8=1\n")
    assert not [*tmp_path.iterdir()]


def chained() -> RuntimeError:
    error = RuntimeError("a kernel")
    error.__cause__ = MemoryError()
    return error


@pytest.mark.parametrize(
    "error",
    [MemoryError(), ImportError("libx.so: failed to map segment from shared object"), chained()],
)
def test_want_of_memory_is_one_line(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(cli, "run", fail)
    ended = synthgen("list")
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: out of memory")
    assert ended.stderr.count("\n") == 1


def test_other_errors_keep_their_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError

    monkeypatch.setattr(cli, "run", fail)
    with pytest.raises(RuntimeError):
        synthgen("list")
