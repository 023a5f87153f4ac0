"""Forge finished datasets as a careful cheater would: verify must notice and name each forgery."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random

from benchmarks.faults.common import Commands, Ended, Tally, expect_bounds
from benchmarks.faults.forged import Forged, NotHereError
from benchmarks.faults.forged_members import member_forgeries, selection_forgeries
from benchmarks.faults.forged_records import (
    both_forgeries,
    file_forgeries,
    leaves_open,
    needs_selection,
    paper_forgeries,
    recipe_forgeries,
    record_forgeries,
    value_forgeries,
    version_forgeries,
)
from benchmarks.faults.forged_rows import row_forgeries
from benchmarks.faults.signing import MANIFEST
from synthgen.auditing.report import audit

_SMALL, _SLOW = 2, 12
"""Forgeries of each dataset in a small run, and of the slow one in a full run."""
_FEW = 0.02
"""Share of false rows up to which `verify` may miss them, if it says with what probability."""
_VERIFY, _SELECTION, _OPEN = range(3)
"""What notices a forgery: every verification, or only one that selects again; the last kind is not
noticed, but leaves the dataset unproven."""
_ALL = ("--rebuild", "all", "--workers", "1")
_LEAST = ("--rebuild", "300")
"""As many rows as a verification makes again at least."""

RECIPES = {
    "numbers": """
name = "numbers"
seed = 5

[[source]]
generator = "hint"
params = { max_operators = 8, max_value = 1000 }

[[split]]
name = "train"
rows = 2000
where = "n_op <= 4"
balance = ["n_op"]
cap = { axis = "result", share = 0.05, where = "n_op > 2" }

[[split]]
name = "test_i"
rows = 100
seen_in = "train"

[[split]]
name = "test"
rows = 400
where = "n_op BETWEEN 3 AND 4"

[[split]]
name = "dev"
rows = 400
where = "n_op BETWEEN 3 AND 4"

[[split]]
name = "test_long"
rows = 400
where = "n_op > 4"

[output]
rows_per_shard = 700
row_group = 250
""",
    "steps": """
name = "steps"
seed = 6

[[source]]
generator = "word_letters"
params = { max_words = 8, letters = ["last", "first"] }

[[split]]
name = "train"
rows = 1500
where = "n_words <= 4"

[[split]]
name = "test"
rows = 300
where = "n_words > 4"
balance = ["n_words"]

[render]
solution = "steps"

[render.format]
types = ["open", "choice"]

[output]
rows_per_shard = 600

[assign]
by = "template"
""",
    "steered": """
name = "steered"
seed = 9

[[source]]
generator = "hint"
params = { min_operators = 2, max_operators = 4, max_value = 1000 }

[[source]]
generator = "hint"
name = "full"
draws_of = "hint"
params = { min_operators = 2, max_operators = 4, max_value = 1000, parentheses = "full" }

[[axis]]
name = "held"
structures = "placed"
of = ["+@2", "*@2"]

[[split]]
name = "train"
rows = 1200
where = "held = 0 AND result <= 30"
cover = [{ structures = "edges", times = 5 }, { axes = ["n_op"], times = 100 }]
order = { by = "rising", axis = "n_op" }
measure = ["depth"]

[[split]]
name = "again"
rows = 100
where = "n_op > 2"
seen_in = "train"

[[split]]
name = "test"
rows = 200
where = "held > 0 AND result > 30"
balance = ["n_op"]
unseen = { of = "train", axes = ["result"] }

[[split]]
name = "test_full"
rows = 200
variant = { of = "test", source = "full" }
""",
    "mix": """
name = "mix"
seed = 10

[[source]]
generator = "scan"

[[source]]
generator = "addition"
params = { max_digits = 6 }

[[source]]
generator = "word_letters"

[[source]]
generator = "sequences"

[[source]]
generator = "arithmetic_gcd"

[[split]]
name = "train"
rows = 1000
balance = ["source"]

[[split]]
name = "test"
rows = 200
balance = ["source"]
overlap = ["more"]

[[split]]
name = "more"
rows = 120
where = "source <> 'scan'"
parts = [
    { where = "source = 'addition'", rows = 60, distinct = 20 },
    { where = "source = 'sequences'", rows = 60 },
]

[card]
license = "cc-by-4.0"
""",
    "divided": """
name = "divided"
seed = 11

[[source]]
generator = "hint"
params = { max_operators = 4, max_value = 100 }

[[split]]
name = "train"
rows = 300

[[split]]
name = "test"
rows = 100

[divergence]
train = ["train"]
test = ["test"]
pool = 600
starts = 2
effort = 5

[output]
order = "address"
""",
    "slow": """
name = "slow"
seed = 12

[[source]]
generator = "logic_zebralogic"

[[split]]
name = "train"
rows = 1000

