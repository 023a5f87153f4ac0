"""Addressed draws: streams of 64-bit words, permutations and shuffles that any address leads to."""
