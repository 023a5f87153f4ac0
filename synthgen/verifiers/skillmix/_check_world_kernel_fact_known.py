"""What compiled checkers of facts are given: a row of numbers for each word, and rules."""

from __future__ import annotations

from typing import NamedTuple

from synthgen.verifiers.skillmix._text_table import Ints

(
    THINGS,
    DEEDS,
    NEAR,
    EFFECTS,
    PROPERTIES,
    KINDS,
    KIND,
    EXCEPTIONS,
    HOMONYMS,
    BEARERS,
    FIRST,
    SECOND,
    CLASSES,
) = range(13)
"""Columns of words, which are bits of records.

Of physics: the kinds of thing that it is, the events that it may tell of as a verb, those that it
must be near to, and the effects that it shows. Of rules with exceptions: those whose property it
shows, those about it as a plural and as a singular, and those that it is an exception to. Of
homonyms: itself, those that a word of its part of speech may have as a predicate, and those whose
first and whose second sense it marks. And its classes.
"""
N_COLUMNS = 13
STANDS, BUDGE, EACH, SOME = (1 << at for at in range(4))
"""Classes: what stands for a thing, what shows an effect when it is denied, and quantifiers."""
KIND_OF_THING, EVENT, EFFECT = range(3)
"""Columns of rules, each with bits in the same order as in the columns of words."""


class Facts(NamedTuple):
    """What is known beforehand.

    Attributes:
        words: rows of words by number.
        rules: of physics.
    """

    words: Ints
    rules: Ints
