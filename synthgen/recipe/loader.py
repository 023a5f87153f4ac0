"""Read a recipe file into its typed form, or collect all of its faults."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, time
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from synthgen.core.errors import Fault, ParamError, RecipeError, nearest
from synthgen.recipe.axis_tables import ComputedAxis, axis_faults
from synthgen.recipe.bundled import bundled_names, find_recipe
from synthgen.recipe.draft import Draft, LoadedRecipe
from synthgen.recipe.fields import ADVICE, EXPECTED, Table
from synthgen.recipe.key_combinations import combination_faults, stays_below
from synthgen.recipe.lines import Key, as_key, line_map
from synthgen.recipe.overrides import NO_OVERRIDES, Overrides, apply_overrides
from synthgen.recipe.references import reference_faults
from synthgen.recipe.scaling import check_numbers, mixed, resized, swept
from synthgen.recipe.schema import Limits, Recipe, RenderTable, Source, Split
from synthgen.recipe.tables import RecipeTables, numbered
from synthgen.recipe.written import recipe_text

MAX_BYTES = 4 * 2**20
MAX_LISTED = 1 << 30
"""Bytes of a list of members."""
_ROWS, _MIN_ROWS = 10_000, 20
"""Rows of a recipe without splits by default, and the fewest that can be divided."""
_MENDED = ("source", "split")
"""Tables that are checked further without their faulty values."""
_MAPPING = "recipe.toml"
"""Name, in messages, of a recipe that is a mapping."""
_Places = tuple[tuple[int, Source], ...]


def with_files(
    folder: Path, sources: _Places, faults: list[tuple[Key, str]]
) -> Iterator[tuple[int, Source]]:
    """Yield the sources with the texts of their files, and collect path and message of each fault.

    Args:
        folder: Folder of the recipe; files must be inside it.
        sources: Sources with their index.
        faults: List to append faults to; a source with a fault is left unchanged.
    """
    for place, source in sources:
        texts: dict[str, str] = {}
        for name, file in source.files.items():
            try:
                texts[name] = read_beside(folder, name, file)
            except ParamError as error:
                faults.append((("source", str(place), "files", name), str(error)))
        yield place, source.with_texts(texts)


def read_beside(folder: Path, name: str, file: str, most: int = MAX_BYTES) -> str:
    """Return the text of a file; line endings and a byte-order mark are normalized.

    Args:
        folder: Folder that the file must be inside.
        name: Key that names the file.
        file: Path relative to the folder.
        most: Bytes that it may have.

    Raises:
        ParamError: if the file is outside the folder or cannot be read as text.
    """
    path = folder / file
    try:
        if not stays_below(file) or not path.resolve().is_relative_to(folder.resolve()):
            raise ParamError(name, file, "a file below the recipe's folder")
        if not path.is_file():
            raise ParamError(name, file, "an existing file in the recipe's folder")
        with path.open("rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise ParamError(name, file, f"a file that can be read: {error.strerror}") from error
    if len(data) > most:
        raise ParamError(name, file, f"a file of at most {most} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParamError(name, file, f"UTF-8 text; line {line} is invalid") from error
    return text.replace("\r\n", "\n")


_PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_PLAIN = {"Cannot overwrite a value": "this key is already set above"}


def read_text(path: Path) -> str:
    """Return the text of a file of at most `MAX_BYTES`, without a byte-order mark.

    Raises:
        RecipeError: if the file cannot be read, is too big or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RecipeError(str(path), [Fault(f"cannot be read: {error.strerror}")]) from error
    if len(data) > MAX_BYTES:
        raise RecipeError(str(path), [Fault(f"expected a file of at most {MAX_BYTES} bytes")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        msg = f"not UTF-8: byte 0x{error.object[error.start]:02x} is invalid there"
        raise RecipeError(str(path), [Fault(msg, line=line)]) from error


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return the document of a TOML text.

    Raises:
        RecipeError: with one fault, at the line where the text stops being TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        fault = _syntax_fault(str(error), text)
    except RecursionError:
        fault = Fault("not valid TOML: nested too deeply")
    except ValueError:  # raised for integers with thousands of digits
        fault = Fault("not valid TOML: a number has too many digits")
    raise RecipeError(file, [fault])


def _syntax_fault(message: str, text: str) -> Fault:
    place = _PLACE.search(message)
    if place is None:
        return Fault(f"not valid TOML: {message}")
    reason = message[: place.start()]
    reason = _PLAIN.get(reason, reason)
    if place["line"] is None:
        return Fault(f"not valid TOML: {reason} (at the end)", line=len(text.splitlines()) or 1)
    return Fault(f"not valid TOML: {reason} (column {place['column']})", line=int(place["line"]))


_LONGEST_VALUE = 80
_FOLLOW_UP = "default_factory_not_called"  # the field it depends on is itself faulty


def worded(error: ValidationError) -> Iterator[tuple[Key, str]]:
    """Yield path and message of each error of a `Recipe`."""
    for detail in error.errors(include_url=False):
        message = _message(detail)
        if message is not None:
            yield as_key(detail["loc"]), message


def show(value: object) -> str:
    """Format a value roughly as in TOML, shortened if long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return _shortened("[" + ", ".join(show(item) for item in value[:_LONGEST_VALUE]) + "]")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    return _shortened(repr(value))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 4]} ..."


def _message(detail: ErrorDetails) -> str | None:
    kind, path, value = detail["type"], detail["loc"], detail["input"]
    if kind == _FOLLOW_UP or (kind == "too_short" and value):
        # A sequence with faulty items is also reported as too short.
        return None
    if kind == "extra_forbidden":
        return _unknown(path, value)
    context = detail.get("ctx", {})
    expected = context["expected"] if kind == EXPECTED else _expected(path)
    if kind == "missing":
        return f"missing key {path[-1]!r}: expected {expected}"
    if kind == "tuple_type" and isinstance(value, dict):
        return f"[{path[-1]}] is a single table: expected [[{path[-1]}]] with double brackets"
    advice = str(context["advice"]) if kind == ADVICE else ""
    return f"{_name(path)}={show(value)}: expected {expected}{advice and '; ' + advice}"


def _name(path: tuple[int | str, ...]) -> str:
    """Return the last key of a path with the array indices after it, such as `balance[1]`."""
    names = [place for place, part in enumerate(path) if isinstance(part, str)]
    last = names[-1] if names else 0
    return str(path[last]) + "".join(f"[{part}]" for part in path[last + 1 :])


def _unknown(path: tuple[int | str, ...], value: object) -> str:
    """Name the known keys, and the table that the unknown key belongs to."""
    key = str(path[-1])
    model = _model_at(path[:-1])
    known = list(model.model_fields) if model else []
    kind = "table" if _is_table(value) else "key"
    close, home = nearest(key, known), _home(key)
    hint = ""
    if home and (not close or key in Recipe.model_fields):
        hint = f"; it belongs {home}."
    elif close:
        hint = f"; did you mean {close!r}?"
    return f"unknown {kind} {key!r}{hint or '.'} Known: {', '.join(known)}"


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def _home(key: str) -> str | None:
    """Return the only place of a recipe that has this key; None without one or with several."""
    homes = [] if key not in Recipe.model_fields else ["at the top of the file, before any table"]
    for name, field in Recipe.model_fields.items():
        model = _model_of(field.annotation)
        if model and key in model.model_fields:
            homes.append(f"in [[{name}]]" if field.is_required() else f"in [{name}]")
    return homes[0] if len(homes) == 1 else None


def _expected(path: tuple[int | str, ...]) -> str:
    """Return the description of the innermost field on the path."""
    model: type[BaseModel] | None = Recipe
    description = "a table"
    for part in path:
        if isinstance(part, int) or model is None:
            continue
        if part not in model.model_fields:
            break
        field = model.model_fields[part]
        description = field.description or description
        model = _model_of(field.annotation)
    if len(path) == 2 and isinstance(path[1], int):
        return f"a table [[{path[0]}]]"
    return description


def _model_at(path: tuple[int | str, ...]) -> type[BaseModel] | None:
    model: type[BaseModel] | None = Recipe
    for part in path:
        if isinstance(part, str) and model is not None:
            fields: Mapping[str, Any] = model.model_fields
            model = _model_of(fields[part].annotation) if part in fields else None
    return model


def _model_of(annotation: Any) -> type[BaseModel] | None:
    """Return the table inside an annotation such as `tuple[Split, ...]` or `Cap | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_of(part))), None)


__all__ = [
    "Draft",
    "LoadedRecipe",
    "bundled_names",
    "find_recipe",
    "load_recipe",
    "read_points",
    "read_recipe",
]

_T = TypeVar("_T", bound=Table)


def load_recipe(path: str | Path, overrides: Overrides = NO_OVERRIDES) -> LoadedRecipe:
    """Read a recipe without faults.

    Raises:
        RecipeError: with every fault of the file and of the overrides.
    """
    return read_recipe(path, overrides).finish()


def read_recipe(
    recipe: str | Path | Mapping[str, object], overrides: Overrides = NO_OVERRIDES
) -> Draft:
    """Read the valid parts of a recipe; never raises for the content of the file.

    Args:
        recipe: Path of a file, or the content of one as a mapping. Files that a mapping names are
            in the current folder.
        overrides: Changes to it.

    Raises:
        ParamError: if a value of a mapping cannot be written as TOML.
    """
    if isinstance(recipe, Mapping):
        return _read_text(Draft(path=Path(_MAPPING), overrides=overrides), recipe_text(recipe))
    draft = Draft(path=Path(recipe), overrides=overrides)
    try:
        return _read_text(draft, read_text(draft.path))
    except RecipeError as error:
        return replace(draft, faults=error.faults)


def read_points(draft: Draft) -> dict[str, Draft]:
    """Return every point of a recipe's sweep, each an ordinary recipe, by its name.

    A recipe without a sweep, or with every swept path fixed by an override, has one point "".
    """
    sets, sweep = draft.overrides.sets, draft.recipe and draft.recipe.sweep
    if not sweep:
        return {"": draft}
    points = {
        name: replace(draft.overrides, sets=(*sets, *chosen), swept=len(chosen))
        for name, chosen in sweep.points(sets).items()
    }
    return {
        name: _read_text(Draft(path=draft.path, overrides=overrides), draft.text)
        for name, overrides in points.items()
    }


def _read_text(draft: Draft, text: str) -> Draft:
    """Read the valid parts of the text of a recipe."""
    try:
        document = parse_toml(text, str(draft.path))
    except RecipeError as error:
        return replace(draft, faults=error.faults)
    if message := _add_splits(document):
        draft = replace(draft, text=text, lines=line_map(text))
        return replace(draft, faults=(draft.fault("rows", message),))
    splits = [table for _, table in numbered(document, "split")]
    for table in splits:
        if isinstance(table.get("members"), str) and "rows" not in table:
            table["rows"] = _listed(draft, table["members"])
    rows = [table.get("rows") for table in splits]
    applied = apply_overrides(document, draft.overrides)
    draft = replace(draft, text=text, lines=line_map(text), applied=applied)
    return _validated(draft, document, rows)


def _listed(draft: Draft, file: str) -> int:
    """Return how many prompts a list of members has; 1 if it cannot be read, which is reported."""
    try:
        draft.lists[file] = read_beside(draft.path.parent, "members", file, MAX_LISTED)
    except ParamError:
        return 1
    return max(1, sum(map(bool, draft.lists[file].split("\n"))))


def _add_splits(document: dict[str, Any]) -> str | None:
    """Divide the `rows` of a recipe without splits by the hash of each problem: 90, 5 and 5 %.

    Returns:
        What is wrong with `rows`, or None.
    """
    if "split" in document or "source" not in document:
        return None
    rows = document.pop("rows", _ROWS)
    if type(rows) is not int or rows < _MIN_ROWS:
        return f"rows={show(rows)}: expected an integer of at least {_MIN_ROWS}"
    part = rows // 20
    document["split"] = [
        {"name": name, "rows": size}
        for name, size in (("train", rows - 2 * part), ("validation", part), ("test", part))
    ]
    return None


def _validated(draft: Draft, document: dict[str, Any], rows: list[object]) -> Draft:
    recipe, errors = _typed(document)
    partial = frozenset(path[:2] for path, _ in errors if path[0] in _MENDED and path[1:])
    sources = _mended_tables(document, "source", Source, errors)
    splits = _mended_tables(document, "split", Split, errors)
    tables = RecipeTables(document, [path for path, _ in errors])
    draft = replace(draft, names=tables.paths_by_name)
    errors += [*reference_faults(tables, draft.line), *combination_faults(tables)]
    errors += axis_faults(tables)
    sources = tuple(with_files(draft.path.parent, sources, errors))
    axes = _valid_tables(document, "axis", ComputedAxis, errors)
    faulty = {path[1] for path, _ in errors if path[0] == "axis" and len(path) > 1}
    faults = [Fault(message) for message in draft.applied.faults]
    faults += [draft.fault(path, message) for path, message in errors]
    try:
        check_numbers(draft.overrides)
        if recipe:
            update = {
                "source": tuple(source for _, source in sources),
                "split": resized(mixed(recipe, swept(recipe, rows)), draft.overrides),
            }
            recipe = recipe.model_copy(update=update)
            splits = tuple(enumerate(recipe.split))
    except ParamError as error:
        faults.append(Fault(str(error)))
    return replace(
        draft,
        faults=tuple(faults),
        recipe=None if faults else recipe,
        sources=sources,
        splits=splits,
        partial=partial,
        axes=axes,
        lost_axes=tuple(n for i, n in tables.names["axis"].items() if str(i) in faulty),
        render=_valid_table(document.get("render", {}), RenderTable),
        limits=_valid_table(document.get("limits", {}), Limits),
    )


def _typed(document: dict[str, Any]) -> tuple[Recipe | None, list[tuple[Key, str]]]:
    try:
        return Recipe.model_validate(document), []
    except ValidationError as error:
        return None, list(worded(error))


def _valid_tables(
    document: dict[str, Any], kind: str, model: type[_T], errors: list[tuple[Key, str]]
) -> tuple[tuple[int, _T], ...]:
    array = document.get(kind)
    if not isinstance(array, list):
        return ()
    faulty = {path[1] for path, _ in errors if path[0] == kind and len(path) > 1}
    return tuple(
        (place, model.model_validate(table))
        for place, table in enumerate(array)
        if str(place) not in faulty
    )


def _mended_tables(
    document: dict[str, Any], kind: str, model: type[_T], errors: list[tuple[Key, str]]
) -> tuple[tuple[int, _T], ...]:
    """Return the tables of an array without their faulty values, if they are valid without."""
    mended = []
    for place, table in numbered(document, kind):
        faulty = {path[2] for path, _ in errors if path[:2] == (kind, str(place)) and path[2:]}
        kept = {key: value for key, value in table.items() if key not in faulty}
        if "rows" in faulty:
            kept = {**kept, "rows": 1}
            kept.pop("members", None)
        whole = _valid_table(kept, model)
        if whole:
            mended.append((place, whole))
    return tuple(mended)


def _valid_table(table: object, model: type[_T]) -> _T | None:
    try:
        return model.model_validate(table)
    except ValidationError:
        return None
