"""What a dataset covers: structures, divergence, combinations, diversity, near duplicates."""
