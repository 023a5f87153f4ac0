"""The verifier of rewriting programs: known runs, malformed text, and the engines compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Render, Verifier
from synthgen.core.randomness import RowDraws, Rows, stream_key
from synthgen.generators import _markov_engine as engine
from synthgen.generators import _markov_program as program
from synthgen.generators import _markov_symbols as symbols
from synthgen.generators.markov import Markov
from synthgen.verifiers import _markov_read as words
from synthgen.verifiers._markov_exact import exact_answer
from synthgen.verifiers.markov import VERIFIER
from tests.bounded import bounded
from tests.generators import markov_oracle as oracle

STREAM = stream_key(11, "programs")
SCOPES = ("", *(f" @{scope}" for scope in engine.SCOPES[1:]))


def strings(*texts: str | None) -> pa.StringArray:
    return pa.array(texts, pa.string())


def both(prompt: str, answer: str) -> list[bool]:
    """What the compiled and the slow check say."""
    return [
        bool(VERIFIER.check(strings(prompt), strings(answer), None)[0]),
        bool(VERIFIER.symbolic(strings(prompt), strings(answer))[0]),
    ]


def replayed(prompt: str, answer: str, solution: str | None) -> bool:
    return bool(VERIFIER.check(strings(prompt), strings(answer), strings(solution))[0])


def bare(rules: list[tuple[str, str, bool]], word: str, question: str = "") -> str:
    return oracle.text([oracle.Rule(*rule, "leftmost") for rule in rules], word, question)


def test_it_is_a_verifier() -> None:
    assert isinstance(VERIFIER, Verifier)
    assert VERIFIER.check(strings(), strings(), None).shape == (0,)
    assert VERIFIER.symbolic(strings(), strings()).shape == (0,)


def test_its_names_are_those_of_the_generator() -> None:
    assert words.MARKS[1:] == engine.SCOPES[1:]
    assert words.MODES[1:] == engine.STRATEGIES[1:]
    assert engine.STATUSES[:-1] == words.ENDS
    assert all(words._IS_LETTER[ord(char)] for char in symbols.LETTERS)
    assert words._IS_LETTER.sum() == len(symbols.LETTERS)


@pytest.mark.parametrize("word", oracle.REVERSED)
def test_word_and_its_reverse(word: str) -> None:
    result, steps = (word + word[::-1]) or "_", oracle.REVERSED[word]
    assert both(bare(oracle.REVERSAL, word), result) == [True, True]
    assert both(bare(oracle.REVERSAL, word, str(steps)), result) == [True, True]
    for wrong in (str(steps + 1), str(steps - 1)):
        assert both(bare(oracle.REVERSAL, word, wrong), result) == [False, False]
    assert both(bare(oracle.REVERSAL, word, f"status {steps} 99"), "stopped") == [True, True]
    assert both(bare(oracle.REVERSAL, word, f"status {steps - 1} 99"), "budget") == [True, True]
    assert both(bare(oracle.REVERSAL, word, "rule"), "10") == [True, True]


def test_the_published_trace() -> None:
    lines = []
    for line in oracle.REVERSAL_TRACE:
        rule, _, rest = line.partition("@")
        lines.append(f"{int(rule) + 1}@{rest}")
    prompt = bare(oracle.REVERSAL, "abb")
    right = "\n".join([*lines, "stopped"])
    assert replayed(prompt, "abbbba", right)
    assert replayed(prompt, "abbbba", None)
    assert replayed(f"Rules.\n\n`{prompt}`", "abbbba", right)
    for i, line in enumerate(lines):
        changes = (f"{line}a", f" {line}", f"{line} ", line[1:], line.replace("@", "@1", 1), "")
        for other in (*changes, f"0{line}", line.replace(" ", "  "), line.replace("P", "Q") + "Q"):
            assert not replayed(prompt, "abbbba", "\n".join([*lines[:i], other, *lines[i + 1 :]]))
        for rest in (lines[:i] + lines[i + 1 :], lines[: i + 1] + lines[i:]):
            assert not replayed(prompt, "abbbba", "\n".join([*rest, "stopped"]))
    for text in ("", "stopped", f"{right}\n", f"\n{right}", "\n".join(lines), right + " "):
        assert not replayed(prompt, "abbbba", text)
    assert not replayed(prompt, "abbbba", "\n".join([*lines, "blocked"]))
    assert not replayed(prompt, "abbbbb", right)


@pytest.mark.parametrize("word", oracle.UNARIES)
def test_binary_to_unary(word: str) -> None:
    bars, steps = oracle.UNARIES[word]
    result = "i" * bars or "_"
    assert both(bare(oracle.UNARY, word), result) == [True, True]
    assert both(bare(oracle.UNARY, word), result + "i") == [False, False]
    assert both(bare(oracle.UNARY, word, f"status {steps} 99"), "blocked") == [True, True]
    assert both(bare(oracle.UNARY, word, f"status {steps - 1} 99"), "budget") == [True, True]


@pytest.mark.parametrize(("rules", "word", "status", "last", "steps"), oracle.ENDS)
def test_how_runs_end(
    rules: list[tuple[str, str, bool]], word: str, status: str, last: str | None, steps: int
) -> None:
    for end in ("blocked", "stopped", "loop", "budget", "overflow", "open", ""):
        prompt = bare(rules, word, "status 50 200")
        assert both(prompt, end) == [end == status] * 2
    halts = status in ("blocked", "stopped")
    assert both(bare(rules, word), last or "") == [halts] * 2
    lines = oracle.answered(oracle.parse(prompt))[1]
    assert lines.count("\n") == steps
    assert replayed(prompt, status, lines)
    assert not replayed(prompt, status, lines + "0")


def test_loops_are_told_exactly() -> None:
    turn = "b > c ; a > b ; c > a | a ? status 3 9 ="
    assert replayed(turn, "loop", "2@0 b\n1@0 c\n3@0 a\nloop 0 3")
    assert replayed(
        "x > a ; a > b ; b > a | x ? status 3 9 =", "loop", "1@0 a\n2@0 b\n3@0 a\nloop 1 2"
    )
    for wrong in ("loop 1 3", "loop 0 2", "loop 0 03", "loop 0", "loop", "loop 0 3 ", "loop  0 3"):
        assert not replayed(turn, "loop", f"2@0 b\n1@0 c\n3@0 a\n{wrong}")
    assert both(turn.replace("3 9", "2 9"), "budget") == [True, True]
    assert both("a > aa | a ? status 2 3 =", "budget") == [True, True]
    assert both("a > aa | a ? status 3 3 =", "overflow") == [True, True]
    assert both("round_robin : a > b ; b > a ; b > a | a ? status 9 9 =", "loop") == [True, True]


PARALLEL = "a > ab @all_parallel ; b > a @all_parallel"
WORKED = {
    "a > X | aba =": None,
    "a >. X | aba =": "Xba",
    "a >. X @rightmost | aba =": "abX",
    "_ >. X @rightmost | ab =": "abX",
    "aa >. X @all_nonoverlap | aaaaa =": "XXa",
    "aa >. _ @all_nonoverlap | aaaa =": "_",
    "a > X @prefix | aaba =": "Xaba",
    "a > X @suffix | abaa =": "abaX",
    "_ >. X @suffix | ab =": "abX",
    "_ >. X @whole | _ =": "X",
    "_ > X @whole | a =": "a",
    "ab > X @whole | ab =": "X",
    f"{PARALLEL} | a ? 5 =": "abaababaabaab",
    f"{PARALLEL} | a ? rule =": "1",
    f"{PARALLEL} | b ? rule =": "2",
    f"{PARALLEL} | c ? rule =": "none",
    "sequential_once : a > b ; b > c ; c > a | aab =": "aab",
    "sequential_once : a > aa | a =": "aa",
    "round_robin : a > b ; b > c ; a > d | aa =": "cd",
    "round_robin : a > b ; b > c | aa ? 3 =": "cb",
}


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    right = WORKED[prompt]
    expected = "XbX" if right is None else right
    assert both(prompt, expected) == [True, True]
    assert both(f"Some `rules`.\n\n`{prompt}`", expected) == [True, True]
    for wrong in (
        "",
        " ",
        expected + "a",
        expected[:-1],
        f" {expected}",
        f"{expected}\n",
        "__",
        "é",
    ):
        assert both(prompt, wrong) == [False, False]


FREE = {
    "ba > ab | bbaa =": "aabb",
    "ab > a ; ba > a | babab =": "aa",
    "abc > ac ; b > _ | cabcb =": "cac",
    "aa > a ; bb > b ; ba > ab | abba =": "ab",
    "adcb > bacd | adcb =": "bacd",
}
NOT_FREE = {
    "ab > c ; bc > a | abc =": "cc",
    "aba > b | ababa =": "bba",
    "abc > _ ; b > _ | abc =": "_",
    "ab > c ; bc > a | ab =": "c",
    "a > b ; b > a | a =": "b",
    "a > aa | a =": "aa",
    "a > b | a =": "b",
    "ba >. ab | ba =": "ab",
    "ba > ab @prefix | ba =": "ab",
    "_ > _ | ba =": "ba",
    "b > a ; ab > ba | b =": "a",
    "ba > ab | ba ? 1 =": "ab",
    "ba > ab | ba ? rule =": "1",
    "ba > ab | ba ? status 5 5 =": "blocked",
}


def test_any_order_needs_a_proof() -> None:
    """The last word may be right, but only if nothing else can be reached from any word."""
    for prompt, answer in FREE.items():
        assert both(f"any_order : {prompt}", answer) == [True, True], prompt
        assert both(f"any_order : {prompt}", answer + "a") == [False, False]
    for prompt, answer in NOT_FREE.items():
        assert both(f"any_order : {prompt}", answer) == [False, False], prompt
    assert replayed("any_order : ba > ab | bba =", "abb", "1@1 bab\n1@0 abb\nblocked")
    assert not replayed("any_order : ba > ab | bba =", "abb", "1@0 bab\n1@0 abb\nblocked")


def test_a_result_stands_though_in_another_order_it_takes_too_long() -> None:
    """By the last rule first, every `c` that moves becomes two; in the end all letters are `a`."""
    word = "aaaaaaacbaaabcaaababaccaaaaab"
    prompt = f"any_order : c > b ; b > a ; caa > acc | {word} ="
    assert both(prompt, "a" * len(word)) == [True, True]
    for wrong in ("a" * 28, "a" * 30, "a" * 28 + "b", word):
        assert both(prompt, wrong) == [False, False]


@settings(max_examples=120)
@given(st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), st.text("abc", max_size=2))))
def test_both_proofs_of_one_result_agree(rules: list[tuple[str, str]]) -> None:
    prompt = "any_order : " + bare([(*rule, False) for rule in rules or [("ba", "ab")]], "acbabcab")
    answer = exact_answer(prompt)
    assert both(prompt, answer or "") == [answer is not None] * 2
    plain = exact_answer(prompt.removeprefix("any_order : "))
    assert answer in (None, plain)
    assert both(prompt, plain or "") == [answer is not None] * 2


GOOD = "ba > ab ; c >. _ @suffix | bbca ="
MALFORMED = [
    *("", " ", "=", "|", "`", "``", " =", "a", "a =", "a > b", "a > b |", "a > b | =", "| a ="),
    *("a > b | a", "a > b | a=", "a > b| a =", "a > b |a =", "a >b | a =", "a> b | a ="),
    *("a > b | a = ", " a > b | a =", "a  > b | a =", "a > b | a  =", "a > b ;; a > c | a ="),
    *("a > b ; | a =", "; a > b | a =", "a > b , c > d | a =", "a > b ; c | a =", "a > | a ="),
    *("> b | a =", "a >> b | a =", "a >.. b | a =", "a .> b | a =", "a -> b | a =", "a > b. | a ="),
    *("a > b @ | a =", "a > b @left | a =", "a > b @leftmost | a =", "a > b @suffix @prefix | a ="),
    *("a > b suffix | a =", "a > b @suffixx | a =", "a > b @suffi | a =", "a > b@suffix | a ="),
    *("_ > b @all_parallel | a =", "_ > b @all_nonoverlap | a =", "a_ > b | a =", "__ > b | a ="),
    *(
        "a > b | _a =",
        "a > b | a b =",
        "a > b | é =",
        "é > b | a =",
        "a > b | a ? =",
        "a > b | a ?",
    ),
    *("a > b | a ? rules =", "a > b | a ? rule", "a > b | a ? rule 1 =", "a > b | a ? status ="),
    *("a > b | a ? status 5 =", "a > b | a ? status 5 5 5 =", "a > b | a ? status 05 5 ="),
    *("a > b | a ? status 5 0 =", "a > b | a ? 01 =", "a > b | a ? -1 =", "a > b | a ? 1.0 ="),
    *(
        "a > b | a ? 10001 =",
        "a > b | a ? 99999 =",
        "a > b | a ? status 10001 5 =",
        "a > b | a ? 2 =",
    ),
    *("markov_priority : a > b | a =", "once : a > b | a =", "round_robin a > b | a ="),
    *("round_robin: a > b | a =", ": a > b | a =", "round_robin : round_robin : a > b | a ="),
    *("a > b | a =\n", "a\t> b | a =", "a > b\n; c > d | a =", "a > b | a = b", "a > b | a | a ="),
    *(
        "a > a | a =",
        "a > b ; b > a | a =",
        "a > aa | a =",
        "_ > a | a =",
        "a > b | a ? rule=",
        GOOD,
    ),
]


@pytest.mark.parametrize("prompt", MALFORMED[:-1])
def test_what_is_no_problem_has_no_right_answer(prompt: str) -> None:
    for answer in (
        "",
        " ",
        "_",
        "a",
        "b",
        "none",
        "1",
        "blocked",
        "loop",
        "budget",
        "overflow",
        "None",
    ):
        assert both(prompt, answer) == [False, False], answer
    assert not replayed(prompt, "b", "1@0 b\nblocked")
    assert both(MALFORMED[-1], "abb") == [False, False]


def random_program(draws: RowDraws) -> tuple[list[program.Rule], str, str]:
    """Rules, word and strategy over two or three letters, often without an end."""
    letters = "abc"[: draws.integer(2, 4)]

    def side(least: int, most: int) -> str:
        return "".join(draws.choice(letters) for _ in range(draws.integer(least, most + 1)))

    plain = draws.integer(0, 3) > 0
    rules = []
    for _ in range(draws.integer(1, 6)):
        scope = "leftmost" if plain else draws.choice(engine.SCOPES)
        lhs = side(1 if scope.startswith("all_") else draws.integer(0, 2), 3)
        rhs = side(len(lhs), len(lhs)) if draws.integer(0, 2) else side(0, 3)
        rules.append(program.Rule(lhs, rhs, draws.integer(0, 12) == 0, scope))
    strategy = "markov_priority" if draws.integer(0, 2) else draws.choice(engine.STRATEGIES[:-1])
    return rules, side(0, 9), strategy


def compare_engines(n: int) -> Counter[str]:
    """Run programs in both engines, with other ways to find loops each, and replay all traces."""
    prompts, answers, traces, ends = [], [], [], Counter[str]()
    for number, draws in enumerate(Rows.span(STREAM, 0, n).each()):
        rules, word, strategy = random_program(draws)
        steps, length = draws.integer(0, 60), draws.integer(9, 40)
        done = program.run(rules, word, strategy, steps, length)
        told = [oracle.Rule(rule.lhs, rule.rhs, rule.stop, rule.scope) for rule in rules]
        prompt = oracle.text(told, word, f"status {steps} {length}", strategy)
        lines = [f"{rule + 1}@{place} {new or '_'}" for rule, place, new in done.steps]
        loop = f" {done.loop_start} {done.loop_length}" if done.status == "loop" else ""
        prompts.append(prompt)
        answers.append(done.status)
        traces.append("\n".join([*lines, done.status + loop]))
        ends[done.status] += 1
        if number % 10 == 0:
            assert oracle.answered(oracle.parse(prompt))[:2] == (answers[-1], traces[-1]), prompt
    assert VERIFIER.check(strings(*prompts), strings(*answers), strings(*traces)).all()
    assert VERIFIER.symbolic(strings(*prompts), strings(*answers)).all()
    for other in ("blocked", "stopped", "loop", "budget", "overflow"):
        expected = [answer == other for answer in answers]
        assert VERIFIER.check(strings(*prompts), strings(*[other] * n), None).tolist() == expected
    return ends


def test_three_ways_to_find_loops_agree_on_ten_thousand_programs() -> None:
    ends = compare_engines(10_000)
    assert min(ends[end] for end in engine.STATUSES[:-1]) >= 400, ends


def test_long_loops_are_found() -> None:
    """A binary counter of ten digits comes round after many steps, in the middle of a run."""
    rules = [program.Rule(*pair) for pair in (("0I", "1"), ("1I", "I0"), ("sI", "s"), ("e", "Ie"))]
    word = "s" + "0" * 7 + "e"
    done = program.run(rules, word, max_steps=3_000, max_length=30)
    assert done.status == "loop"
    assert done.loop_length > 300
    told = [oracle.Rule(rule.lhs, rule.rhs, rule.stop, rule.scope) for rule in rules]
    steps = done.loop_start + done.loop_length
    for limit, status in ((steps, "loop"), (steps - 1, "budget"), (steps + 1, "loop")):
        prompt = oracle.text(told, word, f"status {limit} 30")
        assert both(prompt, status) == [True, True]


PIECES = ("a > b", "b > a", "ab >. _", "_ > b", "aa > c @all_nonoverlap", "a > bc @all_parallel")
TOKENS = ("|", ";", "=", "?", ":", "rule", "3", "status 5 9", "aab", "_", "round_robin", "@prefix")


@settings(max_examples=300)
@given(st.lists(st.sampled_from((*PIECES, *TOKENS)), min_size=1, max_size=7), st.booleans())
def test_both_checks_accept_the_same_texts(parts: list[str], ended: bool) -> None:
    prompt = " ".join(parts) + (" | aab =" if ended else "")
    answer = exact_answer(prompt)
    assert both(prompt, answer or "") == [answer is not None] * 2


@settings(max_examples=200)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_an_answer(prompt: str, answer: str, solution: str) -> None:
    assert both(prompt, answer) == [False, False]
    assert both(f"`{prompt}`", answer) == [False, False]
    assert not replayed("a > b | a =", "b", solution)


@settings(max_examples=100)
@given(st.data())
def test_any_change_of_a_row_is_found(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from(symbols.TASKS))
    kind = Markov(task=task, scopes=engine.SCOPES, strategies=engine.STRATEGIES[:-1])
    rows = Rows.span(STREAM, data.draw(st.integers(0, 10_000)), 10_001)
    problems = kind.draw(replace(rows, addresses=rows.addresses[:1]))
    if not problems.valid[0]:
        return
    texts = kind.render(problems, Render("bare", "trace"))
    assert texts.solutions is not None
    columns = (texts.prompts, texts.answers, texts.solutions)
    prompt, answer, trace = (column[0].as_py() for column in columns)
    assert replayed(prompt, answer, trace)
    for text, is_trace in ((answer, False), (trace, True)):
        at = data.draw(st.integers(0, len(text) - 1))
        char = data.draw(st.characters(codec="ascii").filter(lambda c: c != text[at]))  # noqa: B023
        for other in (text[:at] + char + text[at + 1 :], text[:at] + text[at + 1 :]):
            if is_trace:
                assert not replayed(prompt, answer, other)
            elif other != answer:
                assert both(prompt, other) == [False, False]


@pytest.mark.parametrize(
    "prompt",
    [
        "a > b ; " * 20_000,
        "a > b ; " * 20_000 + "b > a | " + "ab" * 4_000 + " =",
        "a" * 150_000 + " > b | a =",
        "a > aa | a =",
        "a > aaaaaaaaaaaaaaaa @all_parallel | a =",
        "ab > bba | " + "a" * 30 + "b =",
        "a" * 4_000 + "b > c ; b > bb | " + "a" * 9_000 + "b =",
        "a > b | " + "a" * 100_000 + " =",
        "a > b ; b > a | a ? status 10000 10000 =",
        " " * 200_000,
        "`" * 200_000,
        "any_order : "
        + " ; ".join(f"{'a' * k}b > {'a' * k}" for k in range(63))
        + " | "
        + "ab" * 4_999
        + "c =",
        "any_order : " + "ba > ab ; " * 60 + "c > b | " + "ba" * 4_999 + "c =",
        "a > b | a ? " + "9" * 100_000 + " =",
    ],
    ids=lambda text: text[:20],
)
def test_hostile_problems_are_answered_in_bounded_time(prompt: str) -> None:
    with bounded():
        assert both(prompt, "zz") == [False, False]
        assert not replayed(prompt, "zz", prompt)
        assert not replayed("a > b | a =", "b", prompt)


def test_long_runs_are_followed() -> None:
    word = "b" * 60 + "a" * 60
    assert both(f"ba > ab | {word} =", "a" * 60 + "b" * 60) == [True, True]
    assert both(f"ba > ab | {word} ? status 3600 120 =", "blocked") == [True, True]
    assert both(f"ba > ab | {word} ? status 3599 120 =", "budget") == [True, True]


def test_sliced_columns_and_nulls() -> None:
    prompts = strings("a > b | b =", "a > b | a =", "a > b | aa =")
    answers, traces = strings("x", "b", "bb"), strings("", None, "1@0 ba\n1@1 bb\nblocked")
    assert VERIFIER.check(prompts, answers, traces).tolist() == [False, True, True]
    window = slice(1, 3)
    assert VERIFIER.check(prompts[window], answers[window], traces[window]).all()


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [("abba", 1.0), (" abba\n", 1.0), ("ab ba", 0.0), ("The answer is abba", 0.0), ("", 0.0)],
)
def test_grading(prediction: str, expected: float) -> None:
    assert VERIFIER.grade(prediction, "abba") == expected
