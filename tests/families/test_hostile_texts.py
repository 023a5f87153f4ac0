"""Every verifier on useless texts: no error, no acceptance, no long wait."""

from functools import lru_cache

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.contract.interfaces import Render, Verifier
from synthgen.contract.registry import generator_class, generator_names, load_verifier
from synthgen.draws.randomness import Rows
from tests.bounded import bounded

HOSTILE = [
    *("", " ", "\n", "\x00", "é", "`", "``", "-", "9" * 4_000, "9" * 60_000, "(" * 50_000),
    *("1 " * 20_000, "[" * 3_000 + "]" * 3_000, "a^" * 5_000, "-" * 50_000, "\\boxed{}", "1/0"),
]
COSTLY = {
    "cogs": [
        *("The cat " + "on the cat " * 5_000 + "slept .", "The " + "c" * 60_000 + " slept ."),
        *("Emma " + "said that Emma " * 4_000 + "slept .", "Emma gave " + "a cake " * 9_000 + "."),
    ],
    "hint": ["1+" * 50_000, "1+1" * 33_000, "(" * 49_999 + "1" + ")" * 49_998],
    "identities": [
        *(f"a + 0 = a | {'sin(' * 8_000}x{')' * 8_000} =", "a + 0 = a | 9^(9^(9^(9^9))) ="),
        f"a + 0 = a | {'(' * 3_000}x{'^2)' * 3_000} =",
    ],
    "markov": [
        *(
            "a > aa | a =",
            "a > aaaaaaaaaaaaaaaa @all_parallel | a =",
            "ab > bba | " + "a" * 30 + "b =",
        ),
        *("a > b ; " * 20_000 + "b > a | " + "ab" * 4_000 + " =", "a > b ; b > a | a ? 99999 ="),
        "a" * 4_000 + "b > c ; b > bb | " + "a" * 9_000 + "b =",
        "any_order : " + "ba > ab ; " * 60 + "c > b | " + "ba" * 4_999 + "c =",
    ],
    "pcfg": ["repeat " * 5_000 + "A1 B2", "echo " * 10_000 + "A1 " * 10_000 + "A1"],
    "rewrite": ["a" * 100_000 + "b > c | " + "a" * 200_000],
    "scan": ["jump and " * 20_000 + "x", "jump ninefold after " * 10_000 + "x"],
    "skill_chain": ["func_q \n" * 200_000 + "`func_q: a`", "rev " * 200_000 + "| a"],
    "string_systems": ["A# #B " * 30_000, "A::B | " + " ".join(["A#"] * 8_000 + ["#B"] * 8_000)],
}
"""Texts in the language of a family whose problems are too large, or are none."""
PARAMS = {"hint_paper": {"concept": "x"}}


@lru_cache
def sample(name: str) -> tuple[Verifier, list[str], str]:
    """The verifier of a family, two of its prompts in every style, and the first one's answer."""
    generator = generator_class(name)(**PARAMS.get(name, {}))
    rows = Rows.span(5, 0, 40)
    rows = Rows(5, rows.addresses[generator.draw(rows).valid][:2])
    problems = generator.draw(rows)
    styles = [Render(prompt, "none") for prompt in generator.prompts]
    texts = [generator.render(problems, one) for one in styles]
    prompts = [str(prompt) for one in texts for prompt in one.prompts]
    return load_verifier(generator.verifier), prompts, str(texts[0].answers[0])


@pytest.mark.parametrize("name", generator_names())
def test_hostile_texts_are_rejected_in_time(name: str) -> None:
    verifier, (real, *_), _ = sample(name)
    with bounded():
        prompts = [*HOSTILE, *(real + text for text in HOSTILE if text.strip())]
        answers = pa.array(["1"] * len(prompts))
        assert not verifier.check(pa.array(prompts), answers, None).any()
        same = pa.array([real] * len(HOSTILE))
        assert not verifier.check(same, pa.array(HOSTILE), pa.array(HOSTILE)).any()


@pytest.mark.parametrize("name", COSTLY)
def test_costly_problems_are_rejected_in_time(name: str) -> None:
    prompts = pa.array(COSTLY[name])
    answers = pa.array(["7"] * len(prompts))
    verifier, *_ = sample(name)
    with bounded():
        assert not verifier.check(prompts, answers, prompts).any()


@pytest.mark.parametrize("name", generator_names())
def test_columns_are_read_from_where_they_start(name: str) -> None:
    """Slices have offsets of their own, and an empty one has no rows."""
    verifier, prompts, answer = sample(name)
    column, answers = pa.array(["x", prompts[0]]), pa.array(["", "no answer"])
    right = pa.array(["", answer])
    assert verifier.check(column[1:], right[1:], None).tolist() == [True]
    assert verifier.check(column[1:], answers[1:], None).tolist() == [False]
    assert verifier.check(column[:0], answers[:0], answers[:0]).shape == (0,)


@pytest.mark.parametrize("name", generator_names())
def test_damaged_prompts_do_no_harm(name: str) -> None:
    verifier, prompts, _ = sample(name)

    @settings(max_examples=40, deadline=None, database=None)
    @given(
        st.sampled_from(prompts), st.integers(0, 10**6), st.text("0159-+*/^()[]{}xk,. ", max_size=4)
    )
    def damaged(prompt: str, place: int, inserted: str) -> None:
        at = place % (len(prompt) + 1)
        text = prompt[:at] + inserted + prompt[at + 1 :]
        assert len(verifier.check(pa.array([text]), pa.array(["17"]), None)) == 1
        assert len(verifier.check(pa.array([text]), pa.array(["17"]), pa.array([inserted]))) == 1

    damaged()


def test_a_card_that_is_worth_nothing_is_read() -> None:
    verifier, prompts, _ = sample("general_points")
    texts = [prompt.replace("10 each", "0 each") for prompt in prompts]
    assert texts != prompts
    answers = pa.array(["17"] * len(texts))
    assert not verifier.check(pa.array(texts), answers, None).any()
