"""Circles in equations: points shared with a graph, and circles that touch."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from synthgen.core.contract import Render
from synthgen.core.derivation import derivation_text
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.testing import check_family
from tests.families.verdicts import check_every_line_counts

COMMON = "How many points do the circle {} and the curve y = {} have in common? Give an integer."
THREE = "Three circles have radii {}, and each of them is externally tangent to the other two. "
INNER = THREE + (
    "A small circle in the gap between them is tangent to all three. What is the reciprocal of its"
    " radius? Give an integer."
)
OUTER = THREE + (
    "A large circle contains all three and is tangent to each of them. What is the reciprocal of"
    " its radius? Give an integer."
)
LINE = (
    "Two wheels with radii {} rest on level ground in one vertical plane and touch each other. The"
    " largest wheel in that plane that fits into the gap between the two wheels and the ground has"
    " radius 1/n. Find the integer n."
)
CHAIN = (
    "Three coins with radii {} lie flat on a table so that every two of them touch. Coin number 1"
    " is the largest coin that fits into the gap between them. Each further coin is the largest one"
    " that fits into the gap between the previous coin and the original coins of radii {} and {}."
    " Coin number {} has radius 1/k. Find the integer k."
)


@pytest.mark.parametrize("family", ["comp_circles_algebra", "trans_circles"])
@pytest.mark.parametrize("level", range(1, 6))
def test_contract(family: str, level: int) -> None:
    check_family(family, {"levels": (level,)}, rows=80)


@pytest.mark.parametrize(
    ("circle", "graph", "points"),
    [
        ("x^2 + y^2 = 4", "x^2 - 2", "3"),  # x^4 - 3 x^2 = 0: 0 and +-sqrt(3)
        ("x^2 + y^2 = 1", "x^2 + 1", "1"),  # touches
        ("x^2 + y^2 = 2", "x", "2"),
        ("x^2 + y^2 = 1", "x + 5", "0"),
        ("x^2 + (y - 1)^2 = 1", "|x|", "3"),  # the corner is on the circle
        ("x^2 + y^2 = 4", "-|2*x - 1| + 9", "0"),
        ("x^2 + (y - 1)^2 = 1", "|x^2 - 1|", "2"),
        ("x^2 + y^2 = 1", "|x^2 - 4| - 4", "2"),
        ("(x + 1)^2 + (y - 2)^2 = 9", "x + 3", "2"),
        ("x^2 + y^2 = 9", "|x|^2 - |x| - 3", "5"),
        ("(x - 2)^2 + y^2 = 9", "|x - 2|^2 - |x - 2| - 3", "5"),
        ("(x - 1)^2 + y^2 = 1", "|x^2 - 2*x| ", None),
        ("x^2 + y^2 = 0", "x", None),
        ("x^2 + y^2 = 4", "3", None),
        ("x^2 + y^2 = 4", "|x^2 - 2|", None),  # the zeros between bars are not rational
        ("x^2 + y^2 = 4", "|x| + x", None),
        ("x^2 + y^2 = 4", "|x^2 - 1|^2 + 1", None),
        ("x^2 + y^2 = 4", "x + x", None),
        ("x^2 + y^2 = 4", "01*x", None),
        ("y^2 + x^2 = 4", "x", None),
        ("(x - 0)^2 + y^2 = 4", "x", None),
    ],
)
def test_common_points_by_hand(circle: str, graph: str, points: str | None) -> None:
    assert load_verifier("comp_circles_algebra").answer(COMMON.format(circle, graph)) == points


@pytest.mark.parametrize("level", range(1, 6))
def test_odd_numbers_of_points_occur(level: int) -> None:
    problems = generator_class("comp_circles_algebra")(levels=(level,)).draw(Rows.span(3, 0, 120))
    points = problems.axes["n_points"][problems.valid]
    assert (points % 2 == 1).any()
    assert len(set(points.tolist())) >= 4


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (INNER.format("1/2, 1/3 and 1/6"), "23"),  # 11 + 2 * 6
        (OUTER.format("1/2, 1/3 and 1/6"), "1"),  # 2 * 6 - 11: a circle of radius one goes around
        (LINE.format("1 and 1/4"), "9"),  # (1 + 2)^2
        (CHAIN.format("1/2, 1/3 and 1/6", "1/3", "1/2", 2), "50"),  # 2 (2 + 3 + 23) - 6
        (INNER.format("1/2, 1/3 and 1/5"), None),
        (INNER.format("1/2 and 1/3"), None),
        (INNER.format("1/2, 1/3 and 6"), None),
        (INNER.format("1/1, 1/1 and 1/12"), None),
        (OUTER.format("1, 1 and 1/40"), None),  # the third one is in the gap: none goes around
        (CHAIN.format("1/2, 1/3 and 1/6", "1/3", "1/3", 2), None),
        (CHAIN.format("1/2, 1/3 and 1/6", "1/3", "1/2", 1), None),
        (CHAIN.format("1/2, 1/3 and 1/6", "1/3", "1/2", 99), None),
    ],
)
def test_touching_circles_by_hand(prompt: str, answer: str | None) -> None:
    assert load_verifier("trans_circles").answer(prompt) == answer


def test_every_four_curvatures_satisfy_descartes() -> None:
    generator = generator_class("trans_circles")(levels=(3,))
    problems = generator.draw(Rows.span(3, 0, 500))
    answers = generator.render(problems, Render("instruction", "none")).answers.to_pylist()
    texts = derivation_text(problems.derivations, generator.signature).to_pylist()
    for text, answer in zip(texts, answers, strict=True):
        kind, *given = re.findall(r"\w+", text)
        if kind != "touch_chain":
            d = -int(answer) if kind == "touch_outer" else int(answer)
            curvatures = [d, *map(int, given)]
            assert sum(curvatures) ** 2 == 2 * sum(value * value for value in curvatures)


def test_the_space_is_what_is_listed() -> None:
    sizes = [generator_class("trans_circles")(levels=(level,)).space for level in range(1, 6)]
    assert sizes == [47, 469, 1343, 3468, 9343]
    assert generator_class("trans_circles")().fewest_problems == sum(sizes)


@pytest.mark.parametrize(
    "solution",
    [
        "11 + 2 * 6 = 23",
        "2 * 3 + 3 * 6 + 6 * 2 = 36 = 6^2\n11 - 2 * 6 = 23",
        "2 * 3 + 3 * 6 + 6 * 2 = 36 = 6^2\n11 + 2 * 6 = 23\n",
        "3 * 2 + 2 * 6 + 6 * 3 = 36 = 6^2\n11 + 2 * 6 = 23",
    ],
)
def test_a_solution_must_lead_to_the_answer(solution: str) -> None:
    verifier = load_verifier("trans_circles")
    prompts, answers = pa.array([INNER.format("1/2, 1/3 and 1/6")]), pa.array(["23"])
    right = "2 * 3 + 3 * 6 + 6 * 2 = 36 = 6^2\n11 + 2 * 6 = 23"
    assert verifier.check(prompts, answers, pa.array([right])).all()
    assert not verifier.check(prompts, answers, pa.array([solution])).any()


def test_steps_list_the_roots_on_every_branch() -> None:
    prompt = (
        "How many points do the circle x^2 + (y - 1)^2 = 4 and the curve y = |x^2 - 1| + 2 have in"
        " common? Give an integer."
    )
    lines = [
        "inside the bars > 0: [1, 0, 1, 0, -4]; x = -1.250, 1.250",
        "inside the bars < 0: [1, 0, -3, 0, 0]; x = 0.000",
        "inside the bars = 0: x = none",
        "points: 3",
    ]
    check_every_line_counts("comp_circles_algebra", prompt, "3", lines)
