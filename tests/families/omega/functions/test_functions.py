"""Functions that are chains of layers: contracts, examples by hand, and brute force on grids."""

import time
from fractions import Fraction
from typing import Any

import pytest

from synthgen.authoring.holes import ordinal
from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.families.verdicts import check_every_line_counts, valid_problems

COUNTS = ("algebra_func_zeros", "algebra_func_extrema", "algebra_func_derivative_sign")
PAIRS = ("algebra_func_intersection", "algebra_func_intersection_coords", "algebra_func_area")
POINTS = {"linear": 1, "quadratic": 2, "abs": 3, "exp": 3, "sin": 4, "cos": 4, "quotient": 4}


@pytest.mark.parametrize("name", [*COUNTS, "algebra_func_extrema_coords"])
def test_contracts_of_one_function(name: str) -> None:
    check_family(name, rows=28, least_valid=0.9)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_contracts_of_two_functions(name: str) -> None:
    check_family(name, rows=14, least_valid=0.8)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("algebra_func_zeros", {"reach": 3, "min_answer": 0, "max_answer": 20}),
        ("algebra_func_extrema_coords", {"levels": (1, 2), "reach": 37}),
        ("algebra_func_intersection", {"levels": (1, 2), "reach": 2, "min_answer": 0}),
        ("algebra_func_intersection_coords", {"levels": (1, 2), "max_meetings": 12}),
        ("algebra_func_area", {"levels": (1, 2), "reach": 40, "max_area": 20}),
    ],
)
def test_other_intervals_and_filters(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=20, least_valid=0.8)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("algebra_func_zeros", {"reach": 0}),
        ("algebra_func_zeros", {"reach": True}),
        ("algebra_func_zeros", {"min_answer": -1}),
        ("algebra_func_extrema", {"max_answer": 10**6}),
        ("algebra_func_area", {"max_area": -1}),
        ("algebra_func_intersection_coords", {"max_meetings": 21}),
        ("algebra_func_intersection", {"levels": (8,)}),
    ],
)
def test_params_out_of_range_are_refused(name: str, params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match=next(iter(params))):
        generator_class(name)(**params)


# Examples by hand

ZEROS = (
    "Define {}.{} Find the number of distinct x in the closed interval [-10, 10] at which f is"
    " defined and equal to zero. Give an integer."
)
SIGNS = (
    "Consider the function {}.{} Count the maximal open subintervals of (-10, 10) on which f is"
    " differentiable with a <what> derivative at every point. Answer with an integer."
)
EXTREMA = {
    "minima": (
        "Define {}.{} Find how many local minima, smooth or not, the graph of f has for"
        " -10 < x < 10. Disregard the endpoints and every x at which f is undefined. Give an"
        " integer."
    ),
    "maxima": (
        "Suppose that {}.{} What is the number of local maxima of f in the open interval (-10, 10),"
        " including those at corners? Points where f is undefined are not maxima. The answer is an"
        " integer."
    ),
}


def asked(wording: str, *formulas: str) -> str:
    """Put formulas into a wording, with the remark on angles where there are any."""
    definitions = (f"{name}(x) = {text}" for name, text in zip("fg", formulas, strict=False))
    waves = any(wave in text for wave in ("sin", "cos") for text in formulas)
    return wording.format(*definitions, " Angles are in radians." if waves else "")


def answer(name: str, wording: str, *formulas: str) -> str | None:
    return load_verifier(f"algebra_func_{name}").answer(asked(wording, *formulas))  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(
    ("formula", "zeros"),
    [
        ("((2*x + 1)/(x - 3)) - 1", "1"),
        ("2*sin(3*pi*(5*x^2 + 3) + 1) - 1", "3000"),  # the published generator counts 1462
        ("abs((x^2 - 4))", "2"),
        ("(x^2 - 4)^2", "2"),
        ("sin(pi*x)", "21"),  # both ends count
        ("exp(x) - 1", "1"),
        ("2*exp((-x^2 + 2*x + 2)) - 2", "2"),
        ("2*(2*cos(pi*x) + 1)^2 - 2", "30"),
        ("B(A(x)), where A(x) = 3*x - 2 and B(x) = x/(x + 1)", "1"),
        ("(3*x - 2)/((3*x - 2) + 1)", "1"),
        ("(x + 2)/((x + 2))", None),
        ("sin(pi*((x + 1)/(x - 2)) + 1)", None),  # infinitely many
    ],
)
def test_zeros_by_hand(formula: str, zeros: str | None) -> None:
    assert answer("zeros", ZEROS, formula) == zeros


