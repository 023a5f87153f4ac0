"""Recipes that come with the package, by name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from synthgen.core.errors import Fault, RecipeError, UnknownNameError
from synthgen.core.printing import described_by
from synthgen.recipe.sweep import Sweep

_PACKAGE = Path(__file__).parent.parent


def find_recipe(name_or_path: str | Path) -> Path:
    """Return the file of a recipe: an existing path, or else the name of a bundled recipe.

    Raises:
        RecipeError: if it is a path, but not an existing file.
        UnknownNameError: if it is a name, but not of a bundled recipe.
    """
    given, path = str(name_or_path), Path(name_or_path)
    if _is_file(path):
        return path
    names = bundled_names()
    if given in names:
        return _folder() / f"{given}.toml"
    if path.suffix == ".toml" or len(path.parts) != 1 or path.parts[0] == "..":
        hint = f"; did you mean the bundled recipe {path.stem!r}?" if path.stem in names else ""
        raise RecipeError(given, [Fault(f"no such file{hint}")])
    described = described_by(given, {name: bundled_about(name).summary for name in names})
    raise UnknownNameError("recipe", given, names, described)


def bundled_names() -> list[str]:
    """Return the names of all bundled recipes, sorted."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def _folder() -> Path:
    """Return the folder inside an installed package, or next to it in a source checkout."""
    inside = _PACKAGE / "bundled"
    return inside if inside.is_dir() else _PACKAGE.parent / "recipes"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # such as a name that is too long for the file system
        return False


class About(NamedTuple):
    """What a bundled recipe makes, in one line, and the generators of its sources."""

    summary: str
    generators: tuple[str, ...]


def bundled_about(name: str) -> About:
    """Read the description of a bundled recipe, with the points of a sweep, and its generators."""
    document = tomllib.loads((_folder() / f"{name}.toml").read_text(encoding="utf-8"))
    text = str(document.get("description", ""))
    if "sweep" in document:
        text += f" {len(Sweep.model_validate(document['sweep']).points(()))} datasets."
    return About(text, tuple(str(source["generator"]) for source in document.get("source", ())))
