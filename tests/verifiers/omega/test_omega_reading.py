"""Sums, expressions and definitions as text: what is read and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synthgen.verifiers.omega._definitions import read_definitions, settle, settle_exactly
from synthgen.verifiers.omega._expressions import (
    exact_value,
    lines_of,
    read_expression,
    value_of,
)
from synthgen.verifiers.omega._sums import linear_form, read_equation, read_sum


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", Fraction(7)),
        ("-7 + 2", Fraction(-5)),
        ("1 - 2 - 3", Fraction(-4)),
        ("1 - (2 - 3)", Fraction(2)),
        ("2 + 3*4", Fraction(14)),
        ("12/3/2", Fraction(2)),
        ("(7/3)/(14/9) - 5/4", Fraction(1, 4)),
        ("-18/(-4) + 35/(-10)*3", Fraction(-6)),
        ("-2*b + (-b/3)", None),
        ("b*(b - 1)/2", Fraction(15)),
        ("1/(b - 6)", None),
        ("1/c", None),
    ],
)
def test_expressions_by_hand(text: str, value: Fraction | None) -> None:
    from sympy import Integer

    tree = read_expression(text)
    assert (tree is None) == (text == "-2*b + (-b/3)")
    if tree is not None:
        assert value_of(tree, {"b": 6}) == value
        exact = exact_value(tree, {"b": Integer(6)})
        assert (exact is None) == (value is None)
        assert value is None or Fraction(int(exact.p), int(exact.q)) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "1 +", "1+2", "1  + 2", "1 + + 2", "1 - -2", "(1", "1)", "()", "01", "-0"),
        *("1 2", "2b", "2 * 3", "-(3)", "--3", "1.5", "1e5", "x^2", "1 + 2\n", "é"),
        *("(" * 61 + "1" + ")" * 61, " + ".join("1" * 200), "9" * 81, "1 - (2 + 3"),
    ],
)
def test_other_texts_are_no_expressions(text: str) -> None:
    assert read_expression(text) is None


def test_huge_values_are_given_up() -> None:
    tree = read_expression("*".join(["b"] * 140))
    assert tree is not None
    assert value_of(tree, {"b": 10**79}) is None
    assert value_of(tree, {"b": -1}) == 1


def test_lines_go_from_the_inside_out() -> None:
    tree = read_expression("(7/3)/(14/9) - 10/(-8)")
    assert tree is not None
    assert lines_of(tree, {}) == [
        "(7/3) / (14/9) = 3/2",
        "10 / (-8) = -5/4",
        "(3/2) - (-5/4) = 11/4",
    ]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2*x + 3*y = 12", {"": -12, "x": 2, "y": 3}),
        ("-x - 4 = y + 7 - 3*x", {"": -11, "x": 2, "y": -1}),
        ("b*x + x*b = 2*b", {"": -10, "x": 10}),
        ("0 = x", {"": 0, "x": -1}),
        ("x*y = 1", None),
        ("x^2 = 1", None),
        ("(1/2)*x = 1", None),
    ],
)
def test_equations_by_hand(text: str, form: dict[str, int] | None) -> None:
    terms = read_equation(text)
    assert terms is not None
    assert linear_form(terms, {"b": 5}) == form


@pytest.mark.parametrize(
    "text", ["", "=", "x", "x=1", "x = ", " = 1", "x = y = 1", "2x = 1", "x = 01", "x = (1/0)*y"]
)
def test_other_texts_are_no_equations(text: str) -> None:
    assert read_equation(text) is None


def test_terms_of_polynomials() -> None:
    assert read_sum("3*x^2 - (3/4)*x + b") == (
        (3, 1, (("x", 2),)),
        (-3, 4, (("x", 1),)),
        (1, 1, (("b", 1),)),
    )


@pytest.mark.parametrize(
    ("statement", "values", "question"),
    [
        ("Let k = -2 + 3. What?", {"k": 1}, "What?"),
        ("Let b be 3*(4 - 2)/6. Let c = b - 5. ?", {"b": 1, "c": -4}, "?"),
        ("Suppose b = 7. Suppose that 3*c + b = 1. ?", {"b": 7, "c": -2}, "?"),
        ("Let b be the solution of 4 = -2*b. ?", {"b": -2}, "?"),
        ("Let b satisfy b - 4 = 2*b. ?", {"b": -4}, "?"),
        ("Let c and b satisfy b + c = 5 and b - c = 1. ?", {"b": 3, "c": 2}, "?"),
        ("Suppose that b + c = 5 and b - c = 1. ?", {"b": 3, "c": 2}, "?"),
        ("Let b and c be the solution of b = 3 and c = 9 - b. ?", {"b": 3, "c": 6}, "?"),
        ("Let p(x) = x. ?", {}, "Let p(x) = x. ?"),
        ("Let b = 1/2. ?", None, "?"),
        ("Let b = 1/(1 - 1). ?", None, "?"),
        ("Suppose that 2*b = 1. ?", None, "?"),
        ("Suppose that b = b + 1. ?", None, "?"),
        ("Suppose that b + c = 5 and b + c = 1. ?", None, "?"),
    ],
)
def test_definitions_by_hand(statement: str, values: dict[str, int] | None, question: str) -> None:
    found = read_definitions(statement)
    assert found is not None
    assert found[1] == question
    assert settle(found[0]) == values
    assert settle_exactly(found[0]) == values


@pytest.mark.parametrize(
    "statement",
    ["Let b = 1. Let b = 2. ?", "Let b = c. ?", "Let b = b. ?", "Let b satisfy c = 1. ?"],
)
def test_unknown_and_repeated_letters_are_refused(statement: str) -> None:
    found = read_definitions(statement)
    assert found is None or found[1] == statement
