"""Paths in graphs: breadth-first search from the start, or the construction of a star."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import cos, dist, pi, sin

from synthgen.authoring import (
    Ink,
    ParamError,
    Picture,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    levelled,
    params,
)
from synthgen.authoring.distractors import chained
from synthgen.authoring.pictures import Point

_WORDS = Words.beside(__file__)
_TASKS = _WORDS.kinds
_MAX_EDGES = 150
_TRIES, _OFFERED = 24, 10
_MIN_RADIUS, _ROOM, _NODE = 122, 32, 12
"""Radius of the circle of nodes in a picture, room for a node on it, and radius of a node."""
_LINE, _WHITE, _SIZE = "#495057", "#ffffff", 11
Edge = tuple[int, int]


def _joined(nodes: Sequence[int]) -> str:
    return ", ".join(map(str, nodes))


def _nodes(edges: Sequence[Edge]) -> set[int]:
    return set().union(*edges)


def _layers(neighbors: Mapping[int, Sequence[int]], start: int) -> list[dict[int, list[int]]]:
    """Return the nodes at each distance from a node, each with its neighbors one step nearer."""
    seen = {start}
    layers: list[dict[int, list[int]]] = [{start: []}]
    while layers[-1]:
        nearer: dict[int, list[int]] = {}
        for node in layers[-1]:
            for neighbor in neighbors[node]:
                if neighbor not in seen:
                    nearer.setdefault(neighbor, []).append(node)
        seen |= {*nearer}
        layers.append(nearer)
    return layers[:-1]


@levelled("nodes + hops", 10, 14, 18, 22, 26, 30, 40, 50, 60, 80)
@dataclass(frozen=True)
class GraphPaths(PlainFamily):
    """Questions about paths in graphs of numbered nodes.

    Attributes:
        tasks: Questions: "star" for an arm of a star of paths, "shortest" for the only shortest
            path, "reachable" for all nodes that can be reached; drawn with equal probability.
        min_nodes, max_nodes: Fewest and most nodes of "shortest" and "reachable".
        edges: Number of edges for each node, times ten.
        arms: Arms of a star.
        arm_length: Nodes of an arm, with the center.
        labels: Largest number of a node.
    """

    tasks: tuple[str, ...] = params.choices(_TASKS, _TASKS)
    min_nodes: int = params.integer(8, 4, 60, up_to="max_nodes")
    max_nodes: int = params.integer(14, 4, 60)
    edges: int = params.integer(14, 10, 25)
    arms: int = params.integer(3, 2, 20)
    arm_length: int = params.integer(5, 3, 20)
    labels: int = params.integer(99, 99, 999)

    version = 2
    verifier = "graph_paths"
    same_up_to = "the order of the edges"
    words = _WORDS
    symbols = {**dict.fromkeys(_TASKS, (3, _MAX_EDGES + 2)), "edge": 2}
    answer_type = "list:integer"
    own_axes = {
        "nodes": axis("nodes of the graph", 4, 99),
        "hops": axis("edges of the path, or the largest distance of a node", 1, 60),
        "arms": axis("paths from the start of a star, 0 for other graphs", 0, 20),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        # A path is the only one if all other nodes lack an edge to one of its ends.
        fewest = next(n for n in count(4) if n * (n - 3) // 2 + 2 >= n * self.edges // 10)
        if self.tasks == ("shortest",) and self.max_nodes < fewest:
            wanted = f"at least {fewest}, as edges={self.edges} and tasks are only shortest"
            raise ParamError("max_nodes", self.max_nodes, wanted)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a graph and a question about it."""
        task = draws.choice(self.tasks)
        if task == "star":
            return self._star(draws)
        for _ in range(_TRIES):
            n = draws.integer(self.min_nodes, self.max_nodes + 1)
            nodes = self._labels(n, draws)
            edges = self._edges(nodes, draws, both=task == "shortest")
            neighbors: dict[int, list[int]] = {node: [] for node in nodes}
            for a, b in edges:
                neighbors[a].append(b)
                if task == "shortest":
                    neighbors[b].append(a)
            layers = _layers(neighbors, draws.choice(nodes))
            problem = self._question(task, edges, layers, draws)
            if problem is not None:
                return problem
        return None

    def _labels(self, n: int, draws: RowDraws) -> list[int]:
        labels: set[int] = set()
        while len(labels) < n:
            labels.add(draws.integer(1, self.labels + 1))
        return draws.shuffled(sorted(labels))

    def _edges(self, nodes: list[int], draws: RowDraws, *, both: bool) -> list[Edge]:
        """Draw different edges; those of undirected graphs have the smaller node first."""
        edges: dict[Edge, None] = {}
        wanted = min(len(nodes) * self.edges // 10, _MAX_EDGES, len(nodes) * (len(nodes) - 1) // 2)
        while len(edges) < wanted:
            a, b = draws.choice(nodes), draws.choice(nodes)
            if a != b and not (both and a > b):
                edges[a, b] = None
        return [*edges]

    def _question(
        self, task: str, edges: list[Edge], layers: list[dict[int, list[int]]], draws: RowDraws
    ) -> Problem | None:
        """Ask for the only shortest path to a node, or for all nodes that can be reached."""
        (start,) = layers[0]
        shown = [f"{hops}: {_joined(sorted(layer))}" for hops, layer in enumerate(layers)]
        if task == "reachable":
            reached = sorted(node for layer in layers[1:] for node in layer)
            if len(layers) < 3 or len(reached) == len(_nodes(edges)) - 1:
                return None
            return self._problem(task, edges, (start, start), reached, shown)
        only = {start: [start]}  # paths to nodes that have one shortest path
        for layer in layers[1:]:
            for node, before in layer.items():
                if len(before) == 1 and before[0] in only:
                    only[node] = [*only[before[0]], node]
        paths = [path for path in only.values() if len(path) > 2]
        if not paths:
            return None
        length = draws.integer(3, max(map(len, paths)) + 1)
        path = draws.choice([path for path in paths if len(path) >= length])
        lines = [*shown[: len(path)], f"path: {_joined(path)}"]
        return self._problem(task, edges, (start, path[-1]), path, lines)

    def _star(self, draws: RowDraws) -> Problem:
        step = self.arm_length - 1
        nodes = self._labels(1 + self.arms * step, draws)
        center, others = nodes[0], nodes[1:]
        arms = [[center, *others[k : k + step]] for k in range(0, len(others), step)]
        edges = draws.shuffled([edge for arm in arms for edge in pairwise(arm)])
        lines = [f"{b} <- {a}" for a, b in zip(arms[0][-2::-1], arms[0][:0:-1], strict=True)]
        return self._problem("star", edges, (center, arms[0][-1]), arms[0], lines)

    def _problem(
        self, task: str, edges: list[Edge], ends: Edge, answer: list[int], lines: list[str]
    ) -> Problem:
        sign = "-" if task == "shortest" else ">"
        return Problem(
            tree=(task, *ends, *(("edge", a, b) for a, b in sorted(edges))),
            answer=_joined(answer),
            holes={
                "edges": ", ".join(f"{a}{sign}{b}" for a, b in edges),
                "start": ends[0],
                "goal": ends[1],
            },
            kind=task,
            axes={
                "nodes": len(_nodes(edges)),
                "hops": len(lines) - 1 if task == "reachable" else len(answer) - 1,
                "arms": self.arms if task == "star" else 0,
            },
            steps=lines,
            data=(edges, answer),
        )

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw the nodes on a circle in ascending order, from the top, and the edges as lines."""
        del draws
        edges, nodes = problem.data[0], sorted(_nodes(problem.data[0]))
        radius = max(_MIN_RADIUS, round(len(nodes) * _ROOM / (2 * pi)))
        middle = radius + _NODE + 6
        picture = Picture(2 * middle, 2 * middle)
        turns = [2 * pi * k / len(nodes) for k in range(len(nodes))]
        points = [(middle + radius * sin(t), middle - radius * cos(t)) for t in turns]
        places = dict(zip(nodes, points, strict=True))
        for a, b in edges:
            picture.line(places[a], places[b], Ink(edge=_LINE, width=1.5))
        for a, b in edges if problem.kind != "shortest" else ():
            picture.polygon(_arrow(places[a], places[b]), Ink(_LINE))
        for node, place in places.items():
            picture.circle(place, _NODE, Ink(_WHITE, _LINE, 1.5))
            picture.text(place, str(node), _SIZE)
        return picture

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Put other nodes, with as many edges, between the ends of the path or in the list."""
        edges, answer = problem.data
        reached = problem.kind == "reachable"
        counts = Counter(node for edge in edges for node in edge)
        known = [*counts] if problem.kind == "shortest" else [*{edge[1]: 0 for edge in edges}]

        def change(nodes: tuple[int, ...], draws: RowDraws) -> tuple[int, ...] | None:
            at = draws.integer(0, len(nodes)) if reached else draws.integer(1, len(nodes) - 1)
            others = [node for node in known if node not in nodes]
            if not others:
                return None
            alike = [node for node in others if counts[node] == counts[nodes[at]]]
            node = draws.choice(alike if alike and draws.integer(0, 4) else others)
            changed = [*nodes[:at], node, *nodes[at + 1 :]]
            return tuple(sorted(changed) if reached else changed)

        return [*map(_joined, chained(tuple(answer), change, draws, _OFFERED))]


def _arrow(start: Point, end: Point) -> list[Point]:
    """Return the corners of an arrowhead that touches the node at the end of a line."""
    length = dist(start, end)
    ahead, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tip = end[0] - _NODE * ahead, end[1] - _NODE * down
    back = tip[0] - 9 * ahead, tip[1] - 9 * down
    left = back[0] - 4 * down, back[1] + 4 * ahead
    return [tip, left, (2 * back[0] - left[0], 2 * back[1] - left[1])]


GENERATORS = {"graph_paths": GraphPaths}
