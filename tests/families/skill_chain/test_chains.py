"""Skill chains: the contract, guards and axes worked out again from the text, what is held out."""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.draws.randomness import Rows
from synthgen.families.skill_chain.words import BY_LABEL, FAMILIES, Atom
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.building import build_small, recipe_of, rows_of, source_of, split_of
from tests.families.verdicts import Verdicts, strings, valid_problems

NAME = "skill_chain"
CHAIN, VERIFIER = generator_class(NAME), load_verifier(NAME)
BARE = Render("bare", "none")
HELD: dict[str, Any] = {
    "held_out_pairs": 40,
    "held_out_orders": 30,
    "held_out_atoms": 5,
    "held_out_cells": 20,
    "max_atoms": 5,
}
PARAMS: list[dict[str, Any]] = [
    {},
    HELD,
    {"min_atoms": 8, "max_atoms": 8, "min_length": 40, "max_length": 40, "longest": 100},
    {"max_words": 12, "min_words": 12, "max_entry": 999, "max_number": 9_999, "largest": 10**9},
    {"min_length": 1, "max_length": 1, "max_entry": 1, "max_number": 1, "min_words": 1},
    {"atoms": ("rev", "rotl1", "caesar25", "replace_xz", "insert_q9"), "distractors": 8},
    {"balance": "none", "distractors": 0, "names_key": 222, "max_atoms": 2},
    {"normal_form": False, "distinct": False, "ablation": False, "alphabet": "abexz"},
]
WRONG: list[Mapping[str, Any]] = [
    *({"min_atoms": 3, "max_atoms": 2}, {"max_atoms": 9}, {"max_atoms": True}),
    *({"atoms": ("rev", "rev")}, {"atoms": ("rev", 3)}, {"atoms": "rev"}),
    *({"atoms": ("string-list", "codes")}, {"atoms": ("string-number",), "max_atoms": 2}),
    *({"input_types": ("words",), "output_types": ("number",)}, {"input_types": ("letters",)}),
    *({"output_types": "string"}, {"balance": "chains"}, {"distinct": 1}, {"min_length": 13}),
    *({"max_length": 41}, {"alphabet": "aa"}, {"max_entry": 1_000}, {"max_number": 10_000}),
    *({"max_words": 13}, {"longest": 11}, {"largest": 998}, {"distractors": 9}),
    *({"held_out_pairs": wrong} for wrong in (-1, 10_000, ("rev>rotl2",), True)),
    *({"held_out_orders": 10_000}, {"held_out_atoms": 69}, {"held_out_cells": 10_000}),
    *({"held_key": -1}, {"names_key": 223}),
]


@pytest.mark.parametrize("params", PARAMS, ids=str)
def test_contract(params: dict[str, Any]) -> None:
    check_family(NAME, params, rows=300, least_valid=0.1)


@pytest.mark.parametrize("params", WRONG, ids=str)
def test_refused_params(params: Mapping[str, Any]) -> None:
    with pytest.raises(ParamError):
        CHAIN(**params)


def test_unknown_atoms_are_named() -> None:
    with pytest.raises(UnknownNameError, match="rotl10"):
        CHAIN(atoms=("rotl10",))


def problems_of(generator: Generator, n: int = 3_000) -> Problems:
    return valid_problems(generator, Rows.span(11, 0, n))


def texts_of(generator: Generator, style: Render = BARE, n: int = 3_000) -> Texts:
    return generator.render(problems_of(generator, n), style)


def parsed(texts: Texts) -> list[tuple[list[str], str]]:
    split = (prompt.split(" | ") for prompt in texts.prompts.to_pylist())
    return [(labels.split(" "), value) for labels, value in split]


def run(labels: list[str], value: str) -> list[str] | None:
    """All values of a chain, or None where one is undefined."""
    values = [value]
    for label in labels:
        made = VERIFIER.answer(f"{label} | {values[-1]}")
        if made is None:
            return None
        values.append(made)
    return values


def keeps_type(label: str) -> bool:
    source, result = BY_LABEL[label].family.types
    return source == result


