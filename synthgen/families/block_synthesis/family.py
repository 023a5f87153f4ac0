"""Block synthesis: counts of nine kinds of blocks that six ordered rules turn into each other.

The multiset system of reasoning-gym's `string_synthesis`. Problems are numbered by counts and by
effect of the rules, and addresses are a keyed permutation of these numbers. Orders of the rules
that lead to the same end from every start have the same effect; the counts choose the one shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    NumberedFamily,
    ParamError,
    Problem,
    RowDraws,
    Signature,
    Words,
    axis,
    levelled,
    params,
    stream_key,
)
from synthgen.authoring.compiled import MAX_ITEMS
from synthgen.authoring.distractors import misspelt

_WORDS = Words.beside(__file__)
_KINDS: tuple[str, ...] = tuple(_WORDS["kinds"])
_RULES: tuple[str, ...] = tuple(_WORDS["rules"])
_SIDES = [[[side.count(kind) for kind in _KINDS] for side in rule.split(">")] for rule in _RULES]
_CHANGES = [
    (
        [(kind, count) for kind, count in enumerate(taken) if count],
        [(kind, b - a) for kind, (a, b) in enumerate(zip(taken, given, strict=True)) if a != b],
    )
    for taken, given in _SIDES
]
"""Blocks of each kind that a rule needs, and its changes to the counts.

