"""Names of generators and verifiers: the folders and entry points are the registry.

A module of `synthgen.generators`, in any folder, that does not begin with `_` is a generator of
that name and holds its class as `GENERATOR`; one of `synthgen.verifiers` holds an instance as
`VERIFIER`. Packages of third parties register a class or an instance under the entry-point groups
of the same names.
Listing reads names and docstrings from the source and imports nothing.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from synthgen.core.errors import UnknownNameError

if TYPE_CHECKING:
    from synthgen.core.contract import Generator, Verifier

_PACKAGE_ROOT = Path(__file__).parent.parent


def generator_names() -> list[str]:
    """Return the names of all generators, sorted, without importing one."""
    return sorted({*_own_modules("generators"), *_entry_points("synthgen.generators")})


def generator_summary(name: str) -> str:
    """Return the first line of the generator's module docstring, without importing it."""
    path = _own_modules("generators").get(name)
    if path is None:
        return f"third party: {_entry_points('synthgen.generators')[name].value}"
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return doc.partition("\n")[0]


def generator_class(name: str) -> type[Generator]:
    """Import a generator's class.

    Raises:
        UnknownNameError: if no generator has this name.
    """
    return cast("type[Generator]", _load("generators", "GENERATOR", name))


def load_verifier(name: str) -> Verifier:
    """Import a verifier.

    Raises:
        UnknownNameError: if no verifier has this name.
    """
    return cast("Verifier", _load("verifiers", "VERIFIER", name))


def _load(kind: str, attribute: str, name: str) -> Any:
    own = _own_modules(kind)
    if name in own:
        parts = own[name].relative_to(_PACKAGE_ROOT).with_suffix("").parts
        return getattr(import_module(".".join(("synthgen", *parts))), attribute)
    foreign = _entry_points(f"synthgen.{kind}")
    if name in foreign:
        return foreign[name].load()
    raise UnknownNameError(kind[:-1], name, sorted({*own, *foreign}))


@cache
def _own_modules(kind: str) -> dict[str, Path]:
    """Map each public module of a folder and the folders in it to its source file."""
    files = (_PACKAGE_ROOT / kind).rglob("*.py")
    return {path.stem: path for path in files if not path.stem.startswith("_")}


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}
