"""Programs in four languages: one meaning, read by hand-written examples and refused outside."""

import json
from pathlib import Path
from typing import Any

import pytest

from synthgen.contract.registry import load_verifier
from synthgen.core.columns import text_list
from synthgen.draws.randomness import Rows
from synthgen.families.programs.family import ProgramSyntaxes
from synthgen.families.programs.syntaxes import SYNTAXES
from synthgen.families.programs.verify import Machine
from synthgen.families.programs.verify_syntaxes import in_python
from synthgen.testing import check_family
from tests.building import build_bundled

EXAMPLES = {
    "python": """def f(xs, s):
    c = len(s) // 2
    for x in xs:
        if x > 3:
            c += x
        else:
            c = c * 2
    s = s[1:] + str(c)
    return s""",
    "javascript": """function f(xs, s) {
    let c = Math.floor(s.length / 2);
    for (const x of xs) {
        if (x > 3) {
            c += x;
        } else {
            c = c * 2;
        }
    }
    s = s.slice(1) + String(c);
    return s;
}""",
    "go": """func f(xs []int, s string) string {
    c := len(s) / 2
    for _, x := range xs {
        if x > 3 {
            c += x
        } else {
            c = c * 2
        }
    }
    s = s[1:] + strconv.Itoa(c)
    return s
}""",
    "lisp": """(defun f (xs s &aux c)
  (setf c (floor (length s) 2))
  (dolist (x xs)
    (cond ((> x 3)
           (incf c x))
          (t
           (setf c (* c 2)))))
  (setf s (concatenate 'string (subseq s 1) (write-to-string c)))
  s)""",
}
CALLS = {
    "python": "f([1, 5], 'pqrs')",
    "javascript": 'f([1, 5], "pqrs")',
    "go": 'f([]int{1, 5}, "pqrs")',
    "lisp": '(f \'(1 5) "pqrs")',
}
LINES = (2, 3, 4, 7, 3, 4, 5)
"""Lines of the trace in Python and Lisp; in the others, two braces are closed before the end."""
NOTES = ("c = 2", "x = 1", "false", "c = 4", "x = 5", "true", "c = 9")


@pytest.mark.parametrize(
    "params",
    [{"level": True}, {"min_statements": 6, "max_statements": 12, "max_arguments": 3}],
    ids=["levels", "long"],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("program_syntaxes", params, rows=30)


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_worked_example(syntax: str) -> None:
    code, call = in_python(EXAMPLES[syntax], CALLS[syntax], syntax)
    machine = Machine(code, json.dumps)
    assert machine.call(call) == "qrs9"
    notes = [f"line {line}: {note}" for line, note in zip(LINES, NOTES, strict=True)]
    last = 10 if syntax in ("javascript", "go") else 8
    assert machine.lines == [*notes, f'line {last}: s = "qrs9"', f'line {last + 1}: "qrs9"']


def test_the_same_draws_give_the_same_program_in_each_language() -> None:
    made = [
        ProgramSyntaxes(syntaxes=(syntax,)).draw(Rows.span(3, 0, 40)).parts["made"]
        for syntax in SYNTAXES
    ]
    for problems in zip(*made, strict=True):
        assert len({problem and (problem.tree, problem.answer) for problem in problems}) == 1
    assert len({problem.holes["code"] for problem in problems}) == len(SYNTAXES)


@pytest.mark.parametrize(
    ("syntax", "old", "new"),
    [
        ("javascript", "s.slice(1)", "s.at(1)"),
        ("javascript", "s.length / 2", "s.length ** 2"),
        ("javascript", "let c", "var c"),
        ("javascript", "String(c)", "eval(c)"),
        ("go", "strconv.Itoa(c)", "fmt.Sprint(c)"),
        ("go", "c := len(s) / 2", "c, d := len(s), 2"),
        ("lisp", "(floor (length s) 2)", "(eval (length s))"),
        ("lisp", "(dolist (x xs)", "(dolist (x xs))"),
        ("lisp", "  s)", "  s"),
    ],
    ids=lambda text: text if text in SYNTAXES else "",
)
def test_anything_else_is_refused(syntax: str, old: str, new: str) -> None:
    prompt = f"What does the call `{CALLS[syntax]}` return?\n\n```{syntax}\n{EXAMPLES[syntax]}"
    prompt += "\n```\n\nGive the value as JSON."
    assert old in prompt
    texts = text_list([prompt, prompt.replace(old, new)])
    answers = text_list(['"qrs9"'] * 2)
    assert load_verifier("program_syntaxes").check(texts, answers, None).tolist() == [True, False]


@pytest.mark.slow
def test_tests_repeat_programs_in_languages_that_training_lacks(tmp_path: Path) -> None:
    rows = [f"split.{name}.rows=20" for name in ("train", "test", "test_go", "test_lisp")]
    splits = build_bundled("cruxeval-x", tmp_path / "out", *rows, "split.test_longer.rows=8")
    assert {row["syntax"] for row in splits["train"]} == {"python", "javascript"}
    for name in ("go", "lisp"):
        test = splits[f"test_{name}"]
        assert {row["syntax"] for row in test} == {name}
        for key in ("id", "answer"):
            assert [row[key] for row in test] == [row[key] for row in splits["test"]]
