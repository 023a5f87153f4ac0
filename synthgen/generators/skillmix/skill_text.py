"""Short texts that show k skills, with a checker for each skill and no model to judge them.

A text is planned (content and wording of a segment for each skill, some pairs in one segment) and
told from closed grammars. For each of its skills it can also be told without that skill alone: k
graded negatives of every text. The family follows SKILL-MIX (Yu et al. 2023): k skills, one topic,
at most max(1, k - 1) sentences, k + 3 points. What a text shows is measured by the checkers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_choice, check_int
from synthgen.core.columns import choice_text, constant_text, text_list
from synthgen.core.conditions import Condition, one_of
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws, Rows
from synthgen.core.skill_inventory import Skill, shipped_skills
from synthgen.generators.skillmix._text_codes import Coder
from synthgen.generators.skillmix._text_params import Choices, choices_of
from synthgen.generators.skillmix._text_pieces import PIECES
from synthgen.generators.skillmix._text_plan import TextPlan, make_plan, most_sentences
from synthgen.generators.skillmix._text_prompts import WORDINGS, listed, told_limit

MOST_SKILLS = 8
_DRAWS_OF_SKILL = 13
"""Draws that most rows make at most for each skill of the longest texts."""
_DRAWS_OF_FORM = 2
"""Draws that a row makes for what its prompt gives."""
_JSON = json.JSONEncoder(ensure_ascii=False)
_FORMS = ("write", "grade", "choose")


@dataclass(frozen=True)
class SkillText:
    """Texts with skills that can be checked.

    Attributes:
        ks: numbers of skills, drawn with equal probability.
        skills: ids that are drawn from; none stand for all.
        topics: names; none stand for all.
        held_categories: whose skills the axes count as held out.
        held_pairs: number of pairs of skills that are held out.
        held_topics: number of topics that are held out.
        form: "write" (the answer is the text), "grade" (the text is given, whole or without one
            skill; the answer is its k + 3 points) or "choose" (both are given).
    """

    ks: tuple[int, ...] = (1, 2, 3, 4, 5)
    skills: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    held_categories: tuple[str, ...] = ()
    held_pairs: int = 0
    held_topics: int = 0
    form: str = "write"

    version: ClassVar[int] = 2
    domain: ClassVar[str] = "skill_text"
    verifier: ClassVar[str] = "skill_text"
    prompts: ClassVar[tuple[str, ...]] = ("instruction", "defined")
    solutions: ClassVar[tuple[str, ...]] = ("none", "negatives")
    conditions: ClassVar[Mapping[str, Condition]] = {"k": one_of("ks")}
    block: ClassVar[int] = 1024
    costly: ClassVar[bool] = True
    measured: ClassVar[bool] = True
    fewest_problems: ClassVar[int | None] = None
    space: ClassVar[int | None] = None

    def __post_init__(self) -> None:
        if not self.ks or len(set(self.ks)) != len(self.ks):
            raise ParamError("ks", self.ks, f"different numbers from 1 to {MOST_SKILLS}")
        for k in self.ks:
            check_int("ks", k, 1, MOST_SKILLS)
        check_choice("form", self.form, _FORMS)
        if max(self.ks) > len(self._choices.skills):
            raise ParamError("ks", self.ks, f"at most the {len(self._choices.skills)} skills")

    @cached_property
    def _choices(self) -> Choices:
        return choices_of(
            self.skills, self.topics, self.held_categories, self.held_pairs, self.held_topics
        )

    @property
    def signature(self) -> Signature:
        """Mixes of a topic, skills in alphabetical order, and digits that stand for the content."""
        return _coder().signature

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Numbers of skills, what is held out, and what the checkers find."""
        most = max(self.ks)
        asked = {
            "k": Axis("skills asked for", low=min(self.ks), high=most),
            "n_sentences": Axis("sentences of the text", low=1, high=most, canonical=False),
            "n_joint": Axis("segments with two skills", low=0, high=most // 2, canonical=False),
            "topic_held": Axis("1 if the topic is held out", low=0, high=1),
            "n_held_asked": Axis("skills asked for that are held out", low=0, high=most),
            "n_held_pairs_asked": Axis("pairs asked for that are held out", low=0),
        }
        found = {
            "n_shown": _found_axis("skills that the checkers find"),
            "n_held_shown": _found_axis("held-out skills that the checkers find"),
            "n_held_pairs_shown": _found_axis("held-out pairs that the checkers find"),
        }
        each = {f"shows_{i}": _found_axis(f"1 if a checker finds {i}", high=1) for i in _IDS}
        return asked | found | each

    def draw(self, rows: Rows) -> Problems:
        """Plan a text for each row."""
        plans = [self._plan(draws) for draws in rows.each(_DRAWS_OF_SKILL * max(self.ks))]
        codes = _coder().derivations(plans)
        names = [name for name in self.axes if not _is_found(name)]
        facts = [self._facts(plan) if plan else (0,) * len(names) for plan in plans]
        columns = np.array(facts, np.int16).reshape(-1, len(names))
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes={name: columns[:, i].copy() for i, name in enumerate(names)},
            difficulty=columns[:, 0].copy(),
            valid=np.array([plan is not None for plan in plans], bool),
            parts={"plans": plans},
        )

    def _plan(self, draws: RowDraws) -> TextPlan | None:
        choices = self._choices
        skills = choices.draw_skills(draws, draws.choice(self.ks))
        return make_plan(draws, skills, draws.choice(choices.topics)) if skills else None

    def _facts(self, plan: TextPlan) -> tuple[int, ...]:
        held, pairs = self._choices.held_among(plan.skills)
        joint = len(plan.skills) - len(plan.segments())
        topic = plan.topic.name in self._choices.held_topics
        return len(plan.skills), len(plan.sentences), joint, int(topic), held, pairs

    def measured_axes(self, found: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.int16]]:
        """Return the axes that follow from what the checkers found, a bool (n,) for each skill."""
        shown = {i: found[f"shows_{i}"].astype(np.int16) for i in _IDS}
        held = [shown[i] for i in sorted(self._choices.held_skills)]
        pairs = [shown[a] * shown[b] for a, b in sorted(self._choices.held_pairs)]
        zero = np.zeros(len(found["sound"]), np.int16)
        return {
            "n_shown": sum(shown.values(), zero),
            "n_held_shown": sum(held, zero),
            "n_held_pairs_shown": sum(pairs, zero),
            **{f"shows_{i}": column for i, column in shown.items()},
        }

    def render(self, problems: Problems, style: Render) -> Texts:
        """Ask for the texts, and tell them."""
        plans: list[TextPlan] = problems.parts["plans"]
        wordings = WORDINGS[self.form]
        chosen = problems.rows.branch("wording").draws().integers(0, len(wordings))
        fill, defined = _FORM[self.form], style.prompt == "defined"
        told: list[tuple[str, str]] = []
        for plan, wording, draws in zip(
            plans, chosen.tolist(), problems.rows.branch("text").each(_DRAWS_OF_FORM), strict=True
        ):
            fields, answer = fill(plan, draws)
            prompt = wordings[wording].format_map(_asked(plan) | fields)
            told.append((prompt + _definitions(plan) if defined else prompt, answer))
        names = [f"{self.form}_{style.prompt}_{i + 1}" for i in range(len(wordings))]
        negatives = style.solution == "negatives" and self.form == "write"
        return Texts(
            prompts=text_list([prompt for prompt, _ in told]),
            answers=text_list([answer for _, answer in told]),
            answer_types=constant_text("text" if self.form == "write" else "string", len(told)),
            templates=choice_text(chosen, names),
            solutions=text_list([negatives_of(plan) for plan in plans]) if negatives else None,
        )


