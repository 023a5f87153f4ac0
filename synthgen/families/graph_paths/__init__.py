"""Paths in graphs."""

FAMILIES = {
    "graph_paths": "Paths in graphs: path-star, the shortest path, all nodes that can be reached",
}
