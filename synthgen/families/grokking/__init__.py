"""Tables of binary operations, as in Grokking."""

FAMILIES = {
    "grokking": "Binary operations modulo p and on permutations of five, every equation once",
}
