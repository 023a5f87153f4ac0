"""Rules that give each candidate a split from its axes."""
