"""Abstract matrices: problems and their texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from zlib import crc32

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    levelled,
    params,
)
from synthgen.families.abstract_matrices.drawing import (
    Matrix,
    Style,
    drawn_matrix,
    options,
    units_of,
)
from synthgen.families.abstract_matrices.panels import (
    CONFIGURATIONS,
    LINES,
    MORE_TYPES,
    Panel,
    Part,
    panel_json,
    panel_text,
    slot_name,
)
from synthgen.families.abstract_matrices.relations import GROUPS, MEMBERS, Field

_WORDS = Words.beside(__file__)
_RULES, _HEADS, _ATTRIBUTES = _WORDS["rules"], _WORDS["configurations"], _WORDS["attributes"]
_ASKS = ("candidate", "panel")
_RELATIONS = tuple(group for group in MEMBERS if group != "constant")
_RAVEN = tuple(name for name in CONFIGURATIONS if name != "grid_lines")
_NAMES = ("number", "position", "type", "size", "color")
_KINDS = ("none", "random", *MEMBERS)
_MAX_RULES, _TRIES = 6, 40
_SHARES = 10


@levelled("n_rules + n_objects", 10, 12, 18, 20, 22, 26, 32, 40, 50, 66)
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
        panels: "text" or "json".
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
    panels: str = params.choice("text", ("text", "json"))

    verifier = "abstract_matrices"
    restated_by = ("panels",)
    words = _WORDS
    symbols = {
        "choose": 1 + 16,
        "complete": 1 + 8,
        "panel": (1, 2),
        "objects": (1, 9),
        **dict.fromkeys(CONFIGURATIONS, 0),
        **dict.fromkeys(MORE_TYPES, 3),
        **dict.fromkeys(LINES, 1),
    }
    answer_type = {"candidate": "integer", "panel": "checked:abstract_matrices"}
    own_axes = {
        "configuration": axis("parts of a panel", values=tuple(CONFIGURATIONS)),
        "along": axis("lines along which rules run", values=("rows", "columns")),
        "n_rules": axis("attributes with a rule other than constant", "min_rules", "max_rules"),
        "n_random": axis("random attributes", 0, 6),
        "n_objects": axis("objects in the given panels", 8, 120),
        **{
            f"{name}_{number}": axis(f"rule of the {name} in part {number}", values=_KINDS)
            for number in (1, 2)
            for name in _NAMES
        },
        "parity": axis("sizes and colors", values=("mixed", "even", "odd")),
        "half": axis("half of the sizes and colors", values=("mixed", "lower", "upper")),
        "held_pairs": axis("pairs of rules whose hash is in the first tenth", 0, 15),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.values != "all" and self.configurations != ("grid_lines",):
            raise ParamError("values", self.values, '"all", or configurations = ["grid_lines"]')
        for ask in self.asks:
            for configuration in self.configurations:
                most = len(self._open_units(ask, configuration))
                if self.min_rules > most:
                    wanted = f"at most {most}, as {configuration} has no more for this"
                    raise ParamError("min_rules", self.min_rules, wanted)

    def _open_units(self, ask: str, configuration: str) -> list[object]:
        """Return what can have one of the rules."""
        is_open = ask == "panel"
        return [
            unit
            for unit in units_of(configuration)
            if options(unit, configuration, self.relations, is_open)
        ]

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw rules and a matrix, until it has one answer."""
        ask = draws.choice(self.asks)
        configuration = draws.choice(self.configurations)
        most = min(self.max_rules, len(self._open_units(ask, configuration)))
        style = Style(
            configuration,
            self.relations,
            self.values,
            draws.integer(self.min_rules, most + 1),
            self.noise,
            ask == "panel",
            self.direction == "columns" or (self.direction == "either" and draws.integer(0, 2) > 0),
        )
        for _ in range(_TRIES):
            matrix = drawn_matrix(style, draws)
            if matrix is not None:
                return self._problem(ask, matrix, style.count)
        return None

    def _problem(self, ask: str, matrix: Matrix, count: int) -> Problem:
        parts = CONFIGURATIONS[matrix.configuration]
        shown = matrix.panels[:8]
        last = matrix.panels[8]
        answer = (
            str(matrix.target + 1) if ask == "candidate" else _written(self.panels, parts, last)
        )
        kinds = {field: GROUPS.get(rule, rule) for field, rule in matrix.rules.items()}
        ruled = sorted(
            f"{field.name}_{field.part} {kind}"
            for field, kind in kinds.items()
            if kind not in ("constant", "random")
        )
        everything = (*shown, *matrix.candidates)
        return Problem(
            tree=_tree(ask, matrix),
            answer=answer,
            holes={
                "matrix": _matrix_text(self.panels, matrix),
                "candidates": _candidates_text(self.panels, parts, matrix.candidates),
                "rules": _rules_text(matrix.configuration),
            },
            kind=ask,
            axes={
                "configuration": matrix.configuration,
                "along": "columns" if matrix.by_column else "rows",
                "n_rules": count,
                "n_random": [*kinds.values()].count("random"),
                "n_objects": sum(len(component) for panel in shown for component in panel),
                **{f"{name}_{number}": "none" for number in (1, 2) for name in _NAMES},
                **{f"{field.name}_{field.part + 1}": kind for field, kind in kinds.items()},
                "parity": _parity(everything),
                "half": _half(parts, everything),
                "held_pairs": sum(
                    crc32(" ".join(pair).encode()) % _SHARES == 0 for pair in combinations(ruled, 2)
                ),
            },
            data=matrix,
            difficulty=count,
        )

    def steps_of(self, problem: Problem) -> list[str]:
        """State the rule of each attribute, and its value in the missing panel."""
        matrix: Matrix = problem.data
        parts = CONFIGURATIONS[matrix.configuration]
        lines = [_WORDS.line("columns" if matrix.by_column else "rows")]
        for field, rule in matrix.rules.items():
            part = parts[field.part]
            name = _ATTRIBUTES[field.name]
            attribute = name if len(parts) == 1 else f"{part.name}, {name}"
            value = _value_text(part, field, matrix.answers[field])
            lines.append(_WORDS.line(rule, attribute=attribute, value=value))
        return lines

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Offer the other candidates."""
        matrix: Matrix = problem.data
        if problem.kind == "candidate":
            return [str(n) for n in draws.shuffled(range(1, 9)) if n != matrix.target + 1]
        return []


# texts


def _written(style: str, parts: Sequence[Part], panel: Panel) -> str:
    return json.dumps(panel_json(parts, panel)) if style == "json" else panel_text(parts, panel)


def _matrix_text(style: str, matrix: Matrix) -> str:
    """Return the eight panels that are given, row by row."""
    parts = CONFIGURATIONS[matrix.configuration]
    lines = [
        f"Row {place // 3 + 1}, column {place % 3 + 1}: {_written(style, parts, panel)}"
        for place, panel in enumerate(matrix.panels[:8])
    ]
    return "\n".join([_HEADS[matrix.configuration], *lines])


def _candidates_text(style: str, parts: Sequence[Part], candidates: Sequence[Panel]) -> str:
    return "\n".join(
        f"{number}. {_written(style, parts, panel)}" for number, panel in enumerate(candidates, 1)
    )


def _rules_text(configuration: str) -> str:
    """Return the rules that the parts of a configuration can follow."""
    parts = CONFIGURATIONS[configuration]
    has_grid = any(part.slots > 1 for part in parts)
    has_lines = any(part.is_lines for part in parts)
    names = ["types", "lines" if has_lines else "grid" if has_grid else "one", "rows", "constant"]
    names += (
        ["progression", "shift", "grid_arithmetic"] if has_grid else ["progression", "arithmetic"]
    )
    names += ["distribute_three", *(["sets"] if has_grid else []), "random"]
    known = {"types": ", ".join(parts[0].types), "lines": ", ".join(LINES)}
    return " ".join(_RULES[name].format_map(known) for name in names)


def _value_text(part: Part, field: Field, values: int) -> str:
    known = [value for value in range(values.bit_length()) if values >> value & 1]
    if field.name == "position":
        return ", ".join(slot_name(part, slot) for slot in known)
    return ", ".join(part.types[value] if field.name == "type" else str(value) for value in known)


# the tree and its axes


def _tree(ask: str, matrix: Matrix) -> Tree:
    parts = CONFIGURATIONS[matrix.configuration]
    panels: list[Tree] = [_panel_tree(parts, panel) for panel in matrix.panels[:8]]
    if ask == "panel":
        return ("complete", matrix.configuration, *panels)
    options_ = [_panel_tree(parts, panel) for panel in matrix.candidates]
    return ("choose", matrix.configuration, *panels, *options_)


def _panel_tree(parts: Sequence[Part], panel: Panel) -> Tree:
    return (
        "panel",
        *[
            (
                "objects",
                *[
                    (LINES[slot], color)
                    if part.is_lines
                    else (part.types[kind], slot + 1, size, color)
                    for slot, kind, size, color in component
                ],
            )
            for part, component in zip(parts, panel, strict=True)
        ],
    )


def _parity(panels: Sequence[Panel]) -> str:
    """Return whether all sizes and colors are even, or odd; lines have no size."""
    values = {
        value % 2
        for panel in panels
        for component in panel
        for entity in component
        for value in (entity.color, *([entity.size] if entity.size else []))
    }
    return "mixed" if len(values) > 1 else "odd" if 1 in values else "even"


def _half(parts: Sequence[Part], panels: Sequence[Panel]) -> str:
    """Return the half of the levels that all sizes and colors are in."""
    values = set()
    for panel in panels:
        for part, component in zip(parts, panel, strict=True):
            for entity in component:
                values.add(entity.color >= 5)
                if part.sizes:
                    values.add(entity.size >= part.sizes[len(part.sizes) // 2])
    return "mixed" if len(values) > 1 else "upper" if True in values else "lower"


GENERATORS = {"abstract_matrices": AbstractMatrices}
