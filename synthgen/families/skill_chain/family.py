"""Chains of algorithmic skills: atoms on strings, lists, numbers and words, one after the other.

Chains are typed walks over atoms in which every pair of neighbors is about equally frequent. A
problem is kept if no value occurs twice and every atom is needed for the answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, count, pairwise, starmap
from operator import gt
from string import ascii_lowercase
from typing import Any, NamedTuple

from synthgen.authoring import (
    Axis,
    Condition,
    ParamError,
    PlainFamily,
    Problem,
    Render,
    RowDraws,
    Rows,
    Signature,
    Texts,
    Tree,
    Words,
    bounded,
    levelled,
    one_of,
    params,
    signature_of,
    text_list,
)
from synthgen.authoring.distractors import misspelt
from synthgen.families.skill_chain.operations import RULES, Rule, Value
from synthgen.families.skill_chain.tables import (
    Held,
    Walks,
    chosen_atoms,
    held_out,
    walks_of,
)
from synthgen.families.skill_chain.words import (
    ANSWER_TYPES,
    FAMILIES,
    LIST,
    NUMBER,
    STRING,
    TYPES,
    WORD_LIST,
    WORDS,
    Atom,
)

_CATEGORIES = tuple(dict.fromkeys(family.category for family in FAMILIES))
_ENGLISH = "eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrr"
_ENGLISH += "ddddlllluuucccmmmwwffggyyppbbvkjxqz"
"""Letters in the proportions of English text."""
_VOWELS, _CONSONANTS = b"aeiou", b"bcdfghjklmnpqrstvwxyz"
_MIN_WORD, _MAX_WORD = 3, 7
_REPEATS = 5
"""One in this many words repeats an earlier word."""
_TRIES, _OFFERED = 4, 10
"""Inputs tried for a chain before its row is given up."""
_MAX_LENGTH, _MAX_NUMBER = 100, 1_000_000_000
_PAIR_BASE = 4_096
_HASH_BITS = 62
_NAME_TABLES, _NAMES = 223, 2_048
"""Tables of opaque names, and names in each."""
_INPUTS = {"string": (1, 40), "list": (1, 40), "number": (1, 4), "words": (1, 12)}
"""Symbols of inputs, with the numbers of their items."""


def _wordings() -> Words:
    """Return the wordings of all styles; definitions of functions come first."""
    prompts = {"bare": ["{problem}"], "names": WORDS["steps"], "names_nested": WORDS["calls"]}
    for style, texts in (("defined", WORDS["steps"]), ("defined_nested", WORDS["calls"])):
        heads = zip(WORDS["definitions"], texts, strict=True)
        prompts[style] = [f"{head}\n{{definitions}}\n\n{text}" for head, text in heads]
    prompts |= {"opaque": WORDS["steps"], "opaque_nested": WORDS["calls"]}
    return Words({"form": WORDS["form"], "prompts": prompts})


def _check_atoms(name: str, value: Any) -> None:
    if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
        raise ParamError(name, value, "a list of names of atoms")
    chosen_atoms(value)


class _Chain(NamedTuple):
    """Atoms of a problem, by their places in the source, and all values, the input first."""

    atoms: list[int]
    values: list[Value]


@levelled("n_atoms", 1, 2, 3, 4, 5, 6, 7, 8)
@dataclass(frozen=True)
class SkillChain(PlainFamily):
    """Typed chains of atoms, with inputs on which no atom is idle.

    Attributes:
        min_atoms, max_atoms: Atoms of a chain, 1 to 8; the number is uniform.
        atoms: Atoms of chains: labels, such as `rotl2`, or all usual ones of some types, such as
            `string-number`; empty for all usual atoms.
        input_types, output_types: Types, of "string", "list", "number", "words"; empty for all.
        balance: "pairs" to make all pairs of neighbors about equally frequent, or "none" to make
            each next atom equally likely.
        normal_form: Whether to leave out neighbors that undo, repeat, absorb or merge with each
            other, and all but one order of those that commute.
        distinct: Whether all values of a problem differ.
        ablation: Whether the answer changes if any atom is left out, or replaced with another of
            its types.
        min_length, max_length: Letters of strings and numbers of lists, 1 to 40.
        alphabet: Letters of strings, equally frequent; "" for all, as frequent as in English.
        max_entry: Largest number of a list, 1 to 999; the smallest is 0.
        max_number: Largest number to start from, 1 to 9,999; the smallest is 1.
        min_words, max_words: Words of an input, 1 to 12, of 3 to 7 letters.
        longest: Length of the longest string or list after a step, up to 100.
        largest: Largest number after a step, of either sign, up to 10^9.
        held_out_pairs, held_out_orders, held_out_atoms, held_out_cells: Numbers of pairs, ordered
            pairs, atoms, and atoms at a place to choose; they only decide the axes `n_held_...`.
        held_key: Key of these choices.
        names_key: Number of the table of opaque names, 0 to 222.
        distractors: Functions that a prompt defines but does not use, 0 to 8.
    """

    min_atoms: int = params.integer(1, 1, 8, up_to="max_atoms")
    max_atoms: int = params.integer(4, 1, 8)
    atoms: tuple[str, ...] = params.checked((), _check_atoms)
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
    longest: int = params.integer(40, 1, _MAX_LENGTH)
    largest: int = params.integer(1_000_000, 1, _MAX_NUMBER)
    held_out_pairs: int = params.integer(0, 0, 10_000)
    held_out_orders: int = params.integer(0, 0, 10_000)
    held_out_atoms: int = params.integer(0, 0, 10_000)
    held_out_cells: int = params.integer(0, 0, 10_000)
    held_key: int = params.integer(0, 0, 2**62)
    names_key: int = params.integer(0, 0, _NAME_TABLES - 1)
    distractors: int = params.integer(2, 0, 8)

    version = 4
    verifier = "skill_chain"
    words = _wordings()
    prompts = words.styles
    solutions = ("none", "trace", "partial")

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._held  # raises ParamError for chains and choices that do not exist

    @property
    def _chosen(self) -> tuple[Atom, ...]:
        return chosen_atoms(self.atoms)

    @cached_property
    def _walks(self) -> Walks:
        return walks_of(
            self._chosen,
            (self.min_atoms, self.max_atoms),
            (self.input_types, self.output_types),
            balanced=self.balance == "pairs",
            normal_form=self.normal_form,
        )

    @cached_property
    def _held(self) -> Held:
        counts = (
            *(self.held_out_pairs, self.held_out_orders),
            *(self.held_out_atoms, self.held_out_cells),
        )
        return held_out(self._chosen, self._walks, counts, self.held_key)

    @cached_property
    def _rules(self) -> list[tuple[Rule, tuple[int, ...], int]]:
        """Rule of each atom, its argument, and the type of its result."""
        return [
            (RULES[atom.family.label], atom.argument, atom.family.types[1]) for atom in self._chosen
        ]

    @cached_property
    def _instead(self) -> list[list[int] | None]:
        """Atoms with which an ablation replaces each atom.

        None at all if an atom keeps the type, else the next atom of its types, if there is one.
        """
        types = [atom.family.types for atom in self._chosen]
        instead: list[list[int] | None] = []
        for place, (source, result) in enumerate(types):
            alike = [k for k, pair in enumerate(types) if pair == (source, result)]
            following = alike[(alike.index(place) + 1) % len(alike)]
            instead.append([] if source == result else None if following == place else [following])
        return instead

    @cached_property
    def signature(self) -> Signature:
        """The atoms, inputs by their type and length, letters, and numbers."""
        atoms = {atom.label: 1 for atom in self._chosen}
        return signature_of(atoms | _INPUTS | dict.fromkeys(ascii_lowercase, 0))

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        labels, most = tuple(atom.label for atom in self._chosen), self.max_atoms
        items = "letters, numbers, digits or words of the"
        pair = ("as one number, -1 for one atom", "int32", -1, _PAIR_BASE**2 - 1)
        hashed = ("int64", 0, 2**_HASH_BITS - 1)
        path = "types of all values, a digit each: 1 string, 2 list, 3 number, 4 words"
        held = {
            "pairs": ("neighbors that are held out as a pair", most - 1),
            "orders": ("neighbors that are held out in this order", most - 1),
            "atoms": ("atoms that are held out", most),
            "cells": ("atoms that are held out at their place", most),
        }
        return {
            "n_atoms": Axis("atoms of the chain", low=self.min_atoms, high=most),
            "input_type": Axis("type of the input", values=TYPES),
            "output_type": Axis("type of the answer", values=TYPES),
            "input_length": Axis(f"{items} input", low=1, high=self.longest),
            "answer_length": Axis(f"{items} answer", low=1, high=max(self.longest, self.max_words)),
            "type_path": Axis(path, "int32", 11, int("4" * (most + 1))),
            "first_atom": Axis("atom that is applied first", values=labels),
            "last_atom": Axis("atom that is applied last", values=labels),
            "first_pair": Axis(f"the first two atoms {pair[0]}", *pair[1:]),
            "last_pair": Axis(f"the last two atoms {pair[0]}", *pair[1:]),
            "atom_set": Axis("hash of the set of atoms", *hashed),
            "chain": Axis("hash of the atoms in their order", *hashed),
            "inversions": Axis(
                "pairs of atoms that are not in the order of the catalogue",
                *("int16", 0, most * (most - 1) // 2),
            ),
            "n_distinct": Axis("different atoms of the chain", low=1, high=most),
            **{
                f"n_held_{name}": Axis(text, low=0, high=high, canonical=False)
                for name, (text, high) in held.items()
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

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a chain, and inputs until one passes the guards."""
        atoms = self._walks.draw(draws.integer(self.min_atoms, self.max_atoms + 1), draws)
        kind = self._chosen[atoms[0]].family.types[0]
        for _ in range(_TRIES):
            values = self._run(atoms, self._input(kind, draws))
            if values and self._passes(atoms, values):
                return Problem(
                    tree=self._tree(atoms, _leaf(values[0])),
                    answer=_text(values[-1]),
                    axes=self._measured(atoms, values),
                    difficulty=len(atoms),
                    data=_Chain(atoms, values),
                )
        return None

    def _input(self, kind: int, draws: RowDraws) -> Value:
        """Draw the first value of a chain."""
        if kind == NUMBER:
            return draws.integer(1, self.max_number + 1)
        if kind == WORD_LIST:
            words: list[bytes] = []
            for _ in range(draws.integer(self.min_words, self.max_words + 1)):
                again = draws.integer(0, _REPEATS) == 0 and words
                words.append(draws.choice(words) if again else _word(draws))
            return tuple(words)
        length = range(draws.integer(self.min_length, self.max_length + 1))
        if kind == LIST:
            return tuple([draws.integer(0, self.max_entry + 1) for _ in length])
        letters = (self.alphabet or _ENGLISH).encode()
        return bytes([draws.choice(letters) for _ in length])

    def _run(self, atoms: Iterable[int], value: Value) -> list[Value] | None:
        """Return all values of a chain; None where one is undefined or leaves the bounds."""
        values = [value]
        for atom in atoms:
            rule, argument, kind = self._rules[atom]
            value = rule(value, *argument)
            if value is None or not self._fits(value, kind):
                return None
            values.append(value)
        return values

    def _fits(self, value: Value, kind: int) -> bool:
        if kind == NUMBER:
            return bool(-self.largest <= value <= self.largest)
        if kind == WORD_LIST:
            return len(value) > 0
        if not 0 < len(value) <= self.longest:
            return False
        return kind == STRING or max(map(abs, value)) <= self.largest

    def _passes(self, atoms: list[int], values: list[Value]) -> bool:
        """Return whether all values differ, and every ablation changes the answer."""
        if self.distinct and len(set(values)) < len(values):
            return False
        for place in reversed(range(len(atoms)) if self.ablation else ()):
            instead = self._instead[atoms[place]]
            if instead is not None:
                altered = self._run([*instead, *atoms[place + 1 :]], values[place])
                if altered and altered[-1] == values[-1]:
                    return False
        return True

    def _tree(self, atoms: list[int], tree: Tree) -> Tree:
        """Return the derivation: the last atom is the root, and the input is below the first."""
        for atom in atoms:
            tree = (self._chosen[atom].label, tree)
        return tree

    def _measured(self, atoms: list[int], values: list[Value]) -> dict[str, int | str]:
        chain, held = [self._chosen[atom] for atom in atoms], self._held
        labels = [atom.label for atom in chain]
        kinds = [chain[0].family.types[0], *(atom.family.types[1] for atom in chain)]
        numbers = [_PAIR_BASE * a.index + b.index for a, b in pairwise(chain)] or [-1]
        categories = [atom.family.category for atom in chain]
        return {
            "n_atoms": len(chain),
            "input_type": TYPES[kinds[0]],
            "output_type": TYPES[kinds[-1]],
            "input_length": _length(values[0]),
            "answer_length": _length(values[-1]),
            "type_path": int("".join(str(kind + 1) for kind in kinds)),
            "first_atom": labels[0],
            "last_atom": labels[-1],
            "first_pair": numbers[0],
            "last_pair": numbers[-1],
            "atom_set": _hash(sorted(set(labels))),
            "chain": _hash(labels),
            "inversions": sum(starmap(gt, combinations(atoms, 2))),
            "n_distinct": len(set(labels)),
            "n_held_pairs": sum(map(held.pairs.__contains__, pairwise(atoms))),
            "n_held_orders": sum(map(held.orders.__contains__, pairwise(atoms))),
            "n_held_atoms": sum(map(held.atoms.__contains__, zip(atoms, strict=True))),
            "n_held_cells": sum(map(held.cells.__contains__, zip(atoms, count(), strict=False))),
            **{f"n_{name}": categories.count(name) for name in _CATEGORIES},
        }

    def answer_type_of(self, problem: Problem) -> str:
        """Return the answer type of the last value."""
        return ANSWER_TYPES[TYPES.index(problem.axes["output_type"])]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Exchange letters or items."""
        answer = problem.answer
        if answer.startswith("["):
            items = answer.strip("[]").split(", ")
            made = misspelt(items, (), draws, _OFFERED)
            return [f"[{', '.join(each)}]" for each in made]
        if answer.isalpha():
            return [*map("".join, misspelt(answer, (), draws, _OFFERED))]
        return []

    def write(
        self, rows: Rows, problems: Sequence[Problem], answers: list[str], style: Render
    ) -> Texts:
        """Render problems in the names of the style, with their values after each step."""
        draws = rows.branch("functions").each()
        named = [
            replace(problem, holes=self._holes(problem.data, style.prompt, row_draws))
            for problem, row_draws in zip(problems, draws, strict=True)
        ]
        texts = super().write(rows, named, answers, style)
        solutions = None
        if style.solution != "none":
            pairs = zip(problems, rows.branch("trace").each(), strict=True)
            partial = style.solution == "partial"
            solutions = text_list(
                _trace(p.data, hiding if partial else None) for p, hiding in pairs
            )
        return replace(texts, solutions=solutions)

    def _holes(self, chain: _Chain, style: str, draws: RowDraws) -> dict[str, str]:
        """Return the problem in a style, and the definitions of its functions."""
        value, naming, definitions = _text(chain.values[0]), style.partition("_")[0], ""
        if naming == "defined":
            functions = self._functions(chain.atoms, draws)
            names = [functions[atom] for atom in chain.atoms]
            lines = {name: self._chosen[atom].definition for atom, name in functions.items()}
            definitions = "\n".join(f"{name} {text}." for name, text in sorted(lines.items()))
        else:
            names = [_called(self._chosen[atom], style, self.names_key) for atom in chain.atoms]
        if style == "bare":
            problem = f"{' '.join(names)} | {value}"
        elif style.endswith("_nested"):
            problem = f"{'('.join(reversed(names))}({value}{')' * len(names)}"
        else:
            first = "first " if len(names) > 1 else ""
            problem = f"{first}{', then '.join(names)}: {value}"
        return {"problem": problem, "definitions": definitions}

    def _functions(self, atoms: list[int], draws: RowDraws) -> dict[int, str]:
        """Name the atoms of a chain, and distractors, with letters in a random order."""
        used = dict.fromkeys(atoms)
        others = range(len(self._chosen))
        wanted = min(len(used) + self.distractors, len(others))
        for atom in draws.sample(others, wanted):
            if len(used) < wanted:
                used[atom] = None
        letters = draws.sample(ascii_lowercase, len(used))
        return {atom: f"func_{letter}" for atom, letter in zip(used, letters, strict=True)}


GENERATORS = {"skill_chain": SkillChain}


def _word(draws: RowDraws) -> bytes:
    """Draw a pronounceable word: consonants and vowels in turn."""
    vowel, length = draws.integer(0, 2), draws.integer(_MIN_WORD, _MAX_WORD + 1)
    return bytes(
        draws.choice(_VOWELS if (vowel + place) % 2 else _CONSONANTS) for place in range(length)
    )


def _leaf(value: Value) -> Tree:
    """Return the derivation of an input."""
    if isinstance(value, int):
        return ("number", *map(int, str(value)))
    if isinstance(value, bytes):
        return ("string", *value.decode())
    if isinstance(value[0], int):
        return ("list", *value)
    return ("words", *map(_leaf, value))


def _text(value: Value) -> str:
    """Write `compose`, `17`, `[3, 1, 4]` or `[pear, plum]`."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
    return value.decode() if isinstance(value, bytes) else str(value)


def _length(value: Value) -> int:
    """Return the number of letters, numbers, digits or words."""
    return len(str(abs(value))) if isinstance(value, int) else len(value)


def _hash(labels: Iterable[str]) -> int:
    digest = hashlib.blake2b(" ".join(labels).encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 64 - _HASH_BITS


def _trace(chain: _Chain, hiding: RowDraws | None) -> str:
    """Write the value after each step, or dots for some of them: at least one, never the last."""
    last = len(chain.atoms) - 1
    hidden = hiding.integer(1, 2**last) if hiding and last else 0
    return "\n".join(
        f"{step + 1}: {'...' if hidden >> step & 1 else _text(value)}"
        for step, value in enumerate(chain.values[1:])
    )


def _called(atom: Atom, style: str, key: int) -> str:
    if style.startswith("opaque"):
        return _opaque_name(atom, key)
    if style == "bare":
        return atom.label
    return atom.name.replace(" ", "_") if style == "names_nested" else atom.name


def _opaque_name(atom: Atom, key: int) -> str:
    """Return `func_` and four letters that identify an atom under one of 223 tables.

    The letters are a number in base 26. Divided by 2,048 it gives the key of the table, and the
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
