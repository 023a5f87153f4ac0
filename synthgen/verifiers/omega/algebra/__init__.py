"""OMEGA families: algebra."""
