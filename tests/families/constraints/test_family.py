"""Constraints: the contract, prompts and their reading, covering pairs, holdouts, and parrots."""

import json
import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.constraints.family import COMPATIBLE, TYPES, Constraints, phrase
from synthgen.families.constraints.phrases import TOPICS
from synthgen.families.constraints.verify import read_rule, verdicts
from synthgen.families.constraints.witness import witness
from synthgen.testing import check_family
from tests.bounded import bounded

STREAM = stream_key(7, "source", "constraints")
STYLE = Render("instruction", "steps")


def rows_of(count: int, **params: object) -> list[dict[str, str]]:
    family = generator_class("constraints")(**params)
    problems = family.draw(Rows.span(STREAM, 0, count))
    addresses = problems.valid.nonzero()[0].astype("uint64")
    texts = family.render(family.draw(Rows(STREAM, addresses)), STYLE)
    columns = (texts.prompts, texts.answers, texts.solutions)
    return [
        {"prompt": prompt, "answer": answer, "solution": solution}
        for prompt, answer, solution in zip(
            *(column.to_pylist() for column in columns), strict=True
        )
    ]


@pytest.mark.parametrize(("low", "high", "valid"), [(1, 4, 0.9), (5, 8, 0.4)])
def test_contract(low: int, high: int, valid: float) -> None:
    check_family("constraints", {"min_k": low, "max_k": high}, rows=100, least_valid=valid)


def test_every_wording_is_read_as_its_type_alone() -> None:
    draws = next(iter(Rows.span(STREAM, 1, 2).each(0)))
    family = Constraints(min_k=1, max_k=1)
    seen: Counter[str] = Counter()
    for address in range(48 * 12):
        problem = family.problem(address, draws)
        if problem is None:
            continue
        ((kind, values),) = problem.data[1].items()
        for _ in range(4):
            text = phrase(kind, values, draws)
            found = read_rule(text)
            assert found is not None, text
            assert found[0][0] == kind
            assert json.loads(json.dumps(dict(found[0][1]))) == values, text
            assert found[1] == len(text)
            seen[kind] += 1
    assert len(seen) == 48


@pytest.mark.parametrize(
    "change",
    [
        ("exactly 3", "exactly 03"),
        ("words", "word"),
        ("- ", "* "),
        (".", ""),
        ("the", "The"),
        (" ", "  "),
    ],
)
def test_prompts_with_other_words_are_not_read(change: tuple[str, str]) -> None:
    check = load_verifier("constraints").problem  # type: ignore[attr-defined]
    changed = [
        (row["prompt"], row["prompt"].replace(*change, 1)) for row in rows_of(60, min_k=2, max_k=3)
    ]
    differ = [(before, after) for before, after in changed if before != after]
    assert all(check(before) is not None for before, _ in differ)
    assert all(check(after) is None or check(after) == check(before) for before, after in differ)


def test_a_block_of_addresses_covers_every_pair_that_can_come_together() -> None:
    family = Constraints(min_k=2, max_k=2)
    draws = next(iter(Rows.span(STREAM, 1, 2).each(0)))
    found = {frozenset(family.kinds(address, draws) or ()) for address in range(len(family.pairs))}
    assert found == {frozenset(pair) for pair in COMPATIBLE}


def test_most_pairs_have_a_witness() -> None:
    family = Constraints(min_k=2, max_k=2)
    draws = next(iter(Rows.span(STREAM, 1, 2).each(0)))
    failed = [a for a in range(len(family.pairs)) if family.problem(a, draws) is None]
    again = [a for a in failed if all(family.problem(a, draws) is None for _ in range(30))]
    assert len(failed) < 0.05 * len(family.pairs)
    assert [family.pairs[a] for a in again] == []


def test_held_out_pairs_types_and_values_are_counted() -> None:
    family = Constraints(min_k=3, max_k=3, held_pairs=100, held_types=6, held_values=0.2)
    more = Constraints(min_k=3, max_k=3, held_pairs=200, held_types=6, held_values=0.2)
    problems = family.draw(Rows.span(STREAM, 0, 300)), more.draw(Rows.span(STREAM, 0, 300))
    for axis in ("n_held_pairs", "n_held_types", "n_held_values"):
        assert 0 < (problems[0].axes[axis] > 0).mean() < 1
        assert (problems[0].axes[axis] <= problems[1].axes[axis]).all()
    rest = Constraints(min_k=3, max_k=3).draw(Rows.span(STREAM, 0, 50))
    assert not any(rest.axes[axis].any() for axis in ("n_held_pairs", "n_held_values"))


def test_joining_texts_for_single_constraints_does_not_satisfy_them_together() -> None:
    family = Constraints(min_k=4, max_k=4, held_pairs=80)
    joined, right = 0, 0
    for address, draws in enumerate(Rows.span(STREAM, 0, 250).each(0)):
        problem = family.problem(address, draws)
        if problem is None or not problem.axes["n_held_pairs"]:
            continue
        topic, rules = problem.data
        alone = [witness({kind: values}, topic, draws) for kind, values in rules.items()]
        texts = [written[0] for written in alone if written]
        joined += 1
        right += any(all(verdicts(j.join(texts), problem.answer)) for j in (" ", "\n\n", "; "))
    assert joined > 50
    assert right <= 0.4 * joined


def test_a_witness_with_one_word_more_or_less_often_fails() -> None:
    changed, kept = 0, 0
    for row in rows_of(150, min_k=4, max_k=4):
        words = row["solution"].split(" ")
        for text in (" ".join(words[1:]), f"{row['solution']} Extra", row["solution"].upper()):
            changed += 1
            kept += all(verdicts(text, row["answer"]))
    assert kept < 0.7 * changed


