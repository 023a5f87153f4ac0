"""Markov algorithms: programs of ordered string rewriting rules, run on a word (Only-IF, app. A).

Tasks: the final word, the rule that fires next, how the run ends, or the word after k steps. A row
is found by keyed attempts: programs and words are drawn until their run is as the params ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthgen.core.checks import check_bool, check_choice, check_int, check_symbols
from synthgen.core.columns import Ragged, choice_text, constant_text, text_column
from synthgen.core.conditions import Condition
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.lazy import Columns, LazyColumns
from synthgen.core.randomness import Rows
from synthgen.generators import _markov_engine as engine
from synthgen.generators._markov_checks import (
    check_any_order,
    check_names,
    check_possible,
    check_share,
)
from synthgen.generators._markov_confluence import YES
from synthgen.generators._markov_draw import draw_problems
from synthgen.generators._markov_measure import CONDITIONS, MEASURED, problem_axes
from synthgen.generators._markov_needed import measure_rules, spare_trace
from synthgen.generators._markov_prompts import instruction_templates
from synthgen.generators._markov_rules import TERMINATING, Settings
from synthgen.generators._markov_symbols import LETTERS, TASKS, signature
from synthgen.generators._markov_text import write_prompts, write_results

_HALTING = ("blocked", "stopped")
_MANY_STEPS = 10
_BLOCK = 65_536
_LATER = ("n_needed", "confluent")
_SHARES = ("stop", "empty", "cascade", "growth", "deletion", "decoy")


@dataclass(frozen=True)
class Markov:
    """Rewriting programs and what they do to a word.

    Attributes:
        task: "run" (final word), "next_rule", "status" (how the run ends) or "apply_k" (word after
            k steps).
        letters: data letters, lower case or digits; the words consist of them.
        markers: further letters for rules only, upper case.
        min_rules, max_rules: of a program, 1 to 32, with different left sides.
        min_lhs, max_lhs: letters of a left side, 1 to 16; see also `empty_share`.
        min_rhs, max_rhs: letters of a right side, 0 to 16.
        min_word, max_word: letters of the word, 0 to 200.
        strategies: a program has one of them: "markov_priority", "round_robin", "sequential_once",
            "any_order"; the last one asks for runs of terminating programs, without stop rules and
            scopes, whose rules may be used in whatever order.
        scopes: a rule has one of them: "leftmost", "rightmost", "all_nonoverlap", "all_parallel",
            "prefix", "suffix", "whole".
        terminating: what every rule makes smaller: "none", "length", "order" (pairs of letters in
            the wrong order) or "shortlex" (length, then place in the dictionary).
        stop_share: of rules that stop.
        empty_share: of programs whose last rule has an empty left side.
        cascade_share: of left sides that are a piece of an earlier rule's right side.
        growth_share, deletion_share: of rules that may make the word longer, and of rules with an
            empty right side, where the program need not terminate.
        decoy_share: of rules that nearly have an earlier rule's left side and never fire.
        min_steps, max_steps: of a run, 0 to 1,000; for "status" the budget is `max_steps`.
        max_length: letters of any word of a run, up to 500.
        min_fired: different rules that fire in a run, at least.
        statuses: how runs may end: "blocked", "stopped", and for "status" also "loop", "budget",
            "overflow".
        necessary: whether each rule that fires must be needed: without it the program has another
            answer, or none; for "run" and "status".
        allow_trivial: whether the last word may be the first one.
        steer: attempts among which the run nearest to the row's target is taken, 1 to 64; the
            target is a number of steps, each equally likely, or for "status" a status.
    """

    task: str = "run"
    letters: str = "abc"
    markers: str = ""
    min_rules: int = 3
    max_rules: int = 6
    min_lhs: int = 1
    max_lhs: int = 3
    min_rhs: int = 0
    max_rhs: int = 3
    min_word: int = 4
    max_word: int = 16
    strategies: tuple[str, ...] = ("markov_priority",)
    scopes: tuple[str, ...] = ("leftmost",)
    terminating: str = "none"
    stop_share: float = 0.1
    empty_share: float = 0.0
    cascade_share: float = 0.3
    growth_share: float = 0.2
    deletion_share: float = 0.1
    decoy_share: float = 0.1
    min_steps: int = 1
    max_steps: int = 50
    max_length: int = 60
    min_fired: int = 2
    statuses: tuple[str, ...] = engine.STATUSES[:-1]
    necessary: bool = False
    allow_trivial: bool = False
    steer: int = 2

    version: ClassVar[int] = 2
    domain: ClassVar[str] = "markov"
    verifier: ClassVar[str] = "markov"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "trace")
    conditions: ClassVar[Mapping[str, Condition]] = CONDITIONS

    def __post_init__(self) -> None:
        check_choice("task", self.task, TASKS)
        check_symbols("letters", self.letters, ascii_lowercase + digits, 1)
        check_symbols("markers", self.markers, ascii_uppercase)
        check_int("max_rules", self.max_rules, 1, engine.MOST_RULES)
        check_int("min_rules", self.min_rules, 1, self.max_rules)
        check_int("max_lhs", self.max_lhs, 1, 16)
        check_int("min_lhs", self.min_lhs, 1, self.max_lhs)
        check_int("max_rhs", self.max_rhs, 0, 16)
        check_int("min_rhs", self.min_rhs, 0, self.max_rhs)
        check_int("max_word", self.max_word, 0, 200)
        check_int("min_word", self.min_word, 0, self.max_word)
        check_names("strategies", self.strategies, engine.STRATEGIES)
        check_names("scopes", self.scopes, engine.SCOPES)
        check_choice("terminating", self.terminating, TERMINATING)
        for share in _SHARES:
            check_share(f"{share}_share", getattr(self, f"{share}_share"))
        check_int("max_steps", self.max_steps, 1, engine.MOST_STEPS)
        check_int("min_steps", self.min_steps, int(self.task == "apply_k"), self.max_steps)
        check_int("max_length", self.max_length, max(self.max_word, 1), engine.MOST_LENGTH)
        check_int("min_fired", self.min_fired, 0, self.max_rules)
        check_names("statuses", self.statuses, engine.STATUSES[:-1])
        check_bool("necessary", self.necessary)
        check_bool("allow_trivial", self.allow_trivial)
        check_int("steer", self.steer, 1, 64)
        if self.terminating != "none" and self.empty_share > 0:
            wanted = f"0, as terminating={self.terminating!r}"
            raise ParamError("empty_share", self.empty_share, wanted)
        if self.task != "status" and not set(self.statuses) & set(_HALTING):
            wanted = f"blocked or stopped, as task={self.task!r} needs a run that ends"
            raise ParamError("statuses", self.statuses, wanted)
        if self.necessary and self.task not in ("run", "status"):
            raise ParamError("necessary", self.necessary, f"false, as task={self.task!r}")
        check_any_order(self)
        check_possible(self)

    @property
    def signature(self) -> Signature:
        """Letters, strings, rules, programs, numbers and tasks."""
        return signature()

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        return problem_axes((self.min_rules, self.max_rules), self.max_steps, self.max_length)

    @property
    def space(self) -> int | None:
        """Not enumerable."""
        return None

    @property
    def block(self) -> int:
        """Addresses that selection looks at together: fewer where many attempts are in vain."""
        return _BLOCK // 8 if self.min_steps >= _MANY_STEPS else _BLOCK

    @property
    def fewest_problems(self) -> int | None:
        """Not known, as runs decide which programs are taken."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        program = engine.empty_program()
        trace = engine.empty_trace(self.max_steps, self.max_length)
        room = 8 + self.max_rules * (3 + 2 * engine.MOST_SIDE) + self.max_length
        codes, offsets, valid, measured, bounds = draw_problems(
            rows.keys, self._settings, program, trace, room
        )
        problems = Ragged(codes, offsets)
        at_hand: dict[str, Any] = dict(zip(MEASURED, measured, strict=True))
        at_hand["bound"] = bounds
        axes = LazyColumns(at_hand, _LATER, lambda: _about_rules(problems))
        if self.necessary:
            valid &= axes["n_needed"] == axes["n_fired"]
        if "any_order" in self.strategies:
            valid &= (axes["strategy"] != engine.ANY) | (axes["confluent"] == YES)
        keys = derivation_keys(problems, self.signature, self.domain)
        return Problems(rows, problems, keys, axes, axes["n_steps"], valid, {})

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write programs, what they do, and, if asked, how."""
        codes, offsets = problems.derivations.values, problems.derivations.offsets
        program = engine.empty_program()
        trace = engine.empty_trace(self.max_steps, self.max_length)
        prompts = text_column(*write_prompts(codes, offsets, program, trace))
        limits = (self.max_steps, self.max_length)
        traced = int(style.solution == "trace")
        answers, ends, lines, line_ends = write_results(
            codes, offsets, program, trace, limits, traced
        )
        templates = constant_text(self.task, len(problems))
        if style.prompt == "instruction":
            prompts, templates = self._instructions(problems.rows, prompts)
        return Texts(
            prompts=prompts,
            answers=text_column(answers, ends),
            answer_types=constant_text("string", len(problems)),
            templates=templates,
            solutions=text_column(lines, line_ends) if traced else None,
        )

    @property
    def _settings(self) -> Settings:
        """The params as kernels take them."""
        alphabet = [LETTERS.index(char) for char in self.letters + self.markers]
        statuses = [
            engine.STATUSES.index(name)
            for name in self.statuses
            if self.task == "status" or name in _HALTING
        ]
        shares = {f"{name}_share": float(getattr(self, f"{name}_share")) for name in _SHARES}
        return Settings(
            task=TASKS.index(self.task),
            letters=np.array(alphabet, np.uint8),
            n_data=len(self.letters),
            strategies=np.array([engine.STRATEGIES.index(s) for s in self.strategies], np.int64),
            scopes=np.array([engine.SCOPES.index(s) for s in self.scopes], np.int64),
            statuses=np.array(statuses, np.int64),
            terminating=TERMINATING.index(self.terminating),
            rules=(self.min_rules, self.max_rules),
            lhs=(self.min_lhs, self.max_lhs),
            rhs=(self.min_rhs, self.max_rhs),
            word=(self.min_word, self.max_word),
            steps=(self.min_steps, self.max_steps),
            max_length=self.max_length,
            min_fired=self.min_fired,
            trivial=int(self.allow_trivial),
            steer=self.steer,
            **shares,
        )

    def _instructions(
        self, rows: Rows, problems: pa.StringArray
    ) -> tuple[pa.StringArray, pa.DictionaryArray]:
        """Put each problem into the wording that its own draw chooses."""
        wordings = instruction_templates(self.task, self.strategies, self.scopes)
        choice = rows.branch("template").draws().integers(0, len(wordings))
        before = choice_text(choice, [start for start, _ in wordings]).dictionary_decode()
        after = choice_text(choice, [end for _, end in wordings]).dictionary_decode()
        names = [f"{self.task}_{i + 1}" for i in range(len(wordings))]
        prompts = pc.binary_join_element_wise(before, problems, after, "")
        return prompts, choice_text(choice, names)


def _about_rules(problems: Ragged) -> Columns:
    """Return the axes for which programs are run again without a rule, or in another order."""
    rooms = (
        engine.empty_program(),
        engine.empty_trace(engine.MOST_STEPS, engine.MOST_LENGTH),
        engine.empty_program(),
        spare_trace(),
    )
    found = measure_rules(problems.values, problems.offsets, *rooms)
    return dict(zip(_LATER, found, strict=True))


GENERATOR = Markov
