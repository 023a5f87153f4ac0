"""Battleship with a stated fleet."""

FAMILIES = {
    "battleship": "What hits and misses say of a stated fleet: certain cells, and its placements"
}
