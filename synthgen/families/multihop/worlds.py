"""Common base of questions about random worlds, and the facts around those that are needed."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import Late, NumberedFamily, Problem, RowDraws

Ints = NDArray[np.int64]
Fact = tuple[Any, ...]
Node = int
Label = Any

LAST_WORLD, MAX_DECOYS = 999_999, 10
GROUPS = 1000
"""Groups of equal size into which the facts of a world are divided at random."""
_MAX_TRIES = 100


def groups_of(words: NDArray[np.uint64]) -> Ints:
    """Divide facts into groups by the rank of their random words, in the same shape."""
    ranks = np.empty(words.size, np.int64)
    ranks[np.argsort(words, axis=None, kind="stable")] = np.arange(words.size)
    return (ranks * GROUPS // words.size).reshape(words.shape)


class WorldFamily(NumberedFamily):
    """Questions about a world; the `data` of a problem are the facts that it needs."""

    decoys: int

    @property
    @abstractmethod
    def world(self) -> str:
        """Name of the world, which defines it."""

    @abstractmethod
    def written(self, fact: Fact) -> str:
        """Write a fact."""

    @abstractmethod
    def stated(self, needed: Sequence[Fact], draws: RowDraws) -> Iterable[Fact]:
        """Return the facts needed and decoys, each once."""

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Name the world, and state facts in random order."""
        return {
            "world": self.world,
            **problem.holes,
            "facts": Late(lambda: self._facts(problem.data, draws)),
        }

    def _facts(self, needed: Sequence[Fact], draws: RowDraws) -> str:
        stated = draws.shuffled([*self.stated(needed, draws)])
        return "\n".join(map(self.written, stated))

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the facts that are needed."""
        return [self.written(fact) for fact in problem.data]


class Hop(NamedTuple):
    """A fact of a path, and another label that its head has as well; None if there is no other."""

    head: Node
    label: Label
    tail: Node
    other: Label | None


class Stated:
    """Facts by head and label; a head and a label lead to one tail.

    Args:
        hops: The facts needed.
        node: Draws a node.
    """

    def __init__(self, hops: Sequence[Hop], node: Callable[[], Node]) -> None:
        self.facts = {(hop.head, hop.label): hop.tail for hop in hops}
        self._node = node
        self._used = {node for hop in hops for node in (hop.head, hop.tail)}
        labels = [label for hop in hops for label in (hop.label, hop.other)]
        self._is_shared = len({*labels}) < len(labels)
        sides = (Counter(hop.head for hop in hops), Counter(hop.tail for hop in hops))
        self._visited_twice = {node for side in sides for node in side if side[node] > 1}

    def entwine(self, hops: Sequence[Hop], decoys: int, draws: RowDraws) -> list[list[Node]]:
        """Add paths from other starts with the labels of this path, as far as there are nodes.

        Every head of every path also leads, by the other label of its hop, to the next node of
        another path. So all paths look alike: whatever hop, label or start is not read, several
        answers are left.

        Returns:
            The nodes after each number of hops, path by path; this path comes first.
        """
        layers = [[hops[0].head], *([hop.tail] for hop in hops)]
        for _ in range(decoys):
            path = self._path(layers)
            if path is None:
                break
            for layer, node in zip(layers, path, strict=True):
                layer.append(node)
            for hop, head, tail in zip(hops, path, path[1:], strict=False):
                self.facts[head, hop.label] = tail
        n_paths = len(layers[0])
        for hop, heads, tails in zip(hops, layers, layers[1:], strict=False):
            if hop.other is None or n_paths == 1:
                continue
            turn = draws.integer(1, n_paths)
            for place, head in enumerate(heads):
                tail = tails[(place + turn) % n_paths]
                # From a node that the path visits twice, labels in common may skip a part of it.
                if not (self._is_shared and tail in self._visited_twice):
                    self.facts.setdefault((head, hop.other), tail)
        return layers

    def cross(self, hop: Hop, heads: Sequence[Node], labels: Sequence[Label]) -> None:
        """Add facts of every head with every label, so that neither gives the end by itself.

        Args:
            hop: The fact needed, of the first head and the first label.
            heads: Heads of facts.
            labels: Their labels.
        """
        ends = [hop.tail]
        for _ in range(1, max(len(heads), len(labels))):
            node = self._unused(ends)
            ends += [] if node is None else [node]
        for row, head in enumerate(heads):
            for column, label in enumerate(labels):
                self.facts.setdefault((head, label), ends[(row + column) % len(ends)])

    def _path(self, layers: Sequence[Sequence[Node]]) -> list[Node] | None:
        """Draw a node for each layer; None if there is no other."""
        path = []
        for layer in layers:
            node = self._unused(layer)
            if node is None:
                return None
            path.append(node)
        return path

    def _unused(self, layer: Sequence[Node]) -> Node | None:
        """Draw a node that is not in a layer, nor elsewhere if hops have labels in common."""
        for _ in range(_MAX_TRIES):
            node = self._node()
            if node not in layer and not (self._is_shared and node in self._used):
                self._used.add(node)
                return node
        return None
