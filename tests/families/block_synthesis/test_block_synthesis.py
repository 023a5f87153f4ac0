"""Block synthesis: the contract, rules by hand, axes from the texts, other rules, hostile text."""

from collections import Counter
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.contract.interfaces import Generator, Problems, Render, Texts
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.engine.build import build
from synthgen.engine.progress import Phases
from synthgen.engine.workers.local import LocalEngine
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.building import plan_of, rows_of
from tests.families.verdicts import Verdicts

VERDICTS = Verdicts("block_synthesis")
accepted = VERDICTS.accepts

KINDS = ["[A]", "[B]", "[C]", "{A}", "{B}", "{C}", "(A)", "(B)", "(C)"]
RULES = "[A][B][C]>{A} [A][B]>{C} [B][C]>{B} [C][C]>{C} {A}{C}>(A)(B) {B}{B}>(C)"
OTHER = "[C][C]>{C} {B}{B}>(C) [B][C]>{B} [A][B]>{C} {A}{C}>(A)(B) [A][B][C]>{A}"
WORKED = {
    f"{RULES} | 1 1 1 0 0 0 0 0 0": "0 0 0 1 0 0 0 0 0",
    f"{RULES} | 1 1 0 0 0 0 0 0 0": "0 0 0 0 0 1 0 0 0",
    f"{RULES} | 0 1 1 0 0 0 0 0 0": "0 0 0 0 1 0 0 0 0",
    f"{RULES} | 0 0 2 0 0 0 0 0 0": "0 0 0 0 0 1 0 0 0",
    f"{RULES} | 0 0 0 1 0 1 0 0 0": "0 0 0 0 0 0 1 1 0",
    f"{RULES} | 0 0 0 0 2 0 0 0 0": "0 0 0 0 0 0 0 0 1",
    f"{RULES} | 0 0 0 0 0 0 0 0 0": "0 0 0 0 0 0 0 0 0",
    f"{RULES} | 5 0 1 9 1 0 3 3 3": "5 0 1 9 1 0 3 3 3",
    f"{RULES} | 3 2 4 0 0 0 0 0 0": "1 0 0 1 0 0 1 1 0",
    f"{RULES} | 2 5 3 0 0 0 0 0 0": "0 2 0 2 1 0 0 0 0",
    f"{OTHER} | 3 2 4 0 0 0 0 0 0": "1 0 0 0 0 4 0 0 0",
    "[A]>[B] | 2 0 0 0 0 0 0 0 1": "0 2 0 0 0 0 0 0 1",
    "[A]>[B] | 9999 0 0 0 0 0 0 0 0": "0 9999 0 0 0 0 0 0 0",
    "(C)>[A][A] [A][A][A]>[B] | 0 0 0 0 0 0 0 0 2": "1 1 0 0 0 0 0 0 0",
}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"shuffled": True, "min_blocks": 3, "max_blocks": 60},
    {"start": "all", "max_blocks": 9, "shuffled": True},
    {"max_blocks": 5},
]


def family(**params: Any) -> Generator:
    return generator_class("block_synthesis")(**params)


def made(generator: Generator, n: int, prompt: str = "bare") -> tuple[Problems, Texts]:
    problems = generator.draw(Rows.span(5, 0, n))
    assert problems.valid.all()
    return problems, generator.render(problems, Render(prompt, "steps"))


def numbers(text: str) -> list[int]:
    return list(map(int, text.split(" ")))


def one_at_a_time(prompt: str, most_steps: int = 2_000) -> str | None:
    """Use rules one at a time on a bag; None if that does not end."""
    rules, counts = prompt.split(" | ")
    bag = Counter(dict(zip(KINDS, numbers(counts), strict=True)))
    for _ in range(most_steps):
        for rule in rules.split(" "):
            taken, given_ = (
                Counter([side[k : k + 3] for k in range(0, len(side), 3)])
                for side in rule.split(">")
            )
            if taken <= bag:
                bag = bag - taken + given_
                break
        else:
            return " ".join(str(bag[kind]) for kind in KINDS)
    return None


@pytest.mark.parametrize("params", SETTINGS)
def test_contract(params: dict[str, Any]) -> None:
    check_family("block_synthesis", params, rows=216)


