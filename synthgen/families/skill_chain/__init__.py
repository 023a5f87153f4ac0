"""Chains of algorithmic skills on strings, lists, numbers and words."""

FAMILIES = {
    "skill_chain": "Typed chains of small functions on strings, lists, numbers and words",
}
