"""Rules over axes: what they mean, what is refused, and what can never hold."""

import operator
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.rules.axes import Axis
from synthgen.rules.language import (
    REAL,
    axis_dtype,
    clauses_of,
    compile_where,
    names_in,
    read_rule,
    rows_that_meet,
)

AXES = {
    "n_op": Axis("operators", "int16", 0, 20),
    "length": Axis("tokens", "int16", 1, 79),
    "result": Axis("value", "int32", 0, 10_000),
    "peak": Axis("value", "int32", 100, 2_000_000),
    "free": Axis("no known range", "int64"),
    "level": Axis("name", values=("easy", "hard", "it's")),
}
ROWS: list[dict[str, int | str | None]] = [
    {"n_op": n, "length": 4 * n + 1, "result": r, "peak": 100 + r, "free": r - 5, "level": level}
    for n in (0, 3, 10, 20)
    for r in (0, 7, 100, 10_000)
    for level in ("easy", "hard")
]
UNKNOWN = dict.fromkeys(AXES)
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(text: str, rows: list[dict[str, int | str | None]]) -> list[bool]:
    """Rule over rows, as the engine applies it."""
    schema = {name: axis_dtype(axis) for name, axis in AXES.items()}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    rule = compile_where(text, AXES)
    if not rule.meta.root_names():
        return [pl.select(rule).item()] * len(rows)
    column = frame.select(rule.alias("rule"))["rule"]
    assert column.null_count() == 0
    return column.to_list()


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("n_op <= 10 AND result > 7", lambda r: r["n_op"] <= 10 and r["result"] > 7),
        ("n_op = 3 or level = 'hard'", lambda r: r["n_op"] == 3 or r["level"] == "hard"),
        ("NOT (n_op = 3 OR n_op = 10)", lambda r: r["n_op"] not in (3, 10)),
        ("n_op = 3 OR n_op = 10 AND result = 0", lambda r: r["n_op"] == 3 or (r["n_op"] == 10
         and r["result"] == 0)),
        ("n_op IN (0, 20)", lambda r: r["n_op"] in (0, 20)),
        ("n_op NOT IN (0, 20)", lambda r: r["n_op"] not in (0, 20)),
        ("level IN ('hard', 'it''s')", lambda r: r["level"] == "hard"),
        ("result BETWEEN 7 AND 100", lambda r: 7 <= r["result"] <= 100),
        ("result NOT BETWEEN 7 AND 100", lambda r: not 7 <= r["result"] <= 100),
        ("level LIKE 'h%'", lambda r: r["level"] == "hard"),
        ("level LIKE '_as_'", lambda r: r["level"] == "easy"),
        ("level <> 'easy'", lambda r: r["level"] != "easy"),
        ("n_op IS NULL", lambda r: False),
        ("n_op IS NOT NULL", lambda r: True),
        ("TRUE", lambda r: True),
        ("FALSE OR n_op = 3", lambda r: r["n_op"] == 3),
        ("(n_op > 3) = (result > 7)", lambda r: (r["n_op"] > 3) == (r["result"] > 7)),
        ("n_op % 2 = 1", lambda r: r["n_op"] % 2 == 1),
        ("length - 4 * n_op = 1", lambda r: True),
        ("result / 2 > 3.4", lambda r: r["result"] / 2 > 3.4),
        ("result > 6.5 AND result < 7.5", lambda r: r["result"] == 7),
        ("free < 0", lambda r: r["free"] < 0),
        ("free = -5", lambda r: r["free"] == -5),
        ("result < peak", lambda r: r["result"] < r["peak"]),
        ("n_op > 99999", lambda r: False),
        ("n_op < 99999", lambda r: True),
        ("3 < n_op", lambda r: n_greater(r)),
        ("  n_op\n>\t3 ", lambda r: n_greater(r)),
        # Values of a narrow column must not wrap around.
        ("n_op * 10000 > 50000", lambda r: r["n_op"] * 10_000 > 50_000),
        ("n_op * length * length > 40000", lambda r: r["n_op"] * r["length"] ** 2 > 40_000),
        ("result * result > 50000000", lambda r: r["result"] ** 2 > 50_000_000),
        ("result * result * 100 > 5000000000", lambda r: r["result"] ** 2 * 100 > 5 * 10**9),
    ],
)  # fmt: skip
def test_rules_mean_what_python_means(
    text: str, meaning: Callable[[dict[str, int | str | None]], bool]
) -> None:
    assert evaluate(text, ROWS) == [meaning(row) for row in ROWS]