def partners_of(generator: Generator) -> dict[str, str]:
    """The next usual atom of the same types, of those that change the type."""
    found: dict[str, str] = {}
    labels = generator.axes["first_atom"].values
    for types in {BY_LABEL[label].family.types for label in labels}:
        alike = [label for label in labels if BY_LABEL[label].family.types == types]
        if types[0] != types[1] and len(alike) > 1:
            found |= dict(zip(alike, [*alike[1:], alike[0]], strict=True))
    return found


def test_values_differ_and_every_atom_is_needed() -> None:
    generator = CHAIN(max_atoms=6)
    partners, texts = partners_of(generator), texts_of(generator, n=1_500)
    for (labels, value), answer in zip(parsed(texts), texts.answers.to_pylist(), strict=True):
        values = run(labels, value)
        assert values is not None
        assert values[-1] == answer
        assert len(set(values)) == len(values)
        for place, label in enumerate(labels):
            instead = [partners[label]] if label in partners else []
            if instead or keeps_type(label):
                other = run([*labels[:place], *instead, *labels[place + 1 :]], value)
                assert other is None or other[-1] != answer, (labels, value, place)


def broken_guards(generator: Generator, allowed: set[tuple[str, str]]) -> Counter[str]:
    """How many problems have values twice, an atom that is idle, and a redundant pair."""
    found: Counter[str] = Counter()
    for labels, value in parsed(texts_of(generator, n=1_500)):
        values = run(labels, value)
        assert values is not None
        found["distinct"] += len(set(values)) < len(values)
        found["normal_form"] += not set(pairwise(labels)) <= allowed
        changed = [
            run([*labels[:place], *labels[place + 1 :]], value)
            for place, label in enumerate(labels)
            if keeps_type(label)
        ]
        found["ablation"] += any(v is not None and v[-1] == values[-1] for v in changed)
    return found


@pytest.mark.slow
def test_each_guard_can_be_switched_off() -> None:
    off = {"distinct": False, "ablation": False, "normal_form": False}
    pairs = CHAIN(min_atoms=2, max_atoms=2, distinct=False, ablation=False)
    allowed = {(a, b) for (a, b), _ in parsed(texts_of(pairs, n=20_000))}
    assert min(broken_guards(CHAIN(**off), allowed).values()) > 25
    for name in off:
        only = broken_guards(CHAIN(**{**off, name: True}), allowed)
        assert only[name] <= (3 if name == "normal_form" else 0)  # a few pairs hardly ever succeed
        assert max(only.values()) > 25


def chain_of(derivation: str) -> list[Atom]:
    """The atoms of a derivation in the order in which they are applied."""
    names = re.findall(r"\(([^ ()]+)", derivation)
    return [BY_LABEL[name] for name in names if name in BY_LABEL][::-1]


def size(value: str) -> int:
    """Letters, digits, numbers or words of a value."""
    return value.count(",") + 1 if value.startswith("[") else len(value.removeprefix("-"))


def test_axes_follow_from_the_texts() -> None:
    generator = CHAIN(max_atoms=5)
    problems = problems_of(generator)
    texts = generator.render(problems, BARE)
    derivations = derivation_text(problems.derivations, generator.signature).to_pylist()
    column = {name: values.tolist() for name, values in problems.axes.items()}
    place = {label: k for k, label in enumerate(generator.axes["first_atom"].values)}
    sets: dict[frozenset[str], int] = {}
    chains: dict[tuple[str, ...], int] = {}
    for i, derivation in enumerate(derivations):
        chain = chain_of(derivation)
        names = tuple(atom.label for atom in chain)
        labels, value = texts.prompts[i].as_py().split(" | ")
        assert " ".join(names) == labels
        types = [chain[0].family.types[0], *(atom.family.types[1] for atom in chain)]
        found = {
            "n_atoms": len(chain),
            "input_type": types[0],
            "output_type": types[-1],
            "input_length": size(value),
            "answer_length": size(texts.answers[i].as_py()),
            "type_path": int("".join(str(kind + 1) for kind in types)),
            "first_atom": place[names[0]],
            "last_atom": place[names[-1]],
            "first_pair": 4096 * chain[0].index + chain[1].index if len(chain) > 1 else -1,
            "last_pair": 4096 * chain[-2].index + chain[-1].index if len(chain) > 1 else -1,
            "inversions": sum(a.index > b.index for a, b in combinations(chain, 2)),
            "n_distinct": len(set(names)),
        }
        for category in {family.category for family in FAMILIES}:
            found[f"n_{category}"] = sum(atom.family.category == category for atom in chain)
        assert {name: column[name][i] for name in found} == found
        assert sets.setdefault(frozenset(names), column["atom_set"][i]) == column["atom_set"][i]
        assert chains.setdefault(names, column["chain"][i]) == column["chain"][i]
    held = {f"n_held_{name}" for name in ("pairs", "orders", "atoms", "cells")}
    assert set(column) == {*found, "atom_set", "chain", *held}
    assert len(set(sets.values())) == len(sets)
    assert len(set(chains.values())) == len(chains)


