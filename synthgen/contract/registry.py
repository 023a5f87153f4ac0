"""Names of families: the folders and entry points are the registry.

A folder of `synthgen.families` holds one family, a few close ones, or a folder for each topic. Its
`__init__.py` maps their names to summaries in `FAMILIES`, its `family.py` maps each name to its
class in `GENERATORS`, and its `verify.py` to its verifier in `VERIFIERS`. A package of a third
party registers such a folder for each of its families under the entry-point group
`synthgen.families`. The older groups `synthgen.generators` and `synthgen.verifiers` register a
class and an instance.
Listing imports only the `__init__.py` files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, cast

from synthgen.core.errors import UnknownNameError

if TYPE_CHECKING:
    from synthgen.contract.interfaces import Generator, Verifier

FORMATTED = "formatted:"
"""Beginning of the name of a verifier of rows in formats; the name of the family's follows."""


def generator_names() -> list[str]:
    """Return the names of all families, sorted, without importing them."""
    return sorted({*_folders(), *_entry_points("synthgen.generators")})


def generator_summary(name: str) -> str:
    """Return the summary of a family, without importing it."""
    folder = _folders().get(name)
    if folder is None:
        return f"third party: {_entry_points('synthgen.generators')[name].value}"
    return _summaries(folder).get(name, f"third party: {folder}")


def generator_topic(name: str) -> str:
    """Return the topic that a family shares with close ones, without importing it."""
    folder = _folders().get(name, "third party")
    return folder.removeprefix("synthgen.families.").partition(".")[0]


def generator_class(name: str) -> type[Generator]:
    """Import the class of a family.

    Raises:
        UnknownNameError: if no family has this name.
    """
    return cast("type[Generator]", _load("generator", "family", "GENERATORS", name))


def load_verifier(name: str) -> Verifier:
    """Import a verifier.

    Raises:
        UnknownNameError: if no verifier has this name.
    """
    if name.startswith(FORMATTED):
        formats = import_module("synthgen.formats.read_back")
        return cast("Verifier", formats.formatted(name.removeprefix(FORMATTED)))
    return cast("Verifier", _load("verifier", "verify", "VERIFIERS", name))


@cache
def _load(kind: str, module: str, table: str, name: str) -> Any:
    folder = _folders().get(name)
    if folder is not None:
        found: Mapping[str, Any] = vars(import_module(f"{folder}.{module}"))[table]
        return found[name]
    older = _entry_points(f"synthgen.{kind}s")
    if name not in older:
        raise UnknownNameError(kind, name, sorted({*_folders(), *older}))
    return older[name].load()


@cache
def _folders() -> Mapping[str, str]:
    """Map the name of each family to the package of its folder."""
    own = {name: folder for folder in _rooms("synthgen.families") for name in _summaries(folder)}
    others = {name: point.value for name, point in _entry_points("synthgen.families").items()}
    return others | own


def _rooms(package: str) -> Iterator[str]:
    """Yield the packages with families inside a package, and inside those that only hold topics."""
    for module in iter_modules(import_module(package).__path__):
        folder = f"{package}.{module.name}"
        yield from [folder] if _summaries(folder) else _rooms(folder)


def _summaries(folder: str) -> Mapping[str, str]:
    summaries: Mapping[str, str] = getattr(import_module(folder), "FAMILIES", {})
    return summaries


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}
