from __future__ import annotations

import os

from hypothesis import settings

# As the command line does: idle threads of linear algebra stand in the way of forking.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The first call of a kernel loads or compiles it, which no deadline can foresee.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
