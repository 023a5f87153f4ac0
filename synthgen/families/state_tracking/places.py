"""People, places and objects: short stories, and questions after bAbI's tasks 1 to 3, 5 and 8."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    filled,
    levelled,
    params,
)
from synthgen.families.state_tracking.boxes import joined

_WORDS = Words.beside(__file__).part("places")
_TASKS = {
    "person": "1",
    "object": "2",
    "before": "3",
    "giver": "5",
    "given": "5",
    "receiver": "5",
    "carried": "8",
}
"""bAbI's number of each kind of question."""
_MIN_GIFTS = 8
"""Sentences that most stories with two gifts need."""
_GIFTS = {"giver": "name", "given": "thing", "receiver": "other"}
_MAX_PEOPLE, _MAX_PLACES, _MAX_OBJECTS, _MAX_LENGTH, _TRIES = 8, 10, 10, 60, 40


class Event(NamedTuple):
    """Something that a person does: go, take, drop or give.

    Attributes:
        thing: Place of `go`; otherwise an object.
        other: Person who is given something, or -1.
    """

    kind: str
    person: int
    thing: int
    other: int = -1


class Question(NamedTuple):
    """Kind of question, what it is about, the answer, and the lines of the solution."""

    ask: str
    about: Mapping[str, int]
    answer: Sequence[int]
    lines: Sequence[tuple[str, Mapping[str, Any]]]


