"""Compiled logs of events, and what agents who were away wrongly believe; see `false_belief`."""

from __future__ import annotations

import numpy as np
from numba import njit

from synthgen.core.lent import lent
from synthgen.verifiers.skillmix._check_world_kernel_mind_known import (
    ADVERB,
    BELIEVES_OR_SEEKS,
    CAME,
    END,
    FROM,
    IN,
    LEAVES,
    MOVES,
    OUT,
    PLACE,
    PUTS_OR_MOVES,
    RETURNS,
    SEEKS,
    TO,
    WHILE_OR_WHEN,
)
from synthgen.verifiers.skillmix._check_world_kernel_told import (
    CLAUSE,
    GOES_ON,
    LINK,
    NEGATION,
    PRONOUN,
    START,
    STOP,
    Cuts,
    bare,
    first_of,
    has_any,
)
from synthgen.verifiers.skillmix._text_table import Ints

_ACTOR, _THING, _THING_STOP, _PLACE, _PLACE_STOP = range(5)
"""Columns of events: who puts what where, as spans of words, or goes or comes back."""
_GONE, _BACK = -1, -2
"""In place of the thing."""
_MOST_EVENTS = 3
"""Of a statement: "the cook put the cup in the box and left" while another went away."""
_NONE = -1


@njit(cache=True, nogil=True)
def false_belief(cuts: Cuts, told: Ints, bits: Ints) -> bool:
    """Say whether the log ends with a place in which an agent believes, but wrongly.

    All who are the subject of a statement anywhere see what happens unless they are away, so what
    one of them believes can be read off the events before.
    """
    log = np.empty((_MOST_EVENTS * len(told), 5), np.int64)
    n = 0
    for at in range(len(told)):
        start, stop = _behind_while(cuts, told, at, bits), told[at, STOP]
        agent = _agent(cuts, start, stop, bits)
        if agent == _NONE:
            continue
        if (
            at + 1 < len(told)
            and told[at + 1, CLAUSE] == told[at, CLAUSE]
            and (
                told[at + 1, LINK] == GOES_ON
                or bits[cuts.words[told[at + 1, START]]] & WHILE_OR_WHEN
            )
        ):
            n += _go(cuts, told, at + 1, bits, log[n:])
        verb = first_of(cuts.words, start, stop, bits, int(BELIEVES_OR_SEEKS))
        if verb == _NONE:
            more = _happen(cuts, agent, start, stop, bits, log[:n], log[n:])
            n += more or _go(cuts, told, at, bits, log[n:])
        elif not has_any(cuts.words, start, stop, cuts.classes, int(NEGATION)):
            believed = _believed(cuts.words, agent, start, stop, log[:n])
            if believed != _NONE and _says(cuts, log[believed], verb, stop, bits):
                return True
    return False


@lent
def _behind_while(cuts: Cuts, told: Ints, at: int, bits: Ints) -> int:
    start: int = told[at, START]
    return start + 1 if bits[cuts.words[start]] & WHILE_OR_WHEN else start


@lent
def _agent(cuts: Cuts, start: int, stop: int, bits: Ints) -> int:
    """Return the subject of a clause, "the cook" or "anna"; a pronoun is nobody we know."""
    while start < stop and bits[cuts.words[start]] & ADVERB:
        start += 1
    start = bare(cuts, start, stop)
    if start < stop and not cuts.classes[cuts.words[start]] & PRONOUN:
        return int(cuts.words[start])
    return _NONE


@lent
def _go(cuts: Cuts, told: Ints, at: int, bits: Ints, new: Ints) -> int:
    """Let the subject of a statement go or come back; return the number of new events."""
    start, stop = _behind_while(cuts, told, at, bits), told[at, STOP]
    seen = 0
    for place in range(start, stop):
        if cuts.classes[cuts.words[place]] & NEGATION:
            return 0
        seen |= bits[cuts.words[place]]
    if seen & RETURNS or (seen & CAME and seen & IN):
        new[0, _THING] = _BACK
    elif seen & (LEAVES | OUT):
        new[0, _THING] = _GONE
    else:
        return 0
    new[0, _ACTOR] = _agent(cuts, start, stop, bits)  # nobody's going changes nothing
    return 1


