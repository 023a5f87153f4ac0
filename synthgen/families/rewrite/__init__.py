"""String rewriting: one rule, applied once at its leftmost match."""

FAMILIES = {
    "rewrite": "One string rewriting step: replace the leftmost x of z by y (Zhang et al. 2024)",
}
