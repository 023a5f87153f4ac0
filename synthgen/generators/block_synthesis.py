"""Block synthesis: counts of nine kinds of blocks that six ordered rules turn into each other.

The multiset system of reasoning-gym's `string_synthesis`. Problems are numbered by counts and order
of the rules, and addresses are a keyed permutation of these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.core.checks import check_bool, check_choice, check_int
from synthgen.core.columns import Ragged, choice_text, constant_text, text_column
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.permutation import MOST_ITEMS, permutation_table
from synthgen.core.randomness import Rows
from synthgen.generators._blocks_rules import N_BLOCKS, N_RULES, WORDINGS
from synthgen.generators._blocks_run import count_text, problem_text, run_rows, step_text, unrank

MOST_BLOCKS = 500
STARTS = ("square", "all")
LEVELS = (10, 50, 100, 500)
"""Most blocks of a kind at each level of the published curriculum."""
_N_SQUARE = 3
_RULES = tuple(f"rule{i + 1}" for i in range(N_RULES))


@dataclass(frozen=True)
class BlockSynthesis:
    """Blocks, and what is left of them when no rule can be used.

    Attributes:
        start: kinds of blocks that there may be at the start: "square", [A] [B] [C], as published,
            or "all" nine.
        min_blocks, max_blocks: of each of these kinds, 0 to 500; with "all" at most as many as
            leave 2^63 problems.
        shuffled: whether the rules stand in any of their 720 orders, not in the published one.
    """

    start: str = "square"
    min_blocks: int = 0
    max_blocks: int = 20
    shuffled: bool = False

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "block_synthesis"
    verifier: ClassVar[str] = "block_synthesis"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")

    def __post_init__(self) -> None:
        check_choice("start", self.start, STARTS)
        check_int("max_blocks", self.max_blocks, 1, MOST_BLOCKS)
        check_int("min_blocks", self.min_blocks, 0, self.max_blocks)
        check_bool("shuffled", self.shuffled)
        if self.space > MOST_ITEMS:
            most = self.max_blocks
            while self._number_up_to(most) > MOST_ITEMS:
                most -= 1
            wanted = f"at most {most}, or the problems are more than {MOST_ITEMS}"
            raise ParamError("max_blocks", self.max_blocks, wanted)

    @property
    def _kinds(self) -> int:
        return _N_SQUARE if self.start == STARTS[0] else N_BLOCKS

    def _number_up_to(self, max_blocks: int) -> int:
        """Return how many problems have at most so many blocks of a kind."""
        orders = factorial(N_RULES) if self.shuffled else 1
        return int((max_blocks - self.min_blocks + 1) ** self._kinds * orders)

    @cached_property
    def signature(self) -> Signature:
        """The system, its rules, and numbers."""
        symbols = {"synthesis": 2, f"rules{N_RULES}": N_RULES, f"blocks{N_BLOCKS}": N_BLOCKS}
        symbols |= dict.fromkeys(_RULES, 0)
        return Signature.of(symbols | {f"#{n}": 0 for n in range(self.max_blocks + 1)})

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        most = self._kinds * self.max_blocks
        low = self._kinds * self.min_blocks
        return {
            "start": Axis("kinds of blocks at the start", values=STARTS),
            "shuffled": Axis("the rules do not stand in the published order", low=0, high=1),
            "n_steps": Axis("uses of rules", low=0, high=most),
            "n_fired": Axis("different rules that are used", low=0, high=N_RULES),
            "n_blocks": Axis("blocks at the start", low=low, high=most),
            "n_left": Axis("blocks at the end", low=0, high=most),
            "most_blocks": Axis(
                "blocks of the most frequent kind", low=self.min_blocks, high=self.max_blocks
            ),
            "blocks_level": Axis(
                "level of most_blocks: up to 10, 50, 100, 500", low=1, high=len(LEVELS)
            ),
        }

    @cached_property
    def space(self) -> int:
        """Number of different problems."""
        return self._number_up_to(self.max_blocks)

    @property
    def fewest_problems(self) -> int:
        """Every address has a problem of its own."""
        return self.space

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses; beyond `space` there is nothing valid."""
        orders, starts = unrank(
            rows.addresses % np.uint64(self.space),
            permutation_table(rows.stream, self.space),
            (self.min_blocks, self.max_blocks),
            self._kinds,
            int(self.shuffled),
        )
        ends, steps, used = run_rows(orders, starts)
        code = self.signature.code
        trees = np.empty((len(rows), 3 + N_RULES + N_BLOCKS), np.uint16)
        trees[:, 0] = code["synthesis"]
        trees[:, 1] = code[f"rules{N_RULES}"]
        trees[:, 2 : 2 + N_RULES] = code[_RULES[0]] + orders
        trees[:, 2 + N_RULES] = code[f"blocks{N_BLOCKS}"]
        trees[:, 3 + N_RULES :] = code["#0"] + starts
        offsets = np.arange(len(rows) + 1, dtype=np.int64) * trees.shape[1]
        derivations = Ragged(trees.ravel(), offsets)
        most = starts.max(axis=1)
        columns: dict[str, Any] = {
            "start": starts[:, _N_SQUARE:].any(axis=1),
            "shuffled": (orders != np.arange(N_RULES)).any(axis=1),
            "n_steps": steps,
            "n_fired": used,
            "n_blocks": starts.sum(axis=1),
            "n_left": ends.sum(axis=1),
            "most_blocks": most,
            "blocks_level": np.searchsorted(LEVELS, most) + 1,
        }
        axes = {name: column.astype(np.int16) for name, column in columns.items()}
        return Problems(
            rows=rows,
            derivations=derivations,
            keys=derivation_keys(derivations, self.signature, self.domain),
            axes=axes,
            difficulty=axes["n_steps"],
            valid=rows.addresses < np.uint64(self.space),
            parts={"orders": orders, "starts": starts, "ends": ends},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write problems, their answers and, if asked, the counts after every step."""
        orders, starts = problems.parts["orders"], problems.parts["starts"]
        prompts = text_column(*problem_text(orders, starts))
        templates = constant_text("bare", len(problems))
        if style.prompt == "instruction":
            prompts, templates = _instructions(problems.rows, prompts)
        solutions = None
        if style.solution == "steps":
            steps = problems.axes["n_steps"].astype(np.int64)
            solutions = text_column(*step_text(orders, starts, steps))
        return Texts(
            prompts=prompts,
            answers=text_column(*count_text(problems.parts["ends"])),
            answer_types=constant_text("string", len(problems)),
            templates=templates,
            solutions=solutions,
        )


def _instructions(
    rows: Rows, problems: pa.StringArray
) -> tuple[pa.StringArray, pa.DictionaryArray]:
    """Put each problem into the wording that its own draw chooses."""
    choice = rows.branch("template").draws().integers(0, len(WORDINGS))
    before = choice_text(choice, [f"{text}\n\n`" for text in WORDINGS]).dictionary_decode()
    names = [f"instruction_{i + 1}" for i in range(len(WORDINGS))]
    prompts = pc.binary_join_element_wise(before, problems, "`", "")
    return prompts, choice_text(choice, names)


GENERATOR = BlockSynthesis
