"""Checkers of the parameters of string rewriting, and the cells that classes of rules make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from synthgen.core.conditions import Condition, bounded, equal_to, one_of
from synthgen.core.errors import ParamError
from synthgen.generators._rewrite_choice import MILLION
from synthgen.generators._rewrite_pool import Cell
from synthgen.generators._rewrite_strings import ANY, CLASSES, FREE

_NAMES = {name: kind for kind, name in enumerate(CLASSES)} | {"any": ANY}
_ENTRY = re.compile(r"(repeated|periodic|mirrored) ([1-9][0-9]{0,4})(?:-([1-9][0-9]{0,4}))?")
_MOST_ENTRIES, _MOST_CELLS = 64, 50_000
_WANTED = "any, free, or a class with one k or a range: 'repeated 3', 'mirrored 3-12'"

CONDITIONS = {
    "rule": Condition(("first_rule",), also={"rules": 1}, only={"rows": (0,)}),
    "lhs_length": bounded("min_lhs", "max_lhs"),
    "rhs_length": bounded("min_rhs", "max_rhs"),
    "input_length": bounded("min_input", "max_input"),
    "op_type": equal_to("p_noop", {"no_op": 1.0, "has_op": 0.0}),
    "occ_nonoverlap": one_of("occurrences", p_noop=(0.0,)),
}


def check_share(name: str, value: object) -> int:
    """Return a share from 0 to 1 in millionths, or raise ParamError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ParamError(name, value, "a number from 0 to 1")
    return round(Fraction(str(value)) * MILLION)


def check_exponent(value: object, kind: str) -> float:
    """Return the exponent of an allocation, or raise ParamError."""
    most = 1 if kind == "geometric" else 1000
    wanted = f"a number above 0 and at most {most}"
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
        raise ParamError("exponent", value, wanted)
    return float(value)


def check_times(value: object, fits: int) -> None:
    """Refuse what are no different numbers of occurrences, or more than fit into an input."""
    wanted = "a list (in Python a tuple) of different numbers of occurrences, from 1 to"
    wanted += f" {fits}, as many as fit into the shortest input"
    if not isinstance(value, tuple) or not value or len(set(value)) != len(value):
        raise ParamError("occurrences", value, wanted)
    for count in value:
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= fits:
            raise ParamError("occurrences", value, wanted)


def check_kinds(value: object, known: Sequence[str]) -> None:
    """Refuse what are no different kinds of what is nearly an occurrence."""
    wanted = f"at least one of {', '.join(known)}, none of them twice"
    if not isinstance(value, tuple) or not value or not set(value) <= set(known):
        raise ParamError("negatives", value, wanted)
    if len(set(value)) != len(value):
        raise ParamError("negatives", value, wanted)


def rule_cells(
    classes: object, weights: object, lhs: tuple[int, int], rhs: tuple[int, int]
) -> tuple[Cell, ...]:
    """Return the cells of rules of these classes and lengths.

    The weight of a class is divided equally among its k that divide any lengths, and that of a k
    among the pairs of lengths that it divides.

    Raises:
        ParamError: for what is no list of classes with weights, or one that no length allows.
    """
    if not isinstance(classes, tuple) or not 1 <= len(classes) <= _MOST_ENTRIES:
        raise ParamError("classes", classes, f"a list of 1 to {_MOST_ENTRIES} of: {_WANTED}")
    if "any" in classes and len(classes) > 1:
        raise ParamError("classes", classes, "any alone; free are the strings of no class")
    shares = _class_weights(weights, len(classes))
    cells: list[Cell] = []
    for entry, share in zip(classes, shares, strict=True):
        kind, ks = _read_entry(entry)
        shapes = [(k, _lengths(k, lhs, rhs)) for k in ks]
        shapes = [(k, pairs) for k, pairs in shapes if pairs]
        if not shapes:
            wanted = f"a k that divides lengths from {lhs} and {rhs}"
            raise ParamError("classes", entry, wanted)
        for k, pairs in shapes:
            own = FREE if k == 1 and kind != ANY else kind
            weight = share / len(shapes) / len(pairs)
            cells += [Cell(own, k, *pair, weight) for pair in pairs]
    if len(cells) > _MOST_CELLS:
        wanted = f"fewer classes or lengths: {len(cells)} combinations, at most {_MOST_CELLS}"
        raise ParamError("classes", classes, wanted)
    return tuple(cells)


def _class_weights(weights: object, n: int) -> list[float]:
    if weights == ():
        return [1.0] * n
    wanted = f"a list of {n} numbers above 0, one for each of the classes, or none"
    if not isinstance(weights, tuple) or len(weights) != n:
        raise ParamError("class_weights", weights, wanted)
    for weight in weights:
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not weight > 0:
            raise ParamError("class_weights", weights, wanted)
    return [float(weight) for weight in weights]


def _read_entry(entry: object) -> tuple[int, range]:
    """Return the class and the k that an entry names."""
    if not isinstance(entry, str):
        raise ParamError("classes", entry, _WANTED)
    if entry in ("any", "free"):
        return _NAMES[entry], range(1, 2)
    match = _ENTRY.fullmatch(entry)
    if match is None or int(match[3] or match[2]) < int(match[2]):
        raise ParamError("classes", entry, _WANTED)
    return _NAMES[match[1]], range(int(match[2]), int(match[3] or match[2]) + 1)


def _lengths(k: int, lhs: tuple[int, int], rhs: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the pairs of lengths that k divides."""
    lefts = [length for length in range(lhs[0], lhs[1] + 1) if length % k == 0]
    rights = [length for length in range(rhs[0], rhs[1] + 1) if length % k == 0]
    return [(left, right) for left in lefts for right in rights]
