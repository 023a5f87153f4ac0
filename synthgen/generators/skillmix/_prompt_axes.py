"""The columns of mixes that splits, controllers and reports may use."""

from __future__ import annotations

from synthgen.core.contract import Axis
from synthgen.generators.skillmix._prompt_blocks import POOLS

MEASURED = (
    "topic_held",
    "n_held_skills",
    "n_held_pairs",
    "n_held_cells",
    "tuple_held",
    "open_size",
    "n_checkers",
    "tuple",
)
"""Axes that are measured when somebody asks, in the order of the kernel's columns."""


def mix_axes(ks: tuple[int, ...], n_skills: int, n_topics: int, rounds: int) -> dict[str, Axis]:
    """Return all axes of mixes of these sizes."""
    low, most = min(ks), max(ks)
    meanings = {
        "topic_held": "1 if the topic is held out, else 0",
        "n_held_skills": "skills that are held out",
        "n_held_pairs": "pairs of its skills that are not to meet in training",
        "n_held_cells": "skills that are not to meet this topic in training",
        "tuple_held": "1 if its set of skills is held out, else 0",
        "open_size": "size of the largest subset of its skills that a mix of training may have",
        "n_checkers": "skills that a checker can look for in a text",
    }
    highs = {"topic_held": 1, "tuple_held": 1, "n_held_pairs": most * (most - 1) // 2}
    axes = {
        "k": Axis("number of skills", low=low, high=most),
        "topic": Axis("number of the topic, by name", low=0, high=n_topics - 1),
    }
    for j in range(1, most + 1):
        meaning = f"number of skill {j}, by id; the last one again where there are fewer"
        axes[f"skill_{j}"] = Axis(meaning, low=0, high=n_skills - 1)
    for name, meaning in meanings.items():
        axes[name] = Axis(meaning, low=0, high=highs.get(name, most))
    axes["tuple"] = Axis("number of the set of skills, 63 bits of a hash", "int64", low=0)
    axes["skill_pool"] = Axis(
        "skills that its design covers: those of training, those held out, all",
        values=POOLS,
        canonical=False,
    )
    axes["round"] = Axis("round of its design", "int32", low=0, high=rounds + 3, canonical=False)
    return axes
