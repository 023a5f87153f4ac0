"""Who may import whom, where heavy libraries may be imported, and how large files may be."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from synthgen.contract.registry import generator_class, generator_names

PACKAGE = Path(__file__).parents[1] / "synthgen"
BASE = {"core", "draws", "trees", "rules"}
ENGINE_USES = {*BASE, "contract", "formats", "coverage", "recipe", "dataset", "engine"}
ALLOWED = {
    "core": {"core"},
    "draws": {"core", "draws"},
    "trees": {"core", "draws", "trees"},
    "rules": BASE,
    "contract": {*BASE, "contract"},
    "authoring": {*BASE, "contract", "authoring"},
    "families": {"authoring", "families"},
    "formats": {*BASE, "contract", "authoring", "formats"},
    "coverage": {*BASE, "coverage"},
    "recipe": {*BASE, "recipe"},
    "dataset": {*BASE, "dataset"},
    "engine": {*BASE, "contract", "formats", "coverage", "recipe", "dataset", "engine"},
    "verifying": {
        *BASE,
        "contract",
        "formats",
        "coverage",
        "recipe",
        "dataset",
        "engine",
        "verifying",
    },
    "auditing": {*BASE, "coverage", "dataset", "verifying", "auditing"},
    "splitting": {
        *BASE,
        "coverage",
        "recipe",
        "dataset",
        "engine",
        "verifying",
        "auditing",
        "splitting",
    },
    "training": {*BASE, "contract", "authoring", "coverage", "dataset", "training"},
}
HOMES = {
    "typer": {"cli"},
    "numba": {"core"},
    "synthgen.core.kernels": {
        "core",
        "draws",
        "trees",
        "coverage",
        "engine",
        "authoring",
        "families",
    },
    "sympy": {"families"},
    "flint": {"families"},
    "mpmath": {"families"},
    "pyarrow.parquet": {"dataset"},
    "ray": {"engine"},
    "torch": {"training"},
}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "sympify", "parse_expr"}
FORBIDDEN_MODULES = {"pickle", "dill", "cloudpickle", "marshal", "shelve"}
FAMILIES = PACKAGE / "families"
FILES = sorted(PACKAGE.rglob("*.py"))


def place_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    return tuple(_imports_of(path))


def _imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


PLACES = sorted({place_of(path) for path in FILES})


def files_of(place: str) -> list[Path]:
    return [path for path in FILES if place_of(path) == place]


@pytest.mark.parametrize("place", ALLOWED)
def test_arrows_between_packages(place: str) -> None:
    for path in files_of(place):
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] == "synthgen" and len(parts) > 1 and parts[1] != "__version__":
                assert parts[1] in ALLOWED[place], f"{path}: {place} may not import {name}"


def _modules() -> dict[str, Path]:
    parts = {path: path.relative_to(PACKAGE.parent).with_suffix("").parts for path in FILES}
    return {".".join(part for part in parts[path] if part != "__init__"): path for path in FILES}


def test_imports_have_no_circle() -> None:
    modules = _modules()
    graph = {
        module: {
            used
            for name in imports_of(path)
            for used in (name, name.rpartition(".")[0])
            if used in modules and used not in (module, "synthgen")
        }
        for module, path in modules.items()
    }
    TopologicalSorter(graph).prepare()


def test_names_are_used_once() -> None:
    """Outside families, which are read one at a time, a module or class is known by its name."""
    common = [path for path in FILES if place_of(path) != "families"]
    modules = Counter(path.stem for path in common if path.stem != "__init__")
    assert not [name for name, count in modules.items() if count > 1]
    classes = Counter(
        node.name
        for path in common
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
    )
    assert not [name for name, count in classes.items() if count > 1]


ENGINE = {
    "plan": {"plan", "steer.weights"},
    "select": {"plan", "select", "steer", "make", "workers"},
    "steer": {"plan", "select", "steer", "workers"},
    "make": {"plan", "make"},
    "workers": {"workers"},
}


@pytest.mark.parametrize("part", ENGINE)
def test_arrows_inside_the_engine(part: str) -> None:
    for path in (PACKAGE / "engine" / part).glob("*.py"):
        for name in imports_of(path):
            rest = name.removeprefix("synthgen.engine.")
            if rest != name:
                parts = rest.split(".")
                used = {parts[0], ".".join(parts[:2])}
                assert used & ENGINE[part], f"{path}: {part} may not import {name}"


@pytest.mark.parametrize("place", PLACES)
def test_libraries_stay_in_their_homes(place: str) -> None:
    for path in files_of(place):
        for name in imports_of(path):
            for library, homes in HOMES.items():
                if name == library or name.startswith(f"{library}."):
                    assert place in homes, f"{path}: {library} belongs to {sorted(homes)}"


@pytest.mark.parametrize("place", PLACES)
def test_nothing_runs_code_from_data(place: str) -> None:
    for path in files_of(place):
        for name in imports_of(path):
            assert name.split(".")[0] not in FORBIDDEN_MODULES, f"{path}: {name}"
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in FORBIDDEN_CALLS, f"{path}:{node.lineno}"


FAMILY_FILES = [path for path in FILES if place_of(path) == "families" and path.parent != FAMILIES]


def side_of(path: Path) -> str:
    """The verifier's side are `verify*.py`; `words.py` loads data for both; all else generates."""
    if path.stem in ("__init__", "words"):
        return "both"
    return "verifier" if path.stem.startswith("verify") else "generator"


