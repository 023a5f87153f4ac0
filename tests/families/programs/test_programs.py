"""Programs: both interpreters against Python itself and worked examples, and what is refused."""

import ast
import warnings
from collections import Counter
from typing import Any

import pytest

from synthgen.contract.answers import grade, parse_literal
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.families.programs.language import Run, Unfit, evaluate
from synthgen.families.programs.verify import Machine, Unreadable
from synthgen.testing import check_family

FIRST = """def f(a, b):
    c = a * 2
    d = b[::-1]
    d = d + str(c)
    c = c - len(d)
    return [c, d]"""
SECOND = """def f(xs, k):
    xs = xs + [k]
    xs = sorted(xs)
    k = xs[1] - xs[0]
    ys = [x + k for x in xs]
    return ys[::-1]"""
NAMES = {"v0": "a", "v1": "b", "v2": "c", "v3": "d"}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"control": ()},
        {"min_statements": 6, "max_statements": 12, "max_arguments": 3, "level": True},
    ],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("programs", params, rows=100)


def test_the_first_example_in_both_interpreters() -> None:
    body = (
        ("assign", "v2", ("mul", "v0", 2)),
        ("assign", "v3", ("backwards", "v1")),
        ("assign", "v3", ("join", "v3", ("written", "v2"))),
        ("assign", "v2", ("sub", "v2", ("length", "v3"))),
        ("return", ("pair", "v2", "v3")),
    )
    run = Run({"v0": 3, "v1": "pq"}, NAMES)
    run.block(body, 2)
    machine = Machine(FIRST)
    assert machine.call("f(3, 'pq')") == [3, "qp6"]
    values = ["c = 6", "d = 'qp'", "d = 'qp6'", "c = 3", "[3, 'qp6']"]
    assert machine.lines == run.notes
    assert run.notes == [f"line {line}: {value}" for line, value in enumerate(values, 2)]


def test_the_second_example_in_both_interpreters() -> None:
    body = (
        ("assign", "v0", ("concat", "v0", ("list", "v1"))),
        ("assign", "v0", ("sorted", "v0")),
        ("assign", "v1", ("sub", ("item", "v0", 1), ("item", "v0", 0))),
        ("assign", "v2", ("shifted", "v1", "v0")),
        ("return", ("reversed", "v2")),
    )
    run = Run({"v0": [4, 1, 9], "v1": 2}, NAMES)
    run.block(body, 2)
    assert run.notes[-1] == "line 6: [10, 5, 3, 2]"
    assert Machine(SECOND).call("f([4, 1, 9], 2)") == [10, 5, 3, 2]


def test_python_agrees() -> None:
    generator = generator_class("programs")(max_statements=9)  # type: ignore[call-arg]
    problems = generator.draw(Rows.span(11, 0, 300))
    for problem in problems.parts["made"]:
        scope: dict[str, Any] = {}
        exec(problem.holes["code"], scope)  # noqa: S102
        assert repr(eval(problem.holes["call"], scope)) == problem.answer  # noqa: S307


def test_programs_are_varied_and_need_their_statements() -> None:
    generator = generator_class("programs")()
    problems = generator.draw(Rows.span(12, 0, 400))
    assert problems.valid.mean() > 0.99
    assert min(problems.axes["depth"]) >= 2
    assert 0.1 < (problems.axes["loops"] > 0).mean() < 0.5
    assert 0.01 < problems.axes["aliased"].mean() < 0.2
    answers = Counter(generator.render(problems, Render("boxed", "none")).answers.to_pylist())
    assert max(answers.values()) < 0.05 * len(problems)


OTHERS = {
    "f('banana', 'a')": (
        "def f(s, c):\n    n = 0\n    while c in s:\n        s = s.replace(c, '', 1)\n"
        "        n += 1\n        if n > 2:\n            break\n    return s, n",
        ("bnn", 3),
    ),
    "f({'b': 2, 'a': 1})": (
        "def f(d):\n    out = []\n    for k, v in sorted(d.items()):\n        if not v % 2 == 0:\n"
        "            continue\n        out.append(k * v if v else None)\n    d.pop('a')\n"
        "    return out, len(d), d.get('z', -1), 1 < len(out) + 1 <= 2 and 'x'.upper() or ''",
        (["bb"], 1, -1, "X"),
    ),
    "f('a-b', {'x': [1]}, ['no', 'yes'])": (
        "def f(s, d, words):\n    both = {**d, **dict.fromkeys(s.split('-'), 0)}\n"
        "    longest = max(words, key=len)\n    words.sort(key=lambda word: word[1])\n"
        "    pairs = {v: k for k, v in enumerate(words)}\n"
        "    return f'{longest}: {s.isascii()}', both, [k + c for k in pairs for c in s]",
        ("yes: True", {"x": [1], "a": 0, "b": 0}, ["yesa", "yes-", "yesb", "noa", "no-", "nob"]),
    ),
    "f([3, 1, 2])": (
        "def f(xs):\n    ys = xs\n    ys += [sum(x for x in xs if x > 1)]\n    del xs[0]\n"
        "    xs[0], xs[1] = xs[1], xs[0]\n    return ys[-1:] + xs[::-1]",
        [5, 5, 1, 2],
    ),
}


@pytest.mark.parametrize("call", OTHERS)
def test_the_verifier_runs_more_of_python(call: str) -> None:
    code, value = OTHERS[call]
    assert Machine(code).call(call) == value


@pytest.mark.parametrize(
    "line",
    [
        *("import os", "return open('x')", "return a.__class__", "return (lambda: 1)()"),
        *(
            "return 'a' * 10 ** 9",
            "return '%9999999d' % 3",
            "return [0] * 999999999",
            "return g(1)",
        ),
        *(
            "while True:\n        a = a",
            "a = 9\n    while a:\n        a = a * a",
            "return a.zfill(99999)",
        ),
        *(
            "while True:\n        a = [a, a]",
            "a = []\n    b = [a] * 999\n    a.extend(b[:9])\n    return str(b)",
            "return list(map(range, [1000000000]))",
            "return '\\t'.expandtabs(tabsize=99999)",
            "return f'{a:>99999}'",
        ),
        *("return eval('1')", "return '{}'.format(a)", "return list(range(10 ** 12))", "return b"),
        *(
            "try:\n        a = 1\n    except E:\n        a = 2",
            "break",
            "return f(a)",
            "return [" * 80,
        ),
    ],
)
def test_anything_else_is_refused(line: str) -> None:
    with pytest.raises(Unreadable):
        Machine(f"def f(a):\n    {line}").call("f('1')")


@pytest.mark.parametrize("tree", [("mul", 200, 200), ("scaled", 200, ("list", 1, 200))])
def test_integers_stay_small_also_in_lists(tree: Any) -> None:
    with pytest.raises(Unfit):
        evaluate(tree, {})


def test_literals_are_compared_with_their_types() -> None:
    assert grade('["a",1]', "['a', 1]", "literal") == grade(
        "{'b':2,'a':1}", "{'a': 1, 'b': 2}", "literal"
    )
    for wrong in ("[1, True]", "(1, 1)", "[1]", "1", "[1, 1", "", "[1, 1.0]", "f(1)", "(" * 900):
        assert grade(wrong, "[1, 1]", "literal") == 0.0


def test_unknown_escapes_of_literals_raise_no_warning() -> None:
    text = r"""['a\d', "it's\w\n", '\'\9', r'\d\\', '\\', '\x41']"""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value = parse_literal(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = ast.literal_eval(text)
    assert value == parse_literal(repr(expected)) is not None
