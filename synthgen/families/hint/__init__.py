"""HINT (Li et al. 2023): arithmetic over single digits, sampled at any size or as published."""

FAMILIES = {
    "hint": "Natural-number arithmetic with precedence, parentheses and few-shot concepts",
    "hint_paper": "The published HINT dataset itself, row for row",
}
