"""Draws with chosen results, to have a family make a worked example."""

from synthgen.draws.randomness import RowDraws


def scripted(*wanted: tuple[int, int, int]) -> RowDraws:
    """Return draws that give these integers, each as (value, lowest, highest + 1)."""
    words = [((value - low) << 64) // (high - low) + 1 for value, low, high in wanted]
    return RowDraws(0, words[::-1])