@pytest.mark.parametrize(
    ("formula", "rising", "falling"),
    [
        ("abs((x^2 - 4))", "2", "2"),
        ("3*cos(pi*x - 2) + 1", "11", "10"),
        ("-2*cos(3*pi*(4*x + 4)) - 1", "120", "120"),  # the published generator counts 78
        ("x/(x - 1)", "0", "2"),
        ("(((x + 1)/x) + 1)/((x + 1)/x)", "3", "0"),
        ("-3*x + 1", "0", "1"),
        ("-exp(-2*x)", "1", "0"),
    ],
)
def test_signs_of_derivatives_by_hand(formula: str, rising: str, falling: str) -> None:
    for what, count in (("positive", rising), ("negative", falling)):
        assert answer("derivative_sign", SIGNS.replace("<what>", what), formula) == count


@pytest.mark.parametrize(
    ("formula", "minima", "maxima"),
    [
        ("abs((x^2 - 4))", "2", "1"),
        ("3*cos(pi*x - 2) + 1", "10", "10"),
        ("abs((-3*cos(pi*x - 2) + 2)) + 3", "20", "20"),  # published: 40 maxima
        ("2*exp((-x^2 + 2*x + 2)) - 2", "0", "1"),  # published: 9 extrema in the flat tail
        ("x/(x - 1)", "0", "0"),
        ("(x^2)^2", "1", "0"),
        ("-abs((x^2))", "0", "1"),
        ("((x^2) - 1)/(x^2)", "0", "0"),
        ("x + 1", "0", "0"),
    ],
)
def test_extrema_by_hand(formula: str, minima: str, maxima: str) -> None:
    assert answer("extrema", EXTREMA["minima"], formula) == minima
    assert answer("extrema", EXTREMA["maxima"], formula) == maxima


SIDE = (
    "Define {}.{} List the local <what> of f in the open interval (-10, 10) from <side>,"
    " including those at corners but no point where f is undefined. Let p be the x-coordinate of"
    " the <nth> one. Give p rounded to the nearest integer."
)
BEST = (
    "Suppose that {}.{} Let p be the x-coordinate of the <side> of the local <what> of f strictly"
    " between x = -10 and x = 10. Extrema at corners are included; f has no value where a"
    " denominator vanishes. Answer with the integer nearest to p."
)
MEAN = (
    "Suppose that {}.{} Let p be the mean of the x-coordinates of all local <what> of f strictly"
    " between x = -10 and x = 10. Extrema at corners are included; f has no value where a"
    " denominator vanishes. Answer with the integer nearest to p."
)


