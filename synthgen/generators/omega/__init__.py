"""Competition-style mathematics in the OMEGA families (arXiv 2506.18880), by domain."""
