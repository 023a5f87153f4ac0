"""The kernels of rewriting programs as plain Python: the same problems, texts and verdicts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = r"""
import hashlib
import numba, numpy as np, pyarrow as pa
from synthgen.core.contract import Render
from synthgen.core.randomness import Rows, stream_key
from synthgen.generators._markov_engine import SCOPES, STRATEGIES, run_program
from synthgen.generators.markov import Markov
from synthgen.verifiers.markov import VERIFIER

digest = hashlib.sha256()


def note(*values):
    for value in values:
        digest.update(repr(value).encode())


stream = stream_key(5, "source", "markov")
every = dict(scopes=SCOPES, strategies=STRATEGIES[:-1])
free = dict(strategies=("any_order",), stop_share=0)
for kind in (
    Markov(max_steps=20),
    Markov(task="next_rule", max_steps=20, **every),
    Markov(task="status", max_steps=20, max_length=25, empty_share=0.3, **every),
    Markov(task="status", max_steps=20, max_length=25),
    Markov(task="apply_k", max_steps=20, markers="X"),
    Markov(terminating="order", min_lhs=2, letters="abcd", max_steps=20),
    Markov(terminating="shortlex", max_steps=20),
    Markov(terminating="length", max_steps=20, **every),
    Markov(terminating="length", max_steps=20, necessary=True, **free),
    Markov(terminating="order", min_lhs=2, max_rules=4, max_steps=20, **free),
):
    problems = kind.draw(Rows.span(stream, 0, 25))
    problems = kind.draw(Rows(stream, problems.rows.addresses[problems.valid]))
    note(len(problems), problems.keys.tolist(), problems.derivations.values.tolist())
    note({name: column.tolist() for name, column in sorted(problems.axes.items())})
    texts = kind.render(problems, Render("instruction", "trace"))
    note(texts.prompts.to_pylist(), texts.answers.to_pylist(), texts.solutions.to_pylist())
    assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
    order = pa.array(np.roll(np.arange(len(problems)), 1))
    note(VERIFIER.check(texts.prompts, texts.answers.take(order), None).tolist())
    note(VERIFIER.check(texts.prompts, texts.answers, texts.solutions.take(order)).tolist())
odd = ["", " ", "`", "a > b", "a > b | a", "a > b | a =", "a > aa | a ? status 5 3 ="]
for answer in ("", "b", "overflow"):
    note(VERIFIER.check(pa.array(odd), pa.array([answer] * len(odd)), pa.array(odd)).tolist())
plain = numba.config.DISABLE_JIT
assert not hasattr(run_program, "py_func") if plain else hasattr(run_program, "py_func")
print(digest.hexdigest())
"""


def digest_of(environment: dict[str, str]) -> str:
    """Run the program in a fresh process; plain numpy scalars warn where they wrap around."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        cwd=Path(__file__).parents[1],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_plain_python_gives_what_the_compiled_kernels_give() -> None:
    plain = digest_of({"NUMBA_DISABLE_JIT": "1"})
    compiled = digest_of({"NUMBA_DISABLE_JIT": "0"})
    assert plain == compiled
    assert len(plain.strip()) == 64
