"""The block about shortcuts: its shares, flags and limits, for datasets and third-party files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.shortcuts import figures_of, page_of
from synthgen.auditing.blocks import FLAG, INFO, OK, Block
from synthgen.auditing.coverage_blocks import side_blocks
from synthgen.auditing.findings import Report
from synthgen.auditing.report import audit
from synthgen.coverage.inputs import Declarations, Sides
from synthgen.coverage.measurements import AxisNames
from synthgen.recipe.fingerprint import canonical
from synthgen.recipe.loader import read_recipe
from tests.auditing.blocks_of import block, table
from tests.auditing.sides_by_hand import by_key, side
from tests.auditing.sides_by_hand import table as table_of
from tests.building import TWO_SPLITS, synthgen, write_recipe
from tests.dataset.tiny import edit_manifest, read_rows, sign, write_dataset, write_rows

Row = dict[str, Any]


def rows(answers: str, **columns: Any) -> list[Row]:
    """Return rows of one prompt that have letters as answers."""
    return [{"prompt": "?", "answer": a, **columns} for a in answers]


def shortcuts(
    *splits: list[Row], limit: float = 0.5, declared: Declarations | None = None
) -> Block:
    train, *tests = splits
    others = tuple(side(f"test_{i}", each, declared) for i, each in enumerate(tests))
    return by_key(side_blocks(Sides(side("train", train), others), limit=limit))["shortcuts"]


def test_more_than_the_limit_is_flagged_unless_it_is_declared() -> None:
    half = shortcuts(rows("aaab"), rows("aabb"))
    assert half.verdict == OK
    assert table_of(half, "Best").rows == (
        ("test_0", 4, "most frequent answer", 2, 50.0, "15.00 to 85.00", 50.0, ""),
    )
    more = shortcuts(rows("aaab"), rows("aabb"), rows("aab"))
    assert more.verdict == FLAG
    assert "Above 50%: test_1 66.7% (2 of 3)." in more.text
    assert [row[-1] for row in table_of(more, "Best").rows] == ["", "above the limit"]
    assert shortcuts(rows("aaab"), rows("aab"), limit=0.7).verdict == OK
    assert shortcuts(rows("aaab"), rows("aabb"), limit=0.49).verdict == FLAG
    assert shortcuts(rows("aaab"), rows("aab"), declared=Declarations(shares=True)).verdict == OK


def test_families_and_levels_need_rows_and_a_clear_share() -> None:
    def of(task: str, level: int, answers: str) -> list[Row]:
        return rows(answers, task=task, difficulty=level)

    train = of("f", 1, "a" * 8) + of("f", 2, "bc" * 9) + of("g", 1, "de" * 9)
    test = of("f", 1, "a" * 40) + of("f", 2, "b" * 20 + "c" * 17) + of("g", 1, "d" * 29)
    found = shortcuts(train, test)
    parts = table_of(found, "Best predictor of each family").rows
    assert [row[:5] + row[-1:] for row in parts] == [
        ("test_0", "f", 1, 40, "most frequent answer by level", "above the limit"),
        ("test_0", "f", None, 77, "most frequent answer by level", "above the limit"),
        ("test_0", "f", 2, 37, "most frequent answer", ""),
    ]
    assert "test_0 f level 1 100% (40 of 40)" in found.text


def test_an_axis_that_determines_the_answer_is_not_listed() -> None:
    train = [{"prompt": "p", "answer": str(i % 4), "result": i % 4} for i in range(40)]
    block = by_key(
        side_blocks(Sides(side("train", train), (side("test", train[:9]),)), AxisNames(["result"]))
    )["shortcuts"]
    assert block.verdict == OK
    listed = [str(row[1]) for row in table_of(block, "All").rows]
    assert listed
    assert not any("result" in name for name in listed)


def test_what_is_not_measured_has_a_reason() -> None:
    rubric = rows("aab", answer_type="rubric")
    found = shortcuts(rubric, rubric)
    assert found.verdict == INFO
    assert found.text.endswith("there are no exact answers, only rubrics or free texts.")
    some = shortcuts(rows("aab", answer_type="string"), rows("a", answer_type="string"), rubric)
    assert "Not measured: test_1 (there are no exact answers" in some.text
    assert "no answers" in shortcuts([{"prompt": "p"}], [{"prompt": "q"}]).text
    assert shortcuts(rows("a" * 10)).text.startswith(
        "Above 50%: train (a fifth held out) 100% (2 of 2)."
    )


def test_third_party_files_are_measured_by_the_same_code(tmp_path: Path) -> None:
    def write(name: str, pairs: list[tuple[str, str]]) -> str:
        path = tmp_path / name
        path.write_text("prompt\tanswer\n" + "".join(f"{p}\t{a}\n" for p, a in pairs))
        return str(path)

    train = write("train.tsv", [(f"put {i} into {i + 50}", f" {i}") for i in range(20)])
    test = write("test.tsv", [(f"put {i} in {i + 50}", str(i + i // 26)) for i in range(20, 30)])
    files = ("audit", "--train", train, "--test", test)

    def report(*more: str) -> Any:
        shown = synthgen(*files, "--json", *more)
        return next(b for b in json.loads(shown.stdout)["blocks"] if b["key"] == "shortcuts")

    found = report()
    assert found["verdict"] == FLAG
    assert found["tables"][0]["rows"][0][:5] == ["test.tsv", 10, "copy of one position", 6, 60.0]
    assert report("--max-shortcut", "0.6")["verdict"] == OK
    assert "copy of one position" in synthgen(*files).stdout
    assert synthgen(*files, "--max-shortcut", "2").returncode == 2
    assert "no answers" in synthgen(*files, "--format", "lines").stdout


def audit_with(folder: Path, table: object) -> Report:
    edit_manifest(folder, lambda manifest: manifest["recipe"].update(audit=table))
    return audit(folder)


def broken(report: Report) -> list[str]:
    """Return the failed checks, apart from that of the manifest, which was edited."""
    return [check.name for check in report.checks if not check.ok and check.name != "records"]


def test_a_recipe_may_set_the_limit_and_ask_for_failure(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "tiny")
    for file in ("train-00000-of-00002", "test_hard-00000-of-00001"):
        found = read_rows(folder, f"data/{file}.parquet")
        write_rows(folder, f"data/{file}.parquet", [row | {"answer": "7"} for row in found])
    sign(folder)
    assert table(audit(folder), "shortcuts")[0]["right, %"] == 100.0
    assert block(audit(folder), "shortcuts").verdict == FLAG
    assert audit(folder).ok
    assert block(audit(folder, max_shortcut=1.0), "shortcuts").verdict == OK
    report = audit_with(folder, {"max_shortcut": 0.9, "shortcut": "fail"})
    assert broken(report) == ["shortcuts"]
    assert broken(audit_with(folder, {"max_shortcut": 1, "shortcut": "fail"})) == []
    for bad in (1, {"max_shortcut": "0"}, {"shortcut": 3}):
        checks = {each.name: each for each in audit_with(folder, bad).checks if not each.ok}
        (check,) = [each for name, each in checks.items() if name != "records"]
        assert "expected max_shortcut and shortcut" in check.detail


def test_a_build_prints_its_best_shortcut(tmp_path: Path) -> None:
    text = TWO_SPLITS + "[audit]\nmax_shortcut = 0.25\n"
    path = write_recipe(tmp_path, text)
    assert canonical(read_recipe(path).recipe)["audit"] == {"max_shortcut": 0.25}
    default = read_recipe(write_recipe(tmp_path, TWO_SPLITS, "default.toml"))
    assert "audit" not in canonical(default.recipe)
    small = synthgen("build", str(path), "--out", str(tmp_path / "small"))
    assert "shortcut" not in small.stdout
    built = synthgen("build", str(path), "--out", str(tmp_path / "out"), "--rows", "2000")
    (line,) = [line for line in built.stdout.splitlines() if line.startswith("best shortcut: ")]
    assert "% of test" in line


def test_the_page_explains_shares_above_the_limit() -> None:
    found = {
        "b": {
            "missing": "",
            "splits": [["test", 90, "copy of one position", 0.6, 0.2, True, False]],
        },
        "a": {
            "missing": "",
            "splits": [
                ["probe", 9, "nearest train prompt", 1.0, 0.1, True, True],
                ["test", 1000, "most frequent answer", 0.523, 0.523, True, False],
            ],
        },
        "c": {"missing": "there are no rows", "splits": []},
    }
    page, faults = page_of(found, {"a": {"test": "Half of the answers are yes."}})
    assert page.splitlines() == [
        "| a | probe | 9 | nearest train prompt | 100.0% *declared* | 10.0% |",
        "| a | test | 1,000 | most frequent answer | 52.3% | 52.3% |",
        "| b | test | 90 | copy of one position | 60.0% | 20.0% |",
        "| c | | | not measured: there are no rows | | |",
        "",
        "## Above 50%",
        "",
        "- `a`, `test` (52.3%): Half of the answers are yes.",
        "- `b`, `test` (60.0%): not explained.",
    ]
    assert faults == ["b, test: 60.0% is not explained in shortcuts.toml"]
    head = "| recipe | split |\n|---|---|\n"
    assert (
        page_of(figures_of(head + page), {"a": {"test": "Half of the answers are yes."}})[0] == page
    )
