"""Validation errors in our own plain words: name=value, and what was expected instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from synthgen.core.errors import nearest
from synthgen.recipe.fields import ADVICE, EXPECTED
from synthgen.recipe.lines import Key, as_key
from synthgen.recipe.schema import Recipe

_LONGEST_VALUE = 80
_FOLLOW_UP = "default_factory_not_called"  # the field it depends on has a fault of its own


def worded(error: ValidationError) -> Iterator[tuple[Key, str]]:
    """Yield path and message of each error of a `Recipe`."""
    for detail in error.errors(include_url=False):
        message = _message(detail)
        if message is not None:
            yield as_key(detail["loc"]), message


def show(value: object) -> str:
    """Write a value much as TOML has it, shortened where it is long."""
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
        # A sequence whose items have faults of their own is also reported as too short.
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
    """Say which keys there are, and where the unknown one would be at home."""
    key = str(path[-1])
    model = _model_at(path[:-1])
    known = list(model.model_fields) if model else []
    kind = "table" if _is_table(value) else "key"
    close, home = nearest(key, known), _home(key)
    hint = ""
    if close:
        hint = f"; did you mean {close!r}?"
    elif home:
        hint = f"; it belongs {home}."
    return f"unknown {kind} {key!r}{hint or '.'} Known: {', '.join(known)}"


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def _home(key: str) -> str | None:
    """Return the one place of a recipe that has this key, None if there is none or many."""
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
