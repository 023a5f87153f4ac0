"""Chains of directions between neighbors, with facts that do not matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synthgen.authoring import (
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    filled,
    levelled,
    params,
)

_WORDS = Words.beside(__file__).part("chain")
_TEXTS = _WORDS["texts"]
_NOISES = ("none", "irrelevant", "disconnected", "supporting")
_MAX_LENGTH, _MAX_NOISE = 16, 4
_SAME = "same place"
_OFFSETS = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
    _SAME: (0, 0),
}
_NAMES = {offset: name for name, offset in _OFFSETS.items()}
_SYMBOLS = {name.replace(" ", "_"): 0 for name in _OFFSETS}
_TRIES = 200


class _Fact(NamedTuple):
    """An object is in a direction from another one."""

    one: int
    name: str
    other: int


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def opposite(name: str) -> str:
    """Return the opposite direction."""
    x, y = _OFFSETS[name]
    return _NAMES[-x, -y]


@levelled("n_hops + n_noise", 2, 3, 4, 5, 6, 8, 10, 12, 14, 17)
@dataclass(frozen=True)
class SpatialChain(PlainFamily):
    """Directions between neighbors on a grid; the ends of a chain are asked for.

    Attributes:
        min_hops, max_hops: Fewest and most facts of the chain.
        noises: Kinds of other facts, one drawn for each row: "none"; "irrelevant" about an object
            of the chain and one outside; "disconnected" about two outside; "supporting": two facts
            that lead around a fact of the chain by an object outside.
        max_noise: Most pieces of noise; there is at least one, except of "none".
    """

    min_hops: int = params.integer(1, 1, _MAX_LENGTH, up_to="max_hops")
    max_hops: int = params.integer(5, 1, _MAX_LENGTH)
    noises: tuple[str, ...] = params.choices(("none",), _NOISES)
    max_noise: int = params.integer(3, 1, _MAX_NOISE)

    verifier = "spatial_chain"
    same_up_to = "the names of the objects, and the order and wording of the facts"
    words = _WORDS
    symbols = {
        "chain": (1, _MAX_LENGTH + _MAX_NOISE),
        **_SYMBOLS,
        **dict.fromkeys(_NOISES[1:], (1, 3)),
    }
    answer_type = "label"
    own_axes = {
        "n_hops": axis("facts of the chain", "min_hops", "max_hops"),
        "noise": axis("kind of the other facts", values=_NOISES),
        "n_noise": axis("pieces of noise", 0, _MAX_NOISE),
        "direction": axis("the answer", values=tuple(_OFFSETS)),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw the answer, then directions until their sum has it."""
        n = draws.integer(self.min_hops, self.max_hops + 1)
        wanted = draws.choice([*_OFFSETS])
        for _ in range(_TRIES):
            hops = [draws.choice([*_OFFSETS]) for _ in range(n)]
            x, y = (sum(_OFFSETS[name][k] for name in hops) for k in (0, 1))
            if _NAMES[_sign(x), _sign(y)] == wanted:
                return self._problem(hops, wanted, draws)
        return None

    def _problem(self, hops: list[str], answer: str, draws: RowDraws) -> Problem:
        """Hop k leads to object k from object k + 1; the first object is asked for."""
        noise = draws.choice(self.noises)
        count = 0 if noise == "none" else draws.integer(1, self.max_noise + 1)
        facts = [_Fact(k, name, k + 1) for k, name in enumerate(hops)]
        parts: list[Tree] = []
        for _ in range(count):
            new = 1 + max(max(fact.one, fact.other) for fact in facts)
            part, more = _noise(noise, hops, new, draws)
            parts.append(part)
            facts += more
        names = draws.sample(_WORDS["names"], 1 + max(max(f.one, f.other) for f in facts))
        return Problem(
            tree=("chain", *(name.replace(" ", "_") for name in hops), *sorted(parts, key=str)),
            answer=answer,
            holes={"rules": _TEXTS["rules"], "one": names[0], "other": names[len(hops)]},
            kind="chain",
            axes={"n_hops": len(hops), "noise": noise, "n_noise": count, "direction": answer},
            data=(hops, facts, names),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the facts in random order, each from either side."""
        _, facts, names = problem.data
        texts = []
        for one, name, other in draws.shuffled(facts):
            if draws.integer(0, 2):
                one, name, other = other, opposite(name), one
            line = draws.choice(_TEXTS["same" if name == _SAME else "facts"])
            holes = {"one": names[one], "other": names[other], "direction": name}
            texts.append(filled(line, {**holes, "back": opposite(name)}))
        return {**problem.holes, "facts": " ".join(texts)}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write where each object of the chain is, seen from the last one."""
        hops, _, names = problem.data
        x = y = 0
        lines = [_WORDS.line("at", one=names[len(hops)], x=x, y=y)]
        for k in reversed(range(len(hops))):
            x, y = x + _OFFSETS[hops[k]][0], y + _OFFSETS[hops[k]][1]
            lines.append(_WORDS.line("at", one=names[k], x=x, y=y))
        return lines

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Yield the opposite direction, those in which a hop is left out, and all others."""
        hops: Sequence[str] = problem.data[0]
        yield opposite(problem.answer)
        for left_out in draws.shuffled(range(len(hops))):
            kept = [_OFFSETS[name] for k, name in enumerate(hops) if k != left_out]
            yield _NAMES[_sign(sum(x for x, _ in kept)), _sign(sum(y for _, y in kept))]
        yield from draws.shuffled([*_OFFSETS])


def _noise(kind: str, hops: Sequence[str], new: int, draws: RowDraws) -> tuple[Tree, list[_Fact]]:
    """Draw a piece of noise about new objects, and its part of the tree."""
    name = draws.choice([*_OFFSETS])
    symbol = name.replace(" ", "_")
    if kind == "irrelevant":
        at = draws.integer(0, len(hops) + 1)
        return (kind, at, symbol), [_Fact(new, name, at)]
    if kind == "disconnected":
        return (kind, min(symbol, opposite(name).replace(" ", "_"))), [_Fact(new, name, new + 1)]
    at = draws.integer(0, len(hops))
    x, y = _OFFSETS[hops[at]]
    ways = [
        (first, second)
        for first, (a, b) in _OFFSETS.items()
        for second, (c, d) in _OFFSETS.items()
        if (a + c, b + d) == (x, y)
    ]
    first, second = draws.choice(ways)
    tree = (kind, at, first.replace(" ", "_"), second.replace(" ", "_"))
    return tree, [_Fact(at, first, new), _Fact(new, second, at + 1)]
