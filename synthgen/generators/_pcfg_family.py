"""What the generators of PCFG SET share: their parameters, their programs and their texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.checks import check_choice, check_int, check_symbols
from synthgen.core.columns import Ragged, choice_text, constant_text
from synthgen.core.conditions import Condition
from synthgen.core.content import Keys, derivation_keys, text_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.lazy import LazyColumns
from synthgen.core.randomness import Rows
from synthgen.generators._pcfg_draw import draw_programs
from synthgen.generators._pcfg_measure import (
    COUNTED,
    MEANT,
    count_axes,
    measure_results,
    program_axes,
)
from synthgen.generators._pcfg_params import (
    CONDITIONS,
    check_depths,
    check_names,
    check_probability,
    check_target,
)
from synthgen.generators._pcfg_pool import Grammar, shapes_of
from synthgen.generators._pcfg_prompts import instruction_templates
from synthgen.generators._pcfg_results import result_text
from synthgen.generators._pcfg_strings import exceptional_codes
from synthgen.generators._pcfg_symbols import BINARY, FIRST_STRING, FUNCTIONS, signature_of
from synthgen.generators._pcfg_text import program_text
from synthgen.generators._pcfg_twins import choose_twins, tell_all_twins, tell_twins

_COMPARED = ("twin_function", "exception_changes")
TWINS = ("swap_first_last", "repeat", "append", "remove_second")
MOST_FUNCTIONS = 200
MOST_STRING = 64
MOST_NUMBERS = 2_000
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class PcfgFamily:
    """Programs of string functions.

    Attributes:
        letters, numbers: the alphabet, every letter with every number from 1.
        min_string, max_string: symbols of a string argument, 2 to 64.
        functions: those in use, by name.
        p_unary: probability that a function has one argument, or "random", drawn anew for every
            program from [0, 1).
        p_function: probability that an argument is a function and no string, or "random".
        min_functions, max_functions: of a program, 1 to 200.
        min_depth, max_depth: nesting of functions.
        max_text: characters from which on a program is dropped, counted with brackets, commas and
            one character a symbol.
        max_result: symbols of the longest string of any step, to 10,000.
        distribution: "published", as the published data are distributed by depth and length;
            "target", as `target` is; or "grammar", without any choice among programs.
        target: natural counts as depth, length, count, depth, length, count ... with 1 + the
            nesting of functions for the depth, and the tokens for the length.
        target_width: lengths that are one cell of the target.
        late_from: place in the pool (0 to 1) at which strings of the smallest length have run out,
            where there is a target; negative for the published one.
        root: function that every program begins with: a unary one is put in front of the drawn
            program, a binary one takes the place of a binary root. "" for any.
        twins: functions that have a synonym, as `repeat` has `repeat_twin`.
        twin_mode: "none"; "share", each call of such a function is told with the synonym with
            probability `twin_share`; or "all", all calls of one such function of the program.
        twin_share: see there.
    """

    letters: str = LETTERS
    numbers: int = 20
    min_string: int = 2
    max_string: int = 5
    functions: tuple[str, ...] = FUNCTIONS
    p_unary: float | str = "random"
    p_function: float | str = "random"
    min_functions: int = 1
    max_functions: int = 50
    min_depth: int = 1
    max_depth: int = 50
    max_text: int = 500
    max_result: int = 1_000
    distribution: str = "published"
    target: tuple[int, ...] = ()
    target_width: int = 3
    late_from: float = -1.0
    root: str = ""
    twins: tuple[str, ...] = TWINS
    twin_mode: str = "none"
    twin_share: float = 0.5

    version: ClassVar[int] = 1
    prompts: ClassVar[tuple[str, ...]] = ("bare", "bracketed", "instruction")
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps", "unrolled")
    conditions: ClassVar[Mapping[str, Condition]] = CONDITIONS
    domain: ClassVar[str]
    exceptional: ClassVar[bool]
    """Whether adjacent functions have exceptional meanings."""

    def __post_init__(self) -> None:
        check_symbols("letters", self.letters, LETTERS, 1)
        check_int("numbers", self.numbers, 1, MOST_NUMBERS)
        check_int("max_string", self.max_string, 2, MOST_STRING)
        check_int("min_string", self.min_string, 2, self.max_string)
        check_names("functions", self.functions, FUNCTIONS, 1)
        check_probability("p_unary", self.p_unary)
        check_probability("p_function", self.p_function)
        check_int("max_functions", self.max_functions, 1, MOST_FUNCTIONS)
        check_int("min_functions", self.min_functions, 1, self.max_functions)
        check_int("max_depth", self.max_depth, 1, MOST_FUNCTIONS)
        counts, depths = (self.min_functions, self.max_functions), (self.min_depth, self.max_depth)
        check_depths(counts, depths, binary=bool({*self.functions} & {*BINARY}))
        check_int("max_text", self.max_text, 10, 100_000)
        check_int("max_result", self.max_result, 2 * self.max_string, 10_000)
        check_choice("distribution", self.distribution, ("published", "target", "grammar"))
        check_int("target_width", self.target_width, 1, 100)
        if not isinstance(self.late_from, int | float) or not self.late_from <= 1:
            raise ParamError("late_from", self.late_from, "a number up to 1")
        check_target(self.target, wanted=self.distribution == "target")
        check_choice("root", self.root or FUNCTIONS[0], FUNCTIONS)
        check_names("twins", self.twins, FUNCTIONS, 0)
        check_choice("twin_mode", self.twin_mode, ("none", "share", "all"))
        if isinstance(self.twin_share, bool) or not 0 <= self.twin_share <= 1:
            raise ParamError("twin_share", self.twin_share, "a number from 0 to 1")

    @property
    def signature(self) -> Signature:
        """Functions, their synonyms, strings of each length, and the alphabet."""
        return signature_of(self.letters, self.numbers, self.max_string)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        more = int(bool(self.root))
        return program_axes(
            (self.min_functions, self.max_functions + more),
            (self.min_string, self.max_string),
            (self.min_depth, self.max_depth + more),
            self.max_result,
        )

    @property
    def space(self) -> int | None:
        """Not enumerable."""
        return None

    @property
    def fewest_problems(self) -> int | None:
        """The programs of one function, where every one of them may be drawn."""
        least = max(self.min_functions, self.min_depth)
        if least > 1 or self.root or self.distribution == "target":
            return None
        symbols = len(self.letters) * self.numbers
        lengths = range(self.min_string, self.max_string + 1)
        strings: int = sum(symbols**length for length in lengths)
        n_binary = len(set(self.functions) & set(BINARY))
        return (len(self.functions) - n_binary) * strings + n_binary * strings**2

    def draw(self, rows: Rows) -> Problems:
        """Make the programs at these addresses."""
        shapes = shapes_of(self._grammar)
        codes, offsets, valid = draw_programs(
            rows.keys,
            2 * self.max_functions + 4,
            shapes.limits,
            shapes.sizes.thresholds,
            shapes.sizes.counts,
            shapes.sizes.bounds,
            shapes.kept,
            shapes.late_from,
            shapes.unary,
            shapes.binary,
            len(self.letters) * self.numbers,
        )
        programs = Ragged(codes, offsets)
        if self.twin_mode == "share":
            keys = rows.branch("twins").keys
            told = tell_twins(codes, offsets, keys, float(self.twin_share), self._has_twin)
            programs = Ragged(told, offsets)
        elif self.twin_mode == "all":
            chosen = choose_twins(codes, offsets, self._keys(programs), self._has_twin)
            programs = Ragged(tell_all_twins(codes, offsets, chosen), offsets)
        return self._problems(rows, programs, valid)

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write programs, their results and, if asked, how they come about."""
        programs, n = problems.derivations, len(problems)
        bracketed = style.prompt == "bracketed"
        prompts = program_text(programs, self.signature, self.max_string, bracketed=bracketed)
        templates = constant_text(style.prompt, n)
        if style.prompt == "instruction":
            prompts, templates = self._instructions(problems.rows, prompts)
        answers, solutions = result_text(
            self._meant(programs),
            self.signature,
            (self.max_string, self.max_result, self.max_functions),
            style.solution,
        )
        return Texts(prompts, answers, constant_text("string", n), templates, solutions)

    @property
    def _grammar(self) -> Grammar:
        """The parameters that decide how shapes are drawn."""
        targets = {"published": None, "target": self.target, "grammar": ()}
        p_unary, p_function = (
            None if isinstance(value, str) else float(value)
            for value in (self.p_unary, self.p_function)
        )
        return Grammar(
            counts=(self.min_functions, self.max_functions),
            strings=(self.min_string, self.max_string),
            probabilities=(p_unary, p_function),
            functions=self.functions,
            depths=(self.min_depth, self.max_depth),
            max_text=self.max_text,
            max_result=self.max_result,
            root=self.root,
            target=targets[self.distribution],
            width=self.target_width,
            late_from=float(self.late_from),
        )

    @property
    def _has_twin(self) -> NDArray[np.bool_]:
        return np.array([name in self.twins for name in FUNCTIONS])

    def _keys(self, programs: Ragged) -> Keys:
        return derivation_keys(programs, self.signature, self.domain)

    def _meant(self, programs: Ragged) -> Ragged:
        """Return what the programs mean, exceptional pairs replaced."""
        if not self.exceptional:
            return programs
        return Ragged(exceptional_codes(programs.values, programs.offsets), programs.offsets)

    def _problems(self, rows: Rows, programs: Ragged, valid: NDArray[np.bool_]) -> Problems:
        """Make problems of programs: their keys and their axes."""
        codes, offsets = programs.values, programs.offsets
        keys = self._keys(programs)
        first_symbol = FIRST_STRING + self.max_string

        def measured() -> dict[str, NDArray[Any]]:
            meant = self._meant(programs)
            results = measure_results(meant.values, offsets, first_symbol)
            twins = choose_twins(codes, offsets, keys, self._has_twin)
            changes = self._exception_changes(programs, at_hand["n_exceptions"] > 0)
            others = {"twin_function": twins, "exception_changes": changes}
            return {**dict(zip(MEANT, results, strict=True)), **others}

        counted = count_axes(codes, offsets, first_symbol)
        at_hand = dict(zip(COUNTED, counted, strict=True))
        columns = LazyColumns(at_hand, (*MEANT, *_COMPARED), measured)
        return Problems(rows, programs, keys, columns, at_hand["n_functions"], valid, {})

    def _exception_changes(
        self, programs: Ragged, affected: NDArray[np.bool_]
    ) -> NDArray[np.int16]:
        """Say which of the affected programs have another result by the rules, int16 (n,)."""
        some = programs.take(np.flatnonzero(affected))
        meant = Ragged(exceptional_codes(some.values, some.offsets), some.offsets)
        ours, theirs = (text_keys(self._answers(each), "pcfg") for each in (some, meant))
        changes = np.zeros(len(programs), np.int16)
        changes[affected] = (ours != theirs).any(axis=1)
        return changes

    def _answers(self, meant: Ragged) -> pa.StringArray:
        limits = (self.max_string, self.max_result, self.max_functions)
        return result_text(meant, self.signature, limits, "none")[0]

    def _instructions(
        self, rows: Rows, programs: pa.StringArray
    ) -> tuple[pa.StringArray, pa.DictionaryArray]:
        """Put each program into the wording that its own draw chooses."""
        twins = () if self.twin_mode == "none" else self.twins
        functions = {*self.functions, self.root}
        wordings = instruction_templates(
            [name for name in FUNCTIONS if name in functions], twins, exceptions=self.exceptional
        )
        choice = rows.branch("template").draws().integers(0, len(wordings))
        before = choice_text(choice, [start for start, _ in wordings]).dictionary_decode()
        after = choice_text(choice, [end for _, end in wordings]).dictionary_decode()
        names = [f"instruction_{i + 1}" for i in range(len(wordings))]
        prompts = pc.binary_join_element_wise(before, programs, after, "")
        return prompts, choice_text(choice, names)
