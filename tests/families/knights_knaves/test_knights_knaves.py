"""Knights and knaves: published puzzles, worked examples, and what a puzzle must not betray."""

import json
import random
import re
from ast import literal_eval
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from synthgen.authoring import Problem
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.columns import text_list
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.knights_knaves.family import KnightsKnaves
from synthgen.families.knights_knaves.puzzles import canonical
from synthgen.testing import check_family
from tests.conformance import original

NAMES = ["Ada", "Bruno", "Clara", "Daniel", "Edith", "Felix", "Greta", "Hugo"]


@pytest.mark.parametrize(
    "params",
    [{"level": True}, {"min_people": 2, "max_people": 8, "min_depth": 1, "max_depth": 3}],
    ids=["levels", "deep"],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("knights_knaves", params, rows=60)


def prompt(*said: str) -> str:
    people = NAMES[: len(said)]
    lines = [
        f'{name}: "{text[0].upper()}{text[1:]}."' for name, text in zip(people, said, strict=True)
    ]
    listed = ", ".join(people[:-1]) + f" and {people[-1]}"
    return "\n".join(["knights: true, knaves: false", f"people: {listed}", *lines, "roles:"])


def solution(text: str) -> str | None:
    answer: str | None = load_verifier("knights_knaves").answer(text)  # type: ignore[attr-defined]
    return answer


def in_words(statement: tuple[Any, ...], speaker: int) -> str:
    """Write a published statement; in those, people speak of themselves by name."""
    kind, *parts = statement
    if kind in ("telling-truth", "lying"):
        who = "I am" if parts[0] == speaker else f"{NAMES[parts[0]]} is"
        return f"{who} a {'knight' if kind == 'telling-truth' else 'knave'}"
    texts = [f"({in_words(part, speaker)})" for part in parts]
    if kind == "not":
        return f"it is not the case that {texts[0]}"
    if kind == "->":
        return f"if {texts[0]}, then {texts[1]}"
    return f"{texts[0]} {'if and only if' if kind == '<=>' else kind} {texts[1]}"


def test_published_puzzles_have_the_published_solution() -> None:
    lines = original("grounded/knights_knaves.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, lines):
        names = re.findall(r"[A-Z][a-z]+", row["question"].partition("inhabitants: ")[2])
        answers = re.findall(r"([A-Z][a-z]+) is an? ([a-z]+)", row["answer"])
        (honest,) = re.findall("inhabited only by ([a-z]+)s and", row["question"])
        assert [name for name, _ in answers] == names[: len(answers)]
        said = literal_eval(row["statements"])
        text = prompt(*(in_words(each, speaker) for speaker, each in enumerate(said)))
        solved = ["knight" if role == honest else "knave" for _, role in answers]
        assert solution(text) == ", ".join(solved)
    assert len(lines) > 20


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (("I am a knave or Bruno is a knight", "Ada is a knight"), "knight, knight"),
        (("I am a knave and Bruno is a knave", "Ada is a knave"), "knave, knight"),
        (("Bruno is a knave if and only if Clara is a knave",) * 2 + ("Ada is a knight",), None),
        (("I am a knave", "Ada is a knight"), None),
        (("Bruno is a knight", "Ada is a knight"), None),
    ],
)
def test_worked_examples(said: tuple[str, ...], answer: str | None) -> None:
    assert solution(prompt(*said)) == answer


TEXT = prompt("I am a knave and Bruno is a knave", "Clara is a knave", "Bruno is a knave")
STEPS = """\
A knight could not say what Ada says, so Ada is a knave.
Ada lies, so Bruno is a knight.
Bruno tells the truth, so Clara is a knave.
Every statement fits."""


