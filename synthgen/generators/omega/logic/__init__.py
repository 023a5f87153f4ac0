"""OMEGA families: logic."""
