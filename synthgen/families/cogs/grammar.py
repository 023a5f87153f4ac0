"""The rules of COGS as symbols of derivations, and the frames from which clauses are built.

A derivation is a sentence (S) of a subject and a verb phrase, in the order of the words:
`(S_active (NP_det a wolf) (VP_transitive rolled (NP_det_pp the cup (PP_beside (NP_det a lamp)))))`.
Function words other than articles follow from the rules. A single word is a derivation of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthgen.families.cogs.words import target_words

VERB_PHRASES = {
    "VP_unergative": "agent",
    "VP_unaccusative": "theme",
    "VP_omitted": "agent",
    "VP_transitive": "agent theme",
    "VP_inf": "agent",
    "VP_pp_dative": "agent theme to:recipient",
    "VP_do_dative": "agent recipient theme",
    "VP_cp": "agent",
    "VP_passive": "theme",
    "VP_passive_by": "theme by:agent",
    "VP_passive_pp_dative": "theme to:recipient",
    "VP_passive_pp_dative_by": "theme to:recipient by:agent",
    "VP_passive_do_dative": "recipient theme",
    "VP_passive_do_dative_by": "recipient theme by:agent",
}
"""Roles of the noun phrases of each verb phrase, the subject's first, with the words before them.

A clause after `that` (VP_cp) and an infinitive (VP_inf) are arguments, too, but no noun phrases.
"""
WORD_FORMS = {
    "word_noun": "LAMBDA a . {} ( a )",
    "word_name": "{}",
    "word_unergative": "LAMBDA a . LAMBDA e . {} . agent ( e , a )",
    "word_unaccusative": "LAMBDA a . LAMBDA e . {} . theme ( e , a )",
    "word_transitive": (
        "LAMBDA a . LAMBDA b . LAMBDA e . {} . agent ( e , b ) AND {} . theme ( e , a )"
    ),
}
"""Logical form of a single word, by its rule."""
RULES = {
    "S_active": 2,
    "S_passive": 2,
    **{
        name: len(roles.split()) + (name in ("VP_cp", "VP_inf"))
        for name, roles in VERB_PHRASES.items()
    },
    "NP_name": 1,
    "NP_det": 2,
    "NP_det_pp": 3,
    "PP_on": 1,
    "PP_in": 1,
    "PP_beside": 1,
    **dict.fromkeys(WORD_FORMS, 1),
    "the": 0,
    "a": 0,
}
"""Symbols that every derivation is built from, with their arity; words follow them."""
CODE = {name: code for code, name in enumerate(RULES)}
FIRST_WORD = len(RULES)
"""Code of the first word."""
S_ACTIVE, S_PASSIVE = CODE["S_active"], CODE["S_passive"]
VP_INF, VP_CP = CODE["VP_inf"], CODE["VP_cp"]
NP_NAME, NP_DET, NP_DET_PP = CODE["NP_name"], CODE["NP_det"], CODE["NP_det_pp"]
FIRST_PP = CODE["PP_on"]
FIRST_WORD_RULE, LAST_WORD_RULE = CODE["word_noun"], CODE["word_transitive"]
THE, A = CODE["the"], CODE["a"]

PLACES = ("on", "in", "beside")
"""Prepositions, in the order of their rules and of their lists of nouns."""
LISTS = (
    *("animate", "inanimate", "name", *PLACES),
    *("omissible", "omissible_participle", "transitive", "transitive_participle"),
    *("clause", "control", "infinitive", "unaccusative", "unaccusative_participle"),
    *("unergative", "dative", "dative_participle"),
    *target_words(),
)
"""Lists of words, in the order of the tables; each target word is a list of its own."""
LIST = {name: index for index, name in enumerate(LISTS)}
ANIMATE, INANIMATE, NAME, FIRST_PLACE = (
    LIST[name] for name in ("animate", "inanimate", "name", "on")
)
CLAUSE, INFINITIVE = LIST["clause"], LIST["infinitive"]
FIRST_NAME_TARGET, LAST_NAME_TARGET = LIST["Lina"], LIST["Charlie"]

# Kinds of noun phrases: which nouns they may have, and whether a prepositional phrase may follow.
NOTHING, ACTOR, SHIFTING, PATIENT, THING, OBJECT, BARE_VERB, AGENT = range(8)
INANIMATE_SHARE = np.array([0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0])
MAY_HAVE_PP = np.array([0, 0, 0, 0, 1, 1, 0, 0], np.int64)


class Frame(NamedTuple):
    """One way to build a clause.

    Attributes:
        rule: of the verb phrase.
        subject: kind of noun phrase.
        verb: list of words.
        arguments: kinds of those after the verb, in order.
    """

    rule: str
    subject: int
    verb: str
    arguments: tuple[int, ...] = ()


FRAMES = {
    "unergative": Frame("VP_unergative", ACTOR, "unergative"),
    "transitive_unaccusative": Frame("VP_transitive", ACTOR, "unaccusative", (OBJECT,)),
    "object_omitted": Frame("VP_omitted", ACTOR, "omissible"),
    "transitive_omissible": Frame("VP_transitive", ACTOR, "omissible", (OBJECT,)),
    "transitive": Frame("VP_transitive", ACTOR, "transitive", (OBJECT,)),
    "infinitive": Frame("VP_inf", ACTOR, "control", (BARE_VERB,)),
    "pp_dative": Frame("VP_pp_dative", ACTOR, "dative", (THING, ACTOR)),
    "do_dative": Frame("VP_do_dative", ACTOR, "dative", (ACTOR, THING)),
    "cp": Frame("VP_cp", ACTOR, "clause"),
    "unaccusative": Frame("VP_unaccusative", SHIFTING, "unaccusative"),
    "passive/transitive": Frame("VP_passive", PATIENT, "transitive_participle"),
    "passive_by/transitive": Frame("VP_passive_by", PATIENT, "transitive_participle", (AGENT,)),
    "passive/omissible": Frame("VP_passive", PATIENT, "omissible_participle"),
    "passive_by/omissible": Frame("VP_passive_by", PATIENT, "omissible_participle", (AGENT,)),
    "passive/unaccusative": Frame("VP_passive", PATIENT, "unaccusative_participle"),
    "passive_by/unaccusative": Frame("VP_passive_by", PATIENT, "unaccusative_participle", (AGENT,)),
    "passive_pp_dative": Frame("VP_passive_pp_dative", PATIENT, "dative_participle", (ACTOR,)),
    "passive_pp_dative_by": Frame(
        "VP_passive_pp_dative_by", PATIENT, "dative_participle", (ACTOR, AGENT)
    ),
    "passive_do_dative": Frame("VP_passive_do_dative", ACTOR, "dative_participle", (THING,)),
    "passive_do_dative_by": Frame(
        "VP_passive_do_dative_by", ACTOR, "dative_participle", (THING, AGENT)
    ),
}
"""What is before a slash is the construction, what is after it the class of the verb."""
FRAME = {name: index for index, name in enumerate(FRAMES)}


SENTENCE, RULE, SUBJECT, VERB, ARGUMENT, THEME = 0, 1, 2, 3, 4, 6
"""Columns of FRAME_TABLE; ARGUMENT is the first of two."""


def _row(frame: Frame) -> list[int]:
    roles = VERB_PHRASES[frame.rule].split()
    sentence = S_PASSIVE if frame.rule.startswith("VP_passive") else S_ACTIVE
    kinds = (*frame.arguments, NOTHING, NOTHING)[:2]
    theme = roles.index("theme") if "theme" in roles else 0
    return [sentence, CODE[frame.rule], frame.subject, LIST[frame.verb], *kinds, theme]


FRAME_TABLE = np.array([_row(frame) for frame in FRAMES.values()], np.int64)
"""For each frame: rules of the sentence and of the verb phrase, kind of the subject, list of the
verb, kinds of the two arguments, and which of them (from 1) is the theme, 0 for none."""

_NAMES = (*(name.split("/")[0] for name in FRAMES), *WORD_FORMS)
CONSTRUCTIONS = tuple(dict.fromkeys(_NAMES))
CONSTRUCTION_OF_FRAME = np.array([CONSTRUCTIONS.index(name) for name in _NAMES], np.int16)
"""Construction of each frame, and after the frames of each rule of a single word."""
