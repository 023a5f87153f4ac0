"""Changes to a recipe from the command line: `--set`, `--seed`, `--rows` and `--scale`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synthgen.core.errors import nearest
from synthgen.recipe.lines import Key
from synthgen.recipe.references import name_of

_MOST_DIGITS = 9  # of an index
_ARRAYS = {("source",), ("split",), ("axis",)}


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line changes; `sets` first, then `seed`, then `rows` or `scale`.

    Attributes:
        sets: PATH=VALUE, such as `split.train.rows=5`; tables of an array are addressed by name
            or index, and a value that is no TOML is a string.
        rows: rows of all splits together, shared out in proportion.
        scale: factor of every split's rows.
        seed: in the place of the recipe's.
    """

    sets: tuple[str, ...] = ()
    rows: int | None = None
    scale: float | None = None
    seed: int | None = None

    def as_list(self) -> list[str]:
        """Return one line for each change, in the order in which they apply."""
        numbers = {"seed": self.seed, "rows": self.rows, "scale": self.scale}
        given = [f"{name}={value}" for name, value in numbers.items() if value is not None]
        return [*(f"set {text}" for text in self.sets), *given]


NO_OVERRIDES = Overrides()


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of the changes.

    Attributes:
        faults: messages about changes that could not be made.
        origins: path -> the option that has put a value there.
    """

    faults: tuple[str, ...]
    origins: Mapping[Key, str]

    def option(self, path: Key) -> str | None:
        """Return the option that the value at `path` comes from, None if it is the file's."""
        while path:
            if path in self.origins:
                return self.origins[path]
            path = path[:-1]
        return None


class _RefusedError(Exception):
    """A `--set` that names no place in the document."""


def apply_overrides(document: dict[str, Any], overrides: Overrides) -> Applied:
    """Change `document` in place by `sets` and `seed`; the rows are for `scaling`."""
    faults: list[str] = []
    origins: dict[Key, str] = {}
    for text in overrides.sets:
        option = f"--set {text}"
        try:
            for path in _assign(document, text):
                origins[path] = option
        except _RefusedError as refused:
            faults.append(f"{option}: {refused}")
    if overrides.seed is not None:
        document["seed"] = overrides.seed
        origins["seed",] = f"--seed {overrides.seed}"
    return Applied(tuple(faults), origins)


def parse_value(text: str) -> Any:
    """Return the TOML value that `text` is, or `text` itself if it is none."""
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return parsed["value"] if parsed.keys() == {"value"} else text


def _assign(document: dict[str, Any], text: str) -> list[Key]:
    """Put the value of PATH=VALUE in its place; return the paths that did not exist before."""
    dotted, equals, value = text.partition("=")
    parts = [part.strip() for part in dotted.split(".")]
    if not equals or not all(parts):
        msg = "expected PATH=VALUE, such as split.train.rows=1000"
        raise _RefusedError(msg)
    node: Any = document
    path: Key = ()
    made: list[Key] = []
    for part in parts[:-1]:
        key = _slot(node, part, path)
        path = (*path, str(key))
        if isinstance(node, dict) and key not in node:
            if path in _ARRAYS:
                msg = f"there is no [[{part}]] in the recipe"
                raise _RefusedError(msg)
            node[key] = {}
            made.append(path)
        node = node[key]
    key = _slot(node, parts[-1], path)
    node[key] = parse_value(value)
    return [*made, (*path, str(key))]


def _slot(node: object, part: str, path: Key) -> str | int:
    """Return the key or index that `part` means inside `node`."""
    if isinstance(node, dict):
        return part
    if isinstance(node, list):
        return _index(node, part, path)
    msg = f"{'.'.join(path)} is a value and has no {part!r} inside"
    raise _RefusedError(msg)


def _index(items: list[Any], part: str, path: Key) -> int:
    names = [name_of(item) for item in items]
    if part in names:
        return names.index(part)
    is_number = part.isascii() and part.isdecimal() and len(part) <= _MOST_DIGITS
    if is_number and int(part) < len(items):
        return int(part)
    known = [name for name in names if isinstance(name, str)]
    hint = nearest(part, known)
    meant = f"; did you mean {hint!r}?" if hint else "."
    msg = f"no such {path[-1]} {part!r}{meant} Known: {', '.join(known) or 'none'}"
    raise _RefusedError(msg)
