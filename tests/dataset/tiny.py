"""A tiny, valid dataset folder written by hand, and its manifest, for tests to read and spoil."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from synthgen.dataset.manifest import EVALUATIONS, PAPERS, membership_file
from synthgen.dataset.membership import Membership, write_membership
from synthgen.dataset.row_schema import BASE_COLUMNS
from synthgen.dataset.seal import SEAL, sealed
from synthgen.recipe.fingerprint import canonical
from synthgen.recipe.loader import load_recipe
from synthgen.recipe.overrides import Overrides

Row = dict[str, Any]
DRAWN, FIRST = 1_000, 3
"""Number of addresses, and the row at address 0."""

RECIPE = """
name = "tiny"
seed = 7
source = [{ generator = "adder" }]
split = [
    { name = "train", rows = 40 },
    { name = "test_hard", rows = 10 },
    { name = "probe", rows = 3 },
]
"""

CARD = {
    "title": "Tiny: a test",
    "license": "CC-BY-4.0",
    "creator": "The testers",
    "date": "2026-01-31",
    "url": "https://example.org/tiny",
    "language": "en",
    "citation": "@misc{tiny}",
    "description": "Adds one to small numbers.",
}

AXES = {
    "n_op": {
        "dtype": "int16",
        "meaning": "number of operators",
        "low": 0,
        "high": 9,
        "values": [],
        "canonical": True,
    },
    "kind": {
        "dtype": "int16",
        "meaning": "form | of the problem",
        "low": None,
        "high": None,
        "values": ["plain", "nested"],
        "canonical": True,
    },
}
SCHEMA = pa.schema(
    [
        *((name, kind) for name, (kind, _) in BASE_COLUMNS.items()),
        ("n_op", pa.int16()),
        ("kind", pa.string()),
    ]
)


def row(number: int, n_op: int | None = None, **changes: Any) -> Row:
    """Return one row; different numbers are different problems, `n_op` is number % 5."""
    made: Row = {
        "id": hashlib.md5(str(number).encode(), usedforsecurity=False).hexdigest(),
        "prompt": f"What is {number} + 1?",
        "answer": str(number + 1),
        "answer_type": "integer",
        "solution": None if number % 2 else f"{number} + 1 = {number + 1}",
        "task": "adder",
        "template": "what",
        "derivation": f"(+ {number} 1)",
        "difficulty": number % 5,
        "source": "adder",
        "address": (number - FIRST) % DRAWN,
        "n_op": number % 5 if n_op is None else n_op,
        "kind": "plain" if number % 3 else "nested",
    }
    return made | changes


def default_rows() -> dict[str, list[Row]]:
    """Return rows that keep every promise of the default manifest."""
    return {
        "train": [row(number) for number in range(40)],
        "test_hard": [row(number, n_op=7 + number % 2) for number in range(100, 110)],
        "probe": [row(number) for number in (3, 4, 5)],
    }


def write_dataset(folder: Path, rows: dict[str, list[Row]] | None = None) -> Path:
    """Write a dataset of three splits, the first in two shards, and return its folder.

    `train` holds n_op <= 4, balanced; `test_hard` n_op > 4; `probe` is drawn from `train`.
    """
    rows = default_rows() if rows is None else rows
    (folder / "data").mkdir(parents=True)
    splits = [
        _split(folder, "train", rows["train"], 2, where="n_op <= 4", balance=["n_op"]),
        _split(folder, "test_hard", rows["test_hard"], 1, where="n_op > 4 AND source = 'adder'"),
        _split(folder, "probe", rows["probe"], 1, seen_in="train"),
    ]
    splits[0]["cap"] = {"axis": "kind", "share": 0.9, "where": None}
    (folder / "selection").mkdir()
    for name, members in rows.items():
        addresses = np.array([one["address"] for one in members], np.uint64)
        membership = Membership(np.zeros(len(members), np.uint16), addresses)
        write_membership(folder / membership_file(name), membership)
    papers = sorted([*PAPERS, *EVALUATIONS])
    for paper in papers:
        text = RECIPE if paper == "recipe.toml" else f"{paper} of tiny\n"
        (folder / paper).write_text(text)
    others = [*papers, *(membership_file(name) for name in sorted(rows))]
    files = [_file(folder, name) for name in others]
    save_manifest(folder, _manifest(folder, splits) | {"files": files})
    return folder


def read_json(folder: Path, name: str = "manifest.json") -> dict[str, Any]:
    """Return a JSON file of the folder."""
    found: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
    return found


def save_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest as a build would, with its seal."""
    content = {key: value for key, value in manifest.items() if key != SEAL}
    text = json.dumps(sealed(content), sort_keys=True, indent=1) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")


