"""Every recipe of docs/splits.md can be built, and its audit finds no fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from synthgen.audit.report import audit
from tests.building import build_small

DOC = Path(__file__).parents[1] / "docs" / "splits.md"
RECIPES = {
    text.split('"')[1]: text
    for text in re.findall(r"```toml\n(name = .*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
}


@pytest.mark.parametrize("name", RECIPES)
def test_recipe_keeps_its_promises(name: str, tmp_path: Path) -> None:
    report = audit(build_small(tmp_path, text=RECIPES[name]).folder)
    assert [check for check in report.checks if not check.ok] == []


def test_there_is_one_for_every_kind() -> None:
    assert len(RECIPES) == 11
