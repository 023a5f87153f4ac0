"""What a timing depends on besides the code: processors, Python and library versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import synthgen
from synthgen.engine.workers.local import usable_cores

_LIBRARIES = ("numpy", "numba", "polars", "pyarrow", "sympy", "reasoning-gym")


def machine_facts() -> dict[str, Any]:
    """Return facts that compare machines without naming one."""
    return {
        "processors": os.cpu_count(),
        "usable_processors": usable_cores(),
        "processor": _processor(),
        "system": platform.system(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
        "synthgen": synthgen.__version__,
        "libraries": {name: installed_version(name) for name in _LIBRARIES},
    }


def installed_version(distribution: str) -> str | None:
    """Return the version of an installed distribution, or None."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _processor() -> str | None:
    """Return the model of the processor where the system tells it."""
    path = Path("/proc/cpuinfo")
    if not path.exists():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else None
