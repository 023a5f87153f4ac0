import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from synthgen.contract.registry import generator_names

# As the command line does: idle threads of linear algebra prevent forking.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Workers of xdist set it, and commands would wrap their lines.
os.environ.pop("COLUMNS", None)

# The first call of a kernel loads or compiles it, which no deadline can foresee.
settings.register_profile("default", deadline=None, max_examples=30)
settings.load_profile("default")


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the client `datasets` ask no server, and cache in a folder of the test."""
    config = pytest.importorskip("datasets").config
    monkeypatch.setattr(config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(config, "HF_HUB_OFFLINE", True)


_OF_MANY = ("omega_chain", "test_benchmarks", "test_bundled_recipes")
"""Parts of the names of tests that need the kernels of many families."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of a family together, so that not every worker compiles its kernels.

    Those of many families at once come last, when all kernels are there.
    """
    names = sorted(generator_names(), key=len, reverse=True)

    def family(item: pytest.Item) -> tuple[bool, str]:
        test = item.nodeid.replace("-", "_")
        of_many = any(part in test for part in _OF_MANY)
        return of_many, next((name for name in names if name in test), "")

    items.sort(key=family)


def pytest_collection_finish() -> None:
    """Keep the thousands of tests out of every collection of garbage, a tenth of their time."""
    gc.collect()
    gc.freeze()
