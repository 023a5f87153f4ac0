"""OMEGA families: geometry."""
