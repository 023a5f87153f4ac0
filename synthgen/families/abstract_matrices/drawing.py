"""Matrices drawn from their rules, with candidates that differ in three attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
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
    SETS,
    Field,
    completions,
    fields_of,
    laws,
)

ROWS, COLUMNS = range(9), (0, 3, 6, 1, 4, 7, 2, 5, 8)
"""Panels in the order of the lines along which rules run."""
MAX_SET = 3
_CHANGED, _TRIES = 3, 30
_LAYOUTS = ("number", "position")
_PUBLISHED = {
    (0, "number"): ("progression", "arithmetic", "distribute_three"),
    (0, "position"): SETS,
    (1, "position"): (*SETS, "distribute_three"),
}
"""Relations of layouts that PGM has; a line's type is its position."""


class Style(NamedTuple):
    """What matrices to draw.

    Attributes:
        configuration: Name of the configuration.
        relations: Groups of rules besides "constant".
        values: Which sizes and colors occur.
        count: Attributes with a rule other than "constant".
        noise: Whether other attributes may be random.
        is_open: Whether the missing panel must follow from the others, without candidates.
        by_column: Whether rules run down the columns.
    """

    configuration: str
    relations: tuple[str, ...]
    values: str
    count: int
    noise: bool
    is_open: bool
    by_column: bool


class Unit(NamedTuple):
    """What has a rule of its own: an attribute, or the number and positions of a part's objects."""

    part: int
    name: str


class Drawn(NamedTuple):
    """The rule of a unit, and its values.

    Attributes:
        name: The attribute that has the rule.
        rule: Name of the rule, or "random".
        values: Sets of values in nine panels; of a layout, the slots.
    """

    name: str
    rule: str
    values: list[int]


class Matrix(NamedTuple):
    """A matrix with one answer.

    Attributes:
        configuration: Name of the configuration.
        by_column: Whether rules run down the columns.
        panels: The nine panels, row by row.
        candidates: The panels to choose from.
        target: Place of the answer among the candidates.
        rules: Attributes and the rules that they follow, or "random".
        answers: Values of these attributes in the ninth panel.
    """

    configuration: str
    by_column: bool
    panels: tuple[Panel, ...]
    candidates: tuple[Panel, ...]
    target: int
    rules: Mapping[Field, str]
    answers: Mapping[Field, int]


def units_of(configuration: str) -> list[Unit]:
    """Return the units of a configuration."""
    names = {"number": "layout", "position": "layout"}
    fields = fields_of(configuration)
    return [*dict.fromkeys(Unit(each.part, names.get(each.name, each.name)) for each in fields)]


@cache
def options(
    unit: Unit, configuration: str, relations: tuple[str, ...], is_open: bool
) -> tuple[tuple[str, str], ...]:
    """Return the attributes of a unit and the groups of rules that they may have."""
    part = CONFIGURATIONS[configuration][unit.part]
    pairs = []
    for field in fields_of(configuration):
        is_layout = field.name in _LAYOUTS
        if field.part != unit.part or (
            unit.name != "layout" if is_layout else field.name != unit.name
        ):
            continue
        known = {GROUPS[rule] for rule in field.rules} & {*relations}
        if is_layout and part.slots > 1 and configuration == "grid_lines":
            known &= {*_PUBLISHED.get((unit.part, field.name), ())}
        if field.name == "number" and is_open:
            known.clear()
        if not is_layout and (is_open or part.slots <= MAX_SET):
            known -= {*SETS}
        pairs += [(field.name, relation) for relation in relations if relation in known]
    return tuple(pairs)


def drawn_matrix(style: Style, draws: RowDraws) -> Matrix | None:
    """Draw a matrix; None if it has several answers, or more rules than those drawn."""
    configuration = style.configuration
    units = units_of(configuration)
    open_to = {unit: options(unit, configuration, style.relations, style.is_open) for unit in units}
    order = draws.shuffled([unit for unit in units if open_to[unit]])
    ruled, others = order[: style.count], order[style.count :]
    others += [unit for unit in units if not open_to[unit]]
    n_random = 0
    if style.noise and not style.is_open:
        n_random = draws.integer(0, max(1, len(units) - max(_CHANGED, style.count) + 1))
    chosen = {unit: draws.choice(open_to[unit]) for unit in ruled}
    random = others[:n_random]
    least = [1, 1]
    for unit, (_, group) in chosen.items():
        if unit.name != "layout" and group in SETS:
            least[unit.part] = MAX_SET
    changed = (ruled + others[n_random:])[:_CHANGED]
    made: dict[Unit, Drawn] = {}
    wrong: dict[Unit, int] = {}
    for unit in units:
        name, group = chosen.get(
            unit, ("position" if unit.name == "layout" else unit.name, "constant")
        )
        rule = "random" if unit in random else draws.choice(MEMBERS[group])
        rule = "or" if (name, rule) == ("position", "add") else rule
        drawing = _Drawing(unit, name, rule, style, least[unit.part])
        values = drawing.values(draws)
        if values is None:
            return None
        made[unit] = Drawn(name, rule, values)
        if unit in changed and not style.is_open:
            other = drawing.another(values[8], draws)
            if other is None:
                return None
            wrong[unit] = other
    return _accepted(style, made, wrong, draws)


