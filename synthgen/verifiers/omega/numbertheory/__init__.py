"""OMEGA families: number theory."""
