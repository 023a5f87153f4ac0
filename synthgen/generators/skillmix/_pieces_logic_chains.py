"""Two arguments in one sentence, where the conclusion of the first is a premise of the second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from synthgen.core.randomness import RowDraws
from synthgen.core.skill_lexicon import Topic
from synthgen.generators.skillmix._piece import Parts
from synthgen.generators.skillmix._pieces_logic_words import DENIABLE, Chooser, deny


@dataclass(frozen=True, slots=True)
class Chain:
    """Two skills in one segment.

    Attributes:
        skills: ids, in the order of the arguments.
        wordings: ways to tell the same parts.
        make: chooses the parts; None if they cannot be had from this topic.
        tell: writes the segment. The last argument is the place of the skill to break, 0 or 1; that
            one alone is lost. With -1, both are shown.
    """

    skills: tuple[str, str]
    wordings: int
    make: Callable[[RowDraws, Topic], Parts | None]
    tell: Callable[[Parts, int, int], str]


_MARKS = (
    ("so", "hence"),
    ("therefore", "so"),
    ("it follows that", "thus"),
    ("hence", "we may conclude that"),
)
_IF, _WHEN = "if", "when"
_WORDINGS = 2 * len(_MARKS)

# Statements are a, b, c, their denials na, nb, nc; x>y is a conditional; 1 and 2 mark conclusions.
# m is a premise of the first argument alone, k of the second: what they are stands behind.
_PLANS: dict[tuple[str, str], tuple[str, str, str]] = {
    ("hypothetical_syllogism", "modus_ponens"): ("a>b; m>c; 1 a>c; k; 2 c", "b", "a"),
    ("hypothetical_syllogism", "modus_tollens"): ("a>b; m>c; 1 a>c; k; 2 na", "b", "nc"),
    ("hypothetical_syllogism", "affirming_the_consequent"): (
        "a>b; m>c; 1 a>c; we see that k; 2 a",
        "b",
        "c",
    ),
    ("hypothetical_syllogism", "denying_the_antecedent"): (
        "a>b; m>c; 1 a>c; k; 2 nc",
        "b",
        "na",
    ),
    ("disjunctive_syllogism", "modus_ponens"): ("either a or b; m; 1 b; k>c; 2 c", "na", "b"),
    ("disjunctive_syllogism", "modus_tollens"): ("either a or nb; m; 1 nb; c>k; 2 nc", "na", "b"),
    ("disjunctive_syllogism", "affirming_the_consequent"): (
        "either a or b; m; 1 b; c>k; 2 c",
        "na",
        "b",
    ),
    ("modus_ponens", "disjunctive_syllogism"): ("a>nb; m; 1 nb; either k or c; 2 c", "a", "b"),
    ("modus_ponens", "modus_tollens"): ("a>nb; m; 1 nb; c>k; 2 nc", "a", "b"),
    ("modus_ponens", "affirming_the_consequent"): ("a>b; m; 1 b; c>k; 2 c", "a", "b"),
    ("modus_tollens", "disjunctive_syllogism"): ("a>b; m; 1 na; either k or c; 2 c", "nb", "a"),
    ("modus_tollens", "modus_ponens"): ("a>b; m; 1 na; k>c; 2 c", "nb", "na"),
    ("modus_tollens", "denying_the_antecedent"): ("a>b; m; 1 na; k>c; 2 nc", "nb", "a"),
    ("de_morgan", "disjunctive_syllogism"): (
        "it is not true that both a and m; 1 either na or nb; k; 2 nb",
        "b",
        "a",
    ),
}
_SYMBOLS = frozenset(("a", "b", "c", "na", "nb", "nc", "m", "k"))


def _clause(plan: str, link: str) -> str:
    """Write a clause of a plan as a template: "a>b" as "if {a}, {b}" or "{b} when {a}"."""
    words = []
    for word in plan.split():
        if ">" in word:
            start, end = word.split(">")
            told = f"if {{{start}}}, {{{end}}}" if link == _IF else f"{{{end}}} {link} {{{start}}}"
            words.append(told)
        elif word in ("1", "2"):
            words.append(f"{{so{word}}}")
        elif word in _SYMBOLS:
            words.append(f"{{{word}}}")
        else:
            words.append(word)
    return " ".join(words)


def _templates(plan: str) -> tuple[str, ...]:
    return tuple(
        "; ".join(_clause(clause, link) for clause in plan.split("; "))
        .replace("{so1}", first)
        .replace("{so2}", second)
        for first, second in _MARKS
        for link in (_IF, _WHEN)
    )


def _make(spares: tuple[int, int], draws: RowDraws, topic: Topic) -> Parts | None:
    """Choose three statements and one each of the kinds of two of them."""
    try:
        return tuple(Chooser(draws, topic).statements(DENIABLE, len(DENIABLE), spares))
    except LookupError:
        return None


def _tell(
    templates: tuple[str, ...], slots: tuple[str, str], parts: Parts, wording: int, broken: int
) -> str:
    said = dict(zip(("a", "b", "c"), parts, strict=False))
    said |= {f"n{name}": deny(text) for name, text in said.items()}
    for place, (name, slot) in enumerate(zip(("m", "k"), slots, strict=True)):
        spare = parts[3 + place]
        own = deny(spare) if slot[0] == "n" else spare
        said[name] = own if broken == place else said[slot]
    return templates[wording].format(**said)


def _chain(skills: tuple[str, str], plan: str, first: str, second: str) -> Chain:
    spares = "abc".index(first[-1]), "abc".index(second[-1])
    return Chain(
        skills,
        _WORDINGS,
        partial(_make, spares),
        partial(_tell, _templates(plan), (first, second)),
    )


CHAINS: dict[tuple[str, str], Chain] = {
    skills: _chain(skills, *plan) for skills, plan in _PLANS.items()
}
"""By the ids of the first and of the second argument's skill."""