def edit_manifest(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Apply a change to the manifest in place."""
    manifest = read_json(folder)
    change(manifest)
    save_manifest(folder, manifest)


def read_rows(folder: Path, file: str) -> list[Row]:
    """Return the rows of one shard."""
    found: list[Row] = pq.read_table(folder / file).to_pylist()
    return found


def write_rows(folder: Path, file: str, rows: Sequence[Row], schema: pa.Schema = SCHEMA) -> None:
    """Replace one shard by these rows, and leave the manifest as it is."""
    pq.write_table(pa.Table.from_pylist(list(rows), schema), folder / file, row_group_size=8)


def sign(folder: Path) -> None:
    """Make the manifest agree with the files, as a forger would."""

    def update(manifest: dict[str, Any]) -> None:
        for split in manifest["splits"]:
            split["shards"] = [_shard(folder, shard["file"]) for shard in split["shards"]]
            split["rows"] = sum(shard["rows"] for shard in split["shards"])
        manifest["files"] = [_file(folder, one["file"]) for one in manifest["files"]]
        total = sum(split["rows"] for split in manifest["splits"])
        manifest["totals"] = {"rows": total, "verified": total}

    edit_manifest(folder, update)


def _split(folder: Path, name: str, rows: list[Row], shards: int, **rule: Any) -> dict[str, Any]:
    files = [f"data/{name}-{i:05d}-of-{shards:05d}.parquet" for i in range(shards)]
    share = -(-len(rows) // shards)
    for i, file in enumerate(files):
        write_rows(folder, file, rows[i * share : (i + 1) * share])
    plain = {"where": None, "balance": [], "seen_in": None, "overlap": [], "cap": None}
    plain |= {"parts": [], "members": None, "variant": None, "repeats": 0}
    plain |= {"unseen": None, "measured": [], "covers": []}
    plain["order"] = {"by": "turns", "axis": "difficulty"}
    return plain | {
        "name": name,
        "rows": len(rows),
        "candidates": 2 * len(rows),
        "duplicates": 1,
        "cells": _cells(rows, rule.get("balance", [])),
        "shards": [_shard(folder, file) for file in files],
        **rule,
    }


def _cells(rows: list[Row], balance: list[str]) -> list[dict[str, Any]]:
    counts: dict[tuple[Any, ...], int] = {}
    for one in rows:
        value = tuple(one[name] for name in balance)
        counts[value] = counts.get(value, 0) + 1
    return [
        {
            "cell": dict(zip(balance, value, strict=True)),
            "rows": count,
            "quota": count,
            "dry": False,
            "candidates": count,
        }
        for value, count in sorted(counts.items())
        if balance
    ]


def _file(folder: Path, file: str) -> dict[str, Any]:
    data = (folder / file).read_bytes()
    return {"file": file, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _shard(folder: Path, file: str) -> dict[str, Any]:
    rows = pq.read_metadata(folder / file).num_rows
    return {
        **_file(folder, file),
        "rows": rows,
        "arrow_bytes": 100 * rows,
        "content": ["0" * 64] * -(-rows // 10_000),
        "verified": rows,
    }


def _manifest(folder: Path, splits: list[dict[str, Any]]) -> dict[str, Any]:
    total = sum(split["rows"] for split in splits)
    meanings = {name: meaning for name, (_, meaning) in BASE_COLUMNS.items()}
    meanings |= {name: str(axis["meaning"]) for name, axis in AXES.items()}
    return {
        "format": "synthgen-dataset/4",
        "name": "tiny",
        "fingerprint": "ab" * 32,
        "synthgen": "0.0.9",
        "libraries": {"numpy": "2.0.0", "pyarrow": "21.0.0"},
        "recipe": canonical(load_recipe(folder / "recipe.toml", Overrides(rows=53)).recipe),
        "overrides": ["rows=53"],
        "sources": [
            {
                "name": "adder",
                "generator": "adder",
                "version": 1,
                "domain": "adder",
                "verifier": "adder",
                "params": {"max_operators": 9},
                "stream": "00000000deadbeef",
                "draws_of": None,
                "space": None,
                "fewest_problems": 10**30,
                "restates": False,
                "prompt": "bare",
                "solution": "none",
                "format": {},
            }
        ],
        "columns": [
            {"name": field.name, "type": str(field.type), "meaning": meanings[field.name]}
            for field in SCHEMA
        ],
        "axes": AXES,
        "dedup": "canonical",
        "divergence": None,
        "computed": [],
        "groups": None,
        "splits": splits,
        "selection": {
            "candidates": DRAWN,
            "invalid": 0,
            "unmatched": 0,
            "duplicates": 3,
            "bytes_per_row": 120.5,
        },
        "totals": {"rows": total, "verified": total},
    }
