"""Decomposed questions: contracts, worked examples, worlds as published, and new combinations."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import synthgen
from synthgen.authoring import Problem, grade
from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from synthgen.training.reward import judge
from tests.building import build_bundled
from tests.families.verdicts import answer, check_every_line_counts


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("decomposition", {"size": 50, "level": True}),
        ("decomposition", {"task": "implicit", "size": 60}),
        ("decomposition", {"task": "numeric", "size": 60}),
        ("decomposition_numbers", {"level": True}),
    ],
)
def test_contract(name: str, params: dict[str, Any]) -> None:
    check_family(name, params, rows=60)


LISTS = (
    "A text and a table state some facts.\n\n{}\n\n{}\n\n{}Find all {}. Answer with a list in "
    "alphabetical order, such as [Ann, Bob]."
)
NUMBERS = "A text and a table state some facts.\n\n{}\n\n{}\n\nFind the {}. Give only the number."
USED = (
    "A person is likely to have used (1) objects that were invented before the year in which the "
    "person died, (2) objects that are used in a field leading to the person's occupation, and (3) "
    "objects that are used by an occupation that requires the person's subject. The facts above "
    "settle only one of the three.\n\n"
)
PEOPLE = (
    "Kelabin comes from Toravo. Toravo is the home country of Selagar. Selagar was a producer of "
    "Marodra. Kelabin produced the movie Corixa. Marodra was produced by Kelabin. "
    "Ralafen comes from Dendra. Corixa was produced by Ralafen."
)
AWARDS = (
    "movie: Marodra; award: Velkit\nmovie: Corixa; award: Balkit\nmovie: Zelofen; award: Wintis"
)
LIVES = (
    "Kelabin died in 1920. Ralafen lived until 1935. Kelabin worked as a Sonbin. Norgar is a field "
    "that leads to the occupation Sonbin. Normont is a field that leads to the occupation Sonbin."
)
YEARS = (
    "object: Halvo; year of invention: 1919\nobject: Farkit; year of invention: 1920\n"
    "object: Dentis; year of invention: 1901"
)
FIELDS = "object: Halvo; used in the field: Normont\nobject: Dentis; used in the field: Norgar"
THROWS = (
    "Kelabin threw the discus 61.5 m. Ralafen reached 70.1 m with the discus. 58.0 m is the length "
    "of a discus throw by Kelabin. Selagar threw the discus 60.9 m."
)
NATIONS = (
    "discus thrower: Kelabin; nation: Toravo\ndiscus thrower: Ralafen; nation: Dendra\n"
    "discus thrower: Selagar; nation: Toravo"
)

PATH = (
    "(select) [text] people from Toravo: [Kelabin, Selagar]",
    "(project) [text] movies that #1 produced: [Corixa, Marodra]",
    "(project) [table] awards of #2: [Balkit, Velkit]",
)
BEFORE = (
    "(select) [text] year in which Kelabin died: [1920]",
    "(select) [table] objects and the years of their invention: "
    "[Dentis: 1901, Farkit: 1920, Halvo: 1919]",
    "(filter) [math] objects in #2 with a year before #1: [Dentis, Halvo]",
)
WORK = (
    "(select) [text] occupation of Kelabin: [Sonbin]",
    "(project) [text] fields that lead to #1: [Norgar, Normont]",
    "(project) [table] objects used in #2: [Dentis, Halvo]",
)
LONGER = (
    "(select) [text] discus throwers: [Kelabin, Ralafen, Selagar]",
    "(project) [text] discus throws of each of #1: "
    "[Kelabin: 58.0 61.5, Ralafen: 70.1, Selagar: 60.9]",
    "(project) [math] longest throw of each person in #2: "
    "[Kelabin: 61.5, Ralafen: 70.1, Selagar: 60.9]",
    "(filter) [math] people in #3 with more than 60.9: [Kelabin, Ralafen]",
)
NATION = (
    "(select) [table] discus throwers from Toravo: [Kelabin, Selagar]",
    "(project) [text] discus throws of #1: [58.0, 60.9, 61.5]",
    "(select) [math] longest of #2: 61.5",
)
GAP = (
    *NATION,
    "(select) [math] shortest of #2: 58.0",
    "(select) [math] difference of #3 and #4: 3.5",
)
OF_BEST = (
    *NATION,
    "(select) [table] discus throwers from Dendra: [Ralafen]",
    "(project) [text] discus throws of #4: [70.1]",
    "(select) [math] longest of #5: 70.1",
    "(select) [math] difference of #3 and #6: 8.6",
)
COUNT = (
    "(select) [text] discus throws: [58.0, 60.9, 61.5, 70.1]",
    "(filter) [math] throws in #1 below 61.5: [58.0, 60.9]",
    "(select) [math] number of throws in #2: 2",
)
PRODUCED = "awards of movies that people from Toravo produced"
LIKELY = "objects that Kelabin is likely to have used"
WIDEST = (
    "difference in meters between the longest and the shortest discus throw by throwers from {}"
)
BETWEEN = (
    "difference in meters between the longest discus throw by throwers from Toravo and the longest "
    "by throwers from Dendra"
)


@pytest.mark.parametrize(
    ("prompt", "gold", "lines"),
    [
        (LISTS.format(PEOPLE, AWARDS, "", PRODUCED), "[Balkit, Velkit]", PATH),
        (LISTS.format(LIVES, YEARS, USED, LIKELY), "[Dentis, Halvo]", BEFORE),
        (LISTS.format(LIVES, FIELDS, USED, LIKELY), "[Dentis, Halvo]", WORK),
        (
            LISTS.format(THROWS, NATIONS, "", "people with a discus throw longer than 60.9 m"),
            "[Kelabin, Ralafen]",
            LONGER,
        ),
        (NUMBERS.format(THROWS, NATIONS, WIDEST.format("Toravo")), "3.5", GAP),
        (NUMBERS.format(THROWS, NATIONS, BETWEEN), "8.6", OF_BEST),
        (
            NUMBERS.format(THROWS, NATIONS, "number of discus throws shorter than 61.5 m"),
            "2",
            COUNT,
        ),
    ],
)
def test_worked_examples(prompt: str, gold: str, lines: tuple[str, ...]) -> None:
    name = "decomposition" if gold.startswith("[") else "decomposition_numbers"
    assert answer(name, prompt) == gold
    check_every_line_counts(name, prompt, gold, [*lines])


@pytest.mark.parametrize(
    "prompt",
    [
        LISTS.format(PEOPLE, AWARDS, "", PRODUCED.replace("Toravo", "Velkit")),
        LISTS.format(PEOPLE, AWARDS, "", PRODUCED.replace("produced", "wrote")),
        LISTS.format(PEOPLE, AWARDS, USED, PRODUCED),
        LISTS.format(f"{PEOPLE} Kelabin comes from Toravo.", AWARDS, "", PRODUCED),
        LISTS.format(f"{PEOPLE} Kelabin likes Toravo.", AWARDS, "", PRODUCED),
        LISTS.format(f"{PEOPLE} Kelabin.", AWARDS, "", PRODUCED),
        LISTS.format(LIVES, YEARS, "", LIKELY),
        LISTS.format(LIVES, f"{YEARS}\n{FIELDS}", USED, LIKELY),
        LISTS.format(LIVES, AWARDS, USED, LIKELY),
        LISTS.format(LIVES, YEARS, USED, LIKELY.replace("Kelabin", "Selagar")),
    ],
)
def test_questions_without_an_answer(prompt: str) -> None:
    assert answer("decomposition", prompt) is None


def test_one_throw_has_no_gap() -> None:
    prompt = NUMBERS.format(THROWS, NATIONS, WIDEST.format("Dendra"))
    assert answer("decomposition_numbers", prompt) is None


def test_items_are_graded_in_the_order_that_the_prompt_asks_for() -> None:
    assert grade("[Balkit,Velkit]", "[Balkit, Velkit]", "list") == 1
    assert grade("[Velkit, Balkit]", "[Balkit, Velkit]", "list") == 0


def drawn(**params: Any) -> list[Problem]:
    problems = generator_class("decomposition")(**params).draw(Rows.span(5, 0, 40))
    return [one for one in problems.parts["made"] if one]


def test_worlds_have_the_published_sizes_and_cardinalities() -> None:
    for one in drawn():
        facts = one.data.world.facts
        counts = {kind: len(found) for kind, found in facts.items()}
        assert max(counts[kind] for kind in ("actor", "wrote", "producer")) <= 32
        assert (counts["released"], counts["director"], counts["movie_award"]) == (16, 16, 16)
        assert (counts["person_award"], counts["born"], counts["nation"]) == (10, 10, 10)
        assert len({movie for movie, _ in facts["released"]}) == 16
        shares = Counter(year for _, year in facts["released"])
        assert (len(shares), {*shares.values()}) == (10, {1, 2})


def test_only_one_conclusion_is_possible() -> None:
    rivals = (
        {"died/invented", "occupation/^leads/^used_in", "studied/trains/^used_by"},
        {"founded/developed/kind", "technology/enables/kind", "founded/makes/^made_of"},
    )
    for one in drawn(task="implicit"):
        kinds = {*one.data.world.facts}
        theories = next(group for group in rivals if one.axes["theory"] in group)
        possible = {text for text in theories if {*text.replace("^", "").split("/")} <= kinds}
        assert possible == {one.axes["theory"]}


def test_new_combinations_have_hops_of_training_only(tmp_path: Path) -> None:
    rows = build_bundled("commaqa-explicit", tmp_path / "out", scale=0.005)
    hops = {
        split: {hop for row in found for hop in row["theory"].split("/")}
        for split, found in rows.items()
    }
    theories = {split: {row["theory"] for row in found} for split, found in rows.items()}
    assert not theories["test_composed"] & theories["train"]
    assert hops["test_composed"] <= hops["train"]
    assert hops["test_new_hop"] - hops["train"] == {"director"}


def test_derivations_have_every_hop() -> None:
    family = generator_class("decomposition_numbers")()
    made = family.draw(Rows.span(5, 0, 60)).parts["made"]
    trees = {one.axes["theory"]: one.tree[-1] for one in made if one}
    name, (sport, (hop, _)) = trees["gap_of_nation/javelin"]
    assert (name, sport, hop) == ("gap_of_nation", "javelin", "^javelin_nation")
    assert [part[0] for part in trees["gap_of_best/discus"][1:]] == ["discus", "discus"]
    assert trees["gap_of_person/discus"][1][0] == "discus"


def test_lengths_may_be_in_meters() -> None:
    for row in synthgen.generate("decomposition_numbers", 20, seed=1):
        prompt, answer, kind = row["prompt"], row["answer"], row["answer_type"]
        is_length = "difference in meters" in prompt
        for text in (f"{answer} m", f"\\boxed{{{answer}\\text{{ m}}}}", f"{answer} metres"):
            assert judge(text, answer, kind).score == float(is_length)
        assert judge(f"{answer} km", answer, kind).score == 0.0
