"""Freed memory is used again without being asked for anew."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_FAULTS = """
import resource
import numpy as np
from synthgen.core.memory import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        arrays = [np.ones(1 << 18) for _ in range(8)]
        del arrays
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

keep_freed_memory()
faults()
print(faults())
"""
_PAGES = 20 * 8 * (1 << 18) * 8 // 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are left alone")
def test_kept_memory_needs_no_new_pages() -> None:
    command = [sys.executable, "-c", _FAULTS]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    assert int(result.stdout) < _PAGES // 100
