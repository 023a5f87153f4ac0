"""Types that kernels share."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

Int: TypeAlias = int | np.int64
"""A scalar integer in a kernel: compiled it is 64 bits wide, uncompiled it may be either."""
