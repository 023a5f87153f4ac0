"""What a generator and its verifier give, as one digest: to compare compiled and plain kernels."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numba
import numpy as np

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.registry import generator_class, load_verifier

_ROWS = 10
_FEW_ROWS = {
    "omega_chain": 3,
    "markov": 3,
    "logic_gridworld_blocked": 4,
    "logic_gridworld_knight_move": 4,
    "cogs": 5,
    "skill_chain": 5,
}
"""Of generators whose rows take seconds each in plain Python."""


def digest_of(name: str) -> str:
    """Return the digest of a few rows in every style, with verdicts on right and wrong answers."""
    generator = generator_class(name)()
    verifier = load_verifier(generator.verifier)
    problems = generator.draw(Rows.span(stream_key(7, "plain"), 0, _FEW_ROWS.get(name, _ROWS)))
    problems = generator.draw(Rows(problems.rows.stream, problems.rows.addresses[problems.valid]))
    columns = {axis: column.tolist() for axis, column in sorted(problems.axes.items())}
    found: list[Any] = [len(problems), problems.keys.tolist(), columns]
    found.append(problems.derivations.values.tolist())
    for prompt in generator.prompts:
        for solution in generator.solutions:
            texts = generator.render(problems, Render(prompt, solution))
            solutions = texts.solutions
            others = texts.answers.take(np.roll(np.arange(len(problems)), 1))
            right = verifier.check(texts.prompts, texts.answers, solutions)
            assert right.all(), right
            found += [column.to_pylist() for column in (texts.prompts, texts.answers)]
            found.append(None if solutions is None else solutions.to_pylist())
            found.append(verifier.check(texts.prompts, others, None).tolist())
    return hashlib.sha256(repr(found).encode()).hexdigest()


if __name__ == "__main__":
    print(bool(numba.config.DISABLE_JIT), digest_of(sys.argv[1]))
