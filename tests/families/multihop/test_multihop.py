"""Multi-hop questions: contracts, questions by hand, and splits as their papers define them."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from synthgen.contract.interfaces import Problems
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.building import build_bundled

SMALL_KNOWLEDGE = {"entities": 40, "relations": 9, "degree": 5}
TINY = {"entities": 2, "relations": 1, "degree": 1}
TABLES = ({"structure": "parallel", "same": 2}, {"structure": "non_tree", "tokens": 9})
CHAINS = ({"structure": "three_hop"}, {"structure": "five_hop", "same": 5})


def whole(name: str, **params: Any) -> Problems:
    """Draw every problem of a family."""
    family = generator_class(name)(**params)
    return family.draw(Rows.span(5, 0, family.space))


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("multihop_paths", {}),
        ("multihop_paths", {**SMALL_KNOWLEDGE, "max_hops": 6, "level": True}),
        ("multihop_paths", {**SMALL_KNOWLEDGE, "min_group": 300, "max_group": 899}),
        ("multihop_comparison", {"level": True}),
        ("multihop_hidden", {"entities": 50, "attributes": 3, "level": True}),
        ("multihop_comparison", {"entities": 9, "attributes": 2, "values": 3, "min_facts": 2}),
        *(("multihop_tables", params) for params in TABLES + CHAINS),
    ],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=120)


def test_a_knowledge_base_has_the_published_facts() -> None:
    facts = whole("multihop_paths", max_hops=1)
    assert (facts.valid.sum(), facts.valid.all()) == (40_000, True)
    groups = facts.axes["low_group"]
    assert (groups == facts.axes["high_group"]).all()
    assert set(Counter(groups.tolist()).values()) == {40}
    assert (groups < 50).sum() == 2_000
    ends = [problem.data[0] for problem in facts.parts["made"]]
    assert len({(head, relation) for head, relation, _ in ends}) == 40_000
    assert set(Counter(head for head, _, _ in ends).values()) == {20}
    assert generator_class("multihop_paths")(min_hops=2).space == 800_000


def test_paths_of_some_groups_are_those_of_all_paths() -> None:
    """So no other number needs to be drawn and rejected."""
    chosen = {"min_hops": 2, "max_hops": 3, "min_group": 100, "max_group": 799}
    every = whole("multihop_paths", **SMALL_KNOWLEDGE, min_hops=2, max_hops=3)
    some = whole("multihop_paths", **SMALL_KNOWLEDGE, **chosen)
    paths = [{one.tree for one in found.parts["made"]} for found in (every, some)]
    inside = (every.axes["low_group"] >= 100) & (every.axes["high_group"] <= 799)
    assert len(every.keys) == len(paths[0]) == 40 * 5**2 + 40 * 5**3
    assert len(some.keys) == len(paths[1]) == inside.sum() > 1000
    assert paths[1] < paths[0]


def test_what_is_inferred_of_hidden_values_follows_from_what_is_stated() -> None:
    """By paths that are followed one by one, as in the paper's code."""
    family = generator_class("multihop_hidden")(entities=100, attributes=2, values=9)
    rows = [one for one in whole("multihop_hidden", **vars(family)).parts["made"] if one]
    hidden = {
        one.data[0][:2] for one in rows if one.kind == "value" and one.axes["low_group"] < 100
    }
    values = {one.data[0][:2]: one.data[0][2] for one in rows if one.kind == "value"}
    assert Counter(attribute for _, attribute in hidden) == {0: 10, 1: 10}
    stated = {key: set() for key in values}
    for one in rows:
        if one.axes["inference"] == "stated":
            first, second = (fact[:2] for fact in one.data)
            assert not {first, second} <= hidden
            if one.answer != "less":
                stated[first].add(second)
    known = {
        key: {other for other in values if other[1] == key[1] and values[key] >= values[other]}
        for key in values
    }
    both = {
        key: ends if key in hidden else ends | (known[key] - hidden) for key, ends in stated.items()
    }
    found = Counter(one.axes["inference"] for one in rows)
    assert found["stated"] == 2 * 2 * (90 * 89 // 2 * 3 // 100 + 900 * 3 // 100)
    assert min(found[name] for name in ("impossible", "comparisons", "values")) > 5
    for one in rows:
        first, *rest = (fact[:2] for fact in one.data)
        if rest and {first, *rest} <= hidden:
            easy, solvable = (
                rest[0] in closure(arcs, first) or first in closure(arcs, rest[0])
                for arcs in (stated, both)
            )
            wanted = "comparisons" if easy else "values" if solvable else "impossible"
            assert one.axes["inference"] == wanted


def closure(arcs: dict[Any, set[Any]], start: object) -> set[Any]:
    reached, left = set(), [start]
    while left:
        new = arcs[left.pop()] - reached
        reached |= new
        left += new
    return reached


def test_a_tenth_of_the_entities_is_held_out_for_each_attribute() -> None:
    values = whole("multihop_comparison", max_facts=1)
    held = [
        problem.data[0]
        for problem, group in zip(values.parts["made"], values.axes["low_group"], strict=True)
        if group < 100
    ]
    assert Counter(attribute for _, attribute, _ in held) == dict.fromkeys(range(20), 100)
    assert generator_class("multihop_comparison")(min_facts=2).space == 20 * 1000 * 999


PATH = (
    "Here are some facts of a knowledge base, written as head, relation, tail:\n\n{}\n\n"
    "Which entity do you reach from {} if you follow {}?"
)
VALUE = (
    "Here are values of attributes, written as entity, attribute, value:\n\n{}\n\n"
    "Which value of {} does {} have?"
)
COMPARED = (
    "A table has one entry per line: an entity, an attribute, an integer.\n\n{}\n\n"
    "How does the {} of {} compare with that of {}: less, equal or greater?"
)
FORMULA = "Some values of functions are known:\n\n{}\n\nWhat is {}?"
ARROWS = "e1 r2 e3\ne3 r2 e1\ne3 r0 e3\ne1 r0 e2"
ENTRIES = "e1 a1 7\ne2 a1 10\ne3 a1 7\ne1 a2 9"
CALLS = "f1(1, 2) = 3\nf2(3, 1) = 0\nf3(3, 0) = 4\nf2(3, 2, 1) = 5\nf1(3, 3) = 1"


@pytest.mark.parametrize(
    ("name", "prompt", "answer"),
    [
        ("multihop_paths", PATH.format(ARROWS, "e1", "r2"), "e3"),
        ("multihop_paths", PATH.format(ARROWS, "e1", "r2, then r0, then r2"), "e1"),
        ("multihop_paths", PATH.format(ARROWS, "e2", "r2"), None),
        ("multihop_paths", PATH.format(f"{ARROWS}\ne1 r2 e4", "e1", "r2"), None),
        ("multihop_paths", "kb-10-5-6-1 e1 r2", None),
        ("multihop_paths", "kb-10-5-5-1 e10 r2", None),
        ("multihop_paths", "kb-99999-5-5-1 e1 r2", None),
        ("multihop_comparison", VALUE.format(ENTRIES, "a2", "e1"), "9"),
        ("multihop_comparison", COMPARED.format(ENTRIES, "a1", "e1", "e2"), "less"),
        ("multihop_comparison", COMPARED.format(ENTRIES, "a1", "e1", "e3"), "equal"),
        ("multihop_comparison", COMPARED.format(ENTRIES, "a1", "e2", "e3"), "greater"),
        ("multihop_comparison", COMPARED.format(ENTRIES, "a1", "e2", "e2"), None),
        ("multihop_comparison", COMPARED.format(ENTRIES, "a2", "e1", "e2"), None),
        ("multihop_tables", FORMULA.format(CALLS, "f2(f1(1, 2), 1)"), "0"),
        ("multihop_tables", FORMULA.format(CALLS, "f3(f1(1, 2), f2(3, 1))"), "4"),
        ("multihop_tables", FORMULA.format(CALLS, "f2(f1(1, 2), 2, 1)"), "5"),
        ("multihop_tables", FORMULA.format(CALLS, "f1(f1(1, 2), f1(1, 2))"), "1"),
        ("multihop_tables", FORMULA.format(CALLS, "f1(1, 2"), None),
        ("multihop_tables", FORMULA.format(CALLS, "f1(2, 1)"), None),
        ("multihop_tables", "tables-50-7 two_hop 1 2", None),
        ("multihop_tables", "tables-50-7 ring 1 2 3", None),
    ],
)
def test_questions_by_hand(name: str, prompt: str, answer: str | None) -> None:
    assert load_verifier(name).answer(prompt) == answer  # type: ignore[attr-defined]


def test_solutions_by_hand() -> None:
    verifier = load_verifier("multihop_tables")
    prompts = pa.array([FORMULA.format(CALLS, "f3(f1(1, 2), f2(3, 1))")] * 3)
    steps = ["f1(1, 2) = 3\nf2(3, 1) = 0\nf3(3, 0) = 4", "f1(1, 2) = 3\nf3(3, 0) = 4", "4"]
    assert verifier.check(prompts, pa.array(["4"] * 3), pa.array(steps)).tolist() == [1, 0, 0]


def test_the_same_fact_has_the_same_value_in_every_style_and_structure() -> None:
    answer = load_verifier("multihop_tables").answer  # type: ignore[attr-defined]
    for structure, formula in (
        ("two_hop 1 2 3", "f2(f1(1, 2), 3)"),
        ("parallel-2 1 2 3 4", "f3(f1(1, 2), f1(3, 4))"),
        ("five_hop-5 1 2 3 4 5 6", "f1(f1(f1(f1(f1(1, 2), 3), 4), 5), 6)"),
    ):
        asked = f"Compute {formula} with the functions of tables-50-7."
        assert answer(f"tables-50-7 {structure}") == answer(asked) is not None
        assert answer(f"tables-2-7 {structure}") is None


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("multihop_paths", {"degree": 30, "relations": 20}, "degree=30: expected at most"),
        ("multihop_paths", {"min_hops": 3}, "min_hops=3: expected at most max_hops=2"),
        ("multihop_paths", {**TINY, "min_group": 1, "max_group": 499}, "max_group=499: expected a"),
        ("multihop_tables", {"structure": "non_tree", "same": 2}, "same=2: expected at most 1"),
        ("multihop_tables", {"same": 3}, "same=3: expected at most 2 for structure=two_hop"),
    ],
)
def test_wrong_params_are_refused(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError, match=message):
        generator_class(name)(**params)


