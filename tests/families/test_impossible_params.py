"""Params that no problem can meet together are refused at once, with their names and the limit."""

from typing import Any

import pytest

from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows

BALANCED, MODULAR = {"tasks": ("dyck_balanced",)}, {"tasks": ("modular_arithmetic",)}
SHORTEST = {"tasks": ("shortest",), "min_nodes": 4, "max_nodes": 5}
WIDE = dict.fromkeys(("min_input", "max_input", "max_lhs", "max_rhs"), 10_000)
LONG = WIDE | {"min_lhs": 10_000, "min_rhs": 10_000}
THREE = {"min_numbers": 3, "max_numbers": 3, "max_number": 10, "max_target": 2_000}
CASES = [
    ("sudoku", {"size": 4}, {"min_blanks": 10}, "min_blanks=30: expected an integer up to 12"),
    ("sokoban", {"width": 5, "min_moves": 26, "max_moves": 30}, {"min_moves": 2}, "at most 25, as"),
    ("rewrite", LONG | {"rules": 10**6}, {"rules": 10}, "at most 25000, as max_lhs=10000"),
    ("rewrite", WIDE, {"max_lhs": 20, "max_rhs": 20}, "at most 50000 combinations of a class"),
    ("automata", BALANCED | {"max_length": 3}, {"max_length": 4}, "max_length=3: expected an even"),
    (
        "chomsky",
        MODULAR | {"min_length": 8, "max_length": 8},
        {"max_length": 9},
        "max_length=8: expected an odd",
    ),
    (
        "deduction_proofs",
        {"rules": ("or_elim",), "max_depth": 1},
        {"max_depth": 2},
        "at least 2, as",
    ),
    ("graph_paths", SHORTEST | {"edges": 19}, {"edges": 15}, "max_nodes=5: expected at least 6"),
    (
        "conditional_grid",
        {"max_nesting": 2},
        {"max_nesting": 1},
        "min_distractors=3: expected at least 7, as max_nesting=2",
    ),
    (
        "conditional_grid",
        {"side": 6, "max_distractors": 31},
        {"side": 7},
        "max_distractors=31: expected at most 30, as side=6",
    ),
    (
        "grounded_commands",
        {"max_clauses": 2},
        {"min_objects": 10},
        "min_objects=4: expected at lea",
    ),
    (
        "abstract_matrices",
        {"min_rules": 4, "configurations": ("center_single",)},
        {"min_rules": 3},
        "min_rules=4: expected at most 3, as center_single",
    ),
    ("countdown", THREE | {"min_target": 1_001}, {"min_target": 100}, "expected at most 1000, as"),
    (
        "pcfg",
        {"functions": ("echo",), "root": "append"},
        {"root": "copy"},
        "root='append': expected a unary function",
    ),
    (
        "markov",
        {"stop_share": 1},
        {"min_fired": 1},
        "min_fired=2: expected at most 1, as stop_share",
    ),
    ("markov", {"max_steps": 1}, {"min_fired": 1}, "min_fired=2: expected at most 1, as max_steps"),
    ("markov", {"decoy_share": 1}, {"min_fired": 1}, "expected at most 1, as decoy_share"),
    (
        "markov",
        {"min_word": 0, "max_word": 0},
        {"empty_share": 1},
        "min_steps=1: expected at most 0",
    ),
]


@pytest.mark.parametrize(("name", "params", "other", "message"), CASES, ids=str)
def test_impossible_params_are_refused(
    name: str, params: dict[str, Any], other: dict[str, Any], message: str
) -> None:
    family: Any = generator_class(name)
    with pytest.raises(ParamError, match=message):
        family(**params)
    assert family(**params | other).draw(Rows.span(1, 0, 50)).valid.any()
