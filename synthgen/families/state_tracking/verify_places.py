"""People, places and objects from the text: who has an object when, by its own events only.

The events of an object give its holders with their times; where a holder is at some time follows
from the last place to which this person went before. Nothing is simulated sentence by sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, filled, holes, reads, wording_pattern

_WORDS = Words.beside(__file__).part("places")
_NAME = holes.word(_WORDS["names"])
_PLACE, _THING = holes.word(_WORDS["places"]), holes.word(_WORDS["objects"])
_HOLES = {"name": _NAME, "other": _NAME, "place": _PLACE, "thing": _THING}
_TEXTS = [
    (kind, wording_pattern(text, _HOLES)[1])
    for kind, texts in _WORDS["texts"].items()
    for text in texts
]
_STEPS = _WORDS["steps"]
_MAX_EVENTS = 100


class _Event(NamedTuple):
    kind: str
    name: str
    thing: str
    other: str


class _Story(NamedTuple):
    """Events, and the question: its kind and what it names."""

    events: tuple[_Event, ...]
    ask: str
    name: str
    thing: str
    place: str
    other: str


class _Stay(NamedTuple):
    """From some time on, an object is with a person, or nobody has it and it is in a place."""

    time: int
    name: str
    place: str


def _events(text: str) -> tuple[_Event, ...] | None:
    events = []
    for sentence in re.findall(r"[^.]+\.", text):
        for kind, pattern in _TEXTS:
            match = pattern.fullmatch(sentence.strip())
            if match:
                words = match.groupdict()
                thing = words.get("thing") or words["place"]
                events.append(_Event(kind, words["name"], thing, words.get("other") or ""))
                break
        else:
            return None
    return tuple(events) if len(events) <= _MAX_EVENTS else None


@reads(
    _WORDS,
    story=holes.pattern(r"[A-Z][A-Za-z ]{5,100}\.(?: [A-Z][A-Za-z ]{5,100}\.){0,100}", _events),
    **_HOLES,
)
def _read(
    kind: str,
    story: tuple[_Event, ...],
    name: str = "",
    thing: str = "",
    place: str = "",
    other: str = "",
) -> _Story | None:
    whole = _Story(story, kind, name, thing, place, other)
    return whole if all(map(_is_possible, _objects(story), [whole] * len(story))) else None


def _objects(events: tuple[_Event, ...]) -> list[str]:
    return [*dict.fromkeys(event.thing for event in events if event.kind != "go")]


def _is_possible(thing: str, story: _Story) -> bool:
    """Return whether only its holder drops or gives an object, and all this in a known place."""
    holder, lies = "", ""
    for time, event in enumerate(story.events):
        if event.kind == "go" or event.thing != thing:
            continue
        place = _place(story, event.name, time)
        if not place or (event.kind == "take") == bool(holder):
            return False
        if event.kind == "take" and lies not in ("", place):
            return False
        if event.kind != "take" and event.name != holder:
            return False
        if event.kind == "give" and (
            event.other == holder or _place(story, event.other, time) != place
        ):
            return False
        holder = {"take": event.name, "give": event.other}.get(event.kind, "")
        lies = place
    return True


def _place(story: _Story, name: str, time: int) -> str:
    """Return where a person is after some events, "" if that is not known."""
    goes = (e.thing for e in reversed(story.events[:time]) if e.kind == "go" and e.name == name)
    return next(goes, "")


def _stays(story: _Story, thing: str) -> list[_Stay]:
    """Return where an object is from when on, and with whom."""
    events = [
        (time, event)
        for time, event in enumerate(story.events, 1)
        if event.kind != "go" and event.thing == thing
    ]
    ends = [time for time, _ in events[1:]] + [len(story.events) + 1]
    stays = []
    for (time, event), end in zip(events, ends, strict=True):
        place = _place(story, event.name, time)
        holder = {"take": event.name, "give": event.other}.get(event.kind, "")
        stays.append(_Stay(time, holder, place))
        stays += [
            _Stay(later, holder, walk.thing)
            for later, walk in enumerate(story.events, 1)
            if time < later < end and holder and walk.kind == "go" and walk.name == holder
        ]
    return [next(same) for _, same in groupby(stays, key=lambda stay: stay[1:])]


def _gifts(story: _Story) -> list[_Event]:
    return [event for event in story.events if event.kind == "give"]


def _had(story: _Story, count: int) -> list[str]:
    """Return what the person has after some events, in the order of getting it."""
    had = []
    for thing in _objects(story.events):
        times = [
            (time, event)
            for time, event in enumerate(story.events[:count])
            if event.kind != "go" and event.thing == thing
        ]
        if times:
            time, last = times[-1]
            holder = {"take": last.name, "give": last.other}.get(last.kind)
            had += [(time, thing)] if holder == story.name else []
    return [thing for _, thing in sorted(had)]


def _solve(story: _Story) -> str | None:
    if story.ask == "person":
        return _place(story, story.name, len(story.events)) or None
    if story.ask == "carried":
        return ", ".join(sorted(_had(story, len(story.events)))) or "nothing"
    if story.ask in ("object", "before"):
        places = [place for place, _ in groupby(stay.place for stay in _stays(story, story.thing))]
        if story.ask == "object" or not places:
            return places[-1] if places else None
        at = [number for number, place in enumerate(places) if place == story.place]
        return places[at[0] - 1] if len(at) == 1 and at[0] else None
    answers = [
        {"giver": event.name, "given": event.thing, "receiver": event.other}[story.ask]
        for event in _gifts(story)
        if (story.ask == "giver" and (event.thing, event.other) == (story.thing, story.name))
        or (story.ask == "given" and (event.name, event.other) == (story.name, story.other))
        or (story.ask == "receiver" and (event.name, event.thing) == (story.name, story.thing))
    ]
    return answers[0] if len(answers) == 1 else None


def _lines(story: _Story) -> Iterator[str]:
    if story.ask == "person":
        for event in story.events:
            if event.kind == "go" and event.name == story.name:
                yield filled(_STEPS["at"], {"name": event.name, "place": event.thing})
    elif story.ask in ("object", "before"):
        for _, name, place in _stays(story, story.thing):
            kind = "with" if name else "left"
            yield filled(_STEPS[kind], {"name": name, "thing": story.thing, "place": place})
    elif story.ask == "carried":
        before: list[str] = []
        for count in range(1, len(story.events) + 1):
            had = _had(story, count)
            if had != before:
                names = [f"the {thing}" for thing in had]
                listed = (
                    ", ".join(names[:-1])
                    + (" and " if len(names) > 1 else "")
                    + "".join(names[-1:])
                )
                yield filled(_STEPS["carries"], {"name": story.name, "things": listed or "nothing"})
            before = had
    else:
        for event in _gifts(story):
            yield filled(_STEPS["gave"], event._asdict())


PLACES = PlainVerifier(
    _read, _solve, lambda story: "set" if story.ask == "carried" else "label", exactly(_lines)
)
