"""Propose, select, materialise: the phases of a build and the workers that run them."""
