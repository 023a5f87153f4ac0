from __future__ import annotations

import gc
import os

from hypothesis import settings

# As the command line does: idle threads of linear algebra stand in the way of forking.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The first call of a kernel loads or compiles it, which no deadline can foresee.
settings.register_profile("default", deadline=None)
settings.load_profile("default")


def pytest_collection_finish() -> None:
    """Keep the thousands of tests out of every collection of garbage, a tenth of their time."""
    gc.collect()
    gc.freeze()
