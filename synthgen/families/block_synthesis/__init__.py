"""Block synthesis: counts of nine kinds of blocks, changed by six ordered rules."""

FAMILIES = {
    "block_synthesis": "Nine kinds of blocks, changed by ordered rules until none applies",
}