def held_by(**params: Any) -> dict[str, set[Any]]:
    """What is held out, as seen in chains of two atoms on lists."""
    free = {"atoms": ("list-list", "list-number"), "distinct": False, "ablation": False}
    generator = CHAIN(min_atoms=2, max_atoms=2, **free, **params)
    problems = problems_of(generator, 6_000)
    found: dict[str, set[Any]] = {"pairs": set(), "orders": set(), "atoms": set(), "all": set()}
    columns = [problems.axes[f"n_held_{name}"].tolist() for name in ("pairs", "orders", "atoms")]
    chains = [tuple(labels) for labels, _ in parsed(generator.render(problems, BARE))]
    for chain, pair, order, atoms in zip(chains, *columns, strict=True):
        found["all"].add(chain)
        found["pairs"] |= {chain} if pair else set()
        found["orders"] |= {chain} if order else set()
        found["atoms"] |= set(chain) if atoms == 2 else set()
    return found


@pytest.mark.slow
def test_what_is_held_out_is_chosen_by_the_key() -> None:
    counts = {"held_out_pairs": 20, "held_out_orders": 15, "held_out_atoms": 8}
    held, again = held_by(**counts), held_by(**counts, max_length=20)
    other = held_by(**counts, held_key=1)
    pairs, orders, allowed = held["pairs"], held["orders"], held["all"]
    assert (len(pairs), len(orders)) == (20, 15)
    assert 0 < len(held["atoms"]) <= 8
    for name in ("pairs", "orders"):
        assert held[name] == again[name] != other[name]
    assert not orders & {chain[::-1] for chain in orders}
    assert not orders & pairs
    assert {chain[::-1] for chain in orders} <= allowed - pairs
    assert {a for a, _ in allowed} == {a for a, _ in allowed - pairs}
    assert {b for _, b in allowed} == {b for _, b in allowed - pairs}


NAMED = """
[[axis]]
name = "pairs"
structures = "edges"
of = ["rotl2>rev"]
[[axis]]
name = "atoms"
structures = "symbols"
of = ["sort"]
[[axis]]
name = "cells"
structures = "placed"
of = ["atbash@0"]
"""


@pytest.mark.slow
def test_a_recipe_can_name_what_is_held_out(tmp_path: Path) -> None:
    rule = "pairs = 0 AND atoms = 0 AND cells = 0"
    text = recipe_of(
        source_of(NAME, "max_atoms = 3"),
        NAMED,
        split_of("train", 300, rule),
        split_of("test", 60, f"NOT ({rule})"),
    )
    build_small(tmp_path, text=text)
    seen: dict[str, set[int]] = {"pairs": set(), "atoms": set(), "cells": set()}
    for split in ("train", "test"):
        for row in rows_of(tmp_path / "out", split):
            labels = [atom.label for atom in chain_of(row["derivation"])]
            held = {
                "pairs": [*pairwise(labels)].count(("rev", "rotl2")),
                "atoms": labels.count("sort"),
                "cells": int(labels[-1] == "atbash"),
            }
            assert {name: row[name] for name in held} == held
            assert any(held.values()) == (split == "test")
            for name, count in held.items():
                seen[name].add(count)
    assert all({0, 1} <= counts for counts in seen.values())


def gini(values: np.ndarray[Any, Any]) -> float:
    ranks = 2 * np.arange(1, len(values) + 1) - len(values) - 1
    return float((np.sort(values) * ranks).sum() / len(values) / values.sum())


