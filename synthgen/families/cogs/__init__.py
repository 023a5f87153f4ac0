"""COGS: English sentences and their logical forms."""

FAMILIES = {
    "cogs": "COGS: English sentences and their logical forms, in all published categories",
}
