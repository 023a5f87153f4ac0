"""Checker of conversions: an amount in two units is reckoned again."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import NamedTuple

from synthgen.core.skill_world import listed, records
from synthgen.verifiers.skillmix._check_world_number import quantities
from synthgen.verifiers.skillmix._text import Sentence


@cache
def _measures() -> dict[str, tuple[str, int]]:
    """Name of a unit, in any form -> what it measures and how much it is."""
    return {
        form: (record["measure"], int(record["size"]))
        for record in records("units", "unit")
        for form in (record["one"], *listed(record["many"]))
    }


EQUAL = frozenset(
    "is are equals equal or same makes make means comes come amounts exactly namely was were "
    "totals gives get gets measures words".split()
)
UNEQUAL = frozenset(
    "more less than plus left costs not never about nearly almost before after then".split()
)


class Amount(NamedTuple):
    """An amount in one unit: where it ends in the sentence, its clause, and how much it is."""

    start: int
    end: int
    clause: int
    measure: str
    unit: int
    size: int


def unit_words() -> dict[str, tuple[str, int]]:
    """Names of units."""
    return _measures()


def unit_conversion(sentence: Sentence) -> bool:
    """Whether an amount is stated to be one in another unit, and the two are equal."""
    amounts = _amounts(sentence)
    words = sentence.words
    for one, other in pairwise(amounts):
        if one.measure != other.measure or one.unit == other.unit or one.size != other.size:
            continue
        between = words[one.end : other.start]
        if (
            other.clause - one.clause <= 2
            and not EQUAL.isdisjoint(between)
            and UNEQUAL.isdisjoint(between)
        ):
            return True
    return False


def _amounts(sentence: Sentence) -> list[Amount]:
    """Read the amounts of a sentence; "2 feet and 3 inches" is one."""
    units = _measures()
    found: list[Amount] = []
    offset = 0
    for at, clause in enumerate(sentence.clauses):
        words = clause.words
        for number in quantities(words):
            if number.end >= len(words) or words[number.end] not in units:
                continue
            measure, unit = units[words[number.end]]
            start, end = number.start + offset, number.end + 1 + offset
            amount = Amount(start, end, at, measure, unit, unit * number.value)
            last = found[-1] if found else None
            joins = last is not None and last.clause == at and last.measure == measure
            if (
                last is not None
                and joins
                and unit < last.unit
                and _joined(words, last, start, offset)
            ):
                found[-1] = last._replace(end=end, size=last.size + amount.size)
            else:
                found.append(amount)
        offset += len(words)
    return found


def _joined(words: tuple[str, ...], last: Amount, start: int, offset: int) -> bool:
    return words[last.end - offset : start - offset] in ((), ("and",))
