"""Changes to a recipe from the command line: `--set`, `--seed`, `--rows` and `--scale`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthgen.core.errors import nearest
from synthgen.recipe.lines import Key
from synthgen.recipe.tables import name_of

_MAX_DIGITS = 9  # of an index
_ARRAYS = {("source",), ("split",), ("axis",)}


@dataclass(frozen=True, slots=True)
class Overrides:
    """Changes from the command line; `sets` first, then `seed`, then `rows` or `scale`.

    Attributes:
        sets: PATH=VALUE, such as `split.train.rows=5`; tables of an array are addressed by name
            or index, and a value that is not TOML is a string.
        rows: Total rows of all splits, distributed in proportion.
        scale: Factor of every split's rows.
        seed: Seed in place of the recipe's.
        swept: Number of the last `sets` are values of the recipe's sweep, for messages.
    """

    sets: tuple[str, ...] = ()
    rows: int | None = None
    scale: float | None = None
    seed: int | None = None
    swept: int = 0

    def as_list(self) -> list[str]:
        """Return one line for each change, in the order in which they apply."""
        scale = None if self.scale is None else float(self.scale)
        numbers = {"seed": self.seed, "rows": self.rows, "scale": scale}
        given = [f"{name}={value}" for name, value in numbers.items() if value is not None]
        return [*(f"set {text}" for text in self.sets), *given]

    @classmethod
    def from_list(cls, lines: Sequence[str]) -> Overrides:
        """Return the changes that `as_list` has written.

        Raises:
            ValueError: for any other line.
        """
        sets = tuple(line.removeprefix("set ") for line in lines if line.startswith("set "))
        numbers = dict(line.split("=") for line in lines[len(sets) :])
        seed, rows, scale = (numbers.pop(name, None) for name in ("seed", "rows", "scale"))
        if numbers:
            msg = f"expected seed, rows or scale, not {', '.join(numbers)}"
            raise ValueError(msg)
        return cls(
            sets,
            rows=None if rows is None else int(rows),
            scale=None if scale is None else float(scale),
            seed=None if seed is None else int(seed),
        )


NO_OVERRIDES = Overrides()


@dataclass(frozen=True, slots=True)
class Applied:
    """Outcome of the changes.

    Attributes:
        faults: Messages about changes that could not be made.
        origins: Path -> the option that set its value.
    """

    faults: tuple[str, ...]
    origins: Mapping[Key, str]

    def option(self, path: Key) -> str | None:
        """Return the option that set the value at `path`, None if it comes from the file."""
        while path:
            if path in self.origins:
                return self.origins[path]
            path = path[:-1]
        return None


class _RefusedError(Exception):
    """A `--set` whose path does not exist in the document."""


def apply_overrides(document: dict[str, Any], overrides: Overrides) -> Applied:
    """Apply `sets` and `seed` to `document` in place; `scaling` applies the rows."""
    faults: list[str] = []
    origins: dict[Key, str] = {}
    own = len(overrides.sets) - overrides.swept
    for place, text in enumerate(overrides.sets):
        option = f"{'--set' if place < own else 'sweep'} {text}"
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
    """Return the TOML value that `text` denotes, or `text` itself if it is not TOML."""
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return parsed["value"] if parsed.keys() == {"value"} else text


def _assign(document: dict[str, Any], text: str) -> list[Key]:
    """Assign the value of PATH=VALUE; return the paths that did not exist before."""
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
                msg = f"the recipe does not have [[{part}]]"
                raise _RefusedError(msg)
            node[key] = {}
            made.append(path)
        node = node[key]
    key = _slot(node, parts[-1], path)
    node[key] = parse_value(value)
    return [*made, (*path, str(key))]


def _slot(node: object, part: str, path: Key) -> str | int:
    """Return the key or index that `part` denotes inside `node`."""
    if isinstance(node, dict):
        return part
    if isinstance(node, list):
        return _index(node, part, path)
    msg = f"{'.'.join(path)} is a value, not a table, so it does not have {part!r}"
    raise _RefusedError(msg)


def _index(items: list[Any], part: str, path: Key) -> int:
    names = [name_of(item) for item in items]
    if part in names:
        return names.index(part)
    is_number = part.isascii() and part.isdecimal() and len(part) <= _MAX_DIGITS
    if is_number and int(part) < len(items):
        return int(part)
    known = [name for name in names if isinstance(name, str)]
    hint = nearest(part, known)
    meant = f"; did you mean {hint!r}?" if hint else "."
    msg = f"no such {path[-1]} {part!r}{meant} Known: {', '.join(known) or 'none'}"
    raise _RefusedError(msg)
