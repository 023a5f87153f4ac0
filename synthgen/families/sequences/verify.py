"""Sequence tasks from the text."""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from statistics import multimode
from typing import Any, NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads

_WORDS = Words.beside(__file__)
_ORDERS = _WORDS["orders"]["words"], _WORDS["orders"]["numbers"]
_LONGEST, _LONGEST_SOLUTION = 1_000, 1 << 23
_ROUNDS = {
    "copy": ("copy",),
    "copy_twice": ("copy", "copy"),
    "replace": ("copy",),
    "reverse": ("reverse",),
    "reverse_twice": ("reverse", "reverse"),
    "reverse_copy": ("reverse", "copy"),
}
"""Passes over the sequence that the copying tasks write."""
_ITEM = "(?:[a-z]{1,20}|0|[1-9][0-9]{0,3})"
_BIT = r"(?:(?:[a-z]{2})?[01]|\.)"


class _Problem(NamedTuple):
    """A task and its sequence, whose numbers are texts as well.

    Attributes:
        more: Labels of bits, the replaced item and its replacement, or a modulus.
    """

    kind: str
    items: tuple[str, ...]
    more: tuple[str, ...] = ()


def _notes(text: str) -> frozenset[str]:
    return frozenset(name for name, note in _WORDS["notes"].items() if note in text)


@reads(
    _WORDS,
    items=holes.listed(holes.pattern(_ITEM), " "),
    bits=holes.listed(holes.pattern(_BIT), " "),
    notes=holes.pattern("".join(f"(?: {re.escape(n)})?" for n in _WORDS["notes"].values()), _notes),
    order=holes.word(_WORDS["orders"].values()),
    old=holes.pattern(_ITEM),
    new=holes.pattern(_ITEM),
    first=holes.NATURAL,
    last=holes.NATURAL,
    modulus=holes.NATURAL,
    largest=holes.NATURAL,
)
def _read(kind: str, **filled: Any) -> _Problem | None:
    if kind == "count":
        first, last = filled["first"], filled["last"]
        if not first <= last < first + _LONGEST:
            return None
        return _Problem(kind, tuple(str(value) for value in range(first, last + 1)))
    if kind == "parity":
        return _bits(filled["bits"], filled.get("notes"))
    items = filled["items"]
    numeric = all(map(str.isdigit, items))
    more = tuple(filled[name] for name in ("old", "new") if name in filled)
    if kind.startswith("sum") and not numeric:
        return None
    if kind == "sum_modulo":
        modulus = filled["modulus"]
        if modulus < 1 or filled.get("largest", modulus - 1) != modulus - 1:
            return None
        more = (str(modulus),)
    if filled.get("order", _ORDERS[numeric]) != _ORDERS[numeric]:
        return None
    return _Problem(kind, items, more)


def _bits(bits: tuple[str, ...], notes: frozenset[str] | None) -> _Problem | None:
    """Read bits with or without labels and dots, which the notes of the prompt must mention."""
    kept = tuple(bit for bit in bits if bit != ".")
    labels = tuple(bit[:-1] for bit in kept if len(bit) > 1)
    used = {"filler"} if len(kept) < len(bits) else set()
    used |= {"labels"} if labels else set()
    partly = len(labels) not in (0, len(kept)) or len({*labels}) < len(labels)
    if not kept or partly or (notes is not None and not used <= notes):
        return None
    return _Problem("parity", tuple(bit[-1] for bit in kept), labels)


def _value(problem: _Problem, count: int | None = None) -> int:
    """Add up the first values, equal ones together."""
    counts = Counter(problem.items[:count])
    return sum(int(value) * times for value, times in counts.items())


def _sorted(problem: _Problem) -> list[str]:
    """Insert the items one by one at their places in the order."""
    placed: list[tuple[int, str]] = []
    for item in problem.items:
        insort(placed, (int(item) if item.isdigit() else 0, item))
    return [item for _, item in placed]


