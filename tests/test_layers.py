"""Who may import whom: allowed arrows between packages, and homes of heavy libraries."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "synthgen"
ALLOWED = {
    "core": {"core"},
    "generators": {"core", "generators"},
    "verifiers": {"core", "verifiers"},
    "splits": {"core", "splits"},
    "controllers": {"core", "controllers"},
    "recipe": {"core", "recipe"},
    "dataset": {"core", "dataset"},
    "audit": {"core", "dataset", "audit"},
    "training": {"core", "dataset", "verifiers", "training"},
    "engine": {"core", "splits", "controllers", "recipe", "dataset", "engine"},
}
HOMES = {
    "typer": {"cli"},
    "numba": {"core", "generators", "verifiers"},
    "sympy": {"verifiers", "generators"},
    "pyarrow.parquet": {"dataset"},
    "ray": {"engine"},
}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "sympify", "parse_expr"}
FORBIDDEN_MODULES = {"pickle", "dill", "cloudpickle", "marshal", "shelve"}
FILES = sorted(PACKAGE.rglob("*.py"))


def place_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    return tuple(_imports_of(path))


def _imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def ids(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_arrows_between_packages(path: Path) -> None:
    place = place_of(path)
    if place not in ALLOWED:
        return
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] == "synthgen" and len(parts) > 1 and parts[1] != "__version__":
            assert parts[1] in ALLOWED[place], f"{path}: {place} may not import {name}"


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_libraries_stay_in_their_homes(path: Path) -> None:
    place = place_of(path)
    for name in imports_of(path):
        for library, homes in HOMES.items():
            if name == library or name.startswith(f"{library}."):
                assert place in homes, f"{path}: {library} belongs to {sorted(homes)}"


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_nothing_runs_code_from_data(path: Path) -> None:
    for name in imports_of(path):
        assert name.split(".")[0] not in FORBIDDEN_MODULES, f"{path}: {name}"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"{path}:{node.lineno}"


@pytest.mark.parametrize("path", FILES, ids=ids)
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300, f"{path} holds more than one concept"
    tree = ast.parse(text)
    assert ast.get_docstring(tree), f"{path} has no docstring"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            docstring = ast.get_docstring(node, clean=False) or ""
            length = (node.end_lineno or 0) - node.lineno + 1 - len(docstring.splitlines())
            assert length <= 75, f"{path}:{node.lineno} {node.name} has {length} lines"


def test_generators_do_not_import_each_other() -> None:
    public = {path.stem: path for path in (PACKAGE / "generators").rglob("[!_]*.py")}
    for name, path in public.items():
        for imported in imports_of(path):
            parts = imported.split(".")
            if parts[:2] == ["synthgen", "generators"]:
                assert not set(parts[2:]) & (set(public) - {name}), f"{path}: {imported}"


def test_every_generator_has_a_test_and_a_recipe() -> None:
    root = PACKAGE.parent
    recipes = [path.read_text(encoding="utf-8") for path in (root / "recipes").glob("*.toml")]
    for path in (PACKAGE / "generators").rglob("[!_]*.py"):
        place = path.relative_to(PACKAGE).with_name(f"test_{path.stem}.py")
        assert (root / "tests" / place).exists()
        assert any(f'generator = "{path.stem}"' in text for text in recipes)