@pytest.mark.slow
def test_pairs_are_about_equally_frequent() -> None:
    found = {}
    for balance in ("pairs", "none"):
        generator = CHAIN(balance=balance, distinct=False, ablation=False)
        chains = [labels for labels, _ in parsed(texts_of(generator, n=20_000))]
        counts = Counter(pair for chain in chains for pair in pairwise(chain))
        assert 1_150 < len(counts) <= 1_163
        found[balance] = gini(np.array(list(counts.values())))
        lengths = Counter(map(len, chains))
        assert min(lengths.values()) > 0.8 * max(lengths.values())
    assert found["pairs"] < 0.14 < 0.25 < found["none"]  # 0.11 by chance


def test_inputs_have_the_sizes_asked_for() -> None:
    sizes = {"min_length": 3, "max_length": 4, "min_words": 2, "max_words": 3}
    generator = CHAIN(max_atoms=1, alphabet="abex", max_entry=6, max_number=40, **sizes)
    seen = Counter()
    for labels, value in parsed(texts_of(generator)):
        kind = BY_LABEL[labels[0]].family.types[0]
        seen[kind] += 1
        items = value.strip("[]").split(", ")
        assert [
            3 <= len(value) <= 4 and set(value) <= set("abex"),
            3 <= len(items) <= 4 and all(re.fullmatch("[0-6]", item) for item in items),
            value.isdigit() and 1 <= int(value) <= 40,
            2 <= len(items) <= 3 and all(re.fullmatch("[a-z]{3,7}", item) for item in items),
        ][kind]
    assert len(seen) == 4


def test_partial_traces_hide_some_steps_and_never_the_last() -> None:
    problems = problems_of(generator := CHAIN(min_atoms=2))
    whole, partial = (generator.render(problems, Render("bare", s)) for s in ("trace", "partial"))
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
    texts = texts_of(CHAIN(min_atoms=2, max_atoms=2, distractors=3), Render("defined", "none"))
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
    one, other = (texts_of(CHAIN(names_key=key), style, 300) for key in (0, 1))
    assert one.answers.equals(other.answers)
    words = [
        set(re.findall("func_[a-z]{4}", " ".join(t.prompts.to_pylist()))) for t in (one, other)
    ]
    assert len(words[0]) == len(words[1]) > 60
    assert not words[0] & words[1]


