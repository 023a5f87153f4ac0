"""What compiled checkers of minds know of words."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from synthgen.verifiers.skillmix import _check_world_kernel_mind_known as kernel
from synthgen.verifiers.skillmix import _check_world_mind as mind
from synthgen.verifiers.skillmix._check_world_codes import Codes, bits_of_classes
from synthgen.verifiers.skillmix._check_world_parse import persons


def _classes() -> Mapping[int, Container[str]]:
    """Return the words of each class, some of which are data that is read now."""
    stages = (kernel.TRIGGER, kernel.FEELING, kernel.ACT, kernel.CALM)
    outcomes = (kernel.SUCCESS, kernel.FAILURE, kernel.INTERNAL, kernel.EXTERNAL)
    data = zip((*stages, *outcomes), (*mind.STAGES, *mind.OUTCOMES), strict=True)
    return {bit: words() for bit, words in data} | {
        kernel.CUE: mind.CUES,
        kernel.OWNER: mind.OWNERS,
        kernel.EXPLAINS: mind.EXPLAINS,
        kernel.PUTS_OR_MOVES: mind.PUTS_OR_MOVES,
        kernel.MOVES: mind.MOVES,
        kernel.LEAVES: mind.LEAVES,
        kernel.OUT: mind.OUT,
        kernel.RETURNS: mind.RETURNS,
        kernel.TO: mind.TO,
        kernel.PLACE: mind.PLACES,
        kernel.BELIEVES_OR_SEEKS: mind.BELIEF_TRIGGERS,
        kernel.SEEKS: mind.SEEKS,
        kernel.ADVERB: mind.ADVERBS,
        kernel.END: mind.ENDS,
        kernel.WHILE_OR_WHEN: mind.WHILE,
        kernel.CAME: ("came",),
        kernel.IN: ("in",),
        kernel.FROM: ("from",),
    }


class MindCodes:
    """Tables by the number of a word."""

    def __init__(self) -> None:
        classes = _classes()
        self._numbers: dict[str, int] = {"": kernel.NOBODY}
        self._bits = Codes(lambda word: bits_of_classes(word, classes))
        self._people = Codes(self._person)

    def grow(self, names: Sequence[str]) -> kernel.Minds:
        """Add what is known of new words; return all."""
        return kernel.Minds(self._bits.grow(names), self._people.grow(names))

    def _person(self, word: str) -> int:
        # No word of the lexicon names two persons, for which one number would not do.
        (lemma,) = persons((word,)) or ("",)
        return self._numbers.setdefault(lemma, len(self._numbers))
