"""String rewriting: every column from the text, pools, allocations, refused params."""

import re
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.contract.interfaces import Generator, Problems, Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.bounded import bounded
from tests.families.verdicts import Verdicts, strings

STREAM = stream_key(7, "rewrite", "rewrite")
CLASSES = ("repeated", "periodic", "mirrored")
LONG = {f"{end}_{side}": 60 for end in ("min", "max") for side in ("lhs", "rhs")}
LONG |= {"min_input": 500, "max_input": 500}
SMALL = {"min_lhs": 1, "max_lhs": 3, "min_rhs": 0, "max_rhs": 3, "min_input": 9, "max_input": 20}
KINDS_OF_ROWS: tuple[dict[str, Any], ...] = (
    {"p_noop": 0.3, "hard_negatives": 0.6},
    {
        "alphabet": "ab",
        **SMALL,
        "rules": 40,
        "strict": False,
        "p_noop": 0.4,
        "hard_negatives": 0.8,
    },
    {"alphabet": "xyz", **SMALL, "rules": 9, "occurrences": (1, 2, 3), "p_noop": 0.2},
    {
        "alphabet": "ab",
        "min_lhs": 5,
        "max_lhs": 5,
        "rules": 16,
        "strict": False,
        "occurrences": (10, 2),
    },
    {**LONG, "classes": ("repeated 2-60", "mirrored 2-60", "periodic 2-60", "free"), "rules": 300},
    {**LONG, "classes": ("repeated 60",), "rules": 13, "p_noop": 0.5, "hard_negatives": 1.0},
    {"rows": 400, "rules": 20, "p_noop": 0.25, "allocation": "zipf", "cipher": 5},
)


def family(**params: Any) -> Generator:
    return generator_class("rewrite")(**params)


@lru_cache(maxsize=32)
def drawn(rewrite: Generator, n: int = 400) -> Problems:
    return rewrite.draw(Rows.span(STREAM, 0, n))


@lru_cache(maxsize=32)
def prompts(rewrite: Generator, n: int = 400) -> list[str]:
    texts = rewrite.render(drawn(rewrite, n), Render("bare", "none"))
    found: list[str] = texts.prompts.to_pylist()
    return found


def parts(prompt: str) -> tuple[str, str, str]:
    """The sides and the string of a bare prompt."""
    rule, string = prompt.split(" | ")
    lhs, rhs = rule.split(" > ")
    return lhs, "" if rhs == "_" else rhs, string


def rules_of(rewrite: Generator, n: int, first: int = 0) -> list[tuple[str, str]]:
    """Rules by number, as the texts of many rows show them."""
    numbers = drawn(rewrite, n).axes["rule"].tolist()
    found = {
        number: parts(text)[:2] for number, text in zip(numbers, prompts(rewrite, n), strict=True)
    }
    assert sorted(found) == list(range(first, first + len(found))), "too few rows"
    return [found[number] for number in sorted(found)]


def structured(base: str, kind: str, k: int) -> str:
    if kind == "repeated":
        return "".join(letter * k for letter in base)
    return "".join(base if kind == "periodic" or i % 2 == 0 else base[::-1] for i in range(k))


