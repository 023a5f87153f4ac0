"""Every whole recipe of docs/recipes.md can be built with the files it names."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from synthgen.api import verify
from synthgen.audit.report import audit
from tests.building import build_small, rows_of

DOC = (Path(__file__).parents[1] / "docs" / "recipes.md").read_text(encoding="utf-8")
RECIPES = {
    text.split('"')[1]: text for text in re.findall(r"```toml\n(name = .*?)```", DOC, re.DOTALL)
}
FILES = dict(re.findall(r"`([\w.]+)`:\n```\n(.*?)```", DOC, re.DOTALL))


@pytest.mark.parametrize("name", RECIPES)
def test_recipe_keeps_its_promises(name: str, tmp_path: Path) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    folder = build_small(tmp_path, text=RECIPES[name]).folder
    assert [check for check in audit(folder).checks if not check.ok] == []
    if name == "mixture":
        rows = rows_of(folder, "train")
        assert Counter(row["source"] for row in rows) == {
            "hint": 1350,
            "scan": 675,
            "numbertheory_qr_sum": 675,
        }
        assert {row["source"] for row in rows if row["solution"]} == {"numbertheory_qr_sum"}
        assert verify(folder).rebuilt == 300
    if name == "listed":
        listed = FILES["train.txt"].splitlines()
        assert sorted(row["prompt"] for row in rows_of(folder, "train")) == sorted(listed)


def test_there_are_five_recipes_two_with_files_of_the_users() -> None:
    assert set(RECIPES) == {"by-length", "mixture", "unseen-pairs", "listed", "own-skills"}
    assert set(FILES) == {"train.txt", "skills.csv", "topics.txt"}