@pytest.mark.parametrize(
    ("formula", "what", "wording", "side", "k", "place"),
    [
        ("2*(3*x - 4)^2 - 1", "minima", SIDE, "left", 1, "1"),
        ("abs((x^2 - 2*x - 8))", "minima", SIDE, "left", 1, "-2"),
        ("abs((x^2 - 2*x - 8))", "minima", SIDE, "right", 1, "4"),
        ("abs((x^2 - 2*x - 8))", "minima", SIDE, "right", 3, None),
        ("abs((x^2 - 2*x - 8))", "maxima", MEAN, "", 0, "1"),
        ("abs((x^2 - 2*x - 8))", "minima", BEST, "highest", 0, None),  # both have the value 0
        ("x^2 - x", "minima", SIDE, "left", 1, None),  # at 1/2
        ("(abs((x^2 - 4)) - 2)^2 + (abs((x^2 - 4)) - 2)", "maxima", BEST, "highest", 0, "0"),
        ("sin(pi*x)", "maxima", SIDE, "left", 1, None),  # at -19/2
        ("sin(pi*x + 1)", "maxima", SIDE, "left", 1, "-10"),
        ("sin(pi*x + 1)", "maxima", SIDE, "right", 1, "8"),
        ("2*x + 1", "minima", MEAN, "", 0, None),
        ("(x^2 - 3)^2", "minima", BEST, "lowest", 0, None),
    ],
)
def test_places_of_extrema_by_hand(
    formula: str, what: str, wording: str, side: str, k: int, place: str | None
) -> None:
    ends = {"left": "left to right", "right": "right to left"}
    for hole, text in {"what": what, "side": ends.get(side, side), "nth": ordinal(k or 1)}.items():
        wording = wording.replace(f"<{hole}>", text)
    assert answer("extrema_coords", wording, formula) == place


MEETINGS = (
    "Consider the functions {}, and {}.{} Count the distinct solutions of f(x) = g(x) in the closed"
    " interval [-10, 10]. Both functions must be defined at a solution. Answer with an integer."
)


@pytest.mark.parametrize(
    ("f", "g", "count"),
    [
        ("2*abs(x - 1) - 3", "x - 1", "2"),
        ("2*cos(pi*x)", "x", "5"),
        ("(x + 1)/x", "x", "2"),
        ("exp(x)", "2*x + 1", "2"),
        ("exp(x)", "-x^2", "0"),
        ("cos(pi*x)", "3*x + 1", "1"),  # at a crest of f, where g is steep
        ("abs(x - 3)", "(2*x + 1)/(x - 3)", "1"),  # a pole of g where f turns
        ("x^2", "2*x - 1", None),  # they touch
        ("abs(x)", "x", None),  # they coincide
        ("abs(x + 1)", "-abs(x + 1)", None),  # they meet at corners
    ],
)
def test_meetings_by_hand(f: str, g: str, count: str | None) -> None:
    assert answer("intersection", MEETINGS, f, g) == count
    assert answer("intersection", MEETINGS, g, f) == count


MEETING = (
    "Define {}, and {}.{} Take all intersection points of the two graphs whose x-coordinate lies in"
    " [-10, 10], and let p be the <what>. Give p rounded to the nearest integer."
)


@pytest.mark.parametrize(
    ("f", "g", "what", "place"),
    [
        ("(2*x - 1)^2 - 9", "x + 1", "sum of their x-coordinates", "1"),
        ("(2*x - 1)^2 - 9", "x + 1", "x-coordinate of the first from the right", "2"),
        ("(2*x - 1)^2 - 9", "x + 1", "x-coordinate of the first from the left", "-1"),
        ("(2*x - 1)^2 - 9", "x + 1", "x-coordinate of the third from the left", None),
        ("(2*x - 1)^2 - 9", "x + 1", "mean of their x-coordinates", "1"),
        ("x^2 - 2", "x + 1", "mean of their x-coordinates", None),  # exactly 1/2
        ("exp(x)", "-x", "x-coordinate of the first from the left", "-1"),
        ("x^2 + 1", "x", "sum of their x-coordinates", None),
    ],
)
def test_places_of_meetings_by_hand(f: str, g: str, what: str, place: str | None) -> None:
    assert answer("intersection_coords", MEETING.replace("<what>", what), f, g) == place


AREA = (
    "Consider the functions {}, and {}.{} Integrate the absolute value of f(x) - g(x) from x = <p>"
    " to x = <q>. Give the result rounded to one decimal place."
)


