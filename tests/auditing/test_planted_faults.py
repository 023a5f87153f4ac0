"""Common faults of third-party files are reported with their rows; clean files have no flag."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from synthgen.auditing.blocks import FLAG
from synthgen.auditing.findings import Report
from synthgen.auditing.read_sides import ReadingOptions, sides_by_column
from synthgen.auditing.third_party import MeasuringOptions, audit_sides
from tests.auditing.blocks_of import block
from tests.auditing.test_figures import schema
from tests.building import synthgen

Row = dict[str, str | None]

NAMES = "Ada Ben Cleo Dan Eve Finn Gus Hal Ida Jo".split()
THINGS = "apples books coins drums eggs forks gloves hats".split()
ENDINGS = (
    "Count all of them and write the number that results",
    "Say how many there are after all that has happened",
    "Give the number which is left when everything is done",
)


def sums(n: int, train: int) -> list[Row]:
    """Return different sums, in a random order that does not depend on the split."""
    draws = np.random.default_rng(1)
    picked = draws.choice(900 * 900, n, replace=False).tolist()
    pairs = [(100 + at // 900, 100 + at % 900) for at in picked]
    return [
        {
            "split": "train" if i < train else "test",
            "prompt": f"What is {a} + {b}?",
            "answer": str(a + b),
            "user": f"{'t' if i < train else 'u'}{i % 500}",
        }
        for i, (a, b) in enumerate(pairs)
    ]


def stories(n: int, train: int) -> list[Row]:
    """Return different questions in sentences of several lengths."""
    draws = np.random.default_rng(2)
    rows: dict[str, Row] = {}
    while len(rows) < n:
        name, other = draws.choice(NAMES, 2, replace=False)
        thing, ending = draws.choice(THINGS), draws.choice(ENDINGS)
        a, b, c = draws.integers(10, 1000, 3).tolist()
        more = f" Then {other} gives {name} {c} more." if c % 2 else ""
        prompt = f"{name} has {a} {thing} and {other} has {b}.{more} {ending}?"
        split = "train" if len(rows) < train else "test"
        rows.setdefault(prompt, {"split": split, "prompt": prompt, "answer": str(a + b + c)})
    return list(rows.values())


def audited(rows: Sequence[Row], path: Path, groups: tuple[str, ...] = ()) -> Report:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    reading = ReadingOptions(split="split", groups=groups)
    return audit_sides(*sides_by_column(path, reading), MeasuringOptions())


def flagged(report: Report) -> list[str]:
    return [each.key for each in report.blocks if each.verdict == FLAG]


@pytest.mark.parametrize("make", [sums, stories])
@pytest.mark.parametrize("n", [1_500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_a_clean_file_has_no_flag(make: Callable[..., list[Row]], n: int, tmp_path: Path) -> None:
    rows = make(n, n * 4 // 5)
    groups = ("user",) if "user" in rows[0] else ()
    report = audited(rows, tmp_path / "rows.jsonl", groups)
    assert flagged(report) == []
    assert report.ok
    jsonschema.validate(report.figures, schema())


def changed(row: Row, **texts: str | None) -> Row:
    return {**row, **texts}


FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def plant(rows: list[Row]) -> dict[str, tuple[str, int]]:
    """Plant faults, and return the block and the number of a row of each, from 1."""
    test = len(rows) - 1
    planted: dict[str, tuple[str, int]] = {}

    def put(what: str, key: str, at: int, row: Row) -> None:
        rows[at] = row
        planted[what] = key, at + 1

    put("two answers in train", "contradictions", 20, changed(rows[10], answer="7"))
    put("two answers in a test", "contradictions", test - 1, changed(rows[test], answer="8"))
    across = changed(rows[11], split="test", answer="9", user=rows[test]["user"])
    put("two answers across", "contradictions", test - 2, across)
    put("repeated in train", "repeats", 21, dict(rows[12]))
    put("repeated in a test", "repeats", test - 4, dict(rows[test - 3]))

    def like(at: int, change: Callable[[str], str]) -> Row:
        prompt = change(str(rows[at]["prompt"]))
        return changed(rows[at], split="test", prompt=prompt, user="other")

    put("the same text", "identity", test - 5, like(13, str))
    put("spaces of a formula", "identity", test - 6, like(14, lambda p: p.replace(" + ", "+")))
    put("zero width", "identity", test - 7, like(15, lambda p: p.replace("is", "i\u200bs")))
    put("soft hyphen", "identity", test - 8, like(16, lambda p: p.replace("at", "a\u00adt")))
    put("full width", "identity", test - 9, like(17, lambda p: p.translate(FULL_WIDTH)))
    put("minus sign", "identity", test - 10, like(18, lambda p: p.replace("+", "\u2212")))
    rows[18] = changed(rows[18], prompt=str(rows[18]["prompt"]).replace("+", "-"))
    put("a group", "groups", test - 11, changed(rows[test - 11], user=rows[19]["user"]))
    put("no prompt", "unanswerable", test - 12, changed(rows[test - 12], prompt=" "))
    put("no answer", "unanswerable", 22, changed(rows[22], answer=None))
    put("an unseen word", "atoms", test - 13, changed(rows[test - 13], prompt="Whatever 3 + 4 be?"))
    for i in range(8):
        prompt = f"{rows[37 - i]['prompt']} Write the sum without any words".ljust(60, "x")
        put("cut prompts", "unanswerable", 37 - i, changed(rows[37 - i], prompt=prompt))
    return planted


def has_row(report: Report, key: str, number: int) -> bool:
    cells = [str(c) for table in block(report, key).tables for row in table.rows for c in row]
    return any(f"row {number} " in f"{cell} " for cell in cells)


def test_planted_faults_are_found_with_their_rows(tmp_path: Path) -> None:
    rows = sums(20_000, 16_000)
    planted = plant(rows)
    report = audited(rows, tmp_path / "rows.jsonl", ("user",))
    assert len(planted) == 16
    assert {key for key, _ in planted.values()} == {*flagged(report)}
    missing = [what for what, (key, row) in planted.items() if not has_row(report, key, row)]
    assert not missing
    jsonschema.validate(report.figures, schema())
    assert report.figures["test"]["contradictions"] == {"prompts": 1, "rows": 2, "against_train": 1}
    assert report.figures["test"]["groups"]["user"]["rows"] == 1


def dominated(row: Row, i: int) -> Row:
    return changed(row, answer="yes" if i % 3 else str(row["answer"]))


def copied(row: Row, i: int) -> Row:
    word = f"{NAMES[i % 10]}{THINGS[i % 7]}"
    return changed(row, prompt=f"{row['prompt']} ({word})", answer=word)


def with_options(row: Row, i: int) -> Row:
    right = "ABCD"[i % 4]
    texts = {label: str(100 + 37 * i % 800 + at) for at, label in enumerate("ABCD")}
    texts[right] += ".50"
    options = " ".join(f"({label}) {text}" for label, text in texts.items())
    return changed(row, prompt=f"{row['prompt']} {options}", answer=right)


def longer(row: Row, i: int) -> Row:
    is_train = row["split"] == "train"
    return row if is_train else changed(row, prompt=f"{row['prompt']} {row['prompt']}")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (dominated, "shortcuts"),
        (copied, "shortcuts"),
        (with_options, "shortcuts"),
        (longer, "ranges"),
    ],
)
def test_faults_of_many_rows(change: Callable[[Row, int], Row], key: str, tmp_path: Path) -> None:
    rows = [change(row, i) for i, row in enumerate(stories(400, 300))]
    report = audited(rows, tmp_path / "rows.jsonl")
    assert flagged(report) == [key]
    assert any(has_row(report, key, number) for number in range(301, 401))


def test_near_duplicates_and_unseen_pairs(tmp_path: Path) -> None:
    rows = stories(400, 300)
    for at in range(390, 400):
        prompt = str(rows[at - 300]["prompt"]).replace("Count all", "Count nearly all")
        rows[at] = changed(rows[at], prompt=f"{prompt} apples")
    for at in range(90, 100):
        rows[at] = changed(rows[at], prompt=f"{rows[at]['prompt']} apples nearly")
    report = audited(rows, tmp_path / "rows.jsonl")
    assert "near-duplicates" in flagged(report)
    assert has_row(report, "near-duplicates", 391)
    assert has_row(report, "tiers", 391)


def test_several_solutions_of_a_problem_are_no_faults(tmp_path: Path) -> None:
    rows = sums(20, 10)
    for i, row in enumerate(rows[:10]):
        row["prompt"], row["answer"] = "What is it?", f"{i} {'and so on ' * 30}"
    assert not {"repeats", "contradictions"} & {*flagged(audited(rows, tmp_path / "rows.jsonl"))}


ARITHMETIC = [
    {"split": "train", "prompt": "What is 3 + 4 * 2?", "answer": "11", "group": None},
    {"split": "train", "prompt": "What is (3 - 4) * 2?", "answer": "-2", "group": "a"},
    {"split": "train", "prompt": "What is it?", "answer": "-2", "group": ""},
    {"split": "test", "prompt": "Compute 3+4*2.", "answer": "11", "group": None},
    {"split": "test", "prompt": "What is (3 - 2) * 4?", "answer": "4", "group": "a"},
]


def test_structures_of_prompts_and_rules_over_the_new_figures(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ARITHMETIC))
    args = ["audit", str(path), "--structure", "arithmetic", "--group-col", "group"]
    rule = "test.groups.group.rows > 0"
    result = synthgen(*args, "--json", "--fail-if", rule)
    assert result.returncode == 1
    assert "test.groups.group.rows = 1" in result.stderr
    report = json.loads(result.stdout)
    assert report["figures"]["test"]["shared"]["structure"] == {"rows": 1, "share": 0.5}
    assert report["figures"]["test"]["groups"]["group"]["distinct"] == 1
    (provenance,) = [each for each in report["blocks"] if each["key"] == "provenance"]
    assert "no structure was read: 1." in provenance["text"]
    wrong = synthgen("audit", str(path), "--structure", "tree")
    assert wrong.returncode == 0
    none = tmp_path / "none.jsonl"
    none.write_text('{"split": "train", "prompt": "a b", "answer": "c"}\n')
    refused = synthgen("audit", str(none), "--structure", "arithmetic")
    assert refused.returncode == 2
    assert "'prompt' of no row has a structure: expected a formula in some" in refused.stderr


def test_the_commands_of_a_pipeline_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "compare.md").read_text(encoding="utf-8")
    commands = re.findall(r"synthgen (audit data(?: |\n +)--(?:.|\n +--)*)", page)
    assert len(commands) == 2
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    rows = sums(200, 160)
    for split in ("train", "test"):
        of_split = [row for row in rows if row["split"] == split]
        text = "".join(f"{json.dumps(row)}\n" for row in of_split)
        Path("data", f"{split}.jsonl").write_text(text)
    for command in commands:
        assert synthgen(*shlex.split(command)).returncode == 0
    with Path("data", "test.jsonl").open("a") as file:
        file.write(f"{json.dumps(rows[-1])}\n")
    for command in commands:
        failed = synthgen(*shlex.split(command))
        assert (failed.returncode, failed.stderr.count("test.repeated.rows = 1")) == (1, 1)
