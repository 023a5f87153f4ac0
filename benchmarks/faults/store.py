"""Build at an S3-compatible store whose requests fail, kill the builds, and damage its objects."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from unittest import mock

from benchmarks.faults.builds import end, is_mixture, start
from benchmarks.faults.common import (
    SMALL,
    Commands,
    Tally,
    build_command,
    digests,
    expect_bounds,
    expect_same,
    skipped_without,
)
from benchmarks.faults.flip import damages, expect_noticed
from benchmarks.faults.server import BUCKET, Fault, Store, no_fault, running_store
from synthgen.dataset.manifest import MANIFEST_FILE

_SIZES = {"small": (2, 1, 1, 1), "full": (18, 4, 12, 12)}
"""Builds, most disturbed runs of each, readings, and most objects damaged in each way."""
_MAX_SECONDS = 420
"""After which no more builds begin."""
_READERS = ("verify", "audit")
_READ = "straight"
"""A dataset whose building nothing disturbed."""
_SHARDS = "output.rows_per_shard=100"
_HOW = ("killed", "some requests fail", "requests fail from one on", "one object fails")
_FAULTS = {
    "500": "requests answered with status 500",
    "503": "requests answered with status 503",
    "429": "requests answered with status 429",
    "cut": "requests cut in their middle",
    "lost": "requests carried out without a reply",
    "short": "replies cut short",
    "slow": "replies too late",
    "half": "objects or parts stored by half",
}
_AT_ONCE = tuple(fault for fault in _FAULTS if fault != "slow")
"""Faults of which a build may get many and still end soon."""
_WHOLE = tuple(fault for fault in _FAULTS if fault != "half")
_IN_PARTS = """
import s3fs.core
from synthgen.__main__ import main
s3fs.core.calculate_chunksize = lambda size, chunksize=None: 4096
main()
"""
"""A build that uploads its files in small parts, as s3fs does with large files."""


@dataclass
class _Case:
    """What is built at the store, and what it is compared with.

    Attributes:
        server: the store.
        recipe: what is built.
        new, old: local folders of the same build, and of another that builds replace.
        wanted, before: their files.
        requests: of a build that nothing disturbs.
        scratch: folder for temporary files of the builds.
    """

    server: Store
    recipe: Path
    new: Path
    old: Path
    wanted: dict[str, str]
    before: dict[str, str]
    requests: int
    scratch: Path

    def found(self, name: str) -> dict[str, str]:
        """Return the digests of all objects of a dataset."""
        return _digests(self.server.contents(name))

    def fill(self, name: str, folder: Path) -> None:
        """Copy a local dataset to the store, without its faults."""
        self.put(name, _contents(folder))

    def put(self, name: str, contents: Mapping[str, bytes | None]) -> None:
        """Store objects; remove those whose content is None."""
        for file, content in contents.items():
            method = "DELETE" if content is None else "PUT"
            self.server.request(method, f"/{BUCKET}/{name}/{file}", content or b"")


def store(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder; it needs s3fs and moto."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # moments, not secrets
    tally.skipped = skipped_without(s3fs="s3fs", moto="'moto[server]'")
    if tally.skipped:
        return tally
    builds, runs, readings, most = _SIZES[size]
    scratch = folder / "scratch"
    scratch.mkdir()
    with (
        running_store() as server,
        mock.patch.dict(os.environ, server.environment),
        Commands(folder) as commands,
    ):
        case = _prepared(commands, server, folder, scratch)
        until = time.monotonic() + _MAX_SECONDS
        while tally.did["builds"] < builds and time.monotonic() < until:
            _build_and_resume(case, chance.randint(1, runs), chance, tally)
        for number in range(readings):
            _read(case, commands, _READERS[number % 2], chance, tally)
        _damage(case, commands, most, chance, tally)
    return tally


def _prepared(commands: Commands, server: Store, folder: Path, scratch: Path) -> _Case:
    """Build what the builds at the store are compared with, and once there."""
    recipe, new, old = folder / "small.toml", folder / "new", folder / "old"
    recipe.write_text(SMALL, encoding="utf-8")
    url = f"s3://{BUCKET}/{_READ}"
    for out, *more in ((str(new),), (str(old), "--seed", "123"), (url,)):
        command = ("build", str(recipe), "--set", _SHARDS, "--out", out, *more)
        built = commands.run(*command)
        if built.code:
            raise RuntimeError(built.err)
    requests = len(server.asked)
    return _Case(server, recipe, new, old, digests(new), digests(old), requests, scratch)


def _contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {name: sha256(content).hexdigest() for name, content in contents.items()}


def _build_and_resume(case: _Case, runs: int, chance: Random, tally: Tally) -> None:
    """Build while requests fail or the build is killed, some times; then without."""
    number = tally.did["builds"]
    name, fresh = f"build-{number}", number % 2 == 1
    command = [str(case.recipe), "--out", f"s3://{BUCKET}/{name}", "--set", _SHARDS]
    if fresh:
        case.fill(name, case.old)
        command.append("--fresh")
    tally.did["builds"] += 1
    tally.did["of them over a dataset"] += fresh
    for _ in range(runs):
        if _disturb(case, name, command, chance, tally):
            break
    case.server.fault = no_fault
    code, said = end(_start(case, command), tally)
    tally.expect(code == 0, "failed resumes", f"{name}: {said}")
    expect_same(tally, case.found(name), case.wanted, name)
    left = sorted(path.name for path in case.scratch.iterdir())
    tally.expect(not left, "temporary files left behind", f"{name}: {left}")


def _start(case: _Case, command: list[str], *, in_parts: bool = False) -> subprocess.Popen[bytes]:
    case.server.asked.clear()
    whole = build_command(*command)
    if in_parts:
        whole = [sys.executable, "-c", _IN_PARTS, *whole[3:]]
    return start(whole, {"TMPDIR": str(case.scratch), "AWS_MAX_ATTEMPTS": "1"})


def _disturb(case: _Case, name: str, command: list[str], chance: Random, tally: Tally) -> bool:
    """Build while requests fail or the build is killed; return whether it is done."""
    how, at = chance.choice(_HOW), chance.randrange(case.requests)
    in_parts = chance.random() < 1 / 2
    tally.did["runs that upload in parts"] += in_parts
    met = Counter[str]()
    groups: list[int] = []
    fault = _fault_of(how, at, case, name, chance)

    def meet(method: str, path: str, before: int) -> str:
        found = fault(method, path, before)
        if found:
            met[found] += 1
            if how == "killed":
                os.killpg(groups[0], signal.SIGKILL)
        return found

    case.server.fault = meet
    build = _start(case, command, in_parts=in_parts)
    groups.append(build.pid)
    code, said = end(build, tally)
    for kind, number in met.items():
        tally.did[_FAULTS[kind] if how != "killed" else f"kills, {_FAULTS[kind]}"] += number
    example = f"{name}: {how} at {at}, {dict(met)}: exit code {code}: {said}"
    tally.did["runs that ended for faults"] += code == 2
    if not (met and how == "killed"):
        clear = code == 2 and said.count("\n") == 0 and f"s3://{BUCKET}/{name}" in said and met
        tally.expect(code == 0 or bool(clear), "unclear errors", example)
    found = case.found(name)
    fresh = "--fresh" in command
    known = (case.wanted[MANIFEST_FILE], case.before[MANIFEST_FILE])
    if found.get(MANIFEST_FILE) in known:  # readers refuse a part of one
        mixed = is_mixture(found, case.wanted, case.before if fresh else {})
        tally.expect(not mixed, "mixtures of two datasets", example)
    is_done = case.wanted.items() <= found.items()
    tally.expect(code != 0 or is_done, "datasets that are not whole", example)
    return code == 0


def _fault_of(how: str, at: int, case: _Case, name: str, chance: Random) -> Fault:
    """Return which requests of a run fail."""
    kind, share = chance.choice(_AT_ONCE), chance.uniform(0.02, 0.3)
    target = f"/{BUCKET}/{name}/{chance.choice([*case.wanted])}"
    once = chance.choice(("cut", "lost", "half"))

    def fault(_method: str, path: str, _before: int) -> str:
        asked = len(case.server.asked) - 1
        if how == "killed":
            return once if asked == at else ""
        if how == "some requests fail":
            return chance.choice([*_FAULTS]) if chance.random() < share else ""
        if how == "requests fail from one on":
            return kind if asked >= at else ""
        return kind if path.partition("?")[0] == target else ""

    return fault


def _read(case: _Case, commands: Commands, reader: str, chance: Random, tally: Tally) -> None:
    """Read a dataset while requests fail once, and while one object cannot be read."""
    met = Counter[str]()
    case.server.asked.clear()
    case.server.fault = _passing(chance.uniform(0.1, 1), met, chance)
    ended = commands.run(reader, f"s3://{BUCKET}/{_READ}")
    tally.did[f"{reader} while requests fail"] += 1
    for kind, number in met.items():
        tally.did[_FAULTS[kind]] += number
    example = f"{reader}, {dict(met)}: {ended.out + ended.err}"
    expect_bounds(tally, ended, example)
    tally.expect(ended.code == 0, "readings that end for faults that pass", example)
    unread, kind = chance.choice([*case.wanted]), chance.choice(("500", "503", "cut", "short"))
    case.server.fault = _lasting(kind, f"/{BUCKET}/{_READ}/{unread}")
    ended = commands.run(reader, f"s3://{BUCKET}/{_READ}")
    case.server.fault = no_fault
    tally.did[f"{reader} with an object that cannot be read"] += 1
    example = f"{reader}, {kind} of {unread}: {ended.out + ended.err}"
    expect_bounds(tally, ended, example)
    tally.expect(ended.code == 2 and unread in ended.err, "unclear errors", example)
    case.put(_READ, {"audit/report.json": None, "audit/report.html": None})


def _passing(share: float, met: Counter[str], chance: Random) -> Fault:
    """Return faults of a share of the requests, which pass when they are repeated."""

    def fault(_method: str, _path: str, before: int) -> str:
        if before or chance.random() > share:
            return ""
        kind = chance.choice(_WHOLE)
        met[kind] += 1
        return kind

    return fault


def _lasting(kind: str, path: str) -> Fault:
    """Return a fault of all requests for an object."""
    return lambda _method, asked, _before: kind if asked == path else ""


def _damage(case: _Case, commands: Commands, most: int, chance: Random, tally: Tally) -> None:
    """Damage the objects of a dataset in every way, one at a time; `verify` must notice."""
    contents = _contents(case.new)
    kinds = defaultdict(list)
    for one in damages(case.new, case.old, 1, chance):
        kinds[one[0]].append(one)
    for what, damage in [one for of in kinds.values() for one in chance.sample(of, len(of))[:most]]:
        case.put(_READ, damage)
        tally.did[f"in the store: {what}"] += 1
        expect_noticed(tally, commands.run("verify", f"s3://{BUCKET}/{_READ}"), what, [*damage])
        case.put(_READ, {file: contents[file] for file in damage})
