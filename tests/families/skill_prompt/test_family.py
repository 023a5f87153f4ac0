"""Skill prompts: covering designs, what is held out, texts, params and inventories."""

import json
import re
from collections import Counter
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthgen.auditing.skill_mixes import coverage
from synthgen.contract.interfaces import Generator, Problems, Render
from synthgen.contract.registry import generator_class
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from synthgen.trees.derivations import derivation_text
from tests.building import build_small, plan_of, rows_of, write_recipe
from tests.mixes import largest_seen, mixes_of

OFFICIAL = [
    "accident (fallacy)",
    "complex question (loaded question with implicit assumption)",
    "emotional self regulation",
    "folk physics (common knowledge physics)",
    "metaphor",
    "modus ponens",
    "red herring",
    "self serving bias",
    "spatial reasoning",
    "statistical syllogism",
]
TOPICS = {
    *("Sewing", "Dueling", "The Ottoman Empire", "Urbanism", "Beekeeping", "Survivalism"),
    *("Guerilla warfare", "Triathlons", "Gardening", "Knots"),
}
HEADER = "category,skill,definition,example\n"
INVENTORY = HEADER + "".join(
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
EVERYTHING = {"inventory": "all", "topics": "all", "ks": (1, 2, 3, 4, 5, 6), "rounds": 20}


def skill_prompt(**params: Any) -> Generator:
    return generator_class("skill_prompt")(**params)


def of_rounds(rounds: int, **params: Any) -> Problems:
    """All problems of a number of rounds."""
    generator = skill_prompt(rounds=rounds, **params)
    assert generator.space is not None
    return generator.draw(Rows.span(1, 0, generator.space))


def sets_of(problems: Problems) -> list[tuple[int, ...]]:
    columns = [problems.axes[f"skill_{j}"] for j in range(1, 7) if f"skill_{j}" in problems.axes]
    table = np.stack(columns, axis=1).tolist()
    return [tuple(row[:k]) for row, k in zip(table, problems.axes["k"].tolist(), strict=True)]


@pytest.mark.parametrize(
    "params",
    [
        {},
        EVERYTHING,
        {**HELD, "rounds": 40},
        {"strength": 3, "ks": (3, 5), "incompatible": ("metaphor x red_herring",), "rounds": 50},
        {"inventory": HEADER + "a,Ελπίδα (ἐλπίς),d,e\nb,(Ünder),d,e\nb,C c,d,e\n", "ks": (1, 2)},
    ],
)
def test_contract(params: dict[str, Any]) -> None:
    check_family("skill_prompt", params)


# Designs.


def schoenheim_bound(items: int, size: int, strength: int) -> int:
    """Fewest blocks that a covering design can have (1964)."""
    bound = 1
    for left in range(strength - 1, -1, -1):
        bound = ceil((items - left) * bound / (size - left))
    return bound


def skills_in(n: int) -> str:
    return HEADER + "".join(f"c,skill {i},d,e\n" for i in range(n))


@pytest.mark.parametrize(
    ("items", "k", "t", "bound"),
    [
        *((10, 3, 2, 17), (10, 4, 2, 8), (10, 4, 3, 30), (40, 3, 2, 267), (40, 4, 2, 130)),
        *((40, 4, 3, 2_470), (53, 3, 2, 460), (53, 4, 2, 239), (101, 2, 2, 5_050)),
        *((101, 3, 2, 1_684), (101, 4, 2, 859), (101, 5, 2, 505)),
    ],
)
def test_designs_are_small_even_and_complete(items: int, k: int, t: int, bound: int) -> None:
    assert schoenheim_bound(items, k, t) == bound
    problems = of_rounds(1, inventory=skills_in(items), ks=(k,), strength=t, key=1)
    assert bound <= len(problems) <= 1.25 * bound
    mixes = sets_of(problems)
    covered = {subset for mix in mixes for subset in combinations(mix, t)}
    assert covered == set(combinations(range(items), t))
    uses = Counter(skill for mix in mixes for skill in mix)
    assert max(uses.values()) - min(uses.values()) <= (2 if items == 10 else 8)


def test_every_round_covers_all_pairs_of_each_k() -> None:
    problems = of_rounds(20, ks=(2, 3, 4))
    sizes, rounds = problems.axes["k"], problems.axes["round"]
    mixes = np.array(sets_of(problems), dtype=object)
    for number in range(20):
        for size in (2, 3, 4):
            found = mixes[(rounds == number) & (sizes == size)]
            pairs = {pair for mix in found for pair in combinations(mix, 2)}
            assert pairs == set(combinations(range(10), 2)), (number, size)
    assert len(set(mixes[sizes == 4].tolist())) > 100  # of 210: rounds differ


def test_skills_meet_topics_equally_often() -> None:
    problems = of_rounds(200, ks=(3,))
    counts = np.zeros((10, 10), np.int64)
    for mix, topic in zip(sets_of(problems), problems.axes["topic"].tolist(), strict=True):
        counts[list(mix), topic] += 1
    assert counts.min() > 0.8 * counts.mean()
    assert counts.max() < 1.2 * counts.mean()


@pytest.mark.parametrize(("k", "topics"), [(2, "official"), (2, "all"), (4, "all"), (5, "all")])
def test_in_a_design_a_skill_meets_topics_equally_often(k: int, topics: str) -> None:
    problems = of_rounds(1, inventory="all", topics=topics, ks=(k,))
    counts = np.zeros((58, 10 if topics == "official" else 122), np.int64)
    for mix, topic in zip(sets_of(problems), problems.axes["topic"].tolist(), strict=True):
        counts[list(mix), topic] += 1
    assert np.ptp(counts, axis=1).max() == 1


def test_the_key_and_not_the_stream_chooses_mixes() -> None:
    one, other = (skill_prompt(key=key).draw(Rows.span(1, 0, 70)) for key in (0, 1))
    elsewhere = skill_prompt().draw(Rows.span(2, 0, 70))
    assert np.array_equal(one.keys, elsewhere.keys)
    assert not np.array_equal(one.keys, other.keys)
    style = Render("names", "none")
    texts = [skill_prompt().render(p, style).prompts.to_pylist() for p in (one, elsewhere)]
    assert texts[0] != texts[1]  # another order, another wording


@pytest.mark.parametrize("ks", [(2,), (2, 3, 4), (5,)])
def test_incompatible_skills_never_meet(ks: tuple[int, ...]) -> None:
    ids = [re.sub(r"\W+", "_", name.partition(" (")[0]) for name in OFFICIAL]
    pairs = ("metaphor x red_herring", "accident x metaphor", "Accident x Folk physics")
    problems = of_rounds(40, ks=ks, incompatible=pairs)
    barred = {(ids.index("metaphor"), ids.index("red_herring"))}
    barred |= {(ids.index("accident"), ids.index(name)) for name in ("metaphor", "folk_physics")}
    met = {pair for mix in sets_of(problems) for pair in combinations(mix, 2)}
    assert met == set(combinations(range(10), 2)) - barred


def test_where_all_skills_are_incompatible_there_are_no_mixes() -> None:
    inventory = skills_in(3)
    pairs = tuple(f"skill {i} x skill {j}" for i, j in combinations(range(3), 2))
    with pytest.raises(ParamError, match="no mix has 2 skills"):
        assert skill_prompt(inventory=inventory, ks=(2,), incompatible=pairs).space


# What is held out.


@pytest.mark.slow
def test_what_is_held_out_is_measured() -> None:
    problems = of_rounds(40, **HELD)
    axes = {name: column.tolist() for name, column in problems.axes.items()}
    mixes, topics = sets_of(problems), axes["topic"]
    held_skills = {i for i in range(18) if i % 3 == 0}  # ids rise as the rows of the inventory
    sets: dict[tuple[int, ...], int] = {}
    pairs: dict[tuple[int, ...], int] = {}
    cells: dict[tuple[int, int], int] = {}
    for i, mix in enumerate(mixes):
        assert axes["n_held_skills"][i] == len(held_skills & set(mix))
        assert sets.setdefault(mix, axes["tuple_held"][i]) == axes["tuple_held"][i]
        if len(mix) == 2:
            assert pairs.setdefault(mix, axes["n_held_pairs"][i]) == axes["n_held_pairs"][i]
        pool = ("train", "held", "all")[axes["skill_pool"][i]]
        assert pool != "train" or axes["n_held_skills"][i] + axes["n_held_pairs"][i] == 0
        assert pool != "held" or axes["n_held_skills"][i] == axes["k"][i]
        if not axes["n_held_cells"][i]:
            cells |= dict.fromkeys(((skill, topics[i]) for skill in mix), 0)
    for i, mix in enumerate(mixes):
        assert axes["n_held_pairs"][i] == sum(pairs[pair] for pair in combinations(mix, 2))
        held = sum(cells.get((skill, topics[i]), 1) for skill in mix)
        assert axes["n_held_cells"][i] <= held
    held_topics = {t for t, held in zip(topics, axes["topic_held"], strict=True) if held}
    assert len(held_topics) == HELD["held_topics"]
    assert sum(pairs.values()) == HELD["held_pairs"]
    assert 0.1 < np.mean(list(sets.values())) < 0.3


def test_the_open_size_is_that_of_the_largest_subset_that_training_may_have() -> None:
    problems = of_rounds(40, **HELD)
    mixes = sets_of(problems)
    set_held = dict(zip(mixes, problems.axes["tuple_held"].tolist(), strict=True))
    pairs = dict(zip(mixes, problems.axes["n_held_pairs"].tolist(), strict=True))

    def is_open(subset: tuple[int, ...]) -> bool:
        if any(skill % 3 == 0 for skill in subset):
            return False
        if any(pairs[pair] for pair in combinations(subset, 2)):
            return False
        return len(subset) < 3 or not set_held[subset]

    for mix, size in zip(mixes, problems.axes["open_size"].tolist(), strict=True):
        if any(triple not in set_held for triple in combinations(mix, 3)):
            continue  # no round has the triple, so whether it is held out is not known here
        sizes = [n for n in range(1, 4) if any(map(is_open, combinations(mix, n)))]
        assert size == max(sizes, default=0)


def test_a_larger_number_holds_out_the_same_and_more() -> None:
    few, many = (of_rounds(10, ks=(2,), held_pairs=n, held_topics=n) for n in (2, 4))
    for axis, name in (("n_held_pairs", "tuple"), ("topic_held", "topic")):
        held = [set(found.axes[name][found.axes[axis] > 0].tolist()) for found in (few, many)]
        assert [len(values) for values in held] == [2, 4]
        assert held[0] < held[1]


# Texts.


def test_prompt_and_rubric_show_the_same_mix() -> None:
    generator = skill_prompt()
    problems = generator.draw(Rows.span(3, 0, 300))
    derivations = derivation_text(problems.derivations, generator.signature).to_pylist()
    orders = []
    for style in generator.prompts:
        texts = generator.render(problems, Render(style, "none"))
        assert len(set(texts.templates.to_pylist())) == 6
        for i, (prompt, answer) in enumerate(
            zip(texts.prompts.to_pylist(), texts.answers.to_pylist(), strict=True)
        ):
            rubric, mix = json.loads(answer), sets_of(problems)[i]
            k = len(mix)
            assert list(rubric) == ["forbidden", "n_sentences", "rubric"]
            assert rubric["n_sentences"] == max(1, k - 1)
            lines = re.findall(r"\n- ([^:\n]+)((?:: .*)?)", prompt)
            names = [name for name, _ in lines]
            assert sorted(names) == [OFFICIAL[skill] for skill in mix]
            orders.append(names == sorted(names))
            assert rubric["forbidden"] == [name.partition(" (")[0] for name in names]
            assert [(": " in more, " Example: " in more) for _, more in lines] == [
                (style != "names", style == "examples")
            ] * k
            limit = ("one sentence", "two sentences", "three sentences")[max(1, k - 1) - 1]
            assert re.search(rf"\b{limit}\b", prompt)
            (topic,) = (topic for topic in TOPICS if re.search(rf'["\s]{topic}["\s]', prompt))
            assert f"on:{topic.replace(' ', '_')})" in derivations[i]
            assert rubric["rubric"] == [
                *({"kind": "skill", "text": f"Illustrates {n}", "weight": 1} for n in names),
                {"kind": "topic", "text": f"Pertains to {topic}", "weight": 1},
                {"kind": "sense", "text": "Makes sense", "weight": 1},
                {"kind": "length", "text": f"Has at most {limit_of(limit)}", "weight": 1},
            ]
    assert 0.1 < np.mean(orders) < 0.4  # shuffled


def limit_of(words: str) -> str:
    number, noun = words.split()
    return f"{('one', 'two', 'three').index(number) + 1} {noun}"


def test_the_shipped_inventory_and_topics() -> None:
    assert set(skill_prompt().signature.names[6:16]) == {
        f"on:{t.replace(' ', '_')}" for t in TOPICS
    }
    generator = skill_prompt(**EVERYTHING)
    texts = generator.render(generator.draw(Rows.span(1, 0, 8_000)), Render("examples", "none"))
    lines = {line for text in texts.prompts.to_pylist() for line in re.findall(r"\n(- .*)", text)}
    skills = [re.fullmatch(r"- ([^:]+): (.+\.) Example: (.+[.?])", line) for line in lines]
    assert len(skills) == 58
    assert len({match[2] for match in skills if match}) == 58
    assert {match[1] for match in skills if match} > set(OFFICIAL)
    assert len([name for name in generator.signature.names if name.startswith("on:")]) == 122


# Params.


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"inventory": "offical"}, "inventory"),
        ({"inventory": 5}, "inventory"),
        ({"inventory": "category,skill\n"}, "inventory"),
        ({"topics": "Bread"}, "topics"),
        ({"topics": "Bread.\n"}, "topics"),
        ({"topics": "Bread (brown)\n"}, "topics"),
        ({"topics": "Salt mines\nSalt_mines\n"}, "topics"),
        ({"inventory": HEADER + "a,Mix 2,d,e\na,mix2,d,e\nb,C c,d,e\n", "ks": (2,)}, "inventory"),
        ({"ks": ()}, "ks"),
        ({"ks": (3, 2)}, "ks"),
        ({"ks": (2, 2)}, "ks"),
        ({"ks": (2, 7)}, "ks"),
        ({"ks": "23"}, "ks"),
        ({"held_categories": ("logic",)}, "held_categories"),
        ({"held_categories": "logical"}, "held_categories"),
        ({"strength": 4}, "strength"),
        ({"rounds": 0}, "rounds"),
        ({"held_skills": 10}, "held_skills"),
        ({"held_topics": 10}, "held_topics"),
        ({"held_pairs": 23}, "held_pairs"),
        ({"held_cells": 51}, "held_cells"),
        ({"held_tuples": 0.6}, "held_tuples"),
        ({"held_tuples": True}, "held_tuples"),
        ({"max_train_k": 7}, "max_train_k"),
        ({"incompatible": ("metaphor",)}, "incompatible"),
        ({"incompatible": ("metaphor x metaphor",)}, "incompatible"),
        ({"incompatible": ("metaphor x zeugma",)}, "incompatible"),
        ({"key": -1}, "key"),
    ],
)
def test_faulty_params_are_rejected(params: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamError) as caught:
        skill_prompt(**params)
    assert caught.value.name == name


