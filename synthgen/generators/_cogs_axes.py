"""The axes of COGS rows, and their columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.contract import Axis
from synthgen.core.derivation import Signature, derivation_depths
from synthgen.core.lazy import LazyColumns
from synthgen.generators._cogs_categories import CATEGORIES, NAMES, PRIMITIVE
from synthgen.generators._cogs_draw import Draws
from synthgen.generators._cogs_grammar import (
    CONSTRUCTION_OF_FRAME,
    CONSTRUCTIONS,
    TARGET_WORDS,
)
from synthgen.generators._cogs_measure import MEASURED, SUBJECT_TYPES, measure

_PRIMITIVE = NAMES.index(PRIMITIVE)
_TARGET_OF_CATEGORY = np.array(
    [
        1 + TARGET_WORDS.index(category.target) if category.target else 0
        for category in CATEGORIES.values()
    ],
    np.int16,
)


def cogs_axes(cp_depth: int, pp_depth: int, *, variable_free: bool) -> dict[str, Axis]:
    """Return the axes.

    Args:
        cp_depth: most nested clauses.
        pp_depth: most nested prepositional phrases.
        variable_free: whether logical forms are; their length is then another one.
    """
    phrase = 2 + 3 * pp_depth
    subjects = cp_depth + 1
    tokens = subjects * (phrase + 2) + 2 * phrase + 5
    formula = subjects * (8 + 23 * pp_depth + 27) + 2 * (8 + 23 * pp_depth + 27)
    return {
        "category": Axis("category of the row, as published", values=NAMES),
        "construction": Axis("construction of the outermost clause", values=CONSTRUCTIONS),
        "clause": Axis("construction of the innermost clause", values=CONSTRUCTIONS),
        "subject_type": Axis("subject of the outermost clause", values=SUBJECT_TYPES),
        "primitive": Axis(
            "word whose use differs between training and generalization",
            values=("none", *TARGET_WORDS),
        ),
        "cp_depth": Axis("nested `that` clauses", "int16", 0, cp_depth),
        "pp_depth": Axis("longest chain of prepositional phrases", "int16", 0, pp_depth),
        "n_pp": Axis("prepositional phrases", "int16", 0, (subjects + 2) * pp_depth),
        "n_tokens": Axis("tokens of the sentence, the full stop included", "int16", 1, tokens),
        "lf_tokens": Axis(
            "tokens of the logical form", "int16", 1, formula, (), canonical=not variable_free
        ),
        "depth": Axis("depth of the derivation", "int16", 2, 2 * cp_depth + 2 * pp_depth + 4),
    }


def cogs_columns(
    category: NDArray[np.int64], drawn: Draws, signature: Signature, *, variable_free: bool
) -> Mapping[str, NDArray[Any]]:
    """Return the columns of drawn rows."""
    measured = measure(drawn.codes, drawn.offsets, int(variable_free))
    columns: dict[str, NDArray[Any]] = {
        "category": category.astype(np.int16),
        "construction": CONSTRUCTION_OF_FRAME[drawn.outer],
        "clause": CONSTRUCTION_OF_FRAME[drawn.inner],
        "primitive": _targets(category, drawn, signature),
        **{name: measured[i] for i, name in enumerate(MEASURED)},
    }

    def depth() -> dict[str, NDArray[Any]]:
        depths = derivation_depths(drawn.codes, drawn.offsets, signature.arity_array)
        return {"depth": depths.astype(np.int16)}

    return LazyColumns(columns, ("depth",), depth)


def _targets(category: NDArray[np.int64], drawn: Draws, signature: Signature) -> NDArray[np.int16]:
    """Return the target word of every row as a value of its axis."""
    targets: NDArray[np.int16] = _TARGET_OF_CATEGORY[category]
    single = np.flatnonzero(category == _PRIMITIVE)
    target_of_code = np.zeros(len(signature.names), np.int16)
    for place, word in enumerate(TARGET_WORDS):
        target_of_code[signature.code[word]] = 1 + place
    targets[single] = target_of_code[drawn.codes[drawn.offsets[single] + 1]]
    return targets
