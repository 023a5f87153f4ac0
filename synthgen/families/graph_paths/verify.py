"""Paths in graphs from the text: by the number of walks that lead along edges to each node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from math import dist
from typing import NamedTuple

from synthgen.authoring import Shape, Sighted, Words, WorkedVerifier, holes, reads

_WORDS = Words.beside(__file__)
_MAX_NODES = 150
_EDGES = holes.listed(holes.pattern("[0-9]{1,3}[->][0-9]{1,3}")).pattern


class _Graph(NamedTuple):
    """A question, its edges in the directions that paths may take, and the nodes it names."""

    task: str
    arcs: set[tuple[int, int]]
    start: int
    goal: int


@reads(_WORDS, edges=holes.pattern(_EDGES), start=holes.NATURAL, goal=holes.NATURAL)
def _read(kind: str, edges: str, start: int, goal: int | None = None) -> _Graph | None:
    sign, wrong = ("-", ">") if kind == "shortest" else (">", "-")
    if wrong in edges:
        return None
    ends = [*map(int, edges.replace(sign, ", ").split(", "))]
    nodes = {*ends}
    if len(nodes) > _MAX_NODES or (goal is not None and goal not in nodes):
        return None
    arcs = {*zip(ends[::2], ends[1::2], strict=True)}
    if kind == "shortest":
        arcs |= {(b, a) for a, b in arcs}
    return _Graph(kind, arcs, start, start if goal is None else goal)


def _see(graph: _Graph, shapes: Sequence[Shape] | None) -> _Graph | None:
    """Return the graph if its picture, if there is one, has the same arcs.

    Lines join the nodes that are nearest to their ends; the tip of an arrow is near its node, and
    near the line that it belongs to.
    """
    if shapes is None:
        return graph
    nodes = {shape.center: int(shape.text) for shape in shapes if shape.text.isdecimal()}
    lines = [shape for shape in shapes if shape.kind == "line"]
    if not nodes or not lines:
        return None

    def node(point: tuple[float, float]) -> int:
        return nodes[min(nodes, key=lambda center: dist(center, point))]

    joined = {line.points: (node(line.points[0]), node(line.points[1])) for line in lines}
    arcs = set(joined.values())
    if graph.task == "shortest":
        arcs |= {(b, a) for a, b in arcs}
    else:
        arcs = set()
        for arrow in (shape for shape in shapes if shape.kind == "polygon"):
            tip = max(arrow.points, key=lambda point: sum(dist(point, p) for p in arrow.points))
            goal = node(tip)
            own = [ends for ends in joined if goal in joined[ends]]
            if own:
                ends = min(own, key=partial(_detour, tip))
                arcs.add((sum(joined[ends]) - goal, goal))
    return graph if arcs == graph.arcs else None


def _detour(point: tuple[float, float], ends: tuple[tuple[float, float], ...]) -> float:
    """Return by how much the way between two ends is longer over a point."""
    return dist(ends[0], point) + dist(point, ends[1]) - dist(*ends)


def _walks(graph: _Graph) -> list[dict[int, int]]:
    """Return the numbers of walks of 0, 1, ... edges to the nodes that no shorter walk reaches."""
    counts = [{graph.start: 1}]
    seen = {graph.start}
    while counts[-1]:
        before, further = counts[-1], dict[int, int]()
        for a, b in graph.arcs:
            if a in before and b not in seen:
                further[b] = further.get(b, 0) + before[a]
        seen |= further.keys()
        counts.append(further)
    return counts[:-1]


def _work(graph: _Graph) -> tuple[str | None, list[str]]:
    """Return the answer, and the steps back from the goal or the nodes at each distance."""
    counts = _walks(graph)
    shown = [f"{hops}: {_text(sorted(nodes))}" for hops, nodes in enumerate(counts)]
    if graph.task == "reachable":
        return _text(sorted(set().union(*counts) - {graph.start})) or None, shown
    path = _path(graph, counts)
    if not path:
        return None, []
    if graph.task == "star":
        return _text(path), [f"{b} <- {a}" for a, b in pairwise(path)][::-1]
    return _text(path), [*shown[: len(path)], f"path: {_text(path)}"]


def _path(graph: _Graph, counts: list[dict[int, int]]) -> list[int]:
    """Return the one shortest path; an empty list if there is none, or more than one."""
    length = next((k for k, nodes in enumerate(counts) if graph.goal in nodes), 0)
    if length == 0 or counts[length][graph.goal] != 1:
        return []
    path = [graph.goal]
    for nodes in counts[length - 1 :: -1]:
        path.append(next(node for node in nodes if (node, path[-1]) in graph.arcs))
    return path[::-1]


def _text(nodes: Iterable[int]) -> str:
    return ", ".join(map(str, nodes))


VERIFIERS = {"graph_paths": WorkedVerifier(Sighted(_read, _see), _work, "list:integer")}
