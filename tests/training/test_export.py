"""Rows in the columns of trainers and evaluators, and the folders they are written to."""

from __future__ import annotations

import ast
import doctest
import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

import synthgen
from synthgen.core.errors import DatasetError, OutputError, ParamError, UnknownNameError
from synthgen.dataset import shards
from synthgen.dataset.manifest import Manifest, read_manifest, to_json
from synthgen.training import adapters, export, scoring
from synthgen.training.environment import stored_rows
from synthgen.training.export import FORMATS
from tests.building import (
    TWO_SPLITS,
    build_small,
    recipe_of,
    rows_of,
    source_of,
    split_of,
)
from tests.building import synthgen as run

TEXT = pa.string()
MESSAGES = pa.list_(pa.field("element", pa.struct([("role", TEXT), ("content", TEXT)])))
INFO = pa.struct(
    [
        *(("split", TEXT), ("index", pa.int64()), ("id", TEXT), ("answer_type", TEXT)),
        *(("task", TEXT), ("difficulty", pa.int16()), ("prompt", TEXT)),
    ]
)
QUESTION = {"id": TEXT, "prompt": TEXT, "answer": TEXT, "answer_type": TEXT}
SCHEMAS = {
    "sft": {"id": TEXT, "prompt": TEXT, "completion": TEXT},
    "chat": {"id": TEXT, "messages": MESSAGES},
    "trl": QUESTION | {"prompt": MESSAGES, "task": TEXT, "difficulty": pa.int16()},
    "verl": {
        "id": TEXT,
        "data_source": TEXT,
        "prompt": MESSAGES,
        "ability": TEXT,
        "reward_model": pa.struct([("style", TEXT), ("ground_truth", TEXT)]),
        "extra_info": INFO,
    },
    "open-instruct": {"id": TEXT, "messages": MESSAGES, "ground_truth": TEXT, "dataset": TEXT},
    "skyrl": {
        "id": TEXT,
        "data_source": TEXT,
        "prompt": MESSAGES,
        "env_class": TEXT,
        "reward_spec": pa.struct([("method", TEXT), ("ground_truth", TEXT)]),
        "extra_info": INFO,
    },
    "lm-eval": QUESTION,
    "inspect": QUESTION,
}
"""Columns and types that the readers of Parquet document."""
KEYS = {
    "openrlhf": ["id", "input", "label", "datasource"],
    "nemo-gym": ["id", "responses_create_params", "expected_answer", "answer_type"],
}
STEPS = '[render]\nsolution = "steps"\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small(tmp_path_factory.mktemp("exported"), text=TWO_SPLITS).folder


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small(tmp_path_factory.mktemp("solved"), text=TWO_SPLITS + STEPS).folder


def exported(folder: Path, form: str, out: Path, split: str = "train") -> list[dict[str, Any]]:
    written = synthgen.export(folder, form, out)
    (path,) = (Path(file) for file in written if Path(file).stem == split)
    if FORMATS[form].lines:
        return [*map(json.loads, path.read_text(encoding="utf-8").splitlines())]
    return pq.read_table(path).to_pylist()


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_its_columns_and_keeps_the_ids(
    folder: Path, tmp_path: Path, form: str
) -> None:
    for split in ("train", "test"):
        rows = exported(folder, form, tmp_path / "out", split)
        assert [row["id"] for row in rows] == [row["id"] for row in rows_of(folder, split)]
        if form in SCHEMAS:
            schema = pq.read_schema(tmp_path / "out" / f"{split}.parquet")
            assert dict(zip(schema.names, schema.types, strict=True)) == SCHEMAS[form]
            assert schema.metadata is None
        else:
            assert form not in KEYS or [*rows[0]] == KEYS[form]
    if form == "jsonl":
        assert rows == rows_of(folder, "test")
    assert not [*(tmp_path / "out").rglob("*.tmp")]


def test_adapters_grade_what_the_exports_hold(folder: Path, tmp_path: Path) -> None:
    answers = {row["id"]: row["answer"] for row in rows_of(folder, "train")}

    def grades(row: dict[str, Any], form: str, text: str) -> float:
        if form == "trl":
            columns = {name: [value] for name, value in row.items() if name != "prompt"}
            reply = [{"role": "assistant", "content": text}]
            return adapters.trl_reward(prompts=[row["prompt"]], completions=[reply], **columns)[0]
        if form == "verl":
            truth = row["reward_model"]["ground_truth"]
            found = adapters.compute_score(row["data_source"], text, truth, row["extra_info"])
            return found["score"]
        if form == "lm-eval":
            return adapters.lm_eval_results(row, [text])["acc"]
        label = json.loads(row["label" if form == "openrlhf" else "ground_truth"])
        return synthgen.reward(text, **label)

    for form in ("trl", "verl", "openrlhf", "open-instruct", "lm-eval"):
        for row in exported(folder, form, tmp_path / form)[:20]:
            assert grades(row, form, f"So\nAnswer: {answers[row['id']]}") == 1.0
            assert grades(row, form, f"{answers[row['id']]}1") == 0.0


