"""A hash of everything that a build depends on, and the differences between two builds.

These are plain functions over dictionaries, so that generator versions can be added first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from synthgen.recipe.schema import LATER_KEYS, Divergence, Recipe

SCHEME = "v1"
"""Incremented whenever the fingerprints of equal recipes change."""

_NO_INFLUENCE = {"run", "sweep"}
_LATER_KEYS = (
    *("draws_of", "parts", "members", "variant", "divergence", "unseen", "measure"),
    *("files", "spread", "shares", "cover", "diverse", "order"),
    *("axis", "assign", "audit"),
    *("weight", "render", "noise"),
)
"""Keys added after the scheme: omitted at their defaults, so that older fingerprints hold."""
_ABSENT = object()


def canonical(recipe: Recipe) -> dict[str, Any]:
    """Return everything that influences the files, with defaults, as plain JSON values.

    A split has a `weight` only where it differs from its rows, and a param read from a file is
    the SHA-256 of its text.
    """
    plain = recipe.model_dump(mode="json", exclude=_NO_INFLUENCE)
    for split, table in zip(recipe.split, plain["split"], strict=True):
        if split.weight != split.rows:
            table["weight"] = split.weight
    for source, table in zip(recipe.source, plain["source"], strict=True):
        for name, text in source.texts.items():
            digest = hashlib.sha256(text.encode()).hexdigest()
            table["files"][name] = {"file": source.files[name], "sha256": digest}
    plain["axis"] = [axis.model_dump(mode="json", exclude_defaults=True) for axis in recipe.axis]
    plain["audit"] = recipe.audit.model_dump(mode="json", exclude_defaults=True)
    for table in (plain, *plain["source"], *plain["split"]):
        for key in _LATER_KEYS:
            if key in table and not table[key]:
                del table[key]
    if plain.get("render", {}).get("picture") == "none":
        del plain["render"]["picture"]
    for table in (plain, *plain["source"]):
        if "render" in table and table["render"]["format"] is None:
            del table["render"]["format"]
    for key in LATER_KEYS if recipe.divergence else ():
        if getattr(recipe.divergence, key) == Divergence.model_fields[key].default:
            del plain["divergence"][key]
    return plain


def fingerprint(canonical: Mapping[str, Any]) -> str:
    """Return `SCHEME`, a hyphen and the SHA-256 of the canonical JSON in hex.

    Raises:
        ValueError: if a number is not finite.
    """
    return f"{SCHEME}-{hashlib.sha256(_json(canonical).encode()).hexdigest()}"


def differing_keys(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """Return lines such as `split.train.rows: 1000 -> 2000`; empty for equal fingerprints."""
    return list(_differences("", a, b))


def _differences(path: str, a: Any, b: Any) -> Iterator[str]:
    if a is not _ABSENT and b is not _ABSENT and _json(a) == _json(b):
        return
    tables_a, tables_b = _by_name(a), _by_name(b)
    if tables_a is None or tables_b is None:
        yield f"{path}: {_shown(a)} -> {_shown(b)}"
        return
    for key in dict.fromkeys([*tables_a, *tables_b]):
        below = f"{path}.{key}" if path else str(key)
        if key == "weight" and "rows" in tables_a and "rows" in tables_b:
            yield from _whole_rows(path, tables_a, tables_b)
        else:
            yield from _differences(below, tables_a.get(key, _ABSENT), tables_b.get(key, _ABSENT))
    if isinstance(a, list) and [*tables_a] != [*tables_b] and tables_a.keys() == tables_b.keys():
        yield f"{path}: {', '.join(tables_a)} -> {', '.join(tables_b)}"


def _whole_rows(path: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    """Compare the rows of a split before `--rows` and `--scale`, its weight; recipes lack that."""
    sizes = [table.get("weight", table["rows"]) for table in (a, b)]
    if sizes[0] != sizes[1] or a["rows"] == b["rows"]:
        yield f"{path}.rows before --rows and --scale: {_shown(sizes[0])} -> {_shown(sizes[1])}"


def _by_name(value: Any) -> Mapping[str, Any] | None:
    """Return a table, or an array of distinctly named tables keyed by name; else None."""
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        return None
    named = {item["name"]: item for item in value if isinstance(item.get("name"), str)}
    return named if value and len(named) == len(value) else None


def _shown(value: Any) -> str:
    return "(absent)" if value is _ABSENT else _json(value)


def _json(value: Any) -> str:
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
