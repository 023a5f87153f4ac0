"""Questions about objects, by the templates of CLEVR and CLOSURE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from synthgen.authoring import RowDraws
from synthgen.families.scene_questions.describe import Base, Describer, restrictions
from synthgen.families.scene_questions.programs import Program
from synthgen.families.scene_questions.scenes import OBJECTS, PLACES

ATTRIBUTES = tuple(OBJECTS)
_ASKED = ("exist", "count", "query", "query", "query", "query")
_SAME = ("exist", "exist", "count", "count", "query", "query", "query")
_PAIRS = (("", ""), ("L", ""), ("", "L"), ("L", "L"))
KINDS: Mapping[str, tuple[Sequence[str], Sequence[tuple[str, ...]]]] = {
    "zero_hop": (_ASKED, [("",)]),
    "one_hop": (_ASKED, [("L",)]),
    "two_hop": (_ASKED, [("LL",)]),
    "three_hop": (_ASKED, [("LLL",)]),
    "same_relate": (_SAME, [("S",)]),
    "single_and": (_ASKED, [("L&L",)]),
    "single_or": (("union",), _PAIRS),
    "comparison": (("equal",), _PAIRS),
    "compare_integer": (("greater_than", "less_than", "equal_integer"), _PAIRS),
    "and_sim_loc": (_ASKED, [("S&L",)]),
    "or_sim": (("union",), [("S", ""), ("", "S")]),
    "or_sim_loc": (("union",), [("S", "L"), ("L", "S")]),
    "compare_sim": (("equal",), [("S", "")]),
    "compare_sim_loc": (("equal",), [("S", "L")]),
    "chain_sim_loc": (_ASKED, [("LS",)]),
    "chain_loc_sim": (_ASKED, [("SL",)]),
}
"""What is asked, and the descriptions. L: in a place relative to an object; S: the same in an
attribute; a second letter describes that object."""
CLEVR = tuple(KINDS)[:9]
_MAX_COUNT = {0: 5, 1: 4, 2: 3, 3: 2}
"""Largest number of objects by the number of attributes in their description."""
_MAX_UNION = 5
_RESULTS = {"greater_than": int.__gt__, "less_than": int.__lt__, "equal_integer": int.__eq__}


class Plan(NamedTuple):
    """What is drawn before a scene, so that the answer does not depend on it.

    Attributes:
        asked: What is asked.
        attribute: Attribute that is asked or compared; empty if there is none.
        shared: Attribute in which objects are the same.
        common: Attribute that is stated of both sets of a union; empty if there is none.
        shapes: Letters of each description.
        names: Attributes in the descriptions of sets.
        counts: Numbers of objects in these sets, or in their union.
        truth: Answer to a comparison of attributes.
    """

    asked: str
    attribute: str
    shared: str
    common: str
    shapes: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    counts: tuple[range, ...]
    truth: bool


def planned(draws: RowDraws, kind: str, count: int) -> Plan:
    """Draw what a question asks, and its answer if it is yes, no or a number.

    Args:
        draws: Random draws.
        kind: Kind of question.
        count: Number of objects in the scene.
    """
    asks, forms = KINDS[kind]
    asked, shapes = draws.choice(asks), draws.choice(forms)
    truth = bool(draws.integer(0, 2))
    attribute = draws.choice(ATTRIBUTES) if asked in ("query", "equal") else ""
    shared = draws.choice([name for name in ATTRIBUTES if name != attribute])
    names = tuple(_names(draws, shape, shared, count // (2 * len(shapes))) for shape in shapes)
    counts: tuple[range, ...] = (range(1, 99),)
    common = ""
    if asked == "exist":
        counts = (range(1, 99) if truth else range(1),)
    elif asked == "count":
        counts = (_just(draws.choice(_possible(names[0], count))),)
    elif asked == "union":
        taken = {shared, *(name for each in names for name in each)}
        common = draws.choice(["", *(name for name in ATTRIBUTES if name not in taken)])
        counts = (_just(draws.integer(2, min(_MAX_UNION, count - 1) + 1)),)
    elif asked in _RESULTS:
        limits = [_possible(each, count) for each in names]
        pairs = [pair for pair in product(*limits) if _RESULTS[asked](*pair) == truth]
        counts = tuple(map(_just, draws.choice(pairs)))
    return Plan(asked, attribute, shared, common, shapes, names, counts, truth)


def _possible(names: Sequence[str], count: int) -> range:
    """Return how many of the objects a description by these attributes may have."""
    return range(1 + min(_MAX_COUNT[len(names)], count // 2))


def _just(number: int) -> range:
    return range(number, number + 1)


def _names(draws: RowDraws, shape: str, shared: str, limit: int) -> tuple[str, ...]:
    """Draw the attributes in the description of a set."""
    allowed = [name for name in ATTRIBUTES if not shape.startswith("S") or name != shared]
    number = draws.choice((0, 1, 1, 2) if shape else (1, 1, 2, 3))
    chosen = draws.sample(allowed, min(number, limit))
    return tuple(name for name in ATTRIBUTES if name in chosen)


class ObjectDescriber(Describer):
    """Draws questions about the objects of a scene."""

    known = OBJECTS

    def program(self, plan: Plan) -> Program | None:
        """Draw a question of a plan; None if these draws do not give one."""
        self.named = 0
        if plan.asked == "union":
            return self._union(plan)
        if plan.asked in ("query", "equal"):
            return self._values_of(plan)
        sets: list[Program] = []
        for shape, names, counts in zip(plan.shapes, plan.names, plan.counts, strict=True):
            base = self._base(shape, plan)
            described = base and self.several(base, names, counts)
            if not described:
                return None
            sets.append(described.program)
        parts = [restrictions(each) for each in sets]
        if len(sets) > 1 and (parts[0] <= parts[1] or parts[1] <= parts[0]):
            return None
        if plan.asked in ("exist", "count"):
            return (plan.asked, sets[0])
        return (plan.asked, *(("count", each) for each in sets))

    def _base(self, shape: str, plan: Plan) -> Base | None:
        """Draw the objects to which a description refers."""
        if not shape:
            return Base()
        one, both, other = shape.partition("&")
        if both:
            first, second = self._base(one, plan), self._base(other, plan)
            if not first or not second:
                return None
            return Base(("intersect", first.program, second.program), first.parts + second.parts)
        inner = self._base(shape[1:], plan)
        hidden = (plan.shared,) if shape[1:].startswith("S") else ()
        reference = inner and self.unique(inner, hidden)
        if not reference:
            return None
        program, number = reference
        if shape[0] == "S":
            return Base((f"same_{plan.shared}", program), (self.view.same[plan.shared][number],))
        place = self.draws.choice(PLACES)
        return Base(("relate", program, place), (self.view.scene.relations[place][number],))

    def _values_of(self, plan: Plan) -> Program | None:
        """Ask for an attribute of an object, or compare those of two."""
        queries: list[Program] = []
        among = self.alike(plan.attribute) if plan.asked == "equal" and plan.truth else -1
        for shape in plan.shapes:
            base = self._base(shape, plan)
            hidden = (plan.shared,) if shape.startswith("S") else ()
            reference = base and self.unique(base, hidden, plan.attribute, among)
            if not reference:
                return None
            queries.append((f"query_{plan.attribute}", reference[0]))
            same = self.view.sets[reference[1]][plan.attribute]
            among = same if plan.truth else ~same
        if plan.asked == "query":
            return queries[0]
        return (f"equal_{plan.attribute}", *queries)

    def _union(self, plan: Plan) -> Program | None:
        """Count the objects of two descriptions, neither of which includes the other."""
        sets = []
        for shape, names in zip(plan.shapes, plan.names, strict=True):
            base = self._base(shape, plan)
            described = base and self.several(base, names, range(1, 99))
            if not described:
                return None
            sets.append(described)
        one, other = (each.members for each in sets)
        program: Program = ("union", *(each.program for each in sets))
        if plan.common:
            value = self.draws.choice([*self.view.having[plan.common]])
            kept = self.view.having[plan.common][value]
            if not (one | other) & ~kept:
                return None
            one, other = one & kept, other & kept
            program = (f"filter_{plan.common}", program, value)
        is_right = (one | other).bit_count() in plan.counts[0]
        return ("count", program) if is_right and one & ~other and other & ~one else None
