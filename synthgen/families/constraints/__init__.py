"""Texts under verifiable constraints."""

FAMILIES = {"constraints": "Write a text that satisfies k verifiable constraints, as in IFEval"}
