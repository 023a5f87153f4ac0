"""Write a recipe that is given as a mapping as TOML, to be read and recorded like a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite

from synthgen.core.errors import ParamError

_KEY_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def recipe_text(recipe: Mapping[str, object]) -> str:
    """Return a recipe as TOML.

    Args:
        recipe: Nested mappings and sequences of text, numbers and booleans, as `tomllib` reads them
            from a file. Values that are None are left out.

    Raises:
        ParamError: if a value cannot be written as TOML.

    >>> print(recipe_text({"name": "few", "source": [{"generator": "scan"}]}), end="")
    name = "few"
    <BLANKLINE>
    [[source]]
    generator = "scan"
    """
    values, tables = [], []
    for key, value in recipe.items():
        if isinstance(value, Mapping):
            tables.append(_table(f"[{_key(key)}]", value, key))
        elif parts := _tables(value):
            tables += [_table(f"[[{_key(key)}]]", table, key) for table in parts]
        elif value is not None:
            values.append(f"{_key(key)} = {_value(value, key)}\n")
    return "\n".join(["".join(values), *tables])


def _tables(value: object) -> list[Mapping[str, object]]:
    """Return the items of a sequence of mappings; empty for anything else."""
    items = [*value] if isinstance(value, Sequence) and not isinstance(value, str) else []
    return items if all(isinstance(item, Mapping) for item in items) else []


def _table(header: str, table: Mapping[str, object], path: str) -> str:
    lines = (
        f"{_key(key)} = {_value(value, f'{path}.{key}')}\n"
        for key, value in table.items()
        if value is not None
    )
    return "".join([f"{header}\n", *lines])


def _value(value: object, path: str) -> str:
    """Write a value in one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return repr(value)
    if isinstance(value, Mapping):
        pairs = (
            f"{_key(key)} = {_value(item, f'{path}.{key}')}"
            for key, item in value.items()
            if item is not None
        )
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return f"[{', '.join(_value(item, path) for item in value)}]"
    raise ParamError(path, value, "text, a finite number, a boolean, a list or a mapping")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ParamError("key", key, "text")
    return key if key and _KEY_CHARACTERS.issuperset(key) else json.dumps(key, ensure_ascii=False)
