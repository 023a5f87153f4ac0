"""What compiled checkers of quantities know of words."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from synthgen.verifiers.skillmix import _check_world_kernel_number_read as kernel
from synthgen.verifiers.skillmix import _check_world_number as number
from synthgen.verifiers.skillmix import _check_world_units as units
from synthgen.verifiers.skillmix._check_world_codes import Codes, bits_of_classes
from synthgen.verifiers.skillmix._check_world_kernel_number_units import LARGEST_UNIT
from synthgen.verifiers.skillmix._check_world_parse import DETERMINERS
from synthgen.verifiers.skillmix._text import STOP

_KINDS: Mapping[int, Container[str]] = {
    kernel.WHOLE: number.UNITS,
    kernel.TENS: number.TENS,
    kernel.ONES: {word for word, value in number.UNITS.items() if 0 < value < 10},
    kernel.ARTICLE: number.ARTICLES,
    kernel.TIMES: number.TIMES,
    kernel.COMPARES: number.COMPARISON_TRIGGERS,
    kernel.MORE: ("more",),
    kernel.OUTDOES: ("outnumber", "outnumbers", "exceed", "exceeds"),
    kernel.THAN: ("than",),
    kernel.BY: ("by",),
    kernel.MAKES: ("makes", "make", "totals"),
    kernel.TOTAL: ("total",),
    kernel.SUM: ("sum",),
    kernel.OF: ("of",),
    kernel.IN: ("in",),
    kernel.ALL: ("all",),
    kernel.TOLD: ("told",),
    kernel.ALTOGETHER: ("altogether",),
    kernel.IS: ("is",),
    kernel.AND: ("and",),
    kernel.EQUAL: units.EQUAL,
    kernel.UNEQUAL: units.UNEQUAL,
    kernel.STOP_WORD: STOP,
    kernel.DETERMINER: DETERMINERS,
}
_VALUES = number.UNITS | number.TENS | number.TIMES


def _kind(word: str) -> int:
    in_digits = word.isdigit() and len(word) <= number.MOST_DIGITS
    return bits_of_classes(word, _KINDS) | (kernel.WHOLE if in_digits else 0)


def _value(word: str) -> int:
    if word.isdigit() and len(word) <= number.MOST_DIGITS:
        return int(word)
    return _VALUES.get(word, 0)


class NumberCodes:
    """Kinds, values and units, by the numbers of words."""

    def __init__(self) -> None:
        forms = units.unit_words()
        codes = {
            measure: code
            for code, measure in enumerate(sorted({form[0] for form in forms.values()}), 1)
        }
        measures = {word: codes[measure] for word, (measure, _) in forms.items()}
        sizes = {word: size for word, (_, size) in forms.items()}
        if max(sizes.values()) > LARGEST_UNIT:
            raise OverflowError(max(sizes.values()))
        self._kinds, self._values = Codes(_kind), Codes(_value)
        self._measures = Codes(lambda word: measures.get(word, 0))
        self._sizes = Codes(lambda word: sizes.get(word, 0))

    def grow(self, names: Sequence[str]) -> kernel.Numbers:
        """Add new words, which come in the order of their numbers; return all that is known."""
        return kernel.Numbers(
            self._kinds.grow(names),
            self._values.grow(names),
            self._measures.grow(names),
            self._sizes.grow(names),
        )
