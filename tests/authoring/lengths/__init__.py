"""Lengths in other units: a small family with kinds, and with a detail that only prompts show."""

FAMILIES = {"lengths": "Convert a length"}
