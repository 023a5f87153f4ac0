"""The bundled HINT recipes, built and loaded as a user would."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import synthgen
from tests.loading import assert_loaded_and_streamed

HINT = {
    "train": 100_000,
    "test_i": 1000,
    "test_ss": 1000,
    "test_ls": 1000,
    "test_sl": 1000,
    "test_ll": 1000,
}


@pytest.mark.usefixtures("offline")
@pytest.mark.filterwarnings("ignore")  # of the client and its own libraries
def test_hint_loads_with_every_split_and_streams(tmp_path: Path) -> None:
    out = tmp_path / "hint"
    ended = synthgen("build", "hint", "--out", str(out))
    assert ended.returncode == 0, ended.stderr
    assert_loaded_and_streamed(out, HINT)
    audited = synthgen("audit", str(out))
    assert audited.returncode == 0, audited.stdout
    verified = synthgen("verify", str(out), "--rebuild", "100")
    assert verified.returncode == 0, verified.stdout
