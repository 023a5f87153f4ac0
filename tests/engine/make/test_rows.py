"""Rows that are drawn again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from synthgen.contract.interfaces import Problems
from synthgen.core.errors import VerificationError
from synthgen.draws.randomness import Rows
from synthgen.engine.make.rows import draw_table, joined
from synthgen.families.hint.family import Hint
from tests.building import plan_of, recipe_of, source_of, split_of, write_recipe


def test_an_address_that_no_longer_gives_a_problem_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(write_recipe(tmp_path))
    source, draw = plan.sources[0], Hint.draw

    def fickle(self: Hint, rows: Rows) -> Problems:
        problems = draw(self, rows)
        return replace(problems, valid=problems.valid & (problems.rows.addresses != 5))

    addresses = np.array([3, 5, 4], np.uint64)
    monkeypatch.setattr(Hint, "draw", fickle)
    with pytest.raises(VerificationError, match=r"'hint': address 5 .* gives none now"):
        draw_table(source, addresses, plan.row_axes)


def test_answers_of_one_type_and_of_several_join(tmp_path: Path) -> None:
    sources = source_of("hint"), source_of("sokoban", 'asks = ["any"]')
    plan = plan_of(write_recipe(tmp_path, recipe_of(*sources, split_of("train", 4))))
    addresses = np.arange(2, dtype=np.uint64)
    parts = [draw_table(source, addresses, plan.row_axes) for source in plan.sources]
    rows = joined(parts, [np.array([0, 2]), np.array([1, 3])])
    assert rows["answer_type"].to_pylist() == ["integer", "checked:sokoban"] * 2
