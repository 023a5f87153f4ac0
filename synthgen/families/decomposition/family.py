"""Questions about small invented worlds, decomposed into steps over facts, as in CommaQA.

A world follows from its number. A theory is a kind of question with its steps: hops along facts,
where "^" reverses a hop, or a computation over throws. `worlds.toml` lists both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property, reduce
from itertools import islice, product
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    OwnAxis,
    PlainFamily,
    Problem,
    RowDraws,
    Rows,
    Symbols,
    Tree,
    Words,
    axis,
    levelled,
    params,
    stream_key,
)
from synthgen.authoring.distractors import other_sets

_WORDS, _WORLDS = Words.beside(__file__), Words.beside(__file__, "worlds.toml")
_LINES, _QUESTIONS = _WORDS["lines"], _WORDS["questions"]
_SENTENCES, _ENTRIES = _WORDS["sentences"], _WORDS["entries"]
_FACTS, _THEORIES, _ASKED_OF = _WORLDS["facts"], _WORLDS["theories"], _WORLDS["asked_of"]
_FIRST_WORDS = 800
_LAST_WORLD = 999_999_999
_MAX_ITEMS, _OFFERED = 5, 10
_TWO_PLACES = ("gap_of_best/javelin", "gap_of_best/discus")


@cache
def _texts(kind: str) -> list[str]:
    """Return all things of a type; values have one length, so that they sort as texts."""
    if kind in _WORLDS["values"]:
        first, last = _WORLDS["values"][kind]
        numbers = range(first, last + 1)
        return [f"{n / 10:.1f}" if kind.endswith("_length") else str(n) for n in numbers]
    names = _WORDS["names"]
    return ["".join(parts) for parts in product(names["start"], names["middle"], names["end"])]


class _Words:
    """The random words of a world, in order."""

    def __init__(self, stream: int) -> None:
        self._stream, self._at = stream, 0
        self._known = Rows.span(stream, 0, _FIRST_WORDS).keys

    def take(self, n: int) -> NDArray[np.uint64]:
        """Return the next words."""
        start, self._at = self._at, self._at + n
        if self._at > len(self._known):
            self._known = Rows.span(self._stream, 0, 2 * self._at).keys
        return self._known[start : self._at]

    def distinct(self, texts: Sequence[str], wanted: int) -> list[str]:
        """Draw different texts."""
        chosen: dict[str, None] = {}
        while len(chosen) < wanted:
            words = self.take(wanted - len(chosen)) % np.uint64(len(texts))
            chosen |= dict.fromkeys(texts[place] for place in words.tolist())
        return list(chosen)

    def column(self, things: Sequence[str], role: str, count: int) -> list[str]:
        """Return up to `count` things for one side of the facts of a kind."""
        n = len(things)
        places: NDArray[Any]
        if role == "*":
            places = self.take(count) % np.uint64(n)
        else:
            times = 1 if role == "1" else -(-count // n)
            places = self.take(times * n).reshape(times, n).argsort(1).ravel()[:count]
        return [things[place] for place in places.tolist()]


class _World(NamedTuple):
    """Things by type and facts by kind."""

    things: dict[str, list[str]]
    facts: dict[str, list[tuple[str, str]]]

    def follow(self, hop: str, starts: Iterable[str]) -> list[str]:
        """Return the things to which a hop leads, in order."""
        facts = self.facts[_kind(hop)]
        if hop.startswith("^"):
            return sorted({start for start, end in facts if end in starts})
        return sorted({end for start, end in facts if start in starts})


def _kind(hop: str) -> str:
    return hop.removeprefix("^")


def _world(task: str, size: int, number: int, without: Sequence[str]) -> _World:
    """Draw the things of a world, and its facts kind by kind."""
    words = _Words(stream_key("decomposition", task, size, number))
    sizes = {kind: -(-n * size // 100) for kind, n in _WORLDS["things"][task].items()}
    names = iter(words.distinct(_texts("name"), sum(sizes.values())))
    things = {
        kind: words.distinct(_texts(kind), n) if kind in _WORLDS["values"] else [*islice(names, n)]
        for kind, n in sizes.items()
    }
    facts = {}
    for kind, (left, left_role, right, right_role) in _FACTS.items():
        if kind not in without and left in sizes and right in sizes:
            count = 2 * max(sizes[left], sizes[right])
            starts = words.column(things[left], left_role, count)
            ends = words.column(things[right], right_role, count)
            pairs = zip(starts, ends, strict=False)
            facts[kind] = list(pairs if "1" in (left_role, right_role) else dict.fromkeys(pairs))
    return _World(things, facts)


_Value = list[str] | dict[str, str] | str


class _Line(NamedTuple):
    """A step: its operation, the kind of fact that it needs if any, its wording and its result."""

    operation: str
    fact: str
    phrase: str
    value: _Value


class _NoResult(Exception):  # noqa: N818
    """A step has no result, so the question is dropped."""


class _Work:
    """A question about a world, and the steps of its answer, numbered from 1."""

    def __init__(self, world: _World) -> None:
        self.world = world
        self.lines: list[_Line] = []
        self.question = self.rules = ""

    def add(self, operation: str, phrase: str, value: _Value, fact: str = "") -> int:
        """Append a step, and return its number."""
        if not value:
            raise _NoResult
        self.lines.append(_Line(operation, fact, phrase, value))
        return len(self.lines)

    def hop(self, hop: str, start: str | int) -> int:
        """Follow a hop from a thing, or from the result of a step."""
        starts = [start] if isinstance(start, str) else self.result(start)
        operation = "select" if isinstance(start, str) else "project"
        thing = start if isinstance(start, str) else f"#{start}"
        ends = self.world.follow(hop, starts)
        return self.add(operation, _phrase(hop, thing), ends, _kind(hop))

    def result(self, number: int) -> Any:
        """Return the result of a step."""
        return self.lines[number - 1].value

    def follow_path(self, hops: Sequence[str], start: str) -> None:
        """Ask for the end of a path."""
        reduce(lambda at, hop: self.hop(hop, at), hops, start)  # type: ignore[arg-type,return-value]
        self.question = reduce(lambda inner, hop: _phrase(hop, inner), hops, start)

    def infer(self, hops: Sequence[str], person: str) -> None:
        """Ask for the objects that an implicit theory gives for a person."""
        if "invented" in hops:
            died = self.result(self.hop("died", person))[0]
            years = dict(sorted(self.world.facts["invented"]))
            self.add("select", _LINES["years"], years, "invented")
            self.add("filter", _LINES["before"], [thing for thing in years if years[thing] < died])
        else:
            self.follow_path(hops, person)
        name = "helped_make" if hops[-1] in ("kind", "^made_of") else "likely_used"
        self.question, self.rules = _QUESTIONS[name].format(one=person), _WORDS["rules"][name]

    def compute(self, name: str, sport: str, slots: Sequence[str]) -> None:
        """Ask for something about throws."""
        if name.startswith("gap"):
            self._subtract(name, sport, slots)
        elif name == "count_shorter":
            throws = sorted(throw for _, throw in self.world.facts[sport])
            self.add("select", _LINES["all_throws"].format(sport=sport), throws, sport)
            shorter = [throw for throw in throws if throw < slots[0]]
            self.add("filter", _LINES["below"].format(one=slots[0]), shorter)
            self.add("select", _LINES["count"], str(len(shorter)))
        else:
            self._choose(name, sport, slots[0])
        self.question = _QUESTIONS[name].format(sport=sport, one=slots[0], two=slots[-1])

    def _choose(self, name: str, sport: str, length: str) -> None:
        """Find the people whose longest throw is longer, or whose shortest throw is shorter."""
        throws: dict[str, list[str]] = {}
        for person, throw in sorted(self.world.facts[sport]):
            throws.setdefault(person, []).append(throw)
        self.add("select", _LINES["throwers"].format(sport=sport), [*throws], sport)
        shown = {person: " ".join(lengths) for person, lengths in throws.items()}
        self.add("project", _LINES["each"].format(sport=sport), shown, sport)
        is_longer = name == "longer"
        best = {person: (max if is_longer else min)(lengths) for person, lengths in throws.items()}
        self.add("project", _LINES[f"best_{name}"], best)
        chosen = [
            p for p, throw in best.items() if throw != length and (throw > length) == is_longer
        ]
        self.add("filter", _LINES[name].format(one=length), chosen)

    def _subtract(self, name: str, sport: str, slots: Sequence[str]) -> None:
        """Find the difference of two extreme throws."""
        ends = []
        for slot in slots:
            people = slot if name == "gap_of_person" else self.hop(f"^{sport}_nation", slot)
            step = self.hop(sport, people)
            throws = self.result(step)
            extremes = {"longest": max(throws), "shortest": min(throws)}
            for end in ("longest",) if name == "gap_of_best" else extremes:
                ends.append(self.add("select", _LINES[end].format(one=f"#{step}"), extremes[end]))
        first, second = ends
        gap = abs(Decimal(self.result(first)) - Decimal(self.result(second)))
        phrase = _LINES["difference"].format(one=f"#{first}", two=f"#{second}")
        self.add("select", phrase, str(gap) if gap else "")


def _phrase(hop: str, thing: str) -> str:
    return str(_WORDS["hops"][hop]).replace("{from}", thing)


def _fact(wording: str, x: str, y: str) -> str:
    return wording.replace("{x}", x).replace("{y}", y)


def _shown(value: _Value) -> str:
    if isinstance(value, dict):
        value = [f"{key}: {entry}" for key, entry in value.items()]
    return value if isinstance(value, str) else f"[{', '.join(value)}]"


def _slot_of(theory: str) -> str:
    """Return the type of the things that fill the slots of a theory's question."""
    first, *rest = theory.split("/")
    if first in _ASKED_OF:
        return str(_ASKED_OF[first].format(sport=rest[0]))
    left, _, right, _ = _FACTS[_kind(first)]
    return str(right if first.startswith("^") else left)


