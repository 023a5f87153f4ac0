"""What the four families of constructions have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.contract import Axis
from synthgen.core.errors import ParamError
from synthgen.core.randomness import RowDraws
from synthgen.generators.omega._family import Made, PlainFamily
from synthgen.generators.omega.geometry._construct_ask import ask
from synthgen.generators.omega.geometry._construct_figure import Figure
from synthgen.generators.omega.geometry._construct_grow import grow, start
from synthgen.generators.omega.geometry._construct_names import named
from synthgen.generators.omega.geometry._construct_program import Program, finish
from synthgen.generators.omega.geometry._construct_rules import RULES
from synthgen.generators.omega.geometry._construct_steps import way_to
from synthgen.generators.omega.geometry._construct_text import WORDINGS, told
from synthgen.generators.omega.geometry._construct_tree import SYMBOLS, canonical

_LEVELS = ((6, 9), (10, 13), (14, 17), (18, 21), (22, 25), (26, 29), (30, 33))
_TRIES = 40
_MORE_STEPS = 6
"""A figure may grow by so many steps more than its question is to need."""
_LAST_STEPS = 3
"""A question adds at most so many steps, itself included."""
_MOVES = 60
"""Tries to take one more step."""
_LARGEST = 30


@dataclass(frozen=True)
class ConstructionFamily(PlainFamily):
    """Constructions whose question needs a given number of commands.

    Attributes:
        levels: of difficulty, 1 to 7, drawn with equal probability; none stand for all.
        max_length: largest length, radius or distance that a command may name, from 6 to 30.
    """

    max_length: int = 12

    version: ClassVar[int] = 1
    solutions: ClassVar[tuple[str, ...]] = ("none", "steps")
    n_levels: ClassVar[int] = len(_LEVELS)
    level_is_canonical: ClassVar[bool] = True
    answer_type: ClassVar[str] = "decimal"
    wordings: ClassVar[int] = WORDINGS
    symbols: ClassVar[Mapping[str, int]] = SYMBOLS
    block: ClassVar[int] = 64

    @property
    @abstractmethod
    def kind(self) -> str:
        """Whose own commands the constructions have besides the basic ones."""

    def __post_init__(self) -> None:
        super().__post_init__()
        fits = isinstance(self.max_length, int) and not isinstance(self.max_length, bool)
        if not fits or not 6 <= self.max_length <= _LARGEST:
            raise ParamError("max_length", self.max_length, f"an integer from 6 to {_LARGEST}")

    @property
    def own_axes(self) -> Mapping[str, Axis]:
        """How long the construction is, and how much of it is the family's own."""
        low = _LEVELS[min(self.chosen_levels) - 1][0]
        high = _LEVELS[max(self.chosen_levels) - 1][1]
        return {
            "commands": Axis("commands, the question included", low=low, high=high),
            "own_commands": Axis("commands of the family's own list", low=1, high=high),
        }

    def make(self, level: int, draws: RowDraws) -> Made | None:
        """Grow figures until one ends in a question of the wanted length."""
        low, high = _LEVELS[level - 1]
        subtype = draws.integer(0, len(self.subtypes))
        for _ in range(_TRIES):
            least = draws.integer(low, high + 1)
            program = self._program(self.subtypes[subtype], least, high, draws)
            if program is not None:
                own = sum(RULES[step.name].family == self.kind for step in program.steps)
                axes = {"commands": len(program.steps) + 1, "own_commands": own}
                facts = (program, named(program, draws))
                return Made(canonical(program), program.answer, facts, subtype, axes)
        return None

    def _program(self, kind: str, least: int, most: int, draws: RowDraws) -> Program | None:
        """Grow one figure, and try to end it as soon as it is long enough."""
        figure = Figure()
        start(figure, self.kind, draws, self.max_length)
        while len(figure.steps) < most + _MORE_STEPS:
            if not any(grow(figure, self.kind, draws, self.max_length) for _ in range(_MOVES)):
                return None
            if len(figure.steps) < least - _LAST_STEPS:
                continue
            for question in ask(figure, kind, least, most, draws):
                program = finish(figure, question, self.kind)
                if program is not None:
                    return program
        return None

    def tell(self, made: Made, wording: int, draws: RowDraws) -> str:
        """Tell the commands in order, and ask."""
        return told(made.facts[0], made.facts[1], wording, draws)

    def steps(self, made: Made) -> str:
        """Write the coordinates of every object in one frame, and the answer."""
        return way_to(*made.facts)
