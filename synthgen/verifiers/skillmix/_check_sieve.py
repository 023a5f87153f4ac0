"""The sieve of texts: which checkers need not be asked, found out for many texts at once.

Each word has a number and a row of what matters about it; the rest is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix import _check_sieve_table as table
from synthgen.verifiers.skillmix._check_lexical_measures import steps
from synthgen.verifiers.skillmix._check_lexical_opposites import opposed
from synthgen.verifiers.skillmix._check_logic import SAME
from synthgen.verifiers.skillmix._check_sieve_kernel import sift
from synthgen.verifiers.skillmix._check_sieve_words import Rows, opposites
from synthgen.verifiers.skillmix._check_world_order import IN_SPACE, IN_TIME, SPLIT
from synthgen.verifiers.skillmix._checker import Checker
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_table import COLUMN_BITS, columns
from synthgen.verifiers.skillmix._wanted import wanted

_SIGNS = {
    "anaphora": table.ANAPHORA,
    "epistrophe": table.EPISTROPHE,
    "symploce": table.SYMPLOCE,
    "anadiplosis": table.ANADIPLOSIS,
    "gradatio": table.GRADATIO,
    "inclusio": table.INCLUSIO,
    "epanalepsis": table.EPANALEPSIS,
    "antimetabole": table.ANTIMETABOLE,
    "polysyndeton": table.POLYSYNDETON,
    "asyndeton": table.ASYNDETON,
    "epizeuxis": table.EPIZEUXIS,
    "diacope": table.DIACOPE,
    "isocolon": table.ISOCOLON,
    "tricolon": table.TRICOLON,
    "polyptoton": table.POLYPTOTON,
    "alliteration": table.ALLITERATION,
    "rhyme": table.RHYMES,
    "antithesis": table.ANTITHESIS,
    "climax": table.CLIMAX,
    "spatial_reasoning": table.SPACE,
    "temporal_order": table.TIME,
    "begging_the_question": table.REWORDED,
    "metaphor": table.METAPHOR,
    "simile": table.SIMILE,
    "oxymoron": table.OXYMORON,
    "hyperbole": table.HYPERBOLE,
    "complex_question": table.QUESTION,
    "red_herring": table.ASKED,
    "counting": table.COUNTS,
}
CERTAIN = frozenset(
    (
        "anaphora",
        "epistrophe",
        "symploce",
        "anadiplosis",
        "gradatio",
        "inclusio",
        "epanalepsis",
        "antimetabole",
        "polysyndeton",
        "asyndeton",
        "epizeuxis",
        "diacope",
        "isocolon",
        "tricolon",
        "polyptoton",
        "alliteration",
        "rhyme",
        "antithesis",
    )
)
"""Skills whose sign is all there is to them, so that their checkers need not be asked."""
_PLACES = {"text": table.IN_TEXT, "sentence": table.IN_SENTENCE, "clause": table.IN_CLAUSE}
_PARTS = {"counting": "clause"}
"""Of checkers of texts that need their words within a part."""
_SETS = (wanted(opposed), wanted(steps), SPLIT, IN_SPACE, IN_TIME, SAME)
"""In the order of the table."""


class Sieve:
    """Says which checkers can find their skill in a text."""

    def __init__(self, checkers: Mapping[str, Checker]) -> None:
        self._needs = np.array(
            [columns(one.needs, table.N_BITS) for one in checkers.values()], np.int64
        )
        parts = [_PARTS.get(name, one.part) for name, one in checkers.items()]
        self._places = np.array([_PLACES[part] for part in parts], np.int64)
        self._signs = np.array([_SIGNS.get(name, table.ANY) for name in checkers], np.int64)
        self._sets = np.array([columns(bits, table.N_BITS) for bits in _SETS], np.int64)
        self._opposites = opposites()
        self._rows = Rows()

    def fits(self) -> bool:
        """Say whether no set of words was added since the first word."""
        return self._rows.fits()

    def possible(self, cut: Cut) -> NDArray[np.bool_]:
        """Return whether to ask each checker about each text, (checkers, texts).

        The words of all texts have one numbering. On the way clauses get the bits of their words.
        """
        self._rows.grow(cut.known.names)
        possible, bits = sift(
            cut.words,
            cut.clause_ends,
            cut.marks,
            cut.sentence_ends,
            cut.text_ends,
            self._rows.table,
            self._needs,
            self._places,
            self._signs,
            self._sets,
            self._opposites,
            len(self._rows.codes),
        )
        cut.bits = [low | high << COLUMN_BITS for low, high in bits.tolist()]
        return possible