def n_greater(row: dict[str, int | str | None]) -> bool:
    return isinstance(row["n_op"], int) and row["n_op"] > 3


Rule = tuple[str, Callable[[dict[str, int]], bool]]
INTEGER_AXES = st.sampled_from(["n_op", "length", "result"])


@st.composite
def comparisons(draw: st.DrawFn) -> Rule:
    name, sign = draw(INTEGER_AXES), draw(st.sampled_from(sorted(COMPARE)))
    constant = draw(st.sampled_from([0, 1, 3, 7, 10, 13, 41, 100, 101, 10_000]))
    test = COMPARE[sign]
    return f"{name} {sign} {constant}", lambda row: test(row[name], constant)


def joined(parts: st.SearchStrategy[Rule]) -> st.SearchStrategy[Rule]:
    both = st.tuples(parts, parts)
    return st.one_of(
        both.map(lambda p: (f"({p[0][0]} AND {p[1][0]})", lambda r: p[0][1](r) and p[1][1](r))),
        both.map(lambda p: (f"({p[0][0]} OR {p[1][0]})", lambda r: p[0][1](r) or p[1][1](r))),
        parts.map(lambda p: (f"NOT ({p[0]})", lambda r: not p[1](r))),
    )


RULES = st.recursive(comparisons(), joined, max_leaves=6)


@given(RULES)
def test_random_rules_mean_what_python_means(rule: Rule) -> None:
    text, meaning = rule
    assert evaluate(text, ROWS) == [meaning(row) for row in ROWS]  # type: ignore[arg-type]


@given(RULES)
def test_what_holds_for_a_row_can_hold(rule: Rule) -> None:
    if any(evaluate(rule[0], ROWS)):
        assert read_rule(rule[0], AXES).can_hold()


@pytest.mark.parametrize(
    "text",
    [
        "n_op > 3",
        "NOT n_op > 3",
        "n_op <> 3",
        "n_op IN (1, 2)",
        "n_op NOT IN (1, 2)",
        "level LIKE '%'",
        "NOT level = 'easy'",
        "n_op = result",
        "n_op + 1 > 0",
        "n_op = NULL",
    ],
)
def test_an_unknown_value_counts_as_no(text: str) -> None:
    assert evaluate(text, [UNKNOWN]) == [False]


