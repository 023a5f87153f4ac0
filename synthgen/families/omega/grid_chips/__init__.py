"""Chips on boards whose rows and columns have one color each, as in OMEGA."""

FAMILIES = {
    "comp_grid_chips": "OMEGA composition: full boards of chips, and a random one of them",
    "logic_puzzles_grid_chip": "OMEGA logic: how many chips of one color, or of both, fit a board",
}
