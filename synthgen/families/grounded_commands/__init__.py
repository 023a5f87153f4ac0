"""Commands to an agent on a grid of objects, as in gSCAN, ReaSCAN and RefEx."""

FAMILIES = {
    "grounded_commands": "Commands to an agent on a grid: the actions, or the cell of the object",
}
