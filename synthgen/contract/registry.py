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
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from pkgutil import iter_modules
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from synthgen.contract.sides import check_sides
from synthgen.core.errors import AuthorError, UnknownNameError, did_you_mean
from synthgen.core.printing import described_by

if TYPE_CHECKING:
    from synthgen.contract.interfaces import Generator, Verifier

FORMATTED = "formatted:"
"""Beginning of the name of a verifier of rows in formats; the name of the family's follows."""


def generator_names() -> list[str]:
    """Return the names of all families, sorted, without importing them."""
    return sorted({*_folders(), *_entry_points("synthgen.generators")})


def generator_summary(name: str) -> str:
    """Return the summary of a family, without importing it.

    Raises:
        AuthorError: if the package of its folder cannot be imported.
    """
    folder = _folders().get(name)
    if folder is None:
        return f"third party: {_entry_points('synthgen.generators')[name].value}"
    return _summaries(folder).get(name, f"third party: {folder}")


def generator_summaries() -> tuple[dict[str, str], dict[str, str]]:
    """Return the summaries of all families that can be imported, and what is wrong by package."""
    summaries, faults = dict[str, str](), dict[str, str]()
    for name in generator_names():
        try:
            summaries[name] = generator_summary(name)
        except AuthorError as error:
            faults.setdefault(_package(name), str(error))
    return summaries, faults


def generator_topic(name: str) -> str:
    """Return the topic that a family shares with close ones, without importing it."""
    folder = _folders().get(name, "third party")
    return folder.removeprefix("synthgen.families.").partition(".")[0]


def generator_class(name: str) -> type[Generator]:
    """Import the class of a family.

    Raises:
        UnknownNameError: if no family has this name.
        AuthorError: if its module cannot be imported, or lacks it, or if it has no verifier.
    """
    kind = cast("type[Generator]", _load("generator", "family", "GENERATORS", name))
    wanted = getattr(kind, "verifier", "")
    if wanted not in _folders() and wanted not in _entry_points("synthgen.verifiers"):
        message = f"verifier={wanted!r} of {kind.__name__} is not a family's name"
        raise _error(name, message + did_you_mean(wanted, _folders()))
    return kind


def load_verifier(name: str) -> Verifier:
    """Import a verifier.

    Raises:
        UnknownNameError: if no verifier has this name.
        AuthorError: if its module cannot be imported, lacks it, or imports the family.
    """
    if name.startswith(FORMATTED):
        formats = import_module("synthgen.formats.read_back")
        return cast("Verifier", formats.formatted(name.removeprefix(FORMATTED)))
    return cast("Verifier", _load("verifier", "verify", "VERIFIERS", name))


def check_tables(name: str) -> None:
    """Check that the three tables of a family's folder have the same names.

    Raises:
        AuthorError: for names that one of them lacks.
    """
    folder = _folders().get(name)
    if folder is None:
        return
    families = {*_summaries(folder), name}
    for module, table in (("family", "GENERATORS"), ("verify", "VERIFIERS")):
        declared = {*vars(_imported(f"{folder}.{module}"))[table]}
        others = declared - families if table == "VERIFIERS" else declared ^ families
        if others:
            message = f"{table} and FAMILIES disagree about {', '.join(sorted(others))}"
            raise _error(name, f"{folder}.{module}: {message}")


def is_bundled(name: str) -> bool:
    """Return whether a family is part of this package."""
    return _folders().get(name, "").startswith("synthgen.families.")


def verifier_module(name: str) -> str:
    """Return the name of the module that defines a verifier."""
    folder = _folders().get(name)
    return f"{folder}.verify" if folder else _entry_points("synthgen.verifiers")[name].module


@cache
def _load(kind: str, module: str, table: str, name: str) -> Any:
    folder = _folders().get(name)
    if folder is not None:
        entry = _entry(name, f"{folder}.{module}", table)
        if kind == "verifier" and not is_bundled(name):
            check_sides(name, {f"{folder}.family"}, f"{folder}.{module}")
        return entry
    older = _entry_points(f"synthgen.{kind}s")
    if name not in older:
        described = described_by(name, generator_summaries()[0])
        raise UnknownNameError(kind, name, sorted({*_folders(), *older}), described)
    try:
        with _naming(older[name].value):
            return older[name].load()
    except AuthorError as error:
        raise _error(name, str(error)) from error


def _entry(name: str, module: str, table: str) -> Any:
    """Return what a family's module declares under its name.

    Raises:
        AuthorError: if the module cannot be imported, or lacks the table or the name.
    """
    try:
        declared: Mapping[str, Any] = vars(_imported(module)).get(table, {})
    except AuthorError as error:
        raise _error(name, str(error)) from error
    if name not in declared:
        message = f"{module}.{table} has no {name!r}{did_you_mean(name, declared)}"
        raise _error(name, message)
    return declared[name]


def _error(name: str, message: str) -> AuthorError:
    place = f"family {name!r}"
    return AuthorError(place, message)


def _imported(module: str) -> ModuleType:
    """Import a module, which may be a third party's.

    Raises:
        AuthorError: if it cannot be imported.
    """
    with _naming(module):
        return import_module(module)


@contextmanager
def _naming(module: str) -> Iterator[None]:
    """Convert whatever an import raises into an AuthorError that names the module."""
    try:
        yield
    except (AuthorError, KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # also SystemExit, and panics of libraries in Rust
        raise AuthorError(_first_line(module, error)) from error


def _first_line(module: str, error: BaseException) -> str:
    """Return what an import raised, and the last line of code outside of Python's own and this."""
    places = [
        (frame.filename, frame.lineno)
        for frame in extract_tb(error.__traceback__)
        if "importlib" not in frame.filename and frame.filename != __file__
    ]
    message = str(error).strip().partition("\n")[0]
    if isinstance(error, SyntaxError):
        message = error.msg
        places += [(error.filename, error.lineno)] if error.filename and error.lineno else []
    place = "".join(
        f" ({Path(file).parent.name}/{Path(file).name}:{line})" for file, line in places[-1:]
    )
    return f"{module} cannot be imported: {type(error).__name__}: {message}{place}"


@cache
def _folders() -> Mapping[str, str]:
    """Map the name of each family to the package of its folder."""
    known = {name: folder for folder in _rooms("synthgen.families") for name in _summaries(folder)}
    others = {name: point.value for name, point in _entry_points("synthgen.families").items()}
    return others | known


def _rooms(package: str) -> Iterator[str]:
    """Yield the packages with families inside a package, and inside those that only hold topics."""
    for module in iter_modules(import_module(package).__path__):
        folder = f"{package}.{module.name}"
        yield from [folder] if _summaries(folder) else _rooms(folder)


def _summaries(folder: str) -> Mapping[str, str]:
    summaries: object = getattr(_imported(folder), "FAMILIES", {})
    if not isinstance(summaries, Mapping):
        msg = f"{folder}.FAMILIES={summaries!r}: expected names with summaries"
        raise AuthorError(msg)
    return summaries


def _package(name: str) -> str:
    """Return the package that registers a family."""
    point = _entry_points("synthgen.families")[name]
    with suppress(Exception):  # metadata may be broken too
        return cast("Distribution", point.dist).name
    return point.value.partition(".")[0]


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}
