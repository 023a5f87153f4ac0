"""Markov algorithms: programs of ordered string rewriting rules, run on a word."""

FAMILIES = {
    "markov": "Markov algorithms: final word, next rule, halting status, or the word after k steps",
}