@lent
def _happen(cuts: Cuts, agent: int, start: int, stop: int, bits: Ints, log: Ints, new: Ints) -> int:
    """Read "the cook put the cup in the box" or "the clerk moved it to the shelf"."""
    words = cuts.words
    verb = first_of(words, start, stop, bits, int(PUTS_OR_MOVES))
    if verb <= start or has_any(words, start, stop, cuts.classes, int(NEGATION)):
        return 0
    end = _NONE
    if bits[words[verb]] & MOVES:
        end = first_of(words, verb + 1, stop, bits, int(TO))
    if end == _NONE:
        end = first_of(words, verb + 1, stop, bits, int(PLACE))
    if end == _NONE:
        return 0
    whence = first_of(words, start, stop, bits, int(FROM))
    thing_stop = end if whence == _NONE else min(end, whence)
    thing = bare(cuts, verb + 1, thing_stop)
    place = bare(cuts, end + 1, stop)
    place_stop = first_of(words, place, stop, bits, int(END))
    if place_stop == _NONE:
        place_stop = stop
    if thing >= thing_stop or place >= place_stop:
        return 0
    last = _last_thing(log)
    if thing + 1 == thing_stop and cuts.classes[words[thing]] & PRONOUN and last != _NONE:
        thing, thing_stop = log[last, _THING], log[last, _THING_STOP]
    new[0, _ACTOR] = agent
    new[0, _THING], new[0, _THING_STOP] = thing, thing_stop
    new[0, _PLACE], new[0, _PLACE_STOP] = place, place_stop
    if not has_any(words, place_stop, stop, bits, LEAVES | OUT):
        return 1
    new[1, _ACTOR], new[1, _THING] = agent, _GONE  # "and went out"
    return 2


@lent
def _last_thing(log: Ints) -> int:
    for at in range(len(log) - 1, -1, -1):
        if log[at, _THING] >= 0:
            return at
    return _NONE


@lent
def _believed(words: Ints, agent: int, start: int, stop: int, log: Ints) -> int:
    """Return the event that an agent saw last of a thing that was moved since, if any.

    The thing is the first of all that words[start:stop] name, or the last one if they name none.
    """
    thing = _NONE
    for at in range(len(log)):
        if thing == _NONE and log[at, _THING] >= 0:
            for place in range(start, stop):
                if _begins(words, log[at, _THING], log[at, _THING_STOP], place, stop):
                    thing = at
                    break
    if thing == _NONE:
        thing = _last_thing(log)
    believed = current = _NONE
    away = False
    for at in range(len(log) if thing != _NONE else 0):
        mine = log[at, _ACTOR] == agent
        if log[at, _THING] < 0:
            if mine:
                away = log[at, _THING] == _GONE
        elif _is_same(
            words,
            log[thing, _THING],
            log[thing, _THING_STOP],
            log[at, _THING],
            log[at, _THING_STOP],
        ):
            current = at
            if mine or not away:
                believed = at
    if believed == _NONE or _is_same(
        words,
        log[believed, _PLACE],
        log[believed, _PLACE_STOP],
        log[current, _PLACE],
        log[current, _PLACE_STOP],
    ):
        return _NONE
    return believed


@lent
def _is_same(words: Ints, start: int, stop: int, at: int, end: int) -> bool:
    """Say whether words[at:end] are words[start:stop]."""
    return stop - start == end - at and _begins(words, start, stop, at, end)


@lent
def _begins(words: Ints, start: int, stop: int, at: int, end: int) -> bool:
    """Say whether words[at:end] begin with words[start:stop]."""
    if stop - start > end - at:
        return False
    for place in range(start, stop):
        if words[place] != words[at + place - start]:
            return False
    return True


@lent
def _says(cuts: Cuts, event: Ints, verb: int, stop: int, bits: Ints) -> bool:
    """Say whether words behind a verb of belief name the place of an event."""
    for at in range(verb, stop):
        if bits[cuts.words[at]] & (SEEKS if at == verb else PLACE) and _begins(
            cuts.words, event[_PLACE], event[_PLACE_STOP], bare(cuts, at + 1, stop), stop
        ):
            return True
    return False
