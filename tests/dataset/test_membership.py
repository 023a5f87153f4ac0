from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from synthgen.core.errors import DatasetError, OutputError
from synthgen.dataset.membership import Membership, read_membership, write_membership


def test_members_come_back_in_order(tmp_path: Path) -> None:
    members = Membership(np.array([0, 2, 1], np.uint16), np.array([7, 2**64 - 1, 0], np.uint64))
    write_membership(tmp_path / "x.parquet", members)
    again = read_membership(tmp_path / "x.parquet")
    assert again.sources.tolist() == [0, 2, 1]
    assert again.addresses.tolist() == [7, 2**64 - 1, 0]
    assert again.take(slice(1, 2)).addresses.tolist() == [2**64 - 1]


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"no parquet")
    with pytest.raises(DatasetError, match=r"x\.parquet: not a membership record"):
        read_membership(tmp_path / "x.parquet")


def test_a_failed_write_is_told(tmp_path: Path) -> None:
    members = Membership(np.zeros(1, np.uint16), np.zeros(1, np.uint64))
    with pytest.raises(OutputError, match="cannot write"):
        write_membership(tmp_path / "missing" / "x.parquet", members)
