"""Tiles with letters: contracts, answers by hand and by brute force, lists of tiles, solutions."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.families.verdicts import accepts, answer, check_every_line_counts

FILLING, MATCHING, WORD = (
    *("combinatory_distribution", "combinatory_pattern_matching", "trans_prob_letter"),
)
UNFIXED, UNKEPT, EXACTLY, AT_MIN = SHUFFLES = (
    "combinatory_probability_no_fixed_points",
    "combinatory_probability_no_specific_letter_fixed",
    "combinatory_probability_exactly_n_specific_fixed",
    "combinatory_probability_at_least_n_specific_fixed",
)
NAMES = (FILLING, MATCHING, *SHUFFLES, WORD)
SUM = "If the probability is P/Q in lowest terms, what is P + Q? Give an integer."
ROUND = (
    "Here '.' means any one letter, '*' means zero or more occurrences of the preceding symbol, and"
    " '+' means one or more. Give the answer to two decimal places, trailing zeros included."
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("levels", [(1, 2, 3), (4, 5), (6, 7)])
def test_contract(name: str, levels: tuple[int, ...]) -> None:
    known = generator_class(name).n_levels  # type: ignore[attr-defined]
    levels = tuple(level for level in levels if level <= known) or (known,)
    check_family(name, {"levels": levels, "repeats": 50}, rows=150)


@pytest.mark.parametrize("name", [name for name in NAMES if name != WORD])
def test_contract_with_a_spread(name: str) -> None:
    check_family(name, {"levels": (1, 2), "repeats": 50, "spread": 1}, rows=150)


def test_contract_of_the_highest_level_of_distribution() -> None:
    check_family(FILLING, {"levels": (8,)}, rows=100)


# --- worked examples ---


def posed(name: str, kind: str = "", wording: int = 0, **holes: object) -> str:
    """Fill a wording of a family."""
    words = generator_class(name).words  # type: ignore[attr-defined]
    holes.setdefault("ending", ROUND if name == MATCHING else SUM)
    text: str = words.wordings("instruction", kind)[wording]
    return re.sub(r"\{([a-z]+)\}", lambda match: str(holes[match[1]]), text)


SIX = "1 tile marked 'a', 2 tiles marked 'b' and 3 tiles marked 'c'"
EVEN = "2 copies of 'a', 2 copies of 'b' and 2 copies of 'c'"


def filling(kind: str, tiles: str, boxes: int, sizes: str, wording: int = 0) -> str:
    return posed(FILLING, kind, wording, tiles=tiles, boxes=boxes, sizes=sizes)


def matching(tiles: str, n: int, pattern: str, wording: int = 0) -> str:
    return posed(MATCHING, "", wording, tiles=tiles, n=n, pattern=pattern)


def shuffled(name: str, tiles: str = SIX, n: int = 3, wording: int = 0, **more: object) -> str:
    return posed(name, "", wording, tiles=tiles, n=n, **more)


@pytest.mark.parametrize(
    ("name", "prompt", "wanted"),
    [
        (FILLING, filling("alike", "2 × 'a' and 2 × 'b'", 2, "2 and 2"), "2"),  # aa|bb, ab|ab
        (FILLING, filling("labelled", "2 × 'a' and 2 × 'b'", 2, "2 and 2"), "3"),
        (FILLING, filling("labelled", SIX, 3, "2, 2 and 2", 3), "15"),
        (FILLING, filling("alike", "a, b, a, c, c, c", 3, "2, 2 and 2", 2), "3"),
        (
            FILLING,
            filling("alike", "'a' (1 copy), 'b' (1 copy) and 'c' (2 copies)", 2, "3 and 1"),
            "3",
        ),
        (
            FILLING,
            filling("labelled", ", ".join("aaabbbcccddee"), 5, "2, 3, 3, 2 and 3", 4),
            "34392",
        ),
        (MATCHING, matching("2 × 'p' and 2 × 'q'", 2, "pq+"), "0.33"),  # 2/4 * 2/3
        (MATCHING, matching(EVEN, 3, "a.*b", 1), "0.40"),
        (MATCHING, matching(EVEN, 3, "a.*a", 2), "0.20"),
        (MATCHING, matching(EVEN, 2, "a*b", 3), "0.80"),
        (MATCHING, matching(EVEN, 2, "ab*", 4), "0.80"),
        (MATCHING, matching(EVEN, 2, "a+b"), "0.13"),
        (MATCHING, matching("1 × 'a' and 3 × 'b'", 2, "b.*b"), "0.50"),
        # 3 different letters: 6 of 20 sets of tiles, 2 of 6 shuffles
        (UNFIXED, shuffled(UNFIXED), "11"),
        (UNFIXED, shuffled(UNFIXED, "c, a, b, c, b, c, a, b", 4, 4), "8"),
        (UNFIXED, shuffled(UNFIXED, "2 × 'a', 1 × 'b' and 1 × 'c'", 2, 1), "17"),
        (UNKEPT, shuffled(UNKEPT, s="b"), "8"),
        (UNKEPT, shuffled(UNKEPT, s="c", wording=3), "27"),
        # one tile of four, two drawn: half of the sets have it, and half of the shuffles keep it
        (UNKEPT, shuffled(UNKEPT, "2 × 'a', 1 × 'b' and 1 × 'c'", 2, 2, s="b"), "7"),
        (EXACTLY, shuffled(EXACTLY, s="c", j=1), "29"),
        (EXACTLY, shuffled(EXACTLY, s="b", j=2, wording=4), "16"),
        (AT_MIN, shuffled(AT_MIN, s="c", j=1), "33"),
        (AT_MIN, shuffled(AT_MIN, s="c", j=2, wording=2), "6"),
        (WORD, posed(WORD, "none", n=10), "61281"),
        (WORD, posed(WORD, "none", 1, n=2), "3"),
        (WORD, posed(WORD, "some", 2, n=4, s=2), "19"),  # 1 - 2/4 + 1/12 = 7/12
        (WORD, posed(WORD, "exactly", 3, n=4, s=2), "5"),  # 6 of 24
        (WORD, posed(WORD, "twice", 1, n=4), "5"),  # 6 of 24 are cycles of four
        (WORD, posed(WORD, "repeated", tiles="2 tiles marked 'a' and 2 tiles marked 'b'"), "7"),
    ],
)
def test_examples_by_hand(name: str, prompt: str, wanted: str) -> None:
    assert answer(name, prompt) == wanted
    assert accepts(name, prompt, wanted)
    for wrong in ("", f"{wanted}0", f"-{wanted}", f"0{wanted}", f"+{wanted}", f"{wanted}/1"):
        assert not accepts(name, prompt, wrong)


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        *(
            (FILLING, filling("alike", SIX, *boxes))
            for boxes in ((2, "2, 2 and 2"), (2, "3 and 4"))
        ),
        (FILLING, filling("alike", "a, b, c, d, e, f, g, h, i, j, m, n, p, q", 2, "7 and 7")),
        (FILLING, filling("labelled", "99 × 'a' and 1 × 'b'", 2, "50 and 50")),
        *((FILLING, filling("alike", tiles, 2, "3 and 3")) for tiles in ("6", "", "'aaabbb'")),
        *((MATCHING, matching(EVEN, 3, one)) for one in ("a.b", "aa+", "ab", "a.*d", "a*b*", "")),
        (MATCHING, matching("2 × 'a', 3 × 'b' and 11 × 'c'", 2, "a.*b")),  # 0.025 is a tie
        (MATCHING, matching(EVEN, 7, "a.*b")),
        (UNFIXED, shuffled(UNFIXED, n=9)),
        (UNFIXED, shuffled(UNFIXED, "5 × 'a' and 1 × 'b'")),  # impossible
        *((UNKEPT, shuffled(UNKEPT, s=s)) for s in ("d", "B", "", "bc")),
        *((EXACTLY, shuffled(EXACTLY, s="c", j=j)) for j in (0, 4, "01")),
        *((AT_MIN, shuffled(AT_MIN, s="c", j=j)) for j in (0, 4)),
        (UNKEPT, shuffled(UNKEPT, s="c").replace("without 'c'", "without 'b'")),
        *((WORD, posed(WORD, "none", n=n)) for n in (1, 99, "04")),
        (WORD, posed(WORD, "some", n=4, s=5)),
        (WORD, posed(WORD, "repeated", tiles="3 × 'a' and 1 × 'b'")),
    ],
)
def test_what_has_no_answer(name: str, prompt: str) -> None:
    assert answer(name, prompt) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("3 tiles are", "03 tiles are"), ("'a', 2", "'b', 2"), ("1 tile ", "1 tiles ")),
        *(("2 tiles marked", "2 tile marked"), ("3 tiles marked", "0 tiles marked")),
        *(("3 tiles marked", "30 tiles marked"), ("'b' and", "'B' and"), ("'b' and", "'b', ")),
        *(("equally likely.", "equally likely"), ("bag", "box"), ("2 tiles marked", "2 x")),
    ],
)
def test_other_statements_are_not_of_this_family(old: str, new: str) -> None:
    prompt = shuffled(UNFIXED)
    assert old in prompt
    assert answer(UNFIXED, prompt.replace(old, new)) is None


# --- every problem of the lowest levels, by brute force ---


@dataclass(frozen=True)
class Row:
    """A row with the numbers of its derivation in order."""

    symbol: str
    numbers: tuple[int, ...]
    bag: tuple[int, ...]
    prompt: str
    answer: str
    axes: dict[str, int]


def rows_of(name: str, **params: object) -> Iterator[Row]:
    generator = generator_class(name)(**params)
    problems = generator.draw(Rows.span(3, 0, min(generator.space or 0, 3_000)))
    texts = generator.render(problems, Render("instruction", "none"))
    trees = derivation_text(problems.derivations, generator.signature).to_pylist()
    columns = zip(trees, texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
    for i, (tree, prompt, gold) in enumerate(columns):
        head, *bags = re.findall(r"\((?:sizes|bag)?[^()]*", tree)
        numbers = [tuple(map(int, re.findall(r" ([0-9]+)", part))) for part in (head, *bags)]
        axes = {axis: int(values[i]) for axis, values in problems.axes.items()}
        others = sum(numbers[:-1], ())
        yield Row(head.split()[0][1:], others, numbers[-1], prompt, gold, axes)


def tiles_of(counts: tuple[int, ...]) -> str:
    return "".join(chr(ord("a") + i) * n for i, n in enumerate(counts))


@pytest.mark.parametrize("level", [1, 2])
def test_fillings_by_brute_force(level: int) -> None:
    for row in rows_of(FILLING, levels=(level,)):
        seen = set()
        for order in set(permutations(tiles_of(row.bag))):
            boxes, at = [], 0
            for size in row.numbers:
                boxes.append(tuple(sorted(order[at : at + size])))
                at += size
            seen.add(tuple(sorted(boxes)) if row.symbol == "alike" else tuple(boxes))
        assert row.answer == str(len(seen))
        assert row.axes["n_boxes"] == len(row.numbers)
        assert row.axes["n_tiles"] == sum(row.bag)


@pytest.mark.parametrize("name", SHUFFLES)
def test_axes_of_shuffles(name: str) -> None:
    for row in rows_of(name, levels=(1, 2)):
        n, special, j = (*row.numbers, 0, 0)[:3]
        assert (row.axes["n_drawn"], row.axes["n_tiles"]) == (n, sum(row.bag))
        assert (row.axes.get("n_special", 0), row.axes.get("n_kept", 0)) == (special, j)


def test_boxes_and_letters_may_change_places_if_boxes_are_labelled() -> None:
    """A filling is a table of numbers; it and its transpose have the same number of tables."""
    rows = rows_of(FILLING, levels=(3,))
    found = [(row.numbers, row.bag) for row in rows if row.symbol == "labelled"]
    assert len({frozenset(sums) for sums in found}) == len(found) == 15
    for sizes, bag in found:
        texts = [
            filling("labelled", ", ".join(tiles_of(one)), len(other), in_words(other))
            for one, other in ((bag, sizes), (sizes, bag))
        ]
        assert answer(FILLING, texts[0]) == answer(FILLING, texts[1])


def in_words(sizes: tuple[int, ...]) -> str:
    return f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}"


def test_a_pattern_and_its_mirror_image_are_one_problem() -> None:
    keys: dict[tuple[object, ...], set[str]] = {}
    for row in rows_of(MATCHING, levels=(2,), repeats=30):
        pattern = re.search(r"'([a-z])([*+]|\.\*)?([a-z])([*+]?)'", row.prompt)
        assert pattern
        a, before, b, after = (group or "" for group in pattern.groups())
        mirrored = f"'{b}{before}{a}'" if before == ".*" else f"'{b}{after}{a}{before}'"
        other = answer(MATCHING, row.prompt.replace(pattern[0], mirrored))
        assert other == row.answer
        keys.setdefault((row.symbol, row.numbers, row.bag), set()).add(before)
    assert len(keys) == 77
    assert {len(found) for (kind, *_), found in keys.items() if kind in ("plus", "star")} == {2}


# --- sizes, texts, solutions, params ---


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        (FILLING, [7, 15, 40, 187, 345, 495, 2170, 2882]),
        (MATCHING, [22, 77, 278, 402, 750, 1247, 2028]),
        (UNFIXED, [1, 3, 5, 9, 10, 220, 1410]),
        (UNKEPT, [2, 6, 12, 23, 27, 646, 4665]),
        (EXACTLY, [3, 12, 27, 50, 57, 1742, 12651]),
        (AT_MIN, [3, 12, 27, 50, 57, 1742, 12651]),
        (WORD, [31, 60, 102, 159, 152]),
    ],
)
def test_levels_list_all_their_problems(name: str, sizes: list[int]) -> None:
    kind = generator_class(name)
    listed = [kind(levels=(level,)).space for level in range(1, len(sizes) + 1)]  # type: ignore[call-arg]
    assert listed == sizes


@pytest.mark.parametrize("name", [UNFIXED, MATCHING, FILLING])
def test_tiles_are_listed_in_five_styles_with_right_plurals(name: str) -> None:
    forms = ("tiles? marked", " × '", r"\(1 copy|copies\)", "cop(?:y|ies) of", "[a-z], [a-z]")
    seen: Counter[str] = Counter()
    for row in rows_of(name, levels=(2, 3), repeats=50):
        assert not re.search(r"\b1 (?:tiles marked|copies)", row.prompt)
        assert not re.search(r"\b[2-9] (?:tile marked|copy)\b", row.prompt)
        seen.update(form for form in forms if re.search(form, row.prompt))
    assert min(seen[form] for form in forms) > 0.1 * seen.total()


def test_a_spread_reaches_other_sizes() -> None:
    rows = list(rows_of(UNFIXED, levels=(1,), spread=1))
    assert {row.axes["n_drawn"] for row in rows} == {2, 3}
    assert {row.axes["n_tiles"] for row in rows} == {3, 4, 5}
    boxes = {
        (row.axes["n_boxes"], row.axes["n_letters"])
        for row in rows_of(FILLING, levels=(2,), spread=1)
    }
    assert boxes == {(p, q) for p in (2, 3, 4) for q in (2, 3, 4)}


@pytest.mark.parametrize("name", [name for name in NAMES if name != WORD])
@pytest.mark.parametrize("spread", [-1, 5, True, "1", 0.5])
def test_other_spreads_are_refused(name: str, spread: object) -> None:
    with pytest.raises(ParamError, match=r"spread=.*an integer from 0 to [24]"):
        generator_class(name)(spread=spread)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "prompt", "gold", "lines"),
    [
        (
            MATCHING,
            matching(EVEN, 3, "a.*b"),
            "0.40",
            [
                *("positions * probability of a match, by length:", "2: 2 * 2/15 = 4/15"),
                *("3: 1 * 2/15 = 2/15", "sum: 2/5", "rounded: 0.40"),
            ],
        ),
        (
            UNFIXED,
            shuffled(UNFIXED),
            "11",
            [
                *(
                    "sets of tiles * favourable shuffles, by case:",
                    "3: 1 * 0 = 0",
                    "2+1: 13 * 0 = 0",
                ),
                *("1+1+1: 6 * 2 = 12", "all: 20 * 6 = 120", "12/120 = 1/10", "1 + 10 = 11"),
            ],
        ),
        (
            WORD,
            posed(WORD, "none", n=4),
            "11",
            [
                *("0 kept: 1 * 24 = 24", "1 kept: 4 * 6 = 24", "2 kept: 6 * 2 = 12"),
                *("3 kept: 4 * 1 = 4", "4 kept: 1 * 1 = 1", "alternating sum: 9"),
                *("favourable: 9 of 4! = 24", "9/24 = 3/8", "3 + 8 = 11"),
            ],
        ),
        (
            WORD,
            posed(WORD, "exactly", n=5, s=2),
            "7",
            [
                *("0 kept: 1 * 6 = 6", "1 kept: 3 * 2 = 6", "2 kept: 3 * 1 = 3"),
                *("3 kept: 1 * 1 = 1", "alternating sum: 2", "letters in place: 10 * 2 = 20"),
                *("favourable: 20 of 5! = 120", "20/120 = 1/6", "1 + 6 = 7"),
            ],
        ),
        (
            WORD,
            posed(WORD, "repeated", tiles="2 × 'a', 1 × 'b' and 1 × 'c'"),
            "7",
            [
                *("0 kept: 1 * 24 = 24", "1 kept: 6 * 6 = 36", "2 kept: 11 * 2 = 22"),
                *("3 kept: 8 * 1 = 8", "4 kept: 2 * 1 = 2", "alternating sum: 4"),
                *("favourable: 4 of 4! = 24", "4/24 = 1/6", "1 + 6 = 7"),
            ],
        ),
        (
            WORD,
            posed(WORD, "twice", n=5),
            "6",
            [
                "permutations without cycles of length one or two:",
                *("3 letters: 2", "4 letters: 6", "5 letters: 24"),
                *("favourable: 24 of 5! = 120", "24/120 = 1/5", "1 + 5 = 6"),
            ],
        ),
        (
            FILLING,
            filling("alike", SIX, 3, "1, 1 and 4"),
            "5",
            [
                "smallest boxes first, possible contents of one box:",
                *("2 boxes of size 1: contents 3, ways so far 5",),
                "1 box of size 4: contents 5, ways so far 5",
            ],
        ),
        (
            FILLING,
            filling("labelled", SIX, 3, "4, 1 and 1"),
            "8",
            [
                "smallest boxes first, possible contents of one box:",
                *("1 box of size 1: contents 3, ways so far 3",),
                *("1 box of size 1: contents 3, ways so far 8",),
                "1 box of size 4: contents 5, ways so far 8",
            ],
        ),
    ],
)
def test_every_line_of_a_solution_counts(
    name: str, prompt: str, gold: str, lines: list[str]
) -> None:
    check_every_line_counts(name, prompt, gold, lines)


def test_probabilities_about_one_letter_do_not_depend_on_the_others() -> None:
    found = {(row.numbers, row.bag): row.answer for row in rows_of(EXACTLY, levels=(3,))}
    assert found[(4, 4, 2), (4, 2, 2)] == found[(4, 4, 2), (4, 3, 1)]
    assert all(int(gold) >= 3 for gold in found.values())
