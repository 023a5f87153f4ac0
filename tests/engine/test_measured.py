"""Axes that verifiers measure: filled in before selection, and measured again by verify."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.randomness import Rows
from synthgen.engine import measured
from synthgen.engine.measured import is_measured, measure, measured_columns
from synthgen.generators.hint import Hint

STYLE = Render("bare", "none")


@dataclass(frozen=True)
class Judged(Hint):
    """HINT, whose rows say how long their prompts are; prompts of one character are unsound."""

    verifier: ClassVar[str] = "lengths"
    measured: ClassVar[bool] = True

    @property
    def axes(self) -> Mapping[str, Axis]:
        return {**super().axes, "is_long": Axis("whether the prompt is long", canonical=False)}

    def measured_axes(self, found: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        return {"is_long": (found["length"] > 9).astype(np.int16)}


class Lengths:
    """A verifier that measures lengths."""

    def measure(
        self, prompts: pa.StringArray, answers: pa.StringArray, solutions: pa.StringArray | None
    ) -> dict[str, NDArray[Any]]:
        lengths = np.array([len(prompt) for prompt in prompts.to_pylist()])
        return {"length": lengths, "sound": lengths > 1}


@pytest.fixture(autouse=True)
def lengths_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "load_verifier", lambda name: Lengths())


def drawn(generator: Hint) -> tuple[Problems, Texts]:
    problems = generator.draw(Rows.span(1, 0, 200))
    return problems, generator.render(problems, STYLE)


def test_measured_axes_follow_the_texts() -> None:
    generator = Judged(max_operators=4)
    problems, texts = drawn(generator)
    assert is_measured(generator)
    found = measure(generator, problems, texts)
    lengths = [len(prompt) for prompt in texts.prompts.to_pylist()]
    assert found.axes["is_long"].tolist() == [int(length > 9) for length in lengths]
    assert found.valid.tolist() == [length > 1 for length in lengths]
    assert 0 < found.axes["is_long"].sum() < 200
    assert not found.valid.all()
    assert found.axes["n_op"] is problems.axes["n_op"]


def test_other_generators_are_left_as_they_are() -> None:
    generator = Hint(max_operators=4)
    problems, texts = drawn(generator)
    assert measure(generator, problems, texts) is problems


def test_columns_that_a_table_has_are_measured_again() -> None:
    texts = pa.array(["1+1", "7"])
    table = pa.table({"prompt": texts, "answer": texts, "solution": texts, "length": [3, 5]})
    found = measured_columns(Lengths(), table)  # type: ignore[arg-type]
    assert set(found) == {"length"}
    assert found["length"].tolist() == [3, 1]
    assert measured_columns(object(), table) == {}  # type: ignore[arg-type]
