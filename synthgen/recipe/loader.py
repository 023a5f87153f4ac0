"""From a recipe file to its typed form, or to all of its faults at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from synthgen.core.errors import Fault, ParamError, RecipeError
from synthgen.recipe.axes import ComputedAxis, axis_faults, lost_axes
from synthgen.recipe.bundled import bundled_names, find_recipe
from synthgen.recipe.combinations import combination_faults
from synthgen.recipe.draft import Draft, LoadedRecipe
from synthgen.recipe.lines import Key, line_map
from synthgen.recipe.overrides import NO_OVERRIDES, Overrides, apply_overrides
from synthgen.recipe.param_files import file_faults, with_files
from synthgen.recipe.references import places, reference_faults
from synthgen.recipe.scaling import check_numbers, resized
from synthgen.recipe.schema import Recipe, Render
from synthgen.recipe.sources import Source
from synthgen.recipe.splits import Split
from synthgen.recipe.tables import Table
from synthgen.recipe.text import parse_toml, read_text
from synthgen.recipe.wording import worded

__all__ = [
    "Draft",
    "LoadedRecipe",
    "bundled_names",
    "find_recipe",
    "load_recipe",
    "read_recipe",
]

_T = TypeVar("_T", bound=Table)


def load_recipe(path: str | Path, overrides: Overrides = NO_OVERRIDES) -> LoadedRecipe:
    """Read a recipe that has no faults.

    Raises:
        RecipeError: with every fault of the file and of the overrides.
    """
    return read_recipe(path, overrides).finish()


def read_recipe(path: str | Path, overrides: Overrides = NO_OVERRIDES) -> Draft:
    """Read a recipe as far as it is valid; never raises for what is in the file."""
    draft = Draft(path=Path(path), overrides=overrides)
    try:
        text = read_text(draft.path)
        document = parse_toml(text, str(path))
    except RecipeError as error:
        return replace(draft, faults=error.faults)
    applied = apply_overrides(document, overrides)
    draft = replace(draft, text=text, lines=line_map(text), applied=applied)
    return _validated(draft, document)


def _validated(draft: Draft, document: dict[str, Any]) -> Draft:
    recipe, found = _typed(document)
    sources = _valid_tables(document, "source", Source, found)
    splits = _valid_tables(document, "split", Split, found)
    found += [*reference_faults(document), *combination_faults(document)]
    found += axis_faults(document)
    found += file_faults(places(document, "source"))
    sources = tuple(with_files(draft.path.parent, sources, found))
    axes = _valid_tables(document, "axis", ComputedAxis, found)
    faulty = {path[1] for path, _ in found if path[0] == "axis" and len(path) > 1}
    faults = [Fault(message) for message in draft.applied.faults]
    faults += [draft.fault(path, message) for path, message in found]
    render = recipe.render if recipe else _valid_table(document.get("render", {}), Render)
    try:
        check_numbers(draft.overrides)
        if recipe:
            update = {
                "source": tuple(source for _, source in sources),
                "split": resized(recipe.split, draft.overrides),
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
        axes=axes,
        lost_axes=lost_axes(document, faulty),
        render=render,
    )


def _typed(document: dict[str, Any]) -> tuple[Recipe | None, list[tuple[Key, str]]]:
    try:
        return Recipe.model_validate(document), []
    except ValidationError as error:
        return None, list(worded(error))


def _valid_tables(
    document: dict[str, Any], kind: str, model: type[_T], found: list[tuple[Key, str]]
) -> tuple[tuple[int, _T], ...]:
    array = document.get(kind)
    if not isinstance(array, list):
        return ()
    faulty = {path[1] for path, _ in found if path[0] == kind and len(path) > 1}
    return tuple(
        (place, model.model_validate(table))
        for place, table in enumerate(array)
        if str(place) not in faulty
    )


def _valid_table(table: object, model: type[_T]) -> _T | None:
    try:
        return model.model_validate(table)
    except ValidationError:
        return None
