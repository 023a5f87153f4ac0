"""Checkers of figures of speech that lie in the words: sounds, opposites, images, degrees."""

from __future__ import annotations

from synthgen.verifiers.skillmix._check_lexical_images import metaphor, personification, simile
from synthgen.verifiers.skillmix._check_lexical_measures import climax, hyperbole, synesthesia
from synthgen.verifiers.skillmix._check_lexical_opposites import antithesis, litotes, oxymoron
from synthgen.verifiers.skillmix._check_lexical_sounds import alliteration, rhyme
from synthgen.verifiers.skillmix._text import Checker

CHECKERS: dict[str, Checker] = {
    "alliteration": Checker(None, alliteration),
    "rhyme": Checker(None, rhyme),
    "antithesis": Checker(None, antithesis),
    "climax": Checker(None, climax),
    "litotes": Checker(frozenset("not isn't aren't wasn't weren't".split()), litotes),
    "oxymoron": Checker(None, oxymoron),
    "simile": Checker(frozenset(("as", "like")), simile),
    "metaphor": Checker(frozenset(("a", "an")), metaphor),
    "personification": Checker(None, personification),
    "hyperbole": Checker(None, hyperbole),
    "synesthesia": Checker(None, synesthesia),
}
