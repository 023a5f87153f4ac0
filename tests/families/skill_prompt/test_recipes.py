"""Skill mixes: rubrics read from prompts, and recipes that hold out what they say."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.auditing.skill_mixes import MixCoverage, coverage
from synthgen.authoring.words import BOXED
from tests.building import build_bundled
from tests.families.verdicts import Verdicts
from tests.mixes import largest_seen, mixes_of


def built(name: str, out: Path, scale: float = 0.2) -> dict[str, dict[str, Any]]:
    """Build a recipe, audit it and return the columns of its splits."""
    tables = build_bundled(name, out, scale=scale)
    return {
        split: {name: [row[name] for row in rows] for name in rows[0]}
        for split, rows in tables.items()
    }


def counted(splits: dict[str, dict[str, Any]], test: str) -> tuple[MixCoverage, ...]:
    return coverage(mixes_of(splits["train"]), mixes_of(splits[test]))


def test_k_extrapolation(tmp_path: Path) -> None:
    splits = built("skill-mix-k-extrapolation", tmp_path / "a", scale=0.25)
    assert max(splits["train"]["k"]) == 3
    for k in (4, 5):
        (found,) = counted(splits, f"test_k{k}")
        assert found.k == k
        assert found.seen_subsets[:2] == (found.rows, found.rows)
        assert not any(found.seen_subsets[3:])
        assert found.seen_cells > 0.3 * found.rows  # of a quarter of the rows


def test_unseen_tuple(tmp_path: Path) -> None:
    splits = built("skill-mix-unseen-tuple", tmp_path / "b")
    for name, known in (("k3_b_topicseen", True), ("k3_b_topicheld", False)):
        (found,) = counted(splits, name)
        assert found.seen_subsets == (found.rows, found.rows, 0)
        assert (found.seen_cells > 0.3 * found.rows) == known  # of a fifth of the rows
        assert not found.seen_mixes
        train, test = mixes_of(splits["train"]), mixes_of(splits[name])
        assert largest_seen(train, test) == splits[name]["open_size"]
    topics = set(splits["train"]["topic"])
    assert set(splits["k3_b_topicseen"]["topic"]) <= topics
    assert not set(splits["k3_b_topicheld"]["topic"]) & topics


@pytest.mark.slow
def test_unseen_pair(tmp_path: Path) -> None:
    splits = built("skill-mix-unseen-pair", tmp_path / "c")
    for k in (2, 3, 4):
        (found,) = counted(splits, f"k{k}_c")
        assert (found.k, found.seen_subsets[:2]) == (k, (found.rows, 0))
        assert not any(found.seen_subsets[1:])
    assert all(found.seen_subsets[1] == found.rows for found in counted(splits, "test"))


@pytest.mark.slow
def test_held_out_category(tmp_path: Path) -> None:
    splits = built("skill-mix-held-out-category", tmp_path / "d")
    for found in counted(splits, "test_all"):
        assert found.largest_seen[0] == found.rows
    for found in counted(splits, "test_some"):
        assert not found.seen_subsets[0]
        assert found.largest_seen[0] == 0
    for found in counted(splits, "test"):
        assert found.seen_subsets[1] == found.rows


@pytest.mark.slow
@pytest.mark.parametrize(("name", "test"), [("topic", "test_topic"), ("cell", "test_cell")])
def test_held_out_topic_and_cell(name: str, test: str, tmp_path: Path) -> None:
    splits = built(f"skill-mix-held-out-{name}", tmp_path / name)
    for found in counted(splits, test):
        assert found.seen_subsets[:2] == (found.rows, found.rows)
        assert not found.seen_cells
        assert not found.seen_mixes
    unknown = set(splits[test]["topic"]) - set(splits["train"]["topic"])
    assert (unknown == set(splits[test]["topic"])) == (name == "topic")


@pytest.mark.slow
def test_replication_grid(tmp_path: Path) -> None:
    splits = built("skill-mix-replication", tmp_path / "g", 1)
    buckets = [splits.pop(f"train_k{k}") for k in (1, 2, 3)]
    skills = {skill for bucket in buckets for skill in bucket["skill_1"]}
    topics = {topic for bucket in buckets for topic in bucket["topic"]}
    assert len(splits) == 3 * 2 * 4
    for name, split in splits.items():
        _, of, _, on, size = name.split("_")
        assert len(split["k"]) == 100
        assert set(split["k"]) == {int(size[1])}
        table = np.array([split[f"skill_{j}"] for j in range(1, int(size[1]) + 1)])
        known = np.isin(table, list(skills)).sum(axis=0)
        assert of != "train" or known.min() == int(size[1])
        assert of != "held" or known.max() == 0
        assert of != "all" or 0 < known.mean() < int(size[1])
        assert np.isin(split["topic"], list(topics)).all() == (on == "train")


def test_the_plain_recipe_covers_all_pairs_in_train(tmp_path: Path) -> None:
    splits = built("skill-mix", tmp_path / "plain", 0.1)
    assert {splits["train"]["k"].count(k) for k in (2, 3, 4, 5)} == {2_500}
    for found in counted(splits, "test"):
        assert found.seen_subsets[:2] == (found.rows, found.rows)


VERDICTS = Verdicts("skill_prompt")
PROMPT = (
    'Compose a brief passage about "Salt mines" in no more than two sentences. It must demonstrate '
    "each skill on this list without mentioning its name:\n- Zeugma (figure): One verb, two "
    "objects.\n- Bathos: A fall.\n- red herring no one knows: Another topic: any."
)
RUBRIC = {
    "forbidden": ["zeugma", "bathos", "red herring no one knows"],
    "n_sentences": 2,
    "rubric": [
        {"kind": "skill", "text": "Illustrates Zeugma (figure)", "weight": 1},
        {"kind": "skill", "text": "Illustrates Bathos", "weight": 1},
        {"kind": "skill", "text": "Illustrates red herring no one knows", "weight": 1},
        {"kind": "topic", "text": "Pertains to Salt mines", "weight": 1},
        {"kind": "sense", "text": "Makes sense", "weight": 1},
        {"kind": "length", "text": "Has at most 2 sentences", "weight": 1},
    ],
}
ANSWER = json.dumps(RUBRIC, separators=(",", ":"))


def test_by_hand() -> None:
    assert VERDICTS.accepts(PROMPT, ANSWER)
    assert not VERDICTS.accepts(PROMPT, ANSWER.replace("2", "3"))


def test_a_solution_is_rejected() -> None:
    assert not VERDICTS.accepts(PROMPT, ANSWER, "Write it.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"zeugma"', '"Zeugma"'),
        ('"zeugma"', '"zeugma (figure)"'),
        ('["zeugma",', "["),
        ("Zeugma (figure)", "zeugma (figure)"),
        ("Illustrates Bathos", "Contains Bathos"),
        ("Salt mines", "Salt"),
        ('"n_sentences":2', '"n_sentences":3'),
        ("2 sentences", "3 sentences"),
        ("2 sentences", "2 sentence"),
        ('"weight":1}]', '"weight":2}]'),
        ('{"kind":"sense","text":"Makes sense","weight":1},', ""),
        ('{"forbidden"', '{ "forbidden"'),
        ('{"kind":"skill"', '{"checker":null,"kind":"skill"'),
    ],
)
def test_wrong_rubrics(old: str, new: str) -> None:
    answer = ANSWER.replace(old, new, 1)
    assert answer != ANSWER
    assert not VERDICTS.accepts(PROMPT, answer)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("two sentences", "three sentences"),
        ("two sentences", "some sentences"),
        ("Salt mines", ""),
        ("Salt mines", "Salt\\mines"),
        ('"Salt mines"', "Salt mines"),
        ("\n- Bathos", "\n- Zeugma (figure)"),
        ("- Bathos:", "- :"),
        ("- Bathos: A fall.", "- Bathos"),
        ("- Bathos: A fall.", "- Bathos:"),
        ("- Bathos: A fall.", "- Bathos:A fall."),
        ("\n- Bathos", "\nBathos"),
        ("\n- Bathos", "\n\n- Bathos"),
        ("Bathos", 'Ba"thos'),
        ("Bathos", "Ba\tthos"),
        ("Bathos", "Bath\u200bos"),
        ("Compose a", "Compose"),
        ("without mentioning", "mentioning"),
        ("topic: any.", "topic: any.\nGood luck."),
        ("topic: any.", f"topic: any.{BOXED}"),
    ],
)
def test_prompts_that_the_family_does_not_write(old: str, new: str) -> None:
    prompt = PROMPT.replace(old, new)
    assert prompt != PROMPT
    for answer in (ANSWER, "", ANSWER.replace(old, new)):
        assert not VERDICTS.accepts(prompt, answer)


def test_a_list_of_names_only() -> None:
    prompt = PROMPT
    for more in (": One verb, two objects.", ": A fall.", ": Another topic: any."):
        prompt = prompt.replace(more, "")
    assert VERDICTS.accepts(prompt, ANSWER)


@pytest.mark.parametrize(
    ("name", "forbidden"),
    [
        ("Ελπίδα (ἐλπίς)", "ελπίδα"),
        ("(bare)", "(bare)"),
        ("Pars pro Toto  (a part)", "pars pro toto"),
        ("ÜBER", "über"),
    ],
)
def test_names_in_brackets_and_beyond_ascii(name: str, forbidden: str) -> None:
    prompt = PROMPT.replace("- Bathos", f"- {name}")
    answer = ANSWER.replace("Illustrates Bathos", f"Illustrates {name}").replace(
        '"bathos"', f'"{forbidden}"'
    )
    assert VERDICTS.accepts(prompt, answer)
    assert not VERDICTS.accepts(prompt, ANSWER)
