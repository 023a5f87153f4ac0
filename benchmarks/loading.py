"""Rows per second into training: `synthgen.stream` beside other loaders of the same rows.

Each case runs in a process of its own, which reads some rows to warm up, and then one epoch; peak
memory is that of the process. `python -m benchmarks.loading CASE FOLDER WARM_UP_FOLDER` runs one.
All read the same Parquet files, except mosaicml-streaming, which has a form of its own.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import pyarrow.parquet as pq

import synthgen
from benchmarks.processes import run_python

BATCH = 1024
TEXTS = ("prompt", "answer")
_RECIPE = Path(__file__).with_name("hint-1m.toml")
_MEMORY_FACTOR = 4
_WARM_UP_ROWS = 20_000


def _stream(folder: str, form: str, columns: Sequence[str], **options: Any) -> Iterator[int]:
    train = synthgen.open(folder)["train"]
    view = train.select(*columns) if columns else train
    for batch in synthgen.stream(view, batch=BATCH, seed=7, form=form, **options):
        yield len(batch["prompt"]) if form == "numpy" else len(batch)


def _mixed(folder: str) -> Iterator[int]:
    train = synthgen.open(folder)["train"].select(*TEXTS)
    views = {"short": train.where("n_op <= 8"), "long": train.where("n_op > 8")}
    for batch in synthgen.stream(views, batch=BATCH, seed=7, weights={"short": 1, "long": 1}):
        yield len(batch)


def _pyarrow(folder: str, columns: Sequence[str]) -> Iterator[int]:
    for path in sorted(Path(folder, "data").glob("train-*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(BATCH, columns=list(columns) or None):
                yield len(batch)


def _datasets(
    folder: str, form: str, columns: Sequence[str], *, shuffle: bool = False
) -> Iterator[int]:
    from datasets import load_dataset

    rows = load_dataset(folder, split="train", streaming=True)
    if columns:
        rows = rows.select_columns(list(columns))
    if shuffle:
        rows = rows.shuffle(seed=7, buffer_size=10_000)
    if form == "arrow":
        for table in rows.with_format("arrow").iter(BATCH):
            yield len(table)
    else:
        for _ in rows:
            yield 1


def _mosaic(folder: str) -> Iterator[int]:
    from streaming import StreamingDataset

    for _ in StreamingDataset(local=_shards(folder), shuffle=True, batch_size=BATCH):
        yield 1


def _shards(folder: str) -> str:
    """Return the folder of the training rows as mosaicml-streaming stores them."""
    from streaming import MDSWriter

    shards = Path(f"{folder}-mds")
    if not shards.exists():
        with MDSWriter(out=str(shards), columns=dict.fromkeys(TEXTS, "str")) as out:
            view = synthgen.open(folder)["train"].select(*TEXTS)
            for batch in synthgen.stream(view, batch=BATCH, shuffle=False, form="dicts"):
                for row in batch:
                    out.write(row)
    return str(shards)


CASES: dict[str, Callable[[str], Iterator[int]]] = {
    "synthgen, Arrow, shuffled": lambda folder: _stream(folder, "arrow", TEXTS),
    "synthgen, dicts, shuffled": lambda folder: _stream(folder, "dicts", TEXTS),
    "synthgen, numpy, shuffled": lambda folder: _stream(folder, "numpy", TEXTS),
    "synthgen, Arrow, mixture": _mixed,
    "synthgen, Arrow, in order": lambda folder: _stream(folder, "arrow", TEXTS, shuffle=False),
    "synthgen, Arrow, shuffled, all columns": lambda folder: _stream(folder, "arrow", ()),
    "synthgen, dicts, shuffled, all columns": lambda folder: _stream(folder, "dicts", ()),
    "pyarrow, Arrow, in order": lambda folder: _pyarrow(folder, TEXTS),
    "pyarrow, Arrow, in order, all columns": lambda folder: _pyarrow(folder, ()),
    "datasets, Arrow, in order": lambda folder: _datasets(folder, "arrow", TEXTS),
    "datasets, dicts, in order": lambda folder: _datasets(folder, "dicts", TEXTS),
    "datasets, dicts, shuffled": lambda folder: _datasets(folder, "dicts", TEXTS, shuffle=True),
    "streaming, dicts, shuffled": _mosaic,
}
_OPTIONAL = ("datasets", "streaming")


def measure_loading(rows: int, repeats: int) -> list[dict[str, Any]]:
    """Return the median rates of all cases on one dataset, and their peak memory.

    Cases of synthgen also read a dataset several times as large, for its peak memory.
    """
    found: list[dict[str, Any]] = []
    with TemporaryDirectory() as top:
        warm, small, large = (str(Path(top, name)) for name in ("warm", "small", "large"))
        sizes = {warm: _WARM_UP_ROWS, small: rows, large: rows * _MEMORY_FACTOR}
        for folder, size in sizes.items():
            synthgen.build(_RECIPE, folder, rows=size)
        for name in CASES:
            if (peer := name.partition(",")[0]) in _OPTIONAL and find_spec(peer) is None:
                continue
            runs = [_run(name, small, warm) for _ in range(repeats)]
            runs.sort(key=lambda run: run["seconds"])
            one = runs[len(runs) // 2]
            one["rows_per_second"] = one["rows"] / one["seconds"]
            one["rows_per_cpu_second"] = one["rows"] / one["cpu_seconds"]
            if name.startswith("synthgen"):
                one["large_peak_bytes"] = _run(name, large, warm)["peak_bytes"]
            found.append(one)
    return found


def _run(name: str, folder: str, warm: str) -> dict[str, Any]:
    quiet = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    run = run_python(["-m", "benchmarks.loading", name, folder, warm], quiet)
    return {"name": name, **json.loads(run.output), "peak_bytes": run.main_bytes}


def main() -> None:
    """Read one epoch; print the rows and the seconds that they took."""
    name, folder, warm = sys.argv[1:]
    if name.startswith("streaming"):
        _shards(folder)
    sum(CASES[name](warm))
    began, cpu = perf_counter(), process_time()
    rows = sum(CASES[name](folder))
    spent = {"seconds": perf_counter() - began, "cpu_seconds": process_time() - cpu}
    print(json.dumps({"rows": rows, **spent}), flush=True)
    os._exit(0)  # threads of `datasets` may abort an ordinary end


if __name__ == "__main__":
    main()
