"""Every broken recipe ends in exit code 2, with all its faults at their lines, and no folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from synthgen.core.errors import RecipeError
from synthgen.engine.build import build
from synthgen.engine.plan.plan import make_plan
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from synthgen.recipe.loader import read_recipe
from tests.building import synthgen

FOLDER = Path(__file__).parent / "recipes" / "bad"
EXPECT = re.compile(rb"^# expect: (-|\d+): (.+)$", re.MULTILINE)
RECIPES = sorted(FOLDER.glob("*.toml"))


def expected(path: Path) -> list[tuple[int | None, str]]:
    found = EXPECT.findall(path.read_bytes())
    return [(None if line == b"-" else int(line), text.decode()) for line, text in found]


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_all_faults_are_shown_and_no_folder_is_left(path: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError) as caught, LocalEngine(1) as engine:
        build(make_plan(read_recipe(path)), tmp_path / "out", engine, Phases())
    faults = list(caught.value.faults)
    assert expected(path)
    for line, text in expected(path):
        match = [fault for fault in faults if fault.line == line and text in fault.message]
        assert match, f"no fault at {line} with {text!r}: {faults}"
        faults.remove(match[0])
    assert faults == []
    assert caught.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["sem_with_schema_faults", "sem_rows_too_many", "sem_where_contradiction"]
)
def test_the_command_line_shows_file_and_line(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.toml"
    ended = synthgen("build", str(path), cwd=tmp_path)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    for line, text in expected(path):
        assert re.search(rf"{name}\.toml:{line}: .*{re.escape(text)}", ended.stderr), ended.stderr
    assert not (tmp_path / "outputs").exists()
