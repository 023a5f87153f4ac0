"""Every hop of stated facts is needed: programs that skip hops, and ablation, from prompts alone.

A question is read as nested calls: "from e1, follow r2, then r3" is r3(r2(e1)), and a fact
"e1 r2 e5" is the value e5 of r2(e1), as "f1(3, 7) = 31" is that of f1(3, 7).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from synthgen import generate
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import RecipeError
from synthgen.draws.randomness import Rows
from synthgen.formats.read_back import readings
from tests.building import plan_of, recipe_of, source_of, split_of, write_recipe

Call = tuple[str, list["Expression"]]
Expression = str | Call
Key = tuple[str, tuple[str, ...]]

STRUCTURES = ("two_hop", "three_hop", "five_hop", "non_tree", "parallel")
SOURCES: list[tuple[str, dict[str, Any]]] = [
    *(("multihop_paths", {"min_hops": hops, "max_hops": hops}) for hops in range(2, 7)),
    ("multihop_paths", {"min_hops": 4, "max_hops": 4, "decoys": 1}),
    *(("multihop_tables", {"structure": structure}) for structure in STRUCTURES),
    ("multihop_tables", {"structure": "five_hop", "same": 5}),
    ("multihop_tables", {"structure": "parallel", "same": 2}),
]


class Question(NamedTuple):
    facts: dict[Key, str]
    """In the order of the prompt."""
    asked: Call
    answer: str


def prompts_of(name: str, params: dict[str, Any], n: int) -> list[tuple[str, str]]:
    family = generator_class(name)(**params)
    addresses = np.linspace(0, (family.space or n) - 1, n).astype(np.uint64)
    texts = family.render(family.draw(Rows(11, addresses)), Render("instruction", "none"))
    return list(zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True))


def questions(name: str, params: dict[str, Any], n: int) -> list[Question]:
    return [
        Question(facts_of(prompt), asked_in(prompt), answer)
        for prompt, answer in prompts_of(name, params, n)
    ]


def facts_of(prompt: str) -> dict[Key, str]:
    arrows = re.findall(r"^(e\d+) ([ra]\d+) (\w+)$", prompt, re.M)
    calls = re.findall(r"^(f\d)\(([\d, ]+)\) = (\d+)$", prompt, re.M)
    listed = [((name, (head,)), tail) for head, name, tail in arrows]
    listed += [((name, tuple(inputs.split(", "))), value) for name, inputs, value in calls]
    assert len(dict(listed)) == len(listed)
    return dict(listed)


def asked_in(prompt: str) -> Call:
    text = "\n".join(line for line in prompt.split("\n") if not facts_of(line))
    if formula := re.search(r"f\d\(.*\)", text):
        asked = nested(iter(re.findall(r"f\d|\d+|\)", formula[0])))
    else:
        (asked,) = re.findall(r"\be\d+", text)
        for name in re.findall(r"\br\d+", text):
            asked = (name, [asked])
    assert not isinstance(asked, str)
    return asked


def nested(tokens: Iterator[str]) -> Expression:
    token = next(tokens)
    if not token.startswith("f"):
        return token
    inputs: list[Expression] = []
    while (inner := nested(tokens)) != ")":
        inputs.append(inner)
    return token, inputs


def values(facts: dict[Key, str], asked: Expression, dropped: Key | None = None) -> set[str] | None:
    """Return all possible values if one fact is not known; None for any value."""
    if isinstance(asked, str):
        return {asked}
    name, inputs = asked
    known = [values(facts, inner, dropped) for inner in inputs]
    if dropped and dropped[0] == name and all(map(could_be, known, dropped[1])):
        return None
    fits = (
        value
        for key, value in facts.items()
        if key != dropped and key[0] == name and all(map(could_be, known, key[1]))
    )
    return {*fits}


def could_be(known: set[str] | None, token: str) -> bool:
    return known is None or token in known


def needed(question: Question, asked: Expression) -> set[Key]:
    """Return the facts that lead to the answer."""
    if isinstance(asked, str):
        return set()
    inputs = [next(iter(values(question.facts, inner) or ())) for inner in asked[1]]
    below = [needed(question, inner) for inner in asked[1]]
    return {(asked[0], (*inputs,))}.union(*below)


def restarted(asked: Expression, start: str) -> Expression:
    """Replace the innermost first input."""
    if isinstance(asked, str):
        return start
    name, (first, *rest) = asked
    return name, [restarted(first, start), *rest]


def start_of(asked: Expression) -> str:
    return asked if isinstance(asked, str) else start_of(asked[1][0])


def can_skip(question: Question) -> bool:
    """Return whether the answer follows without a fact of its path, or from another start."""
    facts, asked, answer = question
    for key in needed(question, asked):
        left = values(facts, asked, key)
        if left is not None and len(left) < 2:
            return True
    starts = {token for _, inputs in facts for token in inputs} - {start_of(asked)}
    return any(answer in (values(facts, restarted(asked, start)) or ()) for start in starts)


def ends_of(question: Question) -> dict[Key, str]:
    """Return the facts that the last hop could be, for those who skip the others."""
    name, inputs = question.asked
    return {
        key: value
        for key, value in question.facts.items()
        if key[0] == name
        and all(not isinstance(x, str) or x == y for x, y in zip(inputs, key[1], strict=True))
    }


def names_of(asked: Expression) -> set[str]:
    return set() if isinstance(asked, str) else {asked[0]}.union(*map(names_of, asked[1]))


Rule = Callable[[Question], str]


def best(question: Question, score: Callable[[Key, str], float]) -> str:
    ends = ends_of(question)
    return ends[max(ends, key=lambda key: score(key, ends[key]))]


def by_degree(question: Question) -> str:
    count = Counter(token for _, inputs in question.facts for token in {*inputs})
    return best(question, lambda key, _: sum(count[token] for token in key[1]))


def value_that_occurs_once(question: Question) -> str:
    count = Counter(question.facts.values())
    return best(question, lambda _, value: -count[value])


def most_frequent_end(question: Question) -> str:
    return Counter(ends_of(question).values()).most_common(1)[0][0]


def stated_last(question: Question) -> str:
    return [*ends_of(question).values()][-1]


def next_to_the_start(question: Question) -> str:
    start, places = start_of(question.asked), {key: i for i, key in enumerate(question.facts)}
    starts = [place for key, place in places.items() if start in key[1]]
    return best(question, lambda key, _: -min(abs(places[key] - place) for place in starts))


def with_all_relations(question: Question) -> str:
    asked = names_of(question.asked)
    names = {
        token: {name for name, inputs in question.facts if token in inputs}
        for _, inputs in question.facts
        for token in inputs
    }
    return best(question, lambda key, _: max(len(names[token] & asked) for token in key[1]))


def that_others_lead_to(question: Question) -> str:
    tails = Counter(question.facts.values())
    return best(question, lambda key, _: sum(tails[token] for token in key[1]))


def without_the_first_hop(question: Question) -> str:
    ends = values_from_anywhere(question.facts, question.asked)
    return best(question, lambda _, value: value in ends)


def values_from_anywhere(facts: dict[Key, str], asked: Call) -> set[str]:
    """Return the values that the question has if its innermost calls may have any value."""
    name, inputs = asked
    if all(isinstance(inner, str) for inner in inputs):
        return {*facts.values()}
    known = [{x} if isinstance(x, str) else values_from_anywhere(facts, x) for x in inputs]
    return {facts[name, x] for x in product(*known) if (name, x) in facts}


RULES: list[Rule] = [
    by_degree,
    value_that_occurs_once,
    most_frequent_end,
    stated_last,
    next_to_the_start,
    with_all_relations,
    that_others_lead_to,
    without_the_first_hop,
]


@pytest.mark.parametrize(("name", "params"), SOURCES)
def test_programs_that_skip_hops_are_right_as_often_as_guessing(
    name: str, params: dict[str, Any]
) -> None:
    asked = questions(name, params, 300)
    right = {rule.__name__: sum(rule(one) == one.answer for one in asked) for rule in RULES}
    guessing = 1 / (1 + params.get("decoys", 2))
    assert max(right.values()) <= (guessing + 0.1) * len(asked), right


@pytest.mark.parametrize("rows", [60, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "params"), SOURCES)
def test_every_fact_and_the_start_are_needed(name: str, params: dict[str, Any], rows: int) -> None:
    for one in questions(name, params, rows):
        assert values(one.facts, one.asked) == {one.answer}
        assert not can_skip(one), one


def test_the_number_of_facts_is_that_of_the_page() -> None:
    sizes = [{len(one.facts) for one in questions(*source, 20)} for source in SOURCES[:5]]
    assert [max(size) for size in sizes] == [12, 18, 24, 30, 36]
    tables = [{len(one.facts) for one in questions(*source, 20)} for source in SOURCES[6:11]]
    assert tables == [{12}, {18}, {30}, {12}, {21}]


@pytest.mark.parametrize(("facts", "n_stated"), [(1, 6), (2, 8)])
def test_entities_that_are_not_compared_have_as_many_values(facts: int, n_stated: int) -> None:
    params = {"min_facts": facts, "max_facts": facts}
    for prompt, _ in prompts_of("multihop_comparison", params, 60):
        stated = facts_of(prompt)
        of_entity = Counter(entity for _, (entity,) in stated)
        assert (len(stated), {*of_entity.values()}) == (n_stated, {2})


def test_other_stated_values_are_the_wrong_answers_where_a_value_is_asked_for() -> None:
    render = {"prompt": "instruction", "format": {"types": ["choice"]}}
    params = {"max_facts": 1, "values": 1000}
    for row in generate("multihop_comparison", 10, params=params, render=render):
        way = readings(row["prompt"])[0]
        assert {text for _, text, _ in way.options} <= {*facts_of(way.problem).values()}


def test_a_world_that_is_too_small_states_fewer_paths() -> None:
    for params, n_facts in (({"tokens": 2}, 8), ({"tokens": 3, "same": 2}, 2)):
        asked = questions("multihop_tables", params, 8)
        assert max(len(one.facts) for one in asked) == n_facts


def test_hidden_values_are_stated_in_no_style(tmp_path: Path) -> None:
    text = recipe_of(
        source_of("multihop_hidden"), split_of("train", 5), '[render]\nprompt = "instruction"\n'
    )
    with pytest.raises(RecipeError, match=r"expected a style of .*: closed_book, bare"):
        plan_of(write_recipe(tmp_path, text))