@pytest.mark.parametrize(
    ("steps", "right"),
    [
        (STEPS, True),
        (STEPS.replace("\nAda lies, so", "\nWhether Ada lies or not,"), False),
        (STEPS.replace("Bruno tells the truth, so", "Whether Bruno lies or not,"), False),
        (STEPS.replace("Bruno tells the truth, so", "Bruno lies, so"), False),
        (STEPS.replace("so Clara is a knave", "so Clara is a knight"), False),
        (
            "  Suppose that Bruno is a knight.\n  Bruno tells the truth, so Clara is a knave.\n"
            "  What Ada says is false, as Bruno is a knight, so Ada is a knave.\n"
            "  Every statement fits.",
            True,
        ),
        (
            "  Suppose that Bruno is a knave.\n  Bruno lies, so Clara is a knight.\n"
            "  A knight could not say what Ada says, so Ada is a knave.\n"
            "  But Ada lies, and what Ada says is true, as Bruno is a knave.\n"
            "So Bruno is a knight.\nBruno tells the truth, so Clara is a knave.\n"
            "A knight could not say what Ada says, so Ada is a knave.\nEvery statement fits.",
            True,
        ),
        ("  Suppose that Bruno is a knave.\nSo Bruno is a knight.\n" + STEPS, False),
        ("  Suppose that Bruno is a knight.\n" + STEPS, False),
        ("Every statement fits.", False),
    ],
)
def test_every_line_of_a_case_analysis_must_follow(steps: str, right: bool) -> None:
    verifier = load_verifier("knights_knaves")
    columns = [text_list([text]) for text in (TEXT, "knave, knight, knave", steps)]
    assert verifier.check(*columns).tolist() == [right]


@cache
def problems() -> list[Problem]:
    rows = Rows(stream_key("people"), np.arange(1_500, dtype=np.uint64))
    made: list[Problem] = generator_class("knights_knaves")().draw(rows).parts["made"]
    return [problem for problem in made if problem]


def test_form_does_not_betray_the_roles() -> None:
    """Guess by the first connective, the word in the text, or what others say, for each person."""
    seen: dict[tuple[str, object], Counter[bool]] = {}
    for problem in problems():
        statements, solution = problem.data[0].statements, problem.data[0].solution
        for person, statement in enumerate(statements):
            said = [each[0] for each in statements if each[1:] == (person,)]
            features: dict[str, object] = {
                "connective": statement[0],
                "length": len(str(statement)) // 20,
                "own": f"{person}" in str(statement),
                "others": (said.count("knight") > said.count("knave"), len(said)),
                "people": len(statements),
                "place": person,
            }
            for feature in features.items():
                seen.setdefault(feature, Counter())[bool(solution >> person & 1)] += 1
    for feature, roles in seen.items():
        if roles.total() > 200:
            assert max(roles.values()) / roles.total() < 0.6, (feature, roles)


def test_puzzles_that_differ_in_names_and_order_have_equal_trees() -> None:
    for place, problem in enumerate(problems()[:200]):
        statements = problem.data[0].statements
        order = random.Random(place).sample(range(len(statements)), len(statements))  # noqa: S311
        others: list[Any] = [None] * len(statements)
        for person, statement in enumerate(statements):
            others[order[person]] = renamed(statement, order)
        assert canonical(others) == canonical(statements)


def renamed(statement: Any, order: list[int]) -> Any:
    kind, *parts = statement
    if kind in ("knight", "knave"):
        return (kind, order[parts[0]])
    return (kind, *(renamed(part, order) for part in parts))


def test_no_statement_is_vacuous() -> None:
    for problem in problems():
        made, n = problem.data[0], len(problem.data[0].statements)
        for person, (statement, table) in enumerate(zip(made.statements, made.tables, strict=True)):
            assert 0 < table.bit_count() < 2**n
            same = sum((table >> each & 1) == (each >> person & 1) for each in range(2**n))
            assert 0 < same < 2**n, statement


def test_deep_statements_need_three_people() -> None:
    with pytest.raises(ParamError, match="min_people=2: expected at least 3, as min_depth=3"):
        KnightsKnaves(min_people=2, min_depth=3, max_depth=3)