Every rule takes at least one square or curly block more than it gives, so that every run ends and
no state comes back.
"""
_N_SQUARE = 3
_STARTS = ("square", "all")
_LEVELS = (10, 50, 100, 500)
"""Largest number of blocks of a kind at each level of the published curriculum."""
_MAX_BLOCKS, _OFFERED = 500, 8
_TRIPLE, _AB, _BC, _CC = range(4)
"""Rules that use square blocks; they never depend on the others."""
_Order = tuple[int, ...]


def _effect(order: _Order) -> _Order:
    """Return the part of an order that decides how runs end.

    Rules for curly blocks use kinds of their own, so it makes no difference when they run. The rule
    for [A][B][C] never runs after one for [A][B] or [B][C]; before both it leaves blocks for at
    most one of them, so that only the rules for [B][C] and [C][C] compete. Next to each other, the
    rules for [A][B] and [C][C] can change places.
    """
    kept = [rule for rule in order if rule <= _CC]
    if kept.index(_TRIPLE) < min(kept.index(_AB), kept.index(_BC)):
        kept.remove(_AB)
        return tuple(kept)
    kept.remove(_TRIPLE)
    at = kept.index(_CC)
    if kept[at + 1 : at + 2] == [_AB]:
        kept[at : at + 2] = [_AB, _CC]
    return tuple(kept)


def _orders() -> list[list[_Order]]:
    """Return the orders by effect; only the published one is kept of those with its effect."""
    published = tuple(range(len(_RULES)))
    by_effect: dict[_Order, list[_Order]] = {_effect(published): []}
    for order in permutations(published):
        by_effect.setdefault(_effect(order), []).append(order)
    return [[published], *list(by_effect.values())[1:]]


_ORDERS = _orders()
_Run = list[tuple[int, list[int]]]
"""For each state: the place of the rule used last, from 1 (0 at the start), and the blocks."""


@levelled("n_steps", 1, 2, 4, 6, 9, 12, 16, 20, 30, 45)
@dataclass(frozen=True)
class BlockSynthesis(NumberedFamily):
    """Blocks, and those that remain when no rule can be used.

    Attributes:
        start: Kinds of blocks at the start: "square", [A] [B] [C], as published, or "all" nine.
        min_blocks, max_blocks: Number of blocks of each of these kinds, 0 to 500; with "all" small
            enough for at most 2^63 problems.
        shuffled: Whether the rules are in any order instead of the published one, with each of the
            seven effects that an order can have.
    """

    start: str = params.choice("square", _STARTS)
    min_blocks: int = params.integer(0, 0, _MAX_BLOCKS, up_to="max_blocks")
    max_blocks: int = params.integer(20, 1, _MAX_BLOCKS)
    shuffled: bool = params.flag(default=False)

    version = 5
    verifier = "block_synthesis"
    words = _WORDS
    answer_type = "string"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.space > MAX_ITEMS:
            most = self.max_blocks
            while self._number_up_to(most) > MAX_ITEMS:
                most -= 1
            wanted = f"at most {most}, or the problems are more than {MAX_ITEMS}"
            raise ParamError("max_blocks", self.max_blocks, wanted)

    @property
    def _n_kinds(self) -> int:
        return _N_SQUARE if self.start == _STARTS[0] else len(_KINDS)

    def _number_up_to(self, max_blocks: int) -> int:
        """Return the number of problems with at most `max_blocks` blocks of a kind."""
        effects = len(_ORDERS) if self.shuffled else 1
        return int((max_blocks - self.min_blocks + 1) ** self._n_kinds * effects)

    @cached_property
    def signature(self) -> Signature:
        """The system, its rules, and numbers."""
        symbols = {"synthesis": 2, "rules6": 6, "blocks9": 9}
        symbols |= {f"rule{i + 1}": 0 for i in range(len(_RULES))}
        return Signature.from_arities(symbols | {f"#{n}": 0 for n in range(self.max_blocks + 1)})

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        low, most = self._n_kinds * self.min_blocks, self._n_kinds * self.max_blocks
        axes = {
            "start": axis("kinds of blocks at the start", values=_STARTS),
            "shuffled": axis("whether the rules are not in the published order", 0, 1),
            "n_steps": axis("uses of rules", 0, most),
            "n_fired": axis("different rules that are used", 0, len(_RULES)),
            "n_blocks": axis("blocks at the start", low, most),
            "n_left": axis("blocks at the end", 0, most),
            "most_blocks": axis("blocks of the most frequent kind", "min_blocks", "max_blocks"),
            "blocks_level": axis("level of most_blocks: up to 10, 50, 100, 500", 1, len(_LEVELS)),
        }
        return {name: column.resolved(self) for name, column in axes.items()}

    @cached_property
    def space(self) -> int:
        """Number of different problems."""
        return self._number_up_to(self.max_blocks)

    def numbered(self, numbers: NDArray[np.int64]) -> Iterator[Problem]:
        """Make the problems of these numbers."""
        return map(self._problem, numbers.tolist())

    def _problem(self, number: int) -> Problem:
        blocks = [0] * len(_KINDS)
        for kind in range(self._n_kinds):
            number, more = divmod(number, self.max_blocks - self.min_blocks + 1)
            blocks[kind] = self.min_blocks + more
        order = _ORDERS[number][0]
        if number:
            draws = RowDraws(stream_key("order of rules", number, *blocks))
            order = draws.choice(_ORDERS[number])
        run = _run(order, blocks)
        end, most = run[-1][1], max(blocks)
        rules = tuple(f"rule{rule + 1}" for rule in order)
        return Problem(
            tree=("synthesis", ("rules6", *rules), ("blocks9", *(f"#{n}" for n in blocks))),
            answer=_counts(end),
            axes={
                "start": _STARTS[any(blocks[_N_SQUARE:])],
                "shuffled": int(order != _ORDERS[0][0]),
                "n_steps": len(run) - 1,
                "n_fired": len({rule for rule, _ in run[1:]}),
                "n_blocks": sum(blocks),
                "n_left": sum(end),
                "most_blocks": most,
                "blocks_level": 1 + sum(most > level for level in _LEVELS[:-1]),
            },
            difficulty=len(run) - 1,
            data=(order, run),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the rules and the counts."""
        del draws
        order, run = problem.data
        rules = " ".join(_RULES[rule] for rule in order)
        return {"rules": rules, "counts": _counts(run[0][1]), "kinds": " ".join(_KINDS)}

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Exchange the counts of kinds."""
        _, run = problem.data
        return [_counts([*end]) for end in misspelt(run[-1][1], (), draws, _OFFERED)]

    def steps_of(self, problem: Problem) -> list[str]:
        """List the counts after every step."""
        _, run = problem.data
        lines = [f"{rule}: {_counts(blocks)}" for rule, blocks in run[1:]]
        return [f"start: {_counts(run[0][1])}", *lines, "end"]


def _counts(blocks: list[int]) -> str:
    return " ".join(map(str, blocks))


def _run(order: _Order, blocks: list[int]) -> _Run:
    """Use the first rule for which there are blocks, until there is none."""
    run = [(0, blocks)]
    place = 0
    while place < len(order):
        needs, changes = _CHANGES[order[place]]
        place += 1
        for kind, count in needs:
            if blocks[kind] < count:
                break
        else:
            blocks = blocks.copy()
            for kind, change in changes:
                blocks[kind] += change
            run.append((place, blocks))
            place = 0
    return run


GENERATORS = {"block_synthesis": BlockSynthesis}
