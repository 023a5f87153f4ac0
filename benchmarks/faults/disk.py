"""Build where the disk is full or read-only, or files may not grow, and again once they may."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import rmtree

import synthgen
from benchmarks.faults.common import (
    TRACEBACK,
    Tally,
    build_command,
    digests,
    environment,
    expect_same,
)

_SIZES = {
    "small": [("scan", 500, 1, 1)],
    "full": [("hint", 20_000, 5, 5), ("omega", 300, 1, 2)],
}
"""Recipes with rows, number of builds with a limited file size, and on a small disk."""
_ROOM = "256m"


def disk(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder; small disks need the right to mount a file system."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # sizes, not secrets
    for recipe, rows, limited, mounted in _SIZES[size]:
        shards = f"output.rows_per_shard={rows // 10}"
        arguments = (recipe, "--rows", str(rows), "--set", shards)
        straight = folder / f"{recipe}-straight"
        synthgen.build(recipe, straight, rows=rows, sets=(shards,))
        wanted = digests(straight)
        sizes = [path.stat().st_size for path in straight.rglob("*") if path.is_file()]
        for number in range(limited):
            out, limit = folder / f"{recipe}-{number}", _some(max(sizes), chance)
            _build_full(arguments, out, tally, lambda limit=limit: _limit_files(limit))  # type: ignore[misc]
            _build_again(arguments, out, wanted, tally)
            rmtree(out)
            tally.did["builds with files of limited size"] += 1
        for number in range(mounted):
            place = folder / f"{recipe}-disk-{number}"
            place.mkdir()
            if not _mount(place, f"size={max(4096, _some(sum(sizes), chance))}"):
                tally.did["builds on a small disk (not permitted here)"] += 0
                break
            try:
                _build_full(arguments, place / "out", tally)
                _mount(place, f"remount,size={_ROOM}")
                _build_again(arguments, place / "out", wanted, tally)
                _leave_read_only(arguments, place, wanted, tally)
            finally:
                subprocess.run(["umount", str(place)], check=True)  # noqa: S607
            tally.did["builds on a small disk"] += 1
    return tally


def _leave_read_only(
    arguments: tuple[str, ...], place: Path, wanted: dict[str, str], tally: Tally
) -> None:
    """Read a dataset on a disk that is read-only, and try to build there."""
    out, new = str(place / "out"), str(place / "new")
    _mount(place, "remount,ro")
    for command, code in (
        (("audit", out), 0),
        (("verify", out), 0),
        (("build", *arguments, "--out", out), 0),
        (("build", *arguments, "--out", out, "--fresh"), 2),
        (("build", *arguments, "--out", new), 2),
    ):
        ended = _run([sys.executable, "-m", "synthgen", *command])
        said = ended.stderr.strip()
        example = f"{command}: exit code {ended.returncode}: {said}"
        tally.did["commands on a read-only disk"] += 1
        tally.expect(TRACEBACK not in said, "tracebacks", example)
        clear = ended.returncode == code and (code == 0 or said.count("\n") == 0)
        tally.expect(
            clear and (code == 0 or command[-1] in said or out in said), "unclear errors", example
        )
    _mount(place, f"remount,rw,size={_ROOM}")
    expect_same(tally, digests(Path(out)), wanted, f"read-only {out}")


def _run(
    command: list[str], before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=before,
    )


def _some(most: int, chance: Random) -> int:
    """Draw a size below another, all orders of magnitude alike."""
    return int(most ** chance.uniform(0, 1))


def _limit_files(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _mount(place: Path, options: str) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def _build_full(
    arguments: tuple[str, ...], out: Path, tally: Tally, before: Callable[[], None] | None = None
) -> None:
    """Build without enough room: it ends with one clear line and no dataset, or finds a way."""
    ended = _run(build_command(*arguments, "--out", str(out)), before)
    said = ended.stderr.strip()
    example = f"{out}: exit code {ended.returncode}: {said}"
    tally.did["ended for want of room"] += ended.returncode == 2
    tally.expect(TRACEBACK not in said, "tracebacks", example)
    if ended.returncode:
        clear = ended.returncode == 2 and said.count("\n") == 0 and str(out) in said
        tally.expect(clear, "unclear errors", example)
        tally.expect(not (out / "manifest.json").exists(), "datasets in spite of errors", example)


def _build_again(
    arguments: tuple[str, ...], out: Path, wanted: dict[str, str], tally: Tally
) -> None:
    again = _run(build_command(*arguments, "--out", str(out)))
    tally.expect(again.returncode == 0, "failed resumes", f"{out}: {again.stderr}")
    expect_same(tally, digests(out), wanted, out)
