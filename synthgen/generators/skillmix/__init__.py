"""Skill mixes: chains of algorithmic skills, prompts for writers, and texts that show skills."""
