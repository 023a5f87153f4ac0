"""Questions with conditions about a grid of colored letters, as in gCOG."""

FAMILIES = {
    "conditional_grid": "Conditions and questions about a grid of colored letters",
}
