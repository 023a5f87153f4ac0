"""Fallacies of content, told in one sentence."""

from __future__ import annotations

from functools import cache

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic
from synthgen.core.skill_logic import Kind, logic_knowledge
from synthgen.generators.skillmix._piece import Parts, Piece, Sounding, distinct
from synthgen.generators.skillmix._pieces_logic_words import Chooser, sounding

_LONE = sounding(
    ("neglects", "forgets", "misplaces", "overlooks", "forsakes", "damages", "mislays", "pawns")
)
_ENDS = sounding(
    (
        "is doomed",
        "slides into anarchy",
        "ends in chaos",
        "sinks into misery",
        "goes bankrupt",
        "lies in ashes",
        "faces disaster",
        "turns to rubble",
    )
)
_STEPS = 4
"""Clauses of a slope before its end, the spare one among them."""
_SLOPE = (  # {m} is the second step's start
    "if {a}, {b}; if {m}, {c}; and if {c}, {d}",
    "if {a}, then {b}; if {m}, then {c}; and if {c}, then {d}",
    "{b} if {a}; {c} if {m}; and {d} if {c}",
    "whenever {a}, {b}; whenever {m}, {c}; and whenever {c}, {d}",
    "beware, for if {a}, {b}; if {m}, {c}; and if {c}, {d}",
    "if {a}, {b}, and if {m}, {c}; but if {c}, {d}",
    "we all know that if {a}, {b}; that if {m}, {c}; and that if {c}, {d}",
    "{d} if {c}; {c} if {m}; and {b} if {a}",
)
_DILEMMA = (  # {s} is the subject, {p} and {q} the opposites; then how it ends, sound and broken
    ("either {s} is {p} or {s} is {q}", "; there is nothing in between", "; there is more between"),
    ("{s} is either {p} or {q}", "; there is no third way", "; there are also other ways"),
    (
        "{s} is either {p} or {q}",
        ", and there is nothing between them",
        ", but there is much between them",
    ),
    ("either {s} is {p} or {q}", "; there is no middle ground", "; there is much middle ground"),
    ("{s} is {p} or {q}", "; no other case exists", "; many another case exists"),
    ("{s} is either {p} or {q}", ", and we must choose", ", and we need not choose"),
    ("we know that {s} is either {p} or {q}", "; no third answer exists", "; more answers exist"),
    ("either {s} is {p} or {s} is {q}", "; only two answers exist", "; many answers exist"),
)
_BEGGING = (  # {it} is the subject once more, {y} the reason given for {x}
    "the {s} is {x} because {it} is {y}",
    "the {s} is {y}; so {it} is {x}",
    "since the {s} is {y}, {it} is {x}",
    "the {s} must be {x}, for {it} is {y}",
    "the {s} is {y}; therefore the {s} is {x}",
    "we can conclude that the {s} is {x}, because the {s} is {y}",
    "the {s} is {x}; after all, {it} is {y}",
    "it is well known that the {s} is {y}; hence {it} is {x}",
)
_COMPOSITION = (  # {p} is a part of the whole {w}
    "each {p} in the {w} is {x}; so the {w} is {x}",
    "every {p} in the {w} is {x}; therefore the whole {w} is {x}",
    "the {w} must be {x}, because every {p} in the {w} is {x}",
    "each {p} in the {w} is {x}; it follows that the {w} itself is {x}",
    "since every {p} in the {w} is {x}, the {w} is {x}",
    "every {p} in the {w} is {x}; hence the {w} as a whole is {x}",
    "we know that each {p} in the {w} is {x}; thus the entire {w} is {x}",
    "any {p} in the {w} is {x}; so we may conclude that the {w} is {x}",
)
_DIVISION = (
    "the {w} is {x}; so each {p} in the {w} is {x}",
    "the whole {w} is {x}; therefore every {p} in the {w} is {x}",
    "each {p} in the {w} must be {x}, because the {w} is {x}",
    "the {w} as a whole is {x}; it follows that every {p} in the {w} is {x}",
    "since the {w} is {x}, each {p} in the {w} is {x}",
    "as we know, the {w} is {x}; hence any {p} in the {w} is {x}",
    "every {p} in the {w} is {x}, for the entire {w} is {x}",
    "we see that the {w} is {x}; thus every {p} in the {w} is {x}",
)


