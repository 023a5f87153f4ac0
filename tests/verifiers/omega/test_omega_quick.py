"""Kernels that accept rows in bulk: nothing that is refused when it is read by itself."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pytest

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.verifiers.omega._plain import PlainVerifier

FAMILIES = (
    *("algebra_linear_equation", "arithmetic_gcd"),
    *("arithmetic_list_prime_factors", "arithmetic_mixed"),
)
EXPRESSION = (
    "Calculate {} without rounding. Give an integer, or a fraction p/q in lowest terms with a "
    "positive denominator."
)
SYSTEM = "Solve the system of equations {} for x. Give an integer."
FACTOR = "Find the second-largest prime that divides {}. Give an integer."


def verifier_of(name: str) -> PlainVerifier[tuple[object, ...]]:
    verifier = load_verifier(name)
    assert isinstance(verifier, PlainVerifier)
    return verifier


def altered(text: str, choice: random.Random) -> str:
    """Drop, double, swap or replace a character or a word."""
    tokens = re.findall(r"[0-9]+|[a-zA-Z]+|\s|.", text)
    at, other = (choice.randrange(len(tokens)) for _ in range(2))
    kind = choice.randrange(5)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        tokens.insert(at, tokens[at])
    elif kind == 2:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == 3:
        tokens[at] = choice.choice(["0", "-", "(", ")", "*", " + ", " and ", ". ", "x", "1"])
    else:
        place = choice.randrange(len(text))
        return text[:place] + text[place + 1 :]
    return "".join(tokens)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_accepted_in_bulk_is_right_by_itself(name: str) -> None:
    verifier = verifier_of(name)
    generator = generator_class(name)()
    texts = generator.render(generator.draw(Rows.span(23, 0, 200)), Render("boxed", "none"))
    choice = random.Random(5)  # noqa: S311
    prompts, answers = [], []
    for prompt, answer in zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True):
        for _ in range(4):
            changed = altered(prompt, choice)
            found = verifier.answer(changed) or answer
            prompts += [changed] * 3
            answers += [answer, found, altered(found, choice)]
    right = verifier.check(pa.array(prompts), pa.array(answers), None).tolist()
    alone = [verifier.answer(prompt) for prompt in prompts]
    assert right == [one == answer for one, answer in zip(alone, answers, strict=True)]
    assert any(right)
    assert not all(right)


@pytest.mark.parametrize(
    ("name", "prompt", "answer", "right"),
    [
        ("arithmetic_mixed", EXPRESSION.format("9*(2 - 1/3)"), "15", True),
        ("arithmetic_mixed", EXPRESSION.format("9*(2 - 1/3)"), "30/2", False),
        ("arithmetic_mixed", EXPRESSION.format("1/(2 - 2)"), "0", False),
        ("arithmetic_mixed", EXPRESSION.format("3 - -2"), "5", False),
        ("arithmetic_mixed", EXPRESSION.format("-0 + 2"), "2", False),
        ("arithmetic_mixed", EXPRESSION.format("((2 + 3)"), "5", False),
        ("arithmetic_mixed", EXPRESSION.format(f"{10**17}*{10**17}"), f"{10**34}", True),
        ("arithmetic_mixed", EXPRESSION.format(f"{10**17}*{10**17}"), "-9", False),
        ("arithmetic_mixed", f"Let b = 1/2. {EXPRESSION.format('b + b')}", "1", False),
        ("arithmetic_mixed", f"Let b = 2. Let b = 2. {EXPRESSION.format('b + b')}", "4", False),
        ("algebra_linear_equation", SYSTEM.format("x + y = 3 and x - y = 1"), "2", True),
        ("algebra_linear_equation", SYSTEM.format("x + y = 3 and 2*x + 2*y = 6"), "2", False),
        ("algebra_linear_equation", SYSTEM.format("2*x + y = 3 and y = 2"), "0", False),
        ("algebra_linear_equation", SYSTEM.format("x + y*y = 3 and x - y = 1"), "2", False),
        ("algebra_linear_equation", SYSTEM.format("2*x + y = 4 and 3*y = 2"), "1", False),
        ("algebra_linear_equation", SYSTEM.format("x + 3*y = 3 and x - 3*y = 1"), "2", True),
        ("arithmetic_list_prime_factors", FACTOR.format(2 * 3 * 5), "3", True),
        ("arithmetic_list_prime_factors", FACTOR.format(2 * 3 * 5), "2", False),
        ("arithmetic_list_prime_factors", FACTOR.format(7**5), "7", False),
        ("arithmetic_list_prime_factors", FACTOR.format(1009 * 1013 * 1019), "1013", True),
        ("arithmetic_list_prime_factors", FACTOR.format(1009 * 1013 * 1019), "1009", False),
        ("arithmetic_list_prime_factors", FACTOR.format(1009 * 1013**2), "1009", True),
        ("arithmetic_list_prime_factors", FACTOR.format(1009 * 1013 * 7), f"{1009 * 1013}", False),
    ],
)
def test_examples_by_hand(name: str, prompt: str, answer: str, right: bool) -> None:
    verifier = verifier_of(name)
    assert verifier.check(pa.array([prompt]), pa.array([answer]), None)[0] == right
    assert (verifier.answer(prompt) == answer) == right
