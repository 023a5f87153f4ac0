"""Typed form of a recipe file, with the place of every fault."""
