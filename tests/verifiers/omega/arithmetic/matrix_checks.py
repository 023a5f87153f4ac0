"""Both checks of a matrix verifier on one prompt."""

from __future__ import annotations

import pyarrow as pa

from synthgen.verifiers.omega.arithmetic._matrix_verifier import MatrixVerifier


def accepts(verifier: MatrixVerifier, prompt: str, answer: str, way: str | None = None) -> bool:
    ways = None if way is None else pa.array([way])
    return bool(verifier.check(pa.array([prompt]), pa.array([answer]), ways)[0])


def both_answer(verifier: MatrixVerifier, prompt: str, answer: str) -> bool:
    """Say whether both checks accept the answer, and neither one that is next to it."""
    prompts = pa.array([prompt] * 3)
    answers = pa.array([str(int(answer) + step) for step in (-1, 0, 1)])
    verdicts = [verifier.check(prompts, answers, None), verifier.symbolic(prompts, answers)]
    return all(verdict.tolist() == [False, True, False] for verdict in verdicts)
