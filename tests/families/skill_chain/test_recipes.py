"""Atoms of the skill chains by hand, and the recipes that hold some of them out."""

import re
from itertools import pairwise, product
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pyarrow as pa
import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class, load_verifier
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.families.skill_chain.words import ATOMS, BY_LABEL, FAMILIES
from synthgen.recipe.bundled import bundled_names
from tests.building import build_bundled
from tests.families.verdicts import valid_problems

Chain = tuple[str, ...]


def built(name: str, out: Path, *overrides: str) -> dict[str, list[dict[str, Any]]]:
    rows = build_bundled(name, out, *overrides, scale=0.1)
    counts = [row["n_atoms"] for row in rows["train"]]
    assert counts.count(1) <= 0.2 * len(counts) + 1
    return rows


def chains_of(rows: list[dict[str, Any]]) -> list[Chain]:
    """The atoms of every row in the order in which they are applied."""
    found = [re.findall(r"\(([^ ()]+)", row["derivation"]) for row in rows]
    return [tuple(name for name in names[::-1] if name in BY_LABEL) for names in found]


def pairs_of(chains: list[Chain]) -> set[tuple[str, str]]:
    return {pair for chain in chains for pair in pairwise(chain)}


def cells_of(chain: Chain) -> set[tuple[str, int]]:
    return {(atom, place) for place, atom in enumerate(chain)}


@pytest.mark.slow
def test_depth(tmp_path: Path) -> None:
    rows = built("skill-chain-depth", tmp_path / "d")
    lengths = {split: {len(chain) for chain in chains_of(found)} for split, found in rows.items()}
    assert lengths == {"train": {1, 2, 3}, "test": {1, 2, 3}, "test_deep": {4, 5, 6}}


@pytest.mark.slow
def test_pairs_sets_and_cells(tmp_path: Path) -> None:
    chains = {s: chains_of(r) for s, r in built("skill-chain-pairs", tmp_path / "d").items()}
    train, seen = chains["train"], pairs_of(chains["train"])
    atoms = {atom for chain in train for atom in chain}
    assert all(set(pairwise(chain)) - seen for chain in chains["test_pair"])
    assert all(set(chain) <= atoms for chain in chains["test_pair"])
    sets = {frozenset(chain) for chain in train}
    assert all(frozenset(chain) not in sets for chain in chains["test_set"])
    known = [set(pairwise(chain)) <= seen for chain in chains["test_set"]]
    assert sum(known) > 0.6 * len(known)  # nearly all of them at the recipe's own size
    cells = set().union(*map(cells_of, train))
    assert all(cells_of(chain) - cells for chain in chains["test_cell"])


@pytest.mark.slow
def test_orders(tmp_path: Path) -> None:
    chains = {s: chains_of(r) for s, r in built("skill-chain-orders", tmp_path / "d").items()}
    seen = pairs_of(chains["train"])
    new = [set(pairwise(chain)) - seen for chain in chains["test_order"]]
    assert all(new)
    turned = [any((then, one) in seen for one, then in pairs) for pairs in new]
    assert sum(turned) > 0.9 * len(turned)  # all of them at the recipe's own size
    forward = set(chains["train_forward"])
    assert not forward & set(chains["test_backward"])
    turned = [chain[::-1] in forward for chain in chains["test_backward"]]
    assert sum(turned) > 0.9 * len(turned)


@pytest.mark.slow
def test_opaque_names_are_never_defined(tmp_path: Path) -> None:
    rows = built("skill-chain-opaque", tmp_path / "d")
    chains = {split: chains_of(found) for split, found in rows.items()}
    assert {len(chain) for chain in chains["train"]} == {1, 2}
    assert {atom for chain in chains["train"] if len(chain) == 1 for atom in chain} >= {
        atom for split in ("test_two", "test_more") for chain in chains[split] for atom in chain
    }
    assert not set(chains["train"]) & set(chains["test_two"])
    assert {len(chain) for chain in chains["test_more"]} == {3, 4}
    for row in rows["train"] + rows["test_more"]:
        names = re.findall(r"func_[a-z]+", row["prompt"])
        assert len(names) == row["n_atoms"]
        assert all(len(name) == 9 for name in names)


@pytest.mark.slow
def test_categories(tmp_path: Path) -> None:
    rows = built("skill-chain-category", tmp_path / "d")
    chains = {split: chains_of(found) for split, found in rows.items()}
    theory = {atom.label for atom in ATOMS if atom.family.category == "theory"}
    assert not any(len(chain) > 1 and set(chain) & theory for chain in chains["train"])
    assert any(len(chain) == 1 and set(chain) & theory for chain in chains["train"])
    assert all(len(chain) > 1 and set(chain) & theory for chain in chains["test_category"])
    atoms = {atom for chain in chains["train"] for atom in chain}
    assert all(set(chain) - atoms for chain in chains["test_atom"])
    assert max(row["input_length"] for row in rows["train"]) <= 12
    assert min(row["input_length"] for row in rows["test_long"]) > 12


@pytest.mark.slow
@pytest.mark.parametrize("prompt", ["defined", "names_nested"])
def test_the_usual_recipe_in_other_styles(prompt: str, tmp_path: Path) -> None:
    rows = built("skill-chain", tmp_path / "d", f"render.prompt='{prompt}'")
    counts = [row["n_atoms"] for row in rows["test"]]
    assert {counts.count(n) for n in (1, 2, 3, 4)} == {len(counts) // 4}
    assert {row["answer_type"] for row in rows["train"]} == {"string", "list:integer", "integer"}


def test_there_is_a_test_for_every_recipe() -> None:
    tested = set(re.findall(r'built\("([a-z-]+)"', Path(__file__).read_text(encoding="utf-8")))
    assert tested == {name for name in bundled_names() if name.startswith("skill-chain")}


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


def test_every_family_is_worked_by_hand() -> None:
    assert {BY_LABEL[prompt.split(" ")[0]].family for prompt in WORKED} == set(FAMILIES)


@pytest.mark.parametrize("prompt", UNDEFINED)
def test_what_is_undefined_has_no_answer(prompt: str) -> None:
    assert VERIFIER.answer(prompt) is None
    answers = pa.array(["", "[]", "0"], pa.string())
    assert not VERIFIER.check(pa.array([prompt] * 3, pa.string()), answers, None).any()


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(ATOMS), 200))
def test_both_sides_agree_on_every_atom(first: int) -> None:
    labels = tuple(atom.label for atom in ATOMS[first : first + 200] if atom.label not in NEVER)
    sizes = {"max_length": 12, "max_entry": 99}
    generator = CHAIN(max_atoms=1, atoms=labels, distinct=False, ablation=False, **sizes)
    problems = valid_problems(generator, Rows.span(11, 0, 3_000))
    assert len(set(problems.axes["first_atom"].tolist())) == len(labels)
    for prompt in generator.prompts:
        texts = generator.render(problems, Render(prompt, "trace"))
        assert VERIFIER.check(texts.prompts, texts.answers, texts.solutions).all()


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
    problems = valid_problems(generator, Rows.span(1, 0, 2_000))
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
    free = {"min_atoms": 2, "max_atoms": 2, "distinct": False, "ablation": False}
    try:
        generator = CHAIN(atoms=tuple({one, other}), **free)
    except ParamError:
        return False
    problems = valid_problems(generator, Rows.span(1, 0, 100))
    prompts = generator.render(problems, Render("bare", "none")).prompts.to_pylist()
    return any(prompt.startswith(f"{one} {other} ") for prompt in prompts)


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
