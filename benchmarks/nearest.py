"""Families in plain Python beside reasoning-gym's nearest tasks, in one run on one core.

Ours are drawn, written as text, verified and stored as Parquet; the peer's rows are generated and
thrown away. Rates are of CPU seconds, so that other processes matter less, and the two alternate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from benchmarks.machine import installed_version
from benchmarks.peers import DISTRIBUTION
from synthgen.core.contract import Generator, Render, Verifier, valid_ones
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.registry import generator_class, load_verifier

_SEED, _BATCH = 1, 250
_MOST_ROWS = 1_000_000


class Pair(NamedTuple):
    """A family and a task of the peer, with settings that make their problems alike.

    Attributes:
        task: dataset of the peer.
        family: name of our generator.
        params: of our generator.
        settings: of the peer, where its default differs in size.
    """

    task: str
    family: str
    params: Mapping[str, Any] = {}
    settings: Mapping[str, Any] = {}


_HUNDRED = {"min_digits": 100, "max_digits": 100}
_ROOM = {"min_w": 6, "max_w": 6, "min_h": 6, "max_h": 6, "min_boxes": 1, "max_boxes": 1}
PAIRS = (
    Pair("chain_sum", "addition", _HUNDRED, {"min_terms": 2, "max_terms": 2, **_HUNDRED}),
    Pair("products", "multiplication", {"max_digits": 5}),
    Pair("spell_backward", "sequences", {"tasks": ("reverse",), "min_length": 3, "max_length": 10}),
    Pair(
        "number_sorting",
        "sequences",
        {"tasks": ("sort",), "items": "numbers", "min_length": 3, "max_length": 10},
    ),
    Pair("coin_flip", "sequences", {"tasks": ("parity",), "min_length": 3, "max_length": 7}),
    Pair("game_of_life", "automata", {"tasks": ("cellular_automaton",)}),
    Pair("string_manipulation", "string_systems", {"system": "manipulation", "empty": True}),
    Pair(
        "ab",
        "string_systems",
        {"system": "ab", "min_length": 10, "max_length": 10, "empty": True},
    ),
    Pair("string_insertion", "string_systems", {"system": "insertion"}),
    Pair("string_synthesis", "block_synthesis"),
    Pair("family_relationships", "multihop_paths", {"max_hops": 3}),
    Pair("bf", "programs"),
    Pair("countdown", "countdown"),
    Pair("puzzle24", "general_points"),
    Pair("sudoku", "sudoku", {"min_blanks": 30, "max_blanks": 50}),
    Pair("mini_sudoku", "sudoku", {"size": 4, "min_blanks": 8, "max_blanks": 12}),
    Pair("sokoban", "sokoban", {}, _ROOM),
    Pair("path_star", "graph_paths", {"tasks": ("star",)}),
    Pair("shortest_path", "graph_paths", {"tasks": ("shortest",)}),
    Pair("rectangle_count", "board_shapes"),
)


def measure_nearest(seconds: float, repeats: int) -> list[dict[str, Any]]:
    """Measure each pair; only ours if the peer is not installed.

    Args:
        seconds: CPU time of each run.
        repeats: runs of each side, in turn.
    """
    return [_measure(pair, seconds, repeats) for pair in PAIRS]


def _measure(pair: Pair, seconds: float, repeats: int) -> dict[str, Any]:
    version = installed_version(DISTRIBUTION)
    with TemporaryDirectory() as scratch:
        sides = {"rows_per_cpu_second": _ours(pair, Path(scratch) / "rows.parquet")}
        if version is not None:
            sides["peer_rows_per_cpu_second"] = _theirs(pair)
        rates: dict[str, list[float]] = {side: [] for side in sides}
        for rows in sides.values():
            next(rows)  # imports, caches
        for _ in range(repeats):
            for side, rows in sides.items():
                rates[side].append(_rate(rows, seconds))
    facts = {"family": pair.family, "task": pair.task, "peer_version": version}
    return {**facts, **{side: median(found) for side, found in rates.items()}}


def _rate(rows: Iterator[int], seconds: float) -> float:
    made, began, spent = 0, process_time(), 0.0
    while spent <= seconds:
        made += next(rows)
        spent = process_time() - began
    return made / spent


def _ours(pair: Pair, file: Path) -> Iterator[int]:
    """Make, verify and store batches, and yield their numbers of rows."""
    generator: Generator = generator_class(pair.family)(**pair.params)
    verifier: Verifier = load_verifier(generator.verifier)
    stream, style = stream_key(_SEED, "benchmark"), Render(generator.prompts[0], "none")
    for start in count(0, _BATCH):
        start %= generator.space or 2**62
        end = min(start + _BATCH, generator.space or 2**63)
        problems = valid_ones(generator.draw(Rows.span(stream, start, end)))
        texts = generator.render(problems, style)
        if not np.all(verifier.check(texts.prompts, texts.answers, texts.solutions)):
            msg = f"{pair.family}: a row was not verified"
            raise RuntimeError(msg)
        table = pa.table({"prompt": texts.prompts, "answer": texts.answers})
        pq.write_table(table, file, compression="zstd", compression_level=3)
        yield len(problems)


def _theirs(pair: Pair) -> Iterator[int]:
    """Generate rows one by one."""
    import reasoning_gym

    made = reasoning_gym.create_dataset(pair.task, size=_MOST_ROWS, seed=_SEED, **pair.settings)
    for index in count():
        with redirect_stdout(StringIO()):  # some tasks print
            made[index % _MOST_ROWS]
        yield 1


def show_nearest(console: Console, pairs: Sequence[Mapping[str, Any]]) -> None:
    """Show both rates, and say so if the peer is missing."""
    table = Table("family", f"task of {DISTRIBUTION}", "rows/CPU s", "its rows/CPU s", "times")
    for pair in pairs:
        ours, theirs = pair["rows_per_cpu_second"], pair.get("peer_rows_per_cpu_second")
        beside = ("", "") if theirs is None else (f"{theirs:,.0f}", f"{ours / theirs:.1f}")
        table.add_row(pair["family"], pair["task"], f"{ours:,.0f}", *beside)
    console.print(table)
    if not any("peer_rows_per_cpu_second" in pair for pair in pairs):
        console.print(f"{DISTRIBUTION} is not installed: its tasks are not measured")
