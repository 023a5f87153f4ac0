"""Checks of finished rows: by their addresses, their verifiers and the recorded selection."""
