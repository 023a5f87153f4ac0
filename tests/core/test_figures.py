"""Numbers as people read them."""

from __future__ import annotations

import pytest

from synthgen.core.figures import short_number


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (20_910, "20,910"),
        (999_999_999_999, "999,999,999,999"),
        (1_000_000_000_000, "1.0 x 10^12"),
        (5_899 * 10**24, "5.8 x 10^27"),
    ],
)
def test_short_numbers(number: int, shown: str) -> None:
    assert short_number(number) == shown
