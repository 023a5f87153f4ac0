"""Checkers of the frames of world and mind, by skill."""

from __future__ import annotations

from synthgen.verifiers.skillmix import _check_world_fallacy as fallacy
from synthgen.verifiers.skillmix import _check_world_mind as mind
from synthgen.verifiers.skillmix import _check_world_number as number
from synthgen.verifiers.skillmix import _check_world_question as question
from synthgen.verifiers.skillmix._check_world_fact import (
    accident_fallacy,
    effect_words,
    equivocation,
    event_words,
    exception_words,
    folk_physics,
    homonym_words,
    thing_words,
)
from synthgen.verifiers.skillmix._check_world_order import (
    SPACE_TRIGGERS,
    TIME_TRIGGERS,
    spatial_reasoning,
    temporal_order,
)
from synthgen.verifiers.skillmix._check_world_parse import CONCLUDING
from synthgen.verifiers.skillmix._check_world_units import unit_conversion, unit_words
from synthgen.verifiers.skillmix._checker import Checker, in_sentence, in_text

CHECKERS: dict[str, Checker] = {
    "spatial_reasoning": in_text(spatial_reasoning, SPACE_TRIGGERS, CONCLUDING),
    "temporal_order": in_text(temporal_order, TIME_TRIGGERS, CONCLUDING),
    "false_belief": in_text(mind.false_belief, mind.BELIEF_TRIGGERS, mind.PUTS_OR_MOVES),
    "folk_physics": in_text(folk_physics, effect_words, event_words, thing_words),
    "arithmetic_comparison": in_text(
        number.arithmetic_comparison, number.COMPARISON_TRIGGERS, number.COMPARED, number.NUMBERS
    ),
    "counting": in_text(number.counting, number.TOTAL_TRIGGERS, number.NUMBERS),
    "unit_conversion": in_sentence(unit_conversion, unit_words, number.NUMBERS),
    "self_serving_bias": in_text(mind.self_serving_bias, mind.CAUSE_TRIGGERS, *mind.OUTCOMES),
    "emotional_self_regulation": in_text(mind.emotional_self_regulation, *mind.STAGES),
    "accident": in_text(accident_fallacy, exception_words),
    "ad_hominem": in_text(
        fallacy.ad_hominem, fallacy.REJECTION_TRIGGERS, fallacy.CLAIMS, fallacy.flaws
    ),
    "complex_question": in_text(question.complex_question, question.QUESTION_TRIGGERS),
    "red_herring": in_text(question.red_herring, question.ANSWERS),
    "post_hoc": in_text(fallacy.post_hoc, fallacy.CAUSE_TRIGGERS, fallacy.THEN),
    "appeal_to_popularity": in_text(
        fallacy.appeal_to_popularity, fallacy.CROWD_TRIGGERS, fallacy.HOLD, fallacy.HELD
    ),
    "equivocation": in_text(equivocation, homonym_words),
}
