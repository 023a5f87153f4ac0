"""Programs whose output is asked."""

FAMILIES = {
    "programs": "What a short Python function returns: straight-line, with branches and with loops",
}
