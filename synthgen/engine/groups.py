"""Problems that stay together in one split: by their template, or by values of axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.assignment import axis_words
from synthgen.core.contract import Problems
from synthgen.core.derivation import Signature
from synthgen.coverage.templates import template_keys
from synthgen.recipe.schema import Split

TEMPLATE = "template"
Groups = str | tuple[str, ...] | None
"""`TEMPLATE`, names of axes, or None where problems are not grouped."""


def group_words(
    groups: Groups,
    problems: Problems,
    signature: Signature,
    axes: Mapping[str, NDArray[Any]],
) -> NDArray[np.uint64] | None:
    """Return a word for the group of each valid problem, uint64 (n,).

    Args:
        groups: kind of group.
        problems: problems of one source.
        signature: signature of their derivations.
        axes: columns of the valid ones, with the codes of all sources; an axis may be missing.
    """
    if groups is None:
        return None
    valid = np.flatnonzero(problems.valid)
    if groups == TEMPLATE:
        derivations = problems.derivations
        if len(valid) < len(problems):
            derivations = derivations.take(valid)
        return template_keys(derivations, signature)[:, 0].copy()
    columns = [axes[name].astype(np.int64) if name in axes else None for name in groups]
    return axis_words(columns, len(valid))


def rule_numbers(splits: Sequence[Split], variants: Sequence[Sequence[int]]) -> list[int]:
    """Return the same number for splits that have exactly the same candidates.

    Args:
        splits: splits that choose their own problems.
        variants: sources that restate the problems of each split.
    """
    numbers: dict[object, int] = {}
    rules = [
        (split.where, tuple(part.where for part in split.parts), split.members, tuple(sources))
        for split, sources in zip(splits, variants, strict=True)
    ]
    return [numbers.setdefault(rule, len(numbers)) for rule in rules]
