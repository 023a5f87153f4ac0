"""Checks of the params of rewriting programs, with what is possible."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from synthgen.core.errors import ParamError


def check_share(name: str, value: object) -> None:
    """Refuse what is no number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ParamError(name, value, "a number from 0 to 1")


def check_names(name: str, value: object, known: Sequence[str]) -> None:
    """Refuse what is no tuple of different known names, at least one."""
    wanted = f"a list of different names out of {', '.join(known)}"
    if not isinstance(value, tuple) or not value or len(set(value)) != len(value):
        raise ParamError(name, value, wanted)
    if not set(value) <= set(known):
        raise ParamError(name, value, wanted)


def check_any_order(kind: Any) -> None:
    """Refuse params of `Markov` under which the order of rules always matters, or may."""
    if "any_order" not in kind.strategies:
        return
    for name, found, wanted in (
        ("task", kind.task, "run"),
        ("scopes", kind.scopes, ("leftmost",)),
        ("stop_share", kind.stop_share, 0),
    ):
        if found != wanted:
            raise ParamError(name, found, f"{wanted!r}, as strategies have 'any_order'")
    if kind.terminating == "none":
        wanted_measure = "length, order or shortlex, as strategies have 'any_order'"
        raise ParamError("terminating", kind.terminating, wanted_measure)


def n_left_sides(n_letters: int, sizes: tuple[int, int], terminating: str, min_rhs: int) -> int:
    """Return how many different left sides rules can have.

    Args:
        n_letters: of the alphabet.
        sizes: shortest and longest left side.
        terminating: the measure that each rule makes smaller.
        min_rhs: shortest right side.
    """
    total = 0
    for size in range(sizes[0], sizes[1] + 1):
        words = n_letters**size
        if terminating == "order":
            words -= comb(size + n_letters - 1, size)
        elif terminating == "length" and size <= min_rhs:
            words = 0
        elif terminating == "shortlex" and size <= min_rhs:
            words = words - 1 if size == min_rhs else 0
        total += words
    return total


def most_possible_steps(
    n_letters: int, max_word: int, terminating: str, max_rules: int, *, once: bool
) -> int | None:
    """Return the steps of the longest run there can be, None where nothing bounds it."""
    most: int | None = None
    if terminating == "length":
        most = max_word
    elif terminating == "order":
        each, rest = divmod(max_word, n_letters)
        equal = (n_letters - rest) * comb(each, 2) + rest * comb(each + 1, 2)
        most = comb(max_word, 2) - equal
    if once:
        most = max_rules if most is None else min(most, max_rules)
    return most


def check_possible(kind: Any) -> None:
    """Refuse params of `Markov` that no problem can meet, with the number that is possible."""
    n_letters = len(kind.letters) + len(kind.markers)
    sizes = (kind.min_lhs, kind.max_lhs)
    possible = n_left_sides(n_letters, sizes, kind.terminating, kind.min_rhs)
    possible += kind.empty_share == 1
    if kind.max_rules > possible:
        wanted = f"at most {possible}, the number of different left sides"
        raise ParamError("max_rules", kind.max_rules, wanted)
    if kind.terminating in ("order", "shortlex") and kind.max_rhs < kind.min_lhs:
        wanted = f"at least min_lhs={kind.min_lhs} with terminating={kind.terminating!r}"
        raise ParamError("max_rhs", kind.max_rhs, wanted)
    once = kind.strategies == ("sequential_once",)
    longest = most_possible_steps(
        n_letters, kind.max_word, kind.terminating, kind.max_rules, once=once
    )
    if longest is not None and kind.min_steps > longest:
        wanted = f"at most {longest}, the steps of the longest run there can be"
        raise ParamError("min_steps", kind.min_steps, wanted)
