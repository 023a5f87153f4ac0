"""Atoms of the skill chains: worked examples by hand, words, names, and the normal form."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase

import pyarrow as pa
import pytest

from synthgen.core.contract import Render
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.core.registry import generator_class, load_verifier
from synthgen.families.skill_chain.words import ATOMS, BY_LABEL, FAMILIES

CHAIN, VERIFIER = generator_class("skill_chain"), load_verifier("skill_chain")
USUAL = [BY_LABEL[label] for label in CHAIN().axes["first_atom"].values]
ON_COMPOSE = {
    "rev": "esopmoc",
    "rotl2": "mposeco",
    "rotr3": "osecomp",
    "caesar5": "htrutxj",
    "atbash": "xlnklhv",
    "sort": "cemoops",
    "dedup": "compse",
    "rmvow": "cmps",
    "dbl": "ccoommppoossee",
    "evens": "cmoe",
    "odds": "ops",
    "swap": "ocpmsoe",
    "halves": "osecomp",
    "riffle": "coosmep",
    "mirror": "composeesopmoc",
    "drop2": "mpose",
    "vowrot": "cumpusi",
    "take3": "com",
    "half": "comp",
    "replace_ox": "cxmpxse",
    "remove_o": "cmpse",
    "insert_z2": "cozmpose",
    "insert_z9": "composez",
    "toggle_m": "copose",
    "toggle_z": "composez",
    "length": "7",
    "vowels": "3",
    "distinct": "6",
    "alphasum": "86",
    "index_o": "2",
    "index_z": "0",
    "codes": "[3, 15, 13, 16, 15, 19, 5]",
}
"""From the sheet of SKILL-MIX, section 8, and by hand."""
WORKED = {f"{label} | compose": answer for label, answer in ON_COMPOSE.items()} | {
    "letters | [1, 26, 27, 0, -1, 53]": "azazya",
    "lrev | [3, 1, 4]": "[4, 1, 3]",
    "lsort | [3, 1, 4, 1]": "[1, 1, 3, 4]",
    "lsortdesc | [3, 1, 4, 1]": "[4, 3, 1, 1]",
    "ladd3 | [3, -1]": "[6, 2]",
    "lmul2 | [3, -1]": "[6, -2]",
    "lmod7 | [15, -1, 7]": "[1, 6, 0]",
    "prefix | [3, 1, 4]": "[3, 4, 8]",
    "diffs | [3, 1, 4]": "[-2, 3]",
    "unique | [3, 1, 3, 4, 1]": "[3, 1, 4]",
    "keepeven | [3, 0, -2, 5, 4]": "[0, -2, 4]",
    "keepgt5 | [5, 6, 1, 9]": "[6, 9]",
    "lrot2 | [3, 1, 4, 1]": "[4, 1, 3, 1]",
    "lrot5 | [3, 1, 4]": "[4, 3, 1]",
    "ltake2 | [3, 1, 4]": "[3, 1]",
    "ldrop2 | [3, 1, 4]": "[4]",
    "pairsums | [3, 1, 4, 1, 5]": "[4, 5, 5]",
    "sum | [3, 1, 4]": "8",
    "max | [3, 1, 4]": "4",
    "min | [3, 1, 4]": "1",
    "count | [3, 1, 4]": "3",
    "range | [3, 1, 4]": "3",
    "median | [3, 1, 4, 9]": "3",
    "median | [3, 1, 4]": "3",
    "argmax | [3, 9, 4, 9]": "2",
    "add7 | 5": "12",
    "mul3 | 5": "15",
    "mod5 | 13": "3",
    "mod5 | -1": "4",
    "digitsum | 908": "17",
    "revdigits | 120": "21",
    "collatz | 7": "22",
    "collatz | 22": "11",
    "sqmod97 | 10": "3",
    "gcd12 | 18": "6",
    "gcd12 | 0": "12",
    "digits | 907": "[9, 0, 7]",
    "digits | 0": "[0]",
    "divisors | 36": "[1, 2, 3, 4, 6, 9, 12, 18, 36]",
    "primes | 360": "[2, 2, 2, 3, 3, 5]",
    "primes | 9973": "[9973]",
    "acronym | [pear, fig, plum]": "pfp",
    "lasts | [pear, fig, plum]": "rgm",
    "wrev | [pear, fig, plum]": "[plum, fig, pear]",
    "wsort | [pear, fig, plum, figs]": "[fig, figs, pear, plum]",
    "wdedup | [fig, figs, fig, pear]": "[fig, figs, pear]",
    "wlonger3 | [pear, fig, plum]": "[pear, plum]",
}
NEVER = ("wlonger7", "wlonger8", "wlonger9")
"""Atoms that are undefined for all words drawn, which have at most seven letters."""
UNDEFINED = [
    *("rmvow | aei", "odds | a", "drop9 | compose", "diffs | [3]", "keepgt5 | [1]", "digits | -1"),
    *("divisors | 0", "divisors | 10001", "primes | 1", "wlonger9 | [pear]", "mul12 | 100000000"),
]


@pytest.mark.parametrize(("prompt", "answer"), WORKED.items())
def test_worked_examples(prompt: str, answer: str) -> None:
    wrong = ["", f"{answer} ", f" {answer}", answer[:-1], answer + answer[-1], f"{answer}\n"]
    answers = pa.array([answer, *wrong], pa.string())
    prompts = pa.array([prompt] * len(answers), pa.string())
    expected = [True] + [False] * len(wrong)
    assert VERIFIER.check(prompts, answers, None).tolist() == expected
    assert VERIFIER.symbolic(prompts, answers).tolist() == expected


def test_every_family_is_worked_by_hand() -> None:
    assert {BY_LABEL[prompt.split(" ")[0]].family for prompt in WORKED} == set(FAMILIES)


@pytest.mark.parametrize("prompt", UNDEFINED)
def test_what_is_undefined_has_no_answer(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None
    answers = pa.array(["", "[]", "0"], pa.string())
    assert not VERIFIER.check(pa.array([prompt] * 3, pa.string()), answers, None).any()


@pytest.mark.parametrize("first", range(0, len(ATOMS), 200))
def test_both_sides_agree_on_every_atom(first: int) -> None:
    labels = tuple(atom.label for atom in ATOMS[first : first + 200] if atom.label not in NEVER)
    sizes = {"max_length": 12, "max_entry": 99}
    generator = CHAIN(max_atoms=1, atoms=labels, distinct=False, ablation=False, **sizes)
    problems = generator.draw(Rows.span(11, 0, 3_000))
    problems = generator.draw(Rows(11, problems.rows.addresses[problems.valid]))
    assert len(set(problems.axes["first_atom"].tolist())) == len(labels)
    for prompt in generator.prompts:
        texts = generator.render(problems, Render(prompt, "trace"))
        assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()
        assert VERIFIER.symbolic(texts.prompts[:400], texts.answers[:400]).all()


def test_the_catalogue_is_fixed() -> None:
    assert len(ATOMS) == 1_670
    assert [atom.index for atom in ATOMS] == list(range(len(ATOMS)))
    places = {"rev": 0, "rotl1": 1, "caesar25": 43, "wlonger9": 1_669}
    assert {label: BY_LABEL[label].index for label in places} == places
    assert {atom.family for atom in USUAL} == set(FAMILIES)
    assert len(USUAL) == 69


def test_names_and_definitions_are_unique_and_parseable() -> None:
    for texts in ([atom.name for atom in ATOMS], [atom.definition for atom in ATOMS]):
        assert len(set(texts)) == len(texts)
        assert not any(char in text for text in texts for char in "{}:|()`")
        assert not any(f" 1 {noun}s" in text for text in texts for noun in ("letter", "place"))
    assert not any(set(atom.name) - {*ascii_lowercase, *"0123456789 AC"} for atom in ATOMS)
    assert BY_LABEL["wlonger1"].name == "keep only the words with more than 1 letter"
    assert BY_LABEL["take1"].name == "keep only the first letter"


@pytest.mark.parametrize("key", [0, 1, 57, 222])
def test_opaque_names_identify_an_atom_under_every_key(key: int) -> None:
    generator = CHAIN(max_atoms=1, names_key=key, distinct=False, ablation=False)
    problems = generator.draw(Rows.span(1, 0, 2_000))
    problems = generator.draw(Rows(1, problems.rows.addresses[problems.valid]))
    shown = {
        (atom, prompt.split("`")[1].split(":")[0])
        for atom, prompt in zip(
            problems.axes["first_atom"].tolist(),
            generator.render(problems, Render("opaque", "none")).prompts.to_pylist(),
            strict=True,
        )
    }
    assert len(shown) == len(USUAL) == len({name for _, name in shown})
    names = {generator.axes["first_atom"].values[atom]: name for atom, name in shown}
    assert VERIFIER.answer(f"{names['rev']}(compose)") == "esopmoc"
    assert key > 0 or names["rev"] == "func_acwn"  # as in datasets that were published


def is_allowed(one: str, other: str) -> bool:
    """Whether the normal form has two atoms side by side in this order."""
    try:
        CHAIN(max_atoms=1, atoms=tuple({one, other}), held_out_pairs=(f"{one}>{other}",))
    except ParamError:
        return False
    return True


def test_the_sheets_normal_form() -> None:
    for one, other in (
        *(("rotl2", "rotr2"), ("rotr3", "rotl2"), ("caesar5", "caesar21"), ("caesar3", "caesar4")),
        *((label, label) for label in ("rev", "atbash", "swap", "sort", "dedup", "rmvow", "mod5")),
        *(("rev", "sort"), ("rotl2", "sort"), ("riffle", "sort"), ("halves", "sort")),
    ):
        assert not is_allowed(one, other), (one, other)
    places, letters = ("rev", "rotl2", "swap", "halves", "riffle"), ("caesar5", "atbash")
    for place, letter in product(places, letters):
        assert is_allowed(place, letter) != is_allowed(letter, place)
    assert is_allowed("rev", "rotl2")
    assert is_allowed("dedup", "rmvow") or is_allowed("rmvow", "dedup")
