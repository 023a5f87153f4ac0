"""Prompts for writers: designs, what is held out, texts and rubrics."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.core.contract import Problems, Render
from synthgen.core.derivation import derivation_text
from synthgen.core.errors import ParamError
from synthgen.core.randomness import Rows
from synthgen.core.skill_coverage import coverage, largest_seen, mixes_of
from synthgen.core.skill_inventory import official_skills, official_topics
from synthgen.generators.skillmix.skill_prompt import SkillPrompt
from tests.building import build_small, plan_of, rows_of, write_recipe

INVENTORY = "category,skill,definition,example\n" + "".join(
    f"group {i % 3},skill {chr(97 + i)},Definition {i}.,Example {i}.\n" for i in range(18)
)
HELD: dict[str, Any] = {
    "inventory": INVENTORY,
    "ks": (2, 3, 4),
    "held_categories": ("group 0",),
    "held_topics": 3,
    "held_pairs": 12,
    "held_cells": 8,
    "held_tuples": 0.2,
    "max_train_k": 3,
}


def all_of(generator: SkillPrompt, rounds: int) -> Problems:
    """All problems of the first rounds."""
    per_round = generator.space // generator.rounds
    return generator.draw(Rows.span(1, 0, per_round * rounds))


def sets_of(problems: Problems) -> list[tuple[int, ...]]:
    columns = [problems.axes[f"skill_{j}"] for j in range(1, 5) if f"skill_{j}" in problems.axes]
    table = np.stack(columns, axis=1).tolist()
    return [tuple(row[:k]) for row, k in zip(table, problems.axes["k"].tolist(), strict=True)]


def test_every_round_covers_all_pairs_of_each_k() -> None:
    generator = SkillPrompt(ks=(2, 3, 4), rounds=20)
    problems = all_of(generator, 20)
    k, number = problems.axes["k"], problems.axes["round"]
    mixes = np.array(sets_of(problems), dtype=object)
    for turn in range(20):
        for size in (2, 3, 4):
            found = mixes[(number == turn) & (k == size)]
            pairs = {pair for mix in found for pair in combinations(mix, 2)}
            assert pairs == set(combinations(range(10), 2)), (turn, size)
    different = {mix for mix, size in zip(mixes.tolist(), k.tolist(), strict=True) if size == 4}
    assert len(different) > 100  # of 210: rounds are not one design again


def test_strength_three_covers_all_triples() -> None:
    generator = SkillPrompt(ks=(3, 4), strength=3, rounds=2)
    problems = all_of(generator, 2)
    for turn in range(2):
        for size in (3, 4):
            rows = (problems.axes["round"] == turn) & (problems.axes["k"] == size)
            mixes = [mix for mix, is_in in zip(sets_of(problems), rows, strict=True) if is_in]
            triples = {triple for mix in mixes for triple in combinations(mix, 3)}
            assert triples == set(combinations(range(10), 3))


def test_skills_meet_topics_equally_often() -> None:
    problems = all_of(SkillPrompt(ks=(3,), rounds=200), 200)
    counts = np.zeros((10, 10), np.int64)
    for mix, topic in zip(sets_of(problems), problems.axes["topic"].tolist(), strict=True):
        counts[list(mix), topic] += 1
    assert counts.min() > 0.8 * counts.mean()
    assert counts.max() < 1.2 * counts.mean()


def test_the_key_and_not_the_stream_chooses_mixes() -> None:
    one, other = (SkillPrompt(key=key).draw(Rows.span(1, 0, 70)) for key in (0, 1))
    elsewhere = SkillPrompt(key=0).draw(Rows.span(2, 0, 70))
    assert np.array_equal(one.keys, elsewhere.keys)
    assert not np.array_equal(one.keys, other.keys)
    style = Render("names", "none")
    texts = [SkillPrompt(key=0).render(p, style).prompts.to_pylist() for p in (one, elsewhere)]
    assert texts[0] != texts[1]  # another order, another wording


def test_incompatible_skills_never_meet() -> None:
    pairs = ("metaphor x red_herring", "accident x metaphor")
    generator = SkillPrompt(incompatible=pairs, rounds=40)
    problems = all_of(generator, 40)
    ids = sorted(skill.id for skill in official_skills())
    barred = {tuple(sorted(map(ids.index, pair.split(" x ")))) for pair in pairs}
    met = {pair for mix in sets_of(problems) for pair in combinations(mix, 2)}
    assert met == set(combinations(range(10), 2)) - barred


def test_what_is_held_out_is_measured() -> None:
    generator = SkillPrompt(**HELD, rounds=40)
    world = generator._world
    problems = all_of(generator, 40)
    held_skills = {i for i, skill in enumerate(world.skills) if skill.category == "group 0"}
    assert world.held_pairs.sum() == 2 * HELD["held_pairs"]
    assert world.held_cells.sum() == HELD["held_cells"]
    assert world.held_topics.sum() == HELD["held_topics"]
    shares = dict.fromkeys(sets_of(problems))
    for i, mix in enumerate(sets_of(problems)):
        axes = {name: int(column[i]) for name, column in problems.axes.items()}
        topic = axes["topic"]
        assert axes["n_held_skills"] == len(held_skills & set(mix))
        pairs = [world.held_pairs[pair] for pair in combinations(mix, 2)]
        assert axes["n_held_pairs"] == sum(pairs)
        assert axes["n_held_cells"] == sum(world.held_cells[skill, topic] for skill in mix)
        assert axes["topic_held"] == world.held_topics[topic]
        assert shares[mix] in (None, axes["tuple_held"])
        shares[mix] = axes["tuple_held"]
        pool = ("train", "held", "all")[axes["skill_pool"]]
        assert pool != "train" or axes["n_held_skills"] + axes["n_held_pairs"] == 0
        assert pool != "held" or axes["n_held_skills"] == axes["k"]
    assert 0.1 < np.mean([bool(share) for share in shares.values()]) < 0.3


def test_the_largest_open_subset_is_the_one_of_all_that_training_may_have() -> None:
    generator = SkillPrompt(**HELD, rounds=40)
    world, problems = generator._world, all_of(generator, 40)
    held = {
        mix: bool(flag)
        for mix, flag in zip(sets_of(problems), problems.axes["tuple_held"], strict=True)
    }

    def is_open(subset: tuple[int, ...]) -> bool:
        if any(world.held_skills[skill] for skill in subset):
            return False
        if any(world.held_pairs[pair] for pair in combinations(subset, 2)):
            return False
        return len(subset) < 3 or not held.get(subset, True)

    for mix, size in zip(sets_of(problems), problems.axes["open_size"].tolist(), strict=True):
        triples = [s for s in combinations(mix, 3) if s in held]
        if len(mix) == 4 and len(triples) < 4:
            continue  # a triple that no round has: its lot is not known here
        sizes = [n for n in range(1, 4) if any(map(is_open, combinations(mix, n)))]
        assert size == max(sizes, default=0)


def test_held_out_things_grow_with_their_number() -> None:
    few, many = (SkillPrompt(held_pairs=n, held_topics=n)._world for n in (2, 4))
    assert np.all(many.held_pairs[few.held_pairs])
    assert np.all(many.held_topics[few.held_topics])


def test_a_rubric_says_all_that_is_asked() -> None:
    generator = SkillPrompt()
    problems = generator.draw(Rows.span(3, 0, 300))
    derivations = derivation_text(problems.derivations, generator.signature).to_pylist()
    for style in SkillPrompt.prompts:
        texts = generator.render(problems, Render(style, "none"))
        assert len(set(texts.templates.to_pylist())) >= 5
        for i, (prompt, answer) in enumerate(
            zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
        ):
            rubric = json.loads(answer)
            k = int(problems.axes["k"][i])
            kinds = [item["kind"] for item in rubric["rubric"]]
            assert kinds == ["skill"] * k + ["topic", "sense", "length"]
            assert all(item["weight"] == 1 for item in rubric["rubric"])
            assert rubric["n_sentences"] == {1: 1, 2: 1, 3: 2, 4: 3, 5: 4}[k]
            assert list(rubric) == sorted(rubric)
            names = [
                skill.name
                for skill in official_skills()
                if f"Illustrates {skill.name}" in [item["text"] for item in rubric["rubric"]]
            ]
            assert len(names) == k
            topic = rubric["rubric"][k]["text"].removeprefix("Pertains to ")
            assert topic in official_topics()
            assert topic in prompt
            assert f"on:{topic.replace(' ', '_')}" in derivations[i]
            for skill in official_skills():
                assert (f"\n- {skill.name}" in prompt) == (skill.name in names)
                shown = skill.name in names
                assert (skill.definition in prompt) == (shown and style != "names")
                assert (skill.example in prompt) == (shown and style == "examples")
            assert all(name in " ".join(names) for name in rubric["forbidden"])


def test_the_order_of_the_skills_is_shuffled() -> None:
    generator = SkillPrompt(ks=(2,), rounds=200)
    problems = generator.draw(Rows.span(4, 0, 4_000))
    texts = generator.render(problems, Render("names", "none"))
    ids = sorted(skill.id for skill in official_skills())
    names = {skill.id: skill.name for skill in official_skills()}
    rising = [
        prompt.index(f"\n- {names[ids[a]]}") < prompt.index(f"\n- {names[ids[b]]}")
        for prompt, (a, b) in zip(texts.prompts.to_pylist(), sets_of(problems), strict=True)
    ]
    assert 0.45 < np.mean(rising) < 0.55


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"inventory": "offical"}, "inventory"),
        ({"inventory": "category,skill\n"}, "inventory"),
        ({"topics": "Bread"}, "topics"),
        ({"topics": "Bread.\n"}, "topics"),
        ({"ks": ()}, "ks"),
        ({"ks": (3, 2)}, "ks"),
        ({"ks": (2, 7)}, "ks"),
        ({"ks": "23"}, "ks"),
        ({"ks": (2, 3), "held_categories": ("logic",)}, "held_categories"),
        ({"strength": 4}, "strength"),
        ({"rounds": 0}, "rounds"),
        ({"held_skills": 10}, "held_skills"),
        ({"held_topics": 10}, "held_topics"),
        ({"held_pairs": 23}, "held_pairs"),
        ({"held_cells": 51}, "held_cells"),
        ({"held_tuples": 0.6}, "held_tuples"),
        ({"held_tuples": True}, "held_tuples"),
        ({"incompatible": ("metaphor",)}, "incompatible"),
        ({"incompatible": ("metaphor x metaphor",)}, "incompatible"),
        ({"key": -1}, "key"),
    ],
)
def test_faulty_params_are_refused(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError) as caught:
        SkillPrompt(**params)
    assert caught.value.name == name


def test_too_few_skills_for_a_mix() -> None:
    text = "category,skill,definition,example\n" + "a,one,d,e\na,two,d,e\n"
    with pytest.raises(ParamError, match=r"^ks=.*at most the 2 skills"):
        SkillPrompt(inventory=text)
    assert SkillPrompt(inventory=text, ks=(1, 2)).space > 0


RECIPE = """
name = "mixes"
seed = 5

