"""Skill chains: guards and axes worked out again from the text, what is held out, parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.generators.skillmix._chain_catalog import Atom, catalogue
from synthgen.generators.skillmix._chain_family import CATEGORIES, TYPES
from synthgen.generators.skillmix._chain_pairs import is_redundant
from synthgen.generators.skillmix.skill_chain import SkillChain
from synthgen.verifiers.skillmix._chain_exact import _RULES, _is_fine, _read, _written
from synthgen.verifiers.skillmix.skill_chain import VERIFIER

BARE = Render("bare", "none")
N_ROWS = 3_000
HELD: dict[str, Any] = {
    "held_out_pairs": 40,
    "held_out_orders": 30,
    "held_out_atoms": 5,
    "held_out_cells": 20,
    "max_atoms": 5,
}
WRONG: list[Mapping[str, Any]] = [
    {"min_atoms": 3, "max_atoms": 2},
    {"max_atoms": 9},
    {"max_atoms": True},
    {"atoms": ("rev", "rev")},
    {"input_types": ("letters",)},
    {"output_types": "string"},
    {"balance": "chains"},
    {"distinct": 1},
    {"min_length": 13},
    {"max_length": 41},
    {"alphabet": "aa"},
    {"max_entry": 1_000},
    {"max_number": 10_000},
    {"max_words": 13},
    {"longest": 11},
    {"largest": 998},
    {"held_out_pairs": -1},
    {"held_out_pairs": 10_000},
    {"held_out_pairs": ("rev",)},
    {"held_out_pairs": ("rev>rev",)},
    {"held_out_pairs": ("rev>sort",)},
    {"held_out_pairs": ("rev>nothing",)},
    {"held_out_orders": ("rev>length",)},
    {"held_out_orders": ("rev>rotl2", "rotl2>rev")},
    {"held_out_atoms": 69},
    {"held_out_atoms": ("caesar6",)},
    {"held_out_cells": ("rev@5",)},
    {"held_out_cells": ("rev@0",)},
    {"held_out_cells": ("wrev@7",), "max_atoms": 8, "input_types": ("string",)},
    {"held_key": -1},
    {"names_key": 223},
    {"distractors": 9},
]


def problems_of(generator: SkillChain, n: int = N_ROWS) -> Problems:
    problems = generator.draw(Rows.span(11, 0, n))
    return generator.draw(Rows(11, problems.rows.addresses[problems.valid]))


def texts_of(generator: SkillChain, style: Render = BARE, n: int = N_ROWS) -> Texts:
    return generator.render(problems_of(generator, n), style)


def run(labels: list[str], value: Any, *, without: int = -1, instead: str = "") -> list[Any] | None:
    """All values of a chain by the oracle's rules, or None where there is none."""
    values = [value]
    for place, label in enumerate(labels):
        if place == without:
            if not instead:
                continue
            label = instead
        atom = catalogue()[label]
        value = _RULES[atom.family.label](value, atom.first, atom.second)
        if not _is_fine(value):
            return None
        values.append(value)
    return values


def parsed(texts: Texts) -> list[tuple[list[str], Any]]:
    split = (prompt.split(" | ") for prompt in texts.prompts.to_pylist())
    return [(labels.split(" "), _read(told)) for labels, told in split]


def test_values_differ_and_every_atom_is_needed() -> None:
    generator = SkillChain(max_atoms=6)
    partners = {
        atom.label: generator._chosen[row[5]].label if row[5] >= 0 else ""
        for atom, row in zip(generator._chosen, generator._tables.atoms, strict=True)
    }
    texts = texts_of(generator)
    for (labels, value), answer in zip(parsed(texts), texts.answers.to_pylist(), strict=True):
        values = run(labels, value)
        assert values is not None
        assert _written(values[-1]) == answer
        assert len({(type(v), str(v)) for v in values}) == len(values)
        for place, label in enumerate(labels):
            atom = catalogue()[label]
            partner = "" if atom.types[0] == atom.types[1] else partners[label]
            if atom.types[0] == atom.types[1] or partner:
                other = run(labels, value, without=place, instead=partner)
                assert other is None or other[-1] != values[-1], (labels, value, place)
        for one, then in pairwise(labels):
            assert not is_redundant(catalogue()[one], catalogue()[then])


def broken_guards(generator: SkillChain) -> dict[str, int]:
    """How many problems have values twice, an atom that is idle, and a redundant pair."""
    found = dict.fromkeys(("distinct", "ablation", "normal_form"), 0)
    for labels, value in parsed(texts_of(generator)):
        values = run(labels, value)
        assert values is not None
        found["distinct"] += len({(type(v), str(v)) for v in values}) < len(values)
        pairs = [(catalogue()[one], catalogue()[then]) for one, then in pairwise(labels)]
        found["normal_form"] += any(is_redundant(*pair) for pair in pairs)
        changed = [
            run(labels, value, without=place)
            for place, label in enumerate(labels)
            if catalogue()[label].types[0] == catalogue()[label].types[1]
        ]
        found["ablation"] += any(v is not None and v[-1] == values[-1] for v in changed)
    return found