@pytest.mark.parametrize(
    ("f", "g", "p", "q", "area"),
    [
        ("x^2 - 4", "x + 2", "-2.0", "3.0", "20.8"),
        ("-abs(x - 1) + 3", "x - 2", "1.0", "3.0", "4.0"),
        ("2*x", "x", "-1.0", "2.0", "2.5"),
        ("exp(x)", "-x", "0.0", "1.0", "2.2"),  # e - 1 + 1/2 = 2.218
        ("(x + 2)/(x + 1)", "-x + 1", "0.0", "1.0", "1.2"),  # ln 2 + 1/2 = 1.193
        ("(x + 1)/x", "x", "-1.0", "2.0", None),
        ("x", "-x", "1.0", "1.0", None),
        ("x", "-x", "2.0", "1.0", None),
        ("3*x", "x", "0.0", "0.5", None),  # 0.25 is a tie
        ("x", "-x", "-0.0", "1.0", None),
        ("x", "-x", "-0.5", "5000.0", None),
    ],
)
def test_areas_by_hand(f: str, g: str, p: str, q: str, area: str | None) -> None:
    assert answer("area", AREA.replace("<p>", p).replace("<q>", q), f, g) == area


ZERO_LINES = [
    "u1 = x^2 - 4; x = 0 passed: 1; minima: 1, maxima: 0, rising: 1, falling: 1",
    "u2 = abs(u1); u1 = 0 passed: 2; minima: 2, maxima: 1, rising: 2, falling: 2",
    "zero passed: 0, touched: 2, at the ends: 0; total: 2",
]
AREA_LINES = [
    "u1 = x^2 - 4; x = 0 passed: 1; minima: 1, maxima: 0, rising: 1, falling: 1",
    "v1 = x + 1; minima: 0, maxima: 0, rising: 1, falling: 0",
    "cut at x = -1.791, 2.791",
    "area from -2.000 to -1.791: 0.103",
    "area from -1.791 to 2.791: 16.038",
    "area from 2.791 to 3.000: 0.103",
    "0.103 + 16.038 + 0.103 = 16.244, rounded: 16.2",
]
MEETING_LINES = [
    "u1 = exp(x); minima: 0, maxima: 0, rising: 1, falling: 0",
    "v1 = 2*x + 1; minima: 0, maxima: 0, rising: 1, falling: 0",
    "x = 0.000, 1.256",
    "solutions: 2",
]
PLACE_LINES = [
    "u1 = sin(pi*x + 1); crests passed: 20; minima: 10, maxima: 10, rising: 11, falling: 10",
    "x = 8.181",
    "number 1 of 10, to the nearest integer: 8",
]


@pytest.mark.parametrize(
    ("name", "wording", "formulas", "gold", "lines"),
    [
        ("zeros", ZEROS, ["abs((x^2 - 4))"], "2", ZERO_LINES),
        ("extrema", EXTREMA["minima"], ["abs((x^2 - 4))"], "2", [*ZERO_LINES[:2], "minima: 2"]),
        (
            "derivative_sign",
            SIGNS.replace("<what>", "positive"),
            ["abs((x^2 - 4))"],
            "2",
            [*ZERO_LINES[:2], "positive: 2"],
        ),
        (
            "extrema_coords",
            SIDE.replace("<what>", "maxima")
            .replace("<side>", "right to left")
            .replace("<nth>", "first"),
            ["sin(pi*x + 1)"],
            "8",
            PLACE_LINES,
        ),
        ("intersection", MEETINGS, ["exp(x)", "2*x + 1"], "2", MEETING_LINES),
        (
            "intersection_coords",
            MEETING.replace("<what>", "sum of their x-coordinates"),
            ["exp(x)", "2*x + 1"],
            "1",
            [*MEETING_LINES[:3], "sum, to the nearest integer: 1"],
        ),
        (
            "area",
            AREA.replace("<p>", "-2.0").replace("<q>", "3.0"),
            ["x^2 - 4", "x + 1"],
            "16.2",
            AREA_LINES,
        ),
    ],
)
def test_steps_by_hand(
    name: str, wording: str, formulas: list[str], gold: str, lines: list[str]
) -> None:
    prompt = asked(wording, *formulas)
    check_every_line_counts(f"algebra_func_{name}", prompt, gold, lines)


