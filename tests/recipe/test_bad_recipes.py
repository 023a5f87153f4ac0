"""Every broken recipe of the collection gives its faults, each at its line, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError
from synthgen.recipe.loader import load_recipe

FOLDER = Path(__file__).parent.parent / "recipes" / "bad"
EXPECT = re.compile(rb"^# expect: (-|\d+): (.+)$", re.MULTILINE)
SCHEMA_LEVEL = sorted(path for path in FOLDER.glob("*.toml") if not path.stem.startswith("sem_"))
SEMANTIC = sorted(FOLDER.glob("sem_*.toml"))


def expected(path: Path) -> list[tuple[int | None, str]]:
    found = EXPECT.findall(path.read_bytes())
    return [(None if line == b"-" else int(line), text.decode()) for line, text in found]


@pytest.mark.parametrize("path", SCHEMA_LEVEL, ids=lambda path: path.stem)
def test_faults_are_exactly_the_expected(path: Path) -> None:
    wanted = expected(path)
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    faults = list(caught.value.faults)
    for line, text in wanted:
        match = [fault for fault in faults if fault.line == line and text in fault.message]
        assert match, f"no fault at {line} with {text!r}: {faults}"
        faults.remove(match[0])
    assert faults == []


@pytest.mark.parametrize("path", SEMANTIC, ids=lambda path: path.stem)
def test_what_the_engine_must_find_is_no_fault_of_the_schema(path: Path) -> None:
    wanted = expected(path)
    assert wanted
    if "schema_faults" in path.stem:
        with pytest.raises(RecipeError) as caught:
            load_recipe(path)
        assert len(caught.value.faults) < len(wanted)
    else:
        assert load_recipe(path).recipe.name == "hint"


def test_collection_is_whole() -> None:
    assert len(SCHEMA_LEVEL) >= 25
    assert len(SEMANTIC) >= 15
    assert all(expected(path) for path in (*SCHEMA_LEVEL, *SEMANTIC))