[[source]]
generator = "skill_prompt"
files = { inventory = "mine/skills.csv" }

[source.params]
ks = [2, 3]
rounds = 60
held_categories = ["group 0"]
held_tuples = 0.1
held_topics = 3

[[split]]
name = "train"
rows = 1_200
where = "n_held_skills = 0 AND topic_held = 0 AND (k = 2 OR tuple_held = 0)"

[[split]]
name = "k3_b_topicseen"
rows = 50
where = "k = 3 AND n_held_skills = 0 AND topic_held = 0 AND tuple_held = 1"
unseen = { of = "train", axes = ["tuple"] }

[[split]]
name = "k3_d_topicheld"
rows = 50
where = "k = 3 AND n_held_skills = k AND topic_held = 1"
unseen = { of = "train", axes = ["skill_1", "skill_2", "skill_3"] }
"""


def test_splits_are_what_they_claim(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "skills.csv").write_text(INVENTORY, encoding="utf-8")
    folder = build_small(tmp_path, text=RECIPE).folder
    columns = {
        split: {name: [row[name] for row in rows] for name in rows[0]}
        for split in ("train", "k3_b_topicseen", "k3_d_topicheld")
        for rows in [rows_of(folder, split)]
    }
    train, unseen, held = (mixes_of(columns[split]) for split in columns)
    (found,) = coverage(train, unseen)
    assert found.seen_subsets == (50, 50, 0)
    assert found.seen_cells == 50
    assert largest_seen(train, unseen).tolist() == columns["k3_b_topicseen"]["open_size"]
    (found,) = coverage(train, held)
    assert found.largest_seen == (50, 0, 0, 0)
    assert found.expected == 0
    pairs = {pair for mix in train.of_size(3)[0].tolist() for pair in combinations(mix, 2)}
    known = [i for i in range(18) if i in set(train.skills.ravel().tolist())]
    assert pairs == set(combinations(known, 2))
    assert len(known) == 12


def test_an_inventory_with_a_fault_is_told_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "skills.csv"
    path.write_text(INVENTORY + "group 1,no definition,,e\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"small.toml:7: source.0.files.inventory.*line 20, column"):
        plan_of(write_recipe(tmp_path, RECIPE))