@pytest.mark.parametrize(
    "formula",
    [
        *("x^3", "x*x", "y + 1", "2x + 1", "sin(x)", "abs(2*x - 1)", "exp(x + 1)", "x/x", "0*x"),
        *("sin(pi*x) + cos(pi*x)", "exp((exp(x)))", "(x + 1)/(2*x + 2)", "x + (x + 1)", ""),
        *("(x + 1", "x + 1)", "02*x", "x + 01", "x + 0", "sin(-pi*x)", "abs(x^2 - 4)"),
        *("B(A(x)), where A(x) = x + 1", "A(B(x)), where A(x) = x + 1 and B(x) = 2*x"),
        "A(A(x)), where A(x) = x + 1 and A(x) = x + 1",
    ],
)
def test_other_formulas_are_not_read(formula: str) -> None:
    assert answer("zeros", ZEROS, formula) is None


def test_other_statements_are_not_read() -> None:
    verifier = load_verifier("algebra_func_extrema")
    prompt = asked(EXTREMA["minima"], "sin(pi*x)")
    assert verifier.answer(prompt) == "10"  # type: ignore[attr-defined]
    for old, new in (
        ("< 10.", "< 11."),
        ("-10 < x < 10", "-1000 < x < 1000"),
        (" Angles are in radians.", ""),
        ("minima", "maxima and minima"),
        ("f(x)", "g(x)"),
    ):
        assert verifier.answer(prompt.replace(old, new)) is None  # type: ignore[attr-defined]
    assert (
        verifier.answer(asked(EXTREMA["minima"], "x^2").replace(".", ". Angles are in radians.", 1))
        is None
    )  # type: ignore[attr-defined]


def test_deep_chains_are_answered_or_refused_soon() -> None:
    letters = "ABCDEFGHIJK"
    chain = "x"
    for letter in letters:
        chain = f"{letter}({chain})"
    parts = [f"{letter}(x) = 5*x^2 - 4*x - 5" for letter in letters]
    formula = f"{chain}, where {', '.join(parts[:-1])} and {parts[-1]}"
    begun = time.perf_counter()
    answer("zeros", ZEROS, formula)
    answer("intersection", MEETINGS, formula, "sin(pi*x)")
    assert time.perf_counter() - begun < 30.0


# Brute force

Tree = tuple[Any, ...]


def parsed(text: str) -> Tree:
    """Read a derivation as nested tuples."""
    stack: list[list[Any]] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(int(token) if token.lstrip("-").isdigit() else token)
    return stack[0][0]  # type: ignore[no-any-return]


def kinds(tree: Any) -> list[str]:
    return [] if tree == "x" else [tree[0], *kinds(tree[-1])]


def drawn(name: str, n: int, **params: Any) -> list[tuple[Tree, str, dict[str, int]]]:
    generator = generator_class(name)(**params)
    problems = valid_problems(generator, Rows.span(13, 0, n))
    answers = generator.render(problems, Render("instruction", "none")).answers.to_pylist()
    trees = map(parsed, derivation_text(problems.derivations, generator.signature).to_pylist())
    return [
        (tree, text, {axis: int(column[i]) for axis, column in problems.axes.items()})
        for i, (tree, text) in enumerate(zip(trees, answers, strict=True))
    ]


@pytest.mark.parametrize("name", [*COUNTS, "algebra_func_extrema_coords", *PAIRS[:2]])
def test_axes_say_how_functions_are_built(name: str) -> None:
    for tree, text, axes in drawn(name, 30, levels=(1, 2, 3)):
        functions = [part for part in tree[1:] if isinstance(part, tuple)]
        layers = [kind for function in functions for kind in kinds(function)]
        assert axes["layers"] == len(layers)
        assert axes["points"] == sum(POINTS[kind] for kind in layers)
        assert axes["transcendentals"] == sum(kind in ("sin", "cos", "exp") for kind in layers)
        assert (
            axes["level"]
            == len(
                kinds(
                    functions[0]
                    if len(functions) == 1
                    else max(functions, key=lambda f: len(kinds(f)))
                )
            )
            - 1
        )
        if name in COUNTS:
            assert 4 <= int(text) <= 1_000
        if len(functions) == 2:
            assert functions == sorted(functions, key=repr)