def _rounds(problem: _Problem) -> list[list[tuple[int, str]]]:
    """Return the places and items that each round of a copying task writes."""
    old, new = problem.more or ("", "")
    written = [new if item == old else item for item in problem.items]
    forth = list(enumerate(written, 1))
    back = sorted(forth, reverse=True)
    return [back if word == "reverse" else forth for word in _ROUNDS[problem.kind]]


def _solve(problem: _Problem) -> str | None:
    kind, items = problem.kind, problem.items
    if kind in _ROUNDS:
        return " | ".join(" ".join(item for _, item in items) for items in _rounds(problem))
    if kind == "mode":
        modes = multimode(items)
        return modes[0] if len(modes) == 1 else None
    if kind == "parity":
        return ("Yes", "No")[items.count("1") & 1]
    if kind == "sum":
        return str(_value(problem))
    if kind == "sum_modulo":
        return str(_value(problem) % int(problem.more[0]))
    return " ".join(items if kind == "count" else _sorted(problem))


# solutions


def _sorting(problem: _Problem) -> Iterator[str]:
    rest = problem.items
    for item in _sorted(problem):
        place = rest.index(item)
        rest = rest[:place] + rest[place + 1 :]
        yield _WORDS.line("sorted" if rest else "last", item=item, rest=" ".join(rest))


def _counting(problem: _Problem) -> Iterator[str]:
    items = problem.items
    yield _WORDS.line("start", first=items[0])
    for place in range(1, len(items)):
        yield _WORDS.line("next", before=items[place - 1], after=items[place])
    yield _WORDS.line("end", last=items[-1])


def _tallying(problem: _Problem) -> Iterator[str]:
    def rank(item: str) -> tuple[int, int, str]:
        return problem.items.count(item), int(item) if item.isdigit() else 0, item

    for item in sorted({*problem.items}, key=rank):
        yield _WORDS.line("counted", item=item, count=problem.items.count(item))


def _pairing(problem: _Problem) -> Iterator[str]:
    yield _WORDS.line("parity", what="start", parity="even")
    for place, (bit, ones) in enumerate(
        zip(problem.items, accumulate(map(int, problem.items)), strict=True)
    ):
        parity = ("even", "odd")[ones & 1]
        if not problem.more:
            yield _WORDS.line("parity", what=bit, parity=parity)
        elif bit == "1":
            yield _WORDS.line("parity", what=problem.more[place], parity=parity)


def _adding(problem: _Problem) -> Iterator[str]:
    modulus = int(problem.more[0]) if problem.more else 0
    before = 0
    for value, running in zip(problem.items, accumulate(map(int, problem.items)), strict=True):
        rest = running % modulus if modulus else running
        holes = {"before": before, "value": value, "total": before + int(value)}
        yield _WORDS.line(problem.kind, **holes, modulus=modulus, rest=rest)
        before = rest


_LINES: Mapping[str, Callable[[_Problem], Iterator[str]]] = {
    "sort": _sorting,
    "count": _counting,
    "mode": _tallying,
    "parity": _pairing,
    "sum": _adding,
    "sum_modulo": _adding,
}


def _lines(problem: _Problem) -> Iterable[str]:
    if problem.kind not in _ROUNDS:
        return _LINES[problem.kind](problem)
    written = [pair for pairs in _rounds(problem) for pair in pairs]
    return [_WORDS.line("item", place=place, item=item) for place, item in written]


def _type_of(problem: _Problem) -> str:
    kinds = {"parity": "label", "sum": "integer", "sum_modulo": "integer"}
    kinds["mode"] = "integer" if problem.items[0].isdigit() else "label"
    return kinds.get(problem.kind, "string")


VERIFIERS = {
    "sequences": PlainVerifier(_read, _solve, _type_of, exactly(_lines), longest=_LONGEST_SOLUTION)
}