@pytest.mark.parametrize("style", ["default", "boxed"])
def test_completions_end_in_an_answer_that_is_paid(
    solved: Path, tmp_path: Path, style: str
) -> None:
    folder = solved
    if style == "boxed":
        tables = (
            source_of("algebra_linear_equation"),
            split_of("train", 30),
            '[render]\nprompt = "boxed"\nsolution = "steps"\n',
        )
        folder = build_small(tmp_path, text=recipe_of(*tables)).folder
    rows = {row["id"]: row for row in rows_of(folder, "train")}
    for completion in ("answer", "solution"):
        for form in ("sft", "chat"):
            out = tmp_path / f"{form}-{completion}"
            synthgen.export(folder, form, out, completion=completion)
            for got in pq.read_table(out / "train.parquet").to_pylist():
                row = rows[got["id"]]
                if form == "chat":
                    user, assistant = got["messages"]
                    assert user == {"role": "user", "content": row["prompt"]}
                    assert assistant["role"] == "assistant"
                text = got["completion"] if form == "sft" else assistant["content"]
                assert synthgen.reward(text, row["answer"], row["answer_type"]) == 1.0
                assert text.startswith("\n") == (form == "sft")
                boxed = rf"\boxed{{{row['answer']}}}"
                last = boxed if style == "boxed" else row["answer"]
                if completion == "solution":
                    last = f"{row['solution']}\n{'' if style == 'boxed' else 'Answer: '}{last}"
                assert text.lstrip("\n") == last


def test_a_completion_says_that_the_answer_is_empty(tmp_path: Path) -> None:
    params = 'system = "ab", min_length = 2, max_length = 4, empty = true'
    tables = (source_of("string_systems", params), split_of("train", 200), STEPS)
    folder = build_small(tmp_path, text=recipe_of(*tables)).folder
    rows = {row["id"]: row for row in rows_of(folder, "train")}
    assert "" in {row["answer"] for row in rows.values()}
    for completion in ("answer", "solution"):
        out = tmp_path / completion
        synthgen.export(folder, "sft", out, completion=completion)
        for got in pq.read_table(out / "train.parquet").to_pylist():
            row = rows[got["id"]]
            assert synthgen.reward(got["completion"], row["answer"], row["answer_type"]) == 1.0


def test_a_text_that_satisfies_constraints_is_the_completion(tmp_path: Path) -> None:
    tables = (source_of("constraints"), split_of("train", 5), STEPS)
    folder = build_small(tmp_path, text=recipe_of(*tables)).folder
    with pytest.raises(
        DatasetError,
        match="no use to SFT of TRL: use completion=solution",
    ):
        synthgen.export(folder, "sft", tmp_path / "sft")
    assert not [*(tmp_path / "sft").iterdir()]
    synthgen.export(folder, "chat", tmp_path / "chat", completion="solution")
    texts = [
        row["messages"][1]["content"]
        for row in pq.read_table(tmp_path / "chat" / "train.parquet").to_pylist()
    ]
    rows = rows_of(folder, "train")
    assert texts == [row["solution"] for row in rows if row["natural"]]
    with pytest.raises(DatasetError, match="constraints are of no use to inspect_ai: use the f"):
        synthgen.export(folder, "inspect", tmp_path / "inspect")


def test_solutions_that_do_not_read_as_texts_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    params = 'types = ["alphabet", "bullets", "lowercase"]'
    tables = (source_of("constraints", params), split_of("train", 40), STEPS)
    folder = build_small(tmp_path, text=recipe_of(*tables)).folder
    natural = [row["natural"] for row in rows_of(folder, "train")]
    assert 0 < sum(natural) < len(natural)
    out = ("--format", "sft", "--completion", "solution", "--out")
    some = run("export", str(folder), *out, str(tmp_path / "some"))
    left = len(natural) - sum(natural)
    assert f"left out: {left} rows" in some.stdout
    assert f"Left out: {left} rows" in (tmp_path / "some" / "README.md").read_text()
    assert pq.read_table(tmp_path / "some" / "train.parquet").num_rows == sum(natural)
    every = run("export", str(folder), *out, str(tmp_path / "every"), "--unnatural")
    assert "left out" not in every.stdout
    assert pq.read_table(tmp_path / "every" / "train.parquet").num_rows == len(natural)
    with pytest.raises(ParamError, match="expected completion='solution'"):
        synthgen.export(folder, "sft", tmp_path / "none", unnatural=True)


