"""The published HINT data set (Li et al. 2023), row by row: a finite source in published order.

Address i is row i of train, then val, then test, repeats included: 998,000 + 4,698 + 46,620 rows,
or the data set of one few-shot concept. The rows do not depend on the recipe's seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from synthgen.core.checks import check_choice
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.randomness import Rows
from synthgen.generators._hint_expression import SIGNATURE, SYMBOLS
from synthgen.generators._hint_published import CONCEPTS, SPLITS, SUBSETS, published
from synthgen.generators._hint_rows import (
    DOMAIN,
    expression_axes,
    expression_problems,
    expression_texts,
)

_SIZES = {"": 1_049_318, "x": 6_491, "y": 6_493} | dict.fromkeys("abcd", 6_170)
_MOST_OPERATORS = 20
_LARGEST_VALUE = 10_000


@dataclass(frozen=True)
class HintPaper:
    """The published rows.

    Attributes:
        concept: "" for the main data set, or one of x y a b c d for a few-shot concept.
    """

    concept: str = ""

    version: ClassVar[int] = 1
    domain: ClassVar[str] = DOMAIN
    verifier: ClassVar[str] = "hint"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")

    def __post_init__(self) -> None:
        check_choice("concept", self.concept, ("", *CONCEPTS))

    @property
    def signature(self) -> Signature:
        """All symbols of the family."""
        return SIGNATURE

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The axes of expressions, and the place of each row in the published data."""
        return expression_axes((0, _MOST_OPERATORS), (0, _LARGEST_VALUE), full=False) | {
            "published_split": Axis("file of the published data", values=SPLITS, canonical=False),
            "subset": Axis("published subset", values=SUBSETS, canonical=False),
        }

    @property
    def space(self) -> int:
        """Number of published rows."""
        return _SIZES[self.concept]

    @property
    def fewest_problems(self) -> int | None:
        """Unknown: published rows repeat problems."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Look the rows up."""
        table = published(self.concept)
        index = rows.addresses.astype(np.int64)
        valid = np.ones(len(rows), dtype=bool)
        trees = table.derivations.take(index)
        problems = expression_problems(rows, trees, valid, self.axes, full=False)
        places = {
            "published_split": table.split[index].astype(np.int16),
            "subset": table.subset[index].astype(np.int16),
        }
        return replace(problems, axes={**problems.axes, **places})

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write expressions, their results and, if asked, the steps."""
        symbols = SYMBOLS if self.concept else "+-*/0123456789"
        return expression_texts(problems, style, symbols, full=False)


GENERATOR = HintPaper
