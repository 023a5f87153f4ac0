"""OMEGA problems put together from those of other families."""
