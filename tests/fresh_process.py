"""A program of a test in a process of its own, with kernels compiled or as plain Python."""

import os
import subprocess
import sys
from pathlib import Path


def printed(program: str, *, plain: bool, timeout: float = 240) -> str:
    """Run a program and return what it prints; plain numpy scalars warn where they wrap around."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "NUMBA_DISABLE_JIT": str(int(plain))},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()
