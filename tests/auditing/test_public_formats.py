"""Files as people store them are read by default with the right columns, or one line says how."""

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import synthgen
from synthgen.core.errors import DatasetError, ParamError
from synthgen.dataset.foreign.named_files import by_split, local_files
from tests.building import succeeded
from tests.building import synthgen as command

Rows = list[tuple[str, str]]


def rows_of(seed: int, n: int = 40) -> Rows:
    pairs = np.random.default_rng(seed).integers(1000, size=(n, 2)).tolist()
    return [(f"What is {a} + {b}?", str(a + b)) for a, b in pairs]


TRAIN, TEST = rows_of(1), rows_of(2)


def lines(objects: list[object]) -> bytes:
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in objects).encode()


def chat(question: str, answer: str) -> dict[str, object]:
    parts = [{"type": "text", "text": question}]
    turns = (("system", "Add."), ("user", parts), ("assistant", answer))
    return {"messages": [{"role": role, "content": content} for role, content in turns]}


def parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())


def arrow(rows: Rows) -> bytes:
    sink = pa.BufferOutputStream()
    table = pa.table({"problem": [q for q, _ in rows], "solution": [[a] for _, a in rows]})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def sharegpt(rows: Rows) -> bytes:
    return json.dumps(
        [
            {"conversations": [{"from": "human", "value": q}, {"from": "gpt", "value": a}]}
            for q, a in rows
        ]
    ).encode()


def verl(rows: Rows) -> bytes:
    return parquet(
        pa.table(
            {
                "prompt": [[{"role": "user", "content": q}] for q, _ in rows],
                "reward_model": [{"style": "rule", "ground_truth": a} for _, a in rows],
            }
        )
    )


def trl(rows: Rows) -> bytes:
    return parquet(
        pa.table(
            {
                "prompt": [[{"role": "user", "content": q}] for q, _ in rows],
                "completion": [[{"role": "assistant", "content": a}] for _, a in rows],
            }
        )
    )


def nested_log(rows: Rows) -> bytes:
    return lines([{"doc": {"question": q, "answer": a}, "resps": [["7"]]} for q, a in rows])


FORMATS: dict[str, tuple[Callable[[Rows], bytes], str]] = {
    "txt": (lambda rows: "".join(f"IN: {q} OUT: {a}\n" for q, a in rows).encode(), "scan"),
    "tsv": (
        lambda rows: "".join(f"{q}\t{a}\tin_distribution\n" for q, a in rows).encode(),
        "prompts from '1', answers from '2'",
    ),
    "jsonl": (
        lambda rows: lines([{"question": q, "answer": f"Add.\n#### {a}"} for q, a in rows]),
        "prompts from 'question', answers from 'answer'",
    ),
    "chat.jsonl": (
        lambda rows: lines([chat(*row) for row in rows]),
        "the last user turn of 'messages', answers from the last assistant turn of 'messages'",
    ),
    "sharegpt.json": (sharegpt, "json: prompts from the last user turn of 'conversations'"),
    "verl.parquet": (verl, "prompts from 'prompt', answers from 'reward_model.ground_truth'"),
    "trl.parquet": (trl, "prompts from 'prompt', answers from 'completion'"),
    "csv": (
        lambda rows: (
            "\ufeffinstruction,input,output\r\n" + "".join(f'"{q}",,{a}\r\n' for q, a in rows)
        ).encode(),
        "prompts from 'instruction', answers from 'output'",
    ),
    "csv.gz": (
        lambda rows: gzip.compress(
            ("prompt,answer\n" + "".join(f'"{q}",{a}\n' for q, a in rows)).encode()
        ),
        "csv: prompts from 'prompt', answers from 'answer'",
    ),
    "jsonl.zst": (
        lambda rows: bytes(
            pa.compress(
                lines([{"prompt": q, "answer": float(a)} for q, a in rows]), "zstd", asbytes=True
            )
        ),
        "jsonl: prompts from 'prompt', answers from 'answer'",
    ),
    "json.bz2": (
        lambda rows: bz2.compress(
            json.dumps(
                {"version": 1, "data": [{"query": q, "response": a} for q, a in rows]}
            ).encode()
        ),
        "json: prompts from 'query', answers from 'response'",
    ),
    "arrow": (arrow, "arrow: prompts from 'problem', answers from 'solution'"),
}


@pytest.mark.parametrize("ending", FORMATS)
def test_usual_files_are_read_by_default(ending: str, tmp_path: Path) -> None:
    write, described = FORMATS[ending]
    for name, rows in (("train", TRAIN), ("test", [*TEST, TRAIN[5]])):
        (tmp_path / f"{name}.{ending}").write_bytes(write(rows))
    named = [f"--{name}={tmp_path / name}.{ending}" for name in ("train", "test")]
    header = ["--no-header"] if ending == "tsv" else []
    ended = command("audit", *named, *header)
    assert ended.returncode == 1
    assert described in " ".join(ended.stdout.split())
    assert TRAIN[5][0] in ended.stdout  # the shared row is shown
    assert "test." + ending in ended.stdout


