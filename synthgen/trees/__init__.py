"""Derivations and what they consist of: structures, compounds, n-grams, keys of problems."""
