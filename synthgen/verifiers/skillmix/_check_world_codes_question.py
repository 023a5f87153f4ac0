"""What compiled checkers of questions know of words: their classes, stems and topics."""

from __future__ import annotations

from collections.abc import Sequence

from synthgen.core.skill_lexicon import domains, topics
from synthgen.verifiers.skillmix import _check_world_kernel_question as kernel
from synthgen.verifiers.skillmix import _check_world_question as question
from synthgen.verifiers.skillmix._check_world_codes import Codes, bits_of_classes
from synthgen.verifiers.skillmix._check_world_parse import DETERMINERS
from synthgen.verifiers.skillmix._text import STOP
from synthgen.verifiers.skillmix._text_table import COLUMN_BITS, columns

_CLASSES = {
    kernel.BEFORE_QUESTION: ("and", "but", "so", "then", "exactly"),
    kernel.ASKS_WHY: question.ASKS_WHY,
    kernel.HOW: ("how",),
    kernel.HOW_MUCH: ("long", "often", "many", "much"),
    kernel.AUXILIARY: question.AUXILIARIES,
    kernel.WHO: question.WHO,
    kernel.LOADED: question.LOADED,
    kernel.ASKS: question.ASKS,
    kernel.ANSWERS: question.ANSWERS,
    kernel.YES: question.YES,
    kernel.INDIRECT: ("whether", "if", "why", "how", "when", "where", "about"),
}
_NO_STEM = STOP | question.QUESTION_TRIGGERS | DETERMINERS


class QuestionCodes:
    """Rows of words by their numbers, with codes of stems as they come."""

    def __init__(self) -> None:
        self._topics = {topic.name: 1 << at for at, topic in enumerate(topics())}
        self._n_columns = -(-len(self._topics) // COLUMN_BITS)
        self._stems: dict[str, int] = {}
        self._codes = Codes(self._row)

    def grow(self, names: Sequence[str]) -> kernel.Questions:
        """Add the rows of new words, and return all that is known."""
        return kernel.Questions(self._codes.grow(names))

    def _row(self, word: str) -> list[int]:
        stem, on = 0, 0
        if word not in _NO_STEM:
            stem = self._stems.setdefault(question.stem(word), len(self._stems) + 1)
        if word not in STOP:
            on = sum(self._topics[name] for name in domains(word))
        return [bits_of_classes(word, _CLASSES), stem, *columns(on, self._n_columns)]
