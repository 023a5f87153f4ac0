"""Predictions scored through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.building import recipe_of, rows_of, source_of, split_of, synthgen, write_recipe

RECIPE = recipe_of(
    source_of("hint", "max_operators = 4"),
    split_of("train", 20),
    split_of("test", 10),
    seed=0,
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    recipe = write_recipe(folder, RECIPE)
    ended = synthgen("build", str(recipe), "--out", str(folder / "out"), "--workers", "1")
    assert ended.returncode == 0, ended.stderr
    return folder / "out"


def predictions(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def scored(dataset: Path, file: str, *more: str) -> dict[str, Any]:
    ended = synthgen("score", str(dataset), "--predictions", file, "--json", *more)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_right_answers_count_and_wrong_ones_do_not(tmp_path: Path, dataset: Path) -> None:
    rows = rows_of(dataset, "test")
    given = [
        {"id": row["id"], "prediction": row["answer"] if i < 6 else row["answer"] + "1"}
        for i, row in enumerate(rows[:8])
    ]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given))
    assert found["splits"]["test"]["rows"] == 10
    assert found["splits"]["test"]["predicted"] == 8
    assert found["splits"]["test"]["mean"] == 6 / 8
    assert found["splits"]["train"]["predicted"] == 0
    assert found["splits"]["train"]["mean"] is None
    assert found["strangers"] == 0


def test_several_predictions_of_a_row_count_with_their_mean(tmp_path: Path, dataset: Path) -> None:
    row = rows_of(dataset, "test")[0]
    given = [
        {"id": row["id"], "prediction": text} for text in (row["answer"], "x", None, row["answer"])
    ]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given), "--split", "test")
    assert found["splits"]["test"]["mean"] == 0.5
    assert list(found["splits"]) == ["test"]


def test_an_answer_inside_a_longer_text_earns_nothing(tmp_path: Path, dataset: Path) -> None:
    row = rows_of(dataset, "test")[0]
    given = [{"id": row["id"], "prediction": f"The answer is {row['answer']}, I think."}]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given))
    assert found["splits"]["test"]["mean"] == 0.0


def test_predictions_for_no_row_are_told(tmp_path: Path, dataset: Path) -> None:
    file = predictions(tmp_path / "p.jsonl", [{"id": "0" * 32, "prediction": "1"}])
    ended = synthgen("score", str(dataset), "--predictions", file)
    assert ended.returncode == 1
    assert "1 of 1 predictions have an unknown id" in ended.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": null, "prediction": "1"}\n', "row 1 has no id"),
        ('{"name": "a", "prediction": "1"}\n', "'id'"),
        ("not json\n", "p.jsonl:1: expected one JSON object per line"),
    ],
)
def test_bad_files_are_told_without_a_traceback(
    tmp_path: Path, dataset: Path, line: str, told: str
) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(line, encoding="utf-8")
    ended = synthgen("score", str(dataset), "--predictions", str(file))
    assert ended.returncode == 2
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_unknown_split_is_told(tmp_path: Path, dataset: Path) -> None:
    file = predictions(tmp_path / "p.jsonl", [{"id": "0", "prediction": "1"}])
    ended = synthgen("score", str(dataset), "--predictions", file, "--split", "tset")
    assert ended.returncode == 2
    assert "did you mean 'test'" in ended.stderr


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (r"\boxed{ANSWER}", True),
        (r"First \boxed{0.1}, so \boxed{ANSWER}.", True),
        (r"\boxed{x} is \boxed{\text{ANSWER}}", False),
        (r"\boxed{ANSWER} or \boxed{ANSWER1}", False),
        (r"\boxed{ANSWER", False),
        (r"boxed{ANSWER}", False),
    ],
)
def test_the_last_box_is_graded(tmp_path: Path, dataset: Path, text: str, right: bool) -> None:
    row = rows_of(dataset, "test")[0]
    given = [{"id": row["id"], "prediction": text.replace("ANSWER", row["answer"])}]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given))
    assert found["splits"]["test"]["mean"] == float(right)


def test_means_by_columns(tmp_path: Path, dataset: Path) -> None:
    rows = rows_of(dataset, "train")
    given = [
        {"id": row["id"], "prediction": row["answer"] if row["n_op"] > 1 else "x"} for row in rows
    ]
    file = predictions(tmp_path / "p.jsonl", given)
    groups = scored(dataset, file, "--by", "source", "--by", "n_op")["splits"]["train"]["groups"]
    assert groups["source=hint n_op=1"][1] == 0.0
    assert groups["source=hint n_op=2"][1] == 1.0
    assert sum(count for count, _ in groups.values()) == len(rows)
    shown = synthgen("score", str(dataset), "--predictions", file, "--by", "n_op")
    assert "n_op=2" in shown.stdout
    failed = synthgen("score", str(dataset), "--predictions", file, "--by", "nop")
    assert failed.returncode == 2
    assert "n_op" in failed.stderr


CONSTRAINTS = recipe_of(
    source_of(
        "constraints",
        'types = ["include", "lowercase", "sentences"], min_k = 3, max_k = 3',
    ),
    split_of("test", 6),
    '[render]\nsolution = "steps"\n',
    seed=0,
)


def test_constraints_get_rates_of_whole_texts_and_of_each_type(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, CONSTRAINTS)
    folder = tmp_path / "out"
    ended = synthgen("build", str(recipe), "--out", str(folder), "--workers", "1")
    assert ended.returncode == 0, ended.stderr
    rows = rows_of(folder, "test")
    texts = [row["solution"] for row in rows]
    texts[0] = f"Sure, here:\n{texts[0]}"
    texts[1] = texts[1].upper()
    texts[2] = ""
    given = [{"id": row["id"], "prediction": text} for row, text in zip(rows, texts, strict=True)]
    file = predictions(tmp_path / "p.jsonl", given)
    found = scored(folder, file)["splits"]["test"]
    assert found["mean"] == pytest.approx(3 / 6)
    parts = found["parts"]
    assert (parts["texts"], parts["parts"]) == (6, 18)
    assert parts["whole"] == pytest.approx([3 / 6, 4 / 6])
    assert parts["by_name"]["lowercase"] == pytest.approx([6, 3 / 6, 4 / 6])
    assert parts["by_name"]["include"] == pytest.approx([6, 5 / 6, 5 / 6])
    strict = sum(share for _, share, _ in parts["by_name"].values()) / 3
    assert parts["each"][0] == pytest.approx(strict)
    shown = synthgen("score", str(folder), "--predictions", file).stdout
    assert "test: parts of answers" in shown
    assert "lowercase" in shown
    assert "0.667" in shown


def test_answers_without_parts_have_no_rates(tmp_path: Path, dataset: Path) -> None:
    row = rows_of(dataset, "test")[0]
    given = [{"id": row["id"], "prediction": row["answer"]}]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given))
    assert found["splits"]["test"]["parts"] is None
