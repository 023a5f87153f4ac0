"""Multi-hop questions about worlds that a number names, or whose facts the prompt states."""

FAMILIES = {
    "multihop_paths": "Follow relations from entity to entity through a knowledge base",
    "multihop_comparison": "Compare an attribute of two entities of a knowledge base",
    "multihop_hidden": "The same where values are hidden, and comparisons are stated or follow",
    "multihop_tables": "Compose functions that are random tables, in five structures",
}
