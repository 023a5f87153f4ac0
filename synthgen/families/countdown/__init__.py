"""Number games: reach a target with given numbers."""

FAMILIES = {
    "countdown": "Reach a target with given numbers, all of them or some, and + - * /",
    "general_points": "Reach 24 with playing cards whose face values the prompt states",
}
