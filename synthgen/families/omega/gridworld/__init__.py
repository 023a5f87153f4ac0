"""Boards and lattice paths, as in OMEGA."""

FAMILIES = {
    "logic_gridworld_blocked": "OMEGA logic: monotone paths across a board with blocked cells",
    "logic_gridworld_knight_move": "OMEGA logic: the fewest moves of a leaper across a board",
    "logic_gridworld_rookmove": "OMEGA logic: the fewest slides of a rook past blocked cells",
    "trans_gridworld": "OMEGA transformation: lattice paths with a given number of turns",
}
