"""Train and test from a file: what each method promises, and that rows stay as they are."""

from __future__ import annotations

import bz2
import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import synthgen
from synthgen.core.errors import DatasetError, OutputError, ParamError, SynthgenError
from tests.building import succeeded
from tests.building import synthgen as command
from tests.conformance import original
from tests.families.scan import language

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"]
RECORDS = [
    {"prompt": f"{a} helps {b} {n} times", "answer": n, "user": a, "more": {"tags": [b, None]}}
    for a in NAMES
    for b in NAMES
    for n in range(1, 9)
]


def write(folder: Path, records: list[dict[str, Any]] = RECORDS) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records), encoding="utf-8")
    return path


def rows_of(folder: Path, split: str) -> list[dict[str, Any]]:
    lines = (folder / "data" / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def both_of(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    return rows_of(folder, "train"), rows_of(folder, "test")


def test_scan_gives_its_published_length_split(tmp_path: Path) -> None:
    commands = language.commands()
    lines = {c: f"IN: {c} OUT: {language.spelt(' '.join(language.actions(c)))}" for c in commands}
    tasks = tmp_path / "tasks.txt"
    tasks.write_text("".join(f"{line}\n" for line in lines.values()))
    made = synthgen.split(tasks, tmp_path / "length", by="length", length_of="answer")
    assert made.rows == {"train": 16_990, "test": 3_920}
    assert made.facts == {"max_train_length": 22, "min_test_length": 24, "max_test_length": 48}
    for split, rule in language.RULES["scan-length"].items():
        text = (tmp_path / "length" / "data" / f"{split}.txt").read_text()
        assert text.splitlines() == [lines[c] for c in commands if rule(c)]


@pytest.mark.slow
def test_cogs_has_a_split_of_high_divergence(tmp_path: Path) -> None:
    train = original("cogs/train.tsv")
    columns = {"prompt": "1", "answer": "2"}
    made = synthgen.split(train, tmp_path / "mcd", by="mcd", columns=columns, header=False)
    assert made.rows == {"train": 19_324, "test": 4_831}
    assert made.facts["compound_divergence"] >= 0.4
    assert made.facts["atom_divergence"] <= 0.02
    report = json.loads((tmp_path / "mcd" / "audit" / "report.json").read_text())
    measured = report["figures"]["test"]["words"]["divergence"]
    assert measured["compound"]["trigrams"]["value"] >= 0.3
    assert measured["atom"]["value"] <= 0.02


@pytest.mark.parametrize("by", ["random", "mcd", "unseen-pairs", "template", "group"])
def test_every_row_is_on_one_side(by: str, tmp_path: Path) -> None:
    columns = {"group": "user"} if by == "group" else {}
    file = write(tmp_path, [*RECORDS, *RECORDS[:40]])
    made = synthgen.split(file, tmp_path / by, by=by, columns=columns, test_share=0.25, seed=3)
    train, test = both_of(tmp_path / by)
    assert sum(made.rows.values()) == len(train) + len(test) == len(RECORDS) + 40
    assert len(RECORDS) // 8 <= len(test) <= len(RECORDS) // 3
    assert not {row["prompt"] for row in train} & {row["prompt"] for row in test}
    places = {row["prompt"]: i for i, row in enumerate(RECORDS)}
    first = [places[row["prompt"]] for row in test if row in RECORDS]
    assert sum(b <= a for a, b in pairwise(first)) <= 1  # rows keep their order
    assert json.loads((tmp_path / by / "split.json").read_text())["audit"]["ok"]


def test_groups_and_templates_stay_together(tmp_path: Path) -> None:
    file = write(tmp_path)
    synthgen.split(file, tmp_path / "users", by="group", columns={"group": "user"})
    train, test = both_of(tmp_path / "users")
    assert not {row["user"] for row in train} & {row["user"] for row in test}
    synthgen.split(file, tmp_path / "forms", by="template")
    names = [
        {row["prompt"].rstrip("12345678 times") for row in of} for of in both_of(tmp_path / "forms")
    ]
    assert not names[0] & names[1]


def test_unseen_pairs_are_of_seen_words(tmp_path: Path) -> None:
    synthgen.split(write(tmp_path), tmp_path / "pairs", by="unseen-pairs")
    train, test = both_of(tmp_path / "pairs")
    words = {word for row in train for word in row["prompt"].split()}
    pairs = {pair for row in train for pair in pairwise(row["prompt"].split())}
    assert test
    for row in test:
        assert {*row["prompt"].split()} <= words
        assert {*pairwise(["<s>", *row["prompt"].split()])} - pairs - {("<s>", row["user"])}


def test_trees_are_taken_from_a_column(tmp_path: Path) -> None:
    leaves = "abcdefgh"
    records = [
        {"prompt": f"{i} {f}", "tree": f"({f} {a} (g {b}))"}
        for i, (f, a, b) in enumerate((f, a, b) for f in "xyz" for a in leaves for b in leaves)
    ]
    columns = {"structure": "tree"}
    made = synthgen.split(write(tmp_path, records), tmp_path / "mcd", by="mcd", columns=columns)
    assert made.facts["compound_divergence"] > made.facts["random_compound_divergence"]
    assert "fragments" in made.rule
    made = synthgen.split(
        *(write(tmp_path, records), tmp_path / "more"), by="mcd", columns=columns, train_rows=60
    )
    assert made.rows == {"train": 60, "test": 38}
    assert made.record["unused_rows"] == len(records) - 98


CSV = 'question,answer\r\n"a ""b""\r\n\r\nc",1\r\n\r\nlong one here,2\r\n"x, y",3'


TEXTS = {
    "bom.csv": (
        b"\xef\xbb\xbf" + CSV.encode(),
        b'question,answer\r\n"x, y",3\n',
        b'question,answer\r\n"a ""b""\r\n\r\nc",1\r\nlong one here,2\r\n',
    ),
    "a.tsv.bz2": (
        bz2.compress(b"prompt\tz\nu v w\t1\n\nw\t\n"),
        b"prompt\tz\nw\t\n",
        b"prompt\tz\nu v w\t1\n",
    ),
    "a.json": (
        b'[{"q": 1.50, "prompt": "a b c"},\n {"prompt": "c", "q": null}]',
        b'{"prompt": "c", "q": null}\n',
        b'{"q": 1.50, "prompt": "a b c"}\n',
    ),
}
"""Content of files, and of train and test."""


@pytest.mark.parametrize("name", TEXTS)
def test_text_keeps_its_bytes(name: str, tmp_path: Path) -> None:
    content, *expected = TEXTS[name]
    file = tmp_path / name
    file.write_bytes(content)
    made = synthgen.split(file, tmp_path / "out", by="length", max_train_length=2)
    written = [tmp_path / "out" / part["file"] for part in made.record["splits"].values()]
    assert [path.read_bytes() for path in written] == expected


def test_files_that_cannot_be_split_are_named(tmp_path: Path) -> None:
    header = tmp_path / "rows-1.csv"
    header.write_text("prompt,b\nx,1\n")
    (tmp_path / "rows-2.csv").write_text("prompt,c\ny z,1\n")
    with pytest.raises(DatasetError, match=r"rows-2\.csv: expected the header of .*rows-1\.csv"):
        synthgen.split(tmp_path / "rows-*.csv", tmp_path / "out", by="length", test_share=0.5)
    (tmp_path / "rows-3.jsonl").write_text('{"prompt": "x"}\n')
    with pytest.raises(ParamError, match=r"csv, jsonl.*: expected files of one format"):
        synthgen.split(tmp_path / "rows-[13].*", tmp_path / "out", by="length")
    built = synthgen.build("scan-length", tmp_path / "scan", rows=100, workers=1).folder
    with pytest.raises(ParamError, match=r"such as .*scan/data/\*\.parquet"):
        synthgen.split(built, tmp_path / "out", by="length")
    made = synthgen.split(f"{built}/data/*.parquet", tmp_path / "out", by="random")
    assert sum(made.rows.values()) == 100


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_tables_keep_columns_and_types(form: str, tmp_path: Path) -> None:
    table = pa.Table.from_pylist(RECORDS).replace_schema_metadata({"about": "x"})
    for part in range(2):
        half = table.slice(part * 144, 144)
        if form == "parquet":
            pq.write_table(half, tmp_path / f"rows-{part}.parquet")
        else:
            with pa.ipc.new_file(tmp_path / f"rows-{part}.arrow", table.schema) as writer:
                writer.write_table(half)
    made = synthgen.split(tmp_path / f"rows-*.{form}", tmp_path / "out", by="random")
    assert made.rows == {"train": 231, "test": 57}
    read: Callable[[Path], pa.Table] = (
        pq.read_table if form == "parquet" else lambda path: pa.ipc.open_file(path).read_all()
    )
    halves = [read(tmp_path / "out" / "data" / f"{name}.{form}") for name in made.rows]
    schema = read(tmp_path / f"rows-0.{form}").schema
    assert all(half.schema.equals(schema, check_metadata=True) for half in halves)
    rows = [json.dumps(row) for half in halves for row in half.to_pylist()]
    assert Counter(rows) == Counter(map(json.dumps, table.to_pylist()))
    members = pq.read_table(tmp_path / "out" / "members.parquet").to_pylist()
    of_test = [row for row in members if row["split"] == "test"]
    places = [144 * row["file"] + row["row"] - 1 for row in of_test]
    assert halves[1].to_pylist() == table.take(places).to_pylist()


def test_the_same_split_is_made_once(tmp_path: Path) -> None:
    file = write(tmp_path)
    contents = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        out = tmp_path / name / "out"
        synthgen.split(file, out, by="random")
        contents.append({p.name: p.read_bytes() for p in out.rglob("*") if p.is_file()})
    assert contents[0] == contents[1]
    before = (out / "split.json").stat().st_mtime_ns
    assert synthgen.split(file, out, by="random").rows == {"train": 231, "test": 57}
    assert (out / "split.json").stat().st_mtime_ns == before
    with pytest.raises(OutputError, match="options"):
        synthgen.split(file, out, by="random", seed=1)
    (out / "data" / "test.jsonl").write_text("changed")
    with pytest.raises(OutputError, match=r"data/test\.jsonl"):
        synthgen.split(file, out, by="random")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "lenght"}, "by='lenght': expected one of length"),
        ({"by": "group"}, "group_col=None: expected a column"),
        ({"by": "random", "test_rows": 400}, "test_rows=400: expected an integer from 1 to 287"),
        ({"by": "random", "max_train_length": 3}, "max_train_length=3: expected none"),
        ({"by": "length"}, "test='no rows': expected at least one of 288 rows"),
        ({"by": "mcd", "atom_bound": 0.0}, "atom_bound=0.0: expected at least 0."),
        ({"by": "mcd", "train_rows": 280}, "train_rows=280: expected from 1 to 231"),
        ({"by": "random", "depth": 1}, "option='depth': expected one of test_share"),
        ({"by": "length", "length_of": "structure"}, "length_of='structure': expected prompt"),
    ],
)
def test_mistakes_are_named(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises((ParamError, SynthgenError)) as raised:
        synthgen.split(write(tmp_path), tmp_path / "out", **options)
    assert message in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_the_command_line(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [*RECORDS, {"prompt": None}]
    file, out = str(write(tmp_path, records)), str(tmp_path / "out")
    words = ("split", file, "--by", "group", "--group-col", "user", "--out", out)
    assert command(*words).returncode == 2
    ended = succeeded(*words, "--skip-nulls")
    assert f"test: 48 rows in {out}/data/test.jsonl" in ended.stdout
    assert "in neither: 0 unused rows, 1 without a prompt" in ended.stdout
    assert "audit: no row of test is in train" in ended.stdout
    assert json.loads(succeeded(*words, "--skip-nulls", "--json").stdout)["left_out_rows"] == 1
    assert "train" in succeeded("audit", out).stdout
    card = (tmp_path / "out" / "README.md").read_text()
    assert '  - split: "test"\n    path: "data/test.jsonl"\n' in card
