"""Sequences of drawn items, and tasks on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from string import ascii_lowercase
from typing import Any, NamedTuple

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    levelled,
    params,
)
from synthgen.authoring.distractors import misspelt

_WORDS = Words.beside(__file__)
_LABELS = ["".join(pair) for pair in product(ascii_lowercase, repeat=2)]
_LONGEST, _TRIES, _IN_MODE, _OFFERED = 1_000, 50, 5, 10
_NUMERIC = ("sum", "sum_modulo")
_FORTH, _BACK = slice(None), slice(None, None, -1)
_PARTS = {
    "copy": (_FORTH,),
    "copy_twice": (_FORTH, _FORTH),
    "replace": (_FORTH,),
    "reverse": (_BACK,),
    "reverse_twice": (_BACK, _BACK),
    "reverse_copy": (_BACK, _FORTH),
}
"""Directions in which the copying tasks write the sequence."""


class _Sequence(NamedTuple):
    """A sequence and the task on it.

    Attributes:
        old, new: Items of "replace".
        labels: Labels of the bits of "parity".
    """

    kind: str
    items: Sequence[Any]
    old: Any = ""
    new: Any = ""
    labels: Sequence[str] = ()


@levelled("length", 3, 5, 8, 12, 16, 24, 40, 80, 160, 320)
@dataclass(frozen=True)
class Sequences(PlainFamily):
    """A task on a sequence; all chosen tasks are equally likely.

    Attributes:
        tasks: Tasks: "copy", "copy_twice", "replace" (each occurrence of an item by another),
            "reverse", "reverse_twice", "reverse_copy" (reversed, then as it was), "sort", "count"
            (from one integer to another), "mode" (the most frequent item, which is unique),
            "parity" (of the number of ones), "sum", "sum_modulo".
        min_length, max_length: Items of the sequence, 1 to 1,000.
        items: Kind of items: "letters" (26), "words" (100) or "numbers"; sums always have numbers,
            parities bits.
        n_items: Number of the first letters or words to use; 0 for all.
        min_value, max_value: Bounds of numbers.
        distinct: Number of different items from which each sequence is drawn; 0 for all, and 5 in
            "mode".
        repeats: Repeated items: "free" (items are independent), "none" (all different) or "one"
            (all equal).
        modulus: Modulus of "sum_modulo".
        ones: Ones of "parity": "free" (bits are independent), or "even": all numbers of ones are
            equally likely.
        labels: Whether a label precedes each bit of "parity"; the steps then skip the zeros.
        filler: Length to which dots are added on both sides of the bits of "parity"; 0 for none.
    """

    tasks: tuple[str, ...] = params.choices(
        ("copy", "reverse", "sort", "count", "mode", "parity", "sum"), _WORDS.kinds
    )
    min_length: int = params.integer(2, 1, _LONGEST, up_to="max_length")
    max_length: int = params.integer(12, 1, _LONGEST)
    items: str = params.choice("letters", ("letters", "words", "numbers"))
    n_items: int = params.integer(0, 0, 100)
    min_value: int = params.integer(0, 0, 9_999, up_to="max_value")
    max_value: int = params.integer(99, 0, 9_999)
    distinct: int = params.integer(0, 0, _LONGEST)
    repeats: str = params.choice("free", ("free", "none", "one"))
    modulus: int = params.integer(10, 2, 1_000)
    ones: str = params.choice("free", ("free", "even"))
    labels: bool = params.flag(False)
    filler: int = params.integer(0, 0, 2 * _LONGEST)

    version = 3
    verifier = "sequences"
    same_up_to = "labels of the items"
    words = _WORDS
    symbols = {
        **dict.fromkeys(_WORDS.kinds, 1),
        "replace": 3,
        "count": 2,
        "sum_modulo": 2,
        "items": (1, _LONGEST),
        **dict.fromkeys([*ascii_lowercase, *_WORDS["words"]], 0),
    }
    own_axes = {
        "length": axis("items of the sequence", "min_length", "max_length"),
        "n_distinct": axis("different items of the sequence", 1, "max_length"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        longest = self.max_length
        span = self.max_value - self.min_value + 1
        if "count" in self.tasks and span < longest:
            raise ParamError("max_value", self.max_value, f"at least {longest} values to count")
        if self.repeats == "none" and (self._numeric or self._copied):
            fewest = min(span if self._numeric else longest, len(self._pool))
            fewest = min(fewest, self.distinct or fewest)
            if fewest < longest:
                raise ParamError("max_length", longest, f"at most {fewest}, the different items")
        if "replace" in self.tasks and len(self._pool) == 1:
            raise ParamError("n_items", self.n_items, "more than one item, to replace")
        if self.labels and longest > len(_LABELS):
            raise ParamError("max_length", longest, f"at most {len(_LABELS)} with labels")
        if self.filler and self.filler < longest:
            raise ParamError("filler", self.filler, f"0, or at least max_length={longest}")

    @property
    def _numeric(self) -> bool:
        return any(kind in _NUMERIC for kind in self.tasks)

    @property
    def _copied(self) -> bool:
        return any(kind not in ("count", "parity", *_NUMERIC) for kind in self.tasks)

    @cached_property
    def _numbers(self) -> range:
        return range(self.min_value, self.max_value + 1)

    @cached_property
    def _pool(self) -> Sequence[Any]:
        """All items, except of sums and parities."""
        if self.items == "numbers":
            return self._numbers
        known = list(ascii_lowercase) if self.items == "letters" else _WORDS["words"]
        return known[: self.n_items or None]

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a task, a length and the items."""
        kind = draws.choice(self.tasks)
        length = draws.integer(self.min_length, self.max_length + 1)
        if kind == "count":
            first = draws.integer(self.min_value, self.max_value - length + 2)
            known = _Sequence(kind, range(first, first + length))
        elif kind == "parity":
            known = self._bits(draws, length)
        elif kind == "replace":
            items = self._drawn(draws, self._pool, length)
            old = draws.choice(items)
            new = draws.choice([item for item in self._pool if item != old])
            known = _Sequence(kind, items, old, new)
        else:
            pool = self._numbers if kind in _NUMERIC else self._pool
            known = _Sequence(kind, self._drawn(draws, pool, length, kind == "mode"))
        if not known.items:
            return None
        return Problem(
            tree=self._tree(known),
            answer=self._answer(known),
            kind=kind,
            axes={"length": length, "n_distinct": len(set(known.items))},
            data=known,
        )

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of an item or a number; sequences are strings."""
        kind = problem.kind
        if kind in _NUMERIC or (kind == "mode" and self.items == "numbers"):
            return "integer"
        return "label" if kind in ("mode", "parity") else "string"

    def _drawn(
        self, draws: RowDraws, pool: Sequence[Any], length: int, mode: bool = False
    ) -> list[Any]:
        """Draw items; none if they need a mode and many tries give none."""
        if self.repeats == "one":
            return [draws.choice(pool)] * length
        if self.repeats == "none":
            return draws.sample(pool, length)
        distinct = self.distinct or (_IN_MODE if mode else 0)
        chosen = draws.sample(pool, distinct) if 0 < distinct < len(pool) else pool
        for _ in range(_TRIES if mode else 1):
            items = [draws.choice(chosen) for _ in range(length)]
            counts = [0, *sorted(Counter(items).values())] if mode else [0, 1]
            if counts[-1] > counts[-2]:
                return items
        return []

    def _bits(self, draws: RowDraws, length: int) -> _Sequence:
        if self.ones == "even":
            count = draws.integer(0, length + 1)
            bits = draws.shuffled([1] * count + [0] * (length - count))
        else:
            bits = [draws.integer(0, 2) for _ in range(length)]
        start = draws.integer(0, len(_LABELS) - length + 1) if self.labels else 0
        labels = _LABELS[start : start + length] if self.labels else ()
        return _Sequence("parity", bits, labels=labels)

    def _tree(self, known: _Sequence) -> Tree:
        kind, items = known.kind, ("items", *known.items)
        if kind == "count":
            return (kind, known.items[0], known.items[-1])
        if kind == "replace":
            return (kind, known.old, known.new, items)
        return (kind, self.modulus, items) if kind == "sum_modulo" else (kind, items)

    def _answer(self, known: _Sequence) -> str:
        kind, items = known.kind, known.items
        if kind in _PARTS:
            return " | ".join(_joined(_copied(known)[part]) for part in _PARTS[kind])
        if kind == "mode":
            return str(Counter(items).most_common(1)[0][0])
        if kind == "parity":
            return "No" if sum(items) % 2 else "Yes"
        if kind in _NUMERIC:
            return str(sum(items) % self.modulus if kind == "sum_modulo" else sum(items))
        return _joined(sorted(items))

    @cached_property
    def _settings(self) -> dict[str, object]:
        """Values of the holes that are the same in all problems."""
        notes = {"filler": self.filler, "labels": self.labels}
        return {
            "notes": "".join(f" {text}" for name, text in _WORDS["notes"].items() if notes[name]),
            "order": _WORDS["orders"]["numbers" if self.items == "numbers" else "words"],
            "modulus": self.modulus,
            "largest": self.modulus - 1,
        }

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the sequence, with dots around its bits if there is a filler."""
        known: _Sequence = problem.data
        items = bits = list(map(str, known.items))
        if known.labels:
            bits = list(map("".join, zip(known.labels, items, strict=True)))
        if self.filler:
            left = draws.integer(0, self.filler - len(items) + 1)
            bits = ["."] * left + bits + ["."] * (self.filler - len(items) - left)
        return {
            **self._settings,
            "items": " ".join(items),
            "bits": " ".join(bits),
            "first": items[0],
            "last": items[-1],
            "old": known.old,
            "new": known.new,
        }

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Write the items with mistakes; copies have them in the same place."""
        known: _Sequence = problem.data
        kind, items = known.kind, _copied(known)
        if kind in _PARTS:
            made = misspelt(items, (), draws, _OFFERED)
            return [" | ".join(_joined(each[part]) for part in _PARTS[kind]) for each in made]
        if kind == "sort":
            made = misspelt(sorted(items), sorted({*items}), draws, _OFFERED)
            return [_joined(sorted(each) if k % 2 else each) for k, each in enumerate(made)]
        if kind == "count":
            before, after = draws.choice((1, -1)), draws.choice((1, -1))
            ends = product((items[0], items[0] + before), (items[-1], items[-1] + after))
            return [_joined(range(low, high + 1)) for low, high in ends if low <= high]
        return [*map(str, dict.fromkeys(items))] if kind == "mode" else []

    def steps_of(self, problem: Problem) -> list[str]:
        """Write a line for each item that is read or written."""
        known: _Sequence = problem.data
        if known.kind in _PARTS:
            placed = [_WORDS.line("item", place=k, item=i) for k, i in enumerate(_copied(known), 1)]
            return [line for part in _PARTS[known.kind] for line in placed[part]]
        return list(_LINES[known.kind](known, self.modulus))


def _joined(items: Iterable[object]) -> str:
    return " ".join(map(str, items))


def _copied(known: _Sequence) -> list[Any]:
    """Return the sequence, with one item replaced if that is the task."""
    if known.kind != "replace":
        return list(known.items)
    return [known.new if item == known.old else item for item in known.items]


def _sorting(known: _Sequence, _: int) -> Iterator[str]:
    rest = list(known.items)
    while rest:
        smallest = min(rest)
        rest.remove(smallest)
        yield _WORDS.line("sorted" if rest else "last", item=smallest, rest=_joined(rest))


def _counting(known: _Sequence, _: int) -> Iterator[str]:
    yield _WORDS.line("start", first=known.items[0])
    for before, after in pairwise(known.items):
        yield _WORDS.line("next", before=before, after=after)
    yield _WORDS.line("end", last=known.items[-1])


def _tallying(known: _Sequence, _: int) -> Iterator[str]:
    counts = Counter(known.items).items()
    for item, count in sorted(counts, key=lambda pair: pair[::-1]):
        yield _WORDS.line("counted", item=item, count=count)


def _pairing(known: _Sequence, _: int) -> Iterator[str]:
    """Yield a line for each bit, or for the label of each one."""
    odd = False
    yield _WORDS.line("parity", what="start", parity="even")
    for bit, label in zip(known.items, known.labels or known.items, strict=True):
        odd ^= bool(bit)
        if bit or not known.labels:
            yield _WORDS.line("parity", what=label, parity="odd" if odd else "even")


def _adding(known: _Sequence, modulus: int) -> Iterator[str]:
    before = 0
    for value in known.items:
        total = before + value
        holes = {"before": before, "value": value, "total": total}
        before = total % modulus if known.kind == "sum_modulo" else total
        yield _WORDS.line(known.kind, **holes, modulus=modulus, rest=before)


_LINES: Mapping[str, Callable[[_Sequence, int], Iterator[str]]] = {
    "sort": _sorting,
    "count": _counting,
    "mode": _tallying,
    "parity": _pairing,
    "sum": _adding,
    "sum_modulo": _adding,
}

GENERATORS = {"sequences": Sequences}
