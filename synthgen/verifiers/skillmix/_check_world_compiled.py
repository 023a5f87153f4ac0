"""Skills of world and mind in many texts at once, by compiled checkers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix._check_world import CHECKERS
from synthgen.verifiers.skillmix._check_world_codes import Codes, classes_of
from synthgen.verifiers.skillmix._check_world_codes_fact import FactCodes
from synthgen.verifiers.skillmix._check_world_codes_fallacy import FallacyCodes
from synthgen.verifiers.skillmix._check_world_codes_mind import MindCodes
from synthgen.verifiers.skillmix._check_world_codes_number import NumberCodes
from synthgen.verifiers.skillmix._check_world_codes_order import OrderCodes
from synthgen.verifiers.skillmix._check_world_codes_question import QuestionCodes
from synthgen.verifiers.skillmix._check_world_kernel import find_skills
from synthgen.verifiers.skillmix._check_world_kernel_told import Cuts
from synthgen.verifiers.skillmix._text_cut import Cut

FRAMES = tuple(CHECKERS)
"""In the order of the bits of the kernel."""
_BITS = np.int64(1) << np.arange(len(FRAMES))


class Worlds:
    """Finds skills of world and mind; the words of all texts have one numbering."""

    def __init__(self) -> None:
        self._classes = Codes(classes_of)
        self._facts = FactCodes()
        self._fallacies = FallacyCodes()
        self._minds = MindCodes()
        self._numbers = NumberCodes()
        self._orders = OrderCodes()
        self._questions = QuestionCodes()

    def frames(self, cut: Cut, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of the wanted skills each text shows, bool (skills, texts)."""
        names = cut.known.names
        cuts = Cuts(
            cut.words,
            self._classes.grow(names),
            cut.clause_ends,
            cut.marks,
            cut.sentence_ends,
            cut.text_ends,
        )
        found = find_skills(
            cuts,
            _BITS @ wanted,
            self._facts.grow(names),
            self._fallacies.grow(names),
            self._minds.grow(names),
            self._numbers.grow(names),
            self._orders.grow(names),
            self._questions.grow(names),
        )
        return (found & _BITS[:, None]) > 0
