"""Evaluations in training data: rows of both, by level, in files, datasets and memory."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import synthgen
from synthgen.core.errors import DatasetError, UnknownNameError
from tests.building import succeeded
from tests.building import synthgen as command

QUESTIONS = [
    f"Ann has {n} red apples and eats {n % 7} of them every day in May" for n in range(300)
]


def write(path: Path, prompts: list[str | None], name: str = "question") -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.table({name: prompts, "split": ["train"] * len(prompts)}), path)
    else:
        path.write_text("".join(f"{json.dumps({name: each})}\n" for each in prompts))
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    evaluation = [
        "What is the capital of the country where the longest river of Europe ends?",
        QUESTIONS[7],
        QUESTIONS[200].replace(" ", "  "),
        QUESTIONS[250] + " or so",
        QUESTIONS[7],
    ]
    train = [*QUESTIONS[:250], None, QUESTIONS[7], *QUESTIONS[250:]]
    return write(tmp_path / "big.parquet", train), write(tmp_path / "eval.jsonl", [*evaluation])


def test_shared_rows_are_counted_and_shown(files: tuple[Path, Path]) -> None:
    train, evaluation = files
    report = synthgen.audit(train, against=[evaluation])
    found = {"rows": 5, "against": {"prompt": 2, "normalised": 3, "near": 1}}
    assert report.figures == {"eval_jsonl": found}
    assert [check.ok for check in report.checks] == [False, False]
    rows = report.blocks[0].tables[1].rows
    assert [row[:3] for row in rows] == [
        (f"{evaluation}: row 2 (line 2)", f"{train}: row 8", 2),
        (f"{evaluation}: row 3 (line 3)", f"{train}: row 201", 1),
        (f"{evaluation}: row 4 (line 4)", "a near duplicate", None),
        (f"{evaluation}: row 5 (line 5)", f"{train}: row 8", 2),
    ]


def test_clean_data_pass(tmp_path: Path, files: tuple[Path, Path]) -> None:
    other = write(tmp_path / "other.jsonl", ["Name an animal.", "Name a plant."], "say")
    report = synthgen.audit(files[0], against=[other], columns={"against": "say"})
    assert report.ok
    assert (
        report.blocks[0].text
        == "big.parquet has no row of the evaluations, and no near duplicate of one."
    )


def test_splits_and_datasets(tmp_path: Path, files: tuple[Path, Path]) -> None:
    built = synthgen.build("scan-length", tmp_path / "scan", rows=400, workers=1).folder
    rows = synthgen.open(built)
    leaked = write(tmp_path / "leak.jsonl", [rows["train"][3]["prompt"], "no such command"])
    report = synthgen.audit(built, against=[leaked])
    assert report.figures["leak_jsonl"]["against"]["prompt"] == 1
    assert synthgen.audit(built, against=[built]).ok  # its own test
    with pytest.raises(UnknownNameError, match="trian"):
        synthgen.audit(built, against=[leaked], train="trian")
    with pytest.raises(DatasetError, match=r"empty\.parquet: no rows"):
        synthgen.audit(write(tmp_path / "empty.parquet", [None]), against=[leaked])
    train, evaluation = files
    words = ("audit", str(train), "--split-col", "split", "--against", str(evaluation))
    assert command(*words).returncode == 1
    assert command(*words, "--train-split", "other").returncode == 2


def test_the_command_line(files: tuple[Path, Path], tmp_path: Path) -> None:
    train, evaluation = map(str, files)
    clean = str(write(tmp_path / "clean.jsonl", ["Name an animal.", None]))
    succeeded("audit", "--train", train, "--against", clean, "--skip-nulls")
    ended = command(
        "audit", "--train", train, "--against", evaluation, "--against", clean, "--skip-nulls"
    )
    assert ended.returncode == 1
    assert "big.parquet has 3 of 5 rows of" in ended.stdout
    ended = command("audit", train, "--train", train, "--against", evaluation)
    assert ended.returncode == 2
    assert "expected either DIR or FILE, or --train" in ended.stderr
    found = json.loads(command("audit", train, "--against", evaluation, "--json").stdout)
    assert found["figures"]["eval_jsonl"]["against"]["normalised"] == 3
