"""The verifier that most families have: what goes to the kernel, to the oracle and to grading."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring.problem_text import problem_of
from synthgen.authoring.verifier import TextVerifier
from synthgen.contract.interfaces import Verifier
from synthgen.core.columns import text_list


def _lengths_agree(
    _: Any,
    prompt_offsets: NDArray[np.int64],
    __: Any,
    answer_offsets: NDArray[np.int64],
    ___: Any,
    ____: Any,
    stated: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    return (np.diff(prompt_offsets) == np.diff(answer_offsets)) & ~stated


VERIFIER = TextVerifier(_lengths_agree, lambda prompt: prompt[::-1] or None, "integer")


def test_it_is_a_verifier_that_asks_kernel_and_oracle() -> None:
    assert isinstance(VERIFIER, Verifier)
    prompts, answers = text_list(["12", "34", ""]), text_list(["21", "5", ""])
    assert VERIFIER.check(prompts, answers, None).tolist() == [True, False, True]
    assert VERIFIER.check(prompts, answers, answers).tolist() == [False, False, False]
    assert VERIFIER.symbolic(prompts, answers).tolist() == [True, False, False]


def test_it_grades_by_the_type_of_its_answers() -> None:
    assert VERIFIER.grade(" +07", "7") == 1.0
    assert VERIFIER.grade("7 or 8", "7") == 0.0


def test_the_oracles_problem_is_between_the_last_two_backticks() -> None:
    assert problem_of("With `x`: `walk left` now") == "walk left"
    assert problem_of("one ` tick") == "one ` tick"
    assert problem_of("walk left") == "walk left"
