"""Kill builds at random moments, resume them, and compare with a build that nobody killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import synthgen
from benchmarks.faults.builds import alive, await_end, await_moment, end, is_mixture, start
from benchmarks.faults.common import (
    Tally,
    build_command,
    digests,
    environment,
    expect_same,
)

_ONLY = ("--select-only",)
_SIZES = {
    "small": [("scan", 500, (), 2, 1), ("scan", 500, _ONLY, 1, 1)],
    "full": [
        ("hint", 10_000, (), 65, 8),
        ("hint", 20_000, _ONLY, 60, 8),
        ("rewrite", 2_000, (), 60, 8),
        ("omega", 300, (), 25, 8),
    ],
}
"""Recipes with rows and options, fewest kills, and most kills of each build; every second build
replaces an older dataset."""
_HOW = ("the whole group", "the main process", "one worker", "the group during the commit")
_MAX_SECONDS = 780
"""After which no more builds begin."""
_COMMIT_STEPS = 24
_AT_A_STEP = """
import os, shutil, signal, sys
from pathlib import Path
from synthgen.__main__ import main
from synthgen.dataset.staging import Staging

left = int(sys.argv.pop(1))

def counted(change):
    def call(*arguments, **more):
        global left
        if not left:
            os.killpg(0, signal.SIGKILL)
        left -= 1
        return change(*arguments, **more)
    return call

def begin(staging, commit=Staging.commit):
    for name in ("replace", "unlink", "rmdir", "mkdir"):
        setattr(Path, name, counted(getattr(Path, name)))
    shutil.rmtree = counted(shutil.rmtree)
    commit(staging)

Staging.commit = begin
main()
"""


@dataclass(frozen=True)
class _Case:
    """A build that is killed again and again.

    Attributes:
        place: folder of its outputs; `old` in it is a dataset that it replaces.
        arguments: of the command.
        seconds: that it usually takes.
        wanted, before: files of it, and of the dataset that it replaces.
        whole: files of the same build with data, if it has none itself.
        fewest_kills: in all.
        most_kills: of one build.
    """

    place: Path
    arguments: tuple[str, ...]
    seconds: float
    wanted: dict[str, str]
    before: dict[str, str]
    whole: dict[str, str]
    fewest_kills: int
    most_kills: int

    @property
    def kind(self) -> str:
        """What is built, as counts name it."""
        return "builds without data" if self.whole else "builds"


def kill(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder, all recipes side by side."""
    tally = Tally()
    cases = [_prepared(folder, *sizes) for sizes in _SIZES[size]]
    until = time.monotonic() + _MAX_SECONDS
    with ThreadPoolExecutor(len(cases)) as pool:
        for found in pool.map(lambda case: _kill_builds(case, seed, until), cases):
            tally.add(found)
    return tally


def _prepared(folder: Path, recipe: str, rows: int, more: tuple[str, ...], *kills: int) -> _Case:
    """Build what the builds of a case are compared with."""
    shards = f"output.rows_per_shard={rows // 20}"
    arguments = (recipe, "--rows", str(rows), "--set", shards, *more)
    place = folder / f"{recipe}{''.join(more)}"
    old, new, data = (place / what for what in ("old", "new", "data"))
    synthgen.build(recipe, old, rows=rows, seed=123, sets=(shards,), select_only=bool(more))
    seconds = _build(*arguments, "--out", str(new))
    if more:
        synthgen.build(recipe, data, rows=rows, sets=(shards,))
    return _Case(place, arguments, seconds, digests(new), digests(old), digests(data), *kills)


def _kill_builds(case: _Case, seed: int, until: float) -> Tally:
    chance, tally = Random(f"{seed} {case.place.name}"), Tally()  # noqa: S311  # moments
    kills, builds = 0, 0
    while kills < case.fewest_kills and time.monotonic() < until:
        out, fresh = case.place / str(builds), builds % 2 == 1
        if fresh:
            shutil.copytree(case.place / "old", out)
        kills += _kill_and_resume(case, out, fresh, chance, tally)
        builds += 1
        shutil.rmtree(out)
    return tally


