"""Programs to predict the output of."""

FAMILIES = {
    "programs": "What a short Python function returns: straight-line, with branches and with loops",
}