@cache
def _coder() -> Coder:
    return Coder(PIECES, MOST_SKILLS)


_IDS = tuple(sorted(PIECES))


@cache
def _skills() -> dict[str, Skill]:
    return {skill.id: skill for skill in shipped_skills() if skill.id in PIECES}


def _found_axis(meaning: str, high: int | None = None) -> Axis:
    return Axis(meaning, low=0, high=high, canonical=False)


def _is_found(axis: str) -> bool:
    return axis.startswith("shows_") or axis.endswith("_shown")


def _asked(plan: TextPlan) -> dict[str, str]:
    skills = _skills()
    return {
        "topic": plan.topic.name,
        "skills": listed([skills[skill].name for skill in plan.skills]),
        "limit": told_limit(most_sentences(len(plan.skills))),
    }


def _definitions(plan: TextPlan) -> str:
    skills = [_skills()[skill] for skill in plan.skills]
    return "\n" + "".join(f"\n{skill.name}: {skill.definition}" for skill in skills)


@cache
def told_points(k: int, lost: int, mark: str) -> str:
    """Return the k + 3 points of a text: skills in the order of the list, topic, sense, length.

    Args:
        k: skills asked for.
        lost: place of the one that the text lacks, -1 for none.
        mark: between the points.
    """
    skills = [int(place != lost) for place in range(k)]
    return mark.join(map(str, [*skills, 1, 1, 1]))


def negatives_of(plan: TextPlan) -> str:
    """Return the texts that lack one skill each, with their points, as JSON."""
    k = len(plan.skills)
    told = [
        f'{{"points":[{told_points(k, place, ",")}],"text":{_JSON.encode(plan.tell(skill))}}}'
        for place, skill in enumerate(plan.skills)
    ]
    return f"[{','.join(told)}]"


def _write(plan: TextPlan, draws: RowDraws) -> tuple[dict[str, str], str]:
    del draws
    return {}, plan.tell()


def _grade(plan: TextPlan, draws: RowDraws) -> tuple[dict[str, str], str]:
    """Give the whole text half of the time, and else one without a skill."""
    lost = draws.choice(plan.skills) if draws.integer(0, 2) else ""
    place = plan.skills.index(lost) if lost else -1
    return {"text": plan.tell(lost)}, told_points(len(plan.skills), place, " ")


def _choose(plan: TextPlan, draws: RowDraws) -> tuple[dict[str, str], str]:
    texts = [plan.tell(), plan.tell(draws.choice(plan.skills))]
    swapped = draws.integer(0, 2)
    return {"text": texts[swapped], "other": texts[1 - swapped]}, "AB"[swapped]


_FORM = {"write": _write, "grade": _grade, "choose": _choose}


GENERATOR = SkillText
