"""Figures by name: their schema, their agreement on every path, and rules over them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthgen.auditing.blocks import INFO, Block
from synthgen.auditing.read_sides import ReadingOptions, sides_by_column
from synthgen.auditing.report import audit
from synthgen.auditing.report_figures import broken_rules, flat, merged
from synthgen.auditing.third_party import MeasuringOptions, audit_sides
from synthgen.core.errors import ParamError
from synthgen.dataset.reader import open_dataset
from tests.building import build_small, recipe_of, source_of, split_of, synthgen
from tests.dataset.tiny import write_dataset

FAMILIES = {
    "hint": (source_of("hint", "max_operators = 5, max_value = 100"), "n_op <= 3", "n_op > 3"),
    "cogs": (source_of("cogs"), "", ""),
    "rewrite": (source_of("rewrite"), "", ""),
}


def schema() -> Any:
    return json.loads(files("synthgen.auditing").joinpath("figures.schema.json").read_text())


def built(folder: Path, family: str) -> Path:
    source, train, test = FAMILIES[family]
    splits = split_of("train", 600, train), split_of("test", 200, test)
    return build_small(folder, text=recipe_of(source, *splits)).folder


def as_third_party(folder: Path, path: Path) -> dict[str, Any]:
    """Return the figures of the rows of a dataset in one file that says nothing but their split."""
    dataset = open_dataset(folder)
    names = ["prompt", "answer", "derivation"]
    tables = [
        pq.read_table(file, columns=names).append_column("part", pa.array([split] * rows))
        for split in dataset.splits
        for file in dataset.shard_paths(split)
        for rows in [pq.read_metadata(file).num_rows]
    ]
    pq.write_table(pa.concat_tables(tables), path)
    given = sides_by_column(path, ReadingOptions(structure="derivation", split="part"))
    report = audit_sides(*given, MeasuringOptions())
    return report.figures


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_a_dataset_and_its_files_have_the_same_figures(family: str, tmp_path: Path) -> None:
    folder = built(tmp_path, family)
    figures = audit(folder).figures
    jsonschema.validate(figures, schema())
    ours, others = flat(figures), flat(as_third_party(folder, tmp_path / "rows.parquet"))
    both = ours.keys() & others.keys()
    assert len(both) > 100
    assert {name: ours[name] for name in both} == {name: others[name] for name in both}
    alone = {name.split(".")[1] for name in others.keys() - ours.keys()}
    of_files = {"contradictions", "repeated", "unanswerable"}
    assert alone <= {"distinct", "shared", "shortcuts"} | of_files  # L2 is by structure


@pytest.mark.slow
def test_names_that_users_rely_on(tmp_path: Path) -> None:
    folder = built(tmp_path, "hint")
    figures = flat(audit(folder).figures)
    for name in (
        "train.templates.distinct",
        "test.divergence.atom.value",
        "test.divergence.compound.fragments.random_mean",
        "test.divergence.compound.fragments.random_sd",
        "test.words.divergence.compound.bigrams.value",
        "test.easiness.mean",
        "test.tiers.unseen_3",
        "test.lengths.prompt.shift",
        "test.axes.n_op.mean",
        "test.shared.problem.rows",
    ):
        assert name in figures, name
    report = json.loads(synthgen("audit", str(folder), "--json").stdout)
    assert flat(report["figures"]) == figures
    assert json.loads((folder / "audit/report.json").read_text())["figures"] == report["figures"]


def blocks(**figures: Mapping[str, Any]) -> Block:
    return Block("x", "X", INFO, "", figures=figures)


def test_figures_are_finite_numbers_under_plain_names() -> None:
    block = Block("x", "X", INFO, "", figures={"gen-b.tsv": {"a": 1, "b": {"c": float("inf")}}})
    more = Block("y", "Y", INFO, "", figures={"gen-b.tsv": {"b": {"d e": 0.5, "f": None}}})
    assert merged([block, more]) == {"gen_b_tsv": {"a": 1, "b": {"d_e": 0.5}}}
    clash = Block("x", "X", INFO, "", figures={"a-b": {"n": 1}, "a b": {"n": 2}, "1": {"n": 3}})
    assert merged([clash]) == {"a_b": {"n": 1}, "a_b_": {"n": 2}, "split_1": {"n": 3}}


FIGURES = {"test": {"divergence": {"atom": {"value": 0.0295}}, "rows": 10}}


def test_rules_over_figures() -> None:
    assert broken_rules(FIGURES, ["test.divergence.atom > 0.02"]) == [
        "test.divergence.atom = 0.0295: fails if test.divergence.atom > 0.02"
    ]
    assert broken_rules(FIGURES, ["test.divergence.atom.value > 0.03", "test.rows < 10"]) == []
    rule = "test.divergence.atom * 100 > 2 AND NOT test.rows = 3"
    (line,) = broken_rules(FIGURES, [rule])
    assert line.startswith("test.divergence.atom = 0.0295, test.rows = 10: ")


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("test.divergence.atoms > 0", "did you mean test.divergence.atom"),
        ("rows > 0", "a figure, not rows; did you mean test.rows"),
        ("test.rows", "expected a comparison"),
        ("test.rows > ", "--fail-if='test.rows > '"),
        ("len(test.rows) > 1", "no functions"),
        ("test.rows > 1; x", "without ';'"),
        ("", "--fail-if"),
    ],
)
def test_mistakes_in_rules(rule: str, message: str) -> None:
    with pytest.raises(ParamError, match="--fail-if") as caught:
        broken_rules(FIGURES, [rule])
    assert message in str(caught.value)


def test_a_rule_gates_an_audit(tmp_path: Path) -> None:
    folder = str(write_dataset(tmp_path / "tiny"))
    ended = synthgen("audit", folder, "--fail-if", "train.rows > 100")
    assert (ended.returncode, ended.stderr) == (0, "")
    rules = ("--fail-if", "train.rows > 100", "--fail-if", "test_hard.rows < 11")
    ended = synthgen("audit", folder, *rules)
    assert ended.returncode == 1
    assert ended.stderr == "test_hard.rows = 10: fails if test_hard.rows < 11\n"
    ended = synthgen("audit", folder, "--fail-if", "test.rows < 11")
    assert ended.returncode == 2
    assert "did you mean test_hard.rows" in ended.stderr
    ended = synthgen("audit", "nowhere", "--fail-if", "test.rows <")
    assert ended.returncode == 2
    assert "--fail-if" in ended.stderr


def test_a_rule_gates_an_audit_of_files(tmp_path: Path) -> None:
    for name, prompts in (("a", "one two"), ("b", "one six")):
        rows = "".join(f"{prompt}\n" for prompt in prompts.split())
        (tmp_path / f"{name}.tsv").write_text(f"prompt\n{rows}")
    given = ("--train", str(tmp_path / "a.tsv"), "--test", str(tmp_path / "b.tsv"))
    ended = synthgen("audit", *given, "--fail-if", "b_tsv.words.unseen.symbols >= 0.5")
    assert ended.returncode == 1
    assert "b_tsv.words.unseen.symbols = 0.5: fails if" in ended.stderr
