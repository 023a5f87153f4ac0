"""Checkers of the figures of speech that the surface of a text shows."""

from __future__ import annotations

from synthgen.verifiers.skillmix._check_figures_clauses import (
    anadiplosis,
    anaphora,
    antimetabole,
    epistrophe,
    gradatio,
    symploce,
)
from synthgen.verifiers.skillmix._check_figures_parallel import isocolon, tricolon
from synthgen.verifiers.skillmix._check_figures_words import (
    COORDINATORS,
    asyndeton,
    diacope,
    epanalepsis,
    epizeuxis,
    polyptoton,
    polysyndeton,
)
from synthgen.verifiers.skillmix._text import Checker

CHECKERS: dict[str, Checker] = {
    "anaphora": Checker(None, anaphora),
    "epistrophe": Checker(None, epistrophe),
    "symploce": Checker(None, symploce),
    "anadiplosis": Checker(None, anadiplosis),
    "gradatio": Checker(None, gradatio),
    "epanalepsis": Checker(None, epanalepsis),
    "antimetabole": Checker(None, antimetabole),
    "polysyndeton": Checker(frozenset(COORDINATORS), polysyndeton),
    "asyndeton": Checker(None, asyndeton),
    "epizeuxis": Checker(None, epizeuxis),
    "diacope": Checker(None, diacope),
    "isocolon": Checker(None, isocolon),
    "tricolon": Checker(None, tricolon),
    "polyptoton": Checker(None, polyptoton),
}
