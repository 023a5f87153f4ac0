"""Families whose kernels draw and write: word by word, plain Python gives the same problems."""

from __future__ import annotations

from typing import Any

import pytest

from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class
from synthgen.generators.omega._draws import each_row
from synthgen.generators.omega._family import PlainFamily
from synthgen.generators.omega._numbers import tree_codes

FAMILIES = (
    *("algebra_linear_equation", "arithmetic_gcd"),
    *("arithmetic_list_prime_factors", "arithmetic_mixed"),
)


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("name", FAMILIES)
def test_kernels_draw_and_write_as_plain_python_does(name: str, level: int) -> None:
    family_class: Any = generator_class(name)
    family = family_class(levels=(level,))
    assert isinstance(family, PlainFamily)
    rows = Rows.span(17, 0, 150)
    told = Rows.span(18, 0, 150)
    sequences = zip(each_row(rows), rows.each(), each_row(told), told.each(), strict=True)
    for draws, plain, choices, plain_choices in sequences:
        made = family.make(level, draws)
        other = family.make(level, plain)  # type: ignore[arg-type]
        assert (made is None) == (other is None)
        if made is None or other is None:
            continue
        assert (made.answer, made.axes) == (other.answer, other.axes)
        signature = family.signature
        assert tree_codes(made.tree, signature) == tree_codes(other.tree, signature)
        for wording in range(2):
            text = family.tell(other, wording, plain_choices)
            assert family.tell(made, wording, choices) == text
        assert family.steps(made) == family.steps(other)
