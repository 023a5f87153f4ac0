"""Checkers of arguments: they read a text's clauses as statements and decide what follows."""

from __future__ import annotations

from synthgen.verifiers.skillmix._check_logic_clauses import concludes
from synthgen.verifiers.skillmix._check_logic_informal import (
    begging_the_question,
    composition_fallacy,
    ends,
    fallacy_of_division,
    false_dilemma,
    large,
    opposites,
    same,
    slippery_slope,
    small,
)
from synthgen.verifiers.skillmix._check_logic_propositional import (
    affirming_the_consequent,
    de_morgan,
    denying_the_antecedent,
    disjunctive_syllogism,
    hypothetical_syllogism,
    modus_ponens,
    modus_tollens,
)
from synthgen.verifiers.skillmix._check_logic_quantified import (
    categorical_syllogism,
    hasty_generalisation,
    statistical_syllogism,
    undistributed_middle,
)
from synthgen.verifiers.skillmix._check_logic_sets import NUMBERS
from synthgen.verifiers.skillmix._check_logic_words import Stems
from synthgen.verifiers.skillmix._checker import Checker, in_text
from synthgen.verifiers.skillmix._wanted import wanted

_IF = frozenset(("if", "whenever", "when", "unless", "provided", "implies"))
_OR = frozenset(("or",))
_PAIRED = frozenset(("both", "either", "neither", "and", "or"))
_DENIED = frozenset(("not", "false", "cannot", "untrue", "neither", "unless"))
"""Of these words a clause has one that is read as a denied pair."""
_ALL = frozenset(("all", "every", "each", "any", "no", "none"))
_MOST = frozenset(("most", "majority", "half", "almost", "nearly", "percent", *NUMBERS))
_MOST |= {str(number) for number in range(1, 1_000)}
_SAME = Stems(same)
SAME = wanted(_SAME)
CHECKERS: dict[str, Checker] = {
    "modus_ponens": concludes(modus_ponens, _IF),
    "modus_tollens": concludes(modus_tollens, _IF),
    "hypothetical_syllogism": concludes(hypothetical_syllogism, _IF),
    "disjunctive_syllogism": concludes(disjunctive_syllogism, _OR),
    "categorical_syllogism": concludes(categorical_syllogism, _ALL),
    "de_morgan": concludes(de_morgan, _PAIRED, _DENIED),
    "statistical_syllogism": concludes(statistical_syllogism, _MOST),
    "affirming_the_consequent": concludes(affirming_the_consequent, _IF),
    "denying_the_antecedent": concludes(denying_the_antecedent, _IF),
    "undistributed_middle": concludes(undistributed_middle, _ALL),
    "false_dilemma": in_text(false_dilemma, _OR, Stems(opposites)),
    "slippery_slope": in_text(slippery_slope, _IF, Stems(ends)),
    "begging_the_question": concludes(begging_the_question, _SAME),
    "hasty_generalisation": concludes(hasty_generalisation, _ALL),
    "composition_fallacy": concludes(composition_fallacy, _ALL, Stems(small)),
    "fallacy_of_division": concludes(fallacy_of_division, _ALL, Stems(large)),
}