@pytest.mark.parametrize("family", sorted({path.parent.name for path in FAMILY_FILES}))
def test_the_two_sides_of_a_family_share_data_only(family: str) -> None:
    for path in (FAMILIES / family).rglob("*.py"):
        check_sides(path)


def check_sides(path: Path) -> None:
    folder = ".".join(("synthgen", *path.parent.relative_to(PACKAGE).parts))
    for name in imports_of(path):
        if not name.startswith("synthgen.families."):
            continue
        assert name.startswith(f"{folder}."), f"{path}: a family may not import {name}"
        other = path.with_name(name.removeprefix(f"{folder}.").split(".")[0] + ".py")
        assert side_of(other) in ("both", side_of(path)), f"{path}: {name}"
        assert side_of(path) != "both", f"{path} loads data only"


@pytest.mark.parametrize("place", PLACES)
def test_files_and_functions_stay_small(place: str) -> None:
    for path in files_of(place):
        check_size(path)


def check_size(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, f"{path}: over 600 lines"
    tree = tree_of(path)
    assert ast.get_docstring(tree), f"{path} has no docstring"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            docstring = ast.get_docstring(node, clean=False) or ""
            length = (node.end_lineno or 0) - node.lineno + 1 - len(docstring.splitlines())
            assert length <= 50, f"{path}:{node.lineno} {node.name} has {length} lines"
            names = [arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)]
            count = len([name for name in names if name not in ("self", "cls")])
            if place_of(path) not in ("api", "cli"):  # these have a keyword for each option
                assert count <= 6, f"{path}:{node.lineno} {node.name} has {count} parameters"


def test_small_private_modules_have_two_importers() -> None:
    for folder in {path.parent for path in FAMILY_FILES}:
        users: dict[str, int] = {}
        for path in folder.glob("*.py"):
            package = ".".join(("synthgen", *folder.relative_to(PACKAGE).parts, ""))
            names = [name for name in imports_of(path) if name.startswith(package)]
            found = {name.removeprefix(package).split(".")[0] for name in names}
            for module in found:
                users[module] = users.get(module, 0) + 1
        for path in folder.glob("*.py"):
            if path.stem in ("__init__", "family", "verify", "kernels"):
                continue
            small = len(path.read_text(encoding="utf-8").splitlines()) < 120
            assert users.get(path.stem, 0) > (1 if small else 0), f"{path}: too small for a module"


def test_every_family_has_a_recipe_a_page_and_a_test() -> None:
    root = PACKAGE.parent
    recipes = "".join(path.read_text("utf-8") for path in (root / "recipes").glob("*.toml"))
    pages = "".join(path.read_text("utf-8") for path in (root / "docs" / "families").glob("*.md"))
    for name in generator_names():
        folder = Path(*generator_class(name).__module__.split(".")[2:-1])
        assert f'generator = "{name}"' in recipes, f"{name} is in no recipe"
        assert f"`{name}`" in pages, f"{name} has no page"
        tests = (root / "tests" / "families" / folder).glob("test_*.py")
        found = [path for path in tests if "check_family" in path.read_text("utf-8")]
        assert found, f"{name}: no test of {folder} calls check_family"
