"""Train what has no result yet, and write the page of results.

    python -m experiments                  all runs of runs.toml, two at a time
    python -m experiments scan-simple      one of them; once more if it has its results
    python -m experiments --page           docs/evidence.md and its plots, from the results

A killed command goes on where it was when it is run again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

import synthgen
from experiments.figures import figures
from experiments.results import FIGURES, HERE, RESULTS, Run, add_rows, read_table, runs_of
from experiments.training import Trainer
from synthgen.core.files import replace_text

FOLDER = Path("outputs/evidence")


def train(run: Run, seed: int) -> None:
    """Train one model, and write its result beside its checkpoint."""
    torch.set_num_threads(1)
    data, folder = FOLDER / run.name / "data", FOLDER / run.name / f"seed-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(data, folder, run.model, seed)
    trainer.train(run.steps)
    scores = trainer.score(run.test_rows, run.by)
    manifest = synthgen.open_dataset(data).manifest
    common = {
        "run": run.name,
        "recipe": run.recipe,
        "seed": seed,
        "steps": run.steps,
        "batch": run.model.batch,
        "train_rows": len(synthgen.open(data)["train"]),
        "parameters": trainer.parameters,
        "minutes": round(trainer.minutes, 1),
        "device": trainer.device,
        "fingerprint": manifest.fingerprint,
        "digest": manifest.digest,
        "synthgen": synthgen.__version__,
        "torch": version("torch"),
    }
    rows = [
        {**common, "split": split, "part": part, "rows": right.rows, "accuracy": right.mean}
        for split, score in scores.items()
        for part, right in {"": score.accuracy, **score.groups}.items()
        if right is not None
    ]
    replace_text(folder / "result.json", json.dumps(rows))


def prepare(run: Run) -> None:
    """Build the dataset of a run, and add its figures to their table."""
    recipe = HERE / run.recipe if "/" in run.recipe else run.recipe
    folder = FOLDER / run.name / "data"
    digest = synthgen.build(recipe, folder, rows=run.rows, sets=run.sets).manifest.digest
    known = read_table(FIGURES)
    if len(known) and digest in known.filter(run=run.name)["digest"]:
        return
    common = {"run": run.name, "digest": digest}
    rows = [{**common, "split": split, **of} for split, of in figures(folder).items() if of]
    add_rows(FIGURES, rows, ["run"])


def due(runs: list[Run], seeds: int | None, *, named: bool) -> Iterator[tuple[Run, int]]:
    """Yield runs and seeds that have no result: the first seed of every run before the second.

    A run that was named and has all its results is trained once more, to compare it with them.
    """
    results = read_table(RESULTS)
    done = set(results.select("run", "seed").iter_rows()) if len(results) else set()
    for seed in range(max((seeds or run.seeds) for run in runs)):
        for run in runs:
            if seed < (seeds or run.seeds) and (run.name, seed) not in done:
                yield run, seed
    for run in runs if named else ():
        if all((run.name, seed) in done for seed in range(seeds or run.seeds)):
            yield run, 0


def train_all(waiting: list[tuple[Run, int]], jobs: int) -> None:
    """Train models, some at a time."""
    active: list[tuple[subprocess.Popen[bytes], Run, int]] = []
    while waiting or active:
        while waiting and len(active) < jobs:
            run, seed = waiting.pop(0)
            try:
                prepare(run)
            except synthgen.SynthgenError as error:
                print(f"{run.name}: skipped, as its dataset cannot be built: {error}", flush=True)
                waiting = [each for each in waiting if each[0] != run]
                continue
            command = [sys.executable, "-m", "experiments", run.name, "--one", str(seed)]
            environment = {**os.environ, "OMP_NUM_THREADS": "1"}
            active.append((subprocess.Popen(command, env=environment), run, seed))  # noqa: S603
            print(f"{run.name}, seed {seed}: started", flush=True)
        time.sleep(1)
        for process, run, seed in [each for each in active if each[0].poll() is not None]:
            active = [each for each in active if each[0] is not process]
            if process.returncode:
                print(f"{run.name}, seed {seed}: failed with {process.returncode}", flush=True)
            else:
                path = FOLDER / run.name / f"seed-{seed}" / "result.json"
                report(json.loads(path.read_text(encoding="utf-8")))


def report(rows: list[dict[str, Any]]) -> None:
    """Print the result of a model, and add it to the table unless that has one of its seed."""
    name, seed, minutes = (rows[0][key] for key in ("run", "seed", "minutes"))
    known = read_table(RESULTS)
    of_run = known.filter(run=name, part="") if len(known) else None
    print(f"{name}, seed {seed}: {minutes} minutes")
    for row in rows:
        if not row["part"]:
            others = (
                [] if of_run is None else of_run.filter(split=row["split"])["accuracy"].to_list()
            )
            before = f" (table: {', '.join(f'{each:.3f}' for each in others)})" if others else ""
            print(f"  {row['split']} {row['accuracy']:.3f}{before}", flush=True)
    if of_run is None or seed not in of_run["seed"]:
        add_rows(RESULTS, rows, ["run", "seed"])


def main() -> None:
    """Read the options, and train or write the page."""
    lines = __doc__.splitlines()
    parser = argparse.ArgumentParser(prog="python -m experiments", description=lines[0])
    parser.add_argument("names", nargs="*", help="runs; by default all")
    parser.add_argument("--jobs", type=int, default=2, help="models trained at the same time")
    parser.add_argument("--seeds", type=int, help="models of each run, instead of its own number")
    parser.add_argument(
        "--page", action="store_true", help="write docs/evidence.md, and train nothing"
    )
    parser.add_argument("--one", type=int, metavar="SEED", help="train this seed here, no more")
    options = parser.parse_args()
    if options.page:
        from experiments.page import write_page

        write_page()
        return
    runs = runs_of()
    unknown = {*options.names} - {run.name for run in runs}
    if unknown:
        parser.error(
            f"no run {', '.join(sorted(unknown))}; runs: {', '.join(r.name for r in runs)}"
        )
    runs = [run for run in runs if not options.names or run.name in options.names]
    if options.one is not None:
        train(runs[0], options.one)
    else:
        waiting = due(runs, options.seeds, named=bool(options.names))
        train_all(list(waiting), options.jobs)


if __name__ == "__main__":
    main()
