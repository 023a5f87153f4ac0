"""Requests for string systems that nothing can meet: refused before any work, with what is."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError
from tests.building import synthgen

REFUSED = [
    (
        "block-synthesis",
        ["source.all.params.max_blocks=110"],
        "max_blocks=110: expected at most 102,",
    ),
    ("markov", ["source.short.params.letters=a"], "max_rules=8: expected at most 3,"),
    ("markov", ["source.short.params.strategies=['any_order']"], "as strategies have 'any_order'"),
]


@pytest.mark.parametrize(("recipe", "sets", "possible"), REFUSED)
def test_it_is_refused_before_any_work(
    recipe: str, sets: list[str], possible: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    options = [option for one in sets for option in ("--set", one)]
    ended = synthgen("build", recipe, "--out", str(out), *options)
    assert ended.returncode == RecipeError.exit_code
    assert possible in " ".join(ended.stderr.split())
    assert not out.exists()
