"""CHECK: verify third-party rows with a generator's verifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.contract.interfaces import Verifier
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.columns import null_mask
from synthgen.core.shown import Shown
from synthgen.dataset.foreign.column_choice import RowBatch

_MAX_CHARACTERS = 10_000
_AROUND = " \t\r\n'\""


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A row that the verifier rejects.

    Attributes:
        row: Number of the row in the file, from 1.
        line: Line where it begins, from 1; None where the file has no lines.
        prompt, answer: Texts as in the file, None for a null; very long ones are cut.
        why: Reason, as far as a verifier's yes or no shows it.
    """

    row: int
    line: int | None
    prompt: str | None
    answer: str | None
    why: str


@dataclass(frozen=True, slots=True, repr=False)
class CheckedFile(Shown):
    """Result of a check of third-party rows.

    Attributes:
        generator: Generator whose verifier was used.
        rows: Number of rows of the file; `agree` of them passed.
        examples: First rows that failed.
    """

    generator: str
    rows: int
    agree: int
    examples: tuple[FailedRow, ...]

    @property
    def fail(self) -> int:
        """Number of rows that failed."""
        return self.rows - self.agree

    @property
    def ok(self) -> bool:
        """Whether there were rows and none failed."""
        return 0 < self.rows == self.agree

    def __repr__(self) -> str:
        return f"<{self.rows:,} rows checked by {self.generator}: {self.fail:,} fail>"


def check(generator: str, batches: Iterable[RowBatch], show: int) -> CheckedFile:
    """Check every row with the verifier of a generator; a null prompt or answer fails.

    Args:
        generator: Name of the generator.
        batches: Batches of rows, read once.
        show: Number of failed rows to keep as examples.

    Raises:
        UnknownNameError: if no generator has this name.
        DatasetError: if reading the rows fails.
    """
    verifier = load_verifier(generator_class(generator).verifier)
    rows, agree = 0, 0
    examples: list[FailedRow] = []
    for batch in batches:
        right = _accepted(verifier, batch)
        rows += len(batch)
        agree += int(np.count_nonzero(right))
        wrong = np.flatnonzero(~right)[: show - len(examples)]
        examples.extend(_failed(verifier, batch, wrong.tolist()))
    return CheckedFile(generator, rows, agree, tuple(examples))


def _accepted(verifier: Verifier, batch: RowBatch) -> NDArray[np.bool_]:
    """Return the mask of the rows that the verifier accepts, bool (n,); rows with nulls fail.

    Answers without a solution may be in another spelling than that of our rows.
    """
    known = ~(null_mask(batch.prompts) | null_mask(batch.answers))
    prompts, answers = (pc.fill_null(texts, "") for texts in (batch.prompts, batch.answers))
    accepted: NDArray[np.bool_] = verifier.check(prompts, answers, batch.solutions) & known
    if batch.solutions is None and not verifier.open_ended:
        for place in np.flatnonzero(~accepted & known).tolist():
            prompt, answer = prompts[place].as_py(), answers[place].as_py()
            accepted[place] = verifier.accepts(prompt, answer)
    return accepted


def _failed(verifier: Verifier, batch: RowBatch, places: list[int]) -> Iterator[FailedRow]:
    for place in places:
        prompt, answer = batch.prompts[place].as_py(), batch.answers[place].as_py()
        solution = None if batch.solutions is None else batch.solutions[place].as_py()
        yield FailedRow(
            batch.first + place,
            None if batch.lines is None else batch.lines[place],
            _cut(prompt),
            _cut(answer),
            _reason(verifier, prompt, answer, solution),
        )


def _reason(
    verifier: Verifier, prompt: str | None, answer: str | None, solution: str | None
) -> str:
    """Return why a row failed, by checking variants of the row."""
    if prompt is None or answer is None:
        return f"the {'prompt' if prompt is None else 'answer'} is null"
    for role, text in (("prompt", prompt), ("answer", answer)):
        if not text.strip():
            return f"the {role} is empty"
    if solution is not None and _accepts(verifier, prompt, answer):
        return "the verifier accepts the answer, but not the solution"
    for around, characters in (("white space", None), ("white space and quotes", _AROUND)):
        bare = prompt.strip(characters), answer.strip(characters)
        if bare != (prompt, answer) and _accepts(verifier, *bare):
            return f"the verifier accepts the answer only without {around} around the texts"
    if verifier.reads(prompt) is False:
        return "the verifier cannot read the prompt: no wording of the family matches it"
    return "the verifier does not accept the answer"


def _accepts(verifier: Verifier, prompt: str, answer: str) -> bool:
    prompts, answers = pa.array([prompt], pa.string()), pa.array([answer], pa.string())
    return bool(verifier.check(prompts, answers, None)[0])


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= _MAX_CHARACTERS:
        return text
    return f"{text[:_MAX_CHARACTERS]}… ({len(text):,} characters)"
