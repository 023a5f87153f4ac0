"""Every OMEGA verifier on texts of no use: no error, no acceptance, no long wait."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, generator_names, load_verifier
from synthgen.generators.omega._family import OmegaFamily
from tests.bounded import bounded

NAMES = [name for name in generator_names() if issubclass(generator_class(name), OmegaFamily)]
HOSTILE = [
    *("", " ", "\n", "\x00", "é", "`", "``", "0", "-", "9" * 4_000, "9" * 60_000, "(" * 50_000),
    *("1 " * 20_000, "[" * 3_000 + "]" * 3_000, "a^" * 5_000, "-" * 50_000, "\\boxed{}", "1/0"),
]


def some_prompts(name: str) -> list[str]:
    """One prompt of each level."""
    prompts = []
    for level in range(1, generator_class(name).n_levels + 1):  # type: ignore[attr-defined]
        generator = generator_class(name)(levels=(level,))  # type: ignore[call-arg]
        problems = generator.draw(Rows.span(5, 0, 8))
        problems = generator.draw(Rows(5, problems.rows.addresses[problems.valid][:1]))
        prompts += generator.render(problems, Render("instruction", "none")).prompts.to_pylist()
    return prompts


@pytest.mark.parametrize("name", NAMES)
def test_hostile_texts_are_rejected_in_time(name: str) -> None:
    verifier = load_verifier(generator_class(name).verifier)
    real = some_prompts(name)[0]
    with bounded():
        prompts = [*HOSTILE, *(real + text for text in HOSTILE if text.strip())]
        answers = pa.array(["1"] * len(prompts))
        assert not verifier.check(pa.array(prompts), answers, None).any()
        assert not verifier.symbolic(pa.array(prompts), answers).any()
        endless = pa.array([real] * len(HOSTILE))
        assert not verifier.check(endless, pa.array(HOSTILE), pa.array(HOSTILE)).any()


@pytest.mark.parametrize("name", NAMES)
def test_damaged_prompts_do_no_harm(name: str) -> None:
    verifier = load_verifier(generator_class(name).verifier)
    prompts = some_prompts(name)

    @settings(max_examples=60, deadline=None, database=None)
    @given(
        st.sampled_from(prompts), st.integers(0, 10**6), st.text("0159-+*/^()[]{}xk,. ", max_size=4)
    )
    def damaged(prompt: str, place: int, inserted: str) -> None:
        at = place % (len(prompt) + 1)
        text = prompt[:at] + inserted + prompt[at + 1 :]
        assert len(verifier.check(pa.array([text]), pa.array(["17"]), None)) == 1
        assert len(verifier.check(pa.array([text]), pa.array(["17"]), pa.array([inserted]))) == 1

    damaged()
