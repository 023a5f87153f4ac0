"""What compiled checkers of facts know of words: what things, deeds and senses they tell of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from synthgen.core.skill_lexicon import senses
from synthgen.core.skill_world import Record, listed, records
from synthgen.verifiers.skillmix import _check_world_kernel_fact_known as kernel
from synthgen.verifiers.skillmix._check_world_codes import Codes, bits_of_classes
from synthgen.verifiers.skillmix._check_world_fact import SOME
from synthgen.verifiers.skillmix._check_world_kernel_fact_known import Facts
from synthgen.verifiers.skillmix._text import STOP
from synthgen.verifiers.skillmix._text_table import Ints

_CLASSES = {
    kernel.STANDS: ("it", "which"),
    kernel.BUDGE: ("budge",),
    kernel.EACH: ("every", "any"),
    kernel.SOME: SOME,
}


class FactCodes:
    """Rows of words by their numbers, and the rules of physics."""

    def __init__(self) -> None:
        self._columns = _columns()
        self._bearers = _bits([record["bearer"]] for record in _homonyms())
        self._codes = Codes(self._row)
        self._rules = _rules()

    def grow(self, names: Sequence[str]) -> Facts:
        """Add the rows of new words, and return all that is known."""
        return Facts(self._codes.grow(names), self._rules)

    def _row(self, word: str) -> list[int]:
        row = [0] * kernel.N_COLUMNS
        for column, bits in self._columns.items():
            row[column] = bits.get(word, 0)
        for part in {sense.part for sense in senses(word)}:
            row[kernel.BEARERS] |= self._bearers.get(part, 0)
        row[kernel.BEARERS] &= ~row[kernel.HOMONYMS]  # it does not bear itself
        row[kernel.CLASSES] = bits_of_classes(word, _CLASSES)
        return row


def _columns() -> dict[int, Mapping[str, int]]:
    """Return the bits of words by column, one bit for each record that names the word."""
    events, rules, homonyms = records("physics", "event"), records("kinds", "rule"), _homonyms()
    marks = [(_marks(record, "first"), _marks(record, "second")) for record in homonyms]
    return {
        kernel.THINGS: _bits(listed(one["things"]) for one in records("physics", "kind")),
        kernel.DEEDS: _bits(listed(event["verbs"]) for event in events),
        kernel.NEAR: _bits(listed(event["near"]) for event in events),
        kernel.EFFECTS: _bits(listed(one["words"]) for one in records("physics", "effect")),
        kernel.PROPERTIES: _bits(listed(rule["words"]) for rule in rules),
        kernel.KINDS: _bits([rule["kinds"]] for rule in rules),
        kernel.KIND: _bits([rule["kind"]] for rule in rules),
        kernel.EXCEPTIONS: _bits(listed(rule["exceptions"]) for rule in rules),
        kernel.HOMONYMS: _bits([record["word"]] for record in homonyms),
        kernel.FIRST: _bits(first - second - STOP for first, second in marks),
        kernel.SECOND: _bits(second - first - STOP for first, second in marks),
    }


def _bits(lists: Iterable[Iterable[str]]) -> Mapping[str, int]:
    """Return the bits of the lists that each word is in."""
    found: dict[str, int] = {}
    for at, words in enumerate(lists):
        for word in words:
            found[word] = found.get(word, 0) | 1 << at
    return found


def _homonyms() -> list[Record]:
    """Return the homonyms; the last record of a word is the one that holds."""
    return list({record["word"]: record for record in records("senses", "homonym")}.values())


def _marks(record: Record, sense: str) -> set[str]:
    """Return the words that facts of a sense are told in."""
    facts = listed(record[sense])
    return {word for fact in facts for word in fact.split()}.union(listed(record[f"{sense}_cues"]))


def _rules() -> Ints:
    """Return for each kind of thing and event, as bits, the bits of what comes of it."""
    kinds, events, effects = (
        _bits([record["name"]] for record in records("physics", table))
        for table in ("kind", "event", "effect")
    )
    due = {
        (rule["kind"], rule["event"]): rule["effect"] for rule in records("physics", "rule")
    }.items()
    rows = [
        (kinds.get(kind, 0), events.get(event, 0), effects.get(effect, 0))
        for (kind, event), effect in due
    ]
    return np.array(rows, np.int64)
