"""Sweeps: one recipe for several datasets that differ in a few values and share their tests.

Each point is an ordinary recipe: the file with one value of each swept path set, as by `--set`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Annotated

from pydantic import Field, PlainSerializer, PlainValidator

from synthgen.recipe.fields import Names, Table, advise

MAX_POINTS = 256
"""Upper limit of the points of a sweep."""
_PART = re.compile(r"[A-Za-z0-9_-]+")
_TEXT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,31}")

Swept = tuple[str, tuple[str, ...]]
"""A dotted path and its values, as TOML."""


def _check(value: object) -> tuple[Swept, ...]:
    swept = tuple(_leaves("", value))
    if not swept or prod(len(values) for _, values in swept) > MAX_POINTS:
        raise advise("" if swept else "none is given")
    return swept


def _leaves(path: str, value: object) -> Iterator[Swept]:
    """Yield the paths of nested tables that end in lists."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            if not _PART.fullmatch(str(key)):
                msg = f"{key!r} is not a name"
                raise advise(msg)
            yield from _leaves(f"{path}.{key}" if path else str(key), below)
        return
    values = tuple(map(_text, value)) if isinstance(value, list | tuple) and path else ()
    if not values or len({*values}) < len(values) or "" in values:
        msg = f"{path or 'it'} does not have a list of different numbers, booleans or short names"
        raise advise(msg)
    yield path, values


def _text(value: object) -> str:
    """Return a value as TOML that also fits into the name of a folder, or nothing."""
    named = isinstance(value, str) and _TEXT.fullmatch(value)
    number = isinstance(value, int | float) and abs(value) < float("inf")
    return json.dumps(value) if named or number else ""


class Sweep(Table):
    """Datasets for all combinations of some values; the splits `same` have equal rows in all.

    Attributes:
        over: Dotted path -> values, in the order of the recipe.
        same: Names of splits.
    """

    over: Annotated[
        tuple[Swept, ...],
        PlainValidator(_check),
        PlainSerializer(lambda over: {path: list(values) for path, values in over}),
    ] = Field(
        description=f"paths with lists of values, of at most {MAX_POINTS} combinations, such as "
        "{ split.train.rows = [100, 1_000] }"
    )
    same: Names = Field(strict=False, description="a list of different names of splits")

    def points(self, sets: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        """Return the sets of each point, by a name such as `rules-10`.

        Paths that are fixed by `sets`, texts PATH=VALUE, have no other value.
        """
        fixed = {text.partition("=")[0].replace(" ", "") for text in sets}
        left = [swept for swept in self.over if swept[0] not in fixed]
        last = [path.rpartition(".")[2] for path, _ in left]
        points = {}
        for values in product(*(values for _, values in left)):
            pairs = [(path, value) for (path, _), value in zip(left, values, strict=True)]
            labels = (
                f"{end if last.count(end) == 1 else path}-{json.loads(value)}"
                for end, (path, value) in zip(last, pairs, strict=True)
            )
            points["_".join(labels)] = tuple(f"{path}={value}" for path, value in pairs)
        return points
