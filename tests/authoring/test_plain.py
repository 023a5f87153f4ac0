"""Plain families and verifiers: what is worked out once, and what rows do not depend on."""

from typing import Any

import pytest

from synthgen.authoring import Rows, Words, WorkedVerifier, holes, reads
from synthgen.core.registry import generator_class
from tests.families.verdicts import strings

SOLUTION = "7 > 0\n7 = 3 * 2 + 1"


def test_answers_and_solutions_are_worked_out_once() -> None:
    worked = []

    @reads(Words({"prompts": {"": ["Halve {n}"]}}), n=holes.INTEGER)
    def read(n: int) -> int:
        return n

    def work(n: int) -> tuple[str | None, list[str]]:
        worked.append(n)
        return (None, []) if n < 1 else (str(n // 2), [f"{n} > 0", f"{n} = {n // 2} * 2 + {n % 2}"])

    verifier = WorkedVerifier(read, work)
    rows = [
        ("Halve 7", "3", SOLUTION),
        ("Halve 7", "3", None),
        ("Halve 7", "4", SOLUTION),
        ("Halve 7", "3", SOLUTION[:5]),
        ("Halve 7", "3", f"{SOLUTION}\n"),
        ("Halve 0", "0", None),
        ("Double 7", "14", None),
    ]
    prompts, answers, solutions = zip(*rows, strict=True)
    found = verifier.check(strings(*prompts), strings(*answers), strings(*solutions))
    assert found.tolist() == [True, True, *[False] * 5]
    assert worked == [7] * 5 + [0]
    assert verifier.has_steps
    assert (verifier.answer("Halve 7"), verifier.answer("Halve 0")) == ("3", None)
    assert verifier.grade("+3", "3") == 1


@pytest.mark.parametrize("ahead", [0, 1, 99])
def test_rows_do_not_depend_on_the_draws_that_are_made_ahead(
    monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    kind: Any = generator_class("word_letters")
    wanted = kind().draw(Rows.span(3, 0, 20)).keys
    monkeypatch.setattr(kind, "draws_ahead", ahead)
    assert (kind().draw(Rows.span(3, 0, 20)).keys == wanted).all()
