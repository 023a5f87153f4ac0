"""Coverage of a dataset: structures, divergence, combinations, diversity, near duplicates."""