def test_only_what_asks_for_unknown_values_finds_them() -> None:
    assert evaluate("n_op IS NULL", [UNKNOWN]) == [True]
    assert evaluate("n_op IS NOT NULL OR TRUE", [UNKNOWN]) == [True]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "n_op > 3;",
        "n_op > 3; DROP TABLE x",
        "n_op > 3 -- all",
        "n_op > 3 -- 5",
        "n_op > 3 --",
        "n_op > 3 /* n_op */",
        "n_op /* 5 */ > 3",
        "n_op # 3",
        "abs(n_op) > 3",
        "ABS (n_op) > 3",
        "COALESCE(n_op, 1) = 1",
        "repeat('a', 1000000000) = 'a'",
        "n_op",
        "n_op + 1",
        "'text'",
        "3",
        "NULL",
        "n_op >",
        "> 3",
        "n_op > 3 AND",
        "(n_op > 3",
        "n_op > 3)",
        ")n_op > 3(",
        "n_op IN ()",
        "n_op = 'three'",
        "level = 3",
        "level > n_op",
        "n_op IN (SELECT 1)",
        "n_op LIKE 'a'",
        "n_op :: TEXT = '3'",
        '"n_op" > 3',
        "`n_op` > 3",
        "n_op > 3\x00",
        "n_op > ３",
        "n_op ≤ 3",
        "n_op > 'unfinished",
        "n_op > $1",
        "n_op > ?",
        "n_op || 'a' = 'b'",
        "n_op[0] = 1",
        "n_op.x = 1",
        "level ~ 'a*'",
        "result < " + "9" * 400,
    ],
)  # fmt: skip
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises((ParamError, UnknownNameError)) as caught:
        compile_where(text, AXES)
    assert isinstance(caught.value, UnknownNameError) or repr(text) in str(caught.value)
    with suppress(ParamError, UnknownNameError):
        assert read_rule(text, AXES).can_hold() in (True, False)


def test_refusals_say_why() -> None:
    with pytest.raises(ParamError, match=r"^where='abs\(n_op\) > 3': expected no functions"):
        compile_where("abs(n_op) > 3", AXES)
    with pytest.raises(ParamError, match=r"expected a comparison, true or false"):
        compile_where("n_op", AXES)
    with pytest.raises(ParamError, match=r"without ';'"):
        compile_where("n_op > 3;", AXES)


@pytest.mark.parametrize(
    ("name", "meant"), [("n_ops", "n_op"), ("Length", "length"), ("levle", "level"), ("zz", None)]
)
def test_unknown_axes_are_named_with_the_nearest(name: str, meant: str | None) -> None:
    with pytest.raises(UnknownNameError, match=rf"^unknown axis '{name}'") as caught:
        compile_where(f"n_op > 3 AND {name} > 3", AXES)
    assert caught.value.suggestion == meant


def test_length_and_nesting_are_bounded() -> None:
    padding = " " * (10_000 - len("n_op > 3"))
    assert evaluate("n_op > 3" + padding, ROWS[:1]) == [False]
    with pytest.raises(ParamError, match=r"expected at most 10000 characters"):
        compile_where("n_op > 3 " + padding, AXES)
    assert evaluate("(" * 40 + "n_op >= 0" + ")" * 40, ROWS[:1]) == [True]
    with pytest.raises(ParamError, match=r"expected matching parentheses, at most 40 deep"):
        compile_where("(" * 41 + "n_op >= 0" + ")" * 41, AXES)


LONG_RULES = [
    "n_op >= 0" + " BETWEEN 0 AND 1" * 40,
    "(" * 30 + "n_op >= 0" + " BETWEEN FALSE AND TRUE)" * 30,
    "n_op = 1" + " OR n_op = 1" * 700,
    "n_op" + " + n_op" * 900 + " > 1",
    "NOT " * 2000 + "n_op = 1",
    "- " * 4000 + "n_op = 1",
]


def test_time_and_memory_are_bounded() -> None:
    """Any rule of legal length is decided or refused in seconds, within two gigabytes."""
    program = (
        "import sys\n"
        "from synthgen.contract.interfaces import Axis\n"
        "from synthgen.core.errors import ParamError\n"
        "from synthgen.rules.language import read_rule\n"
        "axes = {'n_op': Axis('operators', 'int16', 0, 20)}\n"
        "for text in sys.argv[1:]:\n"
        "    try:\n"
        "        read_rule(text, axes).can_hold()\n"
        "    except ParamError:\n"
        "        pass\n"
        "    print('decided')\n"
    )
    assert max(map(len, LONG_RULES)) < 10_000
    limit = 2 << 30

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CPU, (6, 6))

    command = [sys.executable, "-c", program, *LONG_RULES]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, preexec_fn=bounded, check=False
    )
    assert done.stdout == "decided\n" * len(LONG_RULES), done.stderr[-300:]


