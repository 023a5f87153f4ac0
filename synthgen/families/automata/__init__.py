"""Procedural warm-up tasks: brackets, stack and queue machines, cellular automata."""

FAMILIES = {
    "automata": "Brackets, stack and queue machines, and elementary cellular automata",
}
