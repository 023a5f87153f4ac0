"""The audit of files of others: shares that were put there by hand are found again."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.auditing.findings import Report
from synthgen.auditing.read_sides import ReadingOptions, sides_by_column, sides_of_files
from synthgen.auditing.third_party import MeasuringOptions, audit_sides
from synthgen.core.errors import DatasetError, ParamError, UnknownNameError
from tests.auditing.blocks_of import block, table

TRAIN = [("add 1 and 2", "3"), ("add 2 and 3", "5"), ("Double 4", "8"), ("add 1 and 2", "3")]
TEST = [
    ("add 1 and 2", "3"),
    ("DOUBLE  4", "8"),
    ("add 7 and 9", "16"),
    ("add 1 and 3", "4"),
    ("triple 4", "12"),
]


def write_tsv(path: Path, rows: list[tuple[str, ...]], names: tuple[str, ...]) -> Path:
    path.write_text("".join("\t".join(row) + "\n" for row in [names, *rows]), encoding="utf-8")
    return path


def audit_pairs(folder: Path, **more: object) -> Report:
    names = ("prompt", "answer")
    train = write_tsv(folder / "train.tsv", TRAIN, names)
    test = write_tsv(folder / "test.tsv", TEST, names)
    return audit_sides(*sides_of_files([train], [test], ReadingOptions()), MeasuringOptions(**more))  # type: ignore[arg-type]


def failed(report: Report) -> dict[str, str]:
    return {check.name: check.detail for check in report.checks if not check.ok}


def test_rows_and_overlap_level_by_level(tmp_path: Path) -> None:
    report = audit_pairs(tmp_path, fold_case=True)
    rows = table(report, "identity")
    assert [list(row.values())[:5] for row in rows] == [
        ["train", 4, 3, 3, 2],
        ["test.tsv", 5, 5, 5, 3],
    ]
    assert [(row["level"], row["rows in train"]) for row in table(report, "identity", 1)] == [
        ("L0", 1),
        ("L1", 2),
        ("L3", 4),
    ]
    assert block(report, "identity").verdict == "flag"
    assert failed(report).keys() == {"overlap-L0/test.tsv", "overlap-L1/test.tsv"}
    assert failed(report)["overlap-L1/test.tsv"].startswith("2 of 5 rows of test.tsv also occur in")
    assert report.checks[0].rows == (
        {"row": f"{tmp_path}/test.tsv: row 1 (line 2)", "prompt": "add 1 and 2"},
    )
    assert (report.splits[0].repeated_prompts, report.splits[1].repeated_prompts) == (1, 0)
    assert [(o.left, o.right, o.ids, o.prompts) for o in report.overlaps] == [
        ("train", "test.tsv", 2, 1)
    ]


def test_case_may_matter(tmp_path: Path) -> None:
    report = audit_pairs(tmp_path)
    assert [row["rows in train"] for row in table(report, "identity", 1)] == [1, 1, 3]


def test_unseen_words_and_tiers(tmp_path: Path) -> None:
    report = audit_pairs(tmp_path, fold_case=True)
    named = {row["word"]: row["rows"] for row in table(report, "atoms", 1)}
    assert named == {"7": 1, "9": 1, "DOUBLE": 1, "triple": 1}
    (row,) = table(report, "atoms")
    assert (row["unseen words"], row["rows with one"], row["share, %"]) == (4, 3, 60.0)
    (tiers,) = table(report, "tiers")
    assert list(tiers.values()) == ["test.tsv", 5, 2, 0, 0, 1, 0, 2]
    parts = {row["part"]: row["rows with an unseen one"] for row in table(report, "tiers", 1)}
    assert parts == {"word": 3, "bigram": 3, "trigram": 4}


def test_ranges_and_answers(tmp_path: Path) -> None:
    report = audit_pairs(tmp_path)
    rows = {(row["quantity"], row["split"]): row for row in table(report, "ranges")}
    value = rows["value of the answer", "test.tsv"]
    assert (value["smallest"], value["largest"], value["rows outside train, %"]) == (3, 16, 40.0)
    assert rows["words", "train"]["mean"] == 3.5
    (answers,) = table(report, "ranges", 1)
    assert answers["majority-answer accuracy, %"] == 20.0
    assert answers["rows with an unseen answer, %"] == 60.0


def test_near_duplicates(tmp_path: Path) -> None:
    text = "a b c d e f g h i j k l m n o p q r s t u v w x y"
    rows = [(text, "1"), ("something else here", "2")]
    train = write_tsv(tmp_path / "train.tsv", [(f"{text} z", "1")], ("prompt", "answer"))
    test = write_tsv(tmp_path / "test.tsv", rows, ("prompt", "answer"))
    report = audit_sides(*sides_of_files([train], [test], ReadingOptions()), MeasuringOptions())
    (row,) = table(report, "near-duplicates")
    assert (row["rows compared"], row["also without wording"], row["share, %"]) == (2, 1, 50.0)
    assert block(report, "near-duplicates").verdict == "flag"
    assert table(report, "near-duplicates", 1)[0]["prompt"] == text


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv"])
def test_a_column_names_the_splits(tmp_path: Path, form: str) -> None:
    rows = [(p, a, "fit") for p, a in TRAIN] + [(p, a, "iid") for p, a in TEST[:2]]
    rows += [(p, a, "ood") for p, a in TEST[2:]]
    rows = rows[::2] + rows[1::2]
    names = ("question", "target", "part")
    path = tmp_path / f"rows.{form}"
    if form == "parquet":
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        pq.write_table(pa.table(columns), path)
    elif form == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(names, r, strict=True))) + "\n" for r in rows))
    else:
        path.write_text("".join(",".join(row) + "\n" for row in [names, *rows]))
    report = audit_sides(
        *sides_by_column(path, ReadingOptions(split="part"), "fit"), MeasuringOptions()
    )
    assert [(split.name, split.rows) for split in report.splits] == [
        ("fit", 4),
        ("iid", 2),
        ("ood", 3),
    ]
    shared = {
        (row["split"], row["level"]): row["rows in train"] for row in table(report, "identity", 1)
    }
    assert (shared["iid", "L0"], shared["iid", "L1"]) == (1, 1)
    assert shared["ood", "L1"] == 0
    place = next(check for check in report.checks if not check.ok).rows[0]["row"]
    assert f"row {next(i for i, row in enumerate(rows, 1) if row[2] == 'iid')}" in place
    with pytest.raises(UnknownNameError, match=r"unknown split 'train'.*fit, "):
        sides_by_column(path, ReadingOptions(split="part"))


def test_trees_of_a_column(tmp_path: Path) -> None:
    names = ("prompt", "answer", "tree")
    train = [
        ("one", "1", "(count (find dog))"),
        ("two", "1", "(count (find cat))"),
        ("three", "1", "(sum 10 (count (find cat)))"),
    ]
    test = [
        ("four", "1", "(count  (find dog))"),
        ("five", "1", "(sum 25 (count (find cat)))"),
        ("six", "1", "(sum 10 (find cat))"),
        ("seven", "1", "(find bird)"),
    ]
    files = [
        write_tsv(tmp_path / name, rows, names)
        for name, rows in (("a.tsv", train), ("b.tsv", test))
    ]
    sides = sides_of_files(files[:1], files[1:], ReadingOptions(structure="tree"))
    report = audit_sides(*sides, MeasuringOptions())
    shared = {row["level"]: row["rows in train"] for row in table(report, "identity", 1)}
    assert shared == {"L0": 0, "L1": 0, "L2": 1, "L3": 2}
    named = {row["atom"]: row["rows"] for row in table(report, "atoms", 1)}
    assert named == {"25": 1, "bird": 1}
    (tiers,) = table(report, "tiers")
    assert list(tiers.values()) == ["b.tsv", 4, 1, 0, 0, 0, 1, 2]
    (easiness,) = table(report, "easiness")
    assert (easiness["rows"], easiness["rows with an unseen pair"]) == (4, 3)
    hardest = table(report, "easiness", 1)
    assert {row["structure"] for row in hardest} >= {"pc find bird", "pc sum find"}
    assert [row["kind"] for row in table(report, "divergence")] == [
        *("atoms", "edges", "fragments"),
    ]
    assert [row["kind"] for row in table(report, "words", 2)] == ["tokens", "bigrams"]
    depth = {(r["quantity"], r["split"]): r for r in table(report, "ranges")}["depth", "b.tsv"]
    assert (depth["smallest"], depth["largest"]) == (2, 4)


def test_tokens_of_a_column_and_characters_of_prompts(tmp_path: Path) -> None:
    names = ("prompt", "answer", "tokens")
    train = write_tsv(tmp_path / "a.tsv", [("xäy", "1", "l  r"), ("yy", "1", "r l")], names)
    test = write_tsv(tmp_path / "b.tsv", [("xyz", "1", "l r"), ("äx", "1", "r r u")], names)
    sides = sides_of_files([train], [test], ReadingOptions(structure="tokens"))
    report = audit_sides(*sides, MeasuringOptions())
    assert {row["level"]: row["rows in train"] for row in table(report, "identity", 1)}["L2"] == 1
    assert [row["token"] for row in table(report, "atoms", 1)] == ["u"]
    sides = sides_of_files([train], [test], ReadingOptions())
    report = audit_sides(*sides, MeasuringOptions(tokens="chars"))
    assert [row["character"] for row in table(report, "atoms", 1)] == ["z"]
    assert table(report, "divergence")[0]["types"] == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "prompt\ttree\nok\t(f x)\nbad\t(f (g x)\n",
            r"b.tsv: row 2 \(line 3\): structure '\(f \(g",
        ),
        ("prompt\ttree\nbad\t(f (g x)\n", "character 9: expected a closing bracket for each"),
        ("prompt\ttree\nok\t(f x)\nbad\t\n", "row 2 .*: expected a tree, not an empty text"),
        ("prompt\ttree\nok\t(f x)\nbad\n", "b.tsv:3: fields=1: expected 2"),
        ("prompt\ttrees\nok\t(f x)\n", "b.tsv:1: no column 'tree'; did you mean 'trees'"),
        ("promt\ttree\nok\t(f x)\n", "b.tsv:1: no column of prompts; did you mean 'promt'"),
        ("prompt\ttree\n", "b.tsv: no rows"),
        ("", "b.tsv: no rows"),
        ("prompt\ttree\nok\t\udcff\n", "b.tsv:2: expected UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, text: str, message: str) -> None:
    train = tmp_path / "a.tsv"
    train.write_text("prompt\ttree\nfine\t(f x)\n")
    test = tmp_path / "b.tsv"
    test.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(DatasetError, match=message):
        audit_sides(
            *sides_of_files([train], [test], ReadingOptions(structure="tree")), MeasuringOptions()
        )


def test_nulls_and_corrupt_parquet_are_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    rows = {"prompt": ["a", None], "split": ["train", "test"]}
    pq.write_table(pa.table(rows), path)
    with pytest.raises(DatasetError, match="row 2: column 'prompt' is null: expected text"):
        sides_by_column(path, ReadingOptions(split="split"))
    pq.write_table(pa.table({"prompt": ["a", "b"], "split": ["train", None]}), path)
    with pytest.raises(DatasetError, match="row 2: 'split' is null: expected a split"):
        sides_by_column(path, ReadingOptions(split="split"))
    pq.write_table(pa.table({"prompt": ["a", "b"], "split": ["train", ""]}), path)
    with pytest.raises(DatasetError, match="row 2: 'split' is empty: expected a split"):
        sides_by_column(path, ReadingOptions(split="split"))
    pq.write_table(pa.table({"prompt": ["a", "b"], "split": ["train", "train"]}), path)
    with pytest.raises(DatasetError, match="all rows belong to split 'train'"):
        sides_by_column(path, ReadingOptions(split="split"))
    many = [str(number) for number in range(200)]
    pq.write_table(pa.table({"prompt": many, "split": many}), path)
    with pytest.raises(DatasetError, match="more than 100 values in 'split'"):
        sides_by_column(path, ReadingOptions(split="split"))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2] + data[len(data) // 2 + 40 :])
    with pytest.raises(DatasetError, match=r"rows\.parquet: cannot be read as Parquet"):
        sides_by_column(path, ReadingOptions(split="split"))


def test_files_of_both_sides_are_needed(tmp_path: Path) -> None:
    with pytest.raises(ParamError, match="--train"):
        sides_of_files([], [tmp_path], ReadingOptions())
    with pytest.raises(ParamError, match="--test"):
        sides_of_files([tmp_path], [], ReadingOptions())


def test_two_audits_find_the_same(tmp_path: Path) -> None:
    assert audit_pairs(tmp_path) == audit_pairs(tmp_path)
    text = json.dumps(audit_pairs(tmp_path).to_dict(), allow_nan=False)
    assert json.loads(text)["ok"] is False


def test_numbers_are_not_words_unless_asked_for(tmp_path: Path) -> None:
    files = [
        write_tsv(tmp_path / name, [(f"add {n} to x1", "1") for n in numbers], ("prompt", "answer"))
        for name, numbers in (("a.tsv", range(100, 140)), ("b.tsv", range(500, 520)))
    ]
    sides = sides_of_files(files[:1], files[1:], ReadingOptions())
    report = audit_sides(*sides, MeasuringOptions())
    assert block(report, "atoms").verdict == "ok"
    assert report.figures["b_tsv"]["words"]["unseen"]["symbols"] == 0
    assert report.figures["b_tsv"]["words"]["tiers"]["same_template"] == 1
    exact = audit_sides(*sides, MeasuringOptions(tokens="numbers"))
    assert exact.figures["b_tsv"]["words"]["unseen"]["symbols"] == 1


def test_trees_are_read_in_both_forms(tmp_path: Path) -> None:
    names = ("prompt", "tree")
    train = [("a", "f(g(x), h( y ,z))"), ("b", "(f (g x) (h y z))"), ("c", "w"), ("d", "( w )")]
    test = [("e", "f( g(x) , h(y,z) )"), ("f", "w()"), ("g", "(f  (g  x)(h y z) )")]
    files = [
        write_tsv(tmp_path / name, rows, names)
        for name, rows in (("a.tsv", train), ("b.tsv", test))
    ]
    given = sides_of_files(files[:1], files[1:], ReadingOptions(structure="tree"))
    figures = audit_sides(*given, MeasuringOptions()).figures
    assert figures["train"]["distinct"] == {"prompt": 4, "normalised": 4, "structure": 2}
    assert figures["b_tsv"]["shared"]["structure"] == {"rows": 3, "share": 1}