class _Drawing(NamedTuple):
    """How to draw the values of a unit."""

    unit: Unit
    name: str
    rule: str
    style: Style
    least: int

    @property
    def field(self) -> Field:
        """The attribute that has the rule."""
        for field in fields_of(self.style.configuration):
            if field[:2] == (self.unit.part, self.name):
                return field
        raise KeyError(self.name)

    def values(self, draws: RowDraws) -> list[int] | None:
        """Return the values of nine panels, line by line; of a layout, the slots."""
        field = self.field
        slots = CONFIGURATIONS[self.style.configuration][self.unit.part].slots
        values = self._lines(field, draws)
        if values is None or field.name != "number":
            return values
        return [_some_slots(value.bit_length() - 1, slots, draws) for value in values]

    def another(self, known: int, draws: RowDraws) -> int | None:
        """Return the last value of another drawing."""
        for _ in range(_TRIES):
            values = self.values(draws)
            if values is None:
                return None
            is_other = values[8] != known
            if self.name == "number":
                is_other = values[8].bit_count() != known.bit_count()
            if is_other:
                return values[8]
        return None

    def _lines(self, field: Field, draws: RowDraws) -> list[int] | None:
        if self.rule == "random":
            return [self._one(field, draws) for _ in range(9)]
        if self.rule == "distribute_three":
            for _ in range(_TRIES):
                a, b, c = (self._one(field, draws) for _ in range(3))
                if a != b != c != a:
                    second, third = [b, c, a], [c, a, b]
                    swapped = draws.integer(0, 2)
                    return [a, b, c, *(third + second if swapped else second + third)]
            return None
        if field.name == "position":
            lines = [self._slots(field, draws) for _ in range(3)]
            return None if None in lines else [value for line in lines if line for value in line]
        known = _triples(field, self.rule, self._allowed(field))
        if not known:
            return None
        return [value for _ in range(3) for value in draws.choice(known)]

    def _allowed(self, field: Field) -> tuple[int, ...]:
        if field.name == "number":
            return tuple(field.values[self.least - 1 :])
        return allowed_values(field, self.style.values)

    def _one(self, field: Field, draws: RowDraws) -> int:
        if field.name == "position":
            return _some_positions(len(field.values), self.least, draws)
        return 1 << draws.choice(self._allowed(field))

    def _slots(self, field: Field, draws: RowDraws) -> tuple[int, int, int] | None:
        """Return the positions of a line."""
        n, rule = len(field.values), self.rule
        law = laws(field)[rule]
        for _ in range(_TRIES):
            a = _some_positions(n, self.least, draws)
            b = a if rule == "constant" else _some_positions(n, self.least, draws)
            if rule.startswith(("plus", "minus")):
                b = _turned(a, int(rule[-1]) * (1 if rule.startswith("plus") else -1), n)
            c = law(a, b)
            if c.bit_count() >= self.least and (rule == "constant" or rule not in SETS or a & b):
                return a, b, c
        return None


