"""Compositional training data with exact splits, recorded coverage and verified answers."""

__version__ = "0.1.0"
