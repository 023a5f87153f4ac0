"""Last letters of words and their like."""

FAMILIES = {
    "word_letters": "Join the last, first or n-th letters of words, step by step or least to most",
}