def _tree(theory: str, places: Sequence[int]) -> Tree:
    """Return the hops of a theory from the inside, and the computation around them."""
    first, *rest = hops = theory.split("/")
    if first in _ASKED_OF:
        hops = [f"^{rest[0]}_nation", *rest] if _ASKED_OF[first] == "nation" else rest
    nested: list[Tree] = list(places)
    for hop in hops:
        nested = [(hop, inner) for inner in nested]
    return (first, *nested) if first in _ASKED_OF else nested[0]


def _agent(kind: str, layout: int) -> str:
    """Return the place where a world states facts of a kind; two kinds depend on the layout."""
    in_text, in_table = kind in _SENTENCES, kind in _ENTRIES
    if in_text and in_table:
        in_table = kind == ("wrote", "person_award")[layout - 1]
    return "table" if in_table else "text" if in_text else "math"


class _Decomposition(PlainFamily):
    """Common base: a theory is drawn, then a world, then the things in question."""

    task: str
    """Kind of world."""
    size: int
    group: ClassVar[str] = ""
    """Group of theories, if its name is not that of the task."""

    symbols: ClassVar[Symbols] = {
        "world": 3,
        **dict.fromkeys((*_WORDS["hops"], "invented"), 1),
        **dict.fromkeys(_ASKED_OF, 1),
        "gap_of_best": 2,
    }
    own_axes: ClassVar[Mapping[str, OwnAxis]] = {
        "novelty": axis(
            "what is new for those who know all theories of novelty none",
            values=("none", "combination", "hop"),
        ),
        "steps": axis("lines of the solution", 2, 7),
        "items": axis("items of the answer", 1, _MAX_ITEMS),
        "facts": axis("facts in the prompt", 1),
        "layout": axis("1 if writers are in the table, 2 if personal awards are", 1, 2),
    }

    @cached_property
    def _theories(self) -> dict[str, str]:
        """Novelty of each theory."""
        groups = _THEORIES[self.group or self.task]
        return {theory: novelty for novelty, group in groups.items() for theory in group}

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """The theory and the declared axes."""
        theory = Axis("how the question is put together", values=tuple(self._theories))
        return {"theory": theory, **super().axes}

    def make(self, draws: RowDraws) -> Problem | None:
        """Ask about the first things, in random order, for which every step has a result."""
        theory = draws.choice(list(self._theories))
        number = draws.integer(0, _LAST_WORLD + 1)
        rivals = [kind for hop in theory.split("/") for kind in _WORLDS["rivals"].get(hop, ())]
        world = _world(self.task, self.size, number, rivals)
        things = world.things[_slot_of(theory)]
        order = draws.shuffled(range(len(things)))
        for pair in zip(order, order[1:] + order[:1], strict=True):
            places = pair[: 1 + (theory in _TWO_PLACES)]
            work = self._asked(world, theory, [things[place] for place in places])
            if work:
                return self._problem(theory, number, places, work)
        return None

    def _asked(self, world: _World, theory: str, slots: Sequence[str]) -> _Work | None:
        """Ask and answer; None if a step has no result or the answer has too many items."""
        work = _Work(world)
        first, *rest = hops = theory.split("/")
        try:
            if first in _ASKED_OF:
                work.compute(first, rest[0], slots)
            elif self.task == "implicit":
                work.infer(hops, slots[0])
            else:
                work.follow_path(hops, slots[0])
        except _NoResult:
            return None
        answer = work.lines[-1].value
        return work if isinstance(answer, str) or len(answer) <= _MAX_ITEMS else None

    def _problem(self, theory: str, number: int, places: Sequence[int], work: _Work) -> Problem:
        answer = work.lines[-1].value
        return Problem(
            tree=("world", self.size, number, _tree(theory, places)),
            answer=_shown(answer),
            axes={
                "theory": theory,
                "novelty": self._theories[theory],
                "steps": len(work.lines),
                "items": 1 if isinstance(answer, str) else len(answer),
                "facts": sum(map(len, work.world.facts.values())),
                "layout": 1 + number % 2,
            },
            difficulty=len(work.lines),
            data=work,
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """State the facts: in sentences, in random order, and in entries of the table by kind."""
        work, layout = problem.data, int(problem.axes["layout"])
        stated: dict[str, list[tuple[str, str, str]]] = {"text": [], "table": []}
        for kind, facts in work.world.facts.items():
            stated[_agent(kind, layout)] += [(kind, x, y) for x, y in facts]
        words = Rows.span(draws.bits(), 0, len(stated["text"])).keys
        sentences = []
        for place, wording in zip(np.argsort(words).tolist(), (words % 3).tolist(), strict=True):
            kind, x, y = stated["text"][place]
            sentences.append(_fact(_SENTENCES[kind][wording], x, y))
        entries = [_fact(_ENTRIES[kind], x, y) for kind, x, y in stated["table"]]
        return {
            "text": " ".join(sentences),
            "table": "\n".join(entries),
            "rules": work.rules,
            "question": work.question,
        }

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Put other things of the world in the place of those in the answer."""
        work: _Work = problem.data
        answer = work.lines[-1].value
        if not isinstance(answer, list):
            return []
        known = next(things for things in work.world.things.values() if answer[0] in things)
        chosen = other_sets(answer, known, draws, _OFFERED)
        return [_shown(sorted(items)) for items in chosen if len(items) <= _MAX_ITEMS]

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the operation, the source of the facts, the wording and the result of each step."""
        layout = int(problem.axes["layout"])
        return [
            f"({line.operation}) [{_agent(line.fact, layout)}] {line.phrase}: {_shown(line.value)}"
            for line in problem.data.lines
        ]


@levelled("steps", 2, 3, 4, 5, 7)
@dataclass(frozen=True)
class Decomposition(_Decomposition):
    """Find all things that a question describes, in several steps over stated facts.

    Attributes:
        task: "explicit", whose questions name every hop; "implicit", which need one of three
            conclusions, the one that the facts allow; or "numeric", about throws of athletes.
        size: Things of each type, in percent of the published numbers.
    """

    task: str = params.choice("explicit", ("explicit", "implicit", "numeric"))
    size: int = params.integer(100, 50, 200)

    version = 2
    verifier = "decomposition"
    words = _WORDS.part("lists")
    answer_type = "list"


@levelled("steps", 2, 3, 4, 5, 7)
@dataclass(frozen=True)
class DecompositionNumbers(_Decomposition):
    """Find a difference between throws, or their number, in several steps over stated facts.

    Attributes:
        size: Things of each type, in percent of the published numbers.
    """

    size: int = params.integer(100, 50, 200)

    task, group = "numeric", "numbers"
    version = 2
    verifier = "decomposition_numbers"
    words = _WORDS.part("numbers")

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of a number of throws, or of a length."""
        is_count = str(problem.axes["theory"]).startswith("count_shorter")
        return "integer" if is_count else "decimal:meters"


GENERATORS = {"decomposition": Decomposition, "decomposition_numbers": DecompositionNumbers}
