"""State tracking: what is where after a sequence of changes."""

FAMILIES = {
    "state_boxes": "What is in which box after objects are moved and boxes are swapped",
    "state_permutations": "Who holds what after a sequence of swaps, or of permutations",
    "state_places": "Where people and objects are, and who gave what, as in bAbI",
}
