"""Which splits may share problems."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.core.keyset import may_overlap


@dataclass(frozen=True)
class Part:
    name: str
    overlap: tuple[str, ...] = ()
    base: str | None = None


TRAIN, TEST = Part("train"), Part("test")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (TRAIN, TEST, False),
        (TRAIN, Part("test", overlap=("train",)), True),
        (TRAIN, Part("test", overlap=("val",)), False),
        (TRAIN, Part("seen", base="train"), True),
        (Part("seen", base="train"), Part("seen_too", base="train"), True),
        (Part("seen", base="train"), TEST, False),
        # A copy of train may share problems with what train may share problems with.
        (Part("seen", base="train"), Part("test", overlap=("train",)), True),
        (Part("seen", base="train"), Part("copy", base="test"), False),
        (Part("seen", overlap=("val",), base="train"), Part("copy", base="val"), True),
    ],
)
def test_declared_pairs(one: Part, other: Part, expected: bool) -> None:
    assert may_overlap(one, other) is expected
    assert may_overlap(other, one) is expected


NAMES = st.sampled_from(["a", "b", "c"])
PARTS = st.builds(Part, NAMES, st.lists(NAMES, max_size=2).map(tuple), st.none() | NAMES)


@given(PARTS, PARTS)
def test_it_is_symmetric(one: Part, other: Part) -> None:
    assert may_overlap(one, other) is may_overlap(other, one)