NAMES = ("comp_parametric_intersection", "trans_func_intersection", "trans_integrations")


@pytest.mark.parametrize("levels", [(1, 2, 3), (4, 5)])
@pytest.mark.parametrize("name", NAMES)
def test_contracts(name: str, levels: tuple[int, ...]) -> None:
    check_family(name, {"levels": levels}, rows=100, least_valid=0.9)


CHANCE = (
    "Two curves in the plane have the equations {} and {}, where {}, uniformly and independently of"
    " each other. Find the probability that the curves meet. If this probability is P/Q in lowest"
    " terms, what is P + Q? Give an integer."
)


@pytest.mark.parametrize(
    ("first", "second", "sets", "answer"),
    [
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}", "3"),
        ("x^2 + y^2 = r", "y = x + c", "r is drawn from {1, 2} and c from {2, 3}", "5"),
        ("y = a*|x - 1| + 2", "y = c", "a is drawn from {-1, 1} and c from {1, 2}", "7"),
        (
            "y = x^2 + c",
            "y = a*x^2 + b*x + 1",
            "c is drawn from {1, 3}, a from {1, 2} and b from {0, 1}",
            "15",
        ),
        ("y = |x| + c", "y = b*x", "c is drawn from {0, 1} and b from {-1, 1}", "3"),
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 0} and c from {-1, 1}", None),
        ("y = x^2", "y = b*x", "b is drawn from {0, 1} and c from {-1, 1}", None),
        ("y = x^2", "y = b*x + b", "b is drawn from {0, 1} and c from {-1, 1}", None),
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {8, 9}", None),  # certain
        ("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {-9, -8}", None),
        ("y = x^3", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}", None),
        ("y = x^2 + 01", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}", None),
    ],
)
def test_chances_by_hand(first: str, second: str, sets: str, answer: str | None) -> None:
    verifier = load_verifier(NAMES[0])
    assert verifier.answer(CHANCE.format(first, second, sets)) == answer  # type: ignore[attr-defined]
    assert verifier.answer(CHANCE.format(second, first, sets)) == answer  # type: ignore[attr-defined]


def test_steps_must_lead_to_the_answer() -> None:
    prompt = CHANCE.format("y = x^2", "y = b*x + c", "b is drawn from {0, 1} and c from {-1, 1}")
    lines = [
        "the curves meet if the discriminant of the difference of the right sides is not negative",
        "b = 0: 1 of 2",
        "b = 1: 1 of 2",
        "choices: 2 * 2 = 4, with which the curves meet: 2",
        "2/4 = 1/2: 1 + 2 = 3",
    ]
    check_every_line_counts(NAMES[0], prompt, "3", lines)


TENT = (
    "Let t(x) = {s} - |{s} - 2*x| for 0 <= x <= {s}, and let f be the map that applies t {k}. "
    "For how many x in this interval does y = f(x) satisfy {line}? The answer is an integer."
)
WAVE = "How many real numbers x with 0 <= x < {} satisfy {} = {}? Give an integer."


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (TENT.format(s=1, k="once", line="y = x"), "2"),
        (TENT.format(s=1, k="twice", line="2*y = 1"), "4"),
        (TENT.format(s=1, k="3 times", line="y = x"), "8"),
        (TENT.format(s=2, k="once", line="y = 2"), "1"),
        (TENT.format(s=1, k="once", line="y = 2*x"), None),  # a whole piece
        (TENT.format(s=0, k="once", line="y = x"), None),
        (TENT.format(s=1, k="once", line="1*y = x"), None),
        (TENT.format(s=1, k="2 times", line="y = x"), None),
        (WAVE.format(2, "|1*sin(pi*x)|", 1), "2"),
        (WAVE.format(2, "||2*sin(pi*x)| - 1|", 1), "4"),
        (WAVE.format(1, "||4*sin(2*pi*x)| - 1|", 0), "4"),
        (WAVE.format(1, "|2*sin(pi*x)|", 1), None),  # half a period
        (WAVE.format(2, "|2*sin(pi*x)| - 1|", 1), None),
    ],
)
def test_tents_and_waves_by_hand(prompt: str, answer: str | None) -> None:
    assert load_verifier(NAMES[1]).answer(prompt) == answer  # type: ignore[attr-defined]


