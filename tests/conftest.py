from __future__ import annotations

import os

# As the command line does: idle threads of linear algebra stand in the way of forking.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
