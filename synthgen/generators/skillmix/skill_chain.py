"""Chains of algorithmic skills: atoms on strings, lists, numbers and words, one after the other.

Chains are typed walks over atoms in which every pair of neighbours is about equally frequent. A
problem is kept if no value comes twice and every atom is needed for the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_bool, check_choice, check_int, check_symbols
from synthgen.core.columns import choice_text, text_bytes, text_column, text_list
from synthgen.core.conditions import Condition, bounded, one_of
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.lazy import LazyColumns
from synthgen.core.randomness import Rows
from synthgen.generators.skillmix._chain_axes import (
    AXIS_NAMES,
    PAIRS,
    chain_axes,
    measured,
    pairs_of,
)
from synthgen.generators.skillmix._chain_catalog import Atom, chosen_atoms
from synthgen.generators.skillmix._chain_codes import chain_codes, chain_signature
from synthgen.generators.skillmix._chain_draw import Drawn, draw_chains
from synthgen.generators.skillmix._chain_family import NUMBER, TYPES
from synthgen.generators.skillmix._chain_held import Choice, check_choice_of
from synthgen.generators.skillmix._chain_inputs import Sizes
from synthgen.generators.skillmix._chain_names import MOST_KEY
from synthgen.generators.skillmix._chain_opcodes import MOST_LENGTH, MOST_NUMBER
from synthgen.generators.skillmix._chain_prompts import STYLES
from synthgen.generators.skillmix._chain_tables import Request, Tables, tables_of
from synthgen.generators.skillmix._chain_text import Table, prompt_room, prompt_text, value_text

MOST_STEPS = 8
_BALANCES = ("pairs", "none")
_ENGLISH = "eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrr"
_ENGLISH += "ddddlllluuucccmmmwwffggyyppbbvkjxqz"
_ANSWER_TYPES = ("string", "integer")


@dataclass(frozen=True)
class SkillChain:
    """Typed chains of atoms, with inputs on which no atom is idle.

    Attributes:
        min_atoms, max_atoms: of a chain, 1 to 8; the number is uniform.
        atoms: that chains are made of, as `rotl2`, or all usual ones of some types, as
            `string-number`; none for all usual atoms.
        input_types, output_types: of "string", "list", "number", "words"; none for all.
        balance: "pairs", all neighbours about equally often, or "none", each next atom alike.
        normal_form: no neighbours that undo, repeat, swallow or merge with each other, and only
            one order of those that commute.
        distinct: all values of a problem differ.
        ablation: the answer changes without any one atom, or with another one of its types.
        min_length, max_length: letters of strings and numbers of lists, 1 to 40.
        alphabet: letters of strings, each alike; "" for all, as frequent as in English.
        max_entry: of lists, 1 to 999; the smallest is 0.
        max_number: of numbers, 1 to 9,999; the smallest is 1.
        min_words, max_words: 1 to 12 words of 3 to 7 letters.
        longest: string or list on the way, up to 100.
        largest: number on the way, either sign, up to 10^9.
        held_out_pairs, held_out_orders, held_out_atoms, held_out_cells: how many to choose by
            `held_key`, or names: `rev>rotl2`, `rev>rotl2` (whose other order is not held out),
            `rev`, `rev@2`. They only decide the axes `n_held_...`.
        held_key: of these choices.
        names_key: of the table of opaque names, 0 to 222.
        distractors: functions that a prompt defines and does not use, 0 to 8.
    """

    min_atoms: int = 1
    max_atoms: int = 4
    atoms: tuple[str, ...] = ()
    input_types: tuple[str, ...] = ()
    output_types: tuple[str, ...] = ()
    balance: str = "pairs"
    normal_form: bool = True
    distinct: bool = True
    ablation: bool = True
    min_length: int = 5
    max_length: int = 12
    alphabet: str = ""
    max_entry: int = 30
    max_number: int = 999
    min_words: int = 3
    max_words: int = 6
    longest: int = 40
    largest: int = 1_000_000
    held_out_pairs: Choice = 0
    held_out_orders: Choice = 0
    held_out_atoms: Choice = 0
    held_out_cells: Choice = 0
    held_key: int = 0
    names_key: int = 0
    distractors: int = 2

    version: ClassVar[int] = 1
    domain: ClassVar[str] = "skill_chain"
    verifier: ClassVar[str] = "skill_chain"
    prompts: ClassVar[tuple[str, ...]] = tuple(STYLES)
    solutions: ClassVar[tuple[str, ...]] = ("none", "trace", "partial")
    conditions: ClassVar[Mapping[str, Condition]] = {
        "n_atoms": bounded("min_atoms", "max_atoms"),
        "input_type": one_of("input_types"),
        "output_type": one_of("output_types"),
    }

    def __post_init__(self) -> None:
        check_int("max_atoms", self.max_atoms, 1, MOST_STEPS)
        check_int("min_atoms", self.min_atoms, 1, self.max_atoms)
        chosen_atoms(self.atoms)
        for name in ("input_types", "output_types"):
            value = getattr(self, name)
            if not isinstance(value, tuple) or not set(value) <= set(TYPES):
                raise ParamError(name, value, f"a list of {', '.join(TYPES)}")
        check_choice("balance", self.balance, _BALANCES)
        for name in ("normal_form", "distinct", "ablation"):
            check_bool(name, getattr(self, name))
        check_int("max_length", self.max_length, 1, 40)
        check_int("min_length", self.min_length, 1, self.max_length)
        check_symbols("alphabet", self.alphabet, ascii_lowercase)
        check_int("max_entry", self.max_entry, 1, 999)
        check_int("max_number", self.max_number, 1, 9_999)
        check_int("max_words", self.max_words, 1, 12)
        check_int("min_words", self.min_words, 1, self.max_words)
        check_int("longest", self.longest, self.max_length, MOST_LENGTH)
        check_int("largest", self.largest, self.max_number, MOST_NUMBER)
        for name in ("held_out_pairs", "held_out_orders", "held_out_atoms", "held_out_cells"):
            check_choice_of(name, getattr(self, name))
        check_int("held_key", self.held_key, 0, 2**62)
        check_int("names_key", self.names_key, 0, MOST_KEY)
        check_int("distractors", self.distractors, 0, 8)
        _ = self._tables

    @cached_property
    def _chosen(self) -> tuple[Atom, ...]:
        return chosen_atoms(self.atoms)

    @cached_property
    def _tables(self) -> Tables:
        held = (
            *(self.held_out_pairs, self.held_out_orders),
            *(self.held_out_atoms, self.held_out_cells),
        )
        return tables_of(
            Request(
                *(self._chosen, (self.min_atoms, self.max_atoms), self.input_types),
                *(self.output_types, self.balance == "pairs", self.normal_form),
                *(held, self.held_key),
            )
        )

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(
            *(self.min_length, self.max_length, self.max_entry, self.max_number),
            *(self.min_words, self.max_words, self.longest, self.largest),
        )

    @cached_property
    def signature(self) -> Signature:
        """The atoms, inputs by their type and length, letters, and numbers."""
        return chain_signature(self._chosen, self._sizes)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        counts = (self.min_atoms, self.max_atoms)
        return chain_axes(self._chosen, counts, self.longest, self.max_words)

    @property
    def space(self) -> int | None:
        """Not enumerable."""
        return None

    @property
    def fewest_problems(self) -> int | None:
        """Not known: how many inputs the guards let through has no formula."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        tables = self._tables
        letters = self.alphabet or _ENGLISH
        drawn = draw_chains(
            rows.keys,
            tables.steps,
            tables.atoms,
            (self.min_atoms, self.max_atoms),
            self._sizes,
            np.array([ord(letter) - ord("a") + 1 for letter in letters], np.int64),
            (self.distinct, self.ablation),
        )
        codes = chain_codes(drawn, tables.atoms, self.signature)
        counts = drawn.counts.astype(np.int16)
        places, ids, categories = tables.facts
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes=LazyColumns(
                LazyColumns({"n_atoms": counts}, PAIRS, lambda: pairs_of(drawn, places)),
                AXIS_NAMES,
                lambda: measured(drawn, tables.atoms, (ids, categories), tables.held),
            ),
            difficulty=counts,
            valid=drawn.kept,
            parts={"drawn": drawn},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write problems, their answers and, if asked, every value on the way."""
        drawn: Drawn = problems.parts["drawn"]
        told, atoms = STYLES[style.prompt], self._tables.atoms
        heads, middles, tails = told.frames()
        choice, names = np.zeros(len(problems), np.int64), [style.prompt]
        if len(heads) > 1:
            choice = problems.rows.branch("template").draws().integers(0, len(heads))
            names = [f"{style.prompt}_{k + 1}" for k in range(len(heads))]
        frames = (_table(heads), _table(middles), _table(tails))
        words = (
            _table(told.names(self._chosen, self.names_key)),
            _table([atom.definition for atom in self._chosen]),
            self.distractors if told.naming == "defined" else -1,
        )
        keys = problems.rows.branch("functions").keys
        room = prompt_room(drawn, *words, frames)
        prompts = prompt_text(told.order, *drawn[:4], atoms, *words, keys, choice, *frames, room)
        nothing = np.zeros(len(problems), np.int64)
        solutions = None
        if style.solution != "none":
            hidden = _hidden(problems, drawn) if style.solution == "partial" else nothing
            solutions = text_column(*value_text(*drawn[:4], atoms, hidden, 1))
        kinds = problems.axes["output_type"] == NUMBER
        return Texts(
            prompts=text_column(*prompts),
            answers=text_column(*value_text(*drawn[:4], atoms, nothing, 0)),
            answer_types=choice_text(kinds.astype(np.int8), _ANSWER_TYPES),
            templates=choice_text(choice, names),
            solutions=solutions,
        )


def _hidden(problems: Problems, drawn: Drawn) -> NDArray[np.int64]:
    """Draw which steps a partial trace leaves out: some, never the last."""
    ways = 2 ** (drawn.counts - 1) - 1
    bits = problems.rows.branch("trace").draws().integers(0, 2**40)
    return np.where(ways > 0, bits % np.maximum(ways, 1) + 1, 0)


def _table(texts: list[str]) -> Table:
    column: pa.StringArray = text_list(texts)
    return text_bytes(column)


GENERATOR = SkillChain