def test_steps_of_tents_and_waves() -> None:
    lines = [
        "f has 4 pieces of width 1/4, from 0 to 1 or from 1 to 0",
        "points inside rising pieces: 1, inside falling pieces: 2, at ends of pieces: 1",
        "1 + 2 + 1 = 4",
    ]
    prompt = TENT.format(s=1, k="twice", line="y = x")
    check_every_line_counts(NAMES[1], prompt, "4", lines)
    lines = [
        "values inside 1 pair of bars: [0]",
        "values inside 2 pairs of bars: [-1, 1]",
        "x in one period: 4, periods: 1",
        "4 * 1 = 4",
    ]
    prompt = WAVE.format(1, "||4*sin(2*pi*x)| - 1|", 0)
    check_every_line_counts(NAMES[1], prompt, "4", lines)


def test_multiples_of_a_line_against_a_tent_are_one_problem() -> None:
    problems = generator_class(NAMES[1])(levels=(1,)).draw(Rows.span(3, 0, 1_500))
    made = [one for one in problems.parts["made"] if one.kind == "line"]
    lines = {(*one.tree[:3], *(Fraction(x, one.tree[3]) for x in one.tree[4:])) for one in made}
    texts = {(one.tree, one.holes["left"], one.holes["line"]) for one in made}
    assert len({one.tree for one in made}) == len(lines) < len(texts)


INTEGRAL = (
    "Compute the integral of {} with respect to x from {} to {}, rounded to two decimal places."
)


@pytest.mark.parametrize(
    ("f", "a", "b", "answer"),
    [
        ("sin(x)^7/(sin(x)^7 + cos(x)^7)", "0", "pi/2", "0.79"),
        ("x*sin(x)/(1 + cos(x)^2)", "0", "pi", "2.47"),
        ("ln(1 + tan(x))", "0", "pi/4", "0.27"),
        ("8*ln(1 + x)/(1 + x^2)", "0", "1", "2.18"),
        ("x^2/(1 + 3^x)", "-3", "3", "9.00"),
        ("x^3*cos(x) + 3*x^2 + 1", "-1", "1", "4.00"),
        ("(x + 1)^2/((x + 1)^2 + (6 - x)^2)", "0", "5", "2.50"),
        ("x*sin(x)^2", "0", "pi", "2.47"),
        ("x*sin(x)", "0", "pi/2", None),
        ("x^2/(1 + 3^x)", "3", "-3", None),
        ("sin(x)^7/(sin(x)^7 + cos(x)^8)", "0", "pi/2", None),
        ("x^2", "0", "1", None),
        ("(x + 1)^2/((x + 1)^2 + (6 - x)^2)", "-2", "5", None),  # negative bases
    ],
)
def test_integrals_by_hand(f: str, a: str, b: str, answer: str | None) -> None:
    assert load_verifier(NAMES[2]).answer(INTEGRAL.format(f, a, b)) == answer  # type: ignore[attr-defined]


def test_steps_of_integrals() -> None:
    lines = [
        "f(x) + f(pi - x) = 2*pi*sin(x)^2",
        "integral of 2*pi*sin(x)^2 from 0 to pi: pi^2",
        "half of it: 1/2*pi^2 = 4.9348...",
        "rounded: 4.93",
    ]
    prompt = INTEGRAL.format("2*x*sin(x)^2", "0", "pi")
    check_every_line_counts(NAMES[2], prompt, "4.93", lines)
