"""Damage the files of a finished dataset: audit and verify must notice and name the file."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.faults.common import SMALL, Commands, Ended, Tally, expect_bounds
from benchmarks.faults.mutations import mutate
from benchmarks.faults.signing import MANIFEST, sign
from synthgen.dataset.seal import SEAL

_SIZES = {"small": (1, 1), "full": (8, 100)}
"""Flipped bytes for each file, and most cases of each kind of damage."""
_READERS = ("audit", "verify")


def flip(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # places of damage, not secrets
    recipe = folder / "small.toml"
    recipe.write_text(SMALL, encoding="utf-8")
    with Commands(folder) as commands:
        for more in ((), ("--select-only",)):
            ours, other = (folder / f"{name}{''.join(more)}" for name in ("ours", "other"))
            for out, number in ((ours, "1"), (other, "2")):
                command = ("build", str(recipe), "--seed", number, "--out", str(out), *more)
                built = commands.run(*command)
                tally.expect(built.code == 0, "failed builds", built.err)
            _damage_all(commands, ours, other, _SIZES[size], chance, tally)
    return tally


def _damage_all(
    commands: Commands,
    ours: Path,
    other: Path,
    sizes: tuple[int, int],
    chance: Random,
    tally: Tally,
) -> None:
    """Damage every file of a dataset in every way, one at a time."""
    flips, most = sizes
    for reader in _READERS:
        ended = commands.run(reader, str(ours))
        tally.expect(ended.code == 0, "intact datasets refused", ended.out + ended.err)
    shutil.rmtree(ours / "audit", ignore_errors=True)
    kinds = defaultdict(list)
    for one in damages(ours, other, flips, chance):
        kinds[one[0]].append(one)
    chosen = [one for of in kinds.values() for one in chance.sample(of, len(of))[:most]]
    forged = _forged(ours, ours.with_name("forged"))
    for what, damage in (*chosen, *forged):
        intact = {name: (ours / name).read_bytes() for name in damage}
        _write(ours, damage)
        tally.did[what] += 1
        for reader in _READERS:
            expect_noticed(tally, commands.run(reader, str(ours)), what, [*damage])
        _write(ours, intact)
        shutil.rmtree(ours / "audit", ignore_errors=True)


def _write(folder: Path, contents: Mapping[str, bytes | None]) -> None:
    for name, content in contents.items():
        if content is None:
            (folder / name).unlink()
        else:
            (folder / name).write_bytes(content)


def expect_noticed(tally: Tally, ended: Ended, what: str, names: list[str]) -> None:
    said = ended.out + ended.err
    example = f"{what} in {names}: {said}"
    expect_bounds(tally, ended, example)
    tally.expect(ended.code != 0, "damage not noticed", example)
    # An exchanged manifest fits none of the files, so any file may be named; a membership that was
    # made to fit is that of a split, which is named.
    others = [*("data/", "selection/")] if names == [MANIFEST] else []
    others += [f"/{Path(name).stem}" for name in names if name.startswith("selection/")]
    named = any(name in said for name in (*names, *others))
    tally.expect(named, "damaged files not named", example)


def damages(
    ours: Path, other: Path, flips: int, chance: Random
) -> Iterator[tuple[str, dict[str, bytes | None]]]:
    """Yield kinds of damage and the contents of the damaged files; None where one is deleted."""
    contents, others = (
        {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.*"))}
        for folder in (ours, other)
    )
    for name, content in contents.items():
        for _ in range(flips):
            yield "flipped bytes", {name: _flipped(content, chance, is_json=name == MANIFEST)}
            yield "files cut short", {name: content[: chance.randrange(len(content))]}
        yield "deleted files", {name: None}
        if others[name] != content:
            yield "files of another dataset", {name: others[name]}
    for _ in range(4 * flips):
        yield "edited manifests", {MANIFEST: _edited(contents[MANIFEST], chance)}
    for one, two in pairwise(contents):
        yield "pairs of files exchanged", {one: contents[two], two: contents[one]}


def _forged(ours: Path, copy: Path) -> Iterator[tuple[str, dict[str, bytes | None]]]:
    """Yield damage to the membership after which the manifest is made right again."""
    for what, change in _FORGERIES.items():
        shutil.copytree(ours, copy)
        change(copy)
        sign(copy)
        changed = {
            name: (copy / name).read_bytes()
            for name in (str(path.relative_to(copy)) for path in sorted(copy.rglob("*.*")))
            if (copy / name).read_bytes() != (ours / name).read_bytes()
        }
        yield f"signed: {what}", {**changed}
        shutil.rmtree(copy)


def _edited(manifest: bytes, chance: Random) -> bytes:
    """Change values of a manifest that stays JSON, but not its seal."""
    content = json.loads(manifest)
    seal = content.pop(SEAL)
    before = json.dumps(content, sort_keys=True)
    while json.dumps(content, sort_keys=True) == before:
        mutate(content, chance)
    return json.dumps({**content, SEAL: seal}).encode()


def _cut(folder: Path) -> None:
    _change_selection(folder, lambda table: table.slice(1))


def _reorder(folder: Path) -> None:
    _change_selection(folder, lambda table: table.take(list(range(table.num_rows))[::-1]))


def _change_selection(folder: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    path = folder / "selection/train.members"
    pq.write_table(change(pq.read_table(path)), path)


def _exchange(folder: Path) -> None:
    """Exchange the first rows of two splits with one rule, in the data and the selection."""
    for name in ("data/{}-00000-of-00001.parquet", "selection/{}.members"):
        paths = [folder / name.format(split) for split in ("valid", "dev")]
        if not paths[0].exists():  # no data is stored
            continue
        ones, others = (pq.read_table(path) for path in paths)
        pq.write_table(pa.concat_tables([others.slice(0, 1), ones.slice(1)]), paths[0])
        pq.write_table(pa.concat_tables([ones.slice(0, 1), others.slice(1)]), paths[1])


_FORGERIES = {
    "selections cut": _cut,
    "selections reordered": _reorder,
    "rows exchanged between splits": _exchange,
}


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
