"""Learning in context: worlds named and stated, and what the form of prompts must not betray."""

import re
from collections import Counter
from typing import Any

import pytest

from synthgen import generate
from synthgen.contract.registry import load_verifier
from synthgen.core.columns import text_list
from synthgen.core.errors import RecipeError
from synthgen.testing import check_family

WORLDS: list[tuple[str, dict[str, Any]]] = [
    ("latent_codebooks", {"asks": ("definition", "encoding", "decoding"), "entries": 5}),
    ("latent_facts", {"asks": ("key", "forward", "backward"), "people": 40, "min_decoys": 0}),
    ("latent_taxonomy", {"tops": 3, "levels": 4}),
    ("partial_exposure", {"asks": ("exposed", "partial"), "decoys": 2, "designs": 60}),
]


def rows_of(name: str, n: int, style: str = "bare", **params: Any) -> list[dict[str, Any]]:
    return list(generate(name, n, seed=3, params=params, render={"prompt": style}))


@pytest.mark.parametrize(
    ("name", "params"),
    [*WORLDS, ("in_context_functions", {"functions": 16, "level": True})],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=100)


@pytest.mark.parametrize(("name", "params"), WORLDS, ids=[name for name, _ in WORLDS])
def test_a_world_by_name_and_its_stated_facts_give_the_same_answers(
    name: str, params: dict[str, Any]
) -> None:
    """The verifier answers both prompts of a problem, each from what it has."""
    by_style = [
        {row["id"]: row for row in rows_of(name, 150, style, **params)}
        for style in ("closed_book", "instruction")
    ]
    assert by_style[0].keys() == by_style[1].keys()
    verifier: Any = load_verifier(name)
    for row_id, row in by_style[0].items():
        other = by_style[1][row_id]
        assert verifier.answer(row["prompt"]) == verifier.answer(other["prompt"]) == row["answer"]


CODEBOOK = """Codebook 3 assigns a code to each letter:

a = Q
b = M

Which word has the code `MMQ`? Answer with its letters only, without spaces."""
LESSONS = """Rakiji was taught by Sohege.
Sohege was taught by Demobo.

Whom did Sohege teach? Answer with one word."""
ANIMALS = """Every catoki is a dumino.
Every dumino is a fekada.
Every fekada eats moss.

What does every catoki eat? Answer with one word."""
PAIRS = "rekufo kumubi -> P\nrekufo nalura -> P\ntijuve nalura -> Q\ntijuve kumubi ->"


@pytest.mark.parametrize(
    ("name", "prompt", "answer"),
    [
        ("latent_codebooks", CODEBOOK, "bba"),
        ("latent_codebooks", CODEBOOK.replace("b = M", "b = Q"), None),
        ("latent_facts", LESSONS, "Rakiji"),
        ("latent_facts", LESSONS.replace("Demobo", "Sohege"), None),
        ("latent_taxonomy", ANIMALS, "moss"),
        ("latent_taxonomy", ANIMALS.replace("fekada eats", "catoki lives in"), None),
        ("partial_exposure", PAIRS, "Q"),
        ("partial_exposure", PAIRS.replace("rekufo nalura -> P\n", ""), None),
        ("in_context_functions", "ab -> A\nbb -> B\nac ->", "A"),
        ("in_context_functions", "ab -> A\nbc -> B\nac ->", None),
    ],
    ids=range(10),
)
def test_worked_examples(name: str, prompt: str, answer: str | None) -> None:
    """Where the facts or examples leave the answer open, there is none."""
    verifier: Any = load_verifier(name)
    assert verifier.answer(prompt) == answer


def test_groups_hold_out_facts_and_not_questions() -> None:
    """Every fact has one group in all directions and wordings, and groups are of equal size."""
    rows = rows_of(
        "latent_facts", 4 * 7 * 50, people=50, relations=4, asks=("key", "forward", "backward")
    )
    groups: dict[str, set[int]] = {}
    for row in rows:
        groups.setdefault(row["derivation"].split(" ", 3)[-1][:-1], set()).add(row["fact_group"])
    assert len(groups) == 200
    assert {len(each) for each in groups.values()} == {1}
    assert {*Counter(min(each) for each in groups.values()).values()} == {2}


def test_inherited_traits_come_from_one_kind_above() -> None:
    rows = rows_of("latent_taxonomy", 400, "instruction", asks=("inheritance",))
    for row in rows:
        assert row["prompt"].count(row["answer"]) >= 1
    assert max(Counter(row["answer"] for row in rows).values()) < 60


def test_readings_of_partial_exposure_differ() -> None:
    """Judge by the examples that share a word: right, undecided or wrong, as the axis says."""
    rows = rows_of("partial_exposure", 600, "examples")
    right: Counter[bool] = Counter()
    for row in rows:
        *examples, (*asked, _) = (line.split() for line in row["prompt"].split("\n"))
        votes = Counter(label for *words, _, label in examples for word in words if word in asked)
        other = {"P": "Q", "Q": "P"}[row["answer"]]
        lead = votes[row["answer"]] - votes[other]
        assert row["exemplars"] == ("agree" if lead > 0 else "differ" if lead < 0 else "tie")
        labels = Counter(line[-1] for line in examples)
        right[labels[row["answer"]] > labels[other]] += 1
    assert 0.35 < right[True] / len(rows) < 0.6


def test_examples_most_like_a_word_do_not_give_its_label() -> None:
    """Take the label of the nearest example, or the one with most letters in common."""
    rows = rows_of("in_context_functions", 600)
    right: Counter[str] = Counter()
    for row in rows:
        *examples, word = row["prompt"].removesuffix(" ->").split("\n")
        alike = {line: sum(map(str.__eq__, line, word)) for line in examples}
        right["nearest"] += max(alike, key=alike.__getitem__)[-1] == row["answer"]
        votes: Counter[str] = Counter()
        for line, count in alike.items():
            votes[line[-1]] += count
        right["votes"] += votes.most_common(1)[0][0] == row["answer"]
    assert max(right.values()) / len(rows) < 0.62


def test_a_set_of_functions_is_used_again() -> None:
    rows = rows_of("in_context_functions", 400, functions=2)
    assert {row["function_number"] for row in rows} == {1, 2}
    for number in (1, 2):
        own = [row for row in rows if row["function_number"] == number]
        (place,) = {row["place"] for row in own}
        labels: dict[str, set[str]] = {}
        for row in own:
            for word, label in re.findall(r"([a-z]+) -> ([A-F])", row["prompt"]):
                labels.setdefault(word[place - 1], set()).add(label)
        assert {len(each) for each in labels.values()} == {1}
    assert {row["function_number"] for row in rows_of("in_context_functions", 20)} == {0}


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("latent_taxonomy", {"tops": 20, "branching": 10, "levels": 7}),
        ("in_context_functions", {"length": 2}),
    ],
)
def test_params_that_no_problem_meets_are_errors(name: str, params: dict[str, Any]) -> None:
    with pytest.raises(RecipeError):
        generate(name, 1, params=params)


def test_a_solution_must_give_the_facts_in_order() -> None:
    (row,) = generate(
        "latent_taxonomy",
        1,
        seed=5,
        params={"asks": ["inclusion"], "levels": 6},
        render={"prompt": "closed_book", "solution": "steps"},
    )
    lines = row["solution"].split("\n")
    verifier = load_verifier("latent_taxonomy")
    for solution, right in ((lines, True), (lines[::-1], False), (lines[1:], False)):
        columns = [
            text_list([text]) for text in (row["prompt"], row["answer"], "\n".join(solution))
        ]
        assert verifier.check(*columns).tolist() == [right]