[[split]]
name = "test"
rows = 100
""",
}
"""Recipes of different families and controllers; of "slow", `verify` makes only some rows again."""
RECIPES["bare"] = RECIPES["numbers"]


@dataclass(frozen=True)
class _Kind:
    """A kind of forgery: its name, what it does, and what notices it."""

    name: str
    change: Callable[[Forged], object]
    noticed: int = _VERIFY

    @property
    def group(self) -> str:
        """What is forged."""
        return self.name.partition(":")[0]

    @property
    def is_audited(self) -> bool:
        """Whether an audit must notice it, too, which makes no rows."""
        return self.noticed == _VERIFY and self.group not in ("rows", "manifest")


@dataclass(frozen=True)
class _Runs:
    """Commands that check a forged dataset."""

    commands: Commands
    tally: Tally

    def judge(self, dataset: str, kind: _Kind, forged: Forged) -> None:
        """Check a forged dataset, and count what is not noticed or not named."""
        share = max(map(forged.false_share, forged.rows), default=0.0)
        is_least = kind.group == "rows" and dataset != "slow"
        what, folder = f"{kind.name} in {dataset}", str(forged.folder)
        ended = self.commands.run("verify", folder, *(_LEAST if is_least else ()))
        if ended.code == 0 and (kind.noticed == _SELECTION or 0 < share <= _FEW):
            self.tally.did["passed verify, not --rebuild all"] += 1
            is_told = kind.noticed == _SELECTION or "would be noticed" in ended.out
            self.tally.expect(is_told, "no probability of what was missed", what)
        else:
            self._expect(ended, "verify", what, forged.touched)
        allowed = () if kind.noticed == _OPEN else ("--allow-unproven",)
        ended = self.commands.run("verify", folder, *_ALL, *allowed)
        self._expect(ended, "verify --rebuild all", what, forged.touched)
        if kind.is_audited and forged.rows:
            ended = self.commands.run(folder, of=_audit)
            self._expect(ended, "audit", what, forged.touched)

    def _expect(self, ended: Ended, command: str, what: str, touched: set[str]) -> None:
        said = ended.out + ended.err
        example = f"{what}: {said}"
        expect_bounds(self.tally, ended, example)
        self.tally.expect(ended.code != 0, f"forgeries that pass {command}", example)
        is_named = any(name in said for name in touched)
        self.tally.expect(is_named, f"forgeries that {command} does not name", example)


def forge(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # places of edits, not secrets
    tried: set[str] = set()
    tally.did["kinds"] = 0
    with Commands(folder) as commands:
        runs = _Runs(commands, tally)
        for dataset in _build_all(runs, folder, size):
            left = {"small": _SMALL}.get(size, _SLOW if dataset.name == "slow" else None)
            for kind in _mixed(dataset, tried, chance):
                if left == 0:
                    break
                copy = dataset.with_name("forged")
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(dataset, copy)
                forged = Forged(copy, chance)
                try:
                    kind.change(forged)
                    forged.save()
                except NotHereError:
                    continue
                runs.judge(dataset.name, kind, forged)
                tally.did[f"of {kind.group}"] += 1
                tried.add(kind.name)
                left = left and left - 1
    tally.did["kinds"] = len(tried)
    return tally


def _audit(folder: str) -> None:
    """Check a dataset as `synthgen audit` does, without its measures."""
    failed = [check for check in audit(Path(folder), measured=False).checks if not check.ok]
    for check in failed:
        print(f"{check.name}: {check.detail}")
    sys.exit(bool(failed))


def _build_all(runs: _Runs, folder: Path, size: str) -> Iterator[Path]:
    """Build the datasets, and check that they pass."""
    for name, text in RECIPES.items():
        if size == "small" and name in ("slow", "divided"):
            continue
        recipe, out = folder / f"{name}.toml", folder / name
        recipe.write_text(text, encoding="utf-8")
        more = ("--select-only",) if name == "bare" else ()
        command = ("build", str(recipe), "--out", str(out), "--workers", "1", *more)
        built = runs.commands.run(*command)
        runs.tally.expect(built.code == 0, "failed builds", built.err)
        for options in ((), _ALL):
            ended = runs.commands.run("verify", str(out), *options)
            runs.tally.expect(ended.code == 0, "true datasets refused", ended.out + ended.err)
        yield out


def _mixed(dataset: Path, tried: set[str], chance: Random) -> Iterator[_Kind]:
    """Yield the kinds of forgeries of a dataset, by turns one of each group, rows first.

    A value of the manifest is forged in one dataset only, as most have the same.
    """
    groups: dict[str, list[_Kind]] = {}
    for kind in _kinds(json.loads((dataset / MANIFEST).read_text("utf-8"))):
        if kind.group == "rows" or dataset.name != "slow":
            groups.setdefault(kind.group, []).append(kind)
    rows, *others = (chance.sample(kinds, len(kinds)) for kinds in groups.values())
    chance.shuffle(others)
    for kinds in zip_longest(rows, *others):
        for kind in kinds:
            if kind and not (kind.group == "manifest" and kind.name in tried):
                yield kind


def _kinds(manifest: dict[str, object]) -> Iterator[_Kind]:
    """Yield all kinds of forgeries of a dataset."""
    for noticed, forgeries in (
        (_VERIFY, row_forgeries()),
        (_VERIFY, member_forgeries()),
        (_VERIFY, paper_forgeries()),
        (_VERIFY, recipe_forgeries()),
        (_VERIFY, record_forgeries()),
        (_VERIFY, file_forgeries()),
        (_SELECTION, selection_forgeries()),
        (_SELECTION, both_forgeries()),
        (_OPEN, version_forgeries()),
    ):
        yield from (_Kind(name, change, noticed) for name, change in forgeries)
    for name, change in value_forgeries(manifest):
        noticed = _SELECTION if needs_selection(name) else _VERIFY
        yield _Kind(name, change, _OPEN if leaves_open(name) else noticed)
