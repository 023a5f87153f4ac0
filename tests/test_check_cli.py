"""`synthgen check` as people and scripts see it, on files broken and hostile ones too."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synthgen.cli import run
from synthgen.core.errors import SynthgenError
from synthgen.dataset.foreign import FORMATS, open_foreign
from synthgen.dataset.foreign.text_lines import MAX_LINE_BYTES
from synthgen.verifying.checked_files import check
from tests.building import succeeded, synthgen, write_recipe
from tests.conformance import original


def write(folder: Path, name: str, data: str | bytes) -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def test_rows_that_agree_are_exit_code_0(tmp_path: Path) -> None:
    file = write(tmp_path, "rows.tsv", "expr\tresult\n1+1\t2\n7\t7\n")
    ended = succeeded("check", "hint", file)
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
    ended = succeeded("check", "hint", file, "--no-header", "--json")
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
    succeeded("build", str(recipe), *prompts, "--out", str(out), "--rows", "500")
    shard = next((out / "data").glob("train-*.parquet"))
    ended = succeeded("check", "hint", str(shard), "--solution-col", "solution")
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
        ended = succeeded("check", "cogs", str(original(f"cogs/{file}.tsv")), *columns, "--json")
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
    ended = succeeded("check", generator, str(prompts), "--answers", str(answers), "--json")
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


BOM = b"\xef\xbb\xbf"
HEAD = b"prompt\tanswer\n"
GOOD = b"1+1\t2\n"
HOSTILE = "\x1b[31m1+1\x1b]0;x\x07\u202e\x9b"


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


Checker = Callable[..., Ended]


@pytest.fixture
def checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Checker:
    """Write bytes to a file and run the command on it, in this process."""

    def run_on(name: str, data: str | bytes, *options: str) -> Ended:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        monkeypatch.setattr("sys.argv", ["synthgen", "check", "hint", str(path), *options])
        with pytest.raises(SystemExit) as end:
            run()
        told = capsys.readouterr()
        return Ended(int(end.value.code or 0), told.out, told.err)

    monkeypatch.chdir(tmp_path)
    return run_on


@pytest.mark.parametrize(
    ("name", "data", "rows"),
    [
        ("crlf.tsv", b"prompt\tanswer\r\n1+1\t2\r\n7\t7\r\n", 2),
        ("mark.tsv", BOM + HEAD + GOOD, 1),
        ("mark_crlf.csv", BOM + b'prompt,answer\r\n"1+1","2"\r\n', 1),
        ("mark_quoted.csv", BOM + b'"prompt","answer"\n1+1,2\n', 1),
        ("mark.jsonl", BOM + b'{"prompt": "1+1", "answer": 2}\r\n', 1),
        ("mark.txt", BOM + b"IN: 1+1 OUT: 2\r\n", 1),
        ("mixed_ends.tsv", b"prompt\tanswer\r\n1+1\t2\n7\t7\r\n8\t8", 3),
        ("no_last_end.tsv", HEAD + b"1+1\t2", 1),
        ("half_last_end.tsv", b"prompt\tanswer\r\n1+1\t2\r", 1),
        ("blank_lines.tsv", b"\n\r\n" + HEAD + b"\n1+1\t2\n\n\n7\t7\n\n", 2),
        ("blank_lines.csv", b"\nprompt,answer\n\n1+1,2\n\n", 1),
        ("blank_lines.jsonl", b'\n{"prompt": "1", "answer": 1}\n  \n\n', 1),
        ("other_names_twice.tsv", b"x\tprompt\tx\tanswer\n0\t1+1\t0\t2\n", 1),
        ("nameless.tsv", b"\tprompt\t\tanswer\n0\t1+1\t0\t2\n", 1),
        ("line_in_quotes.csv", b'prompt,answer,note\n1+1,2,"a\n\n""b"", c"\n', 1),
        ("nested.jsonl", b'{"prompt": "1", "answer": 1, "x": ' + b"[" * 500 + b"]" * 500 + b"}", 1),
        ("zipped.tsv.gz", gzip.compress(HEAD, mtime=0) + gzip.compress(GOOD, mtime=0), 1),
        ("UPPER.TSV", HEAD + GOOD, 1),
        ("wide.tsv", b"\t".join([b"c"] * 300_000 + [HEAD]) + b"0\t" * 300_000 + GOOD, 1),
    ],
)
def test_unusual_files_just_work(checked: Checker, name: str, data: bytes, rows: int) -> None:
    ended = checked(name, data, "--json")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert (found["rows"], found["agree"]) == (rows, rows)


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("quotes.tsv", HEAD + b'"1+1"\t2\n', "only without white space and quotes around the te"),
        ("spaces.tsv", HEAD + b"1+1 \t 2\n", "only without white space around the texts"),
        ("nul.tsv", HEAD + b"1+1\x00\t2\n", "cannot read the prompt"),
        ("second_mark.tsv", HEAD + BOM + GOOD, "cannot read the prompt"),
        ("empty_fields.tsv", HEAD + b"\t\n", "the prompt is empty"),
        ("digits.jsonl", b'{"prompt": 1, "answer": ' + b"1" * 5000 + b"}", "does not accept"),
        ("float.jsonl", b'{"prompt": 1, "answer": 1.0}', "does not accept"),
        ("missing.jsonl", b'{"prompt":"1","answer":1}\n{"prompt":"1"}', "the answer is null"),
        ("not_a_number.jsonl", b'{"prompt": "1", "answer": NaN}', "the answer is null"),
        ("long.tsv", HEAD + b"1+" * 2_000_000 + b"1\t2\n", "does not accept the answer"),
        ("deep.tsv", HEAD + b"(" * 2_000_000 + b"\t2\n", "cannot read the prompt"),
        ("other_digits.tsv", HEAD + "1+1\t\u0662\n".encode(), "does not accept the answer"),
    ],
)
def test_unusual_texts_are_rows_that_fail(
    checked: Checker, name: str, data: bytes, why: str
) -> None:
    ended = checked(name, data)
    assert ended.code == 1, ended.err
    assert why in ended.out
    assert len(ended.out) < 2000


@pytest.mark.parametrize(
    ("name", "data", "options", "message"),
    [
        ("rows.tsv", "promt\tanswer\n1\t1\n", (), "rows.tsv:1: no column of prompts; did you mean"),
        ("rows.tsv", "prompt\tanswer\n1\t1\n", ("--answer-col", "anwser"), "mean 'answer'?"),
        ("rows.tsv", "prompt\tanswer\tanswer\n1\t1\t2\n", (), "2 columns are named 'answer'"),
        ("rows.tsv", "prompt\tanswer\n1\n", (), "rows.tsv:2: fields=1: expected 2, as line 1 has"),
        ("rows.tsv", "prompt\tanswer\n   \n", (), "rows.tsv:2: fields=1: expected 2"),
        ("rows.tsv", "prompt\tanswer\n", (), "rows.tsv: no rows, so nothing was checked"),
        ("rows.tsv", "", (), "rows.tsv: no rows, so nothing was checked"),
        ("rows.tsv", BOM, (), "rows.tsv: no rows, so nothing was checked"),
        ("rows.tsv", b"prompt\tanswer\n\xff\t1\n", (), "rows.tsv:2: expected UTF-8: byte 0xff"),
        ("rows.tsv", "1\t1\n".encode("utf-16"), (), "expected UTF-8: this looks like UTF-16"),
        ("rows.tsv", "prompt\tanswer\r1\t1\r", (), "rows.tsv:1: no column of answers"),
        ("rows.tsv", "\t".join(f"c{i}" for i in range(99_999)), (), "and 99,987 more"),
        ("rows.csv", 'prompt,answer\n"1,1\n', (), "rows.csv:2: expected a CSV record"),
        ("rows.csv", 'prompt,answer\n"1"1,1\n', (), "rows.csv:2: expected a CSV record"),
        ("rows.csv", 'prompt,answer\n"1,1\n' + "1,1\n" * 99_999, (), "rows.csv:2: expected a CSV"),
        (
            "rows.jsonl",
            "[" * 100_000,
            (),
            "rows.jsonl:1: expected one JSON object per line: nested",
        ),
        ("rows.parquet", b"PAR1", (), "rows.parquet: cannot be read as Parquet"),
        ("rows.parquet", b"", (), "rows.parquet: cannot be read as Parquet"),
        ("rows.txt", "jump\n", (), "rows.txt:1: expected 'IN: <command> OUT: <actions>'"),
        ("rows.txt", "IN: a OUT: b\nIN: a OUT: b OUT: c\n", (), "rows.txt:2: expected 'IN: <com"),
        ("rows.tsv.gz", gzip.compress(b"", mtime=0)[:10] + b"\xff" * 30, (), "invalid block"),
        ("rows.tsv.gz", b"plain", (), "rows.tsv.gz: cannot be read: Not a gzipped file"),
        (
            "rows.tsv.gz",
            gzip.compress(b"1", mtime=0)[:-2],
            (),
            "rows.tsv.gz: cannot be read: Compressed",
        ),
        ("rows.tsv", gzip.compress(b"1", mtime=0), (), "rows.tsv:1: expected UTF-8"),
        ("rows.src", "1\n", (), "or --answers FILE for files with one text per line"),
        ("rows.src", "1\n", ("--answers", "no/where"), "no/where: cannot be read: No such file"),
        ("rows.tsv", "", ("--format", "excel"), "--format='excel': expected one of tsv, csv"),
        ("rows.tsv", "1\t1\n", ("--no-header", "--prompt-col", "3"), "no column '3'; columns: '1'"),
    ],
)
def test_files_that_cannot_be_checked_end_in_a_message_and_exit_code_2(
    checked: Checker, name: str, data: str | bytes, options: tuple[str, ...], message: str
) -> None:
    ended = checked(name, data, *options)
    assert ended.code == 2, ended.out
    assert message in ended.err
    assert ended.out == ""
    assert ended.err.startswith("error: ")
    assert len(ended.err) < 1000


def test_nothing_that_a_terminal_would_act_on_is_printed(checked: Checker) -> None:
    table = f"prompt\tanswer\n{HOSTILE}\t{HOSTILE}\n"
    header = f"{HOSTILE}\tanswer\n1\t1\n"
    key = json.dumps({HOSTILE: {}, "answer": "1"})
    for code, ended in (
        (1, checked("rows.tsv", table)),
        (1, checked("rows.tsv", table, "--json")),
        (1, checked("rows.tsv", header.replace("\t1", "\t2"), "--prompt-col", HOSTILE)),
        (2, checked("rows.tsv", header)),
        (2, checked("rows.tsv", header, "--prompt-col", "x")),
        (2, checked("rows.tsv", table, "--prompt-col", HOSTILE)),
        (2, checked("rows.jsonl", key, "--prompt-col", HOSTILE)),
        (2, checked("rows.jsonl", key, "--prompt-col", "answer", "--answer-col", HOSTILE)),
    ):
        assert ended.code == code
        assert all(char == "\n" or char.isprintable() for char in ended.out + ended.err)


def test_a_huge_line_is_refused(checked: Checker) -> None:
    for name in ("rows.tsv", "rows.csv", "rows.jsonl", "rows.txt"):
        ended = checked(name, b"1" * (MAX_LINE_BYTES + 1))
        assert ended.code == 2
        assert f"{name}:1: expected a line of at most 16,777,216 bytes" in ended.err
    bomb = gzip.compress(bytes(4 * MAX_LINE_BYTES), 1, mtime=0)
    assert "gz:1: expected a line of at most" in checked("rows.tsv.gz", bomb).err


def test_random_bytes_end_in_a_message_whatever_they_are_called(checked: Checker) -> None:
    noise = np.random.default_rng(7)
    for name in ("x.tsv", "x.csv", "x.jsonl", "x.parquet", "x.txt", "x.tsv.gz"):
        ended = checked(name, noise.bytes(5000))
        assert ended.code == 2
        assert name in ended.err
        assert ended.err.count("\n") == 1


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), form=st.sampled_from([form for form in FORMATS if form != "pairs"]))
def test_a_damaged_file_gives_a_verdict_or_a_message(
    data: st.DataObject, form: str, tmp_path: Path
) -> None:
    path = tmp_path / f"rows.{form}"
    path.write_bytes(sound(tmp_path, form))
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(whole)))
        end = data.draw(st.integers(start, min(len(whole), start + 3)))
        whole[start:end] = data.draw(st.binary(max_size=3) | st.sampled_from([b'"', b"\t", b"\n"]))
    path.write_bytes(whole)
    try:
        with open_foreign(path, form=form) as foreign:
            found = check("hint", foreign.batches, 100)
    except SynthgenError as error:
        assert str(error).startswith(str(path))  # noqa: PT017
        assert str(error).isprintable()  # noqa: PT017
    else:
        assert found.fail == len(found.examples)


def sound(folder: Path, form: str) -> bytes:
    """Return a file of 20 rows that agree."""
    rows = [(f"{i % 10}+1", i % 10 + 1) for i in range(20)]
    if form == "parquet":
        pq.write_table(
            pa.table({"prompt": [p for p, _ in rows], "answer": [a for _, a in rows]}),
            folder / "sound",
        )
        return (folder / "sound").read_bytes()
    if form == "arrow":
        table = pa.table({"prompt": [p for p, _ in rows], "answer": [str(a) for _, a in rows]})
        with pa.ipc.new_stream(str(folder / "sound"), table.schema) as writer:
            writer.write_table(table)
        return (folder / "sound").read_bytes()
    if form == "json":
        return json.dumps([{"prompt": p, "answer": a} for p, a in rows], indent=1).encode()
    lines: dict[str, list[Any]] = {
        "tsv": ["prompt\tanswer", *(f"{p}\t{a}" for p, a in rows)],
        "csv": ["prompt,answer", *(f'"{p}",{a}' for p, a in rows)],
        "jsonl": [json.dumps({"prompt": p, "answer": a}) for p, a in rows],
        "scan": [f"IN: {p} OUT: {a}" for p, a in rows],
    }
    return "".join(f"{line}\n" for line in lines[form]).encode()
