"""Kinship: how two people of a story are related."""

FAMILIES = {"kinship": "How two people of a story are related, as in CLUTRR"}
