"""`synthgen check` as people and scripts see it."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.building import synthgen, write_recipe
from tests.conformance import original


def write(folder: Path, name: str, data: str | bytes) -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def test_rows_that_agree_are_exit_code_0(tmp_path: Path) -> None:
    file = write(tmp_path, "rows.tsv", "expr\tresult\n1+1\t2\n7\t7\n")
    ended = synthgen("check", "hint", file)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == (
        "tsv: prompts from column 'expr', answers from 'result'\n"
        "2 rows checked by the verifier of hint: 2 agree, 0 fail\n"
    )
    assert ended.stderr == ""


def test_rows_that_fail_are_shown_and_exit_code_1(tmp_path: Path) -> None:
    lines = ["prompt,answer", "1+1,3", "2,2", *("3,4" for _ in range(5))]
    file = write(tmp_path, "rows.csv", "\n".join(lines))
    ended = synthgen("check", "hint", file, "--show", "2")
    assert ended.returncode == 1
    assert ended.stdout == (
        "csv: prompts from column 'prompt', answers from 'answer'\n"
        "line 2 (row 1): the verifier does not accept the answer\n"
        "  prompt '1+1'\n"
        "  answer '3'\n"
        "line 4 (row 3): the verifier does not accept the answer\n"
        "  prompt '3'\n"
        "  answer '4'\n"
        "4 more failing rows not shown\n"
        "7 rows checked by the verifier of hint: 1 agree, 6 fail\n"
    )
    assert synthgen("check", "hint", file).stdout.count("  prompt ") == 5


def test_the_report_for_machines(tmp_path: Path) -> None:
    table = {"input": ["1+1", None, "4"], "output": [2, 3, 5], "steps": ["1+1=2", None, None]}
    pq.write_table(pa.table(table), tmp_path / "rows.parquet")
    file = str(tmp_path / "rows.parquet")
    ended = synthgen("check", "hint", file, "--solution-col", "steps", "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout) == {
        "ok": False,
        "file": file,
        "format": "parquet",
        "columns": {"prompt": "input", "answer": "output", "solution": "steps"},
        "generator": "hint",
        "rows": 3,
        "agree": 1,
        "fail": 2,
        "examples": [
            {"row": 2, "line": None, "prompt": None, "answer": "3", "why": "the prompt is null"},
            {
                "row": 3,
                "line": None,
                "prompt": "4",
                "answer": "5",
                "why": "the verifier does not accept the answer",
            },
        ],
    }
    text = synthgen("check", "hint", file, "--solution-col", "steps").stdout
    assert "answers from 'output', solutions from 'steps'" in text
    assert "row 2: the prompt is null\n  prompt null\n  answer '3'\n" in text


def test_published_files_need_no_conversion(tmp_path: Path) -> None:
    file = str(original("hint/hint_val.tsv"))
    ended = synthgen("check", "hint", file, "--no-header", "--json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert (found["rows"], found["agree"], found["fail"]) == (4698, 4698, 0)
    assert found["examples"] == []
    few = str(original("hint/hint_fewshot_train_val.tsv"))
    columns = ("--no-header", "--prompt-col", "3", "--answer-col", "4")
    assert "9,064 agree, 0 fail" in synthgen("check", "hint", few, *columns).stdout
    refused = synthgen("check", "hint", file)
    assert refused.returncode == 2
    assert f"{file}:1: no column of prompts" in refused.stderr
    assert "use --no-header if this line is already a row" in refused.stderr


def test_text_files_of_other_forms(tmp_path: Path) -> None:
    prompts = write(tmp_path, "test.src", "1+1\n2*(3+4)\n")
    answers = write(tmp_path, "test.tgt", "2\n14\n")
    assert "2 agree" in synthgen("check", "hint", prompts, "--answers", answers).stdout
    scan = write(tmp_path, "tasks.txt", "IN: 1+1 OUT: 2\nIN: 2 OUT: 3\n")
    ended = synthgen("check", "hint", scan)
    assert ended.returncode == 1
    assert ended.stdout.startswith("line 2 (row 2): ")
    shorter = write(tmp_path, "short.tgt", "2\n")
    refused = synthgen("check", "hint", prompts, "--answers", shorter)
    assert refused.returncode == 2
    assert "short.tgt: lines=1: expected as many as" in refused.stderr


def test_our_own_rows_agree_with_their_solutions(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    prompts = ("--set", "render.prompt=instruction", "--set", "render.solution=steps")
    out = tmp_path / "out"
    built = synthgen("build", str(recipe), *prompts, "--out", str(out), "--rows", "500")
    assert built.returncode == 0, built.stderr
    shard = next((out / "data").glob("train-*.parquet"))
    ended = synthgen("check", "hint", str(shard), "--solution-col", "solution")
    assert ended.returncode == 0, ended.stdout
    assert "solutions from 'solution'" in ended.stdout


def test_mistakes_end_in_a_message_and_exit_code_2(tmp_path: Path) -> None:
    file = write(tmp_path, "rows.tsv", "prompt\tanswer\n1\t1\n")
    unknown = synthgen("check", "hnit", file)
    assert unknown.returncode == 2
    assert "unknown generator 'hnit'; did you mean 'hint'?" in unknown.stderr
    gone = synthgen("check", "hint", str(tmp_path / "gone.tsv"))
    assert gone.returncode == 2
    assert "gone.tsv: cannot be read: No such file or directory" in gone.stderr
    folder = synthgen("check", "hint", str(tmp_path), "--format", "tsv")
    assert folder.returncode == 2
    assert "cannot be read: Is a directory" in folder.stderr
    assert synthgen("check", "hint", file, "--show", "-1").returncode == 2


def test_published_cogs_agrees() -> None:
    columns = ("--no-header", "--prompt-col", "1", "--answer-col", "2")
    for file, rows in (("train", 24_155), ("dev", 3_000)):
        ended = synthgen("check", "cogs", str(original(f"cogs/{file}.tsv")), *columns, "--json")
        assert ended.returncode == 0, ended.stdout
        assert json.loads(ended.stdout)["agree"] == rows


@pytest.mark.parametrize(
    ("generator", "name", "rows"),
    [
        ("pcfg", "dev", 4_860),
        ("pcfg", "systematicity/test", 10_175),
        ("pcfg", "overgeneralisation/test_pcfg_ratio=0.005_original", 554),
        ("pcfg_exceptions", "overgeneralisation/test_pcfg_ratio=0.005_exception", 554),
    ],
)
def test_published_pcfg_agrees(generator: str, name: str, rows: int) -> None:
    prompts, answers = original(f"pcfg/{name}.src"), original(f"pcfg/{name}.tgt")
    ended = synthgen("check", generator, str(prompts), "--answers", str(answers), "--json")
    assert ended.returncode == 0, ended.stdout
    assert json.loads(ended.stdout)["agree"] == rows


def test_exceptional_answers_do_not_agree_with_the_rules() -> None:
    name = "pcfg/overgeneralisation/test_pcfg_ratio=0.005_exception"
    prompts, answers = original(f"{name}.src"), original(f"{name}.tgt")
    ended = synthgen("check", "pcfg", str(prompts), "--answers", str(answers), "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["fail"] == 554


def test_rows_of_scan_in_its_own_form_agree(tmp_path: Path) -> None:
    rows = [
        "IN: turn opposite right twice after walk right thrice OUT: I_TURN_RIGHT I_WALK "
        "I_TURN_RIGHT I_WALK I_TURN_RIGHT I_WALK I_TURN_RIGHT I_TURN_RIGHT I_TURN_RIGHT "
        "I_TURN_RIGHT",
        "IN: walk after look left OUT: I_TURN_LEFT I_LOOK I_WALK",
    ]
    file = write(tmp_path, "tasks.txt", "\n".join(rows) + "\n")
    assert synthgen("check", "scan", file).returncode == 0
    swapped = write(tmp_path, "swapped.txt", rows[1].replace("after", "and") + "\n")
    ended = synthgen("check", "scan", swapped)
    assert ended.returncode == 1
    assert "walk and look left" in ended.stdout
