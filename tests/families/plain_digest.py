"""What a generator and its verifier give, as one digest: to compare compiled and plain kernels."""

import hashlib
import sys
from typing import Any

import numba
import numpy as np
import pyarrow as pa

from synthgen.contract.interfaces import Generator, Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.draws.randomness import Rows, stream_key
from tests.families.verdicts import valid_problems

_ROWS = 10
_FEW_ROWS = {"markov": 3, "cogs": 5}
"""Rows of families that take seconds for each in plain Python."""


def digest_of(name: str) -> str:
    """Return the digest of a few rows in every style, with verdicts on right and wrong answers."""
    found = _facts(generator_class(name)(), _FEW_ROWS.get(name, _ROWS))
    return hashlib.sha256(repr(found).encode()).hexdigest()


def _facts(generator: Generator, n_rows: int) -> list[Any]:
    verifier = load_verifier(generator.verifier)
    problems = valid_problems(generator, Rows.span(stream_key(7, "plain"), 0, n_rows))
    columns = {axis: column.tolist() for axis, column in sorted(problems.axes.items())}
    found: list[Any] = [len(problems), problems.keys.tolist(), columns]
    found.append(problems.derivations.values.tolist())
    others = pa.array(np.roll(np.arange(len(problems)), 1))
    for prompt in generator.prompts:
        for solution in generator.solutions:
            texts = generator.render(problems, Render(prompt, solution))
            solutions = texts.solutions
            right = verifier.check(texts.prompts, texts.answers, solutions)
            assert right.all(), right
            found += [column.to_pylist() for column in (texts.prompts, texts.answers)]
            found.append(None if solutions is None else solutions.to_pylist())
            if solutions is None:  # with solutions, the prompts and answers are the same
                found.append(
                    verifier.check(texts.prompts, texts.answers.take(others), None).tolist()
                )
    return found


if __name__ == "__main__":
    print(bool(numba.config.DISABLE_JIT))
    for each in sys.argv[1:]:
        print(each, digest_of(each))
