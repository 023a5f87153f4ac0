"""Decomposed questions from the text: all things in the facts are traced back to the question.

A path reaches a thing if one of its facts leads back to something that the shorter path reaches.
All throws of a sport are one ranking.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from synthgen.authoring import Words, WorkedVerifier, holes, reads

_WORDS = Words.beside(__file__)
_VALUE = re.compile(r"([A-Z0-9](?:(?<=[A-Z])[a-z]+|(?<=[0-9])[0-9]*(?:\.[0-9])?))")
"""A name or a number, written so that `re` can skip to the next first character."""
_PATHS = {
    "likely_used": ("died invented", "occupation ^leads ^used_in", "studied trains ^used_by"),
    "helped_make": ("founded developed kind", "technology enables kind", "founded makes ^made_of"),
}
_LINES, _HOPS = _WORDS["lines"], _WORDS["hops"]


class _Facts(NamedTuple):
    """Pairs of things by kind of fact, and whether the text or the table states a kind."""

    pairs: dict[str, list[tuple[str, str]]]
    places: dict[str, str]

    def sources(self, hop: str) -> dict[str, list[str]]:
        """Return the things from which a hop leads to each thing."""
        sources: dict[str, list[str]] = {}
        for pair in self.pairs.get(hop.removeprefix("^"), ()):
            source, thing = reversed(pair) if hop.startswith("^") else pair
            sources.setdefault(thing, []).append(source)
        return sources

    def line(self, operation: str, kind: str, phrase: str, result: object) -> str:
        """Write a step that uses facts of a kind; an empty kind means a computation."""
        shown = f"[{', '.join(result)}]" if isinstance(result, list) else str(result)
        return f"({operation}) [{self.places.get(kind, 'math')}] {phrase}: {shown}"


class _Question(NamedTuple):
    facts: _Facts
    name: str
    path: list[str]
    things: list[str]


def _forms(wordings: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, bool]]:
    """Return the kind of fact by its text without the two things, and whether y comes first."""
    return {
        text.removesuffix(".").replace("{x}", "#").replace("{y}", "#"): (
            kind,
            text.index("{y}") < text.index("{x}"),
        )
        for kind, texts in wordings.items()
        for text in texts
    }


_FORMS = {
    "text": _forms(_WORDS["sentences"]),
    "table": _forms({kind: [text] for kind, text in _WORDS["entries"].items()}),
}


def _read_facts(text: str, table: str) -> _Facts | None:
    """Read all facts; None if one is not worded as in the family, or is stated twice."""
    facts = _Facts({}, {})
    for place, stated, end in (("text", text.removesuffix("."), ". "), ("table", table, "\n")):
        parts = _VALUE.split(stated)
        forms = "#".join(parts[::2]).split(end)
        if len(parts) != 4 * len(forms) + 1 or not {*forms} <= _FORMS[place].keys():
            return None
        for form, x, y in zip(forms, parts[1::4], parts[3::4], strict=True):
            kind, is_turned = _FORMS[place][form]
            if facts.places.setdefault(kind, place) != place:
                return None
            facts.pairs.setdefault(kind, []).append((y, x) if is_turned else (x, y))
    all_once = all(len({*pairs}) == len(pairs) for pairs in facts.pairs.values())
    return facts if all_once else None


@reads(
    Words({"prompts": {"": {name: [text] for name, text in _WORDS["questions"].items()}}}),
    one=holes.pattern(_VALUE.pattern.replace("(", "(?:", 1)),
    two=holes.pattern("[A-Z][a-z]+"),
    sport=holes.word(["javelin", "discus"]),
)
def _named_question(name: str, one: str, two: str = "", sport: str = "") -> tuple[str, ...]:
    return name, sport, *filter(None, (one, two))


def _path(question: str) -> tuple[str, ...]:
    """Read nested hops from the outside; return the thing inside and the hops, or nothing."""
    for hop, wording in _HOPS.items():
        start, _, end = wording.partition("{from}")
        if question.startswith(start) and question.endswith(end):
            inner = question[len(start) : len(question) - len(end)]
            inside = (inner,) if _VALUE.fullmatch(inner) else _path(inner)
            if inside:
                return (*inside, hop)
    return ()


_HOLES = {
    "text": holes.pattern(r"[^\n]+"),
    "table": holes.pattern(r"[^\n]+(?:\n[^\n]+)*"),
    "rules": holes.word(["", *_WORDS["rules"].values()]),
    "question": holes.pattern(r"[a-zA-Z0-9. ]{1,200}"),
}


def _read(text: str, table: str, question: str, rules: str = "") -> _Question | None:
    facts = _read_facts(text, table)
    if facts is None:
        return None
    name, sport, *things = _named_question(question) or ("", "", "")
    if rules != _WORDS["rules"].get(name, ""):
        return None
    if name in _PATHS:
        kinds = facts.pairs.keys()
        paths = [path for path in _PATHS[name] if kinds >= {*path.replace("^", "").split()}]
        return _Question(facts, name, paths[0].split(), things) if len(paths) == 1 else None
    if name:
        return _Question(facts, name, [sport], things)
    thing, *hops = _path(question) or ("",)
    return _Question(facts, name, hops, [thing]) if hops else None


def _work(question: _Question) -> tuple[str | None, list[str]]:
    """Return the result of the last line, or None if some line has no result, and all lines."""
    lines = [*_steps(question)]
    if any(line.endswith((": ", "[]")) for line in lines):
        return None, lines
    return lines[-1].partition("] ")[2].rpartition(": ")[2], lines


def _steps(question: _Question) -> Iterator[str]:
    facts, name, path, things = question
    if path[-1] == "invented":
        return _invented_before_death(facts, things[0])
    if name in ("", *_PATHS):
        return _traced(facts, path, things[0])
    sport = path[0]
    ranking = sorted((Decimal(throw), person) for person, throw in facts.pairs.get(sport, ()))
    if name in ("longer", "shorter"):
        return _people(facts, name, sport, Decimal(things[0]), ranking)
    if name == "count_shorter":
        return _count(facts, sport, Decimal(things[0]), ranking)
    return _gap(facts, name, sport, things, ranking)


def _traced(facts: _Facts, path: Sequence[str], start: str) -> Iterator[str]:
    """Write for each hop the things that the path reaches so far."""
    phrase, operation = start, "select"
    origins: dict[str, set[str]] = {}
    for step, hop in enumerate(path):
        sources = facts.sources(hop)
        origins = {
            thing: {*before} if step == 0 else set().union(*(origins.get(s, ()) for s in before))
            for thing, before in sources.items()
        }
        reached = sorted(thing for thing, starts in origins.items() if start in starts)
        yield facts.line(
            operation, hop.removeprefix("^"), _HOPS[hop].replace("{from}", phrase), reached
        )
        phrase, operation = f"#{step + 1}", "project"


def _invented_before_death(facts: _Facts, person: str) -> Iterator[str]:
    yield from _traced(facts, ["died"], person)
    deaths = [int(year) for name, year in facts.pairs["died"] if name == person]
    invented = sorted(facts.pairs["invented"])
    years = [f"{thing}: {year}" for thing, year in invented]
    yield facts.line("select", "invented", _LINES["years"], years)
    before = [thing for thing, year in invented if deaths and int(year) < deaths[0]]
    yield facts.line("filter", "", _LINES["before"], before)


_Ranking = list[tuple[Decimal, str]]


def _people(
    facts: _Facts, name: str, sport: str, length: Decimal, ranking: _Ranking
) -> Iterator[str]:
    """Find the people who occur in one part of the ranking."""
    by_person: dict[str, list[str]] = {}
    for throw, person in ranking:
        by_person.setdefault(person, []).append(str(throw))
    throws = sorted(by_person.items())
    yield facts.line("select", sport, _LINES["throwers"].format(sport=sport), sorted(by_person))
    each = [f"{person}: {' '.join(lengths)}" for person, lengths in throws]
    yield facts.line("project", sport, _LINES["each"].format(sport=sport), each)
    place = -1 if name == "longer" else 0
    best = [f"{person}: {lengths[place]}" for person, lengths in throws]
    yield facts.line("project", "", _LINES[f"best_{name}"], best)
    above, below = bisect_right(ranking, (length, "~")), bisect_left(ranking, (length, ""))
    part = ranking[above:] if name == "longer" else ranking[:below]
    chosen = sorted({person for _, person in part})
    yield facts.line("filter", "", _LINES[name].format(one=length), chosen)


def _count(facts: _Facts, sport: str, length: Decimal, ranking: _Ranking) -> Iterator[str]:
    throws = [str(throw) for throw, _ in ranking]
    count = bisect_left(ranking, (length, ""))
    yield facts.line("select", sport, _LINES["all_throws"].format(sport=sport), throws)
    yield facts.line("filter", "", _LINES["below"].format(one=length), throws[:count])
    yield facts.line("select", "", _LINES["count"], count or "")


def _gap(
    facts: _Facts, name: str, sport: str, things: Sequence[str], ranking: _Ranking
) -> Iterator[str]:
    """Take the throws at the ends of the ranking of one or two groups of people."""
    nation, step = f"{sport}_nation", 0
    ends: list[tuple[int, Decimal]] = []
    for thing in things:
        people, group, operation = {thing}, thing, "select"
        if name != "gap_of_person":
            people = {person for person, home in facts.pairs.get(nation, ()) if home == thing}
            phrase = _HOPS[f"^{nation}"].replace("{from}", thing)
            yield facts.line("select", nation, phrase, sorted(people))
            step += 1
            group, operation = f"#{step}", "project"
        throws = [throw for throw, person in ranking if person in people]
        phrase = _HOPS[sport].replace("{from}", group)
        yield facts.line(operation, sport, phrase, [str(throw) for throw in throws])
        step += 1
        source = f"#{step}"
        for end in ("longest",) if name == "gap_of_best" else ("longest", "shortest"):
            value = throws[-1 if end == "longest" else 0] if throws else Decimal(0)
            yield facts.line("select", "", _LINES[end].format(one=source), value)
            step += 1
            ends.append((step, value))
    (first, value), (second, other_value) = ends
    phrase = _LINES["difference"].format(one=f"#{first}", two=f"#{second}")
    yield facts.line("select", "", phrase, abs(value - other_value) or "")


def _type_of(question: _Question) -> str:
    return "integer" if question.name == "count_shorter" else "decimal:meters"


VERIFIERS = {
    "decomposition": WorkedVerifier(reads(_WORDS.part("lists"), **_HOLES)(_read), _work, "list"),
    "decomposition_numbers": WorkedVerifier(
        reads(_WORDS.part("numbers"), **_HOLES)(_read), _work, _type_of
    ),
}
