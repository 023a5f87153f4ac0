"""Classic string systems: ordered string manipulation, A::B token reduction, letter insertion.

Strings and rules are drawn uniformly, and a problem is what a system does with a string until
nothing changes any more or, in manipulation, a string comes up again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_bool, check_choice, check_int, check_symbols
from synthgen.core.columns import (
    Ragged,
    choice_text,
    constant_text,
    text_bytes,
    text_column,
    text_list,
)
from synthgen.core.conditions import Condition, bounded, equal_to
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators._systems_axes import ENDINGS, fewest_strings, levels_of, system_axes
from synthgen.generators._systems_draw import Inputs, Runs, draw_inputs, input_codes, run_inputs
from synthgen.generators._systems_prompts import BARE_HEADS, RULE_TEXTS, wordings
from synthgen.generators._systems_rules import (
    AB,
    BANK,
    CYCLE,
    INSERTION,
    MANIPULATION,
    N_BANK,
    N_RULES,
    PAIRS,
    RUNS,
    SYSTEMS,
    TOKENS,
)
from synthgen.generators._systems_run import UNENDED
from synthgen.generators._systems_text import Table, answer_text, prompt_text, step_text

MOST_LETTERS = 500
MOST_STEPS = 5_000
_KNOWN = ("abcdefghijklmnopqrstuvwxyz", "", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_USUAL = ("abc", "", CYCLE)
_LABELS = ([str(place + 1) for place in range(N_BANK)], PAIRS, RUNS)


@dataclass(frozen=True)
class StringSystems:
    """Strings and what a system makes of them.

    Attributes:
        system: "manipulation", rules of a bank of 20 in a random order, of which the first that
            fits acts; "ab", tokens of A::B that cancel out or pass each other; or "insertion", a
            letter behind each of five groups of letters.
        min_length, max_length: letters or tokens of the input, 1 to 500.
        min_rules, max_rules: of the bank, 1 to 20, for manipulation alone.
        alphabet: letters of the input; "" for the system's own: abc or ABCDE. A::B has no other.
        follow: probability that a letter of insertion is the one that comes after the letter before
            it (A after E), which makes groups; 0 for independent letters.
        max_steps: a problem that takes more is dropped, 1 to 5,000.
        empty: whether problems whose answer is the empty string are kept.
    """

    system: str = "manipulation"
    min_length: int = 5
    max_length: int = 20
    min_rules: int = 3
    max_rules: int = 8
    alphabet: str = ""
    follow: float = 0.0
    max_steps: int = 1_000
    empty: bool = False

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "string_systems"
    verifier: ClassVar[str] = "string_systems"
    prompts: ClassVar[tuple[str, ...]] = ("bare", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    conditions: ClassVar[Mapping[str, Condition]] = {
        "system": equal_to("system"),
        "n_rules": bounded("min_rules", "max_rules", system=("manipulation",)),
        "input_length": bounded("min_length", "max_length"),
    }

    def __post_init__(self) -> None:
        check_choice("system", self.system, SYSTEMS)
        check_int("max_length", self.max_length, 1, MOST_LETTERS)
        check_int("min_length", self.min_length, 1, self.max_length)
        check_int("max_rules", self.max_rules, 1, N_BANK)
        check_int("min_rules", self.min_rules, 1, self.max_rules)
        check_symbols("alphabet", self.alphabet, _KNOWN[self._number])
        is_number = isinstance(self.follow, int | float) and not isinstance(self.follow, bool)
        if not is_number or not 0 <= self.follow <= 1:
            raise ParamError("follow", self.follow, "a number from 0 to 1")
        if self.follow and self._number != INSERTION:
            raise ParamError("follow", self.follow, "0 unless the system is insertion")
        check_int("max_steps", self.max_steps, 1, MOST_STEPS)
        check_bool("empty", self.empty)

    @property
    def _number(self) -> int:
        return SYSTEMS.index(self.system)

    @property
    def _letters(self) -> str:
        return self.alphabet or _USUAL[self._number]

    @cached_property
    def signature(self) -> Signature:
        """The system, lists of rules, rules of the bank, strings by their length, and letters."""
        symbols: dict[str, int] = {self.system: 1}
        if self._number == MANIPULATION:
            symbols[self.system] = 2
            symbols |= {f"program{count}": count for count in range(1, N_BANK + 1)}
            symbols |= {rule.notation: 0 for rule in BANK}
        symbols |= {f"string{length}": length for length in range(1, self.max_length + 1)}
        leaves = TOKENS if self._number == AB else self._letters
        return Signature.of(symbols | dict.fromkeys(leaves, 0))

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        return system_axes(self._rule_counts, (self.min_length, self.max_length), self.max_steps)

    @property
    def _rule_counts(self) -> tuple[int, int]:
        if self._number == MANIPULATION:
            return self.min_rules, self.max_rules
        return N_RULES[self._number], N_RULES[self._number]

    @property
    def space(self) -> int | None:
        """Not enumerable."""
        return None

    @cached_property
    def fewest_problems(self) -> int | None:
        """The different inputs that are not dropped, as far as they can be counted."""
        if self._number == INSERTION and self.follow == 1:
            return None
        return fewest_strings(
            self._number,
            (self.min_length, self.max_length),
            (self.min_rules, self.max_rules),
            self._letters,
            self.max_steps,
            empty=self.empty,
        )

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        number = self._number
        inputs = draw_inputs(
            rows.keys,
            (self.min_length, self.max_length),
            self._symbols,
            self._successor,
            float(self.follow),
            self._rule_counts if number == MANIPULATION else (0, 0),
        )
        runs = run_inputs(number, *inputs, self.max_steps)
        code = self.signature.code
        firsts = (
            code.get("program1", 1) - 1,
            code.get(BANK[0].notation, 0),
            code["string1"] - 1,
        )
        codes = Ragged(*input_codes(number, *inputs, self._letter_codes, firsts))
        axes = self._measured(inputs, runs)
        kept = axes["answer_length"] > 0 if not self.empty else np.ones(len(rows), bool)
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes=axes,
            difficulty=axes["n_steps"],
            valid=kept & (runs.ended != UNENDED),
            parts={"inputs": inputs, "answers": Ragged(runs.symbols, runs.offsets)},
        )

    def _measured(self, inputs: Inputs, runs: Runs) -> dict[str, NDArray[np.int16]]:
        lengths = np.diff(inputs.offsets)
        counts = inputs.counts if self._number == MANIPULATION else self._rule_counts[:1]
        columns: dict[str, Any] = {
            "system": np.full(len(lengths), self._number),
            "n_steps": runs.steps,
            "n_rules": np.broadcast_to(counts, lengths.shape),
            "input_length": lengths,
            "answer_length": np.diff(runs.offsets),
            "n_fired": runs.fired,
            "ended": np.minimum(runs.ended, len(ENDINGS) - 1),
        }
        columns |= levels_of(lengths, columns["n_rules"])
        return {name: column.astype(np.int16) for name, column in columns.items()}

    @property
    def _symbols(self) -> NDArray[np.uint8]:
        """What inputs are made of: bytes of letters, or numbers of tokens."""
        if self._number == AB:
            return np.arange(len(TOKENS), dtype=np.uint8)
        return np.frombuffer(self._letters.encode(), np.uint8)

    @property
    def _letter_codes(self) -> NDArray[np.uint16]:
        leaves = TOKENS if self._number == AB else tuple(self._letters)
        codes = np.zeros(256, np.uint16)
        codes[self._symbols] = [self.signature.code[leaf] for leaf in leaves]
        return codes

    @property
    def _successor(self) -> NDArray[np.uint8]:
        table = np.full(256, 255, np.uint8)
        for letter, other in zip(CYCLE, CYCLE[1:] + CYCLE[:1], strict=True):
            if other in self._letters:
                table[ord(letter)] = ord(other)
        return table

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write problems, their answers and, if asked, every state on the way."""
        number, n = self._number, len(problems)
        inputs: Inputs = problems.parts["inputs"]
        answers: Ragged = problems.parts["answers"]
        solutions = None
        if style.solution == "steps":
            labels = _table(_LABELS[number])
            solutions = text_column(*step_text(number, *inputs, self.max_steps, labels))
        prompts, templates = self._told(problems.rows, inputs, style.prompt)
        return Texts(
            prompts=prompts,
            answers=text_column(*answer_text(number, answers.values, answers.offsets)),
            answer_types=constant_text("string", n),
            templates=templates,
            solutions=solutions,
        )

    def _told(
        self, rows: Rows, inputs: Inputs, prompt: str
    ) -> tuple[pa.StringArray, pa.DictionaryArray]:
        """Write prompts; each instruction has the wording that its own draw chooses."""
        number = self._number
        numbered = int(prompt == "instruction")
        if numbered:
            heads, tails = wordings(number)
            choice = rows.branch("template").draws().integers(0, len(heads))
            names = [f"instruction_{i + 1}" for i in range(len(heads))]
        else:
            heads, tails = [BARE_HEADS[number]], [" | " if number == MANIPULATION else ""]
            choice, names = np.zeros(len(rows), np.int64), ["bare"]
        before, behind = _table(heads), _table([*tails, "`" if numbered else ""])
        rules = _table(RULE_TEXTS[prompt])
        texts = prompt_text(number, *inputs, choice, before, behind, rules, numbered)
        return text_column(*texts), choice_text(choice, names)


def _table(texts: tuple[str, ...] | list[str]) -> Table:
    return text_bytes(text_list(texts))


GENERATOR = StringSystems
