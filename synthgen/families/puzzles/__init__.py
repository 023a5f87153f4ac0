"""Puzzles: sudoku and Sokoban."""

FAMILIES = {
    "sokoban": "Sokoban rooms with one shortest plan; the names of the actions vary",
    "sudoku": "Sudoku of 4, 6 or 9 digits with one solution, which needs no guessing",
}
