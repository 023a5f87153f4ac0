"""The verifier of rewriting programs: known runs, worked steps, proofs and malformed text."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.draws.randomness import RowDraws, Rows, stream_key
from tests.building import build_bundled
from tests.families.markov import programs
from tests.families.verdicts import Verdicts, strings

VERDICTS = Verdicts("markov")
accepts = VERDICTS.accepts
STREAM = stream_key(11, "programs")
SCOPES = (
    *("leftmost", "rightmost", "all_nonoverlap", "all_parallel"),
    *("prefix", "suffix", "whole"),
)
STRATEGIES = ("markov_priority", "round_robin", "sequential_once")
LOOP = 383
"""Steps until the counter of seven digits returns."""
ENDS = ("blocked", "stopped", "loop", "budget", "overflow")
ANSWERS = ("", " ", "_", "a", "b", "none", "1", *ENDS, "None")


def bare(rules: list[tuple[str, str, bool]], word: str, question: str = "") -> str:
    return programs.text([programs.Rule(*rule, "leftmost") for rule in rules], word, question)


@pytest.mark.parametrize("word", programs.REVERSED)
def test_word_and_its_reverse(word: str) -> None:
    result, steps = (word + word[::-1]) or "_", programs.REVERSED[word]
    assert accepts(bare(programs.REVERSAL, word), result)
    assert accepts(bare(programs.REVERSAL, word, str(steps)), result)
    for wrong in (str(steps + 1), str(steps - 1)):
        assert not accepts(bare(programs.REVERSAL, word, wrong), result)
    assert accepts(bare(programs.REVERSAL, word, f"status {steps} 99"), "stopped")
    assert accepts(bare(programs.REVERSAL, word, f"status {steps - 1} 99"), "budget")
    assert accepts(bare(programs.REVERSAL, word, "rule"), "10")


def test_the_published_trace() -> None:
    lines = []
    for line in programs.REVERSAL_TRACE:
        rule, _, rest = line.partition("@")
        lines.append(f"{int(rule) + 1}@{rest}")
    prompt = bare(programs.REVERSAL, "abb")
    right = "\n".join([*lines, "stopped"])
    assert accepts(prompt, "abbbba", right)
    assert accepts(prompt, "abbbba", None)
    assert accepts(f"Rules.\n\n`{prompt}`", "abbbba", right)
    for i, line in enumerate(lines):
        changes = (f"{line}a", f" {line}", f"{line} ", line[1:], line.replace("@", "@1", 1), "")
        for other in (*changes, f"0{line}", line.replace(" ", "  "), line.replace("P", "Q") + "Q"):
            assert not accepts(prompt, "abbbba", "\n".join([*lines[:i], other, *lines[i + 1 :]]))
        for fewer in (lines[:i] + lines[i + 1 :], lines[: i + 1] + lines[i:]):
            assert not accepts(prompt, "abbbba", "\n".join([*fewer, "stopped"]))
    for text in ("", "stopped", f"{right}\n", f"\n{right}", "\n".join(lines), right + " "):
        assert not accepts(prompt, "abbbba", text)
    assert not accepts(prompt, "abbbba", "\n".join([*lines, "blocked"]))
    assert not accepts(prompt, "abbbbb", right)


@pytest.mark.parametrize("word", programs.UNARIES)
def test_binary_to_unary(word: str) -> None:
    bars, steps = programs.UNARIES[word]
    result = "i" * bars or "_"
    assert accepts(bare(programs.UNARY, word), result)
    assert not accepts(bare(programs.UNARY, word), result + "i")
    assert accepts(bare(programs.UNARY, word, f"status {steps} 99"), "blocked")
    assert accepts(bare(programs.UNARY, word, f"status {steps - 1} 99"), "budget")


@pytest.mark.parametrize(("rules", "word", "status", "last", "steps"), programs.ENDS)
def test_how_runs_end(
    rules: list[tuple[str, str, bool]], word: str, status: str, last: str | None, steps: int
) -> None:
    for end in ("blocked", "stopped", "loop", "budget", "overflow", "open", ""):
        prompt = bare(rules, word, "status 50 200")
        assert accepts(prompt, end) == (end == status)
    halts = status in ("blocked", "stopped")
    assert accepts(bare(rules, word), last or "") == (halts)


def test_loops_are_stated_exactly() -> None:
    turn = "b > c ; a > b ; c > a | a ? status 3 9 ="
    assert accepts(turn, "loop", "2@0 b\n1@0 c\n3@0 a\nloop 0 3")
    assert accepts(
        "x > a ; a > b ; b > a | x ? status 3 9 =", "loop", "1@0 a\n2@0 b\n3@0 a\nloop 1 2"
    )
    for wrong in ("loop 1 3", "loop 0 2", "loop 0 03", "loop 0", "loop", "loop 0 3 ", "loop  0 3"):
        assert not accepts(turn, "loop", f"2@0 b\n1@0 c\n3@0 a\n{wrong}")
    assert accepts(turn.replace("3 9", "2 9"), "budget")
    assert accepts("a > aa | a ? status 2 3 =", "budget")
    assert accepts("a > aa | a ? status 3 3 =", "overflow")
    assert accepts("round_robin : a > b ; b > a ; b > a | a ? status 9 9 =", "loop")


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
    assert accepts(prompt, expected)
    assert accepts(f"Some `rules`.\n\n`{prompt}`", expected)
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
        assert not accepts(prompt, wrong)


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
        assert accepts(f"any_order : {prompt}", answer), prompt
        assert not accepts(f"any_order : {prompt}", answer + "a")
    for prompt, answer in NOT_FREE.items():
        assert not accepts(f"any_order : {prompt}", answer), prompt
    assert accepts("any_order : ba > ab | bba =", "abb", "1@1 bab\n1@0 abb\nblocked")
    assert not accepts("any_order : ba > ab | bba =", "abb", "1@0 bab\n1@0 abb\nblocked")


def test_a_result_counts_though_another_order_takes_too_long() -> None:
    """By the last rule first, every `c` that moves becomes two; in the end all letters are `a`."""
    word = "aaaaaaacbaaabcaaababaccaaaaab"
    prompt = f"any_order : c > b ; b > a ; caa > acc | {word} ="
    assert accepts(prompt, "a" * len(word))
    for wrong in ("a" * 28, "a" * 30, "a" * 28 + "b", word):
        assert not accepts(prompt, wrong)


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
def test_malformed_problems_have_no_right_answer(prompt: str) -> None:
    for answer in ANSWERS:
        assert not accepts(prompt, answer), answer
    assert not accepts(prompt, "b", "1@0 b\nblocked")
    assert not accepts(MALFORMED[-1], "abb")


def random_program(draws: RowDraws) -> tuple[list[programs.Rule], str, str]:
    """Rules, word and strategy over two or three letters, often without an end."""
    letters = "abc"[: draws.integer(2, 4)]

    def side(least: int, most: int) -> str:
        return "".join(draws.choice(letters) for _ in range(draws.integer(least, most + 1)))

    plain = draws.integer(0, 3) > 0
    rules = []
    for _ in range(draws.integer(1, 6)):
        scope = "leftmost" if plain else draws.choice(SCOPES)
        lhs = side(1 if scope.startswith("all_") else draws.integer(0, 2), 3)
        rhs = side(len(lhs), len(lhs)) if draws.integer(0, 2) else side(0, 3)
        rules.append(programs.Rule(lhs, rhs, draws.integer(0, 12) == 0, scope))
    strategy = "markov_priority" if draws.integer(0, 2) else draws.choice(STRATEGIES)
    return rules, side(0, 9), strategy


def test_every_program_has_one_end() -> None:
    n, prompts = 1_500, []
    for draws in Rows.span(STREAM, 0, n).each():
        rules, word, strategy = random_program(draws)
        steps, length = draws.integer(0, 60), draws.integer(9, 40)
        prompts.append(programs.text(rules, word, f"status {steps} {length}", strategy))
    right = [VERDICTS.verifier.check(strings(*prompts), strings(*[end] * n), None) for end in ENDS]
    assert (np.sum(right, axis=0) == 1).all()
    assert (np.sum(right, axis=1) >= 50).all()


def test_long_loops_are_found() -> None:
    """A binary counter returns after many steps, in the middle of a run."""
    pairs = (("0I", "1"), ("1I", "I0"), ("sI", "s"), ("e", "Ie"))
    rules = [programs.Rule(*pair, False, "leftmost") for pair in pairs]
    prompt = programs.text(rules, "s" + "0" * 7 + "e", "status {} 30")
    for limit, status in ((LOOP, "loop"), (LOOP - 1, "budget"), (LOOP + 1, "loop")):
        assert accepts(prompt.format(limit), status)


def test_long_runs_are_followed() -> None:
    word = "b" * 60 + "a" * 60
    assert accepts(f"ba > ab | {word} =", "a" * 60 + "b" * 60)
    assert accepts(f"ba > ab | {word} ? status 3600 120 =", "blocked")
    assert accepts(f"ba > ab | {word} ? status 3599 120 =", "budget")


def assert_answers_vary(rows: list[dict[str, Any]]) -> None:
    """No word, nor the class of those of one repeated letter, has more than a fifth of the rows."""
    answers = [row["answer"].strip("_") for row in rows]
    assert [row["answer_letters"] for row in rows] == [len({*answer}) for answer in answers]
    assert max(Counter(answers).values()) <= len(rows) / 5
    assert sum(len({*answer}) == 1 for answer in answers) <= len(rows) / 5
    assert sum(len({*answer}) >= 3 for answer in answers) >= len(rows) / 2


@pytest.mark.slow
def test_long_runs_are_only_in_their_test(tmp_path: Path) -> None:
    splits = build_bundled("markov", tmp_path / "out", rows=3_000)
    for name, rows in splits.items():
        assert_answers_vary(rows)
        for row in rows:
            *steps, status = row["solution"].split("\n")
            assert status in ("blocked", "stopped")
            assert (len(steps) > 15) == (name == "test_long")
            assert row["n_steps"] == len(steps) <= 50
    counts = Counter(row["n_steps"] for row in splits["train"])
    assert set(counts) == set(range(2, 16))
    assert max(counts.values()) - min(counts.values()) <= 1


def test_statuses_are_equally_frequent(tmp_path: Path) -> None:
    for rows in build_bundled("markov-status", tmp_path / "out", rows=1_000).values():
        counts = Counter(row["answer"] for row in rows)
        assert set(counts) == {"blocked", "stopped", "loop", "budget", "overflow"}
        assert max(counts.values()) - min(counts.values()) <= 2
        for row in rows:
            rules = programs.parse(row["prompt"]).rules
            assert any(rule.stop for rule in rules)
            assert row["feeds_itself"] == any(rule.lhs in rule.rhs for rule in rules)
        fed = Counter(row["answer"] for row in rows if row["feeds_itself"])
        assert all(abs(2 * fed[status] - counts[status]) <= 2 for status in counts)


@pytest.mark.slow
def test_the_order_of_rules_makes_no_difference(tmp_path: Path) -> None:
    splits = build_bundled("markov-any-order", tmp_path / "out", rows=360)
    for name, rows in splits.items():
        assert_answers_vary(rows)
        for row in rows:
            problem = programs.parse(row["prompt"])
            assert problem.strategy == "any_order"
            assert (len(problem.rules) > 4) == (name == "test_rules")
            assert (len(problem.word) > 16) == (name == "test_long")
            assert programs.reduced(problem.rules) != "none"
            assert programs.accepted(problem, row["answer"], rules=problem.rules[::-1])
            assert row["n_fired"] == row["n_needed"]


@pytest.mark.slow
def test_longer_lists_of_rules_are_only_in_their_test(tmp_path: Path) -> None:
    splits = build_bundled("markov-next-rule", tmp_path / "out", rows=2_000)
    for name, rows in splits.items():
        for row in rows:
            problem = programs.parse(row["prompt"])
            assert (len(problem.rules) > 8) == (name == "test_many")
        answers = Counter(row["answer"] for row in rows)
        assert answers["none"] > 0
        assert max(answers.values()) <= len(rows) / 5
