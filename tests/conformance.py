"""Where the original data to compare with is, if it is here."""

import os
from pathlib import Path

import pytest


def original(name: str) -> Path:
    """Return a file or folder of the original data; skip the test without it."""
    beside = Path(__file__).parents[2] / "shared" / "conformance"
    path = Path(os.environ.get("SYNTHGEN_CONFORMANCE", beside)) / name
    if not path.exists():
        pytest.skip(f"the original data are not here: {name}")
    return path
