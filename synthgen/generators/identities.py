"""Term rewriting by identities (after Only-IF): an expression with one instance of a rule.

A row states an identity over meta-variables and an expression in which its left side occurs exactly
once; the answer is the expression with that occurrence rewritten. The identities are a list of our
own, see `_identities_list`; how expressions are drawn is told in `_identities_draw`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.checks import check_int, check_symbols
from synthgen.core.columns import Ragged, choice_text, constant_text, text_column
from synthgen.core.conditions import Condition, bounded, one_of
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators import _identities_text as texts
from synthgen.generators._identities_draw import Vocabulary, draw_rewrites
from synthgen.generators._identities_list import FAMILIES, IDENTITIES, NAMES
from synthgen.generators._identities_prompts import instruction_templates
from synthgen.generators._identities_terms import (
    FUNCTIONS,
    METAS,
    N_NUMBERS,
    OPERATORS,
    VARIABLES,
    name_tables,
    rules,
    signature,
    term_arities,
)

MOST_DEPTH = 6
_MOST_GROUNDINGS = 2**40
_RULE_ROOM = np.uint64(2**16)
_LEAF_SHARES = 2**16


@dataclass(frozen=True)
class Identities:
    """Expressions with one instance of an identity's left side.

    Attributes:
        first, number: the identities with the numbers first, ..., first + number - 1.
        identities: names of those in use instead; () for the numbered ones.
        min_host_depth, max_host_depth: operators above one another in the expression around the
            instance, 0 to 6.
        min_pattern_depth, max_pattern_depth: the same in the value of each meta-variable.
        operators: of the expression and the values; the identity brings its own.
        functions, variables: the same; a function has a variable as its argument.
        max_constant: constants are 1 to this, up to 99.
        function_share, constant_share: of the leaves; the others are variables.
        groundings: instances of each identity, each in many expressions; 0 for a new one in every
            row. They are drawn one by one, so that among very small ones some are equal.
    """

    first: int = 0
    number: int = len(IDENTITIES)
    identities: tuple[str, ...] = ()
    min_host_depth: int = 1
    max_host_depth: int = 3
    min_pattern_depth: int = 0
    max_pattern_depth: int = 2
    operators: str = "+-*/"
    functions: tuple[str, ...] = ("sin", "cos", "exp", "log", "sqrt")
    variables: str = "xyz"
    max_constant: int = 9
    function_share: float = 0.2
    constant_share: float = 0.3
    groundings: int = 0

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "identities"
    verifier: ClassVar[str] = "identities"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        "rule": Condition(("first",), also={"number": 1}, only={"identities": ((),)}),
        "rule_name": one_of("identities"),
        "host_depth": bounded("min_host_depth", "max_host_depth"),
        "pattern_depth": bounded("min_pattern_depth", "max_pattern_depth"),
    }

    def __post_init__(self) -> None:
        check_int("first", self.first, 0, len(IDENTITIES) - 1)
        check_int("number", self.number, 1, len(IDENTITIES) - self.first)
        _check_names("identities", self.identities, NAMES)
        check_int("max_host_depth", self.max_host_depth, 0, MOST_DEPTH)
        check_int("min_host_depth", self.min_host_depth, 0, self.max_host_depth)
        check_int("max_pattern_depth", self.max_pattern_depth, 0, MOST_DEPTH)
        check_int("min_pattern_depth", self.min_pattern_depth, 0, self.max_pattern_depth)
        check_symbols("operators", self.operators, OPERATORS, 1)
        _check_names("functions", self.functions, FUNCTIONS)
        check_symbols("variables", self.variables, VARIABLES, 1)
        check_int("max_constant", self.max_constant, 1, N_NUMBERS - 1)
        _check_share("function_share", self.function_share, 1.0 if self.functions else 0.0)
        _check_share("constant_share", self.constant_share, 1 - self.function_share)
        check_int("groundings", self.groundings, 0, _MOST_GROUNDINGS)

    @property
    def signature(self) -> Signature:
        """Operators, functions, variables, numbers, and each identity over its meta-variables."""
        return signature()

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        numbers, n_metas = self._numbers, rules().n_metas[self._numbers]
        host, pattern = self.max_host_depth, self.max_pattern_depth
        return {
            "rule": Axis("number of the identity", "int16", int(numbers.min()), int(numbers.max())),
            "rule_name": Axis("name of the identity", values=NAMES),
            "rule_family": Axis("branch of mathematics of the identity", values=FAMILIES),
            "host_depth": Axis(
                "nested operators around the instance", "int16", self.min_host_depth, host
            ),
            "pattern_depth": Axis(
                "nested operators in each value", "int16", self.min_pattern_depth, pattern
            ),
            "size": Axis("symbols of the expression", "int16", 1, self._rooms[2]),
            "match_depth": Axis("operators above the instance", "int16", 0, host),
            "n_metavariables": Axis(
                "different letters of the identity", "int16", int(n_metas.min()), int(n_metas.max())
            ),
        }

    @property
    def space(self) -> int | None:
        """Not enumerable."""
        return None

    @property
    def fewest_problems(self) -> int | None:
        """Not known: what has a second match is left out."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the expressions at these addresses; identities take turns with the address."""
        turns = rows.addresses % np.uint64(len(self._numbers))
        numbers = self._numbers[turns.astype(np.int64)]
        draws = rows.branch("shape").draws()
        depths = np.empty((len(rows), 2), np.int64)
        depths[:, 0] = draws.integers(self.min_host_depth, self.max_host_depth + 1)
        grounds = rows.branch("values")
        if self.groundings:
            which = draws.integers(0, self.groundings).astype(np.uint64)
            grounds = Rows(grounds.stream, which * _RULE_ROOM + numbers.astype(np.uint64))
        depth_draws = grounds.branch("depth").draws()
        depths[:, 1] = depth_draws.integers(self.min_pattern_depth, self.max_pattern_depth + 1)
        sides = rules()
        codes, offsets, valid, measured = draw_rewrites(
            rows.keys,
            grounds.keys,
            numbers,
            depths,
            self._vocabulary,
            (sides.left.values, sides.left.offsets),
            (sides.right.values, sides.right.offsets),
            term_arities(),
            self._rooms,
        )
        derivations = Ragged(codes, offsets)
        axes = {
            "rule": numbers.astype(np.int16),
            "rule_name": numbers.astype(np.int16),
            "rule_family": _family_codes()[numbers],
            "host_depth": depths[:, 0].astype(np.int16),
            "pattern_depth": depths[:, 1].astype(np.int16),
            "size": measured[:, 0].copy(),
            "match_depth": measured[:, 1].copy(),
            "n_metavariables": sides.n_metas[numbers].astype(np.int16),
        }
        return Problems(
            rows=rows,
            derivations=derivations,
            keys=derivation_keys(derivations, self.signature, self.domain),
            axes=axes,
            difficulty=depths.sum(axis=1).astype(np.int16),
            valid=valid,
            parts={},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write identities, expressions before and after and, if asked, the values."""
        trees, arities, names = problems.derivations, term_arities(), name_tables()
        before, after = (
            text_column(
                *texts.infix_texts(
                    *texts.expand_terms(
                        trees.values, trees.offsets, (side.values, side.offsets), arities
                    ),
                    arities,
                    names,
                )
            )
            for side in (rules().left, rules().right)
        )
        stated = choice_text(problems.axes["rule"], [each.text for each in IDENTITIES])
        prompts = pc.binary_join_element_wise(stated.dictionary_decode(), before, " | ")
        templates = constant_text("bare", len(problems))
        start, end = "", " ="
        if style.prompt == "instruction":
            prompts, templates = _instructions(problems.rows, prompts)
        else:
            prompts = pc.binary_join_element_wise(start, prompts, end, "")
        solutions = None
        if style.solution == "steps":
            lines = texts.binding_texts(trees.values, trees.offsets, arities, names)
            solutions = text_column(*lines)
        types = constant_text("string", len(problems))
        return Texts(prompts, after, types, templates, solutions)

    @property
    def _numbers(self) -> NDArray[np.int64]:
        """Numbers of the identities in use."""
        if self.identities:
            return np.array([NAMES.index(name) for name in self.identities], np.int64)
        return np.arange(self.first, self.first + self.number, dtype=np.int64)

    @property
    def _rooms(self) -> tuple[int, int, int]:
        """Codes that a host, all values, and a host with an instance have at most."""
        host, value = (3 * 2**depth - 1 for depth in (self.max_host_depth, self.max_pattern_depth))
        return host, len(METAS) * value, host + rules().longest + rules().most_uses * value

    @property
    def _vocabulary(self) -> Vocabulary:
        code = self.signature.code
        operators, functions, variables = (
            np.array([code[name] for name in names], np.uint16)
            for names in (self.operators, self.functions, self.variables)
        )
        function_share = round(_LEAF_SHARES * self.function_share)
        constant_share = round(_LEAF_SHARES * self.constant_share)
        leaves = (self.max_constant, function_share, constant_share)
        return operators, functions, variables, *leaves


def _family_codes() -> NDArray[np.int16]:
    """Return the family of each identity, int16 (k,)."""
    return np.array([FAMILIES.index(each.family) for each in IDENTITIES], np.int16)


def _instructions(
    rows: Rows, problems: pa.StringArray
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Put each problem into the wording that its own draw chooses."""
    wordings = instruction_templates()
    choice = rows.branch("template").draws().integers(0, len(wordings))
    before = choice_text(choice, [start for start, _ in wordings]).dictionary_decode()
    after = choice_text(choice, [f" ={end}" for _, end in wordings]).dictionary_decode()
    names = [f"instruction_{i + 1}" for i in range(len(wordings))]
    return pc.binary_join_element_wise(before, problems, after, ""), choice_text(choice, names)


def _check_names(name: str, value: object, known: tuple[str, ...]) -> None:
    """Raise ParamError unless the value is a tuple of different known names."""
    wanted = f"a list (in Python a tuple) of different names out of {', '.join(known)}"
    if not isinstance(value, tuple) or not all(each in known for each in value):
        raise ParamError(name, value, wanted)
    if len(set(value)) < len(value):
        raise ParamError(name, value, wanted)


def _check_share(name: str, value: object, most: float) -> None:
    """Raise ParamError unless the value is a number from 0 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ParamError(name, value, f"a number from 0 to {most:g}")


GENERATOR = Identities
