"""Requests for string systems that nothing can meet: refused before any work, with what is."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError
from tests.building import synthgen

SEMANTIC, OCCURRENCES = "rewrite-semantic", "rewrite-occurrences"
TRAIN = "source.train.params"
SHORT = (f"{TRAIN}.min_lhs=2", f"{TRAIN}.max_lhs=2", f"{TRAIN}.min_rhs=2", f"{TRAIN}.max_rhs=2")
REFUSED: list[tuple[str, list[str], str]] = [
    (SEMANTIC, [f'{TRAIN}.classes=["repeated 60"]'], "at most 13: the pool has 13 rules"),
    (SEMANTIC, [f'{TRAIN}.classes=["mirrored 30"]'], "at most 325: the pool has 325 rules"),
    (SEMANTIC, [f'{TRAIN}.classes=["periodic 60"]'], "at most 0: the pool has 0 rules"),
    (SEMANTIC, [f'{TRAIN}.classes=["repeated 7"]'], "a k that divides lengths"),
    ("rewrite", [*SHORT, f"{TRAIN}.rules=339"], "at most 338: the pool has 338 rules"),
    (
        "rewrite",
        [*SHORT, f"{TRAIN}.rules=338", f"{TRAIN}.first_rule=100"],
        "at most 238: the pool has 338 rules, and first_rule=100",
    ),
    (
        "rewrite",
        [*SHORT, f"{TRAIN}.alphabet=ab", f"{TRAIN}.strict=false", f"{TRAIN}.rules=13"],
        "at most 12: the pool has 12 rules",
    ),
    ("rewrite", [f"{TRAIN}.rules=10000000000"], "rules=10000000000: expected an integer from 1 to"),
    ("rewrite", [f"{TRAIN}.occurrences=[3]"], "from 1 to 2, as many as fit"),
    (OCCURRENCES, [f"{TRAIN}.occurrences=[26]"], "from 1 to 25, as many as fit"),
    ("rewrite", [f"{TRAIN}.min_lhs=60", f"{TRAIN}.max_lhs=60"], "an integer from 1 to 50"),
    (
        "rewrite-diversity",
        [f"{TRAIN}.rows=1000", f"{TRAIN}.min_per_rule=2"],
        "min_per_rule=2: expected an integer from 0 to 1",
    ),
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
