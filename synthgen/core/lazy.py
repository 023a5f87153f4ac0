"""Columns that are computed when somebody first looks at one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]


class LazyColumns(Mapping[str, NDArray[Any]]):
    """Columns at hand, and others that one computation gives together.

    Selection looks at few axes of a candidate, and drawing is most of its work; what nobody asks
    for need not be measured.

    Args:
        at_hand: name -> column.
        names: of the others.
        compute: returns all of the others.
    """

    def __init__(
        self, at_hand: Columns, names: tuple[str, ...], compute: Callable[[], Columns]
    ) -> None:
        self._at_hand = at_hand
        self._names = names
        self._compute = compute

    @cached_property
    def _computed(self) -> Columns:
        return self._compute()

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._at_hand[name] if name in self._at_hand else self._computed[name]

    def __contains__(self, name: object) -> bool:
        return name in self._at_hand or name in self._names

    def __iter__(self) -> Iterator[str]:
        yield from self._at_hand
        yield from self._names

    def __len__(self) -> int:
        return len(self._at_hand) + len(self._names)