def fitting(text: str, kind: str) -> set[int]:
    """All k with which a string is of a class."""
    divisors = [k for k in range(1, len(text) + 1) if len(text) % k == 0]
    bases = {k: text[::k] if kind == "repeated" else text[: len(text) // k] for k in divisors}
    return {k for k in divisors if structured(bases[k], kind, k) == text}


def like(lhs: str, string: str) -> str:
    """What a string without `lhs` contains that resembles it."""
    windows = [string[i : i + len(lhs)] for i in range(len(string) - len(lhs) + 1)]
    if any(sum(a != b for a, b in zip(lhs, window, strict=True)) == 1 for window in windows):
        return "changed"
    if len(lhs) > 1 and lhs[: (len(lhs) + 1) // 2] in string:
        return "prefix"
    return "reversed" if lhs[::-1] in string else "random"


def in_threes(text: str) -> str:
    """A string in a derivation."""
    leaves = [text[i : i + 3] for i in range(0, len(text), 3)]
    return f"(string{len(text)} {' '.join(leaves)})" if text else "string0"


@pytest.mark.parametrize("params", [{}, *KINDS_OF_ROWS], ids=range(1 + len(KINDS_OF_ROWS)))
def test_contract(params: dict[str, Any]) -> None:
    check_family("rewrite", params, rows=500)


def test_published_classes() -> None:
    examples = {
        ("repeated", 3): "aaabbbccc",
        ("periodic", 2): "abcabc",
        ("mirrored", 3): "abccbaabc",
    }
    for (kind, k), text in examples.items():
        assert structured("abc", kind, k) == text
        size = len(text)
        sizes = {"min_lhs": size, "max_lhs": size, "min_rhs": size, "max_rhs": size}
        rules = rules_of(family(classes=(f"{kind} {k}",), rules=20, **sizes), 600)
        for side in (side for rule in rules for side in rule):
            largest = {each: max(fitting(side, each)) for each in CLASSES}
            assert largest[kind] == k == max(largest.values())
            assert all(largest[each] < k for each in CLASSES[: CLASSES.index(kind)])


@pytest.mark.parametrize("params", KINDS_OF_ROWS, ids=range(len(KINDS_OF_ROWS)))
def test_every_column_follows_from_the_text(params: dict[str, Any]) -> None:
    rewrite = family(**params)
    problems = drawn(rewrite)
    assert problems.valid.all()
    trees = derivation_text(problems.derivations, rewrite.signature).to_pylist()
    for i, (prompt, tree) in enumerate(zip(prompts(rewrite), trees, strict=True)):
        lhs, rhs, string = parts(prompt)
        sides = [in_threes(text) for text in (lhs, rhs, string)]
        assert tree == f"(rewrite (rule {sides[0]} {sides[1]}) {sides[2]})"
        row = {name: int(column[i]) for name, column in problems.axes.items()}
        changed, position = lhs in string, string.find(lhs)
        places = len(string) - len(lhs) + 1
        assert row["op_type"] == changed
        assert row["match_position"] == position
        assert row["match_bin"] == (10 * position // places if changed else -1)
        assert row["occ_overlap"] == len(re.findall(f"(?={lhs})", string))
        assert row["occ_nonoverlap"] == string.count(lhs)
        assert not changed or string.count(lhs) in params.get("occurrences", (1,))
        lengths = (row["lhs_length"], row["rhs_length"], row["input_length"])
        assert lengths == (len(lhs), len(rhs), len(string))
        kind = rewrite.axes["noop_kind"].values[row["noop_kind"]]
        assert kind == ("none" if changed else like(lhs, string))
        ks = {each: max(fitting(lhs, each) & fitting(rhs or lhs, each)) for each in CLASSES}
        assert ks == {each: row[f"{each}_k"] for each in ks}
        assert row["class_k"] == max(ks.values())
        name = rewrite.axes["rule_class"].values[row["rule_class"]]
        assert name == (max(ks, key=lambda each: ks[each]) if max(ks.values()) > 1 else "free")


def test_shares_of_no_ops_and_of_what_is_like_the_left_side() -> None:
    kinds = Counter(drawn(family(**KINDS_OF_ROWS[0]), 20_000).axes["noop_kind"].tolist())
    assert kinds[0] == pytest.approx(14_000, abs=300)
    assert kinds[1] == pytest.approx(2_400, abs=200)
    assert all(kinds[kind] == pytest.approx(1_200, abs=200) for kind in (2, 3, 4))


def test_matches_and_letters_are_uniform() -> None:
    positions = Counter(drawn(family(), 20_000).axes["match_position"].tolist())
    assert set(positions) == set(range(31))
    assert min(positions.values()) > 500
    letters = Counter("".join(parts(prompt)[2] for prompt in prompts(family(), 5_000)))
    assert len(letters) == 26
    assert np.allclose(np.array(list(letters.values())) / letters.total(), 1 / 26, atol=0.003)
    sizes = dict.fromkeys(("min_lhs", "max_lhs", "min_rhs", "max_rhs", "rules"), 1)
    sizes |= {"min_input": 5, "max_input": 5}
    twice = family(alphabet="ab", occurrences=(2,), **sizes)
    ways = Counter(parts(prompt)[2] for prompt in prompts(twice, 5_000))
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
    rules = rules_of(family(**params), 8_000)
    assert len(rules) == params["rules"]
    assert len({side for rule in rules for side in rule}) == 2 * len(rules)


SHORT = {"alphabet": "ab", "min_lhs": 6, "max_lhs": 6, "min_rhs": 6, "max_rhs": 6}


@pytest.mark.parametrize("params", [{}, {"classes": ("repeated 2-20", "free")}, SHORT])
def test_sources_have_their_own_part_of_a_pool(params: dict[str, Any]) -> None:
    strict = params is not SHORT
    whole = rules_of(family(rules=20, strict=strict, **params), 1_000)
    part = rules_of(family(rules=8, first_rule=12, strict=strict, **params), 1_000, 12)
    assert part == whole[12:]
    assert len(set(whole)) == 20
    assert set(rules_of(family(rules=20, pool=1, strict=strict, **params), 1_000)) - set(whole)


def test_a_pool_is_the_same_in_every_stream_and_a_cipher_renames_its_letters() -> None:
    rewrite = family(rules=5)
    other = rewrite.draw(Rows.span(STREAM + 1, 0, 400))
    texts = rewrite.render(other, Render("bare", "none")).prompts.to_pylist()
    assert {parts(text)[:2] for text in texts} == set(rules_of(rewrite, 400))
    pairs = zip(prompts(rewrite), prompts(family(rules=5, cipher=9)), strict=True)
    for plain, secret in pairs:
        letters = dict(zip(plain, secret, strict=True))
        assert "".join(letters[char] for char in plain) == secret != plain
        assert len(set(letters.values())) == len(letters)


def test_all_pairs_of_different_strings_are_rules() -> None:
    sizes = {"min_lhs": 2, "max_lhs": 2, "min_rhs": 2, "max_rhs": 2}
    rules = rules_of(family(alphabet="ab", strict=False, rules=12, **sizes), 1_000)
    strings = [a + b for a in "ab" for b in "ab"]
    assert sorted(rules) == sorted((x, y) for x in strings for y in strings if x != y)


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
def test_more_rules_than_a_pool_has_are_refused(possible: int, params: dict[str, Any]) -> None:
    with pytest.raises(ParamError, match=rf"at most {possible}: the pool has {possible} rules"):
        family(rules=possible + 1, **params)
    if possible > 3:
        family(rules=possible, **params)
        with pytest.raises(ParamError, match=rf"rules={possible}: expected at most {possible - 3}"):
            family(rules=possible, first_rule=3, **params)


@pytest.mark.parametrize(
    "params",
    [
        *({"alphabet": "a"}, {"alphabet": "aA"}, {"min_input": 0}, {"min_input": 51}),
        *({"max_lhs": 51, "min_lhs": 1}, {"max_lhs": 50, "min_rhs": 0}, {"min_lhs": 0}),
        *({"occurrences": (3,)}, {"occurrences": (0,)}, {"occurrences": ()}),
        *({"occurrences": (1, 1)}, {"rules": 0}, {"first_rule": -1}, {"classes": ()}),
        *({"classes": (text,)} for text in ("repeated", "repeated 3", "repeated 4-2")),
        *({"classes": ("any", "free")}, {"classes": ("free",), "class_weights": (1.0, 2.0)}),
        *({"classes": ("free",), "class_weights": (0.0,)}, {"p_noop": 1.5}, {"strict": 1}),
        *({"hard_negatives": -0.1}, {"negatives": ()}, {"negatives": ("random",)}, {"cipher": -1}),
        *({"allocation": "zipf"}, {"allocation": "even", "rows": 5000}, {"exponent": 0.0}),
        {"allocation": "geometric", "rows": 5000, "exponent": 1.5},
        {"rows": 5000, "min_per_rule": 6},
    ],
    ids=str,
)
def test_impossible_params_are_refused(params: dict[str, Any]) -> None:
    with pytest.raises(ParamError):
        family(**params)


WEIGHTS = {
    "uniform": lambda i, n, a: 1,
    "power_index": lambda i, n, a: (i / n) ** a - ((i - 1) / n) ** a,
    "zipf": lambda i, n, a: i**-a,
    "geometric": lambda i, n, a: a**i,
}


@pytest.mark.parametrize("kind", [*WEIGHTS, "power_weights"])
def test_a_finite_source_has_each_rule_as_often_as_allocated(kind: str) -> None:
    params = {"rules": 40, "rows": 3_000, "allocation": kind, "exponent": 0.7, "min_per_rule": 2}
    rewrite = family(**params, p_noop=0.1, first_rule=100)
    problems = drawn(rewrite, 3_500)
    assert problems.valid.sum() == rewrite.space == 3_000
    assert rewrite.fewest_problems == 40
    rules = problems.axes["rule"][problems.valid] - 100
    counts = np.bincount(rules, minlength=40)
    assert counts.min() >= 2
    if kind in WEIGHTS:
        weights = np.array([WEIGHTS[kind](i, 40, 0.7) for i in range(1, 41)])
        shares = 2 + weights / weights.sum() * (3_000 - 80)
        assert (np.abs(counts - shares) < 1).all()
    absent = problems.axes["op_type"][problems.valid] == 0
    assert absent.sum() == 300
    assert (np.abs(np.bincount(rules[absent], minlength=40) - 0.1 * counts) <= 1).all()
    ranks = problems.axes["rank"][problems.valid]
    by_rank = {int(rank): counts[rule] for rank, rule in zip(ranks, rules, strict=True)}
    assert [by_rank[rank] for rank in range(1, 41)] == sorted(counts, reverse=True)


def test_the_first_rows_of_a_source_have_each_rule_equally_often() -> None:
    """So that `--scale` keeps the examples of a rule exact."""
    source = family(rules=40, rows=4_000, p_noop=0.1)
    for n in (40, 400, 1_200, 4_000):
        axes = drawn(source, n).axes
        assert (np.bincount(axes["rule"], minlength=40) == n // 40).all()
        absent = np.bincount(axes["rule"][axes["op_type"] == 0], minlength=40)
        assert (np.abs(absent - n / 400) <= 1).all()
        assert abs(absent.sum() - n / 10) <= n / 40


TAILS = {
    1_000: (994, 941, 818, 552, 378, 283, 155),
    10_000: (5_528, 4_988, 4_246, 3_015, 2_158, 1_693, 1_061),
}
"""Rules with at least a ten-thousandth of the rows, in an independent simulation."""


@pytest.mark.parametrize("n", TAILS)
def test_power_law_tables(n: int) -> None:
    for exponent, expected in zip((2, 1, 0.5, 0.2, 0.1, 0.07, 0.03), TAILS[n], strict=True):
        params = {"rules": n, "rows": 100_000, "allocation": "power_weights", "exponent": exponent}
        counts = np.bincount(drawn(family(**params), 100_000).axes["rule"], minlength=n)
        assert counts.sum() == 100_000
        # Between these lie the rules that remainders have brought to ten.
        low, high = np.count_nonzero(counts >= 11), np.count_nonzero(counts >= 10)
        assert low - 2 * n**0.5 <= expected <= high + 2 * n**0.5


def test_hashes_of_sides_are_those_of_their_texts() -> None:
    """Equal strings have equal hashes, on either side and in sources with other parameters."""
    seen: dict[str, int] = {}
    for params in (KINDS_OF_ROWS[1], {"alphabet": "abc", **SMALL, "rules": 5, "pool": 3}):
        axes = drawn(family(**params)).axes
        for i, prompt in enumerate(prompts(family(**params))):
            for side, name in zip(parts(prompt)[:2], ("lhs", "rhs"), strict=True):
                assert seen.setdefault(side, int(axes[name][i])) == axes[name][i]
    assert len(set(seen.values())) == len(seen)


def test_instructions_end_with_the_problem_in_backticks() -> None:
    for params, mentions_empty in ((KINDS_OF_ROWS[1], True), ({}, False)):
        rewrite = family(**params)
        texts = rewrite.render(drawn(rewrite), Render("instruction", "none"))
        assert len(set(texts.templates.to_pylist())) == 6
        for bare, text in zip(prompts(rewrite), texts.prompts.to_pylist(), strict=True):
            assert text.endswith(f"\n\n`{bare}`")
            assert ("empty string" in text) == mentions_empty


VERDICTS = Verdicts("rewrite")
accepts = VERDICTS.accepts
WORKED = {
    "aa > bac | caaba": ("cbacba", "1: c[aa]ba\nc[bac]ba"),
    "iss > art | mississippi": ("martissippi", "1: m[iss]issippi\nm[art]issippi"),
    "iss > art | canada": ("canada", "none"),
    "aa > b | aaaa": ("baa", "0: [aa]aa\n[b]aa"),
    "abab > c | abaabababab": ("abacabab", "3: aba[abab]abab\naba[c]abab"),
    "a > _ | bab": ("bb", "1: b[a]b\nb[]b"),
    "ab > _ | ab": ("", "0: [ab]\n[]"),
    "z > a | " + "y" * 12 + "z": ("y" * 12 + "a", f"12: {'y' * 12}[z]\n{'y' * 12}[a]"),
    "abc > x | ab": ("ab", "none"),
    "x > x | x": ("x", "0: [x]\n[x]"),
}
MALFORMED = [
    *("", " ", "`", "a", "a > b", "a > b |", "a > b | ", " > b | a", "a >  | a", "a > b c | a"),
    *("a > b | a ", " a > b | a", "a > b  | a", "a  > b | a", "a >b | a", "a> b | a", "a > b| a"),
    *("a > b |a", "A > b | a", "a > B | a", "a > b | A", "_ > b | a", "a > b | _", "a > __ | a"),
    *("a > _b | a", "a > b_ | a", "a > b | a\n", "a\t> b | a", "a > b | a | a", "a > b > c | a"),
    *("a > b | á", "a > b | a\x00", "1 > b | a", "a < b | a", "a - b | a", "a > b / a"),
    "{ > b | a",
]


@pytest.mark.parametrize("prompt", WORKED)
def test_worked_examples(prompt: str) -> None:
    right, steps = WORKED[prompt]
    for text in (prompt, f"Some `rules`.\n\n`{prompt}`", f"`{prompt}` is it"):
        assert accepts(text, right)
        assert accepts(text, right, steps)
    wrong = {right + "a", right + " ", " " + right, right.upper() + "A", right + "\n", right + "_"}
    wrong |= {right[:i] + "q" + right[i + 1 :] for i in range(len(right))}
    wrong |= {right[:i] + right[i + 1 :] for i in range(len(right))}
    for answer in wrong:
        assert not accepts(prompt, answer), answer
    changed = {steps[:i] + end + steps[i + 1 :] for i in range(len(steps)) for end in ("", "~")}
    changed |= {"", "none", f"0{steps}", f" {steps}", steps + "\n", f"{steps}\n{steps}"}
    for text in changed - {steps}:
        assert not accepts(prompt, right, text), text


def test_further_occurrences_are_not_replaced() -> None:
    assert not accepts("aa > b | aaaa", "bb")
    assert not accepts("aa > b | aaaa", "aab")
    assert not accepts("aa > b | aaaa", "baa", "2: aa[aa]\naa[b]")
    assert not accepts("aa > b | caacaa", "cbcaa", "4: caac[aa]\ncaac[b]")


@pytest.mark.parametrize("prompt", MALFORMED)
def test_malformed_problems_have_no_right_answer(prompt: str) -> None:
    for answer in ("", " ", "a", "b", "_", "None", "none", prompt):
        assert not accepts(prompt, answer)
        assert not accepts(f"`{prompt}`", answer)
        assert not accepts(prompt, answer, "none")


@settings(max_examples=200, deadline=None)
@given(st.text("ab", min_size=7, max_size=18), st.lists(st.integers(1, 18), min_size=1, max_size=8))
def test_long_left_sides_are_found_behind_parts_of_them(lhs: str, cuts: list[int]) -> None:
    string = "".join(lhs[:cut] for cut in cuts)
    prompt = f"{lhs} > c | {string}"
    assert accepts(prompt, string.replace(lhs, "c", 1))
    assert accepts(prompt, string) == (lhs not in string)


def test_long_and_repetitive_text_takes_linear_time() -> None:
    half = "a" * 12_000
    prompts = strings(f"{half}b > c | {half}{half}", f"{half} > _ | {half}b", "`" * 40_000)
    answers = strings(half + half, "b", "")
    with bounded(10.0):
        assert VERDICTS.verifier.check(prompts, answers, answers).tolist() == [False, False, False]
        assert VERDICTS.verifier.check(prompts, answers, None).tolist() == [True, True, False]
