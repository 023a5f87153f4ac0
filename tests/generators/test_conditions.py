"""Params that fix an axis: every problem drawn has the value that was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from synthgen.core.conditions import Value, conditions_of
from synthgen.core.contract import Generator
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows, stream_key
from synthgen.core.registry import generator_class, generator_names
from synthgen.engine.propose import BLOCK, block_of

STREAM = stream_key(7, "source", "conditions")
BASES: dict[str, dict[str, Any]] = {
    "rewrite": {
        "min_input": 20,
        "max_input": 24,
        "rules": 5,
        "p_noop": 0.0,
        "min_lhs": 2,
        "max_lhs": 4,
        "min_rhs": 0,
        "max_rhs": 3,
    },
    "hint": {"max_operators": 4, "max_value": 40},
}
"""Params with which more axes have several values than with the defaults."""
OTHERS: list[tuple[str, dict[str, Any]]] = [
    *(("markov", {"task": task, "max_steps": 6}) for task in ("next_rule", "status", "apply_k")),
    ("rewrite_infer", {"task": "input"}),
    ("string_systems", {"system": "ab"}),
    ("cogs", {"categories": "cp_recursion"}),
    ("cogs", {"categories": "pp_recursion"}),
    ("pcfg", {"distribution": "grammar", "max_functions": 9, "max_depth": 6}),
    ("skill_chain", {"max_atoms": 2, "balance": "none"}),
    ("skill_prompt", {"ks": (1, 2, 3), "strength": 1, "rounds": 2}),
]
CASES = [
    (name, axis, params)
    for name, params in [*((name, BASES.get(name, {})) for name in generator_names()), *OTHERS]
    for axis in conditions_of(generator_class(name))
]


def values_of(generator: Generator, axis: str) -> list[Value]:
    """The first two, a middle and the last one of an axis that is named or has a range."""
    there = generator.axes[axis]
    known: list[Value] = list(there.values) or [*range(there.low or 0, (there.high or 0) + 1)]
    return list(dict.fromkeys([*known[:2], known[len(known) // 2], known[-1]]))


@pytest.mark.parametrize(
    ("name", "axis", "params"), CASES, ids=[f"{n}-{a}-{i}" for i, (n, a, _) in enumerate(CASES)]
)
def test_every_problem_has_the_value(name: str, axis: str, params: dict[str, Any]) -> None:
    kind = generator_class(name)
    condition = conditions_of(kind)[axis]
    if any(params.get(param, known[0]) not in known for param, known in condition.only.items()):
        return
    others = {param: known[0] for param, known in condition.only.items() if param not in params}
    whole = kind(**{**params, **others})
    n = 60 if block_of(whole) == BLOCK else 4
    found = 0
    for value in values_of(whole, axis):
        if condition.values and value not in condition.values:
            continue
        try:
            fixed = kind(**{**params, **others, **condition.given(value)})
        except ParamError:
            continue
        problems = fixed.draw(Rows.span(STREAM, 0, n))
        column = problems.axes[axis][problems.valid]
        there = fixed.axes[axis]
        told = there.values.index(value) if there.values else value
        assert set(column.tolist()) <= {told}, f"{axis}={value}"
        found += len(column)
    assert found, "no value gave a problem"