@pytest.mark.parametrize("params", SETTINGS)
def test_axes_and_derivations_are_those_of_the_texts(params: dict[str, Any]) -> None:
    kind = family(**params)
    problems, texts = made(kind, 200)
    axes = {name: column.tolist() for name, column in problems.axes.items()}
    trees = derivation_text(problems.derivations, kind.signature).to_pylist()
    assert texts.solutions is not None
    columns = (texts.prompts, texts.answers, texts.solutions)
    for i, row in enumerate(zip(*(column.to_pylist() for column in columns), strict=True)):
        prompt, answer, solution = row
        rules, counts = prompt.split(" | ")
        start, lines = numbers(counts), solution.split("\n")[1:-1]
        order = [RULES.split(" ").index(rule) + 1 for rule in rules.split(" ")]
        assert sorted(order) == [1, 2, 3, 4, 5, 6]
        assert answer == one_at_a_time(prompt)
        assert {name: column[i] for name, column in axes.items()} == {
            "start": int(any(start[3:])),
            "shuffled": int(order != sorted(order)),
            "n_steps": len(lines),
            "n_fired": len({line.split(":")[0] for line in lines}),
            "n_blocks": sum(start),
            "n_left": sum(numbers(answer)),
            "most_blocks": max(start),
            "blocks_level": 1 + sum(max(start) > most for most in (10, 50, 100)),
        }
        assert len(lines) <= sum(start[:6])
        listed = " ".join(f"rule{rule}" for rule in order)
        assert (
            trees[i]
            == f"(synthesis (rules6 {listed}) (blocks9 {' '.join(f'#{n}' for n in start)}))"
        )
    assert problems.difficulty.tolist() == axes["n_steps"]


def test_every_address_of_the_space_has_a_problem_of_its_own() -> None:
    published = family(max_blocks=5)
    assert published.space == published.fewest_problems == 216
    prompts = made(published, 216)[1].prompts.to_pylist()
    starts = {tuple(numbers(prompt.split(" | ")[1])) for prompt in prompts}
    assert starts == {(*counts, *[0] * 6) for counts in product(range(6), repeat=3)}
    beyond = published.draw(Rows.span(5, 200, 230)).valid
    assert beyond.tolist() == [True] * 16 + [False] * 14
    assert family(max_blocks=1, shuffled=True).space == 8 * 7


def test_no_two_orders_of_the_rules_that_occur_always_lead_to_the_same_end() -> None:
    """All 720 orders are run on all starts of up to three blocks of each square kind."""
    starts = [" ".join(map(str, (*counts, *[0] * 6))) for counts in product(range(4), repeat=3)]
    ends = {
        " ".join(order): tuple(VERDICTS.verifier.answer(f"{' '.join(order)} | {s}") for s in starts)
        for order in permutations(RULES.split(" "))
    }
    assert len(set(ends.values())) == 7
    kind = family(max_blocks=3, shuffled=True)
    assert kind.space == len(starts) * 7
    prompts = [prompt.split(" | ") for prompt in made(kind, 64 * 7)[1].prompts.to_pylist()]
    assert len({(ends[rules], counts) for rules, counts in prompts}) == 64 * 7
    assert len({rules for rules, _ in prompts}) > 100
    assert {rules for rules, _ in prompts if ends[rules] == ends[RULES]} == {RULES}


def test_the_published_limit_of_steps_is_out_of_reach() -> None:
    for start in product((0, 250, 500), repeat=3):
        prompt = f"{RULES} | {' '.join(map(str, start))} 0 0 0 0 0 0"
        assert one_at_a_time(prompt, 751) == VERDICTS.verifier.answer(prompt)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"start": "round"}, "start="),
        ({"max_blocks": 0}, "max_blocks="),
        ({"max_blocks": 501}, "max_blocks="),
        ({"min_blocks": 21}, "min_blocks="),
        ({"min_blocks": -1}, "min_blocks="),
        ({"shuffled": 1}, "shuffled="),
        ({"start": "all", "max_blocks": 200}, "max_blocks=200: expected at most 127,"),
        (
            {"start": "all", "max_blocks": 300, "min_blocks": 100, "shuffled": True},
            "max_blocks=300: expected at most 202,",
        ),
    ],
)
def test_wrong_params_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ParamError) as error:
        family(**params)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(("prompt", "answer"), WORKED.items())
def test_worked_examples(prompt: str, answer: str) -> None:
    for text in (prompt, f"Some `rules`.\n\n`{prompt}`"):
        assert accepted(text, answer)
        for other in ("", " ", answer[:-1], answer + "0", answer + " ", " " + answer, "0" + answer):
            assert not accepted(text, other)
        assert not accepted(text, answer[:-1] + "7")


