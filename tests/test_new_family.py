"""Families that are not ours: the tutorial's, `new-family`, and those of other packages."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.building import (
    environment,
    folder_digests,
    succeeded,
    synthgen,
    synthgen_process,
    write_recipe,
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A new package, registered as an installer would do it."""
    succeeded("new-family", "my_sums", "--into", str(tmp_path))
    root = tmp_path / "my_sums"
    info = root / "my_sums-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-sums\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[synthgen.families]\nmy_sums = my_sums\n")
    return root


RUN = """
import json, sys
from tests.building import synthgen
for arguments in json.loads(sys.argv[1]):
    ended = synthgen(*arguments)
    print(json.dumps([ended.returncode, ended.stdout, ended.stderr]))
"""


def ran(package: Path, test: str, *commands: list[str]) -> list[tuple[int, str, str]]:
    """Run a test and commands where a package is installed; return exit codes and outputs."""
    ended = subprocess.run(
        [sys.executable, "-c", f"{test}\n{RUN}", json.dumps(commands)],
        env=environment(package),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.slow
def test_its_test_and_its_recipe_pass(package: Path, tmp_path: Path) -> None:
    test = (package / "tests" / "test_my_sums.py").read_text()
    recipe, out = str(package / "recipes" / "my-sums.toml"), str(tmp_path / "out")
    build = ["build", recipe, "--out", out, "--scale", "0.1"]
    for code, *said in ran(
        package, f"{test}\ntest_contract()\ntest_by_hand()", build, ["audit", out]
    ):
        assert code == 0, said


def test_in_a_checkout_the_files_go_where_families_are(tmp_path: Path) -> None:
    (tmp_path / "synthgen" / "families").mkdir(parents=True)
    ended = synthgen("new-family", "my_sums", "--into", str(tmp_path))
    written = {str(Path(line).relative_to(tmp_path)) for line in ended.stdout.splitlines()}
    room = {f"synthgen/families/my_sums/{name}.py" for name in ("__init__", "family", "verify")}
    assert written == room | {
        "synthgen/families/my_sums/words.toml",
        "tests/families/my_sums/test_my_sums.py",
        "recipes/my-sums.toml",
        "docs/families/my_sums.md",
    }


OF_FAMILIES = (
    *("test_layers.py", "test_bad_recipes.py", "test_bundled_recipes.py"),
    *("contract/test_registry.py", "formats/test_formats.py", "families"),
)
"""Tests of the repository that look at every family or recipe."""


@pytest.mark.slow
def test_in_a_checkout_it_passes_the_tests_of_the_repository(tmp_path: Path) -> None:
    root = Path(__file__).parents[1]
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("synthgen", "tests", "recipes", "docs"):
        shutil.copytree(root / name, tmp_path / name, ignore=ignored)
    shutil.copy(root / "pyproject.toml", tmp_path)
    succeeded("new-family", "my_sums", "--into", str(tmp_path))
    chosen = [str(tmp_path / "tests" / name) for name in OF_FAMILIES]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-k", "my_sums or my-sums or layers", *chosen],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    assert ended.stdout.count("\n") < 20, ended.stdout


@pytest.mark.parametrize("name", ["My", "1st", "a-b", "", "../up", "hint"])
def test_a_bad_name_is_refused(name: str, tmp_path: Path) -> None:
    ended = synthgen("new-family", name, "--into", str(tmp_path))
    assert ended.returncode == 2
    assert f"name={name!r}" in ended.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(package: Path, tmp_path: Path) -> None:
    before = (package / "my_sums" / "family.py").read_bytes()
    ended = synthgen("new-family", "my_sums", "--into", str(tmp_path))
    assert ended.returncode == 2
    assert "already exists" in ended.stderr
    assert (package / "my_sums" / "family.py").read_bytes() == before


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


@pytest.mark.slow
def test_its_contract_holds_and_it_works_in_every_command(installed: Path, tmp_path: Path) -> None:
    recipe, out = str(installed / "my_package" / "last-letters.toml"), str(tmp_path / "out")
    prompt = "What do you get when you join the last letters of the names Ada, Ben?"
    for answer in ("an", "na"):
        (tmp_path / f"{answer}.tsv").write_text(f"prompt\tanswer\n{prompt}\t{answer}\n")
    commands = [
        (0, "Join the last letters of several names", "list", "all"),
        (0, "n_names", "describe", "last_letters"),
        (0, "1,200 rows", "validate", recipe),
        (0, "last letter", "preview", recipe),
        (0, "", "build", recipe, "--out", out),
        (0, '"wrong": 0', "verify", out, "--json"),
        (0, "all ok", "audit", out),
        (0, "1 agree", "check", "last_letters", str(tmp_path / "an.tsv")),
        (1, "0 agree", "check", "last_letters", str(tmp_path / "na.tsv")),
    ]
    test = f"{FILES['test_last_letters.py']}\ntest_contract()"
    ended = ran(installed, test, *(arguments for _, _, *arguments in commands))
    for (code, shown, *arguments), (found, out, err) in zip(commands, ended, strict=True):
        assert found == code, (arguments, err)
        assert shown in out, arguments


def test_the_commands_print_what_the_page_shows(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(installed / "my_package" / "last-letters.toml", tmp_path)
    prompt = "What do you get when you join the last letters of the names Ada, Ben?"
    (tmp_path / "answers.tsv").write_text(f"prompt\tanswer\n{prompt}\tan\n")
    console = PAGE.read_text(encoding="utf-8").partition("```console\n")[2].partition("```")[0]
    shown = [block.splitlines() for block in console.split("$ synthgen ")[1:]]
    ended = ran(installed, "", *(block[0].split() for block in shown))
    for (command, *lines), (code, out, err) in zip(shown, ended, strict=True):
        assert code == 0, err
        printed = iter(" ".join(line.strip(" ─").split()) for line in (out + err).splitlines())
        for line in lines:  # in this order, with others between them
            assert " ".join(line.split()) in printed, (command, line, out)


def test_the_slip_that_the_page_shows_ends_so(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(installed, tmp_path, dirs_exist_ok=True)
    family = tmp_path / "my_package" / "last_letters" / "family.py"
    family.write_text(family.read_text().replace('axes={"n_names"', 'axes={"n_name"'))
    ended = subprocess.run(
        [sys.executable, "-c", f"{FILES['test_last_letters.py']}\ntest_contract()"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr.splitlines()[-1].partition(".errors.")[2] in PAGE.read_text()


MODULE = '''
"""Additions of two digits, and ways to get them wrong."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa

from synthgen.families.hint.family import Hint


@dataclass(frozen=True)
class Sums(Hint):
    """Sums.

    Attributes:
        wrong_every: one in so many addresses has a wrong answer, 0 for none.
    """

    operators: str = "+"
    max_operators: int = 4
    wrong_every: int = 0

    domain: ClassVar[str] = "sums"

    def render(self, problems, style):
        texts = super().render(problems, style)
        if not self.wrong_every:
            return texts
        wrong = problems.rows.addresses % np.uint64(self.wrong_every) == 7
        answers = problems.axes["result"].astype(np.int64) + wrong
        return replace(texts, answers=pa.array(answers).cast(pa.string()))
'''

RECIPE = """
name = "sums"
[[source]]
generator = "sums"
params = { wrong_every = 0 }
[[split]]
name = "train"
rows = 6_000
where = "n_op > 1"
[output]
rows_per_shard = 1000
"""


@pytest.fixture
def sums(tmp_path: Path) -> Path:
    """A folder with a package as an installer would leave it."""
    (tmp_path / "sums_package.py").write_text(MODULE)
    info = tmp_path / "sums_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sums-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[synthgen.generators]\nsums = sums_package:Sums\n")
    return tmp_path


def test_a_registered_generator_is_listed_and_built(sums: Path, tmp_path: Path) -> None:
    listed = json.loads(synthgen_process("list", "--json", path=sums).stdout)
    assert "sums" in listed["generators"]
    recipe = write_recipe(tmp_path, RECIPE)
    out = tmp_path / "out"
    arguments = ("build", str(recipe), "--out", str(out), "--workers", "2")
    ended = synthgen_process(*arguments, path=sums)
    assert ended.returncode == 0, ended.stderr
    assert len(folder_digests(out / "data")) == 6


def test_an_axis_with_the_name_of_a_column_is_refused(sums: Path, tmp_path: Path) -> None:
    axes = """
    @property
    def axes(self):
        return {**super().axes, "task": super().axes["n_op"]}
"""
    (sums / "sums_package.py").write_text(MODULE + axes)
    recipe = write_recipe(tmp_path, RECIPE)
    ended = synthgen_process("build", str(recipe), "--out", str(tmp_path / "out"), path=sums)
    assert ended.returncode == 2
    assert "axis 'task' of sums has the name of a standard column" in ended.stderr


@pytest.mark.slow
def test_a_wrong_answer_stops_the_build_and_is_shown(sums: Path, tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path, RECIPE.replace("wrong_every = 0", "wrong_every = 9001"))
    out = tmp_path / "out"
    arguments = ("build", str(recipe), "--out", str(out), "--workers", "2")
    ended = synthgen_process(*arguments, path=sums)
    assert ended.returncode == 1
    assert "split 'train': the verifier rejects" in ended.stderr
    assert "address: " in ended.stderr
    assert "prompt: '" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not out.exists()
