"""Reading the tiles that a statement lists: letters between apostrophes, with their numbers."""

from __future__ import annotations

import re

LETTER = r"'[a-z]'"
_COUNT = r"([1-9][0-9]?)"
_FORMS = (
    (re.compile(rf"{_COUNT} (tiles?) marked '([a-z])'", re.ASCII), (1, 3), 2),
    (re.compile(rf"{_COUNT} x '([a-z])'", re.ASCII), (1, 2), 0),
    (re.compile(rf"'([a-z])' \({_COUNT} (copy|copies)\)", re.ASCII), (2, 1), 3),
    (re.compile(rf"{_COUNT} of '([a-z])'", re.ASCII), (1, 2), 0),
)
_SPELLED = re.compile(r"'([a-z]{1,99})'", re.ASCII)
_ONE = {"tile": True, "tiles": False, "copy": True, "copies": False}
TILES = r"[^.:;]{3,400}?"
"""Pattern of a list of tiles; `tiles_of` reads it."""

Bag = dict[str, int]


def tiles_of(text: str) -> Bag | None:
    """Return how often each letter is there, or None for a text that is no such list."""
    spelled = _SPELLED.fullmatch(text)
    if spelled:
        return {name: spelled[1].count(name) for name in sorted(set(spelled[1]))}
    head, conjunction, last = text.rpartition(" and ")
    items = [*head.split(", "), last] if conjunction else [text]
    for form, (count, name), plural in _FORMS:
        found = [form.fullmatch(item) for item in items]
        if not all(found):
            continue
        bag: Bag = {}
        for match in found:
            if match is None or match[name] in bag:
                return None
            if plural and _ONE[match[plural]] != (match[count] == "1"):
                return None
            bag[match[name]] = int(match[count])
        return bag
    return None