def test_steps_are_followed_line_by_line() -> None:
    prompt, answer = f"{RULES} | 3 2 4 0 0 0 0 0 0", "1 0 0 1 0 0 1 1 0"
    lines = [
        *("start: 3 2 4 0 0 0 0 0 0", "1: 2 1 3 1 0 0 0 0 0", "1: 1 0 2 2 0 0 0 0 0"),
        *("4: 1 0 0 2 0 1 0 0 0", "5: 1 0 0 1 0 0 1 1 0", "end"),
    ]
    right = "\n".join(lines)
    assert accepted(prompt, answer, right)
    for i, line in enumerate(lines):
        assert not accepted(prompt, answer, "\n".join(lines[:i] + lines[i + 1 :]))
        assert not accepted(prompt, answer, "\n".join(lines[: i + 1] + lines[i:]))
        for other in (line + " ", " " + line, line[:-1], line[1:], "0" + line, line + "0", ""):
            assert not accepted(prompt, answer, "\n".join([*lines[:i], other, *lines[i + 1 :]]))
    for text in ("", "end", right + "\n", "\n" + right, right[:-4], right.replace(": ", ":")):
        assert not accepted(prompt, answer, text)


@pytest.mark.parametrize(
    "prompt",
    [
        *("", " ", "`", "|", " | ", RULES, f"{RULES} |", f"{RULES} | ", f"{RULES} | 1 1 1"),
        *(f"{RULES} | 1 0 0 0 0 0 0 0", f"{RULES} | 1 0 0 0 0 0 0 0 0 0", " | 1 0 0 0 0 0 0 0 0"),
        *(f"{RULES} | 01 0 0 0 0 0 0 0 0", f"{RULES} | -1 0 0 0 0 0 0 0 0"),
        *(f"{RULES} | 10000 0 0 0 0 0 0 0 0", f"{RULES} | 1  0 0 0 0 0 0 0 0"),
        *(f" {RULES} | 1 0 0 0 0 0 0 0 0", f"{RULES}  | 1 0 0 0 0 0 0 0 0"),
        *(f"{RULES} | 1 0 0 0 0 0 0 0 0 ", f"{RULES}| 1 0 0 0 0 0 0 0 0"),
        *(f"{rule} | 1 0 0 0 0 0 0 0 0" for rule in ("[A]", "[A]>", ">[A]", "[A>[B]", "[A}>[B]")),
        *(f"{rule} | 1 0 0 0 0 0 0 0 0" for rule in ("[D]>[B]", "[a]>[B]", "[A] >[B]", "A>B")),
        *(f"{rule} | 1 0 0 0 0 0 0 0 0" for rule in ("[A]>[B]>[C]", "[A]>[B]  [A]>[C]")),
        *("[A]>[B] [B]>[A] | 1 0 0 0 0 0 0 0 0", "[A]>[A] | 1 0 0 0 0 0 0 0 0"),
        *("[A]>[A][B] | 1 0 0 0 0 0 0 0 0", f"{'(C)>[A] ' * 33}| 1 0 0 0 0 0 0 0 0"),
    ],
)
def test_malformed_and_endless_problems_have_no_answer(prompt: str) -> None:
    assert VERDICTS.verifier.answer(prompt) is None
    assert not accepted(prompt, "1 0 0 0 0 0 0 0 0", "start: 1 0 0 0 0 0 0 0 0\nend")


BLOCK = st.sampled_from(KINDS)
SIDE = st.lists(BLOCK, min_size=1, max_size=3).map("".join)
RULE = st.tuples(SIDE, SIDE).map(">".join)


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.lists(RULE, min_size=1, max_size=5).map(" ".join),
    st.lists(st.integers(0, 30), min_size=9, max_size=9),
)
def test_rounds_lead_to_what_single_steps_lead_to(rules: str, counts: list[int]) -> None:
    prompt = f"{rules} | {' '.join(map(str, counts))}"
    assert VERDICTS.verifier.answer(prompt) == one_at_a_time(prompt)


def test_the_same_answers_as_reasoning_gym() -> None:
    pytest.importorskip("reasoning_gym")
    from reasoning_gym.algorithmic import string_synthesis as peer

    synthesis = peer.StringSynthesisDataset(peer.StringSynthesisConfig(size=1, seed=0))
    for kind, n in ((family(max_blocks=7), 512), (family(max_blocks=500), 150)):
        problems, texts = made(kind, n)
        rows = zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
        for i, (prompt, answer) in enumerate(rows):
            states = synthesis._get_answer(*numbers(prompt.split(" | ")[1])[:3])
            assert states[-1] == numbers(answer)
            assert len(states) - 1 == problems.axes["n_steps"][i]


def test_more_blocks_and_more_kinds_are_only_in_their_tests(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    plan = plan_of(root / "recipes" / "block-synthesis.toml", scale=0.01)
    with LocalEngine(1) as engine:
        build(plan, tmp_path / "out", engine, Phases())
    for split in plan.splits:
        for row in rows_of(tmp_path / "out", split.name):
            counts = numbers(row["prompt"].split(" | ")[1])
            assert (max(counts) > 20) == (split.name == "test_more")
            assert any(counts[3:]) == (split.name == "test_all")
            assert row["answer"] == one_at_a_time(row["prompt"])
