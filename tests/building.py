"""Small recipes and whole builds for tests."""

import contextlib
import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl

from synthgen.__main__ import main
from synthgen.auditing.report import audit
from synthgen.dataset.reader import open_dataset
from synthgen.engine.build import BuildResult, build
from synthgen.engine.earlier_runs import BuildMode
from synthgen.engine.plan.plan import Plan, make_plan
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.bundled import find_recipe
from synthgen.recipe.loader import read_recipe
from synthgen.recipe.overrides import Overrides


def recipe_of(*tables: str, seed: int = 3) -> str:
    """Return the text of a recipe that is called "small"."""
    return f'name = "small"\nseed = {seed}\n' + "".join(tables)


def source_of(generator: str, params: str = "", more: str = "") -> str:
    """Return a source; `params` is what a table in one line holds, `more` are further lines."""
    given = f"params = {{ {params} }}\n" if params else ""
    return f'[[source]]\ngenerator = "{generator}"\n{given}{more}\n'


def split_of(name: str, rows: int, where: str = "", more: str = "") -> str:
    """Return a split; `more` are further lines."""
    rule = f'where = "{where}"\n' if where else ""
    return f'[[split]]\nname = "{name}"\nrows = {rows}\n{rule}{more}\n'


SMALL = recipe_of(
    source_of("hint", "max_operators = 6, max_value = 100"),
    split_of("train", 3000, "n_op <= 5", 'balance = ["n_op"]'),
    split_of("test_i", 200, "n_op > 2", 'seen_in = "train"'),
    split_of("test", 500, "n_op BETWEEN 3 AND 5"),
    split_of("test_long", 500, "n_op > 5"),
    "[output]\nrows_per_shard = 700\nrow_group = 250\n",
)

TWO_SPLITS = recipe_of(
    source_of("hint", "max_operators = 4, max_value = 100"),
    split_of("train", 400, "n_op <= 2"),
    split_of("test", 100, "n_op > 2"),
    "[output]\nrows_per_shard = 100\n",
)


# 34 phrases without a repeat: 4 verbs x (1 + 6 manners) and turn x 6.
SHORT_PHRASES = "n_phrases = 1 AND repeat_1 = 'once'"
PARTS = recipe_of(
    source_of("scan"),
    split_of(
        "train",
        40,
        SHORT_PHRASES,
        """parts = [
    { rows = 24, where = "verb_1 = 'jump'", distinct = 5 },
    { rows = 16, where = "verb_1 <> 'turn'" },
]""",
    ),
    split_of("test", 2, f"{SHORT_PHRASES} AND verb_1 = 'jump'"),
)

# The same expressions with all parentheses written.
PAIRS = recipe_of(
    source_of("hint", "min_operators = 2, max_operators = 4"),
    source_of(
        "hint",
        'min_operators = 2, max_operators = 4, parentheses = "full"',
        'name = "full"\ndraws_of = "hint"',
    ),
    split_of("train", 300, "n_op < 4"),
    split_of("test", 100, "n_op >= 3"),
    split_of("test_full", 100, more='variant = { of = "test", source = "full" }'),
)


def write_recipe(folder: Path, text: str = SMALL, name: str = "small.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def plan_of(path: Path, *sets: str, **overrides: Any) -> Plan:
    return make_plan(read_recipe(path, Overrides(tuple(sets), **overrides)))


def build_small(
    tmp_path: Path, out: str = "out", *sets: str, workers: int = 1, text: str = SMALL, **more: Any
) -> BuildResult:
    mode = BuildMode(more.pop("fresh", False), more.pop("select_only", False))
    plan = plan_of(write_recipe(tmp_path, text), *sets, **more)
    with LocalEngine(workers) as engine:
        return build(plan, tmp_path / out, engine, Phases(), mode)


def build_plan(plan: Plan, out: Path) -> BuildResult:
    """Build in this process only."""
    with LocalEngine(1) as engine:
        return build(plan, out, engine, Phases())


def build_bundled(
    name: str, out: Path, *sets: str, **overrides: Any
) -> dict[str, list[dict[str, Any]]]:
    """Build a bundled recipe, have it audited, and return the rows of its splits."""
    plan = plan_of(find_recipe(name), *sets, **overrides)
    build_plan(plan, out)
    assert failed_checks(out) == {}
    return {split.name: rows_of(out, split.name) for split in plan.splits}


def failed_checks(folder: Path) -> dict[str, str]:
    """Audit a dataset without its measures, and return the details of the checks that failed."""
    report = audit(folder, measured=False)
    return {check.name: check.detail for check in report.checks if not check.ok}


def frame_of(folder: Path, split: str) -> pl.DataFrame:
    return pl.read_parquet(open_dataset(folder).shard_paths(split))


def rows_of(folder: Path, split: str) -> list[dict[str, Any]]:
    return frame_of(folder, split).to_dicts()


def ids_of(folder: Path, split: str) -> list[str]:
    return [row["id"] for row in rows_of(folder, split)]


def folder_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def synthgen(
    *arguments: str, cwd: Path | None = None, columns: int = 200
) -> subprocess.CompletedProcess[str]:
    """Run the command line in this process, which spares the start of another.

    A build has one worker where no number is given.
    """
    if arguments[0] == "build" and "--workers" not in arguments:
        arguments = (*arguments, "--workers", "1")
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["synthgen", *arguments]),
        mock.patch.dict(os.environ, environment() | {"COLUMNS": str(columns)}),
        contextlib.chdir(cwd or Path.cwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def succeeded(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in this process, and see that it ends well."""
    ended = synthgen(*arguments, cwd=cwd)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended


def synthgen_process(
    *arguments: str, cwd: Path | None = None, path: Path | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own; `path` is put in front of the module path."""
    return subprocess.run(
        [sys.executable, "-m", "synthgen", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment(path),
        timeout=timeout,
        check=False,
    )


def environment(path: Path | None = None) -> dict[str, str]:
    root = str(Path(__file__).parents[1])
    parts = [str(path)] if path else []
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*parts, root]), "COLUMNS": "200"}
