"""Every generator and its verifier as plain Python: the same rows and verdicts as compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from synthgen.core.registry import generator_class, generator_names
from synthgen.generators.omega._family import PlainFamily
from tests.generators.plain_digest import digest_of

_SLOW_TABLES = {"hint_paper"}  # makes a whole published list before its first row
_PARTLY_COMPILED = {
    "algebra_linear_equation",
    "arithmetic_gcd",
    "arithmetic_list_prime_factors",
    "arithmetic_mixed",
}
"""Plain families with kernels for what is not too large."""


def plain_digest(name: str) -> list[str]:
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "NUMBA_DISABLE_JIT": "1"}
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.generators.plain_digest", name],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split()


def has_kernels(name: str) -> bool:
    """Say whether there is anything of its own to compile."""
    compiled = name in _PARTLY_COMPILED or not issubclass(generator_class(name), PlainFamily)
    return compiled and name not in _SLOW_TABLES


@pytest.mark.parametrize("name", [name for name in generator_names() if has_kernels(name)])
def test_plain_and_compiled_agree(name: str) -> None:
    assert plain_digest(name) == ["True", digest_of(name)]
