"""OMEGA problems that look like those of a family but need another method."""
