"""What the generators of HINT expressions share: axes, problems from trees, and texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.columns import Ragged, choice_text, constant_text
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.lazy import LazyColumns
from synthgen.core.numerals import integer_text
from synthgen.core.randomness import Rows
from synthgen.generators._hint_expression import AXIS_NAMES, SIGNATURE, measure
from synthgen.generators._hint_prompts import instruction_templates
from synthgen.generators._hint_text import infix_text, step_text

DOMAIN = "hint"


def expression_axes(
    counts: tuple[int, int], values: tuple[int, int], *, full: bool
) -> dict[str, Axis]:
    """Return the axes of expressions.

    Args:
        counts: smallest and largest number of operators.
        values: smallest and largest value of `max_value`.
        full: whether every compound argument is parenthesised; what depends on parentheses then
            does not follow from the derivation alone.
    """
    least, most = counts
    longest = max(1, 4 * most - 1)
    return {
        "n_op": Axis("number of operators", "int16", least, most),
        "length": Axis("tokens, parentheses included", "int16", 1, longest, (), not full),
        "depth": Axis("depth of the tree, a single symbol is 1", "int16", 1, most + 1),
        "n_paren": Axis("pairs of parentheses", "int16", 0, most, (), not full),
        "paren_depth": Axis("deepest nesting of parentheses", "int16", 0, most, (), not full),
        "max_value": Axis("largest value of any node", "int32", *values),
        "result": Axis("value of the expression", "int32", 0, values[1]),
        "max_dependency": Axis(
            "longest distance between a token and its head", "int16", 0, longest, (), not full
        ),
    }


def expression_problems(
    rows: Rows, trees: Ragged, valid: NDArray[np.bool_], axes: Mapping[str, Axis], *, full: bool
) -> Problems:
    """Make problems of trees: their keys and the axes that `expression_axes` declares."""
    n_op = ((trees.lengths - 1) // 2).astype(np.int16)

    def measured() -> dict[str, NDArray[Any]]:
        columns = measure(trees.values, trees.offsets, full)
        return {name: columns[i].astype(axes[name].dtype) for i, name in enumerate(AXIS_NAMES)}

    columns = LazyColumns({"n_op": n_op}, AXIS_NAMES, measured)
    keys = derivation_keys(trees, SIGNATURE, DOMAIN)
    return Problems(rows, trees, keys, columns, n_op, valid, {})


def expression_texts(problems: Problems, style: Render, symbols: str, *, full: bool) -> Texts:
    """Write expressions, their results and, if asked, the steps.

    Args:
        problems: as `expression_problems` makes them.
        style: prompt "bare" or "instruction", solution "none" or "steps".
        symbols: in use; the wordings tell what the few-shot concepts among them mean.
        full: as in `expression_axes`.
    """
    expressions = infix_text(problems.derivations, problems.axes["length"], full)
    prompts, templates = expressions, constant_text("bare", len(problems))
    if style.prompt == "instruction":
        prompts, templates = _instructions(problems.rows, expressions, symbols)
    return Texts(
        prompts=prompts,
        answers=integer_text(problems.axes["result"].astype(np.int64)),
        answer_types=constant_text("integer", len(problems)),
        templates=templates,
        solutions=step_text(problems.derivations) if style.solution == "steps" else None,
    )


def _instructions(
    rows: Rows, expressions: pa.StringArray, symbols: str
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Put each expression into the wording that its own draw chooses."""
    wordings = instruction_templates(symbols)
    choice = rows.branch("template").draws().integers(0, len(wordings))
    before = choice_text(choice, [start for start, _ in wordings]).dictionary_decode()
    after = choice_text(choice, [end for _, end in wordings]).dictionary_decode()
    names = [f"instruction_{i + 1}" for i in range(len(wordings))]
    prompts = pc.binary_join_element_wise(before, expressions, after, "")
    return prompts, choice_text(choice, names)
