"""Predictions scored through the command line."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import synthgen as synthgen_package
from synthgen import score
from synthgen.coverage.intervals import wilson_interval
from tests.building import recipe_of, rows_of, source_of, split_of, synthgen, write_recipe

RECIPE = recipe_of(
    source_of("hint", "max_operators = 4"),
    split_of("train", 20),
    split_of("test", 10),
    seed=0,
)

BALANCED = 'balance = ["n_op"]'
SPLITS = ("train", "test", "test_same")


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
    assert found["splits"]["test"]["accuracy"]["mean"] == 6 / 8
    assert found["splits"]["train"]["predicted"] == 0
    assert found["splits"]["train"]["accuracy"] is None
    assert found["unknown_ids"] == 0


def test_rows_without_a_prediction_are_counted(tmp_path: Path, dataset: Path) -> None:
    rows = rows_of(dataset, "test")
    given = [{"id": row["id"], "prediction": row["answer"]} for row in rows[:4]]
    file = predictions(tmp_path / "p.jsonl", given)
    found = scored(dataset, file)
    assert (found["missing"], found["splits"]["test"]["missing"]) == (6, 6)
    assert found["splits"]["train"]["missing"] == 0
    assert scored(dataset, file, "--split", "train", "--split", "test")["missing"] == 26
    as_wrong = scored(dataset, file, "--missing", "wrong", "--by", "n_op")["splits"]["test"]
    assert (as_wrong["accuracy"]["mean"], as_wrong["accuracy"]["rows"]) == (0.4, 10)
    assert as_wrong["why"] == {"no prediction": 6, "right": 4}
    assert sum(group["rows"] for group in as_wrong["groups"].values()) == 10
    failed = synthgen("score", str(dataset), "--predictions", file, "--missing", "fail")
    assert failed.returncode == 1
    assert "test: 6 of 10 rows have no prediction" in failed.stdout
    unknown = synthgen("score", str(dataset), "--predictions", file, "--missing", "fial")
    assert unknown.returncode == 2
    assert "missing='fial': expected one of ignore, wrong, fail" in unknown.stderr


def test_a_cell_may_hold_several_predictions(tmp_path: Path, dataset: Path) -> None:
    first, second, third = rows_of(dataset, "test")[:3]
    given = [
        {"id": first["id"], "prediction": [first["answer"], "x", None]},
        {"id": second["id"], "prediction": second["answer"]},
        {"id": third["id"], "prediction": []},
    ]
    lines = predictions(tmp_path / "p.jsonl", given)
    table = tmp_path / "p.parquet"
    lists = [[first["answer"], "x", None], [second["answer"]], []]
    columns = {"id": [row["id"] for row in (first, second, third)], "prediction": lists}
    pq.write_table(pa.table(columns), table)
    for file in (lines, str(table)):
        found = scored(dataset, file)["splits"]["test"]
        assert (found["predicted"], found["accuracy"]["texts"]) == (2, 4)
        assert found["accuracy"]["mean"] == pytest.approx((1 / 3 + 1) / 2)


def test_several_predictions_of_a_row_count_with_their_mean(tmp_path: Path, dataset: Path) -> None:
    row = rows_of(dataset, "test")[0]
    given = [
        {"id": row["id"], "prediction": text} for text in (row["answer"], "x", None, row["answer"])
    ]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given), "--split", "test")
    assert found["splits"]["test"]["accuracy"]["mean"] == 0.5
    assert list(found["splits"]) == ["test"]


def test_an_answer_inside_a_longer_text_earns_nothing(tmp_path: Path, dataset: Path) -> None:
    row = rows_of(dataset, "test")[0]
    given = [{"id": row["id"], "prediction": f"The answer is {row['answer']}, I think."}]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given))
    assert found["splits"]["test"]["accuracy"]["mean"] == 0.0


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
        (r"\boxed{x} is \boxed{\text{ANSWER}}", True),
        (r"\boxed{ANSWER} or \boxed{ANSWER1}", False),
        (r"\boxed{ANSWER", False),
        (r"boxed{ANSWER}", False),
    ],
)
def test_the_last_box_is_graded(tmp_path: Path, dataset: Path, text: str, right: bool) -> None:
    row = rows_of(dataset, "test")[0]
    given = [{"id": row["id"], "prediction": text.replace("ANSWER", row["answer"])}]
    found = scored(dataset, predictions(tmp_path / "p.jsonl", given))
    assert found["splits"]["test"]["accuracy"]["mean"] == float(right)


def test_a_text_is_graded_as_in_training(tmp_path: Path, dataset: Path) -> None:
    rows = rows_of(dataset, "test")[:6]
    texts = ["Answer: {}", "<think>{}</think>", "{} or {}", "{}1", "It is unclear.", "**{}**"]
    given = [
        {"id": row["id"], "prediction": text.replace("{}", row["answer"])}
        for row, text in zip(rows, texts, strict=True)
    ]
    file = predictions(tmp_path / "p.jsonl", given)
    found = scored(dataset, file)["splits"]["test"]
    assert found["accuracy"]["mean"] == pytest.approx(2 / 6)
    assert found["why"] == {"no answer": 1, "right": 2, "unreadable": 2, "wrong": 1}
    assert (
        sum(
            synthgen_package.reward(one["prediction"], row["answer"], row["answer_type"])
            for one, row in zip(given, rows, strict=True)
        )
        == 2.0
    )
    shown = synthgen("score", str(dataset), "--predictions", file).stdout
    assert "texts scored 0: 1 no answer, 2 unreadable, 1 wrong" in shown


def test_intervals_are_wilsons_or_clustered_by_row(tmp_path: Path, dataset: Path) -> None:
    rows = rows_of(dataset, "train")
    once = {row["id"]: [row["answer"] if n < 15 else "x"] for n, row in enumerate(rows)}
    found = score(dataset, once).splits["train"].accuracy
    assert (found.rows, found.texts, found.mean) == (20, 20, 0.75)
    assert (found.low, found.high) == pytest.approx(wilson_interval(15, 20))
    alike = {name: texts * 8 for name, texts in once.items()}
    same = score(dataset, alike).splits["train"].accuracy
    assert (same.texts, same.low, same.high) == (160, found.low, found.high)
    mixed = {row["id"]: [row["answer"]] * 6 + ["x"] * 2 for row in rows}
    steady = score(dataset, mixed).splits["train"].accuracy
    assert steady.mean == 0.75
    assert found.low <= steady.low < steady.mean < steady.high <= found.high


def test_pass_at_k_is_the_unbiased_estimate(tmp_path: Path, dataset: Path) -> None:
    first, second, third = rows_of(dataset, "test")[:3]
    texts = {
        first["id"]: [first["answer"], "x", "x", "x"],
        second["id"]: ["x"] * 4,
        third["id"]: [third["answer"]],
    }
    found = score(dataset, texts, k=[1, 2, 4]).splits["test"].passed
    every_two = [*combinations((1, 0, 0, 0), 2)]
    assert found[1].mean == pytest.approx((1 / 4 + 0 + 1) / 3)
    assert (found[2].rows, found[2].mean) == (2, sum(map(max, every_two)) / len(every_two) / 2)
    assert found[4].mean == 0.5
    given = [{"id": name, "prediction": text} for name, of in texts.items() for text in of]
    file = predictions(tmp_path / "p.jsonl", given)
    shown = synthgen("score", str(dataset), "--predictions", file, "--k", "1,4")
    assert "pass@4" in shown.stdout
    for k, told in (("5", "k=5: expected a number from 1 to 4"), ("1;8", "numbers such as 1,8")):
        failed = synthgen("score", str(dataset), "--predictions", file, "--k", k)
        assert failed.returncode == 2
        assert told in failed.stderr


def test_structures_are_seen_or_unseen(tmp_path: Path) -> None:
    tables = (
        source_of("hint", "max_operators = 2"),
        split_of("train", 200, "n_op = 1"),
        split_of("test", 60, "n_op = 2"),
        split_of("test_same", 60, "n_op = 1"),
    )
    recipe = write_recipe(tmp_path, recipe_of(*tables, seed=0))
    folder = tmp_path / "out"
    assert synthgen("build", str(recipe), "--out", str(folder)).returncode == 0
    texts = {row["id"]: row["answer"] for split in SPLITS for row in rows_of(folder, split)}
    groups = score(folder, texts, by=["structure"]).splits
    assert [*groups["test"].groups] == ["structure=unseen"]
    assert groups["train"].groups["structure=seen"].rows == 200
    assert [*groups["test_same"].groups] == ["structure=seen"]
    both = score(folder, texts, by=["n_op", "structure"]).splits["test"].groups
    assert [*both] == ["n_op=2 structure=unseen"]


def test_a_profile_weights_cells_for_the_next_recipe(tmp_path: Path) -> None:
    tables = (source_of("hint", "max_operators = 4"), split_of("train", 200, "", BALANCED))
    folder = tmp_path / "out"
    recipe = write_recipe(tmp_path, recipe_of(*tables))
    assert synthgen("build", str(recipe), "--out", str(folder)).returncode == 0
    rates = {0: (4, 4), 1: (3, 4), 2: (2, 4), 3: (1, 4), 4: (0, 4)}
    given = [
        {"id": row["id"], "prediction": row["answer"] if n < rates[row["n_op"]][0] else "x"}
        for row in rows_of(folder, "train")
        for n in range(4)
    ]
    file = predictions(tmp_path / "p.jsonl", given)
    options = (str(folder), "--predictions", file, "--by", "n_op", "--weights")
    found = synthgen("profile", *options, str(tmp_path / "next.toml"), "--json")
    cells = json.loads(found.stdout)
    assert [cell["n_op"] for cell in cells] == [*rates]
    assert [cell["mean"] for cell in cells] == [1.0, 0.75, 0.5, 0.25, 0.0]
    assert [cell["weight"] for cell in cells] == [0.0, 0.1875, 0.25, 0.1875, 0.0]
    shares = (tmp_path / "next.toml").read_text(encoding="utf-8")
    assert tomllib.loads(shares) == {
        "balance": ["n_op"],
        "shares": {"of": [[1, 0.1875], [2, 0.25], [3, 0.1875]]},
    }
    tables = (source_of("hint", "max_operators = 4"), split_of("train", 100, "", shares))
    following = synthgen_package.build(
        write_recipe(tmp_path, recipe_of(*tables)), tmp_path / "next"
    )
    counts = Counter(row["n_op"] for row in rows_of(following.folder, "train"))
    assert counts == {1: 30, 2: 40, 3: 30}
    shown = synthgen("profile", *options, str(tmp_path / "w.toml"), "--window", "0.4", "0.8")
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "[[1, 1.0], [2, 1.0]]" in (tmp_path / "w.toml").read_text(encoding="utf-8")
    failed = synthgen("profile", *options, str(tmp_path / "x.toml"), "--window", "0.9", "0.95")
    assert failed.returncode == 2
    assert not (tmp_path / "x.toml").exists()


def test_a_profile_by_task_and_level_weights_sources(tmp_path: Path) -> None:
    sources = [
        source_of("hint", "max_operators = 2, level = true", 'name = "sums"'),
        source_of("scan", "level = true"),
    ]
    folder = tmp_path / "out"
    recipe = write_recipe(tmp_path, recipe_of(*sources, split_of("train", 90, "level <= 5")))
    synthgen_package.build(recipe, folder, workers=1)
    rows = rows_of(folder, "train")
    given = [
        {"id": row["id"], "prediction": text}
        for row in rows
        for text in (row["answer"] if row["level"] == 2 else "x", "x")
    ]
    file = predictions(tmp_path / "p.jsonl", given)
    fragment = tmp_path / "next.toml"
    options = (str(folder), "--predictions", file, "--weights", str(fragment))
    found = synthgen("profile", *options, "--by", "task,level", "--json")
    cells = {(cell["task"], cell["level"]): cell["weight"] for cell in json.loads(found.stdout)}
    assert cells["hint", 2] == 0.25
    assert cells["hint", 1] == 0.0
    shares = fragment.read_text(encoding="utf-8")
    parsed = tomllib.loads(shares)
    assert parsed["balance"] == ["source", "level"]
    assert ["sums", 2, 0.25] in parsed["shares"]["of"]
    tables = recipe_of(*sources, split_of("train", 20, "level = 2", shares))
    following = synthgen_package.build(write_recipe(tmp_path, tables), tmp_path / "next", workers=1)
    assert {row["source"] for row in rows_of(following.folder, "train")} <= {"sums", "scan"}
    for by in ("task,difficulty", "task,source"):
        failed = synthgen("profile", *options, "--by", by)
        assert failed.returncode == 2
        assert "an axis, or one of task and source" in failed.stderr


def test_the_table_fits_80_columns(tmp_path: Path, dataset: Path) -> None:
    given = [{"id": row["id"], "prediction": "x"} for row in rows_of(dataset, "train")]
    file = predictions(tmp_path / "p.jsonl", given)
    shown = synthgen("score", str(dataset), "--predictions", file, "--by", "n_op", "--k", "1")
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "0.000 to 0.161" in shown.stdout


def test_means_by_columns(tmp_path: Path, dataset: Path) -> None:
    rows = rows_of(dataset, "train")
    given = [
        {"id": row["id"], "prediction": row["answer"] if row["n_op"] > 1 else "x"} for row in rows
    ]
    file = predictions(tmp_path / "p.jsonl", given)
    groups = scored(dataset, file, "--by", "source", "--by", "n_op")["splits"]["train"]["groups"]
    assert groups["source=hint n_op=1"]["mean"] == 0.0
    assert groups["source=hint n_op=2"]["mean"] == 1.0
    assert sum(group["rows"] for group in groups.values()) == len(rows)
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
    assert found["accuracy"]["mean"] == pytest.approx(3 / 6)
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
