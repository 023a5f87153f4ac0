"""Worked steps of the algebra families: no other digit in any line is accepted."""

import random
import re

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from tests.families.verdicts import Verdicts

FAMILIES = {
    **{f"algebra_func_{name}": 3 for name in ("area", "extrema_coords", "intersection", "zeros")},
    **{f"algebra_func_{name}": 3 for name in ("derivative_sign", "extrema", "intersection_coords")},
    **{f"arithmetic_matrix_{name}": 3 for name in ("eigenvalues", "svd")},
    **{f"comp_{name}": 4 for name in ("circles_algebra", "matrix_rank", "parametric_intersection")},
    **{f"trans_{name}": 4 for name in ("de_moivre", "func_intersection", "integrations")},
    "trans_matrix_rank": 4,
}


@pytest.mark.parametrize(("name", "n"), FAMILIES.items())
def test_other_digits_are_rejected(name: str, n: int) -> None:
    problems = generator_class(name)().draw(Rows.span(17, 0, n))
    texts = generator_class(name)().render(problems, Render("instruction", "steps"))
    rng, verdicts = random.Random(name), Verdicts(name)  # noqa: S311
    columns = (texts.prompts, texts.answers, texts.solutions)
    for prompt, answer, steps in zip(*(column.to_pylist() for column in columns), strict=True):
        assert verdicts.accepts(prompt, answer, steps)
        start = 0
        for line in steps.split("\n"):
            places = [match.start() for match in re.finditer("[0-9]", line)]
            for place in rng.sample(places, min(2, len(places))):
                digit = rng.choice([d for d in "0123456789" if d != line[place]])
                other = steps[: start + place] + digit + steps[start + place + 1 :]
                assert not verdicts.accepts(prompt, answer, other), other
            start += len(line) + 1
