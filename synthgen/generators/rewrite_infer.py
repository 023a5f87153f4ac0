"""Inference about string rewriting: the rule from pairs of strings, or the input from the output.

A problem is kept only if its answer is the only one, which is found out by trying all: every rule
that fits all pairs (the answer is the one with fewest letters), or every input of the given length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_choice, check_int, check_symbols
from synthgen.core.columns import Ragged, constant_text, text_column
from synthgen.core.conditions import Condition, bounded, equal_to
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators._infer_draw import Drawn, draw_problems, problem_codes
from synthgen.generators._infer_prompts import in_words
from synthgen.generators._infer_strings import FIRST, LHS, RHS, measure_pairs
from synthgen.generators._infer_text import prompts_and_answers, step_text

TASKS = ("rule", "input")
MOST_LETTERS = 60
MOST_PAIRS = 10


@dataclass(frozen=True)
class RewriteInfer:
    """Rules x > y, applied once at the leftmost x, told by what they do.

    Attributes:
        task: "rule", find the shortest rule that explains all pairs of input and output; or
            "input", find the string of given length that a rule turns into a given one.
        alphabet: letters of all strings.
        min_pairs, max_pairs: of the task "rule", 1 to 10.
        min_input, max_input: length of the inputs, to 60.
        min_lhs, max_lhs, min_rhs, max_rhs: lengths of x and y; y may be empty.
        p_noop: probability that a pair has no x and does not change.
    """

    task: str = "rule"
    alphabet: str = "abcd"
    min_pairs: int = 2
    max_pairs: int = 5
    min_input: int = 4
    max_input: int = 10
    min_lhs: int = 1
    max_lhs: int = 3
    min_rhs: int = 0
    max_rhs: int = 3
    p_noop: float = 0.2

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "rewrite_infer"
    verifier: ClassVar[str] = "rewrite_infer"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        "asked": equal_to("task"),
        "n_pairs": bounded("min_pairs", "max_pairs", task=("rule",)),
        "lhs_length": bounded("min_lhs", "max_lhs"),
        "rhs_length": bounded("min_rhs", "max_rhs"),
        "input_length": bounded("min_input", "max_input"),
    }

    def __post_init__(self) -> None:
        check_choice("task", self.task, TASKS)
        check_symbols("alphabet", self.alphabet, ascii_lowercase, 2)
        check_int("max_pairs", self.max_pairs, 1, MOST_PAIRS)
        check_int("min_pairs", self.min_pairs, 1, self.max_pairs)
        check_int("max_input", self.max_input, 1, MOST_LETTERS)
        check_int("min_input", self.min_input, 1, self.max_input)
        check_int("max_lhs", self.max_lhs, 1, self.min_input)
        check_int("min_lhs", self.min_lhs, 1, self.max_lhs)
        check_int("max_rhs", self.max_rhs, 0, MOST_LETTERS)
        check_int("min_rhs", self.min_rhs, 0, self.max_rhs)
        is_number = isinstance(self.p_noop, int | float) and not isinstance(self.p_noop, bool)
        if not is_number or not 0 <= self.p_noop < 1:
            raise ParamError("p_noop", self.p_noop, "a number from 0 to below 1")
        inputs = sum(
            len(self.alphabet) ** length for length in range(self.min_input, self.max_input + 1)
        )
        if self._is_rule and inputs < self.max_pairs:
            raise ParamError("max_pairs", self.max_pairs, f"at most the {inputs} different inputs")

    @property
    def _is_rule(self) -> bool:
        return self.task == "rule"

    @property
    def _most_output(self) -> int:
        return self.max_input + max(0, self.max_rhs - self.min_lhs)

    @cached_property
    def signature(self) -> Signature:
        """Pairs or a rule, strings by their length, numbers of letters, and letters."""
        if self._is_rule:
            symbols = {f"infer{count}": count for count in range(1, self.max_pairs + 1)}
            symbols["pair"] = 2
        else:
            symbols = {"invert": 3, "rule": 2}
            symbols |= {f"length{size}": 0 for size in range(1, self.max_input + 1)}
        longest = max(self._most_output, self.max_lhs, self.max_rhs)
        symbols |= {f"string{length}": length for length in range(longest + 1)}
        return Signature.of(symbols | dict.fromkeys(self.alphabet, 0))

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        most = self.max_pairs if self._is_rule else 0
        low, high = self.min_input, self.max_input
        return {
            "asked": Axis("what is asked for", values=TASKS),
            "n_pairs": Axis("pairs, 0 where the input is asked for", low=0, high=most),
            "n_noop": Axis("pairs that do not change", low=0, high=most),
            "lhs_length": Axis("letters of x", low=self.min_lhs, high=self.max_lhs),
            "rhs_length": Axis("letters of y", low=self.min_rhs, high=self.max_rhs),
            "input_length": Axis("letters of the longest input", low=low, high=high),
            "output_length": Axis("letters of the longest output", low=0, high=self._most_output),
            "n_candidates": Axis("rules that fit all pairs, or places to look at", low=1),
        }

    @property
    def space(self) -> int | None:
        """Not enumerable."""
        return None

    @property
    def fewest_problems(self) -> int | None:
        """Not known."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        drawn = draw_problems(
            rows.keys,
            int(self._is_rule),
            (self.min_pairs, self.max_pairs),
            (self.min_input, self.max_input),
            (self.min_lhs, self.max_lhs),
            (self.min_rhs, self.max_rhs),
            np.frombuffer(self.alphabet.encode(), np.uint8),
            float(self.p_noop),
        )
        code = self.signature.code
        node, many = ("pair", "infer1") if self._is_rule else ("rule", "length1")
        firsts = (code["string0"], code[node], code[many] - 1)
        strings = (int(self._is_rule), drawn.letters, drawn.marks, drawn.rows)
        codes = Ragged(*problem_codes(*strings, self._letter_codes, firsts))
        axes = self._measured(drawn)
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes=axes,
            difficulty=axes["lhs_length"] + axes["rhs_length"],
            valid=drawn.valid,
            parts={"strings": strings},
        )

    @property
    def _letter_codes(self) -> NDArray[np.uint16]:
        codes = np.zeros(256, np.uint16)
        codes[list(self.alphabet.encode())] = [self.signature.code[c] for c in self.alphabet]
        return codes

    def _measured(self, drawn: Drawn) -> dict[str, NDArray[np.int16]]:
        first, n = drawn.rows[:-1], len(drawn.valid)
        lengths = np.diff(drawn.marks)
        columns = {
            "asked": np.full(n, TASKS.index(self.task)),
            "n_pairs": np.zeros(n, np.int64),
            "n_noop": np.zeros(n, np.int64),
            "lhs_length": lengths[first + LHS],
            "rhs_length": lengths[first + RHS],
            "n_candidates": drawn.candidates,
        }
        if self._is_rule:
            columns["n_pairs"] = (np.diff(drawn.rows) - FIRST) // 2
            noops, longest, longest_output = measure_pairs(drawn.letters, drawn.marks, drawn.rows)
            columns |= {"n_noop": noops, "input_length": longest, "output_length": longest_output}
        else:
            columns["output_length"] = lengths[first + FIRST]
            columns["input_length"] = lengths[first + FIRST + 1]
        return {name: column.astype(np.int16) for name, column in columns.items()}

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write problems, their answers and, if asked, how they are seen to be right."""
        strings, n = problems.parts["strings"], len(problems)
        data, offsets, answers, answer_offsets = prompts_and_answers(*strings)
        prompts, templates = text_column(data, offsets), constant_text("bare", n)
        if style.prompt == "instruction":
            prompts, templates = in_words(
                problems.rows, prompts, is_rule=self._is_rule, empty_sides=self.min_rhs == 0
            )
        return Texts(
            prompts=prompts,
            answers=text_column(answers, answer_offsets),
            answer_types=constant_text("string", n),
            templates=templates,
            solutions=text_column(*step_text(*strings)) if style.solution == "steps" else None,
        )


GENERATOR = RewriteInfer