def test_each_guard_can_be_switched_off() -> None:
    off = {"distinct": False, "ablation": False, "normal_form": False}
    assert min(broken_guards(SkillChain(**off)).values()) > 50
    for name in off:
        alone = broken_guards(SkillChain(**{**off, name: True}))
        assert alone[name] == 0
        assert max(alone.values()) > 50


def chain_of(text: str) -> list[Atom]:
    """The atoms of a derivation in the order in which they are applied."""
    names = re.findall(r"\(([^ ()]+)", text)
    return [catalogue()[name] for name in names if name in catalogue()][::-1]


def size(told: str) -> int:
    value = _read(told)
    return len(str(abs(value))) if isinstance(value, int) else len(value)


def test_axes_follow_from_the_texts() -> None:
    generator = SkillChain(**HELD)
    problems = problems_of(generator)
    texts = generator.render(problems, BARE)
    derivations = derivation_text(problems.derivations, generator.signature).to_pylist()
    pairs, orders, atoms, cells = generator._tables.held
    column = {name: values.tolist() for name, values in problems.axes.items()}
    place = {atom.label: k for k, atom in enumerate(generator._chosen)}
    sets: dict[frozenset[str], int] = {}
    chains: dict[tuple[str, ...], int] = {}
    for i, derivation in enumerate(derivations):
        chain = chain_of(derivation)
        prompt, answer = texts.prompts[i].as_py(), texts.answers[i].as_py()
        labels, told = prompt.split(" | ")
        assert [atom.label for atom in chain] == labels.split(" ")
        types = [chain[0].types[0], *(atom.types[1] for atom in chain)]
        steps = [place[atom.label] for atom in chain]
        found = {
            "n_atoms": len(chain),
            "input_type": types[0],
            "output_type": types[-1],
            "input_length": size(told),
            "answer_length": size(answer),
            "type_path": int("".join(str(kind + 1) for kind in types)),
            "first_atom": steps[0],
            "last_atom": steps[-1],
            "first_pair": 4096 * chain[0].index + chain[1].index if len(chain) > 1 else -1,
            "last_pair": 4096 * chain[-2].index + chain[-1].index if len(chain) > 1 else -1,
            "inversions": sum(a.index > b.index for a, b in combinations(chain, 2)),
            "n_distinct": len(set(steps)),
            "n_held_pairs": sum(bool(pairs[step]) for step in pairwise(steps)),
            "n_held_orders": sum(bool(orders[step]) for step in pairwise(steps)),
            "n_held_atoms": sum(bool(atoms[step]) for step in steps),
            "n_held_cells": sum(bool(cells[step, k]) for k, step in enumerate(steps)),
        }
        for number, category in enumerate(CATEGORIES):
            found[f"n_{category}"] = sum(atom.family.category == number for atom in chain)
        assert {name: column[name][i] for name in found} == found
        names = tuple(atom.label for atom in chain)
        assert sets.setdefault(frozenset(names), column["atom_set"][i]) == column["atom_set"][i]
        assert chains.setdefault(names, column["chain"][i]) == column["chain"][i]
    assert set(column) == {*found, "atom_set", "chain"}
    assert len(set(sets.values())) == len(sets)
    assert len(set(chains.values())) == len(chains)
    for name in ("n_held_pairs", "n_held_orders", "n_held_atoms", "n_held_cells"):
        assert 0 < np.count_nonzero(column[name]) < len(column[name])


def test_what_is_held_out_is_chosen_by_the_key() -> None:
    held = SkillChain(**HELD)._tables.held
    again = SkillChain(**HELD, max_length=20)._tables.held
    other = SkillChain(**HELD, held_key=1)._tables.held
    allowed = SkillChain(**HELD)._tables.allowed
    assert all(np.array_equal(a, b) for a, b in zip(held, again, strict=True))
    assert not any(np.array_equal(a, b) for a, b in zip(held, other, strict=True))
    pairs, orders, _, cells = held
    assert [int(marks.sum()) for marks in held] == [40, 30, 5, 20]
    assert not (pairs & ~allowed).any()
    assert not (orders & ~(allowed & allowed.T)).any()
    assert not (orders & (orders.T | pairs)).any()
    # Every atom is still seen at other places, and its types with other atoms.
    assert (cells.sum(axis=1) < cells.shape[1]).all()
    assert (allowed & ~pairs).any(axis=1)[allowed.any(axis=1)].all()


