"""What each verb phrase means: roles of its noun phrases, and the function words before them."""

from __future__ import annotations

import numpy as np

from synthgen.generators._cogs_grammar import CODE, RULES

ROLES = ("agent", "theme", "recipient", "ccomp", "xcomp")
AGENT, THEME, RECIPIENT, CCOMP, XCOMP = range(5)
NO_LINK, TO, BY = range(3)

_MEANINGS: dict[str, tuple[int, *tuple[tuple[int, int], ...]]] = {
    "VP_unergative": (AGENT,),
    "VP_unaccusative": (THEME,),
    "VP_omitted": (AGENT,),
    "VP_transitive": (AGENT, (THEME, NO_LINK)),
    "VP_inf": (AGENT,),
    "VP_pp_dative": (AGENT, (THEME, NO_LINK), (RECIPIENT, TO)),
    "VP_do_dative": (AGENT, (RECIPIENT, NO_LINK), (THEME, NO_LINK)),
    "VP_cp": (AGENT,),
    "VP_passive": (THEME,),
    "VP_passive_by": (THEME, (AGENT, BY)),
    "VP_passive_pp_dative": (THEME, (RECIPIENT, TO)),
    "VP_passive_pp_dative_by": (THEME, (RECIPIENT, TO), (AGENT, BY)),
    "VP_passive_do_dative": (RECIPIENT, (THEME, NO_LINK)),
    "VP_passive_do_dative_by": (RECIPIENT, (THEME, NO_LINK), (AGENT, BY)),
}
"""Role of the subject, then role and function word of each noun phrase after the verb."""

SUBJECT_ROLE = np.full(len(RULES), -1, np.int64)
PHRASES = np.zeros(len(RULES), np.int64)
"""Number of noun phrases after the verb."""
PHRASE_ROLE = np.full((len(RULES), 2), -1, np.int64)
PHRASE_LINK = np.zeros((len(RULES), 2), np.int64)
TOKENS = np.zeros(len(RULES), np.int64)
"""Words that a rule brings itself; each word of the vocabulary is one more."""
ROLE_COUNT = np.zeros(len(RULES), np.int64)
"""Roles that the verbs of a rule have."""

for _name, (_subject, *_phrases) in _MEANINGS.items():
    _rule = CODE[_name]
    SUBJECT_ROLE[_rule] = _subject
    PHRASES[_rule] = len(_phrases)
    ROLE_COUNT[_rule] = 1 + len(_phrases)
    for _place, (_role, _link) in enumerate(_phrases):
        PHRASE_ROLE[_rule, _place] = _role
        PHRASE_LINK[_rule, _place] = _link
        TOKENS[_rule] += _link != NO_LINK
ROLE_COUNT[CODE["VP_cp"]] += 1
ROLE_COUNT[CODE["VP_inf"]] += 2  # its complement, and the agent of the infinitive
for _name in ("S_passive", "VP_cp", "VP_inf", "PP_on", "PP_in", "PP_beside", "the", "a"):
    TOKENS[CODE[_name]] = 1