def test_too_few_skills_for_a_mix() -> None:
    with pytest.raises(ParamError, match=r"^ks=.*at most the 2 skills"):
        skill_prompt(inventory=skills_in(2))
    assert skill_prompt(inventory=skills_in(2), ks=(1, 2)).space


def test_too_many_subsets() -> None:
    with pytest.raises(ParamError, match="at most 5,000,000 subsets"):
        assert skill_prompt(inventory=skills_in(700), ks=(4,), strength=3).space


# Inventories of users.

TOML = """
# my own
[[skill]]
skill = "zeugma"
category = "literary"
definition = "One verb, two objects."
example = "She lost her hat and her nerve."

[[skill]]
name = "bathos"
category = "literary"
definition = "From the high to the low."
example = "He gave his life and his umbrella."
status = "keep"

[[skill]]
name = "gone"
status = "remove"
"""
FULL_HEADER = "category,skill,definition,example,comments,status,added by,id\n"
PUBLISHED = (
    FULL_HEADER
    + 'literary, zeugma ,"One verb,\n two objects.",She lost her hat and her nerve.,,,me,7\n'
    + "literary,bathos,From the high to the low.,He gave his life and his umbrella.,,ok,\n"
    + "logical,left out,d,e,,In Review,\n"
    + "logical,left out too,d,e,,remove,\n"
    + "logical,and this,d,e,, maybe ,\n"
)
LINES = {
    "- zeugma: One verb, two objects. Example: She lost her hat and her nerve.",
    "- bathos: From the high to the low. Example: He gave his life and his umbrella.",
}


