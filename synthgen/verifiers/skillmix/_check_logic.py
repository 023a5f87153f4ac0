"""Checkers of arguments: they read a text's clauses as statements and decide what follows."""

from __future__ import annotations

from synthgen.verifiers.skillmix._check_logic_clauses import concludes
from synthgen.verifiers.skillmix._check_logic_informal import (
    begging_the_question,
    composition_fallacy,
    fallacy_of_division,
    false_dilemma,
    slippery_slope,
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
from synthgen.verifiers.skillmix._check_logic_words import MARKED
from synthgen.verifiers.skillmix._text import Checker

_IF = frozenset(("if", "whenever", "when", "unless", "provided", "implies"))
_OR = frozenset(("or",))
_DENIED = frozenset(("both", "either", "neither", "and", "or"))
_ALL = frozenset(("all", "every", "each", "any", "no", "none"))
_MOST = frozenset(("most", "majority", "half", "almost", "nearly", "percent", *NUMBERS))
_MOST |= {str(number) for number in range(1, 1_000)}
CHECKERS = {
    "modus_ponens": Checker(_IF, concludes(modus_ponens)),
    "modus_tollens": Checker(_IF, concludes(modus_tollens)),
    "hypothetical_syllogism": Checker(_IF, concludes(hypothetical_syllogism)),
    "disjunctive_syllogism": Checker(_OR, concludes(disjunctive_syllogism)),
    "categorical_syllogism": Checker(_ALL, concludes(categorical_syllogism)),
    "de_morgan": Checker(_DENIED, concludes(de_morgan)),
    "statistical_syllogism": Checker(_MOST, concludes(statistical_syllogism)),
    "affirming_the_consequent": Checker(_IF, concludes(affirming_the_consequent)),
    "denying_the_antecedent": Checker(_IF, concludes(denying_the_antecedent)),
    "undistributed_middle": Checker(_ALL, concludes(undistributed_middle)),
    "false_dilemma": Checker(_OR, false_dilemma),
    "slippery_slope": Checker(_IF, slippery_slope),
    "begging_the_question": Checker(MARKED, concludes(begging_the_question)),
    "hasty_generalisation": Checker(_ALL, concludes(hasty_generalisation)),
    "composition_fallacy": Checker(_ALL, concludes(composition_fallacy)),
    "fallacy_of_division": Checker(_ALL, concludes(fallacy_of_division)),
}