def test_a_key_inside_a_column_is_suggested(tmp_path: Path) -> None:
    for name, rows in (("train", TRAIN), ("test", TEST)):
        (tmp_path / f"{name}.jsonl").write_bytes(nested_log(rows))
    files = [f"--{name}={tmp_path / name}.jsonl" for name in ("train", "test")]
    ended = command("audit", *files)
    assert ended.returncode == 2
    assert "--prompt-col doc.question" in " ".join(ended.stderr.split())
    succeeded("audit", *files, "--prompt-col", "doc.question", "--answer-col", "doc.answer")


def test_a_folder_of_shards_has_the_splits_of_its_names(tmp_path: Path) -> None:
    for name, rows in (("train", TRAIN), ("validation", TEST)):
        for shard in range(2):
            part = rows[shard::2]
            answers = pa.array([int(a) for _, a in part]).cast([pa.int64(), pa.string()][shard])
            table = pa.table({"prompt": [q for q, _ in part], "answer": answers})
            pq.write_table(table, tmp_path / f"{name}-{shard:05}-of-00002.parquet")
    for named in (str(tmp_path), f"{tmp_path}/*.parquet"):
        ended = succeeded("audit", named, "--json")
        splits = {each["name"]: each["rows"] for each in json.loads(ended.stdout)["splits"]}
        assert splits == {"train": 40, "validation": 40}


def test_names_of_splits() -> None:
    names = ("train-00000-of-00002.parquet", "tasks_train_length.txt", "dev_1.csv.gz", "gen.tsv")
    grouped = by_split([Path(name) for name in names])
    assert {name: len(files) for name, files in grouped.items()} == {"train": 2, "dev": 1, "gen": 1}


def test_other_encodings_and_null_prompts(tmp_path: Path) -> None:
    text = "prompt,answer\n" + "".join(f'"é {q}",{a}\n' for q, a in TRAIN)
    (tmp_path / "train.csv").write_text(text, encoding="utf-16")
    nulls = [{"prompt": q, "answer": a} for q, a in TEST] + [{"prompt": None, "answer": "1"}]
    (tmp_path / "test.jsonl").write_bytes(lines([*nulls]))
    files = [f"--train={tmp_path}/train.csv", f"--test={tmp_path}/test.jsonl"]
    assert "use --encoding utf-16" in " ".join(command("audit", *files).stderr.split())
    wide = [*files, "--encoding", "utf-16"]
    assert command("audit", *wide, "--encoding", "rot13").returncode == 2
    (tmp_path / "test.csv").write_text("prompt,answer\n1,2\n", encoding="utf-16")
    succeeded("audit", wide[0], f"--test={tmp_path}/test.csv", "--encoding", "utf-16")
    (tmp_path / "train.csv").write_text(text, encoding="utf-8")
    assert "--skip-nulls leaves such rows out" in " ".join(command("audit", *files).stderr.split())
    ended = succeeded("audit", *files, "--skip-nulls")
    assert "1 without a prompt or structure left out" in " ".join(ended.stdout.split())


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow", "datasets", "file"])
def test_tables_in_memory(kind: str, tmp_path: Path) -> None:
    def table(rows: Rows) -> object:
        columns = {"question": [q for q, _ in rows], "answer": [a for _, a in rows]}
        if kind == "datasets":
            return pytest.importorskip("datasets").Dataset.from_dict(columns)
        if kind == "file":
            path = tmp_path / f"{rows[0][1]}-{len(rows)}.jsonl"
            path.write_bytes(lines([{"question": q, "answer": a} for q, a in rows]))
            return path
        return {"polars": pl.DataFrame, "pandas": pd.DataFrame, "pyarrow": pa.table}[kind](columns)

    report = synthgen.audit({"train": table(TRAIN), "test": table(TEST)})
    assert report.ok
    assert [(split.name, split.rows) for split in report.splits] == [("train", 40), ("test", 40)]
    shared = synthgen.audit({"train": table(TRAIN), "test": table([*TEST, TRAIN[0]])})
    assert not shared.ok
    with pytest.raises(DatasetError, match="did you mean"):
        synthgen.audit({"train": table(TRAIN), "test": table(TEST)}, columns={"prompt": "questio"})


def test_what_is_no_table_or_split(tmp_path: Path) -> None:
    with pytest.raises(ParamError, match="a table of pyarrow, Polars, pandas or datasets"):
        synthgen.audit({"train": 7, "test": 8})
    with pytest.raises(ParamError, match="at least one other"):
        synthgen.audit({"train": pa.table({"prompt": ["1"]})})
    with pytest.raises(ParamError, match="train='x': expected one of a, b"):
        synthgen.audit({"a": 1, "b": 2}, train="x")
    with pytest.raises(ParamError, match="at least one file"), local_files([f"{tmp_path}/*.csv"]):
        pass
