"""Independent checkers of the rendered text; none shares code with a generator."""
