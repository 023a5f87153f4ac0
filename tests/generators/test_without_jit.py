"""Every generator and its verifier as plain Python: the same rows and verdicts as compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from synthgen.core.registry import generator_class, generator_names
from synthgen.generators.omega._family import PlainFamily

_SLOW_TABLES = {"hint_paper"}  # makes a whole published list before its first row
PROGRAM = r"""
import hashlib, sys
import numba, numpy as np
from synthgen.core.contract import Render
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.registry import generator_class, load_verifier

name = sys.argv[1]
generator = generator_class(name)()
verifier = load_verifier(generator.verifier)
digest = hashlib.sha256()
problems = generator.draw(Rows.span(stream_key(7, "plain"), 0, 24))
problems = generator.draw(Rows(problems.rows.stream, problems.rows.addresses[problems.valid]))
columns = {axis: column.tolist() for axis, column in sorted(problems.axes.items())}
found = [len(problems), problems.keys.tolist(), problems.derivations.values.tolist(), columns]
for prompt in generator.prompts:
    for solution in generator.solutions:
        texts = generator.render(problems, Render(prompt, solution))
        solutions = texts.solutions
        found += [column.to_pylist() for column in (texts.prompts, texts.answers)]
        found += [None if solutions is None else solutions.to_pylist()]
        others = texts.answers.take(np.roll(np.arange(len(problems)), 1))
        found += [verifier.check(texts.prompts, texts.answers, solutions).tolist()]
        found += [verifier.check(texts.prompts, others, None).tolist()]
assert all(found[7]), found[7]
digest.update(repr(found).encode())
print(bool(numba.config.DISABLE_JIT), digest.hexdigest())
"""


def run(name: str, *, plain: bool) -> list[str]:
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "NUMBA_DISABLE_JIT": str(int(plain))}
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, name],
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
    return not issubclass(generator_class(name), PlainFamily) and name not in _SLOW_TABLES


@pytest.mark.parametrize("name", [name for name in generator_names() if has_kernels(name)])
def test_plain_and_compiled_agree(name: str) -> None:
    compiled, plain = run(name, plain=False), run(name, plain=True)
    assert (compiled[0], plain[0]) == ("False", "True")
    assert plain[1] == compiled[1]