def test_wrong_combinations_are_told(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(DatasetError, match=r"train: row [0-9a-f]{32} has no solution"):
        synthgen.export(folder, "sft", out, completion="solution")
    with pytest.raises(ParamError, match="only sft and chat have completions"):
        synthgen.export(folder, "verl", out, completion="answer")
    with pytest.raises(ParamError, match="expected one of answer, solution"):
        synthgen.export(folder, "sft", out, completion="both")
    with pytest.raises(ParamError, match="format='vrl'"):
        synthgen.export(folder, "vrl", out)
    with pytest.raises(UnknownNameError, match="did you mean 'test'"):
        synthgen.export(folder, "sft", out, ["tset"])


def test_nothing_outside_the_folder_is_written_and_nothing_foreign_replaced(
    folder: Path, tmp_path: Path
) -> None:
    for inside in (folder, folder / "export"):
        with pytest.raises(OutputError, match="is in the dataset"):
            synthgen.export(folder, "trl", inside)
    out = tmp_path / "out"
    out.mkdir()
    (out / "train.parquet").write_text("mine")
    with pytest.raises(OutputError, match=r"did not write \(train.parquet\)"):
        synthgen.export(folder, "trl", out)
    assert (out / "train.parquet").read_text() == "mine"
    (out / "train.parquet").unlink()
    synthgen.export(folder, "trl", out)
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    synthgen.export(folder, "trl", out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == first
    (out / "__pycache__").mkdir()
    synthgen.export(folder, "trl", out)
    (out / "__pycache__").rmdir()
    with pytest.raises(OutputError, match=r"did not write \(README.md, test.parquet, train.par"):
        synthgen.export(folder, "verl", out)
    with pytest.raises(OutputError, match=r"did not write \(test.parquet\)"):
        synthgen.export(folder, "trl", out, ["train"])
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert synthgen.verify(folder, rebuild=0).ok


def test_a_failed_export_leaves_no_file(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(pq.ParquetWriter):  # type: ignore[misc]
        def write_batch(self, *args: object) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(shards.pq, "ParquetWriter", Full)
    with pytest.raises(OutputError, match="no space left"):
        synthgen.export(folder, "trl", tmp_path / "out")
    assert not [*(tmp_path / "out").iterdir()]


def test_papers_of_evaluators_name_their_keys(folder: Path, tmp_path: Path) -> None:
    synthgen.export(folder, "lm-eval", tmp_path / "lm")
    text = (tmp_path / "lm" / "small_test.yaml").read_text(encoding="utf-8")
    task = yaml.safe_load(text.replace("!function ", ""))
    assert (task["task"], task["tag"], task["test_split"]) == ("small_test", "small", "test")
    assert task["fewshot_split"] == "train"
    files = task["dataset_kwargs"]["data_files"]
    assert all(Path(file).is_file() for file in files.values())
    assert task["process_results"] == "synthgen.training.adapters.lm_eval_results"
    assert not (tmp_path / "lm" / "small_train.yaml").exists()
    synthgen.export(folder, "inspect", tmp_path / "inspect")
    bench = yaml.safe_load((tmp_path / "inspect" / "eval.yaml").read_text(encoding="utf-8"))
    assert bench["evaluation_framework"] == "inspect-ai"
    (task,) = bench["tasks"]
    assert task["field_spec"]["input"] == "prompt"
    assert (task["id"], task["split"]) == ("test", "test")


def test_an_environment_is_a_package_with_its_rows(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    synthgen.export(folder, "environment", out)
    project = tomllib.loads((out / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["name"] == "synthgen-small"
    assert f"synthgen>={synthgen.__version__}" in project["project"]["dependencies"]
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["synthgen_small"]
    module = ast.parse((out / "synthgen_small" / "__init__.py").read_text(encoding="utf-8"))
    defined = {getattr(node, "name", None) for node in module.body}
    assert {"Problems", "load_environment"} <= defined
    card = (out / "README.md").read_text(encoding="utf-8")
    manifest = read_manifest(folder)
    for text in ("| `train` | 400 |", "| `test` | 100 |", manifest.fingerprint, manifest.digest):
        assert str(text) in card
    assert "License of the dataset: `mit`" in card

    (out / "dist").mkdir()
    synthgen.export(folder, "environment", out)
    (out / "synthgen_small" / "mine.py").write_text("")
    with pytest.raises(OutputError, match=r"did not write \(synthgen_small/mine.py\)"):
        synthgen.export(folder, "environment", out)
    synthgen.export(folder, "environment", tmp_path / "tests", ["test"])
    text = (tmp_path / "tests" / "synthgen_small" / "__init__.py").read_text(encoding="utf-8")
    assert 'split: Literal["test"] = "test"' in text


def test_rows_of_an_environment_are_chosen_by_rules(folder: Path, tmp_path: Path) -> None:
    synthgen.export(folder, "environment", tmp_path)
    file = tmp_path / "synthgen_small" / "test.parquet"
    rows = rows_of(folder, "test")
    assert [*stored_rows(file, ["id"])] == [{"id": row["id"]} for row in rows]
    found = stored_rows(file, ["prompt", "answer"], "n_op = 4 AND task = 'hint' AND difficulty > 0")
    assert [row["prompt"] for row in found] == [r["prompt"] for r in rows if r["n_op"] == 4]
    with pytest.raises(UnknownNameError, match="did you mean 'n_op'"):
        next(stored_rows(file, ["id"], "n_opp = 4"))
    with pytest.raises(UnknownNameError, match="unknown axis 'prompt'"):
        next(stored_rows(file, ["id"], "prompt = '2'"))


def renamed(folder: Path, manifest: Manifest, name: str) -> None:
    """Write a manifest with another name, sealed, as an attacker can."""
    text = to_json(replace(manifest, name=name, recipe={"card": {"license": "mit`\n# Run this"}}))
    (folder / "manifest.json").write_text(text, encoding="utf-8")


def test_an_environment_is_named_after_any_dataset(tmp_path: Path) -> None:
    text = recipe_of(source_of("hint"), split_of("train", 2))
    folder = build_small(tmp_path, text=text).folder
    manifest = read_manifest(folder)
    for name, module in (("2-go", "2_go"), ("class", "class"), ("a--b_", "a__b")):
        renamed(folder, manifest, name)
        out = tmp_path / name
        synthgen.export(folder, "environment", out)
        project = tomllib.loads((out / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["name"].replace("-", "_") == f"synthgen_{module}"
        assert (out / f"synthgen_{module}" / "train.parquet").is_file()
        assert "Run this" not in (out / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["environment", "lm-eval"])
def test_a_name_that_no_recipe_has_is_no_path(tmp_path: Path, form: str) -> None:
    text = recipe_of(source_of("hint"), split_of("train", 2))
    folder = build_small(tmp_path, text=text).folder
    manifest = read_manifest(folder)
    for name in ("", "../up", "../../up", 'a"b', "two words", "-a", "a.b", "Ärger", "a\n", "$id"):
        renamed(folder, manifest, name)
        with pytest.raises(DatasetError, match=r"manifest.json: name: String should match"):
            synthgen.export(folder, form, tmp_path / "a" / "b")
    assert {path.name for path in tmp_path.iterdir()} == {folder.name, "small.toml"}


def test_the_command_line_writes_beside_nothing_else(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run("export", str(folder), "--format", "verl", "--split", "test", "--json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found == {f"export/{folder.name}/verl/test.parquet": 100}
    assert all((tmp_path / path).is_file() for path in found)
    failed = run("export", str(folder), "--format", "verl", "--completion", "answer")
    assert failed.returncode == 2
    assert "only sft and chat" in failed.stderr


@pytest.mark.parametrize("form", ["verl", "openrlhf"])
def test_datasets_loads_every_split_by_its_name(folder: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    synthgen.export(folder, form, out)
    loaded = datasets.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert [*loaded] == ["train", "test"]
    assert loaded["test"]["id"][:] == [row["id"] for row in rows_of(folder, "test")]


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (export, scoring):
        result = doctest.testmod(module)
        assert result.attempted > 1
        assert result.failed == 0


def test_one_row_is_a_row(tmp_path: Path) -> None:
    text = recipe_of(source_of("hint"), split_of("train", 2), split_of("test", 1))
    folder = build_small(tmp_path, text=text).folder
    ended = run("export", str(folder), "--format", "jsonl", cwd=tmp_path)
    assert [line.rpartition(": ")[2] for line in ended.stdout.splitlines()] == ["2 rows", "1 row"]
