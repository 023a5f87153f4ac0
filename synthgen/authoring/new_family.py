"""Create a new family to start from: a folder, a test and a recipe that pass unchanged."""

from __future__ import annotations

import re
from pathlib import Path

from synthgen.contract.registry import generator_names
from synthgen.core.errors import OutputError, ParamError

_SKELETON = Path(__file__).with_name("skeleton")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_ROOM = ("__init__.py", "family.py", "verify.py", "words.toml")


def new_family(name: str, root: Path) -> list[Path]:
    """Write a new family.

    In a checkout of synthgen the files go where its families are; elsewhere a package with an
    entry point is written into the folder `name`.

    Args:
        name: Name of lower-case letters, digits and underscores.
        root: Checkout, or the folder to write the package into.

    Returns:
        The files written.

    Raises:
        ParamError: if the name is malformed or already taken.
        OutputError: if one of the files already exists or cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise ParamError("name", name, "lower-case letters, digits and underscores")
    if name in generator_names():
        raise ParamError("name", name, "a name that is not taken")
    files = {root / place: _filled(source, name) for place, source in _places(name, root).items()}
    for path in files:
        if path.exists():
            msg = f"{path} already exists"
            raise OutputError(msg)
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            msg = f"{path} cannot be written: {error.strerror}"
            raise OutputError(msg) from None
    return list(files)


def _places(name: str, root: Path) -> dict[str, str]:
    """Map the path of each file below the root to its template."""
    recipe = name.replace("_", "-")
    if (root / "synthgen" / "families").is_dir():
        room, extra = f"synthgen/families/{name}", {f"docs/families/{name}.md": "page.md"}
        test, recipe = f"tests/families/{name}/test_{name}.py", f"recipes/{recipe}.toml"
    else:
        room, extra = f"{name}/{name}", {f"{name}/pyproject.toml": "pyproject.toml"}
        test, recipe = f"{name}/tests/test_{name}.py", f"{name}/recipes/{recipe}.toml"
    return {
        **{f"{room}/{file}": file for file in _ROOM},
        test: "test.py",
        recipe: "recipe.toml",
        **extra,
    }


def _filled(template: str, name: str) -> str:
    text = (_SKELETON / f"{template}.txt").read_text(encoding="utf-8")
    title = "".join(part.capitalize() for part in name.split("_"))
    return (
        text.replace("CLASS", title).replace("RECIPE", name.replace("_", "-")).replace("NAME", name)
    )
