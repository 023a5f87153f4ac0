"""Sequences: copying, reversing, sorting, counting and summing up, of any length."""

FAMILIES = {
    "sequences": "Copy, reverse, sort, count, mode, parity and sum of sequences of any length",
}
