"""`synthgen compare`, and `synthgen audit` of files, as people and scripts see them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.building import TWO_SPLITS, build_small, succeeded, synthgen
from tests.dataset.tiny import row, sign, write_dataset

STRUCTURES = ("--structure-col", "part", "--structure-form")


def write(path: Path, *rows: str) -> str:
    path.write_text("prompt\tanswer\tpart\n" + "".join(f"{each}\n" for each in rows))
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    return (
        write(tmp_path / "a.tsv", "one and two\t3\ttrain", "two and two\t4\ttrain"),
        write(tmp_path / "b.tsv", "one and one\t2\ttest"),
        write(tmp_path / "c.tsv", "one and two\t3\ttest"),
    )


def test_exit_codes_of_compare(files: tuple[str, str, str]) -> None:
    a, b, c = files
    ended = succeeded("compare", a, b)
    assert "0 rows of b.tsv occur in a.tsv at L0, L1, L2." in ended.stdout
    assert ended.stdout.endswith("a.tsv and b.tsv: 2 checks, all ok\n")
    ended = synthgen("compare", a, c)
    assert ended.returncode == 1
    assert f"{c}: row 1 (line 2): one and two" in ended.stdout
    assert ended.stdout.endswith("2 checks, 2 FAILED\n")
    assert ended.stderr == ""
    assert synthgen("compare", a, c, "--fail-on", "L2").returncode == 0


def test_compare_for_machines(files: tuple[str, str, str], tmp_path: Path) -> None:
    a, _, c = files
    page = tmp_path / "out" / "page.html"
    ended = synthgen("compare", a, c, "--json", "--html", str(page))
    assert ended.returncode == 1
    found = json.loads(ended.stdout)
    assert (found["ok"], found["name"]) == (False, "a.tsv and c.tsv")
    assert [block["key"] for block in found["blocks"]] == [
        *("shared", "near-duplicates", "coverage", "atoms", "tiers", "provenance"),
    ]
    assert found["blocks"][0]["tables"][0]["rows"][0] == ["L0", "the same text", 1, 50.0, 1, 100.0]
    assert "one and two" in page.read_text(encoding="utf-8")


def test_a_dataset_against_a_benchmark(tmp_path: Path) -> None:
    rows = {"train": [row(1), row(2)], "probe": [], "test_hard": []}
    folder = write_dataset(tmp_path / "ours", rows)
    bench = tmp_path / "bench.txt"
    bench.write_text("What is 1 + 1?\nWhat is 9 + 1?\n")
    ended = synthgen("compare", str(folder), str(bench), "--format", "lines", "--split-a", "train")
    assert ended.returncode == 1, ended.stderr
    assert "1 of 2 rows of bench.txt also occur in ours:train (the same text)" in ended.stdout


def test_nothing_in_a_file_acts_on_the_terminal(tmp_path: Path) -> None:
    rows = ["\x1b[31mred\x1b[0m \u202e [bold]\t1\ttrain", "\x1b]0;x\x07 y\t1\ttrain"]
    a, b = write(tmp_path / "a.tsv", *rows), write(tmp_path / "[red]b.tsv", rows[0], "z\x9b\t1\tx")
    for ended in (synthgen("compare", a, b), synthgen("audit", "--train", a, "--test", b)):
        assert ended.returncode == 1, ended.stderr
        assert all(char.isprintable() or char == "\n" for char in ended.stdout)
        assert "[bold]" in ended.stdout
        assert "[red]b.tsv" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "{a}", "gone.tsv"], "error: gone.tsv: cannot be read: No such file"),
        (["compare", "{a}", "{b}", "--prompt-col", "promt"], "no column 'promt'; did you mean"),
        (["compare", "{a}", "{b}", "--fail-on", "l2"], "unknown level 'l2'"),
        (["compare", "{a}", "{b}", "--split-b", "test"], "which is a file"),
        (["compare", "{a}", "{b}", "--tokens", "bytes"], "--tokens='bytes': expected one of words"),
        (
            ["compare", "{a}", "{b}", *("--prompt-col", "x") * 3],
            "--prompt-col=3: expected one name for both, or one for A and one for B",
        ),
        (["audit"], "--train=None: expected a file"),
        (["audit", "--train", "{a}"], "--test=None: expected a file"),
        (["audit", "{a}"], "expected --split-col NAME, the column that names the split"),
        (["audit", "{a}", "--split-col", "prt"], "no column 'prt'; did you mean 'part'"),
        (["audit", "{a}", "--split-col", "part"], "all rows belong to split 'train'"),
        (["audit", "{a}", "--split-col", "part", "--train-split", "x"], "unknown split 'x'"),
        (["audit", "{a}", "--train", "{b}"], "expected either FILE and --split-col, or --train"),
        (["audit", "--train", "{a}", "--test", "{b}", "--split-col", "part"], "expected one FILE"),
        (
            ["audit", "--train", "{a}", "--test", "{b}", *STRUCTURES, "dag"],
            "--structure-form='dag': expected one of tree, tokens",
        ),
    ],
)
def test_mistakes_are_exit_code_2(
    files: tuple[str, str, str], arguments: list[str], message: str
) -> None:
    named = dict(zip("abc", files, strict=True))
    ended = synthgen(*(each.format(**named) for each in arguments))
    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_an_audit_of_files(files: tuple[str, str, str], tmp_path: Path) -> None:
    a, b, c = files
    ended = succeeded("audit", "--train", a, "--test", b)
    assert "0 rows of other splits occur in train at L0 to L2." in ended.stdout
    ended = synthgen("audit", "--train", a, "--test", b, "--test", c, "--json")
    assert ended.returncode == 1
    found = json.loads(ended.stdout)
    assert [split["name"] for split in found["splits"]] == ["train", "b.tsv", "c.tsv"]
    failed = [check["name"] for check in found["checks"] if not check["ok"]]
    assert failed == ["overlap-L0/c.tsv", "overlap-L1/c.tsv"]
    whole = tmp_path / "whole.tsv"
    lines = [Path(each).read_text().splitlines()[1:] for each in (a, b)]
    path = write(whole, *(line for each in lines for line in each))
    page = tmp_path / "page.html"
    ended = succeeded("audit", path, "--split-col", "part", "--html", str(page))
    assert ended.stdout.endswith(f"report: {page}\n")
    assert "two and two" not in ended.stderr
    assert page.stat().st_size < 1_500_000


def test_one_file_with_formulas_inside_objects_needs_no_options_but_one(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    formulas = [("train", "3 + 4 * x"), ("train", "(x + 4) * 3"), ("test", "3 * (x + 4)")]
    rows = [
        {"question": f"Question {number}", "split": split, "metadata": {"expression": formula}}
        for number, (split, formula) in enumerate(formulas)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ended = synthgen("audit", str(path), "--structure-col", "metadata.expression")
    assert ended.returncode == 0, ended.stderr
    assert "train has 5 distinct atoms" in ended.stdout


TEXT = TWO_SPLITS.replace("rows_per_shard = 100", "rows_per_shard = 200")
TRAIN = [f"data/train-0000{number}-of-00002.parquet" for number in range(2)]
TEST = "data/test-00000-of-00001.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return build_small(tmp_path, text=TEXT).folder


def failed(folder: Path) -> dict[str, dict[str, Any]]:
    ended = synthgen("audit", str(folder), "--json")
    assert ended.returncode == 1, ended.stdout
    assert ended.stderr == ""
    checks = json.loads(ended.stdout)["checks"]
    return {check["name"]: check for check in checks if not check["ok"]}


def rewrite(folder: Path, file: str, rows: list[dict[str, Any]]) -> None:
    schema = pq.read_schema(folder / file)
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / file)


def rows_of(folder: Path, file: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / file).to_pylist()
    return found


def test_an_untouched_build_is_exit_code_0(folder: Path) -> None:
    ended = succeeded("audit", str(folder), "--json")
    assert json.loads(ended.stdout)["ok"] is True


def test_an_edited_split_file(folder: Path) -> None:
    rows = rows_of(folder, TEST)
    rows[7]["answer"] = "12345"
    rewrite(folder, TEST, rows)
    found = failed(folder)
    assert found.keys() == {"hashes"}
    assert TEST in found["hashes"]["detail"]


def test_a_shard_too_many(folder: Path) -> None:
    copy = "data/train-00002-of-00003.parquet"
    shutil.copy(folder / TRAIN[0], folder / copy)
    found = failed(folder)
    assert found.keys() == {"stray"}
    assert copy in found["stray"]["detail"]


def test_wrong_rows_are_shown_without_reading_them_as_markup(folder: Path) -> None:
    rows = rows_of(folder, TEST)
    rows[0]["prompt"] = "[/a] :smile: [bold]x\x1b[31m\u202e"
    rewrite(folder, TEST, rows)
    sign(folder)
    ended = synthgen("verify", str(folder))
    assert ended.returncode == 1, ended.stderr
    assert r"the answer is wrong: '[/a] :smile: [bold]x\x1b[31m\u202e' -> " in ended.stdout
