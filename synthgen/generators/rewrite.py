"""String rewriting: one rule, applied once at its leftmost place (Zhang et al. 2024).

A source has rules out of a pool that depends on parameters alone, so that sources with the same
pool and other numbers of rules never share one. With `rows` it is finite, every rule has its exact
number of rows, and addresses are a keyed permutation of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from string import ascii_lowercase
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_bool, check_choice, check_int, check_symbols
from synthgen.core.columns import Ragged, constant_text
from synthgen.core.conditions import Condition
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Codes, Signature
from synthgen.core.errors import ParamError
from synthgen.core.permutation import permutation_table
from synthgen.core.randomness import RowDraws, Rows, stream_key
from synthgen.generators import _rewrite_draw as kernels
from synthgen.generators import _rewrite_params as params
from synthgen.generators._rewrite_allocation import KINDS, Allocation, allocate
from synthgen.generators._rewrite_axes import problem_columns, rewrite_axes, rule_columns
from synthgen.generators._rewrite_choice import Choices, choose_rules, deal_rules
from synthgen.generators._rewrite_codes import PACK, STRING, rule_codes, write_derivations
from synthgen.generators._rewrite_nearly import CHANGED, NOOP_KINDS
from synthgen.generators._rewrite_pool import Cell, PoolSpec, RuleStrings, is_roomy, rule_strings
from synthgen.generators._rewrite_prompts import in_words
from synthgen.generators._rewrite_text import prompts_and_answers, steps

_MOST_LENGTH = 10_000
_MOST_RULES = 10_000_000
_MOST_ROWS = 10**12
_MOST_COUNTED = 1000
"""Letters that the bound of different problems counts: more make numbers too long to be written."""


@dataclass(frozen=True)
class Rewrite:
    """Rules x > y and strings z, in which the leftmost x becomes y.

    Attributes:
        alphabet: letters of all strings.
        min_input, max_input: length of z.
        min_lhs, max_lhs, min_rhs, max_rhs: lengths of x and y; y may be empty.
        rules: number of different rules.
        first_rule: number of the first one in the pool.
        pool: names the pool; sources with the same pool, alphabet, lengths, classes and strict
            have the same one.
        strict: no x or y of a rule is x or y of another one in the pool.
        classes: of x and y: any; free (no structure), or repeated, periodic or mirrored with one k
            or a range, such as "repeated 3-12". Each is by the string itself, see the docs.
        class_weights: of the classes; () for equal ones.
        rows: of all rules together; 0 for an endless source with rules equally likely.
        allocation: of rows to rules: uniform, power_weights, power_index, zipf or geometric.
        exponent: of the allocation.
        min_per_rule: rows that each rule has at least.
        p_noop: share of inputs without x; with `rows` exact, and for each rule as near as can be.
        hard_negatives: share of these that have something like x.
        negatives: what: x with a letter changed, a prefix of at least half of it, x reversed.
        occurrences: how often x occurs in z, overlaps aside; one of these numbers, equally likely.
        cipher: number of a permutation of the alphabet that all strings go through; 0 for none.
    """

    alphabet: str = ascii_lowercase
    min_input: int = 50
    max_input: int = 50
    min_lhs: int = 20
    max_lhs: int = 20
    min_rhs: int = 20
    max_rhs: int = 20
    rules: int = 1000
    first_rule: int = 0
    pool: int = 0
    strict: bool = True
    classes: tuple[str, ...] = ("any",)
    class_weights: tuple[float, ...] = ()
    rows: int = 0
    allocation: str = "uniform"
    exponent: float = 1.0
    min_per_rule: int = 0
    p_noop: float = 0.0
    hard_negatives: float = 0.0
    negatives: tuple[str, ...] = NOOP_KINDS[CHANGED:]
    occurrences: tuple[int, ...] = (1,)
    cipher: int = 0

    version: ClassVar[int] = 2
    domain: ClassVar[str] = "rewrite"
    verifier: ClassVar[str] = "rewrite"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = params.CONDITIONS

    def __post_init__(self) -> None:
        check_symbols("alphabet", self.alphabet, ascii_lowercase, 2)
        for name, least in (("input", 1), ("lhs", 1), ("rhs", 0)):
            longest = check_int(f"max_{name}", getattr(self, f"max_{name}"), least, _MOST_LENGTH)
            check_int(f"min_{name}", getattr(self, f"min_{name}"), least, longest)
        room = self.min_input - (self.min_rhs == 0)
        check_int("max_lhs", self.max_lhs, 1, room)
        check_int("rules", self.rules, 1, _MOST_RULES)
        check_int("first_rule", self.first_rule, 0, _MOST_RULES - self.rules)
        check_int("pool", self.pool, 0, 2**63 - 1)
        check_int("cipher", self.cipher, 0, 2**63 - 1)
        check_bool("strict", self.strict)
        params.check_times(self.occurrences, self.min_input // self.max_lhs)
        params.check_share("p_noop", self.p_noop)
        params.check_share("hard_negatives", self.hard_negatives)
        params.check_kinds(self.negatives, NOOP_KINDS[CHANGED:])
        self._check_allocation()
        self._check_pool()

    def _check_allocation(self) -> None:
        check_int("rows", self.rows, 0, _MOST_ROWS)
        check_choice("allocation", self.allocation, KINDS)
        params.check_exponent(self.exponent, self.allocation)
        check_int("min_per_rule", self.min_per_rule, 0, self.rows // self.rules)
        if not self.rows and self.allocation != "uniform":
            wanted = "uniform, or a number of rows to be allocated"
            raise ParamError("allocation", self.allocation, wanted)

    def _check_pool(self) -> None:
        """Refuse more rules than there are."""
        stop = self.first_rule + self.rules
        if is_roomy(self._pool_spec, stop):
            return
        made = self._strings.made
        if made < stop:
            wanted = f"at most {max(made - self.first_rule, 0)}: the pool has {made} rules, "
            raise ParamError("rules", self.rules, f"{wanted}and first_rule={self.first_rule}")

    @property
    def signature(self) -> Signature:
        """A symbol for each length of a string, and leaves of one, two and three letters."""
        return _signature(self._longest, self._letters.tobytes().decode())

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        return rewrite_axes(
            range(self.first_rule, self.first_rule + self.rules),
            (self.min_lhs, self.max_lhs),
            (self.min_rhs, self.max_rhs),
            (self.min_input, self.max_input),
        )

    @property
    def space(self) -> int | None:
        """Number of rows, if they are allocated."""
        return self.rows or None

    @property
    def fewest_problems(self) -> int:
        """Rules that have rows; without end each of them with many inputs.

        At given places of the occurrences, any other letters will do with which x does not begin.
        """
        if self.rows:
            return self._allocation.rules_with(1)
        taken = 0 if self.p_noop == 1 else min(self.occurrences) * self.max_lhs
        inputs: int = (len(self.alphabet) - 1) ** min(self.max_input - taken, _MOST_COUNTED)
        return self.rules * inputs

    def draw(self, rows: Rows) -> Problems:
        """Make the rules and inputs at these addresses; beyond `space` there is nothing valid."""
        numbers, absent = self._choose(rows)
        strings, n_letters = self._strings, len(self.alphabet)
        nearly = params.check_share("hard_negatives", self.hard_negatives)
        inputs, ends, found = kernels.draw_inputs(
            rows.keys,
            numbers,
            absent,
            strings.letters,
            strings.offsets,
            (self.min_input, self.max_input, n_letters, nearly),
            np.array(self.occurrences, np.int64),
            np.array([NOOP_KINDS.index(name) for name in self.negatives], np.int64),
        )
        rules = (numbers, *self._rule_codes)
        derivations = Ragged(*write_derivations(*rules, inputs, ends, n_letters, self._first_leaf))
        valid = np.full(len(rows), True)
        if self.rows:
            valid = rows.addresses < np.uint64(self.rows)
        return Problems(
            rows=rows,
            derivations=derivations,
            keys=derivation_keys(derivations, self.signature, self.domain),
            axes=problem_columns(
                numbers,
                found,
                self.first_rule,
                lambda: {**self._rule_columns, "rank": self._allocation.ranks},
            ),
            difficulty=found[kernels.LENGTH],
            valid=valid,
            parts={
                "rules": (numbers, strings.letters, strings.offsets),
                "inputs": Ragged(inputs, ends),
                "positions": found[kernels.POSITION],
            },
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write rules with inputs, results and, if asked, the place and what comes there."""
        parts = problems.parts
        rows_told = parts["rules"], parts["inputs"], parts["positions"], self._letters
        prompts, answers = prompts_and_answers(*rows_told)
        templates = constant_text("bare", len(problems))
        if style.prompt == "instruction":
            rows = problems.rows
            prompts, templates = in_words(rows, prompts, empty_sides=self.min_rhs == 0)
        told = style.solution == "steps"
        return Texts(
            prompts=prompts,
            answers=answers,
            answer_types=constant_text("string", len(problems)),
            templates=templates,
            solutions=steps(*rows_told) if told else None,
        )

    @property
    def _longest(self) -> int:
        return max(self.max_input, self.max_lhs, self.max_rhs)

    @property
    def _first_leaf(self) -> int:
        return STRING + self._longest + 1

    @cached_property
    def _cells(self) -> tuple[Cell, ...]:
        lhs, rhs = (self.min_lhs, self.max_lhs), (self.min_rhs, self.max_rhs)
        return params.rule_cells(self.classes, self.class_weights, lhs, rhs)

    @property
    def _pool_spec(self) -> PoolSpec:
        return PoolSpec(self._cells, len(self.alphabet), self.pool, self.strict)

    @property
    def _strings(self) -> RuleStrings:
        return rule_strings(self._pool_spec, self.first_rule, self.rules)

    @cached_property
    def _letters(self) -> NDArray[np.uint8]:
        """The alphabet's bytes, in the order of the cipher."""
        order = list(self.alphabet)
        if self.cipher:
            order = RowDraws(stream_key("rewrite cipher", self.cipher)).shuffled(order)
        return np.frombuffer("".join(order).encode(), np.uint8)

    @property
    def _allocation(self) -> Allocation:
        return allocate(
            self.allocation,
            float(self.exponent),
            self.rules,
            self.pool,
            self.rows or self.rules,
            self.min_per_rule,
        )

    def _choose(self, rows: Rows) -> Choices:
        """Return the rule of each row, counted from the first one, and whether it is a no-op."""
        share = params.check_share("p_noop", self.p_noop)
        if not self.rows:
            return choose_rules(rows.keys, self.rules, share)
        table, dealt = permutation_table(rows.stream, self.rows), self._allocation
        return deal_rules(rows.addresses, table, dealt.ends, dealt.starts, share)

    @cached_property
    def _rule_codes(self) -> tuple[Codes, NDArray[np.int64]]:
        strings = self._strings
        return rule_codes(strings.letters, strings.offsets, len(self.alphabet), self._first_leaf)

    @cached_property
    def _rule_columns(self) -> Mapping[str, NDArray[np.integer]]:
        strings = self._strings
        return rule_columns(strings.letters, strings.offsets, self._letters)


@lru_cache(16)
def _signature(longest: int, letters: str) -> Signature:
    """Return the symbols for strings of up to `longest` letters; making them takes a while."""
    names = ["rewrite", "rule", *(f"string{n}" for n in range(longest + 1))]
    arities = [2, 2, *(-(-n // PACK) for n in range(longest + 1))]
    for length in range(1, PACK + 1):
        names += map("".join, product(letters, repeat=length))
    return Signature((*names,), (*arities, *[0] * (len(names) - len(arities))))


GENERATOR = Rewrite
