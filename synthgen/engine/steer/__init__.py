"""STEER: weights, covers, diverse choices, divisions and orders of the rows of a split."""
