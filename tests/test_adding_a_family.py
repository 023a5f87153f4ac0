"""The tutorial's code, as printed, is a package that works in every command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.building import environment

PAGE = Path(__file__).parents[1] / "docs" / "adding-a-family.md"
BLOCK = re.compile(r"```(?:python|toml)\n# ([a-z_./-]+)\n(.*?)```", re.DOTALL)
FILES = dict(BLOCK.findall(PAGE.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as an installer would leave it."""
    root = tmp_path_factory.mktemp("installed")
    for name, text in FILES.items():
        path = root / "my_package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "my_package" / "__init__.py").write_text("")
    info = root / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    points = FILES["pyproject.toml"].replace("project.entry-points.", "").replace('"', "")
    (info / "entry_points.txt").write_text(points)
    return root


def test_the_family_is_small() -> None:
    sides = FILES["last_letters/family.py"] + FILES["last_letters/verify.py"]
    assert len(sides.splitlines()) <= 70


def test_the_contract_holds(installed: Path) -> None:
    program = f"{FILES['test_last_letters.py']}\ntest_contract()"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(installed),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


RUN = """
import json, sys
from tests.building import synthgen
for arguments in json.loads(sys.argv[1]):
    ended = synthgen(*arguments)
    print(json.dumps([ended.returncode, ended.stdout, ended.stderr]))
"""


def test_it_works_in_every_command(installed: Path, tmp_path: Path) -> None:
    recipe, out = str(installed / "my_package" / "last-letters.toml"), str(tmp_path / "out")
    prompt = "What do you get when you join the last letters of the names Ada, Ben?"
    for answer in ("an", "na"):
        (tmp_path / f"{answer}.tsv").write_text(f"prompt\tanswer\n{prompt}\t{answer}\n")
    commands = [
        (0, "Join the last letters of several names", "list"),
        (0, "n_names", "describe", "last_letters"),
        (0, "1,200 rows", "validate", recipe),
        (0, "last letter", "preview", recipe),
        (0, "", "build", recipe, "--out", out),
        (0, '"wrong": 0', "verify", out, "--json"),
        (0, "all ok", "audit", out),
        (0, "1 agree", "check", "last_letters", str(tmp_path / "an.tsv")),
        (1, "0 agree", "check", "last_letters", str(tmp_path / "na.tsv")),
    ]
    ended = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps([arguments for _, _, *arguments in commands])],
        env=environment(installed),
        capture_output=True,
        text=True,
        check=True,
    )
    for (code, shown, *arguments), line in zip(commands, ended.stdout.splitlines(), strict=True):
        found, out, err = json.loads(line)
        assert found == code, (arguments, err)
        assert shown in out, arguments
