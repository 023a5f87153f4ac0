"""Paths in graphs from the text: by powers of the matrix of edges, which count walks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
_MOST_NODES = 150
_EDGES = holes.listed(holes.pattern("[0-9]{1,3}[->][0-9]{1,3}"))


class _Graph(NamedTuple):
    """A question, its edges, and the nodes it names."""

    task: str
    edges: tuple[tuple[int, int], ...]
    start: int
    goal: int


@reads(_WORDS, edges=_EDGES, start=holes.NATURAL, goal=holes.NATURAL)
def _read(kind: str, edges: tuple[str, ...], start: int, goal: int | None = None) -> _Graph | None:
    sign = "-" if kind == "shortest" else ">"
    pairs = [edge.split(sign) for edge in edges]
    if any(len(pair) != 2 for pair in pairs):
        return None
    found = tuple((int(a), int(b)) for a, b in pairs)
    nodes = {node for edge in found for node in edge}
    if len(nodes) > _MOST_NODES:
        return None
    if goal is not None and goal not in nodes:
        return None
    return _Graph(kind, found, start, start if goal is None else goal)


def _walks(graph: _Graph) -> tuple[list[int], list[NDArray[np.float64]]]:
    """Return the nodes, and how many walks of 0, 1, 2, ... edges lead from the start to each.

    The counts end with the first length at which no node is reached for the first time.
    """
    nodes = sorted({graph.start}.union(*graph.edges))
    place = {node: k for k, node in enumerate(nodes)}
    matrix = np.zeros((len(nodes), len(nodes)))
    for a, b in graph.edges:
        matrix[place[a], place[b]] = 1
        if graph.task == "shortest":
            matrix[place[b], place[a]] = 1
    counts = [np.eye(len(nodes))[place[graph.start]]]
    seen = counts[0] > 0
    while True:
        walks = counts[-1] @ matrix
        walks[seen] = 0  # a walk that comes back is not a shortest one
        if not walks.any():
            return nodes, counts
        seen |= walks > 0
        counts.append(walks)


def _solve(graph: _Graph) -> str | None:
    nodes, counts = _walks(graph)
    if graph.task == "reachable":
        reached = sum(counts[1:], np.zeros(len(nodes)))
        return _text(node for node, count in zip(nodes, reached, strict=True) if count) or None
    path = _path(graph, nodes, counts)
    return _text(path) if path else None


def _path(graph: _Graph, nodes: list[int], counts: Sequence[NDArray[np.float64]]) -> list[int]:
    """Return the one shortest path; an empty list if there is none, or more than one."""
    layers = [{n: c for n, c in zip(nodes, row, strict=True) if c} for row in counts]
    length = next((k for k, layer in enumerate(layers) if graph.goal in layer), 0)
    if length == 0 or layers[length][graph.goal] != 1:
        return []
    edges = {*graph.edges}
    if graph.task == "shortest":
        edges |= {(b, a) for a, b in edges}
    path = [graph.goal]
    for layer in layers[length - 1 :: -1]:
        path.append(next(node for node in layer if (node, path[-1]) in edges))
    return path[::-1]


def _text(nodes: Iterable[int]) -> str:
    return ", ".join(map(str, nodes))


def _follows(graph: _Graph, answer: str, lines: Sequence[str]) -> bool:
    """Compare with the steps back from the goal, or with the nodes at each distance."""
    path = answer.split(", ")
    if graph.task == "star":
        return [*lines] == [f"{b} <- {a}" for a, b in pairwise(path)][::-1]
    nodes, counts = _walks(graph)
    shown = [
        f"{hops}: {_text(node for node, count in zip(nodes, row, strict=True) if count)}"
        for hops, row in enumerate(counts)
    ]
    if graph.task == "shortest":
        shown = [*shown[: len(path)], f"path: {answer}"]
    return [*lines] == shown


VERIFIERS = {"graph_paths": PlainVerifier(_read, _solve, "string", _follows)}
