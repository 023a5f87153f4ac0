"""Damage the files of a finished dataset: audit and verify must notice and name the file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

from benchmarks.faults.common import SMALL, Commands, Ended, Tally, expect_bounds

_SIZES = {"small": (1, 10), "full": (10, 1_000)}
"""Flipped bytes for each file, and most cases of damage."""
_MANIFEST = "manifest.json"
_READERS = ("audit", "verify")


def flip(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # places of damage, not secrets
    ours, other = folder / "ours", folder / "other"
    recipe = folder / "small.toml"
    recipe.write_text(SMALL, encoding="utf-8")
    flips, most = _SIZES[size]
    with Commands() as commands:
        for out, number in ((ours, "1"), (other, "2")):
            built = commands.run("build", str(recipe), "--seed", number, "--out", str(out))
            tally.expect(built.code == 0, "failed builds", built.err)
        for reader in _READERS:
            ended = commands.run(reader, str(ours))
            tally.expect(ended.code == 0, "intact datasets refused", ended.out + ended.err)
        shutil.rmtree(ours / "audit", ignore_errors=True)
        damages = [*_damages(ours, other, flips, chance)]
        for what, damage in chance.sample(damages, min(most, len(damages))):
            intact = {name: (ours / name).read_bytes() for name in damage}
            _write(ours, damage)
            tally.did[what] += 1
            for reader in _READERS:
                _expect_noticed(tally, commands.run(reader, str(ours)), what, [*damage])
            _write(ours, intact)
            shutil.rmtree(ours / "audit", ignore_errors=True)
    return tally


def _write(folder: Path, contents: Mapping[str, bytes | None]) -> None:
    for name, content in contents.items():
        if content is None:
            (folder / name).unlink()
        else:
            (folder / name).write_bytes(content)


def _expect_noticed(tally: Tally, ended: Ended, what: str, names: list[str]) -> None:
    said = ended.out + ended.err
    example = f"{what} in {names}: {said}"
    expect_bounds(tally, ended, example)
    tally.expect(ended.code != 0, "damage not noticed", example)
    # An exchanged manifest fits none of the files, so any file may be named.
    named = any(name in said for name in names) or (names == [_MANIFEST] and "data/" in said)
    tally.expect(named, "damaged files not named", example)


def _damages(
    ours: Path, other: Path, flips: int, chance: Random
) -> Iterator[tuple[str, dict[str, bytes | None]]]:
    """Yield kinds of damage and the contents of the damaged files; None where one is deleted."""
    contents, others = (
        {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.*"))}
        for folder in (ours, other)
    )
    for name, content in contents.items():
        for _ in range(flips):
            yield "flipped bytes", {name: _flipped(content, chance, is_json=name == _MANIFEST)}
        yield "deleted files", {name: None}
        if others[name] != content:
            yield "files of another dataset", {name: others[name]}
    for one, two in pairwise(contents):
        yield "pairs of files exchanged", {one: contents[two], two: contents[one]}


def _flipped(content: bytes, chance: Random, *, is_json: bool) -> bytes:
    """Flip one bit, so that the meaning of JSON changes (`1e-5` and `1E-5` are one number)."""
    while True:
        flipped = bytearray(content)
        flipped[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        try:
            if not is_json or json.loads(flipped) != json.loads(content):
                return bytes(flipped)
        except ValueError:
            return bytes(flipped)
