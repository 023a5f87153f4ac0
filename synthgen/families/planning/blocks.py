"""Blocks on a table, a hand that moves them, and a goal that says which lie on which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synthgen.authoring import (
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

_WORDS = Words.beside(__file__).part("blocks")
_ASKS = ("plan", "shortest", "length")
_VOCABULARIES = ("plain", "mystery", "drawn")
_ROLES: Sequence[str] = tuple(_WORDS["mystery"])
_MIN_BLOCKS, _MAX_BLOCKS = 3, 12
_MAX_LENGTH = 4 * _MAX_BLOCKS
_TRIES, _OFFERED = 30, 12
TABLE = -1

Supports = tuple[int, ...]
"""What each block is on: a block or the table."""
Goal = Mapping[int, int]
"""Blocks that must be on another one, and on which."""
Move = tuple[int, int]
"""A block and its new support."""


class Planned(NamedTuple):
    """A start, a goal, the moves of a shortest plan, and how many blocks move twice in it."""

    below: Supports
    goal: Goal
    moves: tuple[Move, ...]
    detours: int


def unsettled(below: Supports, goal: Goal) -> set[int]:
    """Return the blocks that every plan must move."""
    wanted = {support: block for block, support in goal.items()}

    def moves(block: int) -> bool:
        support = below[block]
        if goal.get(block, support) != support:
            return True
        return support != TABLE and (wanted.get(support, block) != block or moves(support))

    return {block for block in range(len(below)) if moves(block)}


def moved(below: Supports, block: int, to: int) -> Supports:
    """Return the supports after a move."""
    return (*below[:block], to, *below[block + 1 :])


def _settled(below: Supports, goal: Goal) -> tuple[Supports, tuple[Move, ...], set[int]]:
    """Move blocks to where they can stay, as long as there are such moves.

    Returns:
        The supports, the moves, and the blocks that still have to move.
    """
    made: list[Move] = []
    left = unsettled(below, goal)
    while True:
        for block in sorted(left.difference(below)):
            to = goal.get(block, TABLE)
            if to == TABLE or (to not in left and to not in below):
                break
        else:
            return below, tuple(made), left
        below = moved(below, block, to)
        made.append((block, to))
        left.remove(block)


def shortest(below: Supports, goal: Goal) -> Planned:
    """Search breadth-first for a plan in which as few blocks as possible move twice.

    A block that can go where it stays may go there at once. Only where there is none, some block
    must go to the table first, and each choice is tried.
    """
    after, moves, left = _settled(below, goal)
    layer = {after: (moves, left)}
    detours = 0
    while True:
        further: dict[Supports, tuple[tuple[Move, ...], set[int]]] = {}
        for state, (moves, left) in layer.items():
            if not left:
                return Planned(below, goal, moves, detours)
            for block in sorted(left.difference(state)):
                if state[block] != TABLE:
                    after, more, rest = _settled(moved(state, block, TABLE), goal)
                    further.setdefault(after, ((*moves, (block, TABLE), *more), rest))
        layer = further
        detours += 1


def numbers(below: Supports, goal: Goal) -> list[int]:
    """Return the blocks in an order that does not depend on their names.

    A block has at most four neighbors: below and above it, now and in the goal. To visit them
    in this order numbers all blocks that are linked to a first one.
    """
    links: list[list[int]] = [
        [below[b], TABLE, goal.get(b, TABLE), TABLE] for b in range(len(below))
    ]
    for block, (support, _, wanted, _) in enumerate(links):
        if support != TABLE:
            links[support][1] = block
        if wanted != TABLE:
            links[wanted][3] = block

    def coded(first: int) -> tuple[list[tuple[int, int]], list[int]]:
        order, place = [first], {TABLE: TABLE, first: 0}
        for block in order:
            for other in links[block]:
                if other not in place:
                    place[other] = len(order)
                    order.append(other)
        return [(place[links[b][0]], place[links[b][2]]) for b in order], order

    parts, seen = [], set[int]()
    for block in range(len(below)):
        if block not in seen:
            linked = coded(block)[1]
            seen.update(linked)
            parts.append(min(map(coded, linked)))
    return [block for _, order in sorted(parts) for block in order]


@levelled("length + n_blocks", 8, 10, 12, 14, 16, 18, 20, 23, 26, 30)
@dataclass(frozen=True)
class BlocksPlanning(PlainFamily):
    """Blocks on a table must form towers; a hand moves one at a time.

    Attributes:
        asks: Questions: "plan" for any plan that works, "shortest" for any of the shortest ones,
            "length" for the number of their actions; drawn with equal probability.
        vocabularies: Words of the problem, one drawn for each row: "plain" for blocks and a hand,
            "mystery" for the unrelated words of PlanBench, "drawn" for others in each row.
        min_blocks, max_blocks: Fewest and most blocks.
        min_length, max_length: Fewest and most actions of the shortest plans; each move has two.
    """

    asks: tuple[str, ...] = params.choices(("plan",), _ASKS)
    vocabularies: tuple[str, ...] = params.choices(("plain",), _VOCABULARIES)
    min_blocks: int = params.integer(3, _MIN_BLOCKS, _MAX_BLOCKS, up_to="max_blocks")
    max_blocks: int = params.integer(6, _MIN_BLOCKS, _MAX_BLOCKS)
    min_length: int = params.integer(2, 1, _MAX_LENGTH, up_to="max_length")
    max_length: int = params.integer(16, 2, _MAX_LENGTH)

    verifier = "blocks_planning"
    same_up_to = "the words, the names of the blocks and the order of the facts"
    answers_differ = True
    words = _WORDS
    symbols = {
        **dict.fromkeys(_ASKS, (2, 2 * _MAX_BLOCKS)),
        "tower": (1, _MAX_BLOCKS),
        "on": 2,
    }
    answer_type = {
        "plan": "checked:blocks_planning",
        "shortest": "checked:blocks_planning",
        "length": "integer",
    }
    own_axes = {
        "n_blocks": axis("blocks", "min_blocks", "max_blocks"),
        "n_goals": axis("facts of the goal", 1, _MAX_BLOCKS),
        "length": axis("actions of a shortest plan", "min_length", "max_length"),
        "n_twice": axis("blocks that a shortest plan moves twice", 0, _MAX_BLOCKS),
        "vocabulary": axis("words of the problem", values=_VOCABULARIES, canonical=False),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw towers and a goal, until the shortest plans are as long as wanted."""
        ask, vocabulary = draws.choice(self.asks), draws.choice(self.vocabularies)
        for _ in range(_TRIES):
            n = draws.integer(self.min_blocks, self.max_blocks + 1)
            below = towers(n, draws)
            planned = shortest(below, _goal(n, draws))
            if self.min_length <= 2 * len(planned.moves) <= self.max_length:
                return self._problem(ask, vocabulary, planned, draws)
        return None

    def _problem(self, ask: str, vocabulary: str, planned: Planned, draws: RowDraws) -> Problem:
        below, goal, moves, detours = planned
        names = draws.sample(_WORDS["names" if vocabulary == "plain" else "letters"], len(below))
        if vocabulary == "drawn":
            roles = dict(zip(_ROLES, draws.sample(_WORDS["pool"], len(_ROLES)), strict=True))
        else:
            roles = _WORDS[vocabulary]
        writer = Writer(roles, tuple(names), is_plain=vocabulary == "plain")
        return Problem(
            tree=_tree(ask, below, goal),
            answer=_answer(ask, writer.actions(below, moves)),
            kind=ask,
            axes={
                "n_blocks": len(below),
                "n_goals": len(goal),
                "length": 2 * len(moves),
                "n_twice": detours,
                "vocabulary": vocabulary,
            },
            data=(planned, writer),
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the rules and the facts, in random order."""
        planned, writer = problem.data
        rules = _WORDS["rules"]["plain" if writer.is_plain else "mystery"]
        lines = draws.shuffled(rules["lines"])
        return {
            "rules": "\n".join([rules["first"], *(writer.filled(line) for line in lines)]),
            "start": _listed(draws.shuffled([*writer.start(planned.below)])),
            "goal": _listed(draws.shuffled([writer.on(*fact) for fact in planned.goal.items()])),
        }

    def steps_of(self, problem: Problem) -> list[str]:
        """Write each action, and which blocks are held or on another one after it."""
        (below, _, moves, _), writer = problem.data
        actions = writer.actions(below, moves)
        lines = []
        for block, to in moves:
            lines.append(writer.facts(moved(below, block, TABLE), block))
            below = moved(below, block, to)
            lines.append(writer.facts(below))
        return [f"{action}: {facts}" for action, facts in zip(actions, lines, strict=True)]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Yield plans for other goals or from other starts, and other numbers of actions."""
        (below, goal, moves, _), writer = problem.data
        if problem.kind == "length":
            around = range(max(1, len(moves) - 4), len(moves) + 5)
            yield from (str(2 * count) for count in draws.shuffled(around))
            return
        for place in range(2 * _OFFERED):
            names = [*range(len(below)), TABLE]
            one, other = draws.sample(range(len(below)), 2)
            names[one], names[other] = other, one
            if place % 2:
                start, aim = below, {names[block]: names[on] for block, on in goal.items()}
            else:
                start, aim = tuple(names[below[block]] for block in names[:-1]), goal
            planned = shortest(start, aim)
            if planned.moves:
                yield _answer("plan", writer.actions(start, planned.moves))


def towers(n: int, draws: RowDraws) -> Supports:
    """Draw towers; half of the blocks or fewer are on the table."""
    order = draws.shuffled(range(n))
    bases = {0, *draws.sample(range(1, n), draws.integer(0, (n + 1) // 2))}
    below = [TABLE] * n
    for place, block in enumerate(order):
        if place not in bases:
            below[block] = order[place - 1]
    return tuple(below)


def _goal(n: int, draws: RowDraws) -> Goal:
    """Draw some of the facts of other towers."""
    facts = [(block, on) for block, on in enumerate(towers(n, draws)) if on != TABLE]
    return dict(sorted(draws.sample(facts, draws.integer(1, len(facts) + 1))))


def _tree(ask: str, below: Supports, goal: Goal) -> Tree:
    order = numbers(below, goal)
    number = {block: place for place, block in enumerate(order, 1)}
    above = {support: block for block, support in enumerate(below) if support != TABLE}
    parts: list[Tree] = []
    for block in order:
        if below[block] == TABLE:
            tower = [block]
            while tower[-1] in above:
                tower.append(above[tower[-1]])
            parts.append(("tower", *(number[each] for each in tower)))
    facts = sorted((number[block], number[support]) for block, support in goal.items())
    return (ask, *parts, *(("on", *fact) for fact in facts))


def _answer(ask: str, actions: Sequence[str]) -> str:
    return str(len(actions)) if ask == "length" else ", ".join(actions)


def _listed(facts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(facts[:-1]), facts[-1])))


class Writer(NamedTuple):
    """Writes facts and actions in the words of a row.

    Attributes:
        roles: Texts of the actions and facts, with holes for the blocks if they are plain.
        names: Names of the blocks.
    """

    roles: Mapping[str, str]
    names: tuple[str, ...]
    is_plain: bool

    def filled(self, line: str) -> str:
        """Fill the names of actions and facts into a line of the rules."""
        return line if self.is_plain else filled(line, self.roles)

    def text(self, role: str, *blocks: int) -> str:
        """Write an action or a fact about blocks."""
        names = [self.names[block] for block in blocks]
        if self.is_plain:
            return filled(self.roles[role], dict(zip("xy", names, strict=False)))
        return " ".join([self.roles[role], *names])

    def on(self, block: int, support: int) -> str:
        """Write what a block is on."""
        return self.text("table", block) if support == TABLE else self.text("on", block, support)

    def start(self, below: Supports) -> Iterator[str]:
        """Yield the facts of a state in which the hand is empty."""
        yield from (self.on(block, support) for block, support in enumerate(below))
        if not self.is_plain:
            yield self.roles["empty"]
            yield from (self.text("clear", b) for b in range(len(below)) if b not in below)

    def facts(self, below: Supports, held: int | None = None) -> str:
        """Write which block is held, and which are on another one, by name."""
        shown = [] if held is None else [self.text("held", held)]
        pairs = [(b, on) for b, on in enumerate(below) if on != TABLE]
        shown += [self.on(*pair) for pair in sorted(pairs, key=lambda pair: self.names[pair[0]])]
        return ", ".join(shown) or self.roles["empty"]

    def actions(self, below: Supports, moves: Sequence[Move]) -> list[str]:
        """Write the two actions of each move."""
        made = []
        for block, to in moves:
            support = below[block]
            made.append(
                self.text("pick", block)
                if support == TABLE
                else self.text("unstack", block, support)
            )
            made.append(self.text("put", block) if to == TABLE else self.text("stack", block, to))
            below = moved(below, block, to)
        return made
