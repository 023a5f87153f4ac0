"""Compiled checkers of quantities; see `_check_world_number` and `_check_world_units`."""

from __future__ import annotations

from numba import njit

from synthgen.verifiers.skillmix._check_world_kernel_bits import (
    ARITHMETIC_COMPARISON,
    COUNTING,
    UNIT_CONVERSION,
)
from synthgen.verifiers.skillmix._check_world_kernel_number_compared import arithmetic_comparison
from synthgen.verifiers.skillmix._check_world_kernel_number_counted import counting
from synthgen.verifiers.skillmix._check_world_kernel_number_read import Numbers
from synthgen.verifiers.skillmix._check_world_kernel_number_units import unit_conversion
from synthgen.verifiers.skillmix._check_world_kernel_told import Cuts
from synthgen.verifiers.skillmix._text_table import Ints


@njit(cache=True, nogil=True)
def skills(cuts: Cuts, first: int, last: int, told: Ints, wanted: int, known: Numbers) -> int:
    """Return the bits of the wanted skills that sentences[first:last], a text, show."""
    found = 0
    compares = wanted & ARITHMETIC_COMPARISON and len(told)
    if compares and arithmetic_comparison(cuts.words, told, known):
        found |= ARITHMETIC_COMPARISON
    if wanted & COUNTING:
        begin = cuts.sentence_ends[first - 1] if first else 0
        if counting(cuts, begin, cuts.sentence_ends[last - 1], known):
            found |= COUNTING
    if wanted & UNIT_CONVERSION and unit_conversion(cuts, first, last, known):
        found |= UNIT_CONVERSION
    return found
