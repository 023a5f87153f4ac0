"""The rules of COGS as symbols of derivations, and what each clause consists of.

A derivation is a sentence (S) of a subject and a verb phrase, in the order of the words:
`(S_active (NP_det a wolf) (VP_transitive rolled (NP_det_pp the cup (PP_beside (NP_det a lamp)))))`.
Function words other than articles follow from the rules. A single word is a derivation of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

RULES = {
    "S_active": 2,
    "S_passive": 2,
    "VP_unergative": 1,
    "VP_unaccusative": 1,
    "VP_omitted": 1,
    "VP_transitive": 2,
    "VP_inf": 2,
    "VP_pp_dative": 3,
    "VP_do_dative": 3,
    "VP_cp": 2,
    "VP_passive": 1,
    "VP_passive_by": 2,
    "VP_passive_pp_dative": 2,
    "VP_passive_pp_dative_by": 3,
    "VP_passive_do_dative": 2,
    "VP_passive_do_dative_by": 3,
    "NP_name": 1,
    "NP_det": 2,
    "NP_det_pp": 3,
    "PP_on": 1,
    "PP_in": 1,
    "PP_beside": 1,
    "word_noun": 1,
    "word_name": 1,
    "word_unergative": 1,
    "word_unaccusative": 1,
    "word_transitive": 1,
    "the": 0,
    "a": 0,
}
"""Symbols that every derivation is built from, with their arity; words follow them."""

CODE = {name: code for code, name in enumerate(RULES)}
S_ACTIVE, S_PASSIVE = CODE["S_active"], CODE["S_passive"]
VP_INF, VP_CP = CODE["VP_inf"], CODE["VP_cp"]
NP_NAME, NP_DET, NP_DET_PP = CODE["NP_name"], CODE["NP_det"], CODE["NP_det_pp"]
FIRST_PP, LAST_PP = CODE["PP_on"], CODE["PP_beside"]
FIRST_WORD_RULE, LAST_WORD_RULE = CODE["word_noun"], CODE["word_transitive"]
WORD_NAME = CODE["word_name"]
THE, A = CODE["the"], CODE["a"]

# Lists of words, in the order of the vocabulary's tables; each target is a list of its own.
LISTS = (
    *("animate", "inanimate", "name", "on", "in", "beside"),
    *("omissible", "omissible_participle", "transitive", "transitive_participle"),
    *("clause", "control", "infinitive", "unaccusative", "unaccusative_participle"),
    *("unergative", "dative", "dative_participle"),
    *("hedgehog", "shark", "cockroach", "cobra", "hippo", "Lina", "Paula", "Charlie"),
    *("baked", "shattered", "blessed", "squeezed", "teleported", "shipped", "crawl"),
)
LIST = {name: index for index, name in enumerate(LISTS)}
ANIMATE, INANIMATE, NAME, FIRST_PLACE = LIST["animate"], LIST["inanimate"], LIST["name"], LIST["on"]
CLAUSE, INFINITIVE = LIST["clause"], LIST["infinitive"]
FIRST_NAME_TARGET, LAST_NAME_TARGET = LIST["Lina"], LIST["Charlie"]
TARGET_WORDS = LISTS[LIST["hedgehog"] :]

# Kinds of noun phrases: which nouns they may have, and whether a prepositional phrase may follow.
NOTHING, ACTOR, SHIFTING, PATIENT, THING, OBJECT, BARE_VERB, AGENT = range(8)
INANIMATE_SHARE = np.array([0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0])
MAY_HAVE_PP = np.array([0, 0, 0, 0, 1, 1, 0, 0], np.int64)


class Frame(NamedTuple):
    """One way to build a clause.

    Attributes:
        construction: its name.
        vp: rule of the verb phrase.
        subject: kind of noun phrase.
        verb: list of words.
        arguments: kinds of those after the verb, in order.
        theme: number of the argument (from 1) that is the object of the verb, 0 for none.
    """

    construction: str
    vp: str
    subject: int
    verb: str
    arguments: tuple[int, ...] = ()
    theme: int = 0


FRAMES = (
    Frame("unergative", "VP_unergative", ACTOR, "unergative"),
    Frame("transitive_unaccusative", "VP_transitive", ACTOR, "unaccusative", (OBJECT,), 1),
    Frame("object_omitted", "VP_omitted", ACTOR, "omissible"),
    Frame("transitive_omissible", "VP_transitive", ACTOR, "omissible", (OBJECT,), 1),
    Frame("transitive", "VP_transitive", ACTOR, "transitive", (OBJECT,), 1),
    Frame("infinitive", "VP_inf", ACTOR, "control", (BARE_VERB,)),
    Frame("pp_dative", "VP_pp_dative", ACTOR, "dative", (THING, ACTOR), 1),
    Frame("do_dative", "VP_do_dative", ACTOR, "dative", (ACTOR, THING), 2),
    Frame("cp", "VP_cp", ACTOR, "clause"),
    Frame("unaccusative", "VP_unaccusative", SHIFTING, "unaccusative"),
    Frame("passive", "VP_passive", PATIENT, "transitive_participle"),
    Frame("passive_by", "VP_passive_by", PATIENT, "transitive_participle", (AGENT,)),
    Frame("passive", "VP_passive", PATIENT, "omissible_participle"),
    Frame("passive_by", "VP_passive_by", PATIENT, "omissible_participle", (AGENT,)),
    Frame("passive", "VP_passive", PATIENT, "unaccusative_participle"),
    Frame("passive_by", "VP_passive_by", PATIENT, "unaccusative_participle", (AGENT,)),
    Frame("passive_pp_dative", "VP_passive_pp_dative", PATIENT, "dative_participle", (ACTOR,)),
    Frame(
        "passive_pp_dative_by",
        "VP_passive_pp_dative_by",
        PATIENT,
        "dative_participle",
        (ACTOR, AGENT),
    ),
    Frame("passive_do_dative", "VP_passive_do_dative", ACTOR, "dative_participle", (THING,)),
    Frame(
        "passive_do_dative_by",
        "VP_passive_do_dative_by",
        ACTOR,
        "dative_participle",
        (THING, AGENT),
    ),
)
FRAME_CP = [frame.construction for frame in FRAMES].index("cp")
FRAME_TABLE = np.array(
    [
        [
            S_PASSIVE if frame.vp.startswith("VP_passive") else S_ACTIVE,
            CODE[frame.vp],
            frame.subject,
            LIST[frame.verb],
            *(*frame.arguments, NOTHING, NOTHING)[:2],
            frame.theme,
        ]
        for frame in FRAMES
    ],
    np.int64,
)
"""For each frame: rule of the sentence, rule of the verb phrase, kind of the subject, list of the
verb, kinds of the two arguments, and which of them is the theme."""

_WORD_RULES = tuple(name for name in RULES if name.startswith("word_"))
CONSTRUCTIONS = (*dict.fromkeys(frame.construction for frame in FRAMES), *_WORD_RULES)
CONSTRUCTION_OF_FRAME = np.array(
    [CONSTRUCTIONS.index(frame.construction) for frame in FRAMES]
    + [CONSTRUCTIONS.index(name) for name in _WORD_RULES],
    np.int16,
)
"""Construction of each frame, and after the frames of each rule of a single word."""
