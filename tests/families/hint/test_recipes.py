"""The bundled HINT recipes, built and loaded as a user would."""

from __future__ import annotations

import hashlib
from pathlib import Path

import datasets
import pytest

from synthgen.dataset.reader import open_dataset
from tests.building import synthgen

HINT = {
    "train": 100_000,
    "test_i": 1000,
    "test_ss": 1000,
    "test_ls": 1000,
    "test_sl": 1000,
    "test_ll": 1000,
}
TRAIN = "c26a3100387bc58fdb3c4c818d23e78b701ec218a1dd8b56fc06f2e0ff4197bf"
VAL = "eb3bb10d9f012dac6e1e6ea45f049c755ff9c2cdc5c27fd7c5caa1ff1eb09fdf"


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


@pytest.mark.usefixtures("offline")
@pytest.mark.filterwarnings("ignore")  # of the client and its own libraries
def test_hint_loads_with_every_split_and_streams(tmp_path: Path) -> None:
    out = tmp_path / "hint"
    ended = synthgen("build", "hint", "--out", str(out))
    assert ended.returncode == 0, ended.stderr
    loaded = datasets.load_dataset(str(out))
    assert {name: split.num_rows for name, split in loaded.items()} == HINT
    streamed = datasets.load_dataset(str(out), streaming=True)
    for name in ("test_i", "test_ll"):
        rows = list(streamed[name])
        assert len(rows) == HINT[name]
        assert rows == list(loaded[name])
    audited = synthgen("audit", str(out))
    assert audited.returncode == 0, audited.stdout
    verified = synthgen("verify", str(out), "--rebuild", "100")
    assert verified.returncode == 0, verified.stdout


@pytest.mark.slow
def test_hint_paper_is_the_published_data_set(tmp_path: Path) -> None:
    out = tmp_path / "paper"
    ended = synthgen("build", "hint-paper", "--out", str(out))
    assert ended.returncode == 0, ended.stderr
    dataset = open_dataset(out)
    assert [dataset.rows(split) for split in dataset.splits] == [998_000, 4_698, 46_620]
    for split, wanted in (("train", TRAIN), ("val", VAL)):
        digest = hashlib.sha256()
        for batch in dataset.batches(split, ["prompt", "answer"]):
            pairs = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            digest.update("".join(f"{prompt}\t{answer}\n" for prompt, answer in pairs).encode())
        assert digest.hexdigest() == wanted
    audited = synthgen("audit", str(out))
    assert audited.returncode == 0, audited.stdout
