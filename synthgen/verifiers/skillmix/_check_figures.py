"""Checkers of the figures of speech that the surface of a text shows."""

from __future__ import annotations

from synthgen.verifiers.skillmix._check_figures_clauses import (
    anadiplosis,
    anaphora,
    antimetabole,
    epistrophe,
    gradatio,
    inclusio,
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
from synthgen.verifiers.skillmix._checker import Checker, in_clause, in_sentence, in_text

CHECKERS: dict[str, Checker] = {
    "anaphora": in_text(anaphora),
    "epistrophe": in_text(epistrophe),
    "symploce": in_text(symploce),
    "anadiplosis": in_text(anadiplosis),
    "gradatio": in_text(gradatio),
    "inclusio": in_text(inclusio),
    "epanalepsis": in_sentence(epanalepsis),
    "antimetabole": in_text(antimetabole),
    "polysyndeton": in_sentence(polysyndeton, COORDINATORS),
    "asyndeton": in_sentence(asyndeton),
    "epizeuxis": in_sentence(epizeuxis),
    "diacope": in_clause(diacope),
    "isocolon": in_sentence(isocolon),
    "tricolon": in_sentence(tricolon),
    "polyptoton": in_sentence(polyptoton),
}
OF_WHOLE_TEXTS = frozenset({"inclusio"})
"""Figures that are gone where something stands before or after the text that shows them."""
