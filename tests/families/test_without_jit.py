"""Compiled families and their verifiers as plain Python: the same rows and verdicts."""

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from synthgen.authoring.family import CompiledFamily
from synthgen.contract.registry import generator_class, generator_names
from tests.families.plain_digest import digest_of

_AT_ONCE = 8
_SLOW_TABLES = {"hint_paper"}  # makes a whole published list before its first row
NAMES = [
    name
    for name in generator_names()
    if issubclass(generator_class(name), CompiledFamily) and name not in _SLOW_TABLES
]


@lru_cache
def plain_digests(names: tuple[str, ...]) -> dict[str, str]:
    """Make the digests in a process without compiled kernels."""
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "NUMBA_DISABLE_JIT": "1"}
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.families.plain_digest", *names],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    plain, *lines = ended.stdout.splitlines()
    assert plain == "True"
    return dict(line.split() for line in lines)


def together_with(name: str) -> tuple[str, ...]:
    """The generators that one process looks at, as the start of each takes seconds."""
    first = NAMES.index(name) // _AT_ONCE * _AT_ONCE
    return tuple(NAMES[first : first + _AT_ONCE])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_plain_and_compiled_agree(name: str) -> None:
    assert plain_digests(together_with(name))[name] == digest_of(name)
