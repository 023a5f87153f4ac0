"""OMEGA families: combinatorics."""