def test_types_exclude_each_other_by_the_table() -> None:
    for a, b in combinations(("lowercase", "uppercase", "title_case"), 2):
        assert (a, b) not in COMPATIBLE
    assert ("bullets", "title") in COMPATIBLE
    assert all((b, a) in COMPATIBLE for a, b in COMPATIBLE)


def test_natural_solutions_are_about_their_topic() -> None:
    for draws in Rows.span(STREAM, 0, 200).each(0):
        topic = draws.choice(list(TOPICS))
        written = witness(
            {"include": {"listed": [next(iter(TOPICS[topic]["acts"]))]}}, topic, draws
        )
        assert written is not None
        text, natural = written
        assert natural
        for sentence in text[:-1].split(". "):
            assert any(noun in sentence.split() for noun in TOPICS[topic]["acts"]), text


def test_solutions_are_natural_unless_the_constraints_forbid_it() -> None:
    family = Constraints(min_k=1, max_k=3)
    draws = enumerate(Rows.span(STREAM, 0, 400).each(0))
    problems = [problem for problem in (family.problem(*each) for each in draws) if problem]
    natural = [bool(problem.axes["natural"]) for problem in problems]
    assert sum(natural) > 0.85 * len(natural)
    forced = ["alphabet" in problem.data[1] for problem in problems]
    assert any(forced)
    assert not any(a and b for a, b in zip(forced, natural, strict=True))


@pytest.mark.parametrize("topic", list(TOPICS))
def test_actions_name_their_noun_once_and_no_other_noun(topic: str) -> None:
    nouns = TOPICS[topic]["acts"]
    assert len(nouns) == 10
    for noun, acts in nouns.items():
        assert min(len(act.split()) for act in acts) == 3
        for act in acts:
            assert [word for word in act.split() if word in nouns] == [noun], act
    for text in (*TOPICS[topic]["where"], *TOPICS[topic]["why"]):
        assert not set(text.split()) & set(nouns), text


def test_constraints_beside_versions_hold_in_each_version() -> None:
    answer = json.dumps(
        [{"type": "growing", "d": 1}, {"type": "responses", "n": 2}, {"type": "numbers", "n": 1}]
    )
    first, second = (
        "We ran. We ran 2 miles. It was very hot.",
        "I sat. I ate soup. I slept for 9 hours.",
    )
    assert verdicts(f"{first}\n******\n{second}", answer) == [False, True, True]
    first = "We ran. We ran 2. It was hot there."
    second = "I sat. I ate soup. I slept 9 hours."
    both = f"{first}\n******\n{second}"
    assert verdicts(both, answer) == [True, True, True]
    assert verdicts(both, answer, loose=True) == [True, True, True]
    once = both.replace("9", "nine")
    assert verdicts(once, answer) == [True, True, False]
    assert verdicts(first, answer) == [True, False, True]


CASES = [
    (case["type"], case["values"], case["right"], case["wrong"])
    for file in sorted(Path(__file__).with_name("texts").glob("*.toml"))
    for case in tomllib.loads(file.read_text("utf-8"))["case"]
]


def satisfied(kind: str, values: dict[str, Any], text: str, *, loose: bool = False) -> bool:
    answer = json.dumps([{"type": kind, **values}])
    parts = load_verifier("constraints").parts(text, answer)
    found = verdicts(text, answer, loose=loose)
    assert loose or found == [strict for _, strict, _ in parts]
    return found[0]


@pytest.mark.parametrize(("kind", "values", "right", "wrong"), CASES)
def test_texts_written_by_hand(
    kind: str, values: dict[str, Any], right: list[str], wrong: list[str]
) -> None:
    for text in right:
        assert satisfied(kind, values, text), text
        assert satisfied(kind, values, text.replace("\n", "\r\n")), text
    for text in [*wrong, "", "  \n", "..."]:
        assert not satisfied(kind, values, text), text


def test_every_type_has_texts() -> None:
    kinds = {kind for kind, *_ in CASES}
    assert kinds == {kind for kind, _ in COMPATIBLE}
    assert all(len(set(TYPES[kind]["wordings"])) >= 5 for kind in kinds)


def test_loose_verdicts_do_without_the_first_or_last_line_or_asterisks() -> None:
    strict = "Sure, here it is:\n*the cat sat.*\nHope this helps"
    assert not satisfied("lowercase", {}, strict)
    assert satisfied("lowercase", {}, strict, loose=True)
    assert not satisfied("lowercase", {}, "Sure\nThe cat", loose=True)
    assert satisfied("highlights", {"n": 1}, "*a*", loose=True)


def test_a_text_gets_a_verdict_on_each_constraint() -> None:
    answer = json.dumps([{"type": "lowercase"}, {"type": "quoted"}, {"type": "numbers", "n": 1}])
    assert verdicts('"the 1st cat"', answer) == [True, True, True]
    assert verdicts("the cat", answer) == [True, False, False]
    with pytest.raises(ValueError, match="unknown constraint 'rhyme'"):
        verdicts("the cat", '[{"type": "rhyme"}]')


MEGABYTE = 1_000_000
HOSTILE = (
    "(",
    "*",
    "**a",
    "* a",
    "a ",
    "a\n",
    " \n",
    "a. ",
    '{"a":',
    "<<",
    "[a",
    "\n- ",
    "-" * 999 + "a",
    "a" + " " * 999,
    "a" + "\u0301\u0316" * 99,
    "1",
    "Part 1",
)


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_megabyte_of_hostile_text_gets_its_verdicts_soon(unit: str) -> None:
    rules = {kind: {"type": kind, **values} for kind, values, *_ in CASES}
    text = unit * (MEGABYTE // len(unit))
    with bounded():
        assert len(verdicts(f"{text} x", json.dumps([*rules.values()]))) == len(rules)
