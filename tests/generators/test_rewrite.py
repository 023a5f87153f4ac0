"""String rewriting: vectors, every column from the text, pools, allocation, bad parameters."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.columns import Ragged
from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.permutation import permutation_table, permute
from synthgen.core.randomness import Rows, stream_key
from synthgen.generators import _rewrite_strings as strings
from synthgen.generators._rewrite_allocation import KINDS, allocate, apportion, rule_weights
from synthgen.generators._rewrite_choice import deal_rules
from synthgen.generators._rewrite_nearly import nearest_kind
from synthgen.generators._rewrite_text import prompts_and_answers, steps
from synthgen.generators.rewrite import Rewrite
from synthgen.verifiers.rewrite import VERIFIER

STREAM = stream_key(7, "rewrite", "rewrite")
BARE = Render("bare", "none")
LONG = {f"{end}_{side}": 60 for end in ("min", "max") for side in ("lhs", "rhs")}
LONG |= {"min_input": 500, "max_input": 500}
SMALL = {"min_lhs": 1, "max_lhs": 3, "min_rhs": 0, "max_rhs": 3, "min_input": 9, "max_input": 20}
WORDS = {"min_lhs": 7, "max_lhs": 10, "classes": ("periodic 2-4", "free")}
"""Left sides about as long as the word by which they are found."""
KINDS_OF_ROWS = (
    Rewrite(p_noop=0.3, hard_negatives=0.6),
    Rewrite(alphabet="ab", **SMALL, rules=40, strict=False, p_noop=0.4, hard_negatives=0.8),
    Rewrite(alphabet="xyz", **SMALL, rules=9, occurrences=(1, 2, 3), p_noop=0.2),
    Rewrite(alphabet="ab", min_lhs=5, max_lhs=5, rules=16, strict=False, occurrences=(10, 2)),
    Rewrite(**LONG, classes=("repeated 2-60", "mirrored 2-60", "periodic 2-60", "free"), rules=300),
    Rewrite(**LONG, classes=("repeated 60",), rules=13, p_noop=0.5, hard_negatives=1.0),
    Rewrite(rows=400, rules=20, p_noop=0.25, allocation="zipf", cipher=5),
    Rewrite(alphabet="ab", **WORDS, rules=20, strict=False, occurrences=(1, 3), p_noop=0.2),
)


@lru_cache(maxsize=32)
def drawn(rewrite: Rewrite, n: int = 400) -> Problems:
    return rewrite.draw(Rows.span(STREAM, 0, n))


@lru_cache(maxsize=32)
def told(rewrite: Rewrite, prompt: str = "bare", solution: str = "none", n: int = 400) -> Texts:
    return rewrite.render(drawn(rewrite, n), Render(prompt, solution))


def problem(text: str) -> tuple[str, str, str]:
    """The sides and the string of a bare prompt."""
    rule, string = text.split(" | ")
    lhs, rhs = rule.split(" > ")
    return lhs, "" if rhs == "_" else rhs, string


def rules_of(rewrite: Rewrite, n: int) -> list[tuple[str, str]]:
    """Rules by number, as the texts of many rows show them."""
    found: dict[int, tuple[str, str]] = {}
    problems = drawn(rewrite, n)
    for number, text in zip(
        problems.axes["rule"], told(rewrite, n=n).prompts.to_pylist(), strict=True
    ):
        found[int(number)] = problem(text)[:2]
    first = rewrite.first_rule
    assert sorted(found) == list(range(first, first + rewrite.rules)), "too few rows"
    return [found[number] for number in sorted(found)]


def structured(base: str, kind: str, k: int) -> str:
    if kind == "repeated":
        return "".join(letter * k for letter in base)
    blocks = [base if kind == "periodic" or i % 2 == 0 else base[::-1] for i in range(k)]
    return "".join(blocks)


def largest(text: str, kind: str) -> set[int]:
    """All k with which a string is of a class."""
    fitting = [k for k in range(1, len(text) + 1) if len(text) % k == 0]
    bases = {k: text[::k] if kind == "repeated" else text[: len(text) // k] for k in fitting}
    return {k for k in fitting if structured(bases[k], kind, k) == text} or {1}


def like(lhs: str, string: str) -> str:
    """What a string without `lhs` has of it."""
    windows = [string[i : i + len(lhs)] for i in range(len(string) - len(lhs) + 1)]
    if any(sum(a != b for a, b in zip(lhs, window, strict=True)) == 1 for window in windows):
        return "changed"
    if len(lhs) > 1 and lhs[: (len(lhs) + 1) // 2] in string:
        return "prefix"
    return "reversed" if lhs[::-1] in string else "random"


def numbers(text: str) -> np.ndarray[Any, Any]:
    """Letters as their numbers in the alphabet."""
    return np.frombuffer(text.encode(), np.uint8) - np.uint8(ord("a"))


@pytest.mark.parametrize(
    ("lhs", "rhs", "string", "answer", "worked"),
    [
        ("aa", "bac", "caaba", "cbacba", "1: c[aa]ba\nc[bac]ba"),
        ("iss", "art", "mississippi", "martissippi", "1: m[iss]issippi\nm[art]issippi"),
        ("iss", "art", "canada", "canada", "none"),
        ("a", "", "bab", "bb", "1: b[a]b\nb[]b"),
        ("ab", "c", "ab", "c", "0: [ab]\n[c]"),
    ],
)
def test_published_examples(lhs: str, rhs: str, string: str, answer: str, worked: str) -> None:
    starts = np.array([0, len(lhs), len(lhs + rhs)])
    rules = (np.zeros(1, np.int64), numbers(lhs + rhs), starts)
    inputs = Ragged(numbers(string), np.array([0, len(string)]))
    alphabet = np.frombuffer(ascii_lowercase.encode(), np.uint8)
    row = (rules, inputs, np.array([string.find(lhs)], np.int16), alphabet)
    prompts, answers = prompts_and_answers(*row)
    assert prompts.to_pylist() == [f"{lhs} > {rhs or '_'} | {string}"]
    assert answers.to_pylist() == [answer]
    assert steps(*row).to_pylist() == [worked]


@pytest.mark.parametrize(
    ("kind", "k", "text"),
    [("repeated", 3, "aaabbbccc"), ("periodic", 2, "abcabc"), ("mirrored", 3, "abccbaabc")],
)
def test_published_classes(kind: str, k: int, text: str) -> None:
    out = np.zeros(len(text), np.uint8)
    number = np.uint64(0 + 1 * 3 + 2 * 9)  # the digits of abc
    code = strings.CLASSES.index(kind)
    strings.write_string(out, 0, len(text), code, k, number, 3, np.array([1, 3], np.uint64))
    assert "".join("abc"[letter] for letter in out) == text
    assert strings.own_class(out, 0, len(out)) == (code, k)


@given(st.text("ab", min_size=1, max_size=12))
def test_the_class_of_a_string_is_that_of_its_largest_k(text: str) -> None:
    letters = np.frombuffer(text.encode(), np.uint8)
    found = {kind: max(largest(text, kind)) for kind in strings.CLASSES[1:]}
    most = max(found.values())
    first = next((kind for kind, k in found.items() if k == most), "free")
    kind, k = strings.own_class(letters, 0, len(letters))
    assert (strings.CLASSES[kind], k) == (first if most > 1 else "free", most)


def in_threes(text: str) -> str:
    """A string in a derivation."""
    leaves = [text[i : i + 3] for i in range(0, len(text), 3)]
    return f"(string{len(text)} {' '.join(leaves)})" if text else "string0"


@pytest.mark.parametrize("rewrite", KINDS_OF_ROWS, ids=range(len(KINDS_OF_ROWS)))
def test_every_column_follows_from_the_text(rewrite: Rewrite) -> None:
    problems, texts = drawn(rewrite), told(rewrite)
    assert problems.valid.all()
    trees = derivation_text(problems.derivations, rewrite.signature).to_pylist()
    rows = zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), trees, strict=True)
    for i, (prompt, answer, tree) in enumerate(rows):
        lhs, rhs, string = problem(prompt)
        sides = [in_threes(text) for text in (lhs, rhs, string)]
        assert tree == f"(rewrite (rule {sides[0]} {sides[1]}) {sides[2]})"
        changed = lhs in string
        assert answer == string.replace(lhs, rhs, 1)
        assert len(answer) == len(string) + changed * (len(rhs) - len(lhs))
        row = {name: int(column[i]) for name, column in problems.axes.items()}
        assert row["op_type"] == changed
        position = string.find(lhs)
        assert row["match_position"] == position
        places = len(string) - len(lhs) + 1
        assert row["match_bin"] == (10 * position // places if changed else -1)
        assert row["occ_overlap"] == len(re.findall(f"(?={lhs})", string))
        assert row["occ_nonoverlap"] == string.count(lhs)
        assert not changed or string.count(lhs) in rewrite.occurrences
        lengths = (row["lhs_length"], row["rhs_length"], row["input_length"])
        assert lengths == (len(lhs), len(rhs), len(string))
        kind = rewrite.axes["noop_kind"].values[row["noop_kind"]]
        assert kind == ("none" if changed else like(lhs, string))
        ks = {c: max(largest(lhs, c) & largest(rhs or lhs, c)) for c in strings.CLASSES[1:]}
        assert ks == {c: row[f"{c}_k"] for c in ks}
        assert row["class_k"] == max(ks.values())
        name = rewrite.axes["rule_class"].values[row["rule_class"]]
        assert name == (max(ks, key=lambda c: ks[c]) if max(ks.values()) > 1 else "free")


def test_shares_of_no_ops_and_of_what_is_like_the_left_side() -> None:
    axes = drawn(KINDS_OF_ROWS[0], 20_000).axes
    kinds = Counter(axes["noop_kind"].tolist())
    assert kinds[0] == pytest.approx(14_000, abs=300)
    assert kinds[1] == pytest.approx(2_400, abs=200)
    assert all(kinds[kind] == pytest.approx(1_200, abs=200) for kind in (2, 3, 4))


def test_the_match_is_everywhere_equally_often() -> None:
    positions = Counter(drawn(Rewrite(), 20_000).axes["match_position"].tolist())
    assert set(positions) == set(range(31))
    assert min(positions.values()) > 500
    letters = Counter("".join(problem(p)[2] for p in told(Rewrite(), n=5_000).prompts.to_pylist()))
    shares = np.array(list(letters.values())) / letters.total()
    assert len(letters) == 26
    assert np.allclose(shares, 1 / 26, atol=0.003)


def test_all_ways_to_place_copies_are_equally_likely() -> None:
    sizes = dict.fromkeys(("min_lhs", "max_lhs", "min_rhs", "max_rhs", "rules"), 1)
    sizes |= {"min_input": 5, "max_input": 5}
    rewrite = Rewrite(alphabet="ab", occurrences=(2,), **sizes)
    ways = Counter(problem(p)[2] for p in told(rewrite, n=5_000).prompts.to_pylist())
    assert len(ways) == 10
    assert min(ways.values()) > 400


@pytest.mark.parametrize(
    "params",
    [
        {"rules": 500, **LONG},
        {"rules": 60, "alphabet": "abc", "min_lhs": 5, "max_lhs": 5, "min_rhs": 5, "max_rhs": 5},
        {"rules": 30, "alphabet": "abc", "min_lhs": 3, "max_lhs": 5, "min_rhs": 3, "max_rhs": 5},
        {"rules": 300, **LONG, "classes": ("mirrored 10-60", "repeated 10-60", "periodic 10-60")},
    ],
)
def test_no_string_of_a_strict_pool_occurs_twice(params: dict[str, Any]) -> None:
    rules = rules_of(Rewrite(**params), 8_000)
    sides = [side for rule in rules for side in rule]
    assert len(set(sides)) == 2 * len(rules)


def test_sources_have_their_own_part_of_a_pool() -> None:
    for params in ({}, {"classes": ("repeated 2-20", "free")}, {"alphabet": "ab", "strict": False}):
        short = {"min_lhs": 6, "max_lhs": 6} if "alphabet" in params else {}
        short |= {"min_rhs": 6, "max_rhs": 6} if short else {}
        whole = rules_of(Rewrite(rules=20, **params, **short), 1_000)
        part = rules_of(Rewrite(rules=8, first_rule=12, **params, **short), 1_000)
        assert part == whole[12:]
        assert len(set(whole)) == 20
        other = rules_of(Rewrite(rules=20, pool=1, **params, **short), 1_000)
        assert set(other) - set(whole)


def test_a_pool_is_the_same_in_every_stream_and_a_cipher_renames_its_letters() -> None:
    rewrite, again = Rewrite(rules=5), Rewrite(rules=5, cipher=9)
    other = rewrite.draw(Rows.span(STREAM + 1, 0, 400))
    rules = {problem(p)[:2] for p in rewrite.render(other, BARE).prompts.to_pylist()}
    assert rules == set(rules_of(rewrite, 400))
    texts = [told(each).prompts.to_pylist() for each in (rewrite, again)]
    for plain, secret in zip(*texts, strict=True):
        letters = dict(zip(plain, secret, strict=True))
        assert "".join(letters[char] for char in plain) == secret
        assert len(set(letters.values())) == len(letters)
        assert plain != secret


def test_all_pairs_of_different_strings_are_rules() -> None:
    sizes = {"min_lhs": 2, "max_lhs": 2, "min_rhs": 2, "max_rhs": 2}
    rules = rules_of(Rewrite(alphabet="ab", strict=False, rules=12, **sizes), 1_000)
    strings_ = [a + b for a in "ab" for b in "ab"]
    assert sorted(rules) == sorted((x, y) for x in strings_ for y in strings_ if x != y)


@pytest.mark.parametrize(
    ("possible", "params"),
    [
        (13, {**LONG, "classes": ("repeated 60",)}),
        (650, {**LONG, "classes": ("repeated 60",), "strict": False}),
        (325, {**LONG, "classes": ("mirrored 30",)}),
        (0, {**LONG, "classes": ("periodic 60",)}),
        (4, {"alphabet": "abc", "min_lhs": 2, "max_lhs": 2, "min_rhs": 2, "max_rhs": 2}),
        (27, {"alphabet": "abc", "min_lhs": 3, "max_lhs": 3, "min_rhs": 0, "max_rhs": 0}),
    ],
)
def test_more_rules_than_there_are_is_refused(possible: int, params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match=rf"at most {possible}: the pool has {possible} rules"):
        Rewrite(rules=possible + 1, **params)
    if possible > 3:
        assert Rewrite(rules=possible, **params).rules == possible
        with pytest.raises(ParamError, match=rf"rules={possible}: expected at most {possible - 3}"):
            Rewrite(rules=possible, first_rule=3, **params)


@pytest.mark.parametrize(
    "params",
    [
        {"alphabet": "a"},
        {"alphabet": "aA"},
        {"min_input": 0},
        {"min_input": 51},
        {"max_lhs": 51, "min_lhs": 1},
        {"max_lhs": 50, "min_rhs": 0},
        {"min_lhs": 0},
        {"occurrences": (3,)},
        {"occurrences": (0,)},
        {"occurrences": ()},
        {"occurrences": (1, 1)},
        {"rules": 0},
        {"first_rule": -1},
        {"classes": ()},
        {"classes": ("repeated",)},
        {"classes": ("repeated 3",)},
        {"classes": ("repeated 4-2",)},
        {"classes": ("any", "free")},
        {"classes": ("free",), "class_weights": (1.0, 2.0)},
        {"classes": ("free",), "class_weights": (0.0,)},
        {"p_noop": 1.5},
        {"hard_negatives": -0.1},
        {"negatives": ()},
        {"negatives": ("random",)},
        {"allocation": "zipf"},
        {"allocation": "even", "rows": 5000},
        {"allocation": "geometric", "rows": 5000, "exponent": 1.5},
        {"exponent": 0.0},
        {"rows": 5000, "min_per_rule": 6},
        {"strict": 1},
        {"cipher": -1},
    ],
    ids=str,
)
def test_impossible_params_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ParamError):
        Rewrite(**params)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("exponent", [0.03, 0.5, 1.0])
@settings(max_examples=20)
@given(n=st.integers(1, 300), total=st.integers(0, 5_000), least=st.integers(0, 3))
def test_allocations_sum_up(kind: str, exponent: float, n: int, total: int, least: int) -> None:
    weights = rule_weights(kind, exponent, n, 3)
    if total < n * least:
        with pytest.raises(ParamError, match=f"at most {total // n}"):
            apportion(weights, total, least)
        return
    counts = apportion(weights, total, least)
    assert counts.sum() == total
    assert counts.min() >= least
    shares = weights / weights.sum() * (total - n * least)
    assert (np.abs(counts - least - shares) <= 1 + 1e-6).all()


TAILS = {
    1_000: {100: (994, 941, 818, 552, 378, 283, 155)},
    10_000: {
        100: (5_528, 4_988, 4_246, 3_015, 2_158, 1_693, 1_061),
        1: (10_000, 9_955, 9_426, 7_189, 5_018, 3_934, 2_161),
    },
}
"""Rules that have so many of a million rows, in a simulation of its own, for these exponents."""
EXPONENTS = (2, 1, 0.5, 0.2, 0.1, 0.07, 0.03)


@pytest.mark.parametrize("n", TAILS)
def test_power_law_tables(n: int) -> None:
    for place, exponent in enumerate(EXPONENTS):
        tail = allocate("power_weights", exponent, n, 0, 1_000_000, 0)
        weights = rule_weights("power_weights", exponent, n, 0)
        whole = np.floor(weights / weights.sum() * 1_000_000)  # as the table has it
        for least, expected in TAILS[n].items():
            near = pytest.approx(expected[place], abs=1.5 * n**0.5)
            assert np.count_nonzero(whole >= least) == near
            assert least == 1 or tail.rules_with(least) == near
        assert tail.counts.sum() == 1_000_000
    even = allocate("uniform", 1.0, n, 0, 1_000_000, 0).evenness
    assert (even.gini, even.effective) == (0, pytest.approx(n))
    index = allocate("power_index", 1.0, n, 0, 1_000_000, 0)
    assert set(index.counts.tolist()) == {1_000_000 // n}
    by_rank = allocate("zipf", 1.0, n, 0, 1_000_000, 0)
    assert by_rank.ranks.tolist() == list(range(1, n + 1))
    halves = allocate("geometric", 0.5, 3, 0, 700, 0)
    assert halves.counts.tolist() == [400, 200, 100]


@pytest.mark.parametrize("kind", KINDS)
def test_a_finite_source_has_each_rule_as_often_as_allocated(kind: str) -> None:
    params = {"rules": 40, "rows": 3_000, "allocation": kind, "exponent": 0.7, "min_per_rule": 2}
    rewrite = Rewrite(**params, p_noop=0.1, first_rule=100)
    problems = drawn(rewrite, 3_500)
    assert problems.valid.sum() == rewrite.space == 3_000
    assert rewrite.fewest_problems == 40
    rules = problems.axes["rule"][problems.valid] - 100
    counts = allocate(kind, 0.7, 40, 0, 3_000, 2).counts
    assert np.array_equal(np.bincount(rules), counts)
    absent = problems.axes["op_type"][problems.valid] == 0
    assert absent.sum() == 300
    assert (np.abs(np.bincount(rules[absent], minlength=40) - 0.1 * counts) <= 1).all()
    ranks = problems.axes["rank"][problems.valid]
    by_rank = {int(rank): counts[rule] for rank, rule in zip(ranks, rules, strict=True)}
    assert sorted(by_rank) == list(range(1, 41))
    assert [by_rank[r] for r in range(1, 41)] == sorted(counts, reverse=True)


@pytest.mark.parametrize(
    ("kind", "exponent", "n", "total"),
    [("geometric", 0.9, 500, 1_000), ("zipf", 2.0, 90, 70), ("uniform", 1.0, 7, 30)],
)
def test_rows_are_dealt_in_the_order_of_a_permutation(
    kind: str, exponent: float, n: int, total: int
) -> None:
    allocation = allocate(kind, exponent, n, 0, total, 0)
    addresses, table = np.arange(3 * total, dtype=np.uint64), permutation_table(3, total)
    rules, absent = deal_rules(addresses, table, allocation.ends, allocation.starts, 300_000)
    places = permute(addresses % np.uint64(total), table).astype(np.int64)
    assert np.array_equal(rules, np.repeat(np.arange(n), allocation.counts)[places])
    assert absent.tolist() == [(p + 1) * 3 // 10 > p * 3 // 10 for p in places.tolist()]


def test_hashes_of_sides_are_those_of_their_texts() -> None:
    """Equal strings have equal hashes, on either side and in sources with other parameters."""
    seen: dict[str, int] = {}
    for rewrite in (KINDS_OF_ROWS[1], Rewrite(alphabet="abc", **SMALL, rules=5, pool=3)):
        axes = drawn(rewrite).axes
        for i, text in enumerate(told(rewrite).prompts.to_pylist()):
            for side, name in zip(problem(text)[:2], ("lhs", "rhs"), strict=True):
                assert seen.setdefault(side, int(axes[name][i])) == axes[name][i]
    assert len(set(seen.values())) == len(seen)


def test_instructions_hold_the_problem_in_backticks() -> None:
    texts = told(KINDS_OF_ROWS[1], "instruction", "steps")
    assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
    assert len(set(texts.templates.to_pylist())) == 6
    bare_texts = told(KINDS_OF_ROWS[1]).prompts.to_pylist()
    for bare, text in zip(bare_texts, texts.prompts.to_pylist(), strict=True):
        assert text.endswith(f"\n\n`{bare}`")
        assert "empty string" in text
    plain = told(Rewrite(), "instruction").prompts.to_pylist()
    assert not any("empty string" in text for text in plain)


@settings(max_examples=60, deadline=None)
@given(st.text("ab", min_size=1, max_size=8), st.text("ab", min_size=1, max_size=30))
def test_kinds_of_strings_without_the_left_side(lhs: str, string: str) -> None:
    if lhs in string or len(lhs) > len(string):
        return
    letters = [np.frombuffer(text.encode(), np.uint8) for text in (string, lhs)]
    kind = nearest_kind(letters[0], len(string), letters[1])
    assert Rewrite().axes["noop_kind"].values[kind] == like(lhs, string)