def allowed_values(field: Field, values: str) -> tuple[int, ...]:
    """Return the sizes or colors that occur."""
    if field.name not in ("size", "color"):
        return tuple(field.values)
    half = field.values[len(field.values) // 2]
    keep = {
        "even": lambda value: value % 2 == 0,
        "odd": lambda value: value % 2 == 1,
        "lower": lambda value: value < half,
        "upper": lambda value: value >= half,
    }.get(values, lambda _: True)
    return tuple(filter(keep, field.values))


@cache
def _triples(field: Field, rule: str, allowed: tuple[int, ...]) -> Sequence[tuple[int, int, int]]:
    """Return the values of three panels that follow a rule."""
    single = [1 << value for value in allowed]
    if rule == "constant":
        return [(value, value, value) for value in single]
    known = single
    if rule in SETS:
        sets = (combinations(single, size) for size in range(1, MAX_SET + 1))
        known = [sum(chosen) for some in sets for chosen in some]
    law, whole = laws(field)[rule], sum(single)
    made = [(a, b, law(a, b)) for a, b in product(known, known) if rule not in SETS or a & b]
    return [line for line in made if 0 < line[2].bit_count() <= MAX_SET and not line[2] & ~whole]


def _turned(mask: int, step: int, n: int) -> int:
    moved = mask << step % n
    return moved & (1 << n) - 1 | moved >> n


def _some_slots(count: int, slots: int, draws: RowDraws) -> int:
    return sum(1 << slot for slot in draws.shuffled(range(slots))[:count])


def _some_positions(slots: int, least: int, draws: RowDraws) -> int:
    return _some_slots(draws.integer(least, max(least, (2 * slots + 1) // 3) + 1), slots, draws)


# the matrix


def _accepted(
    style: Style, made: Mapping[Unit, Drawn], wrong: Mapping[Unit, int], draws: RowDraws
) -> Matrix | None:
    """Return the matrix if it has one answer and no other rules than those drawn."""
    context = {}
    for field in fields_of(style.configuration):
        context[field] = _of_field(field, made[_unit(field)].values)
    along = {field: completions(field, values) for field, values in context.items()}
    across = {
        field: completions(field, [values[place] for place in COLUMNS])
        for field, values in context.items()
    }
    rules = {}
    for field, ends in along.items():
        name, rule, values = made[_unit(field)]
        drawn = {"random"} if rule == "random" else {GROUPS[rule]}
        groups = {GROUPS[each] for each, end in ends.items() if end == context[field][8]}
        if field.name != name and field.name in _LAYOUTS:
            if field.name == "position" and groups:
                return None
            continue
        if (groups or {"random"}) != drawn:
            return None
        rules[field] = next(
            (each for each, end in ends.items() if end == context[field][8]), "random"
        )
    n_along = sum(context[field][8] in ends.values() for field, ends in along.items())
    n_across = sum(context[field][8] in ends.values() for field, ends in across.items())
    if n_across > n_along - style.by_column:
        return None
    answers = {field: context[field][8] for field in rules}
    if style.is_open:
        if not _follows(context, along, across, n_along):
            return None
        choices = [{}]
    else:
        flags = draws.shuffled([*product((False, True), repeat=len(wrong))])
        choices = [
            {unit: value for (unit, value), flag in zip(wrong.items(), each, strict=True) if flag}
            for each in flags
        ]
        if not _is_only(style.configuration, made, choices, (along, across)):
            return None
    places = COLUMNS if style.by_column else ROWS
    panels = [_panel(style.configuration, made, {}, place, draws) for place in places[:8]]
    candidates = [_panel(style.configuration, made, each, 8, draws) for each in choices]
    target = choices.index({})
    return Matrix(
        style.configuration,
        style.by_column,
        (*panels, candidates[target]),
        tuple(candidates),
        target,
        rules,
        answers,
    )


def _unit(field: Field) -> Unit:
    return Unit(field.part, "layout" if field.name in _LAYOUTS else field.name)


def _of_field(field: Field, values: Sequence[int]) -> list[int]:
    """Return the values of an attribute, of which layouts are known as slots."""
    return [1 << value.bit_count() for value in values] if field.name == "number" else [*values]


_Ends = Mapping[Field, Mapping[str, int]]


def _follows(
    context: Mapping[Field, Sequence[int]], along: _Ends, across: _Ends, count: int
) -> bool:
    """Return whether the ninth panel follows from the others, without candidates."""
    for field, ends in along.items():
        wanted = {context[field][8]}
        if {*ends.values()} != wanted and (ends or field.name != "number"):
            return False
    possible = sum(map(bool, across.values()))
    same = all({*ends.values()} <= {context[field][8]} for field, ends in across.items())
    return same or possible < count


def _is_only(
    configuration: str,
    made: Mapping[Unit, Drawn],
    choices: Sequence[Mapping[Unit, int]],
    directions: Iterable[_Ends],
) -> bool:
    """Return whether no other candidate follows as many rules as the answer."""
    best: list[int] = [0] * len(choices)
    for ends in directions:
        known = {field: {*each.values()} for field, each in ends.items()}
        for place, changes in enumerate(choices):
            score = 0
            for field, fitting in known.items():
                unit = _unit(field)
                value = changes.get(unit, made[unit].values[8])
                score += (1 << value.bit_count() if field.name == "number" else value) in fitting
            best[place] = max(best[place], score)
    target = best[choices.index({})]
    return best.count(target) == 1 and target == max(best)


def _panel(
    configuration: str,
    made: Mapping[Unit, Drawn],
    changes: Mapping[Unit, int],
    place: int,
    draws: RowDraws,
) -> Panel:
    """Return a panel in which objects have the values of their attributes."""

    def value(part: int, name: str) -> int:
        unit = Unit(part, name)
        drawn = made.get(unit)
        return changes.get(unit, drawn.values[place]) if drawn else 0

    components = []
    for number, part in enumerate(CONFIGURATIONS[configuration]):
        slots = [slot for slot in range(part.slots) if (value(number, "layout") or 1) >> slot & 1]
        columns = [
            _spread(value(number, "type") or 1, slots, draws),
            _spread(
                value(number, "size") or (0 if part.is_lines else 1 << part.sizes[0]), slots, draws
            ),
            _spread(value(number, "color") or 1, slots, draws),
        ]
        components.append(tuple(map(Entity, slots, *columns)))
    return tuple(components)


def _spread(values: int, slots: Sequence[int], draws: RowDraws) -> list[int]:
    """Return a value for each slot, each value at least once."""
    if values & values - 1 == 0:
        return [max(0, values.bit_length() - 1)] * len(slots)
    known = [value for value in range(values.bit_length()) if values >> value & 1]
    known += [draws.choice(known) for _ in range(len(slots) - len(known))]
    return draws.shuffled(known)
