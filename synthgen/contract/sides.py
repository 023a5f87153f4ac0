"""The two sides of a family: neither may use the other's code, as its sources show."""

from __future__ import annotations

import ast
from collections.abc import Collection
from importlib.util import find_spec, resolve_name
from pathlib import Path

from synthgen.core.errors import AuthorError

_HOME = "synthgen"


def check_sides(name: str, family: Collection[str], verifier: str) -> None:
    """Check that a verifier does not import its family, nor the family its verifier.

    Sources are read, not run: whatever they import anywhere in the code, from their own package
    and by way of its other modules.

    Args:
        name: Name of the family.
        family: Modules that define the family.
        verifier: Module that defines the verifier.

    Raises:
        AuthorError: with the chain of imports.
    """
    place = f"family {name!r}"
    if verifier in family:
        message = f"{verifier} defines the family and its verifier: expected a module for each"
        raise AuthorError(place, message)
    chain = _chain(verifier, family)
    if chain:
        message = f"the verifier imports its family, so it proves nothing: {chain}"
        raise AuthorError(place, message)
    for module in sorted(family):
        chain = _chain(module, {verifier})
        if chain:
            message = f"the family imports its verifier, so that one proves nothing: {chain}"
            raise AuthorError(place, message)


def _chain(first: str, wanted: Collection[str]) -> str:
    """Return how a module imports one of those wanted; empty if it does not."""
    top = first.partition(".")[0]
    inside = f"{_HOME}.families." if top == _HOME else f"{top}."
    chains = {first: first}
    for module in (queue := [first]):
        for name in sorted(_imported_by(module) - chains.keys()):
            chains[name] = f"{chains[module]} imports {name}"
            if name in wanted:
                return chains[name]
            if name.startswith(inside):
                queue.append(name)
    return ""


def _imported_by(module: str) -> set[str]:
    """Return the names of what a module imports: modules, and what may be names in them."""
    path = _source_of(module)
    if path is None:
        return set()
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    names: set[str] = set()
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # it cannot be imported, either
        return names
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names |= {base, *(f"{base}.{one.name}" for one in node.names)}
    return names


def _source_of(module: str) -> Path | None:
    """Return the file of a module, without importing the packages around it; None if not known."""
    top, *inner = module.split(".")
    spec = find_spec(top)
    if spec is None:
        return None
    if not inner and spec.origin and spec.origin.endswith(".py"):
        return Path(spec.origin)
    for folder in spec.submodule_search_locations or ():
        base = Path(folder, *inner)
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return path
    return None
