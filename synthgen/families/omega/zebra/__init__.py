"""Zebra puzzles, as in OMEGA: people in a row of houses, found from clues."""

FAMILIES = {
    "logic_zebralogic": "OMEGA logic: who lives where in a row of houses, from clues",
}
