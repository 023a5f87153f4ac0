"""Checks of the keys that steer a split: what belongs together in their tables.

Like `references`, they look at the parsed document and pass over values of the wrong type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from synthgen.recipe.lines import Key

_Table = Mapping[str, Any]
_OF_LAWS = {"zipf": "exponent", "geometric": "ratio"}


def steering_faults(split: _Table) -> Iterator[tuple[Key, str]]:
    """Yield path and message of each fault of a split."""
    shares = split.get("shares")
    if isinstance(shares, dict):
        if not split.get("balance"):
            yield ("shares",), "shares: expected balance beside it, whose cells it weighs"
        yield from _law_faults(("shares",), shares)
    for place, margin in enumerate(_tables(split.get("margins"))):
        yield from _law_faults(("margins", str(place)), margin)
    pace = split.get("pace")
    if isinstance(pace, dict):
        if not pace.get("of"):
            message = "missing key 'of': expected the weight of each cell, as [['add', 3]]"
            yield ("pace", "of"), message
        yield from _law_faults(("pace",), pace)
    for place, cover in enumerate(_tables(split.get("cover"))):
        for key, message in _cover_faults(cover):
            yield ("cover", str(place), *key), message
    yield from _order_faults(split.get("order"))


def _tables(value: object) -> list[_Table]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _law_faults(path: Key, law: _Table) -> Iterator[tuple[Key, str]]:
    """Find a key of another law than the one chosen, and a law beside weights told one by one."""
    name = law.get("law", "equal")
    if law.get("of") and "law" in law:
        yield (*path, "law"), f"law={name!r}: cannot stand beside of, which tells the weights"
    for other, key in _OF_LAWS.items():
        if key in law and name != other:
            yield (*path, key), f"{key}: expected law = {other!r} beside it"


def _cover_faults(cover: _Table) -> Iterator[tuple[Key, str]]:
    axes, structures = cover.get("axes"), cover.get("structures")
    if bool(axes) == bool(structures):
        yield (), "cover: expected either axes or structures"
        return
    strength = cover.get("strength")
    if structures and strength is not None:
        yield ("strength",), "strength: expected axes beside it, of which it takes so many"
    if axes and cover.get("symbols"):
        yield ("symbols",), "symbols: expected structures beside it"
    if not isinstance(axes, list) or not axes or not isinstance(strength, int):
        return
    if strength > len(axes):
        yield ("strength",), f"strength={strength}: expected at most the {len(axes)} axes"
    elif strength < len(axes) and cover.get("of"):
        yield ("of",), f"of: expected strength = {len(axes)}, so that each list has all axes"


def _order_faults(order: object) -> Iterator[tuple[Key, str]]:
    if not isinstance(order, dict):
        return
    by = order.get("by")
    if order.get("of") and by != "turns":
        yield ("order", "of"), "of: expected by = 'turns' beside it"
    for key in ("first", "end"):
        if key in order and by != "novelty":
            yield ("order", key), f"{key}: expected by = 'novelty' beside it"
