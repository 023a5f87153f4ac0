"""A grid of colored letters."""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

COLORS = (
    *("red", "green", "blue", "yellow", "purple"),
    *("orange", "white", "pink", "cyan", "brown"),
)
LETTERS = tuple(ascii_lowercase)


class Item(NamedTuple):
    """A colored letter in a cell; rows and columns are counted from 0."""

    row: int
    column: int
    color: str
    letter: str


class Grid(NamedTuple):
    """Items in different cells of a square grid."""

    side: int
    items: tuple[Item, ...]
