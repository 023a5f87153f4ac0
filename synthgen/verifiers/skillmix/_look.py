"""All that is found out of many texts at once: skills, topics, and whether they make sense.

What is compiled goes first; the other checkers are asked about the texts that the sieve leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from synthgen.verifiers.skillmix._check_logic_compiled import RULES, Arguments
from synthgen.verifiers.skillmix._check_sieve import CERTAIN, Sieve
from synthgen.verifiers.skillmix._check_world_compiled import FRAMES, Worlds
from synthgen.verifiers.skillmix._checker import Checker
from synthgen.verifiers.skillmix._points_compiled import Sense
from synthgen.verifiers.skillmix._skills import BIT, CHECKERS, SKILLS
from synthgen.verifiers.skillmix._text import Text
from synthgen.verifiers.skillmix._text_cut import Cut
from synthgen.verifiers.skillmix._text_words import Words

_MOST_WORDS = 65_536
"""With more of them new tables are begun."""
_IN_TURN = 16
"""Texts that a checker looks at in turn."""
_RULES = np.array([SKILLS.index(rule) for rule in RULES])
_FRAMES = np.array([SKILLS.index(frame) for frame in FRAMES])
_CERTAIN = np.array([at for at, one in enumerate(SKILLS) if one in {*CERTAIN, *RULES, *FRAMES}])
"""Skills that compiled code finds by itself."""
_OTHERS = np.setdiff1d(np.arange(len(SKILLS)), _CERTAIN)
_TESTS = [(BIT[SKILLS[at]], CHECKERS[SKILLS[at]]) for at in _OTHERS.tolist()]
_BITS = np.array([BIT[skill] for skill in SKILLS], np.int64)


class Look:
    """Looks at texts, whose words it knows by number."""

    def __init__(self) -> None:
        self._words = Words()
        self._sieve = Sieve(CHECKERS)
        self._arguments = Arguments()
        self._worlds = Worlds()
        self._sense = Sense()

    def is_full(self) -> bool:
        """Say whether there are too many words, or sets of words that were not known at first."""
        return len(self._words) > _MOST_WORDS or not self._sieve.fits()

    def at(self, raws: Sequence[str]) -> list[Text]:
        """Return texts with all that is found out of them."""
        cut = Cut(raws, self._words)
        possible = self._sieve.possible(cut)
        possible[_RULES] &= self._arguments.rules(cut, possible[_RULES].any(axis=0))
        possible[_FRAMES] = self._worlds.frames(cut, possible[_FRAMES])
        marks = _asked(cut, possible)
        found = []
        for raw, plain, mark, points in zip(
            raws, cut.plains, marks, self._sense.find(cut), strict=True
        ):
            text = Text(raw, plain)
            text.marks = mark
            text.topics, text.sense = points
            found.append(text)
        return found


def _asked(cut: Cut, possible: NDArray[np.bool_]) -> list[int]:
    """Return the skills of each text as bits; where only a checker can tell, it is asked.

    Each checker looks at all of a few texts before the next does, which keeps what it needs at
    hand: a sixth quicker than text by text. Then their parts are let go.
    """
    marks: list[int] = (_BITS[_CERTAIN] @ possible[_CERTAIN]).tolist()
    for start in range(0, len(marks), _IN_TURN):
        texts: dict[int, Text] = {}
        skills, places = possible[_OTHERS, start : start + _IN_TURN].nonzero()
        for skill, at in zip(skills.tolist(), (places + start).tolist(), strict=True):
            bit, checker = _TESTS[skill]
            if checker.part != "text":
                if _has_part(cut, at, checker):
                    marks[at] |= bit
            elif checker.shows(texts.get(at) or texts.setdefault(at, cut.text(at))):
                marks[at] |= bit
    return marks


def _has_part(cut: Cut, at: int, checker: Checker) -> bool:
    """Say whether a clause or a sentence of a text shows a skill; no others are made for that."""
    needs, test = checker.needs, checker.test
    if test is None:
        return False
    if checker.part == "clause":
        clauses = [one for one in cut.clauses_of(at) if cut.bits[one] & needs == needs]
        return any(test(cut.clause(one)) for one in clauses)
    sentences = [one for one in cut.sentences_of(at) if cut.sentence_bits(one) & needs == needs]
    return any(test(cut.sentence(one)) for one in sentences)


_looks: list[Look] = []


def looked_at(raws: Sequence[str]) -> list[Text]:
    """Return texts with all that is found out of them."""
    if not _looks or _looks[0].is_full():
        _looks[:] = [Look()]
    return _looks[0].at(raws)


def marks_of(text: Text) -> int:
    """Return all skills that a text shows, as bits in the order of `SKILLS`."""
    if text.marks is None:
        text.marks = looked_at([text.raw])[0].marks
    return text.marks or 0
