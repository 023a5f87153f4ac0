"""Quick runs of the benchmarks and of the campaigns of faults."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks import nearest
from benchmarks.__main__ import main
from benchmarks.families import CASES
from benchmarks.faults.__main__ import CAMPAIGNS, show
from benchmarks.faults.__main__ import main as faults
from benchmarks.faults.common import Commands, Ended, Tally, expect_bounds, expect_same
from benchmarks.limits import LIMIT
from benchmarks.loading import CASES as LOADING
from benchmarks.measure import Measurement, timed
from benchmarks.peers import BASELINE, MEDIAN_ROW_RATE
from benchmarks.performance import PAGE, draw_plot
from benchmarks.processes import run_python
from benchmarks.speed import with_ratios
from synthgen.dataset.row_schema import row_schema
from synthgen.dataset.shards import write_shard, writer_options
from tests.building import plan_of

ROWS = 2_000
STEPS = ["draw", "render", "verify", "select", "make tables", "write", "whole build"]
KEYS = {
    "rows",
    "runs_seconds",
    "median_seconds",
    "cores",
    "rows_per_second_per_core",
    "ratio_to_basic_arithmetic",
    "ratio_to_its_median_row",
    "ratio_to_write_limit",
}


@pytest.mark.slow
def test_a_quick_run_measures_every_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "figures" / "speed.json"
    assert main(["--quick", "--rows", str(ROWS), "--json", str(path)]) == 0
    result = json.loads(path.read_text())
    assert (result["rows"], result["repeats"]) == (ROWS, 1)
    assert {"usable_processors", "python", "libraries"} <= set(result["machine"])
    steps = {step["name"]: step for step in result["speed"]}
    for begin in STEPS:
        assert any(name.startswith(begin) for name in steps), begin
    for step in steps.values():
        assert set(step) >= KEYS
        assert step["median_seconds"] > 0
    assert steps["whole build"]["phase_seconds"].keys() == {"select", "write"}
    assert steps[LIMIT]["ratio_to_write_limit"] == 1
    printed = capsys.readouterr().out
    assert "rows/s per core" in printed
    assert printed.endswith(f"figures: {path}\n")


@pytest.mark.slow
@pytest.mark.parametrize("installed", [False, True])
def test_families_run_beside_the_nearest_tasks(
    installed: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if installed:
        pytest.importorskip("reasoning_gym")
    else:
        monkeypatch.setattr(nearest, "installed_version", lambda _: None)
    pairs = tuple(pair for pair in nearest.PAIRS if pair.family in ("sequences", "sokoban"))
    monkeypatch.setattr(nearest, "PAIRS", pairs)
    monkeypatch.setattr(nearest, "generator_names", lambda: ["grokking", "sequences", "sokoban"])
    path, page = tmp_path / "nearest.json", tmp_path / "performance.md"
    page.write_text(PAGE.read_text())
    monkeypatch.setattr("benchmarks.__main__.PAGE", page)
    monkeypatch.setattr("benchmarks.__main__.draw_plot", lambda *_: None)
    options = ["--quick", "--rows", "1000", "--performance", "--page", "--json", str(path)]
    assert main(options) == 0
    result = json.loads(path.read_text())
    assert [one["rows"] for one in result["scaling"]] == [1000]
    found = result["nearest"]
    assert [one["task"] for one in found] == [*(pair.task for pair in pairs), ""]
    for one in found:
        assert one["write_limit_per_cpu_second"] > one["stored_per_cpu_second"] > 0
        assert one["generated_per_cpu_second"] > one["stored_per_cpu_second"]
        assert ("peer_stored_per_cpu_second" in one) == (installed and bool(one["task"]))
    missing = "reasoning-gym is not installed: its tasks are not measured"
    assert (missing in capsys.readouterr().out) != installed
    (row,) = [line for line in page.read_text().splitlines() if line.startswith("| grokking |")]
    assert row.endswith(" | - | - | - |")
    assert page.read_text().count("| sequences |") == 3


def test_the_plot_shows_every_family(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rates = {"generated_per_cpu_second": 9.0, "stored_per_cpu_second": 8.0}
    rates["write_limit_per_cpu_second"] = 90.0
    alone = {"family": "grokking", "task": "", **rates}
    beside = {"family": "sudoku", "task": "sudoku", "peer_stored_per_cpu_second": 2.0, **rates}
    size = {"rows": 1000, "seconds": 1.0, "peak_bytes": 1 << 20}
    draw_plot({"nearest": [beside, alone], "scaling": [size]}, tmp_path / "plot.svg")
    drawn = (tmp_path / "plot.svg").read_text()
    for text in ("sudoku / sudoku", "grokking", "verified and stored", "rows of a build of HINT"):
        assert f">{text}</text>" in drawn


def test_the_page_is_written_with_all_figures_only() -> None:
    with pytest.raises(SystemExit):
        main(["--page"])


@pytest.mark.slow
def test_a_quick_run_builds_families(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {*CASES} - {"scan"}:
        monkeypatch.delitem(CASES, name)
    path = tmp_path / "families.json"
    assert main(["--quick", "--families", "--rows", "1000", "--json", str(path)]) == 0
    families = {one["recipe"]: one for one in json.loads(path.read_text())["families"]}
    assert set(families) == {"scan"}
    assert families["scan"]["rows"] == 1000
    assert families["scan"]["whole_seconds"] > families["scan"]["phase_seconds"] > 0
    assert families["scan"]["ratio_to_write_limit"] > 0
    assert "scan" in capsys.readouterr().out


@pytest.mark.parametrize("name", CASES)
def test_the_recipes_of_families_are_valid(name: str) -> None:
    case = CASES[name]
    assert plan_of(case.recipe, *case.sets, rows=case.rows).splits


@pytest.mark.slow
def test_a_quick_run_loads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {*LOADING} - {"synthgen, Arrow, shuffled", "pyarrow, Arrow, in order"}:
        monkeypatch.delitem(LOADING, name)
    path = tmp_path / "loading.json"
    assert main(["--quick", "--loading", "--rows", "3000", "--json", str(path)]) == 0
    ours, plain = json.loads(path.read_text())["loading"]
    assert ours["rows"] == plain["rows"] == 3000
    assert ours["rows_per_second"] > 0
    assert "pyarrow, Arrow, in order" in capsys.readouterr().out


def test_the_limit_writes_as_shards_are_written(tmp_path: Path) -> None:
    schema = row_schema({})
    columns = {
        field.name: pa.array(["a", "b"] if pa.types.is_string(field.type) else [1, 2], field.type)
        for field in schema
    }
    table = pa.table(columns, schema=schema)
    write_shard(tmp_path / "shard.parquet", schema, [table], row_group=1)
    options = writer_options(schema)
    pq.write_table(table, tmp_path / "limit.parquet", row_group_size=1, **options)
    assert _storage(tmp_path / "limit.parquet") == _storage(tmp_path / "shard.parquet")


def _storage(path: Path) -> list[dict[str, Any]]:
    """Return how each column of each row group is stored."""
    metadata = pq.ParquetFile(path).metadata
    names = ("path_in_schema", "compression", "encodings", "has_column_index", "num_values")
    columns = [
        metadata.row_group(group).column(column)
        for group in range(metadata.num_row_groups)
        for column in range(metadata.num_columns)
    ]
    return [{name: getattr(column, name) for name in names} for column in columns]


def test_rates_and_ratios() -> None:
    steps = [
        Measurement("step", 1_200, (1.0, 3.0, 2.0), cores=2),
        Measurement(LIMIT, 100, (0.5,)),
        Measurement(BASELINE, 100, (10.0,), facts={MEDIAN_ROW_RATE: 60.0}),
    ]
    step, limit, _ = with_ratios(steps)
    assert step["median_seconds"] == 2
    assert step["rows_per_second_per_core"] == 300
    assert step["ratio_to_write_limit"] == 1.5
    assert step["ratio_to_basic_arithmetic"] == 30
    assert step["ratio_to_its_median_row"] == 5
    assert limit["ratio_to_write_limit"] == 1
    assert with_ratios(steps[:1])[0]["ratio_to_basic_arithmetic"] is None


def test_the_warm_up_is_not_counted() -> None:
    done: list[int] = []
    assert len(timed(lambda: done.append(1), repeats=3)) == 3
    assert len(done) == 4


def test_memory_is_measured_for_the_process_and_its_child_separately() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    child = "import time; keep = bytearray(120 << 20); time.sleep(0.3)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}], check=True)"
    run = run_python(["-c", code])
    assert run.children == 1
    assert run.main_bytes is not None
    assert run.child_bytes is not None
    assert run.main_bytes < 100 << 20 < run.child_bytes
    assert run.all_bytes == run.main_bytes + run.child_bytes


def test_a_command_that_fails_says_what_it_printed() -> None:
    with pytest.raises(RuntimeError, match=r"exit code 3\n.*broken"):
        run_python(["-c", "import sys; print('broken', file=sys.stderr); sys.exit(3)"])


def test_rows_must_be_positive() -> None:
    with pytest.raises(SystemExit):
        main(["--rows", "0"])


DID = {
    "kill": {"builds", "builds that replace a dataset", "builds without data"},
    "disk": {"builds with files of limited size"},
    "calls": set(),
    "flip": {"flipped bytes", "files cut short", "edited manifests", "pairs of files exchanged"},
    "forge": {"kinds", "of rows"},
    "fuzz": {"validate refused", "pages", "mutated answers that are right"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DID)
def test_a_small_campaign_finds_nothing_wrong(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = CAMPAIGNS[name]("small", 1, tmp_path)
    assert tally.examples == []
    assert not tally.wrong.total()
    assert all(tally.did[what] for what in DID[name])
    show(name, tally, 1.0)
    assert max(map(len, capsys.readouterr().out.splitlines())) < 80


def test_the_other_campaigns_are_tested_with_their_packages() -> None:
    assert CAMPAIGNS.keys() - DID.keys() == {"store", "ray"}  # in test_s3.py and test_ray.py


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("store", "skipped without s3fs and moto: pip install s3fs 'moto[server]'"),
        ("ray", "skipped without ray: pip install ray"),
    ],
)
def test_a_campaign_without_its_packages_is_skipped(
    name: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("benchmarks.faults.common.find_spec", lambda _: None)
    page = tmp_path / "page.md"  # would be written
    monkeypatch.setattr("benchmarks.faults.__main__.PAGE", page)
    assert faults([name, "--size", "full"]) == 0
    *_, line = capsys.readouterr().out.splitlines()
    assert line.split(maxsplit=1) == [name, said]


def test_a_failed_check_is_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(size: str, seed: int, folder: Path) -> Tally:
        tally = Tally()
        expect_same(tally, {"a": "1", "c": "1"}, {"a": "2", "b": "1"}, "a build")
        expect_bounds(tally, Ended(None), "an endless command")
        return tally

    monkeypatch.setitem(CAMPAIGNS, "kill", found)
    assert faults(["kill"]) == 1
    said = capsys.readouterr().out
    for line in ("other bytes: a build: ['a', 'b']", "left-over files: a build: ['c']"):
        assert f"builds with {line}" in said
    assert "hangs and crashes: an endless command" in said


def test_a_full_run_writes_its_row_of_the_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    head = "Text.\n\n| campaign | done | wrong |\n|---|---|---|\n"
    page.write_text(f"{head}| `kill` | old | 0 |\n| `disk` | 1 | 0 |\n\nMore.\n")
    monkeypatch.setattr("benchmarks.faults.__main__.PAGE", page)

    def done(size: str, seed: int, folder: Path) -> Tally:
        return Tally(Counter({"builds": 1_200, "none": 0}), Counter({"hangs": 0}))

    monkeypatch.setitem(CAMPAIGNS, "kill", done)
    assert faults(["kill", "--size", "full", "--seed", "9"]) == 0
    text = page.read_text()
    assert text.startswith(f"{head}| `kill` | 1,200 builds (")
    assert ", seed 9, " in text
    assert text.endswith(" | 0 |\n| `disk` | 1 | 0 |\n\nMore.\n")
    page.write_text("No table.\n")
    with pytest.raises(ValueError, match="no table of campaigns"):
        faults(["kill", "--size", "full"])


def test_a_command_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("benchmarks.faults.common.PATIENCE", 0.0)
    with Commands(tmp_path) as commands:
        assert commands.run("list").code is None
        monkeypatch.setattr("benchmarks.faults.common.PATIENCE", 100.0)
        ended = commands.run("validate", str(tmp_path))
    assert ended.code == 2
    assert ended.peak_bytes > 1 << 20
