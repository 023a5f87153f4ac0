"""Reading prompts by their wordings, and checking answers and solutions."""

from collections.abc import Iterator

import pyarrow as pa

from synthgen.authoring import PlainVerifier, Words, WorkedVerifier, exactly, holes, reads
from synthgen.authoring.verifier import problem_of
from synthgen.core.columns import text_list

WORDS = Words(
    {
        "prompts": {
            "instruction": {
                "sum": ["What is the sum of {p} and {q}?", "{p} plus {q}", "Add {p} to {q}."],
                "product": ["What is the product of {p} and {q}?", "{p} times {q}"],
            }
        },
        "steps": {"result": "{p} and {q} give {result}"},
    }
)
ANY = holes.pattern("[a-z0-9 ]+")


@reads(WORDS, p=ANY, q=ANY)
def read(kind: str, p: str, q: str) -> tuple[str, str, str]:
    return kind, p, q


def lines(problem: tuple[str, str, str]) -> list[str]:
    _, p, q = problem
    return [WORDS.line("result", p=p, q=q, result=solve(problem))]


def solve(problem: tuple[str, str, str]) -> str:
    return "/".join(problem)


VERIFIER = PlainVerifier(read, solve, "string", exactly(lines))


def test_wordings_are_tried_in_order_whatever_their_beginnings_share() -> None:
    assert read("What is the sum of 1 and 2?") == ("sum", "1", "2")
    assert read("What is the product of 1 and 2?") == ("product", "1", "2")
    assert read("a plus b times c") == ("sum", "a", "b times c")
    assert read("something long times 2") == ("product", "something long", "2")
    assert read("Add 3 to 4.") == ("sum", "3", "4")
    assert read("1 times 2") == ("product", "1", "2")
    assert read("What is the sum of 1 and 2") is read("Add") is read("") is None


def test_a_solution_has_exactly_the_lines_of_the_problem() -> None:
    answers = text_list(["sum/1/2"] * 3)
    solutions = text_list(["1 and 2 give sum/1/2", "1 and 2 give 3", "1 and 2 give sum/1/2\n"])
    right = VERIFIER.check(text_list(["Add 1 to 2."] * 3), answers, solutions)
    assert right.tolist() == [True, False, False]


def test_lines_are_made_only_up_to_the_first_that_differs() -> None:
    made = []

    def lines(problem: int) -> Iterator[str | None]:
        for line in range(problem):
            made.append(line)
            yield str(line) if line < 5 else None

    follows = exactly(lines)
    assert follows(3, "", ["0", "1", "2"])
    assert not follows(9, "", ["0", "x", "2"])
    assert made == [0, 1, 2, 0, 1]
    assert not follows(6, "", ["0", "1", "2", "3", "4", "None"])


def test_answers_and_solutions_are_worked_out_once() -> None:
    solution = "7 > 0\n7 = 3 * 2 + 1"
    worked = []

    @reads(Words({"prompts": {"": ["Halve {n}"]}}), n=holes.INTEGER)
    def read(n: int) -> int:
        return n

    def work(n: int) -> tuple[str | None, list[str]]:
        worked.append(n)
        return (None, []) if n < 1 else (str(n // 2), [f"{n} > 0", f"{n} = {n // 2} * 2 + {n % 2}"])

    verifier = WorkedVerifier(read, work)
    rows = [
        ("Halve 7", "3", solution),
        ("Halve 7", "3", None),
        ("Halve 7", "4", solution),
        ("Halve 7", "3", solution[:5]),
        ("Halve 7", "3", f"{solution}\n"),
        ("Halve 0", "0", None),
        ("Double 7", "14", None),
    ]
    prompts, answers, solutions = zip(*rows, strict=True)
    found = verifier.check(
        *(pa.array(column, pa.string()) for column in (prompts, answers, solutions))
    )
    assert found.tolist() == [True, True, *[False] * 5]
    assert worked == [7] * 5 + [0]
    assert verifier.has_steps
    assert (verifier.answer("Halve 7"), verifier.answer("Halve 0")) == ("3", None)
    assert verifier.accepts("Halve 7", "+3")


def test_the_problem_is_between_the_last_two_backticks() -> None:
    assert problem_of("With `x`: `walk left` now") == "walk left"
    assert problem_of("one ` tick") == "one ` tick"
    assert problem_of("walk left") == "walk left"