def test_paths_out_of_distribution_use_facts_that_no_path_of_train_uses(tmp_path: Path) -> None:
    """Small: 40 entities with 5 facts each, so 200 facts and 1,000 paths of two."""
    params = [f"source.multihop_paths.params.{k}={v}" for k, v in SMALL_KNOWLEDGE.items()]
    sizes = ["train.rows=700", "train.parts.0.rows=200", "train.parts.1.rows=500"]
    sizes += ["test_in.rows=20", "test_out.rows=1"]
    rows = build_bundled(
        "grokked-composition", tmp_path / "out", *params, *(f"split.{size}" for size in sizes)
    )
    used = {
        split: {fact for row in found if row["hops"] == 2 for fact in row["solution"].split("\n")}
        for split, found in rows.items()
    }
    facts = {row["solution"] for row in rows["train"] if row["hops"] == 1}
    assert len(facts) == 200
    assert set().union(*used.values()) <= facts
    assert used["test_in"] <= used["train"]
    assert not used["test_out"] & used["train"]


def test_types_follow_from_the_calls_of_the_final_train_set(tmp_path: Path) -> None:
    sizes = {"train": 300, "type_0_all_seen": 50, "type_1_none_seen": 50}
    sizes |= {"type_2_second_seen": 50, "type_3_first_seen": 50}
    rows = build_bundled(
        "coverage-two-hop",
        tmp_path / "out",
        "source.multihop_tables.params.tokens=10",
        *(f"split.{name}.rows={n}" for name, n in sizes.items()),
    )
    calls = {name: [row["solution"].split("\n") for row in found] for name, found in rows.items()}
    seen = {call for lines in calls["train"] for call in lines}
    assert len(seen) == 140
    for name, types in zip(sizes, ("11", "11", "00", "01", "10"), strict=True):
        for lines in calls[name]:
            assert [call in seen for call in lines] == [bit == "1" for bit in types]
