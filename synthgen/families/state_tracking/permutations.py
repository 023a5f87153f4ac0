"""Permutations of what people hold: swaps, or any permutation at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    axis,
    filled,
    levelled,
    params,
)
from synthgen.families.state_tracking.boxes import joined

_WORDS = Words.beside(__file__).part("permutations")
_TEXTS: Mapping[str, str] = _WORDS["texts"]
_ASKS = ("item", "holder", "order")
_MAX_PEOPLE, _MAX_PERMUTED, _MAX_LENGTH = 8, 5, 60
_TYPES = ("cycle_2", "cycle_3", "cycle_4", "cycle_5", "cycles_2_2", "cycles_2_3")
_OFFERED = 12

Cycles = tuple[tuple[int, ...], ...]
"""People who pass what they hold to the next one, and the last one to the first."""


def _applied(cycles: Cycles, held: Sequence[int]) -> list[int]:
    """Return what people hold after they have passed it on."""
    after = [*held]
    for cycle in cycles:
        for giver, taker in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            after[taker] = held[giver]
    return after


def _type(cycles: Cycles) -> str:
    sizes = [str(len(cycle)) for cycle in cycles]
    return f"cycle{'s' if len(sizes) > 1 else ''}_{'_'.join(sizes)}"


def _cycles_of(images: Sequence[int]) -> Cycles:
    """Return the cycles of a permutation, short ones first, each from its least member."""
    cycles, seen = [], set()
    for start in range(len(images)):
        cycle = [start]
        while images[cycle[-1]] != start:
            cycle.append(images[cycle[-1]])
        if len(cycle) > 1 and start not in seen:
            cycles.append(tuple(cycle))
        seen |= {*cycle}
    return tuple(sorted(cycles, key=lambda cycle: (len(cycle), cycle)))


@levelled("length + n_people", 6, 8, 10, 13, 16, 20, 25, 31, 38, 46)
@dataclass(frozen=True)
class StatePermutations(PlainFamily):
    """People hold balls and pass them around.

    Attributes:
        asks: Kinds of questions: the "item" of a person, the "holder" of a ball, or their "order".
        moves: "swaps" of two people, or any "permutations" of up to 5 people.
        min_people, max_people: Fewest and most people.
        min_length, max_length: Fewest and most moves.
    """

    asks: tuple[str, ...] = params.choices(("item", "holder"), _ASKS)
    moves: str = params.choice("swaps", ("swaps", "permutations"))
    min_people: int = params.integer(3, 3, _MAX_PEOPLE, up_to="max_people")
    max_people: int = params.integer(5, 3, _MAX_PEOPLE)
    min_length: int = params.integer(2, 1, _MAX_LENGTH, up_to="max_length")
    max_length: int = params.integer(8, 1, _MAX_LENGTH)

    verifier = "state_permutations"
    same_up_to = "the names of the people, the colors and how swaps are stated"
    words = _WORDS
    symbols = {
        "balls": 2,
        **{kind: sum(map(int, kind.split("_")[1:])) + 1 for kind in _TYPES},
        **dict.fromkeys(("item", "holder"), 1),
        "order": 0,
    }
    answer_type = {"item": "label", "holder": "label", "order": "list"}
    own_axes = {
        "n_people": axis("people", "min_people", "max_people"),
        "length": axis("moves", "min_length", "max_length"),
        "n_moved": axis("moves of the ball that is asked for, all moves for the order", 0, 60),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.moves == "permutations" and self.max_people > _MAX_PERMUTED:
            wanted = f'at most {_MAX_PERMUTED}, as moves="permutations"'
            raise ParamError("max_people", self.max_people, wanted)

    @property
    def answers_differ(self) -> bool:
        """Answers are names and colors."""
        return True

    def make(self, draws: RowDraws) -> Problem:
        """Draw the moves and a question."""
        n = draws.integer(self.min_people, self.max_people + 1)
        length = draws.integer(self.min_length, self.max_length + 1)
        moves = [self._drawn(n, draws) for _ in range(length)]
        states = [[*range(n)]]
        for cycles in moves:
            states.append(_applied(cycles, states[-1]))
        ask = draws.choice(self.asks)
        moved = [
            sum(a.index(ball) != b.index(ball) for a, b in pairwise(states)) for ball in range(n)
        ]
        ball = draws.choice([each for each in range(n) if moved[each]])
        person = states[-1].index(ball)
        names = draws.sample(_WORDS["names"], n)
        colors = draws.sample(_WORDS["colors"], n)
        nested: Tree = {"item": ("item", person + 1), "holder": ("holder", ball + 1)}.get(ask, ask)
        for cycles in reversed(moves):
            members = [person + 1 for cycle in cycles for person in cycle]
            nested = (_type(cycles), *members, nested)
        return Problem(
            tree=("balls", n, nested),
            answer=_answer(ask, states[-1], ball, names, colors),
            holes={"name": names[person], "color": colors[ball]},
            kind=ask,
            axes={
                "n_people": n,
                "length": length,
                "n_moved": length if ask == "order" else moved[ball],
            },
            data=(moves, states, names, colors, ball),
        )

    def _drawn(self, n: int, draws: RowDraws) -> Cycles:
        if self.moves == "swaps":
            return (tuple(sorted(draws.sample(range(n), 2))),)
        cycles: Cycles = ()
        while not cycles:
            cycles = _cycles_of(draws.shuffled(range(n)))
        return cycles

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write who holds what, and the moves."""
        moves, _, names, colors, _ = problem.data
        has = [
            filled(_TEXTS["has"], {"name": name, "color": color})
            for name, color in zip(names, colors, strict=True)
        ]
        swap = draws.choice(_TEXTS["swaps"])
        story = []
        for cycles in moves:
            if self.moves == "swaps":
                one, other = draws.shuffled(cycles[0])
                story.append(filled(swap, {"one": names[one], "other": names[other]}))
            else:
                passes = [*_passes(cycles, names)]
                story.append(filled(_TEXTS["all"], {"passes": joined(passes)}))
        return {**problem.holes, "start": f"{joined(has)}.", "story": " ".join(story)}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the colors in the order of the people after each move."""
        _, states, _, colors, _ = problem.data
        return [", ".join(colors[ball] for ball in state) for state in states[1:]]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return the answers after other numbers of moves, then any others."""
        moves, states, names, colors, ball = problem.data
        person = states[-1].index(ball)
        if problem.kind == "item":
            earlier = [colors[state[person]] for state in reversed(states)]
            return [*earlier, *draws.shuffled(colors)]
        if problem.kind == "holder":
            earlier = [names[state.index(ball)] for state in reversed(states)]
            return [*earlier, *draws.shuffled(names)]
        others = [_applied(draws.choice(moves), state) for state in reversed(states)]
        mixed = [draws.shuffled(range(len(names))) for _ in range(_OFFERED)]
        return [", ".join(colors[each] for each in state) for state in (*others, *mixed)]


def _answer(
    ask: str, held: Sequence[int], ball: int, names: Sequence[str], colors: Sequence[str]
) -> str:
    if ask == "order":
        return ", ".join(colors[each] for each in held)
    return colors[ball] if ask == "item" else names[held.index(ball)]


def _passes(cycles: Cycles, names: Sequence[str]) -> Iterator[str]:
    """Yield who passes a ball to whom."""
    kind = "first"
    for cycle in cycles:
        for giver, taker in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            yield filled(_TEXTS[kind], {"one": names[giver], "other": names[taker]})
            kind = "next"
