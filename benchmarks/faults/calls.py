"""Let the n-th call that writes fail, and clocks jump, while a dataset is built."""

from __future__ import annotations

import errno
import shutil
import subprocess
from pathlib import Path
from random import Random

import synthgen
from benchmarks.faults.common import (
    TRACEBACK,
    Tally,
    build_command,
    digests,
    environment,
    expect_same,
)

_SIZES: dict[str, list[tuple[str, int, tuple[str, ...], int, int]]] = {
    "small": [("scan", 500, (), 2, 1)],
    "full": [
        ("hint", 5_000, (), 24, 2),
        ("hint", 20_000, ("--select-only",), 10, 2),
        ("omega", 300, (), 4, 1),
    ],
}
"""Recipes with rows and options, number of builds with a failing call, and with clocks that jump.
Every second one replaces an older dataset."""
_MAX_CALLS = 300
_ERRORS = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES)
_SOURCE = Path(__file__).with_suffix(".c")


def calls(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder; it needs a C compiler."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # calls, not secrets
    library = _compiled(folder)
    if library is None:
        tally.did["builds with failing calls (no C compiler here)"] += 0
        return tally
    for number, (recipe, rows, more, failing, jumping) in enumerate(_SIZES[size]):
        shards = f"output.rows_per_shard={rows // 10}"
        arguments = (recipe, "--rows", str(rows), "--set", shards, *more)
        old, new = folder / f"{number}-old", folder / f"{number}-new"
        select_only = bool(more)
        synthgen.build(recipe, old, rows=rows, seed=123, sets=(shards,), select_only=select_only)
        synthgen.build(recipe, new, rows=rows, sets=(shards,), select_only=select_only)
        wanted = digests(new)
        for build in range(failing + jumping):
            out = folder / f"{number}-{build}"
            command = [*arguments, "--out", str(out)]
            if build % 2:
                shutil.copytree(old, out)
                command.append("--fresh")
            preload = {"LD_PRELOAD": str(library)}
            if build < failing:
                _fail_and_resume(command, out, preload, wanted, chance, tally)
            else:
                seed = chance.randrange(1, 1 << 60)
                ended = _run(command, preload | {"FAULTS_CLOCK": str(seed)})
                tally.did["builds with clocks that jump"] += 1
                said = f"{command}: {ended.stderr}"
                tally.expect(ended.returncode == 0 and not ended.stderr, "failed builds", said)
                expect_same(tally, digests(out), wanted, f"clocks {out}")
            shutil.rmtree(out)
    return tally


def _compiled(folder: Path) -> Path | None:
    library = folder / "calls.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(_SOURCE), "-ldl"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return None
    return library


def _run(command: list[str], more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        build_command(*command),
        env=environment() | more,
        capture_output=True,
        text=True,
        check=False,
    )


def _fail_and_resume(
    command: list[str],
    out: Path,
    preload: dict[str, str],
    wanted: dict[str, str],
    chance: Random,
    tally: Tally,
) -> None:
    """Build with a call that fails: a clear error, or the whole dataset; then without."""
    reached = out.with_suffix(".reached")
    code, at = chance.choice(_ERRORS), int(_MAX_CALLS ** chance.uniform(0, 1))
    faults = {
        "FAULTS_BELOW": str(out),
        "FAULTS_REACHED": str(reached),
        "FAULTS_AT": str(at),
        "FAULTS_ERROR": str(code),
        "FAULTS_LASTS": str(chance.randrange(2)),
    }
    ended = _run(command, preload | faults)
    said = ended.stderr.strip()
    example = f"{out}: {errno.errorcode[code]} at call {at}: exit code {ended.returncode}: {said}"
    tally.did["builds with a failing call"] += 1
    tally.did[f"of them with {errno.errorcode[code]}"] += reached.exists()
    tally.did["ended by the failing call"] += ended.returncode == 2
    tally.expect(TRACEBACK not in said, "tracebacks", example)
    if ended.returncode:
        clear = ended.returncode == 2 and said.count("\n") == 0 and str(out) in said
        tally.expect(clear and reached.exists(), "unclear errors", example)
    if ended.returncode == 0 or _is_new(out, wanted):
        kept = {name: digest for name, digest in digests(out).items() if ".synthgen" not in name}
        expect_same(tally, kept, wanted, example)
    again = _run(command, {})
    tally.expect(again.returncode == 0, "failed resumes", f"{example}: {again.stderr}")
    expect_same(tally, digests(out), wanted, example)


def _is_new(out: Path, wanted: dict[str, str]) -> bool:
    """Return whether the new dataset has its manifest, so that a reader takes it as whole."""
    manifest = "manifest.json"
    return (out / manifest).exists() and digests(out)[manifest] == wanted[manifest]
