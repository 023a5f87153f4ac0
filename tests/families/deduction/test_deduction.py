"""Deduction: published labels and proofs, worked examples, and what facts must not betray."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest

from synthgen.authoring import PlainVerifier, Problem
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.deduction.engine import Engine, Literal, Rule
from synthgen.families.deduction.texts import LEXICONS, Formula
from synthgen.testing import check_family
from synthgen.training.reward import reward
from tests.conformance import original

ALL = tuple(LEXICONS)
LARGE = {"max_depth": 6, "max_width": 4, "wordings": ALL}


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("deduction", {"level": True}),
        ("deduction", {"world": "open", **LARGE}),
        ("deduction", {"world": "decided", "negation": False, "max_distractors": 3}),
        ("deduction_proofs", {"max_rules": 4, "level": True, **LARGE}),
    ],
    ids=["closed", "open", "decided", "proofs"],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=40)


def answer(prompt: str) -> str | None:
    return cast("PlainVerifier[Any]", load_verifier("deduction")).answer(prompt)


# published rows


def published(name: str) -> Iterator[dict[str, Any]]:
    lines = original(f"grounded/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    yield from map(json.loads, lines)


def literal(published: list[str]) -> tuple[str, Literal]:
    """Return the subject and the property of a literal of RuleTaker."""
    sign, predicate, subject, *thing = published
    name = f"{predicate.removesuffix('s')}_{thing[0]}" if thing else predicate
    return subject, Literal(name, sign == "+")


def test_labels_of_ruletaker() -> None:
    rows = 0
    for row in published("ruletaker"):
        lexicon = LEXICONS["people" if row["grammar"] == 1 else "animals"]
        names = {each.removeprefix("the ").replace(" ", "_"): each for each in lexicon.subjects}
        sentences = []
        for fact in row["facts"]:
            subject, known = literal(fact)
            sentences.append(lexicon.sentence(names[subject], Formula((known,))))
        for conditions, conclusion in row["rules"]:
            starts = tuple(dict.fromkeys(literal(each)[1] for each in conditions))
            subject, end = literal(conclusion)
            word = "and" if len(starts) > 1 else ""
            only = "" if subject == "X" else names[subject]
            sentences.append(lexicon.rule(Formula(starts, word), Formula((end,)), only))
        subject, asked = literal(row["assertion"])
        statement = lexicon.clause(names[subject], Formula((asked,)))
        prompt = f"{' '.join(sentences)}\nclosed world: {statement}?"
        assert answer(prompt) == str(row["label"]), prompt
        rows += 1
    assert rows >= 80


def engine(sentences: list[str], subject: str) -> Engine:
    """Return what chains of fictional kinds state about a subject."""
    facts, rules = [], []
    for text in sentences:
        singular = re.sub(r"(\w+)puses", r"a \1pus", text.lower()).replace(" are ", " is ")
        start, end = re.sub(r"\b(an?|each|every) ", "", singular).split(" is ")
        literal = Literal(end.removeprefix("not "), not end.startswith("not "))
        if start == subject.lower():
            facts.append(literal)
        else:
            rules.append(Rule((Literal(start),), literal))
    return Engine(facts, rules, closed=False)


def test_answers_and_shortest_chains_of_prontoqa() -> None:
    rows = 0
    for row in published("prontoqa"):
        if row.get("ontology") != "fictional":
            continue
        statement = row["query"].removeprefix("True or false: ").removesuffix(".")
        assert answer(f"{row['context']}\ntrue or false: {statement}?") == row["answer"]
        subject, asked = statement.split(" is ")
        known = engine(row["context"].removesuffix(".").split(". "), subject)
        asked = Literal(asked.removeprefix("not "), not asked.startswith("not "))
        assert known.answer(asked) == (row["answer"], row["hops"])
        rows += 1
    assert rows > 30


def plain(text: str) -> str:
    """Write "a slow lempus" as a conjunction, and leave out rules about such kinds."""
    text = re.sub(r"(?:(?:Each|Every) \w+ \w+pus|[A-Z]\w+ \w+puses) [^.]+\. ?", "", text)
    return re.sub(r" is an? (?!\w+pus)(\w+) (\w+pus)", r" is \1 and a \2", text).strip()


def test_published_proofs_are_right() -> None:
    verifier, rows = load_verifier("deduction_proofs"), 0
    for row in published("prontoqa"):
        if "file" not in row:
            continue
        statement = plain(row["query"].removeprefix("Prove: ").removesuffix("."))
        prompt = f"{plain(row['context'])}\nprove: {statement}"
        sentences = [plain(each) for each in row["chain"]]
        assert verifier.accepts(prompt, " ".join(sentences)), prompt
        assert not verifier.accepts(prompt, " ".join(sentences[:-1])), prompt
        rows += 1
    assert rows > 30


# worked examples

PEOPLE = (
    "Anne is big. Anne is calm. Bob is big. Everyone who is big and not rich is kind. "
    "If a person is kind, then that person is nice. Whoever is nice is not young. "
    "If Bob is big, then Bob is rich."
)


@pytest.mark.parametrize(
    ("world", "statement", "right"),
    [
        ("open world", "Anne is kind", "Unknown"),
        ("open world", "Bob is rich", "True"),
        ("open world", "Bob is not rich", "False"),
        ("open world", "Bob is kind", "Unknown"),
        ("true or false", "Bob is not rich", "False"),
    ],
)
def test_open_worlds(world: str, statement: str, right: str) -> None:
    assert answer(f"{PEOPLE}\n{world}: {statement}?") == right


@pytest.mark.parametrize(
    ("statement", "right"),
    [
        ("Anne is nice", "True"),
        ("Anne is not kind", "False"),
        ("Bob is kind", "False"),
        ("Bob is not nice", "True"),
    ],
)
def test_closed_worlds(statement: str, right: str) -> None:
    theory = PEOPLE.replace("Whoever is nice is not young. ", "")
    assert answer(f"{theory}\nclosed world: {statement}?") == right


def test_a_closed_world_without_one_answer_is_no_problem() -> None:
    theory = "Anne is big. Everyone who is not kind is nice. Everyone who is not nice is kind."
    assert answer(f"{theory}\nclosed world: Anne is kind?") is None


PROOFS = (
    "Max is a wumpus. Max is a yumpus or a zumpus. Max is not a gorpus. Every wumpus is an impus. "
    "Every impus is a jompus and a lempus. Every yumpus is a rompus. Every zumpus is a rompus. "
    "Every tumpus is a gorpus. Everything that is a rompus or a vumpus is a lorpus."
)
CASES = (
    "Assume that Max is a yumpus. Max is a rompus. Assume that Max is a zumpus. Max is a rompus. "
    "Since Max is a yumpus or a zumpus, Max is a rompus."
)
DENIAL = (
    "Assume that Max is a tumpus. Max is a gorpus. "
    "This contradicts the fact that Max is not a gorpus."
)


@pytest.mark.parametrize(
    ("goal", "proof"),
    [
        ("an impus", "Max is an impus."),
        ("an impus", "Every wumpus is an impus. Max is an impus"),
        ("a lempus", "Max is an impus. Max is a lempus and a jompus. Max is a lempus"),
        ("a rompus", CASES),
        ("a rompus", CASES.replace("Since Max is a yumpus or a zumpus, ", "")),
        ("a lorpus", f"{CASES} Max is a vumpus or a rompus. Max is a lorpus."),
        ("not a tumpus", f"{DENIAL} Max is not a tumpus."),
        (
            "a wumpus and not a tumpus",
            f"{DENIAL} Max is not a tumpus. Max is a wumpus and not a tumpus.",
        ),
    ],
)
def test_any_valid_proof_is_right(goal: str, proof: str) -> None:
    prompt = f"{PROOFS}\nprove: Max is {goal}"
    assert load_verifier("deduction_proofs").accepts(prompt, proof)
    text = f"The last step is clear.\nAnswer: {proof}"
    assert reward(text, "Max is Max.", "checked:deduction_proofs", prompt=prompt) == 1.0


@pytest.mark.parametrize(
    ("goal", "proof"),
    [
        ("a jompus", "Max is a jompus and a lempus. Max is a jompus."),  # skips a step
        ("a yumpus", "Max is a yumpus."),
        ("a rompus", "Assume that Max is a yumpus. Max is a rompus."),  # stays assumed
        ("a rompus", CASES.replace("Assume that Max is a zumpus. Max is a rompus. ", "")),
        ("a yumpus", "Assume that Max is a rompus. Max is a yumpus."),  # the converse of a rule
        ("not a tumpus", "Assume that Max is a tumpus. Max is a gorpus. Max is not a tumpus."),
        ("not a wumpus", f"{DENIAL} Max is not a wumpus."),  # another assumption
        ("an impus", "Max is an impus. Every impus is a wumpus."),
        ("an impus", "Max is an impus. Max is a wumpus."),  # does not end with it
        ("an impus", "Rex is a wumpus. Rex is an impus."),
        ("an impus", "Every wumpus is an impus."),
        ("an impus", ""),
    ],
)
def test_wrong_proofs_are_wrong(goal: str, proof: str) -> None:
    assert not load_verifier("deduction_proofs").accepts(f"{PROOFS}\nprove: Max is {goal}", proof)


# what a theory must not betray


def problems(n: int, **params: Any) -> list[Problem]:
    rows = Rows(stream_key("balance"), np.arange(n, dtype=np.uint64))
    made = generator_class("deduction")(**params).draw(rows).parts["made"]
    return [each for each in made if each]


@pytest.mark.parametrize("world", ["closed", "open", "decided"])
def test_form_and_counts_do_not_betray_the_answer(world: str) -> None:
    """Guess the most frequent answer of rows with the same value of a feature."""
    made = problems(800, world=world, min_depth=2, max_depth=3, max_width=3)
    answers = 3 if world == "open" else 2
    for number in range(5):
        counts: dict[object, Counter[str]] = defaultdict(Counter)
        for each in made[::2]:
            counts[features(each)[number]][each.answer] += 1
        guesses = {value: known.most_common(1)[0][0] for value, known in counts.items()}
        right = sum(guesses.get(features(each)[number]) == each.answer for each in made[1::2])
        assert right / len(made[1::2]) < 1 / answers + 0.1, number


def features(problem: Problem) -> list[object]:
    """Return the form of the statement, with counts of facts and rules of the subject."""
    theory, subject = problem.data.theory, problem.data.subject
    facts, polarity = theory.facts[subject], problem.axes["polarity"]
    conditions = [each for rule in theory.rules for each in rule.conditions]
    others = [known for name, known in theory.facts.items() if name != subject]
    ready = [
        sum(facts.issuperset(rule.conditions) for rule in theory.rules)
        for facts in [facts, *others]
    ]
    return [
        (polarity, problem.axes["depth"], problem.axes["wording"]),
        (polarity, len(facts), problem.axes["n_rules"]),
        (polarity, sum(each in facts for each in conditions)),
        (polarity, ready[0]),
        (polarity, ready[0] > max(ready[1:]), ready[0] < min(ready[1:])),
    ]


def test_answers_are_balanced_at_each_depth() -> None:
    made = problems(800, world="open")
    for depth in range(4):
        counts = Counter(each.answer for each in made if each.axes["depth"] == depth)
        assert max(counts.values()) / counts.total() < 0.45