def _build(*arguments: str) -> float:
    """Build without a kill; return the seconds since it began to write."""
    build = _start(build_command(*arguments), Path(arguments[-1]))
    began = time.monotonic()
    _, said = build.communicate()
    if build.returncode:
        raise RuntimeError(said.decode())
    return time.monotonic() - began


def _start(command: list[str], out: Path) -> subprocess.Popen[bytes]:
    """Start a build, and wait until it has begun to write, or has ended."""
    build = start(command)
    await_moment(build, (out / ".synthgen").exists)
    return build


def _kill_and_resume(case: _Case, out: Path, fresh: bool, chance: Random, tally: Tally) -> int:  # noqa: FBT001
    """Kill a build some times, and resume it; return the number of kills that hit it."""
    arguments = [*case.arguments, "--out", str(out), *["--fresh"] * fresh]
    tally.did[f"{case.kind} that replace a dataset" if fresh else case.kind] += 1
    sessions, kills = [], 0
    for _ in range(chance.randint(1, case.most_kills)):
        how = chance.choice(_HOW)
        build = _start(_command(arguments, how, chance), out)
        sessions.append(build.pid)
        if how != _HOW[3]:
            time.sleep(chance.uniform(0, 1.5) * case.seconds)
            _kill(build, how, chance)
        killed = end(build, tally)[0] != 0
        kills += killed
        tally.did[f"kills of {how}"] += killed
        mixed = is_mixture(digests(out), case.wanted, case.before if fresh else {})
        tally.expect(not mixed, "mixtures of two datasets", f"{out}: {how}")
        if chance.random() < 1 / 2:
            await_end(sessions)  # else the build is resumed while workers of the killed one live
            if chance.random() < 1 / 3:
                _damage(out, chance, tally)
    _resume(arguments, out, case.wanted, tally)
    if case.whole and chance.random() < 1 / 2:
        tally.did["data added to a selection"] += 1
        _resume(
            [each for each in arguments if each not in (*_ONLY, "--fresh")], out, case.whole, tally
        )
    orphans = await_end(sessions)
    tally.expect(not orphans, "builds with orphans", f"{out}: {orphans}")
    for pid in orphans:
        os.kill(pid, signal.SIGKILL)
    return kills


def _resume(arguments: list[str], out: Path, wanted: dict[str, str], tally: Tally) -> None:
    again = subprocess.run(
        build_command(*arguments), env=environment(), capture_output=True, text=True, check=False
    )
    tally.expect(again.returncode == 0, "failed resumes", f"{out}: {again.stderr}")
    expect_same(tally, digests(out), wanted, out)


def _damage(out: Path, chance: Random, tally: Tally) -> None:
    """Damage a file of an unfinished build; not the lock or a manifest, by which it is known."""
    work = out / ".synthgen"
    files = [path for path in sorted(work.rglob("*")) if path.is_file() and path.name != "lock"]
    files = [path for path in files if path.name != "manifest.json"]
    if not files:
        return
    path, other = chance.choice(files), chance.choice(files)
    content = path.read_bytes()
    how = chance.choice(("flipped", "cut short", "deleted", "exchanged"))
    tally.did[f"files of unfinished builds {how}"] += 1
    if how == "flipped" and content:
        place = chance.randrange(len(content))
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    elif how == "cut short":
        path.write_bytes(content[: chance.randrange(len(content) + 1)])
    elif how == "exchanged":
        path.write_bytes(other.read_bytes())
        other.write_bytes(content)
    else:
        path.unlink()


def _command(arguments: list[str], how: str, chance: Random) -> list[str]:
    command = build_command(*arguments)
    if how != _HOW[3]:
        return command
    return [sys.executable, "-c", _AT_A_STEP, str(chance.randrange(_COMMIT_STEPS)), *command[3:]]


def _kill(build: subprocess.Popen[bytes], how: str, chance: Random) -> None:
    workers = [pid for pid in alive([build.pid]) if pid != build.pid]
    if build.poll() is not None:
        return
    if how == _HOW[0]:
        os.killpg(build.pid, signal.SIGKILL)
    elif how == _HOW[1] or not workers:
        build.kill()
    else:
        os.kill(chance.choice(workers), signal.SIGKILL)
