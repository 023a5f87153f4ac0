"""Checkers of the frames of world and mind, by skill."""

from __future__ import annotations

from synthgen.core.skill_world import listed, records
from synthgen.verifiers.skillmix import _check_world_fallacy as fallacy
from synthgen.verifiers.skillmix import _check_world_mind as mind
from synthgen.verifiers.skillmix import _check_world_number as number
from synthgen.verifiers.skillmix import _check_world_question as question
from synthgen.verifiers.skillmix._check_world_fact import (
    accident_fallacy,
    effect_words,
    equivocation,
    exception_words,
    folk_physics,
    homonym_words,
)
from synthgen.verifiers.skillmix._check_world_order import (
    SPACE_TRIGGERS,
    TIME_TRIGGERS,
    spatial_reasoning,
    temporal_order,
)
from synthgen.verifiers.skillmix._check_world_units import unit_conversion
from synthgen.verifiers.skillmix._text import Checker

_UNIT_WORDS = frozenset(
    form for unit in records("units", "unit") for form in (unit["one"], *listed(unit["many"]))
)

CHECKERS: dict[str, Checker] = {
    "spatial_reasoning": Checker(SPACE_TRIGGERS, spatial_reasoning),
    "temporal_order": Checker(TIME_TRIGGERS, temporal_order),
    "false_belief": Checker(mind.BELIEF_TRIGGERS, mind.false_belief),
    "folk_physics": Checker(effect_words(), folk_physics),
    "arithmetic_comparison": Checker(number.COMPARISON_TRIGGERS, number.arithmetic_comparison),
    "counting": Checker(number.TOTAL_TRIGGERS, number.counting),
    "unit_conversion": Checker(_UNIT_WORDS, unit_conversion),
    "self_serving_bias": Checker(mind.CAUSE_TRIGGERS, mind.self_serving_bias),
    "emotional_self_regulation": Checker(mind.calm_words(), mind.emotional_self_regulation),
    "accident": Checker(exception_words(), accident_fallacy),
    "ad_hominem": Checker(fallacy.REJECTION_TRIGGERS, fallacy.ad_hominem),
    "complex_question": Checker(question.QUESTION_TRIGGERS, question.complex_question),
    "red_herring": Checker(question.EVASION_TRIGGERS, question.red_herring),
    "post_hoc": Checker(fallacy.CAUSE_TRIGGERS, fallacy.post_hoc),
    "appeal_to_popularity": Checker(fallacy.CROWD_TRIGGERS, fallacy.appeal_to_popularity),
    "equivocation": Checker(homonym_words(), equivocation),
}
