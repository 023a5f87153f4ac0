"""Compiled reading of facts about orders in space and time; see `_check_world_order`."""

from __future__ import annotations

from typing import NamedTuple

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._text_table import Ints

(
    LOCATES,
    HOLDS,
    BETWEEN,
    BEGINS_PHRASE,
    FITS,
    FITTED,
    ENDS_PLACE,
    RIGHT,
    OF,
    TIME,
    LOW_FIRST,
    COMPARES,
    THAN,
    CAME,
    NO_EVENT,
    POINT,
    DETERMINER,
) = (1 << at for at in range(17))
"""Kinds of words, as bits; `FITTED` are the words that stand behind `FITS`."""
X, Y, Z, N, E, SIZE, WEIGHT, HEIGHT, WIDTH, IN, ON, T = range(12)
"""Axes."""
N_PLACES = 5
"""Of the axes, the first so many say where things are."""
PHRASE_AXIS, PHRASE_LOW_FIRST, PHRASE_LENGTH, PHRASE_WORDS = range(4)
"""Columns of phrases."""
AXIS, LOW, HIGH, AT = range(4)
"""Columns of facts; the last one is the number of their statement."""
MOST_WORDS = 4
"""Of a thing with a place."""


class Orders(NamedTuple):
    """What is known of words.

    Attributes:
        kinds: bits of each word by its number.
        codes: of each word of a phrase, 0 for others.
        phrases: rows, the longest first.
    """

    kinds: Ints
    codes: Ints
    phrases: Ints


class Things(NamedTuple):
    """Different things of a text, by number.

    Attributes:
        words: of all things, and behind them those of things that are read.
        stops: where each of them ends in the words.
        sizes: how many things there are, and how many words they have.
    """

    words: Ints
    stops: Ints
    sizes: Ints


@lent
def spatial_fact(
    words: Ints, start: int, stop: int, known: Orders, things: Things, fact: Ints
) -> bool:
    """Read "the cup is on the shelf", "on the shelf stands the cup" or "the box holds the cup"."""
    kinds, phrases = known.kinds, known.phrases
    first, second_stop = start, stop
    verb = holds = -1
    for at in range(start, stop):
        if kinds[words[at]] & LOCATES:
            verb = at
            break
        if holds < 0 and kinds[words[at]] & HOLDS:
            holds = at
    if verb < 0:
        if holds < 0:
            return False
        first_stop, second = holds, holds + 1
        fact[AXIS], low_first = IN, 0
    else:
        phrase = _phrase(words, start, verb, known)
        if phrase >= 0:
            first, first_stop = verb + 1, stop
            second, second_stop = start + phrases[phrase, PHRASE_LENGTH], verb
        else:
            at = verb + 1
            while at < stop and kinds[words[at]] & (BETWEEN | LOCATES):
                if kinds[words[at]] & RIGHT and at + 1 < stop and kinds[words[at + 1]] & OF:
                    break
                at += 1
            first_stop, second = verb, at + 1
            if not (kinds[words[verb]] & FITS and at < stop and kinds[words[at]] & FITTED):
                phrase = _phrase(words, at, stop, known)
                if phrase < 0:
                    return False
                second = at + phrases[phrase, PHRASE_LENGTH]
        fact[AXIS], low_first = SIZE, 1
        if phrase >= 0:
            fact[AXIS] = phrases[phrase, PHRASE_AXIS]
            low_first = phrases[phrase, PHRASE_LOW_FIRST]
    return _placed(words, first, first_stop, second, second_stop, low_first, kinds, things, fact)


