"""What compiled checkers of orders know of words."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from synthgen.verifiers.skillmix import _check_world_kernel_order_read as kernel
from synthgen.verifiers.skillmix import _check_world_order as order
from synthgen.verifiers.skillmix._check_world_codes import Codes, bits_of_classes
from synthgen.verifiers.skillmix._check_world_parse import DETERMINERS
from synthgen.verifiers.skillmix._text_table import Ints

_KINDS: Mapping[int, Container[str]] = {
    kernel.LOCATES: order.LOCATES,
    kernel.HOLDS: order.HOLDS,
    kernel.BETWEEN: order.BETWEEN,
    kernel.BEGINS_PHRASE: {phrase.split()[0] for phrase in order.PHRASES},
    kernel.FITS: ("fits", "fit"),
    kernel.FITTED: order.FITS,
    kernel.ENDS_PLACE: ("too", "itself", "well", "as"),
    kernel.RIGHT: ("right",),
    kernel.OF: ("of",),
    kernel.TIME: order.TIME_TRIGGERS,
    kernel.LOW_FIRST: {"earlier", *(word for word, is_low in order.TIMES.items() if is_low)},
    kernel.COMPARES: ("earlier", "later"),
    kernel.THAN: ("than",),
    kernel.CAME: ("came",),
    kernel.NO_EVENT: order.DOWN,
    kernel.POINT: order.POINTS,
    kernel.DETERMINER: DETERMINERS,
}
_AXES = {
    "x": kernel.X,
    "y": kernel.Y,
    "z": kernel.Z,
    "n": kernel.N,
    "e": kernel.E,
    "size": kernel.SIZE,
    "weight": kernel.WEIGHT,
    "height": kernel.HEIGHT,
    "width": kernel.WIDTH,
    "in": kernel.IN,
    "on": kernel.ON,
}


class OrderCodes:
    """Kinds of words and codes of words of phrases, by the numbers of words."""

    def __init__(self) -> None:
        phrases = sorted(order.PHRASES, key=lambda phrase: -len(phrase.split()))
        spoken = dict.fromkeys(word for phrase in phrases for word in phrase.split())
        codes = {word: code for code, word in enumerate(spoken, 1)}
        longest = len(phrases[0].split())
        rows = []
        for phrase in phrases:
            axis, low_first = order.PHRASES[phrase]
            words = phrase.split()
            row = [_AXES[axis], low_first, len(words), *map(codes.__getitem__, words)]
            rows.append(row + [0] * (longest - len(words)))
        self._phrases: Ints = np.array(rows, np.int64)
        self._codes = Codes(lambda word: codes.get(word, 0))
        self._kinds = Codes(lambda word: bits_of_classes(word, _KINDS))

    def grow(self, names: Sequence[str]) -> kernel.Orders:
        """Add new words, which come in the order of their numbers; return all that is known."""
        return kernel.Orders(self._kinds.grow(names), self._codes.grow(names), self._phrases)
