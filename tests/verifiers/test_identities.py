"""The verifier of rewritings: worked examples, mutated answers, malformed and hostile texts."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Verifier
from synthgen.generators import _identities_terms as terms
from synthgen.verifiers import _identities_read as reading
from synthgen.verifiers import _identities_tree as trees
from synthgen.verifiers._identities_proof import agree_at, holds
from synthgen.verifiers.identities import VERIFIER
from tests.bounded import bounded

SQUARES = "a^2 - b^2 = (a - b) * (a + b)"
WORKED = {
    f"{SQUARES} | x^2 - y^2 =": "(x - y) * (x + y)",
    f"{SQUARES} | 7 + sin(x^2 - y^2) =": "7 + sin((x - y) * (x + y))",
    f"{SQUARES} | 3 / ((2 * x + 5)^2 - (3 * y - 6)^2) =": (
        "3 / ((2 * x + 5 - (3 * y - 6)) * (2 * x + 5 + (3 * y - 6)))"
    ),
    f"{SQUARES} | x^2 - (y^2 - z^2) =": None,  # a match in a match
    f"{SQUARES} | x^2 - y^2 + (x^2 - y^2) =": None,
    f"{SQUARES} | x^2 + y^2 =": None,
    f"{SQUARES} | x^3 - y^2 =": None,
    "a + b + c = a + (b + c) | x + y + z =": "x + (y + z)",
    "a + b + c = a + (b + c) | x + (y + z) =": None,
    "a + b + c = a + (b + c) | x + y + z + 1 =": None,
    "a + a = 2 * a | x * y + x * y =": "2 * (x * y)",
    "a + a = 2 * a | x * y + y * x =": None,
    "a / b / c = a / (b * c) | x - m / n / (p / q) =": "x - m / (n * (p / q))",
    "sin(a)^2 + cos(a)^2 = 1 | x^(sin(y)^2 + cos(y)^2) =": "x^1",
    "sin(a)^2 + cos(a)^2 = 1 | x^(cos(y)^2 + sin(y)^2) =": None,
    "(a^b)^c = a^(b * c) | ((x + 1)^2)^(y / 3) =": "(x + 1)^(2 * (y / 3))",
    "log(exp(a)) = a | log(exp(log(x))) =": "log(x)",
    "1 / a = 1 / a | 1 / x =": "1 / x",
    "a + 0 = a | (x + 0) * 10 =": "x * 10",
}
STEPS = {
    f"{SQUARES} | 7 + sin(x^2 - y^2) =": "a = x\nb = y",
    "a / b / c = a / (b * c) | x - m / n / (p / q) =": "a = m\nb = n\nc = p / q",
    "sin(a)^2 + cos(a)^2 = 1 | x^(sin(y)^2 + cos(y)^2) =": "a = y",
}
MUTATED = [
    ("a * (b + c) = a * b + a * c | x * (y + z) * (2 - z) =", "(x * y + x * z) * (2 - z)"),
]
WRONG = [
    "x * (y + z) * (2 - z)",  # as it was
    "x * y + x * z * (2 - z)",  # no parentheses
    "(x * z + x * y) * (2 - z)",  # operand order
    "(y * x + x * z) * (2 - z)",
    "(2 - z) * (x * y + x * z)",
    "((x * y + x * z)) * (2 - z)",  # more parentheses
    "(x * y + (x * z)) * (2 - z)",
    "(x * y + x * z) * (z - 2)",
    "x * (y * (2 - z) + z * (2 - z))",  # another identity
    "x * y * (2 - z) + x * z * (2 - z)",  # twice
    "(x * y - x * z) * (2 - z)",
    "(x*y + x*z) * (2 - z)",
    "(x * y + x * z) * (2 - z) ",
    "(x * y + x * z)  * (2 - z)",
    "(x * y + x * z) * (2 - z) =",
    "( x * y + x * z) * (2 - z)",
    "(x * y + x * z) * (2 - 0z)",
    "(x * y + x * z) * (02 - z)",
    "(X * y + x * z) * (2 - z)",
    "(a * b + a * c) * (2 - z)",
    "",
]
MALFORMED = [
    *("", " ", "=", "|", " = ", " | ", " =", " =  |  =", "a = a | =", "a = a |  =", "a = a | x"),
    *("a = a | x=", "a = a | x = ", " a = a | x =", "a=a | x =", "a = a|x =", "a = a | x = x"),
    *("a = a = a | x =", "a = a | x | x =", "a = a", "x = x | x =", "a = b | x =", "a = a | a ="),
    *(
        "a = (a) | x =",
        "(a) = a | x =",
        "a = a | (x) =",
        "e = e | x =",
        "a = a | l =",
        "a = a | é =",
    ),
    *("a = a | sin =", "a = a | sin() =", "a = a | sin(x =", "a = a | sin(x)) =", "a = a | sinx ="),
    *(
        "a = a | sin (x) =",
        "a = a | cot(x) =",
        "a = a | sin((x)) =",
        "a = a | x^y^z =",
        "a = a | - x =",
    ),
    *(
        "a = a | x ^ y =",
        "a = a | x^ =",
        "a = a | ^x =",
        "a = a | x y =",
        "a = a | 1x =",
        "a = a | 00 =",
    ),
    *(
        "a = a | 01 =",
        "a = a | 1.5 =",
        "a = a | 1234567 =",
        "a = a | x +y =",
        "a = a | x\n =",
        "`a = a | x =",
    ),
    *("a = a | x\x00 =", "a = a | x - - y =", "a = a | () =", "a = a | x () =", "a = a | xy ="),
]


def strings(*texts: str | None) -> pa.StringArray:
    return pa.array(texts, pa.string())


def both(prompt: str, answer: str) -> list[bool]:
    """What the compiled and the slow check say."""
    return [
        bool(VERIFIER.check(strings(prompt), strings(answer), None)[0]),
        bool(VERIFIER.symbolic(strings(prompt), strings(answer))[0]),
    ]


def replayed(prompt: str, answer: str, solution: str | None) -> bool:
    return bool(VERIFIER.check(strings(prompt), strings(answer), strings(solution))[0])


def test_it_is_a_verifier() -> None:
    assert isinstance(VERIFIER, Verifier)
    assert VERIFIER.check(strings(), strings(), None).shape == (0,)
    assert VERIFIER.check(strings(), strings(), strings()).shape == (0,)
    assert VERIFIER.symbolic(strings(), strings()).shape == (0,)


def test_its_words_are_those_of_the_generator() -> None:
    """Lists made apart: a word that one of them lacks is found here."""
    assert reading._FUNCTION_NAMES == trees.FUNCTIONS == terms.FUNCTIONS
    assert trees.METAS == terms.METAS == "".join(map(chr, range(reading.META_FIRST, 101)))
    for sign in [*terms.VARIABLES, *map(str, range(terms.N_NUMBERS))]:
        assert both(f"a + 0 = a | {sign} + 0 =", sign) == [True, True]


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    answer = WORKED[prompt]
    if answer is None:
        term = prompt.partition(" | ")[2].removesuffix(" =")
        for guess in (term, "x", "(x - y) * (x + y)", "x + (y + z)", "2 * (x * y)", "x^1"):
            assert both(prompt, guess) == [False, False]
        return
    assert both(prompt, answer) == [True, True]
    assert both(f"Some `rules`.\n\n`{prompt}`", answer) == [True, True]
    for wrong in ("", answer + " ", " " + answer, f"({answer})", answer[:-1], answer + answer[-1]):
        assert both(prompt, wrong) == [False, False], wrong


@pytest.mark.parametrize("wrong", WRONG)
def test_mutated_answers_fail(wrong: str) -> None:
    [(prompt, right)] = MUTATED
    assert both(prompt, right) == [True, True]
    assert both(prompt, wrong) == [False, False]


def test_rewriting_again_fails() -> None:
    prompt = f"{SQUARES} | x^4 / (x^2^2) ="
    assert both(prompt, "x") == [False, False]
    prompt = f"{SQUARES} | (x^2)^2 - (y^2)^2 ="  # of which the result has another instance
    assert both(prompt, "(x^2 - y^2) * (x^2 + y^2)") == [True, True]
    assert both(prompt, "(x - y) * (x + y) * (x^2 + y^2)") == [False, False]


@pytest.mark.parametrize("prompt", STEPS)
def test_steps_are_the_values_in_order(prompt: str) -> None:
    answer, steps = WORKED[prompt], STEPS[prompt]
    assert answer is not None
    assert replayed(prompt, answer, steps)
    assert replayed(prompt, answer, None)
    lines = steps.split("\n")
    wrong = [
        *("", "\n", " ", steps + "\n", "\n" + steps, steps + " ", steps.replace(" = ", "=")),
        *(
            steps + "\n" + lines[-1],
            "\n".join(lines[:-1]),
            steps.replace("a =", "d ="),
            steps + "\nd = x",
        ),
        *(
            steps.replace("a = ", "a = 1 + "),
            steps.replace("y", "(y)"),
            steps.replace("\n", "\r\n") + "\r",
        ),
    ]
    if len(lines) > 1:
        wrong += ["\n".join(reversed(lines)), "\n\n".join(lines)]
    assert not any(replayed(prompt, answer, text) for text in wrong if text != steps)
    assert not replayed(prompt, answer + " ", steps)


@pytest.mark.parametrize("prompt", MALFORMED)
def test_what_is_no_problem_has_no_right_answer(prompt: str) -> None:
    term = prompt.partition(" | ")[2].removesuffix(" =")
    for answer in (term, "x", "", prompt):
        assert both(prompt, answer) == [False, False]


def test_a_rule_that_is_no_identity_is_refused_though_rightly_used() -> None:
    false = {
        "a + b = a * b | x + y =": "x * y",
        "(a + b)^2 = a^2 + b^2 | (x + y)^2 =": "x^2 + y^2",
        "sin(2 * a) = 2 * sin(a) | sin(2 * x) =": "2 * sin(x)",
        "sqrt(a + b) = sqrt(a) + sqrt(b) | sqrt(x + 1) =": "sqrt(x) + sqrt(1)",
        "a / a = 2 | x / x =": "2",
        "a^9 = a^8 | x^9 =": "x^8",
        "sqrt(a^2) = a | sqrt(x^2) =": "x",
        "log(a) = a | log(x) =": "x",
        "a - b = b - a | x - y =": "y - x",
    }
    for prompt, answer in false.items():
        assert both(prompt, answer) == [False, False]


def test_only_rows_with_the_false_rule_are_refused() -> None:
    prompts = ["a + b = b + a | x + y =", "a - b = b - a | x - y =", "a * b = b * a | x * y ="]
    answers = strings("y + x", "y - x", "y * x")
    for _ in range(2):  # rules that are known, the second time
        assert VERIFIER.check(strings(*prompts), answers, None).tolist() == [True, False, True]
    sliced = VERIFIER.check(strings("", *prompts)[1:], answers, None)
    assert sliced.tolist() == [True, False, True]


def test_identities_of_others_are_proven_too() -> None:
    others = {
        "(a + b) * c = c * a + c * b | (x + 1) * y =": "y * x + y * 1",
        "tanh(2 * a) = 2 * tanh(a) / (1 + tanh(a)^2) | tanh(2 * x) =": (
            "2 * tanh(x) / (1 + tanh(x)^2)"
        ),
        "log(a^2) = 2 * log(a) | log(x^2) =": "2 * log(x)",
        "(a^2)^(1 / 2) = abs(a) | (x^2)^(1 / 2) =": "abs(x)",
    }
    for prompt, answer in others.items():
        assert both(prompt, answer) == [True, True]


def sympy_holds(rule: str) -> bool:
    left, right = rule.split(" = ")
    return holds(trees.read(left, "abcd"), trees.read(right, "abcd"))


def test_the_second_opinion() -> None:
    assert sympy_holds("a * b = b * a")
    assert sympy_holds("log(a * b) = log(a) + log(b)")
    assert sympy_holds("sqrt(a^2) = abs(a)")
    assert not sympy_holds("sqrt(a^2) = a")  # for negative values
    assert not sympy_holds("a = a + 1")
    assert not sympy_holds("1 / (a - a) = 2 / (a - a)")
    many = " + ".join(["a"] * 30)  # too large for SymPy: the points have to do
    assert sympy_holds(f"{many} = 30 * a")
    assert not sympy_holds(f"{many} = 31 * a")


def test_values_outside_the_domain_are_no_objection() -> None:
    def agrees(rule: str, value: str) -> bool:
        left, right = (trees.read(side, "abcd") for side in rule.split(" = "))
        return agree_at(left, right, {"a": trees.read_answer(value)})

    assert agrees("sqrt(a^2) = abs(a)", "0 - x")
    assert not agrees("sqrt(a^2) = a", "0 - abs(x)")
    assert agrees("exp(log(a)) = a", "0 - abs(x)")
    assert not agrees("a = a + 1", "x")
    assert agrees("a = a + 1", "log(0 - x^2)")


HOSTILE = {
    "brackets": ("(" * 30_000 + "x", "x"),
    "functions": ("sin(" * 8_000 + "x" + ")" * 8_000, "x"),
    "a long sum": (" + ".join(["x"] * 8_000), "x"),
    "powers of powers": ("(" * 3_000 + "x" + "^2)" * 3_000, "x"),
    "a tower": ("9^(" * 60 + "9" + ")" * 60, "9"),
    "digits": ("9" * 30_000, "9"),
    "letters": ("x" * 30_000, "x"),
    "bytes": ("\x00\xff" * 10_000, "\x00"),
    "blanks": (" " * 30_000, " "),
    "bars": (" | " * 10_000, "x"),
    "ticks": ("`" * 30_000, "x"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_take_bounded_time(name: str) -> None:
    text, answer = HOSTILE[name]
    with bounded():
        for prompt in (text, f"a + 0 = a | {text} =", f"{text} = a | x =", f"a = {text} | x ="):
            for told in (answer, text):
                assert both(prompt, told) == [False, False]
                assert not replayed("a + 0 = a | x + 0 =", "x", text)


@pytest.mark.parametrize(
    "rule",
    [
        "tan(a + b)^3 = ((tan(a) + tan(b)) / (1 - tan(a) * tan(b)))^3",
        "(a + b)^9 * (a + b)^9 = (a + b)^9 * (b + a)^9",
        "9^(9^(9^a)) + b = b + 9^(9^(9^a))",
        "((a + b + c + d)^9)^9 = ((b + a + c + d)^9)^9",
        "sin(9^(9 * 9 * 9 * 9)) + a = a + sin(9^(9 * 9 * 9 * 9))",
    ],
)
def test_hard_proofs_take_bounded_time(rule: str) -> None:
    with bounded():
        assert sympy_holds(rule) in (True, False)


def test_values_too_large_to_compare_are_not_taken_on_trust() -> None:
    large = "exp(" * 40 + "9" + ")" * 40
    assert both(f"a + 0 = a | {large} + 0 =", large) == [True, True]
    assert both(f"a = {large} | x =", large) == [False, False]


def test_a_term_of_many_nodes_is_rewritten() -> None:
    long = " + ".join(f"{i} * x" for i in range(2_000))
    both_sides = f"a + 0 = a | {long} + (x + 0) ="
    with bounded():
        assert VERIFIER.check(strings(both_sides), strings(f"{long} + x"), None).all()
        assert not VERIFIER.check(strings(both_sides), strings(long), None).any()


PIECES = st.lists(
    st.sampled_from([*"abxyz0129+-*/^()=|` \n", " + ", " * ", "sin(", " = ", " | ", " =", "log("]),
    max_size=40,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(PIECES, PIECES, PIECES)
def test_any_text_is_judged_alike_by_both(prompt: str, answer: str, steps: str) -> None:
    compiled, _ = both(prompt, answer)
    slow = both(f"a + 0 = a | {prompt} =", answer)
    assert slow[0] == slow[1]
    assert not compiled or replayed(prompt, answer, None)
    replayed(f"a + 0 = a | {prompt} =", answer, steps)


TERMS = st.recursive(
    st.sampled_from([*"xyz", "0", "1", "12"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/^"), inner, inner),
        st.tuples(st.sampled_from(["sin", "exp"]), inner),
    ),
    max_leaves=12,
)


def tree_of(parts: object) -> trees.Term:
    if isinstance(parts, str):
        return trees.Term(parts)
    assert isinstance(parts, tuple)
    return trees._term(parts[0], *map(tree_of, parts[1:]))


@settings(max_examples=150, deadline=None)
@given(TERMS)
def test_what_is_written_is_read_by_both(parts: object) -> None:
    term = tree_of(parts)
    text = trees.write(term)
    assert trees.read_answer(text) == term
    prompt = f"log(exp(a)) = a | log(exp({text})) ="
    assert VERIFIER.check(strings(prompt), strings(text), None).all()
    assert not VERIFIER.check(strings(prompt), strings(f"({text})"), None).any()
    assert both(f"log(a) = 0 + a | log({text}) =", text) == [False, False]
