"""The rules of COGS as symbols of derivations, and the frames from which clauses are built.

A derivation is a sentence (S) of a subject and a verb phrase, in the order of the words:
`(S_active (NP_det a wolf) (VP_transitive rolled (NP_det_pp the cup (PP_beside (NP_det a lamp)))))`.
Function words other than articles follow from the rules. A single word is a derivation of its own.
"""

from __future__ import annotations

from typing import NamedTuple

PLACES = ("on", "in", "beside")
"""Prepositions; each has its own list of nouns."""
VERB_PHRASES = {
    "VP_unergative": "agent",
    "VP_unaccusative": "theme",
    "VP_omitted": "agent",
    "VP_transitive": "agent theme",
    "VP_inf": "agent to:xcomp",
    "VP_pp_dative": "agent theme to:recipient",
    "VP_do_dative": "agent recipient theme",
    "VP_cp": "agent that:ccomp",
    "VP_passive": "theme",
    "VP_passive_by": "theme by:agent",
    "VP_passive_pp_dative": "theme to:recipient",
    "VP_passive_pp_dative_by": "theme to:recipient by:agent",
    "VP_passive_do_dative": "recipient theme",
    "VP_passive_do_dative_by": "recipient theme by:agent",
}
"""Roles of the subject and of the arguments after the verb, with the words before them."""
WORD_FORMS = {
    "word_noun": "LAMBDA a . {0} ( a )",
    "word_name": "{0}",
    "word_unergative": "LAMBDA a . LAMBDA e . {0} . agent ( e , a )",
    "word_unaccusative": "LAMBDA a . LAMBDA e . {0} . theme ( e , a )",
    "word_transitive": (
        "LAMBDA a . LAMBDA b . LAMBDA e . {0} . agent ( e , b ) AND {0} . theme ( e , a )"
    ),
}
"""Logical form of a single word, by its rule."""
RULES = {
    "S_active": 2,
    "S_passive": 2,
    **{name: len(roles.split()) for name, roles in VERB_PHRASES.items()},
    "NP_name": 1,
    "NP_det": 2,
    "NP_det_pp": 3,
    **dict.fromkeys((f"PP_{place}" for place in PLACES), 1),
    **dict.fromkeys(WORD_FORMS, 1),
    "the": 0,
    "a": 0,
}
"""Symbols that every derivation is built from, with their arity; words follow them."""


class Kind(NamedTuple):
    """Kind of a noun phrase.

    Attributes:
        inanimate: Share of inanimate nouns; the others are animate nouns and names.
        acts: Whether a prepositional phrase follows it where every subject must have one.
        is_theme: Whether it is the theme after a verb, which may have a prepositional phrase.
    """

    inanimate: float
    acts: bool = False
    is_theme: bool = False


AGENT, SHIFTING, PATIENT = Kind(0, acts=True), Kind(0.5, acts=True), Kind(1, acts=True)
RECIPIENT = Kind(0)
THING, OBJECT = Kind(1, is_theme=True), Kind(0.5, is_theme=True)
KINDS = (AGENT, SHIFTING, PATIENT, RECIPIENT, THING, OBJECT)


class Frame(NamedTuple):
    """One way to build a clause.

    Attributes:
        rule: Symbol of the verb phrase.
        subject: Kind of the noun phrase before the verb.
        verb: Name of a list of words.
        arguments: Kinds of the noun phrases after the verb, in order.
    """

    rule: str
    subject: Kind
    verb: str
    arguments: tuple[Kind, ...] = ()

    @property
    def sentence(self) -> str:
        """Symbol of the clause."""
        return "S_passive" if self.rule.startswith("VP_passive") else "S_active"


FRAMES = {
    "unergative": Frame("VP_unergative", AGENT, "unergative"),
    "transitive_unaccusative": Frame("VP_transitive", AGENT, "unaccusative", (OBJECT,)),
    "object_omitted": Frame("VP_omitted", AGENT, "omissible"),
    "transitive_omissible": Frame("VP_transitive", AGENT, "omissible", (OBJECT,)),
    "transitive": Frame("VP_transitive", AGENT, "transitive", (OBJECT,)),
    "infinitive": Frame("VP_inf", AGENT, "control"),
    "pp_dative": Frame("VP_pp_dative", AGENT, "dative", (THING, RECIPIENT)),
    "do_dative": Frame("VP_do_dative", AGENT, "dative", (RECIPIENT, THING)),
    "cp": Frame("VP_cp", AGENT, "clause"),
    "unaccusative": Frame("VP_unaccusative", SHIFTING, "unaccusative"),
    "passive/transitive": Frame("VP_passive", PATIENT, "transitive_participle"),
    "passive_by/transitive": Frame("VP_passive_by", PATIENT, "transitive_participle", (AGENT,)),
    "passive/omissible": Frame("VP_passive", PATIENT, "omissible_participle"),
    "passive_by/omissible": Frame("VP_passive_by", PATIENT, "omissible_participle", (AGENT,)),
    "passive/unaccusative": Frame("VP_passive", PATIENT, "unaccusative_participle"),
    "passive_by/unaccusative": Frame("VP_passive_by", PATIENT, "unaccusative_participle", (AGENT,)),
    "passive_pp_dative": Frame("VP_passive_pp_dative", PATIENT, "dative_participle", (RECIPIENT,)),
    "passive_pp_dative_by": Frame(
        "VP_passive_pp_dative_by", PATIENT, "dative_participle", (RECIPIENT, AGENT)
    ),
    "passive_do_dative": Frame("VP_passive_do_dative", AGENT, "dative_participle", (THING,)),
    "passive_do_dative_by": Frame(
        "VP_passive_do_dative_by", AGENT, "dative_participle", (THING, AGENT)
    ),
}
"""Frames by name: the construction and, after a slash, the class of the verb."""
CONSTRUCTIONS = tuple(dict.fromkeys([*(name.split("/")[0] for name in FRAMES), *WORD_FORMS]))
