"""OMEGA families: arithmetic."""