@lent
def _placed(
    words: Ints,
    first: int,
    first_stop: int,
    second: int,
    second_stop: int,
    low_first: int,
    kinds: Ints,
    things: Things,
    fact: Ints,
) -> bool:
    """Put two things into a fact if they can be things with a place."""
    begin = things.sizes[1]
    middle = begin
    while first < first_stop and kinds[words[first]] & DETERMINER:
        first += 1
    for at in range(first, first_stop):
        if not kinds[words[at]] & BETWEEN:
            things.words[middle] = words[at]
            middle += 1
    while second < second_stop and kinds[words[second]] & DETERMINER:
        second += 1
    while second < second_stop and kinds[words[second_stop - 1]] & ENDS_PLACE:
        second_stop -= 1
    end = middle + second_stop - second
    if not (begin < middle <= begin + MOST_WORDS and middle < end <= middle + MOST_WORDS):
        return False
    for at in range(second, second_stop):
        things.words[middle + at - second] = words[at]
    _state(things, fact, middle, end, low_first)
    return True


@lent
def _phrase(words: Ints, start: int, stop: int, known: Orders) -> int:
    """Return the phrase that begins here, -1 for none."""
    if start >= stop or not known.kinds[words[start]] & BEGINS_PHRASE:
        return -1
    for phrase in range(len(known.phrases)):
        length = known.phrases[phrase, PHRASE_LENGTH]
        at = 0
        while (
            at < length
            and start + at < stop
            and known.codes[words[start + at]] == known.phrases[phrase, PHRASE_WORDS + at]
        ):
            at += 1
        if at == length:
            return phrase
    return -1


@lent
def temporal_fact(
    words: Ints, start: int, stop: int, kinds: Ints, things: Things, fact: Ints
) -> bool:
    """Read "the weighing came before the washing", "the cook left after the clerk" and the like."""
    when, n, came = start, 0, -1
    for at in range(start, stop):
        if kinds[words[at]] & TIME:
            when, n = at, n + 1
        elif came < 0 and kinds[words[at]] & CAME:
            came = at
    if n != 1:
        return False
    kind = kinds[words[when]]
    first, first_stop, second, second_stop = start, when, when + 1, stop
    if when == start:
        if came < 0:
            return False
        first, first_stop, second_stop = came + 1, stop, came
    elif kind & COMPARES:
        if second >= stop or not kinds[words[second]] & THAN:
            return False
        second += 1
    begin = things.sizes[1]
    middle = _event(words, first, first_stop, kinds, things, begin)
    end = _event(words, second, second_stop, kinds, things, middle)
    if begin == middle or middle == end:
        return False
    point = things.words[middle - 1]
    if kinds[point] & POINT and not kinds[things.words[end - 1]] & POINT:
        things.words[end] = point
        end += 1
    fact[AXIS] = T
    _state(things, fact, middle, end, kind & LOW_FIRST)
    return True


@lent
def _event(words: Ints, start: int, stop: int, kinds: Ints, things: Things, end: int) -> int:
    """Put the words of an event behind other words of things, and return where they end."""
    for at in range(start, stop):
        if not kinds[words[at]] & NO_EVENT:
            things.words[end] = words[at]
            end += 1
    return end


@lent
def _state(things: Things, fact: Ints, middle: int, end: int, low_first: int) -> None:
    """Put two things into a fact, by their numbers; their words are behind those of all things.

    Args:
        things: of all facts.
        fact: takes the numbers.
        middle: where the words of the second thing begin.
        end: where they end.
        low_first: whether the first thing comes before the second one.
    """
    start, stop, low = things.sizes[1], middle, low_first
    for _ in range(2):
        number = _number(things, start, stop)
        if low:
            fact[LOW] = number
        else:
            fact[HIGH] = number
        start, stop, low = middle, end, 1 - (low > 0)


@lent
def _number(things: Things, start: int, stop: int) -> int:
    """Return the number of a thing that was read; give it one if it is new."""
    begin, length = 0, stop - start
    for number in range(things.sizes[0]):
        end = things.stops[number]
        if end - begin == length:
            at = 0
            while at < length and things.words[begin + at] == things.words[start + at]:
                at += 1
            if at == length:
                return number
        begin = end
    for at in range(length):  # they may have to be moved down
        things.words[begin + at] = things.words[start + at]
    size: int = things.sizes[0]
    things.stops[size] = things.sizes[1] = begin + length
    things.sizes[0] = size + 1
    return size
