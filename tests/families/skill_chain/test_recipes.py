"""The recipes of the skill chains hold out what they say, as read from the derivations."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from synthgen.families.skill_chain.words import ATOMS, BY_LABEL
from synthgen.recipe.bundled import bundled_names
from tests.building import build_bundled

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


def test_depth(tmp_path: Path) -> None:
    rows = built("skill-chain-depth", tmp_path / "d")
    lengths = {split: {len(chain) for chain in chains_of(found)} for split, found in rows.items()}
    assert lengths == {"train": {1, 2, 3}, "test": {1, 2, 3}, "test_deep": {4, 5, 6}}


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


@pytest.mark.parametrize("prompt", ["defined", "names_nested"])
def test_the_usual_recipe_in_other_styles(prompt: str, tmp_path: Path) -> None:
    rows = built("skill-chain", tmp_path / "d", f"render.prompt='{prompt}'")
    counts = [row["n_atoms"] for row in rows["test"]]
    assert {counts.count(n) for n in (1, 2, 3, 4)} == {len(counts) // 4}
    assert {row["answer_type"] for row in rows["train"]} == {"string", "integer"}


def test_there_is_a_test_for_every_recipe() -> None:
    tested = set(re.findall(r'built\("([a-z-]+)"', Path(__file__).read_text(encoding="utf-8")))
    assert tested == {name for name in bundled_names() if name.startswith("skill-chain")}
