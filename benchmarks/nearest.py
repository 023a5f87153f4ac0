"""Every family beside reasoning-gym's nearest task: rows per CPU second, in one run.

Ours are drawn and written as text, then verified and stored as Parquet; the peer's rows are
generated, then stored. Rates are of CPU seconds of one process, so that other processes matter
less, and the two sides alternate.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from io import StringIO
from itertools import count, cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.machine import installed_version
from benchmarks.peers import DISTRIBUTION
from synthgen.contract.interfaces import Generator, Render, Verifier
from synthgen.contract.registry import generator_class, generator_names, load_verifier
from synthgen.draws.randomness import Rows, stream_key

_SEED, _MAX_ROWS = 1, 1_000_000
_PEER_BATCH, _PEER_SECONDS = 1024, 0.2
"""Most rows of a batch of the peer, and CPU seconds after which a batch ends."""


class Pair(NamedTuple):
    """A family and a task of the peer, with settings that make their problems alike.

    Attributes:
        family: name of our generator.
        task: dataset of the peer; "" if it has nothing like the family.
        params: of our generator.
        settings: of the peer, where its default differs in size.
    """

    family: str
    task: str = ""
    params: Mapping[str, Any] = {}
    settings: Mapping[str, Any] = {}


class _Batch(NamedTuple):
    """Rows of one batch, and the CPU seconds that they took."""

    rows: int
    generated: float
    verified: float
    stored: float


_HUNDRED = {"min_digits": 100, "max_digits": 100}
_ROOM = {"min_w": 6, "max_w": 6, "min_h": 6, "max_h": 6, "min_boxes": 1, "max_boxes": 1}
_LOW = {"levels": (1, 2)}
PAIRS = (
    Pair("hint", "basic_arithmetic", {"max_operators": 5}),
    Pair("addition", "chain_sum", _HUNDRED, {"min_terms": 2, "max_terms": 2, **_HUNDRED}),
    Pair("multiplication", "products", {"max_digits": 5}),
    Pair("arithmetic_gcd", "gcd", _LOW),
    Pair("arithmetic_list_prime_factors", "prime_factorization", _LOW),
    Pair("arithmetic_mixed", "decimal_arithmetic", _LOW),
    Pair("algebra_linear_equation", "simple_equations", {"levels": (1,)}),
    Pair("algebra_polynomial_roots", "polynomial_equations", _LOW),
    Pair("trans_integrations", "intermediate_integration"),
    Pair("trans_de_moivre", "complex_arithmetic"),
    Pair("geometry_triangle", "advanced_geometry", {"levels": (1,)}),
    Pair("logic_zebralogic", "zebra_puzzles", {"levels": (3,)}),
    Pair("sequences", "spell_backward", {"tasks": ("reverse",), "min_length": 3, "max_length": 10}),
    Pair(
        "sequences",
        "number_sorting",
        {"tasks": ("sort",), "items": "numbers", "min_length": 3, "max_length": 10},
    ),
    Pair("sequences", "coin_flip", {"tasks": ("parity",), "min_length": 3, "max_length": 7}),
    Pair("automata", "game_of_life", {"tasks": ("cellular_automaton",)}),
    Pair("string_systems", "string_manipulation", {"system": "manipulation", "empty": True}),
    Pair(
        "string_systems",
        "ab",
        {"system": "ab", "min_length": 10, "max_length": 10, "empty": True},
    ),
    Pair("string_systems", "string_insertion", {"system": "insertion"}),
    Pair("block_synthesis", "string_synthesis"),
    Pair("multihop_paths", "family_relationships", {"max_hops": 3}),
    Pair("programs", "bf"),
    Pair("countdown", "countdown"),
    Pair("general_points", "puzzle24"),
    Pair("sudoku", "sudoku", {"min_blanks": 30, "max_blanks": 50}),
    Pair("sudoku", "mini_sudoku", {"size": 4, "min_blanks": 8, "max_blanks": 12}),
    Pair("sokoban", "sokoban", {}, _ROOM),
    Pair("graph_paths", "path_star", {"tasks": ("star",)}),
    Pair("graph_paths", "shortest_path", {"tasks": ("shortest",)}),
    Pair("board_shapes", "rectangle_count"),
)


def measure_nearest(seconds: float, repeats: int) -> list[dict[str, Any]]:
    """Measure every generator, beside each task of the peer that is near it, if that is installed.

    Args:
        seconds: CPU time of each run.
        repeats: runs of each side, in turn.
    """
    paired = {pair.family for pair in PAIRS}
    alone = [Pair(name) for name in generator_names() if name not in paired]
    cases = sorted([*PAIRS, *alone], key=lambda pair: (not pair.task, pair.family))
    return [_measure(pair, seconds, repeats) for pair in cases]


def _measure(pair: Pair, seconds: float, repeats: int) -> dict[str, Any]:
    version = installed_version(DISTRIBUTION)
    found: dict[str, Any] = {"family": pair.family, "task": pair.task, "peer_version": version}
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "rows.parquet"
        sides = {"": _ours(pair, file)}
        if version is not None and pair.task:
            sides["peer_"] = _theirs(pair, file)
        runs: dict[str, list[_Batch]] = {side: [] for side in sides}
        for batches in sides.values():
            next(batches)  # imports, compilation, caches
        gc.collect()
        gc.freeze()  # what other families have left in memory would cost this one time
        for _ in range(repeats):
            for side, batches in sides.items():
                runs[side].append(_run(batches, seconds))
    for side, totals in runs.items():
        found[f"{side}generated_per_cpu_second"] = median(
            one.rows / one.generated for one in totals
        )
        found[f"{side}stored_per_cpu_second"] = median(
            one.rows / (one.generated + one.verified + one.stored) for one in totals
        )
    found["write_limit_per_cpu_second"] = median(one.rows / one.stored for one in runs[""])
    return found


def _run(batches: Iterator[_Batch], seconds: float) -> _Batch:
    """Return the sum of batches that take this long."""
    made: list[_Batch] = []
    spent = 0.0
    while spent <= seconds:
        made.append(next(batches))
        spent += sum(made[-1][1:])
    rows, *times = (sum(column) for column in zip(*made, strict=True))
    return _Batch(int(rows), *times)


def _ours(pair: Pair, file: Path) -> Iterator[_Batch]:
    """Make, verify and store the blocks of a generator, in turn and again from the first."""
    generator: Generator = generator_class(pair.family)(**pair.params)
    verifier: Verifier = load_verifier(generator.verifier)
    stream, style = stream_key(_SEED, "benchmark"), Render(generator.prompts[0], "none")
    space = generator.space or 2**62
    for block in count():
        start = block * generator.block % space
        times = [process_time()]
        problems = generator.draw(Rows.span(stream, start, min(start + generator.block, space)))
        times.append(process_time())
        if not problems.valid.all():  # what was drawn in vain counts, but not the second time
            problems = generator.draw(Rows(stream, problems.rows.addresses[problems.valid]))
        times.append(process_time())
        texts = generator.render(problems, style)
        times.append(process_time())
        if not np.all(verifier.check(texts.prompts, texts.answers, texts.solutions)):
            msg = f"{pair.family}: a row was not verified"
            raise RuntimeError(msg)
        times.append(process_time())
        _store(texts.prompts, texts.answers, file)
        times.append(process_time())
        drawn, _, rendered, verified, stored = np.diff(times).tolist()
        yield _Batch(len(problems), drawn + rendered, verified, stored)


def _theirs(pair: Pair, file: Path) -> Iterator[_Batch]:
    """Generate and store rows of the peer."""
    import reasoning_gym

    made = reasoning_gym.create_dataset(pair.task, size=_MAX_ROWS, seed=_SEED, **pair.settings)
    indices = cycle(range(_MAX_ROWS))
    while True:
        rows: list[dict[str, Any]] = []
        began, spent = process_time(), 0.0
        with redirect_stdout(StringIO()):  # some tasks print
            while len(rows) < _PEER_BATCH and spent < _PEER_SECONDS:
                rows.append(made[next(indices)])
                spent = process_time() - began
        began = process_time()
        _store([row["question"] for row in rows], [str(row["answer"]) for row in rows], file)
        yield _Batch(len(rows), spent, 0.0, process_time() - began)


def _store(prompts: Any, answers: Any, file: Path) -> None:
    table = pa.table({"prompt": prompts, "answer": answers})
    pq.write_table(table, file, compression="zstd", compression_level=3)
