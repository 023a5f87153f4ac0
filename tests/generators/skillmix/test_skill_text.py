"""Texts with skills: plans, limits, negatives and what is held out."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthgen.core.contract import Problems, Render, Texts
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows
from synthgen.core.skill_inventory import shipped_skills
from synthgen.core.skill_lexicon import topics
from synthgen.engine.kept import valid_ones
from synthgen.generators.skillmix._text_pieces import (
    ALONE,
    AROUND,
    IMPLIES,
    JOINTS,
    PIECES,
    can_stand_together,
    reason_against,
)
from synthgen.generators.skillmix._text_plan import TextPlan, make_plan, most_sentences
from synthgen.generators.skillmix.skill_text import SkillText
from synthgen.verifiers.skillmix._points import count_sentences
from synthgen.verifiers.skillmix._skills import CHECKERS
from synthgen.verifiers.skillmix.skill_text import VERIFIER

NEGATIVES = Render("instruction", "negatives")
NAMES = {skill.id: skill.name.partition("(")[0].strip().lower() for skill in shipped_skills()}


def told(generator: SkillText, n: int = 200, style: Render = NEGATIVES) -> tuple[Problems, Texts]:
    problems = valid_ones(generator.draw(Rows.span(11, 0, n)))
    return problems, generator.render(problems, style)


def test_there_are_skills_enough_and_each_has_a_checker_and_an_entry() -> None:
    known = {skill.id for skill in shipped_skills() if skill.checker}
    assert len(PIECES) >= 30
    assert set(PIECES) == set(CHECKERS) == known
    kinds = {piece.kind for piece in PIECES.values()}
    assert kinds == {"frame", "figure", "lexical", "constraint"}
    assert all(piece.wordings >= 8 for piece in PIECES.values() if piece.kind == "frame")
    assert {joint.way for joints in JOINTS.values() for joint in joints} >= {"chain"}
    for pair, joints in JOINTS.items():
        assert reason_against(*pair) is None, pair
        assert all(joint.skills == pair for joint in joints)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8])
def test_texts_are_short_and_name_no_skill(k: int) -> None:
    problems, _ = told(SkillText(ks=(k,)), 150)
    plans: list[TextPlan] = problems.parts["plans"]
    assert len(plans) > 100
    for plan in plans:
        text = plan.tell()
        assert len(plan.skills) == len(set(plan.skills)) == k
        assert count_sentences(text) == len(plan.sentences) <= max(1, k - 1) == most_sentences(k)
        assert not [skill for skill in PIECES if NAMES[skill] in text.lower()]


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_nearly_every_text_is_sound(k: int) -> None:
    """The checkers turn down the few texts in which words meet by chance."""
    _, texts = told(SkillText(ks=(k,)), 300)
    found = VERIFIER.measure(texts.prompts, texts.answers, texts.solutions)
    assert found["sound"].mean() > 0.97


@pytest.mark.parametrize("skill", sorted(PIECES.keys() - AROUND))
def test_a_constraint_goes_around_any_other_skill(skill: str) -> None:
    pair = ("inclusio", skill)
    problems, texts = told(SkillText(ks=(2,), skills=pair), 60)
    assert (len(problems) > 50) == can_stand_together(pair)
    for plan in problems.parts["plans"]:
        opening, *_, closing = plan.tell()[:-1].lower().split("; ")
        assert opening == closing
        assert plan.tell(skill)[:-1].lower().endswith(closing)
        assert not plan.tell("inclusio")[:-1].lower().endswith(closing)
    found = VERIFIER.measure(texts.prompts, texts.answers, texts.solutions)
    assert not len(problems) or found["sound"].mean() > 0.9


def test_what_a_constraint_ends_is_no_question_and_nothing_that_stands_alone() -> None:
    for others in (("complex_question", "litotes"), ("epanalepsis", "litotes", "simile")):
        skills = ("inclusio", *others)
        problems, texts = told(SkillText(ks=(len(skills),), skills=skills), 80)
        assert len(problems) > 20
        assert VERIFIER.measure(texts.prompts, texts.answers, texts.solutions)["sound"].all()
        for plan in problems.parts["plans"]:
            assert plan.around is not None
            assert plan.sentences[-1][-1].source.mark == "."
            assert ALONE.isdisjoint(plan.sentences[0][0].skills + plan.sentences[-1][-1].skills)


def test_negatives_lack_one_skill_each_and_differ_from_the_text() -> None:
    problems, texts = told(SkillText(ks=(3,)), 100)
    for plan, answer, way in zip(
        problems.parts["plans"],
        texts.answers.to_pylist(),
        (texts.solutions or []).to_pylist(),
        strict=True,
    ):
        negatives = json.loads(way)
        assert [one["points"] for one in negatives] == [
            [0, 1, 1, 1, 1, 1],
            [1, 0, 1, 1, 1, 1],
            [1, 1, 0, 1, 1, 1],
        ]
        assert len({answer, *(one["text"] for one in negatives)}) == 1 + len(plan.skills)


def test_wrong_negatives_are_refused_in_batches_and_alone() -> None:
    """Of three texts and their negatives, by what is done to a solution."""
    _, texts = told(SkillText(ks=(3,)), 3)
    assert texts.solutions is not None
    ways = texts.solutions.to_pylist()
    canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    changed = [ways]
    for change in (
        lambda found: found[::-1],
        lambda found: found[:2],
        lambda found: found[:2] * 2,
        lambda found: [found[0] | {"text": "Nobody spoke."}, *found[1:]],
        lambda found: [found[0] | {"points": [True, *found[0]["points"][1:]]}, *found[1:]],
        lambda found: [found[0] | {"points": list(map(bool, found[0]["points"]))}, *found[1:]],
        lambda found: [found[0] | {"points": list(map(float, found[0]["points"]))}, *found[1:]],
        lambda found: [found[0] | {"more": 1}, *found[1:]],
    ):
        changed.append([canonical(change(json.loads(way))) for way in ways])
    changed.append([f"{way} " for way in ways])
    for told_ways in changed:
        row = texts.prompts, texts.answers, pa.array(told_ways)
        right = [told_ways is ways] * len(ways)
        assert VERIFIER.check(*row).tolist() == right
        assert VERIFIER.measure(*row)["sound"].tolist() == right


def test_equal_content_is_one_problem_in_whatever_order_it_is_told() -> None:
    draws = RowDraws(5)
    skills = ("asyndeton", "epizeuxis", "modus_ponens")
    plan = make_plan(draws, skills, topics()[0])
    assert plan is not None
    turned = TextPlan(plan.topic, skills[::-1], plan.sentences[::-1])
    assert turned.content() == plan.content()
    assert turned.tell() != plan.tell() or len(plan.sentences) == 1


def test_what_cannot_stand_together_is_never_drawn() -> None:
    problems, _ = told(SkillText(ks=(2, 4)), 300)
    for plan in problems.parts["plans"]:
        for pair in combinations(plan.skills, 2):
            assert reason_against(*pair) is None
        assert len(plan.skills) > 2 or not ALONE.intersection(plan.skills)
    first, implied = next(iter(IMPLIES.items()))
    assert "always shows" in (reason_against(first, min(implied)) or "")


@pytest.mark.parametrize("form", ["write", "grade", "choose"])
@pytest.mark.parametrize("prompt", ["instruction", "defined"])
def test_every_form_is_verified(form: str, prompt: str) -> None:
    _, texts = told(SkillText(ks=(1, 3), form=form), 120, Render(prompt, "none"))
    right = VERIFIER.check(texts.prompts, texts.answers, texts.solutions)
    assert right.mean() > 0.97
    other = {"A": "B", "B": "A"}
    wrong = [other.get(answer, answer + " 1") for answer in texts.answers.to_pylist()]
    if form != "write":
        assert not VERIFIER.check(texts.prompts, pa.array(wrong), None).any()


def test_marks_are_full_for_half_of_the_texts() -> None:
    _, texts = told(SkillText(ks=(3,), form="grade"), 400, Render("instruction", "none"))
    full = [answer == "1 1 1 1 1 1" for answer in texts.answers.to_pylist()]
    assert 0.4 < np.mean(full) < 0.6


@given(st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=15, deadline=None)
def test_more_pairs_held_out_include_fewer(one: int, other: int) -> None:
    few, many = sorted((one, other))
    smaller = SkillText(held_pairs=few)._choices.held_pairs
    larger = SkillText(held_pairs=many)._choices.held_pairs
    assert len(smaller) == few
    assert smaller <= larger


def test_axes_count_what_is_held_out() -> None:
    generator = SkillText(ks=(2,), held_categories=("logical",), held_pairs=300, held_topics=30)
    problems, texts = told(generator, 400)
    logical = {skill.id for skill in shipped_skills() if skill.category == "logical"}
    choices = generator._choices
    for i, plan in enumerate(problems.parts["plans"]):
        pair = (min(plan.skills), max(plan.skills))
        assert problems.axes["n_held_asked"][i] == len(logical.intersection(plan.skills))
        assert problems.axes["n_held_pairs_asked"][i] == (pair in choices.held_pairs)
        assert problems.axes["topic_held"][i] == (plan.topic.name in choices.held_topics)
    assert {0, 1, 2} == set(problems.axes["n_held_asked"].tolist())
    found = VERIFIER.measure(texts.prompts, texts.answers, texts.solutions)
    axes = generator.measured_axes(found)
    sound = found["sound"]
    assert (axes["n_held_shown"] >= problems.axes["n_held_asked"])[sound].all()
    assert (axes["n_shown"] >= problems.axes["k"])[sound].all()
    assert set(axes) | set(problems.axes) == set(generator.axes)


@pytest.mark.parametrize(
    ("params", "told_of"),
    [
        ({"ks": ()}, "ks=()"),
        ({"ks": (0,)}, "ks=0"),
        ({"ks": (9,)}, "ks=9"),
        ({"ks": (2, 2)}, "ks=(2, 2)"),
        ({"ks": (3,), "skills": ("anaphora", "asyndeton")}, "at most the 2 skills"),
        ({"skills": ("anaphor",)}, "did you mean 'anaphora'"),
        ({"topics": ("Sewin",)}, "did you mean 'Sewing'"),
        ({"held_categories": ("logic",)}, "did you mean 'logical'"),
        ({"held_pairs": -1}, "held_pairs=-1"),
        ({"held_pairs": 10**6}, "held_pairs=1000000"),
        ({"held_topics": 1000}, "held_topics=1000"),
        ({"form": "poem"}, "form='poem'"),
    ],
)
def test_bad_params_are_refused(params: dict[str, object], told_of: str) -> None:
    with pytest.raises(ParamError, match=told_of.replace("(", r"\(").replace(")", r"\)")):
        SkillText(**params)  # type: ignore[arg-type]