@pytest.mark.parametrize("text", [PUBLISHED, TOML, "\ufeff" + PUBLISHED, "\n" + PUBLISHED])
def test_inventories_as_csv_and_as_toml(text: str) -> None:
    generator = skill_prompt(inventory=text, ks=(2,))
    assert generator.signature.names[-2:] == ("bathos", "zeugma")
    texts = generator.render(generator.draw(Rows.span(1, 0, 1)), Render("examples", "none"))
    assert set(re.findall(r"\n(- .*)", texts.prompts[0].as_py())) == LINES


def test_a_toml_inventory_may_give_ids() -> None:
    named = TOML.replace('name = "bathos"', 'name = "bathos"\nid = "anticlimax"')
    assert skill_prompt(inventory=named, ks=(2,)).signature.names[-2:] == ("anticlimax", "zeugma")
    with pytest.raises(ParamError, match="line 9, column id"):
        skill_prompt(inventory=named.replace("anticlimax", "Anti climax"), ks=(2,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("category,skill,definition\na,b,c\n", "line 1, column example.*in the header"),
        ("category,skil,definition,example\n", "line 1, column skill.*is it 'skil'"),
        (HEADER + "a,one,,e\n", "line 2, column definition"),
        (HEADER + 'a,"x\ny",d,e\na,two,d,\n', "line 4, column example"),
        (HEADER + "a,one,d,e\n\nb,ONE (again),d,e\n", "line 4, column skill.*that of line 2"),
        (HEADER + "a,on: e,d,e\n", "line 2, column skill.*without colons"),
        (HEADER + "a,--,d,e\n", "line 2, column skill.*a letter"),
        (HEADER + "a,b,d,e,c,s,x,y\n", "line 2, column 5.*at most 4 columns"),
        (HEADER + 'a,"b,d,e\n', "line 2.*CSV"),
        (HEADER + "a,one,d,e\n", "1 skills.*2 to 1,000"),
        ("\n", "0 skills"),
        ('[[skill]]\nname = "x"\nexampel = "e"\n', "line 1, column exampel.*mean 'example'"),
        ('\n[[skill]]\nname = 5\ncategory = "c"\n', "line 2, column"),
        ('[[skill]]\nname = "x\n', "TOML"),
    ],
)
def test_faults_of_inventories_name_line_and_column(text: str, message: str) -> None:
    with pytest.raises(ParamError, match=message) as caught:
        skill_prompt(inventory=text)
    assert caught.value.name == "inventory"


def test_topics_one_on_each_line() -> None:
    names = skill_prompt(topics=" Bread\n\n  Salt  mines \n").signature.names
    assert names[6:8] == ("on:Bread", "on:Salt_mines")
    for text, message in (
        ("Bread\nBread", "line 2.*line 1"),
        ("Bread, butter\n", "line 1.*punctuation"),
        ("x" * 61 + "\n", "line 1.*at most 60"),
        ("\n\n", "0 topics"),
    ):
        with pytest.raises(ParamError, match=message) as caught:
            skill_prompt(topics=text)
        assert caught.value.name == "topics"


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


def test_a_recipe_with_an_inventory_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "skills.csv"
    path.write_text(INVENTORY, encoding="utf-8")
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
    assert largest_seen(train, unseen) == columns["k3_b_topicseen"]["open_size"]
    (found,) = coverage(train, held)
    assert found.largest_seen == (50, 0, 0, 0)
    path.write_text(INVENTORY + "group 1,no definition,,e\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"small.toml:7: .*files.inventory.*line 20, column"):
        plan_of(write_recipe(tmp_path, RECIPE))