SIGNS = ("=", "<", ">", "<=", ">=", "<>", "!=", "(", ")", "+", "-", "*", "/", "%", ",", ";")
KEYWORDS = ("AND", "OR", "NOT", "IN", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "LIKE")
STRANGE = ("and", "not", "'", "--", "abs", "n_ops", '"', "/*", "é", "1e5")
WORDS = [*AXES, *SIGNS, *KEYWORDS, *STRANGE, "0", "1", "3.5", "'easy'", "''"]


@given(st.lists(st.sampled_from(WORDS), max_size=9))
@settings(deadline=None, max_examples=400)
def test_any_words_are_read_or_refused(words: list[str]) -> None:
    check_read_or_refused(" ".join(words))


@given(st.text(max_size=30))
@settings(deadline=None, max_examples=200)
def test_any_text_is_read_or_refused(text: str) -> None:
    check_read_or_refused(text)


@given(RULES, st.integers(0, 200), st.integers(0, 3), st.sampled_from(["", "(", "'", "IN", "-"]))
@settings(deadline=None, max_examples=200)
def test_any_changed_rule_is_read_or_refused(rule: Rule, at: int, drop: int, insert: str) -> None:
    at = min(at, len(rule[0]))
    check_read_or_refused(rule[0][:at] + insert + rule[0][at + drop :])


def check_read_or_refused(text: str) -> None:
    """Every text is refused with an error of ours, or gives one yes or no for each row."""
    try:
        held = evaluate(text, [*ROWS, UNKNOWN])
    except (ParamError, UnknownNameError):
        with suppress(ParamError, UnknownNameError):
            assert read_rule(text, AXES).can_hold() in (True, False)
        return
    assert set(held) <= {True, False}
    assert len(held) == len(ROWS) + 1
    assert read_rule(text, AXES).can_hold() or not any(held[: len(ROWS)])


@pytest.mark.parametrize(
    "text",
    [
        "n_op > 3 AND n_op < 2",
        "n_op > 20",
        "n_op < 0",
        "result = 5 AND peak = 50",
        "result > 7 AND result < 8",
        "result > 10000 OR n_op > 20",
        "NOT (result >= 0)",
        "result BETWEEN 9 AND 3",
        "peak IN (1, 2, 99)",
        "level = 'simple'",
        "level LIKE 'x%'",
        "level = 'easy' AND level = 'hard'",
        "FALSE",
        "1 = 2",
        "n_op = NULL",
        "n_op = 3 AND level <> 'easy' AND level <> 'hard' AND level <> 'it''s'",
        "n_op + length < 1",
        "n_op > length * 21",
    ],
)
def test_contradictions_are_found(text: str) -> None:
    assert not read_rule(text, AXES).can_hold()


@pytest.mark.parametrize(
    "text",
    [
        "n_op = 20",
        "result = 9999",
        "result > 9998 AND result < 10000",
        "result > 6.5 AND result < 7.5",
        "n_op = 3 AND level = 'hard'",
        "level LIKE '%s'",
        "TRUE",
        "1 = 1",
        "free = 123456789",
        "free < n_op",
        "n_op = length",
        "result = peak",
        "peak = result",
        "result > 500 AND peak < 600 AND result = peak",
        "result + 5 = peak",
        "peak % 1000003 = 17",
        # One axis against another in every form there is: only values inside both ranges hold.
        "(result) = (peak)",
        "result IN (peak)",
        "peak IN (1, result)",
        "peak BETWEEN result AND result",
        "result NOT BETWEEN 0 AND 0 AND peak NOT IN (100, 2000000) AND (peak) = (result)",
        "NOT (result < peak OR result > peak)",
        "NOT ((result) <> (peak))",
        "(result < 5000) = (peak < 4000) AND result = 4500",
    ],
)
def test_what_can_hold_is_not_called_a_contradiction(text: str) -> None:
    assert read_rule(text, AXES).can_hold()


