"""Chains of assignments: programs of truth values, and signed variables."""

FAMILIES = {
    "lego": "LEGO: the sign of a variable that is tied to others by a chain of equations",
    "variable_assignment": "Final truth value of a variable after assignments and distractors",
}
