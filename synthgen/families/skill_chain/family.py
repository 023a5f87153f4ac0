"""Chains of algorithmic skills: atoms on strings, lists, numbers and words, one after the other.

Chains are typed walks over atoms in which every pair of neighbours is about equally frequent. A
problem is kept if no value occurs twice and every atom is needed for the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import CompiledFamily, params
from synthgen.authoring.levels import levelled
from synthgen.authoring.words import parts_of
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.columns import LazyColumns, Ragged, choice_text, text_column
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.families.skill_chain.kernels import (
    MOST_DIGITS,
    PAIR_BASE,
    WORD_LENGTHS,
    Drawn,
    Source,
    derive,
    draw_chains,
    measure,
)
from synthgen.families.skill_chain.operations import MOST_LENGTH, MOST_NUMBER, OPERATION
from synthgen.families.skill_chain.tables import (
    Held,
    Shape,
    Walks,
    chosen_atoms,
    held_out,
    walks_of,
)
from synthgen.families.skill_chain.text import (
    BARE,
    CALLS,
    FIXED,
    STEPS,
    Wordings,
    prompt_room,
    prompt_text,
    table_of,
    value_text,
)
from synthgen.families.skill_chain.words import FAMILIES, NUMBER, TYPES, WORDS, Atom
from synthgen.rules.axes import Axis
from synthgen.rules.conditions import Condition, bounded, one_of
from synthgen.trees.content_keys import derivation_keys
from synthgen.trees.derivations import Signature

T = TypeVar("T")
_CATEGORIES = tuple(dict.fromkeys(family.category for family in FAMILIES))
_HELD = ("pairs", "orders", "atoms", "cells")
_ENGLISH = "eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrr"
_ENGLISH += "ddddlllluuucccmmmwwffggyyppbbvkjxqz"
"""Letters as often as in English text."""
_NAME_TABLES, _NAMES = 223, 2_048
"""Tables of opaque names, and names in each."""


class _Style(NamedTuple):
    """A prompt style: the form of the problem, its wordings, and what its atoms are called."""

    form: int
    wordings: str
    naming: str


_STYLES = {
    "bare": _Style(BARE, "bare", "label"),
    "names": _Style(STEPS, "steps", "name"),
    "names_nested": _Style(CALLS, "calls", "call"),
    "defined": _Style(STEPS, "steps", "defined"),
    "defined_nested": _Style(CALLS, "calls", "defined"),
    "opaque": _Style(STEPS, "steps", "opaque"),
    "opaque_nested": _Style(CALLS, "calls", "opaque"),
}


def _checked(default: T, check: Callable[[str, Any], object]) -> T:
    """Declare a field with a check of its own."""
    return field(default=default, metadata={"check": check})


def _check_atoms(name: str, value: Any) -> None:
    if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
        raise ParamError(name, value, "a list of names of atoms")
    chosen_atoms(value)


def _check_choice(name: str, value: Any) -> None:
    wanted = "a number from 0 to 10,000, or a list of different names"
    if isinstance(value, tuple):
        if not all(isinstance(item, str) for item in value) or len(set(value)) != len(value):
            raise ParamError(name, value, wanted)
    elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10_000:
        raise ParamError(name, value, wanted)


@levelled("n_atoms", 1, 2, 3, 4, 5, 6, 7, 8)
@dataclass(frozen=True)
class SkillChain(CompiledFamily):
    """Typed chains of atoms, with inputs on which no atom is idle.

    Attributes:
        min_atoms, max_atoms: of a chain, 1 to 8; the number is uniform.
        atoms: used in chains: labels, such as `rotl2`, or all usual ones of some types, such as
            `string-number`; empty for all usual atoms.
        input_types, output_types: of "string", "list", "number", "words"; empty for all.
        balance: "pairs" to make all pairs of neighbours about equally frequent, or "none" to make
            each next atom equally likely.
        normal_form: leave out neighbours that undo, repeat, absorb or merge with each other, and
            all but one order of those that commute.
        distinct: all values of a problem differ.
        ablation: the answer changes if any atom is left out, or replaced with another of its types.
        min_length, max_length: letters of strings and numbers of lists, 1 to 40.
        alphabet: letters of strings, equally frequent; "" for all, as frequent as in English.
        max_entry: of lists, 1 to 999; the smallest is 0.
        max_number: of numbers, 1 to 9,999; the smallest is 1.
        min_words, max_words: 1 to 12 words of 3 to 7 letters.
        longest: string or list after a step, up to 100.
        largest: number after a step, of either sign, up to 10^9.
        held_out_pairs, held_out_orders, held_out_atoms, held_out_cells: a number to choose by
            `held_key`, or names: `rev>rotl2`, `rev>rotl2` (whose other order is not held out),
            `rev`, `rev@2`. They only decide the axes `n_held_...`.
        held_key: of these choices.
        names_key: of the table of opaque names, 0 to 222.
        distractors: functions that a prompt defines but does not use, 0 to 8.
    """

    min_atoms: int = params.integer(1, 1, 8, up_to="max_atoms")
    max_atoms: int = params.integer(4, 1, 8)
    atoms: tuple[str, ...] = _checked((), _check_atoms)
    input_types: tuple[str, ...] = params.choices((), TYPES, fewest=0)
    output_types: tuple[str, ...] = params.choices((), TYPES, fewest=0)
    balance: str = params.choice("pairs", ("pairs", "none"))
    normal_form: bool = params.flag(default=True)
    distinct: bool = params.flag(default=True)
    ablation: bool = params.flag(default=True)
    min_length: int = params.integer(5, 1, 40, up_to="max_length")
    max_length: int = params.integer(12, 1, 40, up_to="longest")
    alphabet: str = params.characters("", ascii_lowercase, fewest=0)
    max_entry: int = params.integer(30, 1, 999)
    max_number: int = params.integer(999, 1, 9_999, up_to="largest")
    min_words: int = params.integer(3, 1, 12, up_to="max_words")
    max_words: int = params.integer(6, 1, 12)
    longest: int = params.integer(40, 1, MOST_LENGTH)
    largest: int = params.integer(1_000_000, 1, MOST_NUMBER)
    held_out_pairs: int | tuple[str, ...] = _checked(0, _check_choice)
    held_out_orders: int | tuple[str, ...] = _checked(0, _check_choice)
    held_out_atoms: int | tuple[str, ...] = _checked(0, _check_choice)
    held_out_cells: int | tuple[str, ...] = _checked(0, _check_choice)
    held_key: int = params.integer(0, 0, 2**62)
    names_key: int = params.integer(0, 0, _NAME_TABLES - 1)
    distractors: int = params.integer(2, 0, 8)

    version = 2
    verifier = "skill_chain"
    prompts = tuple(_STYLES)
    solutions = ("none", "trace", "partial")

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._held  # refuses chains and choices that do not exist

    @property
    def _chosen(self) -> tuple[Atom, ...]:
        return chosen_atoms(self.atoms)

    @property
    def _walks(self) -> Walks:
        lengths, balanced = (self.min_atoms, self.max_atoms), self.balance == "pairs"
        shape = Shape(lengths, self.input_types, self.output_types, balanced, self.normal_form)
        return walks_of(self._chosen, shape)

    @cached_property
    def _held(self) -> Held:
        choices = [getattr(self, f"held_out_{name}") for name in _HELD]
        return held_out(self._chosen, self._walks, choices, self.held_key)

    @cached_property
    def _source(self) -> Source:
        letters = [ord(letter) - ord("a") + 1 for letter in self.alphabet or _ENGLISH]
        return Source(
            atoms=_atom_table(self._chosen),
            steps=self._walks.steps,
            letters=np.array(letters, np.int64),
            min_atoms=self.min_atoms,
            max_atoms=self.max_atoms,
            distinct=self.distinct,
            ablation=self.ablation,
            min_length=self.min_length,
            max_length=self.max_length,
            max_entry=self.max_entry,
            max_number=self.max_number,
            min_words=self.min_words,
            max_words=self.max_words,
            bounds=(self.longest, self.largest),
        )

    @cached_property
    def signature(self) -> Signature:
        """The atoms, inputs by their type and length, letters, and numbers."""
        symbols = {atom.label: 1 for atom in self._chosen}
        strings = max(self.max_length, WORD_LENGTHS[1])
        lengths = (strings, self.max_length, MOST_DIGITS, self.max_words)
        for name, longest in zip(TYPES, lengths, strict=True):
            symbols |= {f"{name}{length}": length for length in range(1, longest + 1)}
        symbols |= dict.fromkeys(ascii_lowercase, 0)
        symbols |= {str(number): 0 for number in range(max(self.max_entry, 9) + 1)}
        return Signature.of(symbols)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        labels = tuple(atom.label for atom in self._chosen)
        most, longest = self.max_atoms, max(self.longest, self.max_words)
        items = "letters, numbers, digits or words of the"
        pair, hash_of, top = "as one number, -1 for one atom", (0, 2**62 - 1), PAIR_BASE**2 - 1
        held = (
            *(
                "neighbours that are held out as a pair",
                "neighbours that are held out in this order",
            ),
            *("atoms that are held out", "atoms that are held out at their place"),
        )
        return {
            "n_atoms": Axis("atoms of the chain", low=self.min_atoms, high=most),
            "input_type": Axis("type of the input", values=TYPES),
            "output_type": Axis("type of the answer", values=TYPES),
            "input_length": Axis(f"{items} input", low=1, high=self.longest),
            "answer_length": Axis(f"{items} answer", low=1, high=longest),
            "type_path": Axis(
                "types of all values, a digit each: 1 string, 2 list, 3 number, 4 words",
                *("int32", 11, int("4" * (most + 1))),
            ),
            "first_atom": Axis("atom that is applied first", values=labels),
            "last_atom": Axis("atom that is applied last", values=labels),
            "first_pair": Axis(f"the first two atoms {pair}", "int32", -1, top),
            "last_pair": Axis(f"the last two atoms {pair}", "int32", -1, top),
            "atom_set": Axis("hash of the set of atoms", "int64", *hash_of),
            "chain": Axis("hash of the atoms in their order", "int64", *hash_of),
            "inversions": Axis(
                "pairs of atoms that are not in the order of the catalogue",
                *("int16", 0, most * (most - 1) // 2),
            ),
            "n_distinct": Axis("different atoms of the chain", low=1, high=most),
            **{
                f"n_held_{name}": Axis(text, low=0, high=most - (k < 2), canonical=False)
                for k, (name, text) in enumerate(zip(_HELD, held, strict=True))
            },
            **{
                f"n_{name}": Axis(f"atoms of the category {name}", low=0, high=most)
                for name in _CATEGORIES
            },
        }

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The number of atoms, and the types."""
        return {
            "n_atoms": bounded("min_atoms", "max_atoms"),
            "input_type": one_of("input_types"),
            "output_type": one_of("output_types"),
        }

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        drawn = draw_chains(rows.keys, self._source)
        code = self.signature.code
        roots = np.array([code[f"{name}1"] - 1 for name in TYPES], np.int64)
        codes, offsets = derive(drawn, roots, (code["a"] - 1, code["0"]))
        trees = Ragged(codes.copy(), offsets)  # without the space that was left
        counts = drawn.counts.astype(np.int16)
        others = tuple(name for name in self.axes if name != "n_atoms")
        return Problems(
            rows=rows,
            derivations=trees,
            keys=derivation_keys(trees, self.signature, self.domain),
            axes=LazyColumns({"n_atoms": counts}, others, lambda: self._measured(drawn, others)),
            difficulty=counts,
            valid=drawn.kept,
            parts={"drawn": drawn},
        )

    def _measured(self, drawn: Drawn, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
        columns = measure(drawn, self.signature.symbol_ids, self._held, len(names))
        return {
            name: column.astype(self.axes[name].dtype)
            for name, column in zip(names, columns, strict=True)
        }

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write problems, their answers and, if asked, the value after every step."""
        drawn: Drawn = problems.parts["drawn"]
        n, words = len(problems), self._wordings(_STYLES[style.prompt])
        choice, n_wordings = np.zeros(n, np.int64), len(words.tails.starts) - 1
        names = [style.prompt]
        if n_wordings > 1:
            choice = problems.rows.branch("template").draws().integers(0, n_wordings)
            names = [f"{style.prompt}_{k + 1}" for k in range(n_wordings)]
        keys, shown = problems.rows.branch("functions").keys, np.zeros(n, np.int64)
        prompts = prompt_text(drawn, words, keys, choice, prompt_room(drawn, words))
        solutions = None
        if style.solution != "none":
            hidden = _hidden(problems, drawn) if style.solution == "partial" else shown
            solutions = text_column(*value_text(drawn, FIXED, hidden, 1))
        is_number = problems.axes["output_type"] == NUMBER
        return Texts(
            prompts=text_column(*prompts),
            answers=text_column(*value_text(drawn, FIXED, shown, 0)),
            answer_types=choice_text(is_number.astype(np.int8), ("string", "integer")),
            templates=choice_text(choice, names),
            solutions=solutions,
        )

    def _wordings(self, style: _Style) -> Wordings:
        """Return the texts of a style's prompts."""
        defined = style.naming == "defined"
        texts = [parts_of(text) for text in WORDS.wordings(style.wordings)]
        middles, tails = [text[0] for text in texts], [text[2] for text in texts]
        heads = [""] * len(texts)
        if defined:
            heads, middles = WORDS["definitions"], [f"\n\n{text}" for text in middles]
        return Wordings(
            fixed=FIXED,
            names=table_of([_called(atom, style.naming, self.names_key) for atom in self._chosen]),
            definitions=table_of([atom.definition for atom in self._chosen]),
            heads=table_of(heads),
            middles=table_of(middles),
            tails=table_of(tails),
            form=style.form,
            extra=self.distractors if defined else -1,
        )


GENERATORS = {"skill_chain": SkillChain}


def _atom_table(atoms: tuple[Atom, ...]) -> NDArray[np.int64]:
    """Return the columns of each atom that `kernels` names, int64 (m, 8)."""
    rows = []
    for place, atom in enumerate(atoms):
        types = atom.family.types
        alike = [k for k, other in enumerate(atoms) if other.family.types == types]
        partner = alike[(alike.index(place) + 1) % len(alike)]
        partner = -1 if partner == place or types[0] == types[1] else partner
        category = _CATEGORIES.index(atom.family.category)
        operation = (OPERATION[atom.family.label], *atom.argument, 0, 0)[:3]
        rows.append([*operation, *types, partner, atom.index, category])
    return np.array(rows, np.int64)


def _called(atom: Atom, naming: str, key: int) -> str:
    """Return what an atom is called in a prompt."""
    if naming == "opaque":
        return _opaque_name(atom, key)
    if naming == "name" or naming == "call":
        return atom.name if naming == "name" else atom.name.replace(" ", "_")
    return atom.label


def _opaque_name(atom: Atom, key: int) -> str:
    """Return `func_` and four letters that identify an atom under one of 223 tables.

    The letters are a number to the base 26. Divided by 2,048 it gives the key of the table, and the
    remainder is the atom's place in the catalogue, scrambled by odd factors, sums and shifts.
    """
    place = (atom.index * (8 * key + 1_109) + 37 * key + 5) % _NAMES
    place ^= place >> 6
    place = (place * (4 * key + 1_621) + 91 * key + 3) % _NAMES
    number, letters = key * _NAMES + (place ^ place >> 5), ""
    for _ in range(4):
        number, letter = divmod(number, len(ascii_lowercase))
        letters = ascii_lowercase[letter] + letters
    return f"func_{letters}"


def _hidden(problems: Problems, drawn: Drawn) -> NDArray[np.int64]:
    """Draw which steps a partial trace hides: at least one, never the last."""
    subsets = 2 ** (drawn.counts - 1) - 1
    bits = problems.rows.branch("trace").draws().integers(0, 2**40)
    return np.where(subsets > 0, bits % np.maximum(subsets, 1) + 1, 0)
