"""SELECT: candidates from every source, and the fold that gives each of them its split and cell."""
