"""PLAN: a recipe with its generators, rules, axes and cells, and what its sources can give."""