@dataclass
class _World:
    """Where people and objects are.

    Attributes:
        at: Place of each person whose place is known.
        holder: Person who has an object.
        lies: Place of an object that nobody has.
        events: What has happened.
    """

    at: dict[int, int] = field(default_factory=dict)
    holder: dict[int, int] = field(default_factory=dict)
    lies: dict[int, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def place_of(self, thing: int) -> int:
        """Return the place of an object, -1 if it is not known."""
        return self.at[self.holder[thing]] if thing in self.holder else self.lies.get(thing, -1)

    def apply(self, event: Event) -> None:
        """Let something happen."""
        kind, person, thing, other = event
        if kind == "go":
            self.at[person] = thing
        elif kind == "take":
            self.holder[thing] = person
        elif kind == "give":
            self.holder[thing] = other
        else:
            del self.holder[thing]
            self.lies[thing] = self.at[person]
        self.events.append(event)


@levelled("length + n_needed", 8, 10, 12, 14, 17, 20, 25, 31, 38, 46)
@dataclass(frozen=True)
class StatePlaces(PlainFamily):
    """People go from place to place and take, drop and give objects.

    Attributes:
        asks: Kinds of questions, with bAbI's number of the task: where is a "person" (1) or an
            "object" (2), where was it "before" (3), who was the "giver" or "receiver" and what was
            "given" (5), what is "carried" (8).
        people, places, objects: Number of people, places and objects.
        min_length, max_length: Fewest and most sentences.
    """

    asks: tuple[str, ...] = params.choices(("person", "object", "before", "carried"), tuple(_TASKS))
    people: int = params.integer(4, 2, _MAX_PEOPLE)
    places: int = params.integer(6, 3, _MAX_PLACES)
    objects: int = params.integer(3, 1, _MAX_OBJECTS)
    min_length: int = params.integer(6, 5, _MAX_LENGTH, up_to="max_length")
    max_length: int = params.integer(14, 5, _MAX_LENGTH)

    verifier = "state_places"
    same_up_to = "the names of people, places and objects and how events are stated"
    words = _WORDS
    symbols = {
        **dict.fromkeys(("go", "take", "drop"), 3),
        "give": 4,
        **dict.fromkeys(("before", "giver", "given", "receiver"), 2),
        **dict.fromkeys(("person", "object", "carried"), 1),
    }
    answer_type = {**dict.fromkeys(_TASKS, "label"), "carried": "set"}
    own_axes = {
        "length": axis("sentences", "min_length", "max_length"),
        "n_people": axis("people who are named", 1, "people"),
        "n_objects": axis("objects that are named", 0, "objects"),
        "n_needed": axis("states in the solution", 0, 2 * _MAX_LENGTH),
        "is_last": axis("1 if the answer is the last place, person or object named", 0, 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        gifts = [ask for ask in self.asks if ask in _GIFTS]
        if gifts and self.max_length < _MIN_GIFTS:
            wanted = f'at least {_MIN_GIFTS}, as "{gifts[0]}" is in asks'
            raise ParamError("max_length", self.max_length, wanted)
        if "given" in self.asks and self.objects < 2:
            raise ParamError("objects", self.objects, 'at least 2, as "given" is in asks')

    @property
    def answers_differ(self) -> bool:
        """Answers are names."""
        return True

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw stories until one has an answer to the kind of question."""
        ask = draws.choice(self.asks)
        length = draws.integer(self.min_length, self.max_length + 1)
        for _ in range(_TRIES):
            world = _World()
            for _ in range(length):
                world.apply(self._drawn(world, ask, draws))
            questions = [*_QUESTIONS[ask](world)]
            last = [_last(world.events, _ANSWERS[ask])]
            others = [each for each in questions if each.answer != last]
            if questions:
                question = draws.choice(others if others and draws.integer(0, 4) else questions)
                if question.answer or not draws.integer(0, 2):
                    return self._problem(world.events, question, draws)
        return None

    def _drawn(self, world: _World, ask: str, draws: RowDraws) -> Event:
        """Draw what happens next; people move half of the time."""
        here: dict[int, list[int]] = {}
        for person, place in world.at.items():
            here.setdefault(place, []).append(person)
        acts = [
            *(Event("drop", person, thing) for thing, person in world.holder.items()),
            *(
                Event("give", person, thing, other)
                for thing, person in world.holder.items()
                for other in here[world.at[person]]
                if other != person
            ),
            *(
                Event("take", person, thing)
                for thing in range(self.objects)
                if thing not in world.holder
                for person in here.get(world.lies.get(thing, -1), [])
            ),
        ]
        new = [thing for thing in range(self.objects) if thing not in world.holder | world.lies]
        acts += [Event("take", person, new[0]) for person in world.at if new]
        last = world.events[-1] if world.events else Event("go", -1, -1)
        acts = [act for act in acts if last.kind == "go" or act.thing != last.thing]
        gives = [act for act in acts if act.kind == "give"]
        if gives and _TASKS[ask] == "5" and draws.integer(0, 3):
            acts = gives
        if acts and ask != "person" and draws.integer(0, 2):
            kinds = sorted({act.kind for act in acts})
            kind = draws.choice(kinds)
            return draws.choice([act for act in acts if act.kind == kind])
        person = draws.integer(0, min(self.people, len(world.at) + 1))
        places = [each for each in range(self.places) if each != world.at.get(person)]
        if _TASKS[ask] == "5" and draws.integer(0, 2):  # people must meet to give
            places = [each for each in places if each in here] or places
        place = draws.choice(places)
        return Event("go", person, place)

    def _problem(self, events: Sequence[Event], question: Question, draws: RowDraws) -> Problem:
        names = {
            "name": draws.sample(_WORDS["names"], self.people),
            "place": draws.sample(_WORDS["places"], self.places),
            "thing": draws.sample(_WORDS["objects"], self.objects),
        }
        names["other"] = names["name"]
        ask, about, answer, lines = question
        table = names[_ANSWERS[ask]]
        words = [table[each] for each in answer]
        renumbered = _Numbers(names)
        items = [[renumbered.of(*pair) for pair in _pairs(event)] for event in events]
        nested: Tree = (ask, *(renumbered.of(kind, each) for kind, each in about.items()))
        for event, numbers in zip(reversed(events), reversed(items), strict=True):
            nested = (event.kind, *numbers, nested)
        return Problem(
            tree=nested,
            answer=", ".join(sorted(words)) or "nothing",
            holes={kind: names[kind][each] for kind, each in about.items()},
            kind=ask,
            axes={
                "length": len(events),
                "n_people": renumbered.count("name"),
                "n_objects": renumbered.count("thing"),
                "n_needed": len(lines),
                "is_last": int([*answer] == [_last(events, _ANSWERS[ask])]),
            },
            data=(events, names, lines),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the story."""
        events, names, _ = problem.data
        story = " ".join(
            filled(
                draws.choice(_WORDS["texts"][event.kind]),
                {kind: names[kind][each] for kind, each in _pairs(event)},
            )
            for event in events
        )
        return {**problem.holes, "story": story}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the states that matter, one after the other."""
        _, names, lines = problem.data
        texts = []
        for kind, holes in lines:
            words = {hole: names[hole][each] for hole, each in holes.items() if hole != "things"}
            things = [f"the {names['thing'][thing]}" for thing in holes.get("things", ())]
            listed = joined(things) if things else "nothing"
            texts.append(_WORDS.line(kind, **words, things=listed))
        return texts

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Return what else the story names, the last first."""
        events, names, _ = problem.data
        kind = _ANSWERS[problem.kind]
        kinds = ("name", "other") if kind in ("name", "other") else (kind,)
        pairs = [pair for event in reversed(events) for pair in _pairs(event)]
        named = [names[hole][each] for hole, each in pairs if hole in kinds]
        if problem.kind != "carried":
            yield from named
            yield from draws.shuffled(names[kind])
            return
        for size in (1, 2, 1, 2, 3, 1, 2, 1):
            yield ", ".join(sorted(draws.sample(names[kind], min(size, len(names[kind])))))
        yield "nothing"


class _Numbers:
    """Numbers of people, places and objects in the order in which they are first named."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self._numbers: dict[str, dict[int, int]] = {kind: {} for kind in names}
        self._numbers["other"] = self._numbers["name"]

    def of(self, kind: str, each: int) -> int:
        known = self._numbers[kind]
        return known.setdefault(each, len(known) + 1)

    def count(self, kind: str) -> int:
        """Return how many are named."""
        return len(self._numbers[kind])


def _pairs(event: Event) -> list[tuple[str, int]]:
    """Return what an event names, by hole of the wording."""
    pairs = [("name", event.person), ("place" if event.kind == "go" else "thing", event.thing)]
    return [*pairs, ("other", event.other)] if event.kind == "give" else pairs


def _last(events: Sequence[Event], kind: str) -> int:
    """Return the last place, person or object that a story names, -1 for none."""
    kinds = ("name", "other") if kind in ("name", "other") else (kind,)
    named = (each for event in reversed(events) for each in reversed(_pairs(event)))
    return next((each for hole, each in named if hole in kinds), -1)


# questions


def _of_person(world: _World) -> Iterator[Question]:
    for person, place in world.at.items():
        lines = [
            ("at", {"name": person, "place": event.thing})
            for event in world.events
            if event.kind == "go" and event.person == person
        ]
        yield Question("person", {"name": person}, [place], lines)


def _history(world: _World, thing: int) -> list[tuple[str, dict[str, int]]]:
    """Return the states of an object, one for each event that changes its holder or its place."""
    states: list[tuple[str, dict[str, int]]] = []
    replay = _World()
    for event in world.events:
        before = (replay.holder.get(thing), replay.place_of(thing))
        replay.apply(event)
        place = replay.place_of(thing)
        if (replay.holder.get(thing), place) != before:
            holder = replay.holder.get(thing)
            known = {"thing": thing, "place": place}
            states.append(
                ("left", known) if holder is None else ("with", {"name": holder, **known})
            )
    return states


def _of_object(world: _World) -> Iterator[Question]:
    for thing in world.holder | world.lies:
        yield Question("object", {"thing": thing}, [world.place_of(thing)], _history(world, thing))


def _of_before(world: _World) -> Iterator[Question]:
    for thing in world.holder | world.lies:
        states = _history(world, thing)
        visits = [known["place"] for _, known in states]
        visits = [place for i, place in enumerate(visits) if i == 0 or place != visits[i - 1]]
        for before, place in pairwise(visits):
            if visits.count(place) == 1:
                yield Question("before", {"thing": thing, "place": place}, [before], states)


def _of_gifts(ask: str, world: _World) -> Iterator[Question]:
    """Yield questions about one of several gifts, of which only one thing is not said."""
    gifts = [event for event in world.events if event.kind == "give"]
    lines = [("gave", {"name": e.person, "thing": e.thing, "other": e.other}) for e in gifts]
    for _, gift in lines:
        hidden = _GIFTS[ask]
        about = {hole: each for hole, each in gift.items() if hole != hidden}
        if ask == "giver":
            about = {"thing": gift["thing"], "name": gift["other"]}
        like = [each for _, each in lines if all(each[h] == gift[h] for h in gift if h != hidden)]
        if len(lines) > 1 == len(like):
            yield Question(ask, about, [gift[hidden]], lines)


def _of_carried(world: _World) -> Iterator[Question]:
    for person in world.at:
        lines: list[tuple[str, Mapping[str, Any]]] = []
        held: list[int] = []
        for event in world.events:
            before = [*held]
            if event.kind in ("drop", "give") and event.person == person:
                held.remove(event.thing)
            if event.other == person or (event.kind == "take" and event.person == person):
                held.append(event.thing)
            if held != before:
                lines.append(("carries", {"name": person, "things": tuple(held)}))
        if lines:
            yield Question("carried", {"name": person}, held, lines)


_QUESTIONS: Mapping[str, Callable[[_World], Iterator[Question]]] = {
    "person": _of_person,
    "object": _of_object,
    "before": _of_before,
    **{ask: partial(_of_gifts, ask) for ask in _GIFTS},
    "carried": _of_carried,
}
_ANSWERS = {
    "person": "place",
    "object": "place",
    "before": "place",
    **_GIFTS,
    "carried": "thing",
}
"""What each kind of question asks for."""
