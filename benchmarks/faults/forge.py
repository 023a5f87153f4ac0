"""Forge finished datasets as a careful cheater would: verify must notice and name each forgery."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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

_SMALL = 8
"""Forgeries of each dataset in a small run."""
_FEW = 0.02
"""Share of false rows up to which `verify` may miss them, if it says with what probability."""
_VERIFY, _SELECTION, _OPEN = range(3)
"""What notices a forgery: every verification, only one that selects again; or nothing does, so
that the dataset is not proven."""

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
generator = "sudoku"
params = { size = 9, min_blanks = 20, max_blanks = 50 }

[[split]]
name = "train"
rows = 1500

[[split]]
name = "test"
rows = 100
""",
}
"""Recipes of different families and controllers."""
RECIPES["bare"] = RECIPES["numbers"]


@dataclass(frozen=True)
class _Kind:
    """A kind of forgery: its name, what it does, and what notices it."""

    name: str
    change: Callable[[Forged], object]
    noticed: int = _VERIFY

    @property
    def group(self) -> str:
        return self.name.partition(":")[0]


def forge(size: str, seed: int, folder: Path) -> Tally:
    """Run the campaign in an empty folder."""
    chance, tally = Random(seed), Tally()  # noqa: S311  # places of edits, not secrets
    names: set[str] = set()
    with Commands(folder) as commands:
        for dataset in _build_all(commands, folder, size, tally):
            manifest = json.loads((dataset / MANIFEST).read_text("utf-8"))
            kinds = [*_kinds(manifest)]
            if dataset.name == "slow":
                kinds = [kind for kind in kinds if kind.group == "rows"]
            kinds = [k for k in kinds if k.group != "manifest" or k.name not in names]
            left = _SMALL if size == "small" else len(kinds)
            for kind in chance.sample(kinds, len(kinds)):
                if left and _forge(commands, dataset, kind, chance, tally):
                    names.add(kind.name)
                    left -= 1
    tally.did["kinds"] = len(names)
    return tally


def _build_all(commands: Commands, folder: Path, size: str, tally: Tally) -> Iterator[Path]:
    """Build the datasets, and check that they pass."""
    recipes = dict(RECIPES)
    if size == "small":
        del recipes["slow"]
    for name, text in recipes.items():
        recipe = folder / f"{name}.toml"
        recipe.write_text(text, encoding="utf-8")
        more = ("--select-only",) if name == "bare" else ()
        built = commands.run(
            "build", str(recipe), "--out", str(folder / name), "--workers", "1", *more
        )
        tally.expect(built.code == 0, "failed builds", built.err)
        for options in ((), _ALL):
            ended = commands.run("verify", str(folder / name), *options)
            tally.expect(ended.code == 0, "true datasets refused", ended.out + ended.err)
        yield folder / name


_ALL = ("--rebuild", "all", "--workers", "1")
_LEAST = ("--rebuild", "300")
"""As many rows as are made again at least."""


def _kinds(manifest: dict[str, object]) -> Iterator[_Kind]:
    """Yield all kinds of forgeries of a dataset."""
    for forgeries in (
        row_forgeries(),
        member_forgeries(),
        paper_forgeries(),
        recipe_forgeries(),
        record_forgeries(),
        file_forgeries(),
    ):
        yield from (_Kind(name, change) for name, change in forgeries)
    for forgeries in (selection_forgeries(), both_forgeries()):
        yield from (_Kind(name, change, _SELECTION) for name, change in forgeries)
    yield from (_Kind(name, change, _OPEN) for name, change in version_forgeries())
    for name, change in value_forgeries(manifest):
        noticed = _SELECTION if needs_selection(name) else _VERIFY
        yield _Kind(name, change, _OPEN if leaves_open(name) else noticed)


def _forge(commands: Commands, dataset: Path, kind: _Kind, chance: Random, tally: Tally) -> bool:
    """Forge a copy of a dataset and verify it; return False if the forgery has no place in it."""
    copy = dataset.with_name("forged")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(dataset, copy)
    forged = Forged(copy, chance)
    try:
        kind.change(forged)
        forged.save()
    except NotHereError:
        return False
    tally.did[f"forgeries of {kind.group}"] += 1
    share = max(map(forged.false_share, forged.rows), default=0.0)
    what = f"{kind.name} in {dataset.name}"
    _judge(commands, copy, kind, what, share, forged.touched, tally)
    return True


def _judge(
    commands: Commands,
    copy: Path,
    kind: _Kind,
    what: str,
    share: float,
    touched: set[str],
    tally: Tally,
) -> None:
    """Verify a forged dataset, and count what is not noticed or not named."""
    least = _LEAST if kind.group == "rows" and not share <= 0 else ()
    runs = [commands.run("verify", str(copy), *least)]
    allowed = () if kind.noticed == _OPEN else ("--allow-unproven",)
    runs.append(commands.run("verify", str(copy), *_ALL, *allowed))
    for ended, options in zip(runs, ((), _ALL), strict=True):
        example = f"{what} {' '.join(options)}: {ended.out}{ended.err}"
        expect_bounds(tally, ended, example)
        may_pass = not options and (kind.noticed == _SELECTION or 0 < share <= _FEW)
        if ended.code == 0 and may_pass:
            tally.did["passed verify, not --rebuild all"] += 1
            said = kind.noticed == _SELECTION or "would be noticed" in ended.out
            tally.expect(said, "no probability of what was missed", example)
            continue
        wrong = f"forgeries that pass verify {' '.join(options[:2])}".strip()
        tally.expect(ended.code != 0, wrong, example)
        tally.expect(_is_named(ended, touched), "forgeries not named", f"{touched}: {example}")


def _is_named(ended: Ended, touched: set[str]) -> bool:
    said = ended.out + ended.err
    return any(name in said for name in touched)
