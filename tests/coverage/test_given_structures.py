"""Structures of formulas, trees and code that are inside of texts."""

from __future__ import annotations

import re
import time

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthgen.coverage.given_structures import NOUNS, structures_in
from synthgen.coverage.structure_texts import BadTree, prefix_texts

CODE = """Read this:
```python
def f(x, y=2):  # a comment
    if x > "a (":
        return x[0], {2: 3}
    z += f(1, [
        2])
```
What is f(1)?"""


def read(text: str, form: str) -> str | None:
    trees, has_tree = structures_in(pa.array([text]), form)
    return str(trees[0]) if has_tree[0] else None


@pytest.mark.parametrize(
    ("form", "text", "tree"),
    [
        ("arithmetic", "What is 3 + 4 * 2?", "(+ 3 (* 4 2))"),
        ("arithmetic", "Compute (3+4)*x = ?", "(* (+ 3 4) x)"),
        ("arithmetic", "3 + total", "(+ 3 total)"),
        ("arithmetic", "gcd(12, 8) + 1, then 2^3.", "(formulas (+ (gcd 12 8) 1) (^ 2 3))"),
        ("arithmetic", "A well-known 3-year-old is -3 ft tall.", None),
        ("tree", "Simplify (and  a (not b)) (please).", "(and a (not b))"),
        ("tree", "An open (and a", None),
        ("code", "x = f(y)[0]", "(code (= x (index (f y) 0)))"),
        ("code", "print('a'", None),
    ],
)
def test_structures_in_texts(form: str, text: str, tree: str | None) -> None:
    assert read(text, form) == tree


def test_code_in_a_fence() -> None:
    tree = read(CODE, "code")
    assert tree is not None
    tree = re.sub(r"#\w+", "#", tree)
    inside = "(if x > # (body (return (index x 0) (braces 2 3)))) (+= z (f 1 (list 2)))"
    assert tree == f"(code (def (f x y = 2) (body {inside})))"


def test_a_text_without_a_structure_equals_only_the_same_text() -> None:
    trees, has_tree = structures_in(pa.array(["no", "no ", "none", "1+1"]), "arithmetic")
    one, same, other, formula = trees.to_pylist()
    assert one == same != other
    assert formula == "(+ 1 1)"
    assert has_tree.tolist() == [False, False, False, True]


SIGNS = st.lists(st.sampled_from(list("()[]{}\"'#`\\ \n\t:=+-,.1ax\x01\xa0é")), max_size=30)


@pytest.mark.parametrize("form", list(NOUNS))
@given(text=SIGNS.map("".join))
def test_whatever_is_read_is_a_tree(form: str, text: str) -> None:
    trees, _ = structures_in(pa.array([text]), form)
    assert not isinstance(prefix_texts(trees), BadTree)


@pytest.mark.parametrize("form", list(NOUNS))
def test_hostile_texts_take_little_time(form: str) -> None:
    deep = "\n".join(" " * depth + "if x:" for depth in range(120))
    texts = ["(" * 9_000, "(1+" * 3_000, '"""' * 3_000, "[1," * 3_000, "f(" * 5_000, deep]
    texts += ["(a " * 20_000, "(a" + " b" * 2_000 + ")", "1+" * 5_000, "x\n" * 4_000, ")" * 99_999]
    start = time.process_time()
    structures_in(pa.array(texts), form)
    assert time.process_time() - start < 5