def test_ranges_are_those_of_the_axes_given() -> None:
    narrow = {"n_op": Axis("operators", "int16", 0, 5)}
    assert read_rule("n_op > 10", AXES).can_hold()
    assert not read_rule("n_op > 10", narrow).can_hold()
    assert not read_rule("n_op > 10", AXES).can_hold(narrow)
    assert not read_rule("level = 'hard'", AXES).can_hold(fixed={"level": ("easy",)})


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("n_op BETWEEN 3 AND 7 AND level <> 'easy'", {"n_op": (3, 7), "level": (1, 2)}),
        ("n_op < 2 OR n_op > 15.5", {"n_op": (0, 20)}),
        ("n_op * 2 > 7 AND length < 9", {"n_op": (4, 20), "length": (1, 8)}),
        ("result > peak", {}),  # too many combinations
        ("n_op > 3 OR level IS NULL", {}),
        ("TRUE", {}),
    ],
)
def test_spans_are_where_a_rule_can_hold(text: str, spans: dict[str, tuple[int, int]]) -> None:
    assert read_rule(text, AXES).spans == spans


def test_numbers_beyond_all_others_decide_nothing() -> None:
    assert not read_rule(f"peak > 1{'0' * 400}.0", AXES).can_hold()


def test_rules_of_a_block_are_evaluated_together() -> None:
    rules = [read_rule(text, AXES) for text in ("n_op > 2", None, "level = 'hard'", "free > 0")]
    hard = AXES["level"].values.index("hard")
    columns = {"n_op": np.array([1, 3, 5], np.int16), "level": np.array([0, hard, 0])}
    met = rows_that_meet(rules, columns, AXES, 3)
    assert met[:, 0].tolist() == [False, True, True]
    assert met[:, 1].all()  # the rule that every row meets
    assert met[:, 2].tolist() == [False, True, False]
    assert not met[:, 3].any()  # the rows lack the axis


def test_names_come_in_order_of_first_mention() -> None:
    assert names_in("length > 3 AND (n_op = 1 OR length < 9)", AXES) == ["length", "n_op"]
    assert names_in("level = 'n_op'", AXES) == ["level"]
    assert names_in("TRUE", AXES) == []


def test_column_types() -> None:
    assert axis_dtype(AXES["n_op"]) == pl.Int16()
    assert axis_dtype(AXES["result"]) == pl.Int32()
    assert axis_dtype(AXES["free"]) == pl.Int64()
    assert axis_dtype(AXES["level"]) == pl.String()


@pytest.mark.parametrize(
    ("rule", "clauses"),
    [
        ("n_op > 1", ["n_op > 1"]),
        ("n_op>1 and (depth < 3 OR n_op = 2)", ["n_op > 1", "( depth < 3 OR n_op = 2 )"]),
        ("n_op BETWEEN 1 AND 3 AND depth = 2", ["n_op BETWEEN 1 AND 3", "depth = 2"]),
        ("n_op not between 1 and 3 and depth = 2", ["n_op NOT BETWEEN 1 AND 3", "depth = 2"]),
        ("n_op = 1 OR depth = 2 AND n_op = 3", ["n_op = 1 OR depth = 2 AND n_op = 3"]),
    ],
)
def test_clauses_are_what_and_joins(rule: str, clauses: list[str]) -> None:
    assert clauses_of(rule) == clauses


def test_dotted_names_may_be_real_numbers() -> None:
    axes = {"test.rows": Axis("rows", REAL)}
    frame = pl.DataFrame({"test.rows": [0.5, 1.5]})
    assert frame.select(compile_where("test.rows * 2 > 2", axes)).to_series().to_list() == [
        False,
        True,
    ]
    with pytest.raises(UnknownNameError, match=r"unknown axis 'test\.row'"):
        compile_where("test.row > 1", axes)
