"""Verifiers of the OMEGA families, by domain."""
