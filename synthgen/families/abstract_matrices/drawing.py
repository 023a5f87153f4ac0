"""Matrices drawn from their rules, with candidates that differ in three attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from synthgen.authoring import RowDraws
from synthgen.families.abstract_matrices.panels import (
    CONFIGURATIONS,
    Component,
    Entity,
    Panel,
    Part,
)
from synthgen.families.abstract_matrices.relations import (
    GROUPS,
    MEMBERS,
    RANDOM,
    SETS,
    Field,
    completions,
    fields_of,
)
from synthgen.families.abstract_matrices.values import MAX_SET, Source, lines_of

COLUMNS = (0, 3, 6, 1, 4, 7, 2, 5, 8)
"""Panels column by column, and places of panels, row by row, among those column by column."""
_LAYOUT, _PROPERTIES = ("number", "position"), ("type", "size", "color")
_REMEMBERED = 1 << 12
_MANY, _FEW = (1, 1, 1), (3, 1)
"""Wrong values of attributes among the candidates; all combinations are eight panels."""
_PUBLISHED = {
    (0, "number"): {"progression", "distribute_three", "arithmetic"},
    (0, "position"): {*SETS},
    (1, "number"): set[str](),
    (1, "position"): {*SETS, "distribute_three"},
}
"""Rules of layouts that are drawn for grids with lines, as in PGM."""


class Style(NamedTuple):
    """What matrices to draw.

    Attributes:
        configuration: Name of the configuration.
        relations: Groups of rules besides "constant".
        values: Which sizes and colors occur: "all", "even", "odd", "lower" or "upper".
        n_rules: Attributes with a rule other than "constant".
        noise: Whether other attributes may be random.
        is_open: Whether the missing panel must follow from the others, without candidates.
        by_column: Whether rules run down the columns.
    """

    configuration: str
    relations: tuple[str, ...]
    values: str
    n_rules: int
    noise: bool
    is_open: bool
    by_column: bool


class Unit(NamedTuple):
    """What has one rule: an attribute, or a layout, the number and positions of objects.

    Attributes:
        part: Number of the part.
        fields: One attribute, or both of a layout.
    """

    part: int
    fields: tuple[Field, ...]

    @property
    def name(self) -> str:
        """The name of the attribute, or "layout"."""
        return self.fields[0].name if len(self.fields) == 1 else "layout"


class Drawn(NamedTuple):
    """The values of a unit; a layout's are the slots that are taken.

    Attributes:
        field: Attribute that has the rule.
        rule: Name of the rule, or "random".
        values: Values in nine panels, line by line.
        wrong: Other values among the candidates.
    """

    field: Field
    rule: str
    values: Sequence[int]
    wrong: Sequence[int]


class Matrix(NamedTuple):
    """A matrix with one answer.

    Attributes:
        configuration: Name of the configuration.
        by_column: Whether rules run down the columns.
        panels: Eight panels, row by row.
        candidates: The panels to choose from; without choice, the ninth panel.
        target: Place of the ninth panel among the candidates.
        rules: Attributes, and the rules that they follow, or "random".
        units: What was drawn.
    """

    configuration: str
    by_column: bool
    panels: tuple[Panel, ...]
    candidates: tuple[Panel, ...]
    target: int
    rules: Mapping[Field, str]
    units: Mapping[Unit, Drawn]


@cache
def units_of(configuration: str) -> tuple[Unit, ...]:
    """Return the units of a configuration."""
    fields = fields_of(configuration)
    layouts = {
        part: tuple(each for each in fields if each.part == part and each.name in _LAYOUT)
        for part in range(len(CONFIGURATIONS[configuration]))
    }
    units = [
        Unit(each.part, layouts[each.part] if each.name in _LAYOUT else (each,)) for each in fields
    ]
    return tuple(dict.fromkeys(units))


@cache
def choices_of(style: Style) -> Mapping[Unit, Sequence[tuple[Field, str]]]:
    """Return the units that may have a rule, and which attribute may have which one."""
    parts = CONFIGURATIONS[style.configuration]
    open_to = {
        unit: [*_choices(unit, parts[unit.part], style)] for unit in units_of(style.configuration)
    }
    return {unit: choices for unit, choices in open_to.items() if choices}


def _choices(unit: Unit, part: Part, style: Style) -> list[tuple[Field, str]]:
    pairs = []
    for field in unit.fields:
        known = {GROUPS[rule] for rule in field.rules}
        if unit.name != "layout" and (style.is_open or part.slots <= MAX_SET):
            known -= {*SETS}
        if field.name == "number" and style.is_open:
            known.clear()
        if unit.name == "layout" and style.configuration == "grid_lines":
            known &= _PUBLISHED[field[:2]]
        allowed = allowed_values(field, style.values)
        pairs += [
            (field, relation)
            for relation in style.relations
            if relation in known and _is_possible(field, relation, allowed)
        ]
    return pairs


def _is_possible(field: Field, relation: str, allowed: tuple[int, ...]) -> bool:
    """Return whether these values can follow one of the rules of a group."""
    if field.name == "position" or relation == "distribute_three":
        return len(allowed) > 2
    if relation == "progression" and len(allowed) < 4:  # also the same three in each line
        return False
    return any(lines_of(field, rule, allowed) for rule in MEMBERS[relation])


def allowed_values(field: Field, values: str) -> tuple[int, ...]:
    """Return the values of an attribute that occur."""
    if field.name not in ("size", "color") or values == "all":
        return tuple(field.values)
    half = len(field.values) // 2
    if values in ("even", "odd"):
        return tuple(value for value in field.values if value % 2 == (values == "odd"))
    return tuple(field.values[:half] if values == "lower" else field.values[half:])


def drawn_matrix(style: Style, draws: RowDraws) -> Matrix | None:
    """Draw a matrix; None if it has several answers, or other rules than those drawn."""
    units: dict[Unit, Drawn] = {}
    for unit, source, n_wrong in _planned(style, draws):
        rule = draws.choice(source.rules)
        values = source.values(rule, draws)
        wrong = values and source.others(values, n_wrong, draws)
        if values is None or wrong is None:
            return None
        units[unit] = Drawn(source.field, rule, values, wrong)
    rules = _proven(style, units)
    return _written(style, units, rules, draws) if rules else None


def _planned(style: Style, draws: RowDraws) -> list[tuple[Unit, Source, int]]:
    """Draw the rules of units, and how many wrong values each has among the candidates.

    Attributes with a rule have the most of them: constant ones are easy.
    """
    units = units_of(style.configuration)
    open_to = choices_of(style)
    order = draws.shuffled([*open_to])
    chosen = {unit: draws.choice(open_to[unit]) for unit in order[: style.n_rules]}
    others = order[style.n_rules :] + [unit for unit in units if unit not in open_to]
    sources = {unit: _source(style, unit, chosen) for unit in units}
    wide = [unit for unit in chosen if sources[unit].n_ends > max(_FEW)]
    n_wrong = _FEW if wide and style.n_rules < len(_MANY) else _MANY
    n_random = 0
    if style.noise and not style.is_open:
        n_random = draws.integer(0, len(units) - max(len(n_wrong), style.n_rules) + 1)
    random, constant = others[:n_random], others[n_random:]
    changed = dict.fromkeys([*(wide if n_wrong == _FEW else ()), *chosen, *constant])
    wrong = {} if style.is_open else dict(zip(changed, n_wrong, strict=False))
    sources |= {unit: sources[unit]._replace(rules=(RANDOM,)) for unit in random}
    return [(unit, source, wrong.get(unit, 0)) for unit, source in sources.items()]


def _source(style: Style, unit: Unit, chosen: Mapping[Unit, tuple[Field, str]]) -> Source:
    """Return where the values of a unit come from, given the rules that were drawn."""
    field, group = chosen.get(unit, (unit.fields[-1], "constant"))
    has_sets = any(
        each.part == unit.part and each.name != "layout" and relation in SETS
        for each, (_, relation) in chosen.items()
    )
    least = MAX_SET if has_sets else 1
    is_union = field.name == "position" and group == "arithmetic"
    allowed = allowed_values(field, style.values)
    return Source(
        field,
        ("or", "subtract") if is_union else MEMBERS[group],
        CONFIGURATIONS[style.configuration][unit.part].slots,
        allowed[least - 1 :] if field.name == "number" else allowed,
        least,
    )


# the proof


class _Look(NamedTuple):
    """An attribute of a drawn unit, and what follows from eight panels.

    Attributes:
        field: The attribute.
        drawn: Its unit.
        last: Value in the ninth panel.
        wrong: Other values among the candidates.
        ends: Rules and the values that complete them, along the lines and across them.
    """

    field: Field
    drawn: Drawn
    last: int
    wrong: Sequence[int]
    ends: tuple[Mapping[str, int], Mapping[str, int]]

    def losses(self, direction: int) -> list[int]:
        """Return the rules that each wrong value breaks, less those that it completes."""
        known = self.ends[direction].values()
        return [(self.last in known) - (value in known) for value in self.wrong]


def _looks(units: Mapping[Unit, Drawn]) -> list[_Look]:
    looks = []
    for unit, drawn in units.items():
        for field in unit.fields:
            values, wrong = drawn.values, drawn.wrong
            if field.name == "number":
                values = [1 << slots.bit_count() for slots in values]
                wrong = [1 << slots.bit_count() for slots in wrong]
            across = [values[place] for place in COLUMNS]
            ends = completions(field, values), completions(field, across)
            looks.append(_Look(field, drawn, values[8], wrong, ends))
    return looks


def _proven(style: Style, units: Mapping[Unit, Drawn]) -> dict[Field, str] | None:
    """Return the rules of the attributes; None if there are others, or several answers."""
    looks = _looks(units)
    rules = _rules(looks)
    along, across = (sum(each.last in each.ends[n].values() for each in looks) for n in (0, 1))
    if rules is None or across > along - style.by_column:
        return None
    is_one = _follows(looks, along) if style.is_open else _is_only(looks, (along, across))
    return rules if is_one else None


def _rules(looks: Sequence[_Look]) -> dict[Field, str] | None:
    """Return the rules along the lines; None if they are not those that were drawn."""
    rules = {}
    for field, drawn, last, _, (along, _) in looks:
        fitting = [rule for rule, end in along.items() if end == last]
        if field != drawn.field:
            if fitting and (field.name == "position" or drawn.rule == RANDOM):
                return None
        elif {GROUPS[rule] for rule in fitting} != ({GROUPS[drawn.rule]} - {RANDOM}):
            return None
        else:
            rules[field] = fitting[0] if fitting else RANDOM
    return rules


def _is_only(looks: Sequence[_Look], scores: tuple[int, int]) -> bool:
    """Return whether every other candidate follows fewer rules than the answer."""
    for direction, score in enumerate(scores):
        lost: dict[int, list[int]] = {}
        for each in looks:
            losses = each.losses(direction)
            if losses:
                before = lost.get(id(each.drawn), [0] * len(losses))
                lost[id(each.drawn)] = [a + b for a, b in zip(before, losses, strict=True)]
        least = [min(losses) for losses in lost.values()]
        gained = -sum(loss for loss in least if loss < 0)
        if score + gained - max(0, min(least)) >= scores[0]:
            return False
    return True


def _follows(looks: Sequence[_Look], score: int) -> bool:
    """Return whether the ninth panel follows from the others, without candidates."""
    for field, _, last, _, (along, _) in looks:
        ends = {*along.values()}
        if ends != {last} and (ends or field.name != "number"):
            return False
    crossing = [({*each.ends[1].values()}, each.last) for each in looks]
    is_same = all(ends <= {last} for ends, last in crossing)
    return is_same or sum(bool(ends) for ends, _ in crossing) < score


# the panels


def _written(
    style: Style, units: Mapping[Unit, Drawn], rules: Mapping[Field, str], draws: RowDraws
) -> Matrix:
    """Return the matrix with its candidates in random order."""
    panels = []
    for place in COLUMNS[:8] if style.by_column else range(8):
        values = {unit: drawn.values[place] for unit, drawn in units.items()}
        panels.append(panel_of(style.configuration, values, draws))
    ends = [(drawn.values[8], *drawn.wrong) for drawn in units.values()]
    choices = draws.shuffled([*product(*ends)])
    candidates = [
        panel_of(style.configuration, dict(zip(units, each, strict=True)), draws)
        for each in choices
    ]
    target = choices.index(tuple(right for right, *_ in ends))
    return Matrix(
        style.configuration, style.by_column, tuple(panels), tuple(candidates), target, rules, units
    )


def panel_of(configuration: str, values: Mapping[Unit, int], draws: RowDraws) -> Panel:
    """Return a panel whose objects have these values, each of them at least once."""
    sets = [{"layout": 1, **_fixed(part)} for part in CONFIGURATIONS[configuration]]
    for unit, value in values.items():
        sets[unit.part][unit.name] = value
    return tuple([_component(each, draws) for each in sets])


@cache
def _fixed(part: Part) -> Mapping[str, int]:
    """Return the smallest type, size and color."""
    return {
        "type": 1,
        "size": 1 << part.sizes[0] if part.sizes else 1,
        "color": 1 << part.colors[0],
    }


def _component(sets: Mapping[str, int], draws: RowDraws) -> Component:
    """Return objects that have each of these values, if there are several, at least once."""
    if not any(sets[name] & sets[name] - 1 for name in _PROPERTIES):
        return _uniform(*[sets[name] for name in ("layout", *_PROPERTIES)])
    slots = _members(sets["layout"])
    n, columns = len(slots), []
    for name in _PROPERTIES:
        known = _members(sets[name])
        if len(known) > 1:
            more = [draws.choice(known) for _ in range(n - len(known))]
            columns.append(draws.shuffled([*known, *more]))
        else:
            columns.append([*known] * n)
    return tuple(map(Entity, slots, *columns))


@lru_cache(_REMEMBERED)
def _uniform(*sets: int) -> Component:
    """Return objects that are equal but for their slots."""
    slots, (kind,), (size,), (color,) = map(_members, sets)
    return tuple([Entity(slot, kind, size, color) for slot in slots])


@cache
def _members(values: int) -> tuple[int, ...]:
    """Return the values of a set."""
    return tuple(value for value in range(values.bit_length()) if values >> value & 1)
