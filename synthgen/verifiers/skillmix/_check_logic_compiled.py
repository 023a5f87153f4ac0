"""Arguments of many texts at once: the rules that they follow, by compiled checkers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix._check_logic_codes import Codes
from synthgen.verifiers.skillmix._check_logic_kernel import find_rules, find_shapes
from synthgen.verifiers.skillmix._check_logic_kernel_known import KEY
from synthgen.verifiers.skillmix._check_logic_kernel_told import Cuts
from synthgen.verifiers.skillmix._check_logic_programs import Programs
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_table import NEW, Ints

_MOST_SHAPES = 65_536
"""With more of them a new table is begun."""
RULES = (
    "modus_ponens",
    "modus_tollens",
    "hypothetical_syllogism",
    "disjunctive_syllogism",
    "categorical_syllogism",
    "de_morgan",
    "statistical_syllogism",
    "affirming_the_consequent",
    "denying_the_antecedent",
    "undistributed_middle",
    "false_dilemma",
    "slippery_slope",
    "begging_the_question",
    "hasty_generalisation",
    "composition_fallacy",
    "fallacy_of_division",
)
"""In the order of the bits of the kernel."""


class Arguments:
    """Finds the rules that arguments follow; the words of all texts have one numbering."""

    def __init__(self) -> None:
        self._codes = Codes()
        self._programs = Programs()

    def rules(self, cut: Cut, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which rules the wanted texts follow, bool (rules, texts)."""
        if len(self._programs) > _MOST_SHAPES:
            self._programs = Programs()
        self._codes.grow(cut.known.names)
        shapes = self._shapes(cut, wanted)
        known = self._codes.grow(cut.known.names)
        cuts = Cuts(cut.words, cut.clause_ends, cut.marks, cut.sentence_ends, shapes)
        found = find_rules(cuts, cut.text_ends, wanted, self._programs.shapes, known)
        return (found >> np.arange(len(RULES))[:, None] & 1).astype(np.bool_)

    def _shapes(self, cut: Cut, wanted: NDArray[np.bool_]) -> Ints:
        programs = self._programs
        keys = self._codes.words[cut.words, KEY]
        shapes = find_shapes(
            keys,
            cut.clause_ends,
            cut.sentence_ends,
            cut.text_ends,
            wanted,
            programs.slots,
            programs.pool,
            programs.stops,
        )
        new = np.flatnonzero(shapes == NEW)
        if len(new):
            starts, stops = np.append(0, cut.clause_ends)[new], cut.clause_ends[new]
            clauses = [
                tuple(keys[start:stop].tolist())
                for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
            ]
            names = list(self._codes.strings)
            shapes[new] = programs.numbers_of(clauses, names, self._codes.code)
        return shapes
