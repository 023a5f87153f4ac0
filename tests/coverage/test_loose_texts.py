"""L1 of audits: what is equal, what stays different, and that only spaces of formulas go."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.coverage.infix_texts import prefix_of
from synthgen.coverage.loose_texts import loose_keys, loose_texts
from synthgen.coverage.text_words import fast_normalised_texts


def loose(text: str) -> str:
    return str(loose_texts(pa.array([text]))[0])


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("3 + 4", "3+4"),
        ("What is 3 + 4 * ( 2 - x ) ?", "What is 3+4*(2-x)?"),
        ("x = -3 - -4", "x=-3--4"),
        ("2 × 3 ≤ 7", "2×3≤7"),
        ("gcd( 12 , 8 ) + sin(x)", "gcd(12, 8)+sin(x)"),
        ("3 + 4 = ?", "3+4=?"),
        ("Tom's sum is 3 + 4 .", "Tom's sum is 3+4."),
        ("zero\u200bwidth and so\u00adft", "zerowidth and soft"),
        ("\uff37\uff48\uff41\uff54 is \uff13\uff0b4", "What is 3+4"),
        ("5 \u2212 3", "5 - 3"),
        ("cafe\u0301  noir", "caf\u00e9 noir"),
    ],
)
def test_the_same_text(text: str, same: str) -> None:
    assert loose(text) == loose(same)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("1 -2 3", "1 - 2 3"),
        ("1 2", "12"),
        ("1, 234", "1,234"),
        ("3 * *4", "3 ** 4"),
        ("well - known", "well-known"),
        ("price + tax", "price+tax"),
        ('the length of "3 + 4"', 'the length of "3+4"'),
        ("the length of '3 + 4'", "the length of '3+4'"),
        ("if a:\n    return 3 + 4", "if a:\n    return 3+4"),
        ("print(`3 + 4`)", "print(`3+4`)"),
        ("x\u00b2", "x2"),
        ("Add", "add"),
    ],
)
def test_other_texts(text: str, other: str) -> None:
    assert loose(text) != loose(other)


PIECES = [*"3x()+-*=?,.π× ", "12", "total", "gcd("]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_only_spaces_go_and_no_two_operands_meet(text: str) -> None:
    spaced = str(fast_normalised_texts(pa.array([text]), fold_case=False)[0])
    tokens = re.compile(r"\w+|[^\w\s]")
    assert tokens.findall(loose(text)) == tokens.findall(spaced)
    assert prefix_of(loose(text)) == prefix_of(spaced)
    assert loose(loose(text)) == loose(text)


def test_keys_are_those_of_the_texts_in_any_batch() -> None:
    texts = pa.array(["3 + 4", None, "\uff13+4", "A  b", "a b", ""])
    keys = loose_keys(texts).tolist()
    assert keys[0] == keys[2]
    assert keys[1] == keys[5]
    assert loose_keys(texts.slice(2, 3)).tolist() == keys[2:5]
    folded = loose_keys(texts, fold_case=True).tolist()
    assert folded[3] == folded[4]
