"""Checkers of figures of speech that lie in the words: sounds, opposites, images, degrees."""

from __future__ import annotations

from synthgen.verifiers.skillmix._check_lexical_images import (
    ARTICLES,
    COPULAS,
    SIGNS,
    deeds,
    metaphor,
    personification,
    simile,
)
from synthgen.verifiers.skillmix._check_lexical_measures import (
    climax,
    excessive,
    hyperbole,
    sensed,
    sensing,
    steps,
    synesthesia,
)
from synthgen.verifiers.skillmix._check_lexical_opposites import (
    DENIALS,
    antithesis,
    clashes,
    denied,
    litotes,
    opposed,
    oxymoron,
)
from synthgen.verifiers.skillmix._check_lexical_sounds import alliteration, rhyme, rhymes
from synthgen.verifiers.skillmix._checker import Checker, in_clause, in_sentence, in_text

CHECKERS: dict[str, Checker] = {
    "alliteration": in_clause(alliteration),
    "rhyme": in_text(rhyme, rhymes),
    "antithesis": in_text(antithesis, opposed),
    "climax": in_sentence(climax, steps),
    "litotes": in_clause(litotes, DENIALS, denied),
    "oxymoron": in_clause(oxymoron, clashes),
    "simile": in_text(simile, SIGNS),
    "metaphor": in_clause(metaphor, ARTICLES, COPULAS),
    "personification": in_clause(personification, deeds),
    "hyperbole": in_clause(hyperbole, excessive),
    "synesthesia": in_clause(synesthesia, sensed, sensing),
}
