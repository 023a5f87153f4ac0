"""Paths in graphs: by hand, and against a third search."""

from itertools import pairwise
from typing import Any

import pytest

from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.families.verdicts import Verdicts, answer


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"tasks": ("star",), "arms": 20},
        {"tasks": ("shortest", "reachable"), "min_nodes": 30, "max_nodes": 50, "level": True},
    ],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("graph_paths", params, rows=100)


SHORTEST = (
    "A graph has the edges {}, which can be used in both directions. There is exactly one path "
    "with the fewest edges from {} to {}. Write down its nodes from {} to {}, separated by commas."
)
REACHABLE = (
    "A directed graph has the edges {}. (`a>b` leads from a to b.) Starting at node {}, you may "
    "follow any number of edges in their direction. List all other nodes that you can get to, in "
    "ascending order and separated by commas."
)


def test_shortest_by_hand() -> None:
    edges = "1-2, 2-3, 3-4, 4-5, 1-6, 6-5"
    prompt = SHORTEST.format(edges, 1, 5, 1, 5)
    assert answer("graph_paths", prompt) == "1, 6, 5"
    steps = "0: 1\n1: 2, 6\n2: 3, 5\npath: 1, 6, 5"
    assert Verdicts("graph_paths").accepts(prompt, "1, 6, 5", steps)
    assert not Verdicts("graph_paths").accepts(prompt, "1, 6, 5", steps.replace("2, 6", "6"))
    tied = SHORTEST.format(edges.replace("1-6, 6-5", "1-6, 6-3"), 1, 4, 1, 4)
    assert answer("graph_paths", tied) is None
    assert answer("graph_paths", SHORTEST.format("1-2, 3-4", 1, 4, 1, 4)) is None


def test_reachable_by_hand() -> None:
    assert answer("graph_paths", REACHABLE.format("1>2, 2>10, 10>1, 3>1, 4>9", 1)) == "2, 10"
    assert answer("graph_paths", REACHABLE.format("2>1, 3>1", 1)) is None


def test_shortest_paths_are_the_only_ones() -> None:
    generator = generator_class("graph_paths")(tasks=("shortest",))  # type: ignore[call-arg]
    for problem in generator.draw(Rows.span(3, 0, 100)).parts["made"]:
        edges = {edge[1:] for edge in problem.tree[3:]}
        edges |= {(b, a) for a, b in edges}
        paths = [[problem.tree[1]]]
        while not any(path[-1] == problem.tree[2] for path in paths):
            paths = [[*path, b] for path in paths for a, b in edges if a == path[-1]]
        found = [path for path in paths if path[-1] == problem.tree[2]]
        assert [", ".join(map(str, path)) for path in found] == [problem.answer]


def test_arms_of_a_star_share_only_the_centre() -> None:
    generator = generator_class("graph_paths")(tasks=("star",), arms=4)  # type: ignore[call-arg]
    for problem in generator.draw(Rows.span(3, 0, 20)).parts["made"]:
        edges = [edge[1:] for edge in problem.tree[3:]]
        path = [int(node) for node in problem.answer.split(", ")]
        assert len(edges) == 16
        assert len({b for _, b in edges}) == 16
        assert {*pairwise(path)} <= {*edges}
        assert sum(a == path[0] for a, _ in edges) == 4
