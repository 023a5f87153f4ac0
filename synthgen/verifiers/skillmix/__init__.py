"""Verifiers of skill mixes: chains replayed, prompts read, texts searched for skills."""