@cache
def _sounds(person: bool) -> dict[str, Sounding]:  # noqa: FBT001 - the key of a table
    known = logic_knowledge()
    kind = known.persons if person else known.things
    return {
        "wholes": sounding(kind.wholes),
        "small": sounding(kind.small),
        "large": sounding(kind.large),
        "shared": sounding(kind.shared),
    }


def _kind(words: Chooser) -> tuple[bool, Kind, str]:
    """Draw whether an argument is about persons or things, and one of them."""
    known = logic_knowledge()
    if words.below(2):
        return True, known.persons, words.drawn((words.table.persons,))[0]
    return False, known.things, words.drawn((words.table.tools,))[0]


def _make_slope(draws: RowDraws, topic: Topic) -> Parts | None:
    words = Chooser(draws, topic)
    table = words.table
    step = (table.persons, _LONE, table.tools)
    try:
        told = words.drawn((*step * _STEPS, table.places, _ENDS))
    except LookupError:
        return None
    steps = ["the {} {} the {}".format(*told[at : at + 3]) for at in range(0, 3 * _STEPS, 3)]
    return (*steps, f"the {told[-2]} {told[-1]}")


def _slope(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001 - by the contract
    a, b, c, spare, d = parts
    return _SLOPE[wording].format(a=a, b=b, c=c, d=d, m=spare if broken else b)


def _make_dilemma(draws: RowDraws, topic: Topic) -> Parts | None:
    words = Chooser(draws, topic)
    _, kind, subject = _kind(words)
    one, other = kind.opposites[words.below(len(kind.opposites))]
    if words.below(2):
        one, other = other, one
    return f"the {subject}", one, other


def _dilemma(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    subject, one, other = parts
    text, closed, opened = _DILEMMA[wording]
    return text.format(s=subject, p=one, q=other) + (opened if broken else closed)


def _make_begging(draws: RowDraws, topic: Topic) -> Parts | None:
    person, kind, subject = _kind(Chooser(draws, topic))
    group, strange = distinct(draws, kind.same, 2)
    one, other = distinct(draws, group, 2)
    return subject, f"the {subject}" if person else "it", one, other, draws.choice(strange)


def _begging(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    subject, again, one, other, strange = parts
    return _BEGGING[wording].format(s=subject, it=again, x=one, y=strange if broken else other)


def _make_whole(draws: RowDraws, topic: Topic, size: str) -> Parts:
    words = Chooser(draws, topic)
    person, _, part = _kind(words)
    sounds = _sounds(person)
    return part, *words.drawn((sounds["wholes"], sounds[size], sounds["shared"]))


def _make_composition(draws: RowDraws, topic: Topic) -> Parts | None:
    return _make_whole(draws, topic, "small")


def _composition(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    part, whole, told, shared = parts
    return _COMPOSITION[wording].format(p=part, w=whole, x=shared if broken else told)


def _make_division(draws: RowDraws, topic: Topic) -> Parts | None:
    return _make_whole(draws, topic, "large")


def _division(parts: Parts, wording: int, broken: bool) -> str:  # noqa: FBT001
    part, whole, told, shared = parts
    return _DIVISION[wording].format(p=part, w=whole, x=shared if broken else told)


PIECES = (
    Piece("slippery_slope", "frame", len(_SLOPE), _make_slope, _slope),
    Piece("false_dilemma", "frame", len(_DILEMMA), _make_dilemma, _dilemma),
    Piece("begging_the_question", "frame", len(_BEGGING), _make_begging, _begging),
    Piece("composition_fallacy", "frame", len(_COMPOSITION), _make_composition, _composition),
    Piece("fallacy_of_division", "frame", len(_DIVISION), _make_division, _division),
)
