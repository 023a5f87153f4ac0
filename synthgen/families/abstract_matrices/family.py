"""Abstract matrices: problems and their texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, isqrt, pi, sin
from zlib import crc32

from synthgen.authoring import (
    Ink,
    ParamError,
    Picture,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    levelled,
    params,
)
from synthgen.authoring.distractors import chained
from synthgen.authoring.pictures import INK, Point
from synthgen.families.abstract_matrices.drawing import (
    Matrix,
    Style,
    choices_of,
    drawn_matrix,
    panel_of,
)
from synthgen.families.abstract_matrices.panels import (
    CONFIGURATIONS,
    LINES,
    MORE_TYPES,
    Component,
    Entity,
    Panel,
    Part,
    panel_json,
    panel_text,
    slot_name,
)
from synthgen.families.abstract_matrices.relations import GROUPS, MEMBERS

_WORDS = Words.beside(__file__)
_RULES, _HEADS, _ATTRIBUTES = _WORDS["rules"], _WORDS["configurations"], _WORDS["attributes"]
_ASKS = ("candidate", "panel")
_RELATIONS = tuple(group for group in MEMBERS if group != "constant")
_RAVEN = tuple(name for name in CONFIGURATIONS if name != "grid_lines")
_NAMES = ("number", "position", "type", "size", "color")
_KINDS = ("none", "random", *MEMBERS)
_MAX_RULES, _TRIES, _OFFERED = 6, 40, 10
_SHARES = 10
_EVEN = 0b10101010101


@levelled("n_rules + n_objects", 10, 12, 18, 20, 22, 26, 34, 48, 58, 68)
@dataclass(frozen=True)
class AbstractMatrices(PlainFamily):
    """Complete a matrix of 3 x 3 panels whose attributes follow rules.

    Attributes:
        asks: "candidate" (the number of one of eight) and "panel" (the missing panel itself);
            drawn with equal probability.
        configurations: Parts of a panel; drawn with equal probability.
        relations: Rules besides "constant".
        min_rules, max_rules: Fewest and most attributes with one of these rules.
        noise: Whether attributes without a rule may be random, and not only constant.
        direction: "rows", "columns" or "either", in which rules run.
        values: "all", "even", "odd", "lower" or "upper" sizes and colors; only of "grid_lines".
        panels: "text" or "json", how panels are written, or "picture" if only the picture shows
            them.
    """

    asks: tuple[str, ...] = params.choices(("candidate",), _ASKS)
    configurations: tuple[str, ...] = params.choices(_RAVEN, tuple(CONFIGURATIONS))
    relations: tuple[str, ...] = params.choices(
        ("progression", "arithmetic", "distribute_three"), _RELATIONS
    )
    min_rules: int = params.integer(1, 1, _MAX_RULES, up_to="max_rules")
    max_rules: int = params.integer(4, 1, _MAX_RULES)
    noise: bool = params.flag(False)
    direction: str = params.choice("rows", ("rows", "columns", "either"))
    values: str = params.choice("all", ("all", "even", "odd", "lower", "upper"))
    panels: str = params.choice("text", ("text", "json", "picture"))

    verifier = "abstract_matrices"
    restated_by = ("panels",)
    words = _WORDS
    symbols = {
        "choose": 1 + 16,
        "complete": 1 + 8,
        "panel": (1, 2),
        "objects": (1, 9),
        "lines": (1, 6),
        "line": (2, 7),
        **dict.fromkeys(CONFIGURATIONS, 0),
        **dict.fromkeys(MORE_TYPES, (3, 11)),
        **dict.fromkeys(LINES, 0),
    }
    answer_type = {"candidate": "integer", "panel": "checked:abstract_matrices"}
    own_axes = {
        "configuration": axis("parts of a panel", values=tuple(CONFIGURATIONS)),
        "along": axis("lines along which rules run", values=("rows", "columns")),
        "n_rules": axis("attributes with a rule other than constant", "min_rules", "max_rules"),
        "n_random": axis("random attributes", 0, 4),
        "n_objects": axis("objects in the given panels", 8, 120),
        **{
            f"{name}_rule_{number}": axis(f"rule of the {name} in part {number}", values=_KINDS)
            for number in (1, 2)
            for name in _NAMES
        },
        "parity": axis("sizes and colors", values=("mixed", "even", "odd")),
        "half": axis("half of the sizes and colors", values=("mixed", "lower", "upper")),
        "held_pairs": axis(
            "pairs of rules whose hash is in the first tenth, 35 of 350 in grid_lines", 0, 15
        ),
    }

    def _style(self, ask: str, configuration: str) -> Style:
        return Style(
            configuration,
            self.relations,
            self.values,
            n_rules=self.min_rules,
            noise=self.noise,
            is_open=ask == "panel",
            by_column=self.direction == "columns",
        )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.panels == "picture" and self.asks != ("candidate",):
            raise ParamError("asks", self.asks, 'only "candidate", as panels="picture"')
        if self.values != "all" and self.configurations != ("grid_lines",):
            raise ParamError("values", self.values, '"all", or configurations = ["grid_lines"]')
        for ask in self.asks:
            for configuration in self.configurations:
                most = len(choices_of(self._style(ask, configuration)))
                if self.min_rules > most:
                    wanted = f"at most {most}, as {configuration} has no more for this"
                    raise ParamError("min_rules", self.min_rules, wanted)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw rules and a matrix, until it has one answer."""
        ask = draws.choice(self.asks)
        style = self._style(ask, draws.choice(self.configurations))
        most = min(self.max_rules, len(choices_of(style)))
        style = style._replace(n_rules=draws.integer(self.min_rules, most + 1))
        if self.direction == "either":
            style = style._replace(by_column=draws.integer(0, 2) > 0)
        for _ in range(_TRIES):
            matrix = drawn_matrix(style, draws)
            if matrix is not None:
                return self._problem(ask, matrix, style.n_rules)
        return None

    def _problem(self, ask: str, matrix: Matrix, count: int) -> Problem:
        answer = str(matrix.target + 1)
        if ask == "panel":
            parts = CONFIGURATIONS[matrix.configuration]
            answer = _written(self.panels, parts, matrix.candidates[0])
        kinds = {field: GROUPS[rule] for field, rule in matrix.rules.items()}
        ruled = sorted(
            f"{field.name}_{field.part} {kind}"
            for field, kind in kinds.items()
            if kind not in ("constant", "random")
        )
        return Problem(
            tree=_tree(ask, matrix),
            answer=answer,
            kind=ask,
            axes={
                "configuration": matrix.configuration,
                "along": "columns" if matrix.by_column else "rows",
                "n_rules": count,
                "n_random": [*kinds.values()].count("random"),
                "n_objects": sum(len(component) for panel in matrix.panels for component in panel),
                **{f"{name}_rule_{number}": "none" for number in (1, 2) for name in _NAMES},
                **{f"{field.name}_rule_{field.part + 1}": kind for field, kind in kinds.items()},
                **_levels(matrix),
                "held_pairs": sum(
                    crc32("|".join(pair).encode()) % _SHARES == 0 for pair in combinations(ruled, 2)
                ),
            },
            data=matrix,
            difficulty=count,
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the panels and the rules."""
        del draws
        matrix: Matrix = problem.data
        parts = CONFIGURATIONS[matrix.configuration]
        return {
            "matrix": _matrix_text(self.panels, matrix),
            "candidates": _candidates_text(self.panels, parts, matrix.candidates),
            "rules": _rules_text(matrix.configuration),
        }

    @property
    def pictured(self) -> str:
        """Whether prompts need their pictures."""
        return "needed" if self.panels == "picture" else "optional"

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw the matrix, and the candidates below it with their numbers."""
        del draws
        matrix: Matrix = problem.data
        parts = CONFIGURATIONS[matrix.configuration]
        candidates = matrix.candidates if problem.kind == "candidate" else ()
        picture = Picture(4 * _STEP + _GAP, 3 * _STEP + _GAP + 2 * bool(candidates) * _BELOW)
        for place in range(9):
            corner = (0.5 + place % 3) * _STEP + _GAP, place // 3 * _STEP + _GAP
            panel = matrix.panels[place] if place < 8 else None
            _draw_panel(picture, corner, parts, panel)
        for place, panel in enumerate(candidates):
            x = place % 4 * _STEP + _GAP
            y = 3 * _STEP + (place // 4 + 1) * _BELOW - _STEP + _GAP
            picture.text((x + _SIDE / 2, y - _GAP - 5), str(place + 1), 13)
            _draw_panel(picture, (x, y), parts, panel)
        return picture

    def steps_of(self, problem: Problem) -> list[str]:
        """State the rule of each attribute, and its value in the missing panel."""
        matrix: Matrix = problem.data
        parts = CONFIGURATIONS[matrix.configuration]
        lines = [_WORDS.line("columns" if matrix.by_column else "rows")]
        for drawn in matrix.units.values():
            field, rule = drawn.field, matrix.rules[drawn.field]
            part = parts[field.part]
            name = _ATTRIBUTES[field.name]
            attribute = name if len(parts) == 1 else f"{part.name}, {name}"
            value = _value_text(part, field.name, drawn.values[8])
            lines.append(_WORDS.line(rule, attribute=attribute, value=value))
        return lines

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Offer the other candidates, or panels with values that other panels have."""
        matrix: Matrix = problem.data
        if problem.kind == "candidate":
            return [str(n) for n in draws.shuffled(range(1, 9)) if n != matrix.target + 1]
        units = matrix.units

        def changed(known: tuple[int, ...], draws: RowDraws) -> tuple[int, ...]:
            place = draws.integer(0, len(known))
            value = draws.choice([*units.values()][place].values)
            return (*known[:place], value, *known[place + 1 :])

        right = tuple(drawn.values[8] for drawn in units.values())
        parts = CONFIGURATIONS[matrix.configuration]
        return [
            _written(
                self.panels,
                parts,
                panel_of(matrix.configuration, dict(zip(units, values, strict=True)), draws),
            )
            for values in chained(right, changed, draws, _OFFERED)
        ]


# texts


def _written(style: str, parts: Sequence[Part], panel: Panel) -> str:
    return json.dumps(panel_json(parts, panel)) if style == "json" else panel_text(parts, panel)


def _matrix_text(style: str, matrix: Matrix) -> str:
    """Return the eight panels that are given, row by row, or what their picture shows."""
    parts = CONFIGURATIONS[matrix.configuration]
    if style == "picture":
        shown = _WORDS["shown"]
        return f"{shown['configurations'][matrix.configuration]} {shown['matrix']}"
    lines = [
        f"Row {place // 3 + 1}, column {place % 3 + 1}: {_written(style, parts, panel)}"
        for place, panel in enumerate(matrix.panels)
    ]
    return "\n".join([_HEADS[matrix.configuration], *lines])


def _candidates_text(style: str, parts: Sequence[Part], candidates: Sequence[Panel]) -> str:
    if style == "picture":
        return str(_WORDS["shown"]["candidates"])
    return "\n".join(
        f"{number}. {_written(style, parts, panel)}" for number, panel in enumerate(candidates, 1)
    )


def _rules_text(configuration: str) -> str:
    """Return the rules that the parts of a configuration can follow."""
    parts = CONFIGURATIONS[configuration]
    has_grid = any(part.slots > 1 for part in parts)
    has_lines = any(part.is_lines for part in parts)
    names = ["types", "lines" if has_lines else "grid" if has_grid else "one", "rows"]
    rules = ["constant", "progression", "arithmetic", "distribute_three"]
    if has_grid:
        rules = ["constant", "grid_progression", "grid_arithmetic", "distribute_three", "sets"]
    known = {"types": ", ".join(parts[0].types), "lines": ", ".join(LINES)}
    head = " ".join(_RULES[name].format_map(known) for name in names)
    return "\n- ".join([head, *(_RULES[name] for name in rules)])


def _value_text(part: Part, name: str, values: int) -> str:
    """Return the values of an attribute, or how many slots are taken."""
    if name == "number":
        return str(values.bit_count())
    known = [value for value in range(values.bit_length()) if values >> value & 1]
    if name == "position":
        return ", ".join(slot_name(part, slot) for slot in known)
    return ", ".join(part.types[value] if name == "type" else str(value) for value in known)


# pictures

_SIDE, _GAP = 72, 6
_STEP, _BELOW = _SIDE + _GAP, _SIDE + _GAP + 18
"""From one panel to the next, and from one row of candidates to the next."""
_AREAS = {
    "left": (0.0, 0.0, 0.5, 1.0),
    "right": (0.5, 0.0, 0.5, 1.0),
    "top": (0.0, 0.0, 1.0, 0.5),
    "bottom": (0.0, 0.5, 1.0, 0.5),
    "inner": (0.31, 0.31, 0.38, 0.38),
}
"""Left, top, width and height of parts that do not fill a panel."""
_CORNERS = {"triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6, "octagon": 8, "star": 10}


def _draw_panel(
    picture: Picture, corner: Point, parts: Sequence[Part], panel: Panel | None
) -> None:
    """Draw a panel, or a question mark in place of one."""
    picture.rectangle(corner, (_SIDE, _SIDE), Ink("#ffffff", INK))
    if panel is None:
        picture.text((corner[0] + _SIDE / 2, corner[1] + _SIDE / 2), "?", 0.5 * _SIDE)
        return
    for part, component in sorted(
        zip(parts, panel, strict=True), key=lambda pair: not pair[0].is_lines
    ):
        left, top, width, height = _AREAS.get(part.name, (0.0, 0.0, 1.0, 1.0))
        columns = isqrt(part.slots)
        for entity in component:
            if part.is_lines:
                _draw_line(picture, corner, LINES[entity.slot], _shade(entity))
                continue
            row, column = divmod(entity.slot, columns)
            x = corner[0] + _SIDE * (left + width * (column + 0.5) / columns)
            y = corner[1] + _SIDE * (top + height * (row + 0.5) / columns)
            room = 0.47 * _SIDE * min(width, height) / columns
            radius = room * (0.4 + 0.6 * (entity.size - 1) / (max(part.sizes) - 1))
            _draw_shape(picture, (x, y), part.types[entity.type], radius, _shade(entity))


def _shade(entity: Entity) -> str:
    """Return a gray, from white to nearly black."""
    return "#" + 3 * f"{255 - 25 * entity.color:02x}"


def _draw_shape(picture: Picture, center: Point, kind: str, radius: float, shade: str) -> None:
    ink = Ink(shade, INK)
    if kind == "circle":
        picture.circle(center, radius, ink)
        return
    n, half = _CORNERS[kind], 0.5 * (kind in ("square", "octagon"))
    points = []
    for k in range(n):
        turn = 2 * pi * (k + half) / n
        length = radius * (0.45 if kind == "star" and k % 2 else 1)
        points.append((center[0] + length * sin(turn), center[1] - length * cos(turn)))
    picture.polygon(points, ink)


def _draw_line(picture: Picture, corner: Point, kind: str, shade: str) -> None:
    """Draw a line across a panel, in a shade between dark edges."""
    x, y, middle, end = *corner, _SIDE / 2, _SIDE - 1
    ends = {
        "horizontal": ((x + 1, y + middle), (x + end, y + middle)),
        "vertical": ((x + middle, y + 1), (x + middle, y + end)),
        "rising": ((x + 1, y + end), (x + end, y + 1)),
        "falling": ((x + 1, y + 1), (x + end, y + end)),
    }
    for ink in (Ink(edge=INK, width=5), Ink(edge=shade, width=3)):
        if kind in ends:
            picture.line(*ends[kind], ink)
        elif kind == "ring":
            picture.circle((x + middle, y + middle), middle - 3, ink)
        else:
            sides = ((middle, 3), (end - 2, middle), (middle, end - 2), (3, middle))
            picture.polygon([(x + a, y + b) for a, b in sides], ink)


# the tree and its axes


def _tree(ask: str, matrix: Matrix) -> Tree:
    parts = CONFIGURATIONS[matrix.configuration]
    panels: list[Tree] = [_panel_tree(parts, panel) for panel in matrix.panels]
    if ask == "panel":
        return ("complete", matrix.configuration, *panels)
    candidates = [_panel_tree(parts, panel) for panel in matrix.candidates]
    return ("choose", matrix.configuration, *panels, *candidates)


def _panel_tree(parts: Sequence[Part], panel: Panel) -> Tree:
    return ("panel", *map(_component_tree, parts, panel))


def _component_tree(part: Part, component: Component) -> Tree:
    """Return the objects, equal ones as one with several slots."""
    slots: dict[tuple[int, int, int], list[int]] = {}
    for slot, *look in component:
        slots.setdefault((look[0], look[1], look[2]), []).append(slot)
    looks = sorted(slots.items())
    if part.is_lines:
        lines: list[Tree] = [("line", c, *[LINES[n] for n in at]) for (_, _, c), at in looks]
        return ("lines", *lines)
    objects: list[Tree] = [(part.types[t], s, c, *[n + 1 for n in at]) for (t, s, c), at in looks]
    return ("objects", *objects)


def _levels(matrix: Matrix) -> dict[str, str]:
    """Return whether all sizes and colors that vary are even, odd, in the lower or upper half."""
    parity, half = set(), set()
    for drawn in matrix.units.values():
        field = drawn.field
        if field.name in ("size", "color"):
            known = 0
            for value in (*drawn.values, *drawn.wrong):
                known |= value
            middle = field.values[len(field.values) // 2]
            parity |= {"even" if known & _EVEN else "odd", "odd" if known & ~_EVEN else "even"}
            half |= {"upper" if known >> middle else "lower"}
            half |= {"lower" if known & (1 << middle) - 1 else "upper"}
    return {
        name: known.pop() if len(known) == 1 else "mixed"
        for name, known in (("parity", parity), ("half", half))
    }


GENERATORS = {"abstract_matrices": AbstractMatrices}