VERDICTS = Verdicts(NAME)
DEFINED = "func_q reverses the order of the letters of a string.\n"
ROTATE = "rotate the string left by 2 places"
FORMS = {
    "rotl2 rev caesar5 | compose": "thjxtur",
    "acronym codes sum digits | [pear, fig, plum]": "[3, 8]",
    f"first reverse the letters, then {ROTATE}: compose": "opmoces",
    "rotate_the_string_left_by_2_places(reverse_the_letters(compose))": "opmoces",
    "keep only the first letter: compose": "c",
    "func_acwn(compose)": "esopmoc",
    "func_acwn: compose": "esopmoc",
    "func_acwn | compose": "esopmoc",
    "Say it.\n\n`rev | compose`\n\nPlease.": "esopmoc",
    f"{DEFINED}func_b exchanges a with z, b with y, c with x and so on in a string.\n\n"
    "`first func_q, then func_b: compose`": "vhlknlx",
}
MALFORMED = [
    *("", " ", "`", "compose", "rev", "rev |", "rev | ", "rev |compose", "rev| compose"),
    *("| compose", " | compose", "rev  | compose", " rev | compose", "rev rotl2  | compose"),
    *("rev, rev | compose", "rev | Compose", "rev | com pose", "rev | compose ", "rev | 17"),
    *("rev | [1, 2]", "rev | [a]", "rev | compös", "rév | compose", f"rev | {'a' * 129}"),
    *("lrev | [1,2]", "lrev | [1, 2", "lrev | 1, 2]", "lrev | []", "lrev | [01]", "lrev | [1, a]"),
    *("lrev | [1, 2]]", "lrev | [ 1]", "lrev | [-0]", "add7 | 05", "add7 | -", "add7 | +5"),
    *("wrev | [fig, 1]", "wrev | [fig,, fig]", "wrev | [fig, ]", "rotl10 | compose"),
    *("rotl0 | compose", "caesar26 | compose", "replace_aa | compose", "length rev | compose"),
    *("nothing | compose", f"{'rev ' * 32}rev | compose", "mul12 mul11 | 99999999"),
    *("reverse the letters | compose", "rev: compose", "first rev, then rotl2: compose"),
    *("first reverse the letters: compose", f"reverse the letters, then {ROTATE}: compose"),
    *(f"first reverse the letters, {ROTATE}: compose", "reverse the letters:compose"),
    *("first reverse the letters, then : compose", f"first , then {ROTATE}: compose"),
    *(f"first reverse the letters, then {ROTATE}, then : compose", ": compose"),
    *("rotate the string left by 1 places: compose", "keep only the first 1 letters: compose"),
    *("reverse the letters(compose)", "reverse_the_letters(compose", "reverse_the_letters()"),
    *("reverse_the_letters compose)", "reverse_the_letters(compose))", "(compose)", "()"),
    *("reverse_the_letters((compose))", "reverse_the_letters: compose", "rev(compose)"),
    *("func_zzzz(compose)", "func_q(compose)", "func_acw(compose)", "func_acwnn(compose)"),
    "func_ACWN(compose)",
    f"{DEFINED}{DEFINED}\n`func_q: compose`",
    f"{DEFINED}func_b does something.\n\n`func_q: compose`",
    f"{DEFINED}\n`func_b: compose`",
    f"{DEFINED[:-2]}\n\n`func_q: compose`",
    f"{DEFINED.replace('_q', '_Q')}\n`func_Q: compose`",
]
SOLUTIONS = [
    ("1: esopmoc\n2: opmoces", True),
    ("1: ...\n2: opmoces", True),
    ("1: esopmoc\n2: ...", False),
    ("1: ...\n2: ...", False),
    ("2: opmoces", False),
    ("1: esopmoc", False),
    ("1: opmoces\n2: opmoces", False),
    ("1: esopmoc\n2: opmoces\n", False),
    ("1: esopmoc\n\n2: opmoces", False),
    ("1: esopmoc\n2: opmoces\n2: opmoces", False),
    ("1: esopmoc\n3: opmoces", False),
    ("1: ..\n2: opmoces", False),
    ("1: ....\n2: opmoces", False),
    ("1:esopmoc\n2: opmoces", False),
    ("01: esopmoc\n2: opmoces", False),
    ("", False),
    ("opmoces", False),
]


@pytest.mark.parametrize(("prompt", "answer"), FORMS.items())
def test_every_form_of_a_problem_is_read(prompt: str, answer: str) -> None:
    assert VERDICTS.accepts(prompt, answer)
    assert not VERDICTS.accepts(prompt, answer[:-1])


@pytest.mark.parametrize("prompt", MALFORMED)
def test_malformed_prompts_have_no_answer(prompt: str) -> None:
    assert VERDICTS.verifier.answer(prompt) is None
    for answer in ("", "compose", "esopmoc", "[]", "[1, 2]", "0", "None"):
        assert not VERDICTS.accepts(prompt, answer)


@pytest.mark.parametrize(("solution", "right"), SOLUTIONS)
def test_solutions_are_followed(solution: str, right: bool) -> None:
    assert VERDICTS.accepts("rev rotl2 | compose", "opmoces", solution) == right


def test_a_tenth_step_has_two_digits() -> None:
    prompt = f"{'caesar1 ' * 9}caesar1 | a"
    lines = [f"{k}: {chr(97 + k)}" for k in range(1, 11)]
    assert VERDICTS.accepts(prompt, "k", "\n".join(lines))
    assert not VERDICTS.accepts(prompt, "k", "\n".join([*lines[:9], "0: k"]))


def test_changed_letters_of_a_prompt_are_noticed() -> None:
    generator = CHAIN(min_atoms=2, max_atoms=2, distractors=0)
    problems = valid_problems(generator, Rows.span(2, 0, 400))
    for style in generator.prompts:
        texts = generator.render(problems, Render(style, "none"))
        prompts = texts.prompts.to_pylist()
        changed = [re.sub("[sn]", "q", prompt) for prompt in prompts]
        same = sum(a == b for a, b in zip(changed, prompts, strict=True))
        accepted = VERDICTS.verifier.check(strings(*changed), texts.answers, None)
        assert accepted.sum() <= 12 + same
