"""Formats: ways to present the prompts of any family, and a verifier that undoes them."""
