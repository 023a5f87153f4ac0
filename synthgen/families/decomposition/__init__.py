"""Questions about small invented worlds that are answered by decomposing them, as in CommaQA."""

FAMILIES = {
    "decomposition": "Decompose a question into steps over stated facts; the answer is a list",
    "decomposition_numbers": "The same for differences and counts; the answer is a number",
}