def test_names_hold_out_what_they_say() -> None:
    generator = SkillChain(
        held_out_pairs=("rev>rotl2",),
        held_out_atoms=("sort",),
        held_out_cells=("atbash@1",),
        held_out_orders=("swap>evens",),
    )
    labels = [atom.label for atom in generator._chosen]
    pairs, orders, atoms, cells = generator._tables.held
    assert np.argwhere(pairs).tolist() == [[labels.index("rev"), labels.index("rotl2")]]
    assert np.argwhere(orders).tolist() == [[labels.index("swap"), labels.index("evens")]]
    assert np.flatnonzero(atoms).tolist() == [labels.index("sort")]
    assert np.argwhere(cells).tolist() == [[labels.index("atbash"), 0]]


@pytest.mark.parametrize("params", WRONG, ids=str)
def test_parameters_that_are_none(params: Mapping[str, Any]) -> None:
    with pytest.raises(ParamError):
        SkillChain(**params)


def test_inputs_have_the_sizes_asked_for() -> None:
    generator = SkillChain(
        max_atoms=1,
        min_length=3,
        max_length=4,
        alphabet="abex",
        max_entry=6,
        max_number=40,
        min_words=2,
        max_words=3,
    )
    kinds = set()
    for _, value in parsed(texts_of(generator)):
        kinds.add(type(value))
        if isinstance(value, str):
            assert 3 <= len(value) <= 4
            assert set(value) <= set("abex")
        elif isinstance(value, int):
            assert 1 <= value <= 40
        elif isinstance(value, list):
            assert 3 <= len(value) <= 4
            assert all(0 <= item <= 6 for item in value)
        else:
            assert 2 <= len(value) <= 3
            assert all(3 <= len(word) <= 7 for word in value)
    assert len(kinds) == len(TYPES)


@pytest.mark.parametrize(
    "params",
    [
        {"min_atoms": 8, "max_atoms": 8, "min_length": 40, "max_length": 40, "longest": 100},
        {"max_words": 12, "min_words": 12, "max_entry": 999, "max_number": 9_999},
        {"min_length": 1, "max_length": 1, "max_entry": 1, "max_number": 1, "min_words": 1},
        {"atoms": ("rev", "rotl1", "caesar25", "replace_xz", "insert_q9"), "distractors": 8},
        {"distractors": 0, "names_key": 222, "largest": 1_000_000_000},
    ],
    ids=str,
)
def test_all_sizes_are_written_and_read(params: Mapping[str, Any]) -> None:
    generator = SkillChain(**params)
    for prompt in generator.prompts:
        texts = texts_of(generator, Render(prompt, "trace"), 400)
        assert len(texts.prompts) > 20
        assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
        assert VERIFIER.symbolic(texts.prompts[:40], texts.answers[:40]).all()


def test_partial_traces_hide_some_steps_and_never_the_last() -> None:
    generator = SkillChain(min_atoms=2)
    problems = problems_of(generator)
    whole = generator.render(problems, Render("bare", "trace"))
    partial = generator.render(problems, Render("bare", "partial"))
    assert whole.solutions is not None
    assert partial.solutions is not None
    hidden = set()
    pairs = zip(whole.solutions.to_pylist(), partial.solutions.to_pylist(), strict=True)
    for (full, part), answer in zip(pairs, whole.answers.to_pylist(), strict=True):
        lines, fewer = full.split("\n"), part.split("\n")
        gone = [k for k, line in enumerate(fewer) if line == f"{k + 1}: ..."]
        assert gone
        assert len(lines) - 1 not in gone
        assert all(line == lines[k] for k, line in enumerate(fewer) if k not in gone)
        assert lines[-1] == f"{len(lines)}: {answer}"
        hidden.add((len(lines), tuple(gone)))
    assert len(hidden) == 1 + 3 + 7


def test_definitions_have_distractors_in_alphabetical_order() -> None:
    texts = texts_of(SkillChain(min_atoms=2, max_atoms=2, distractors=3), Render("defined", "none"))
    extra = []
    for prompt in texts.prompts.to_pylist():
        names = re.findall(r"^(func_[a-z]) ", prompt, re.MULTILINE)
        used = re.findall(r"func_[a-z]", prompt.split("`")[1])
        assert names == sorted(set(names))
        assert set(used) <= set(names)
        extra.append(len(names) - len(set(used)))
    assert max(extra) == 3
    assert np.mean(extra) > 2.9


def test_names_of_another_key_are_other_names() -> None:
    style = Render("opaque", "none")
    one, other = (texts_of(SkillChain(names_key=key), style, 300) for key in (0, 1))
    assert one.answers.equals(other.answers)
    words = [
        set(re.findall("func_[a-z]{4}", " ".join(t.prompts.to_pylist()))) for t in (one, other)
    ]
    assert len(words[0]) == len(words[1]) > 60
    assert not words[0] & words[1]
