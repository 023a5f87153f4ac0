"""Random trees of conditions and questions, and grids that give them their answers.

The truth of every statement is drawn first, by a fair coin. Its items are then placed, with one
more item, such that the grid does not betray the truth. For a sum or a product, a cell that makes
it true and a cell that makes it false are both taken, one of them by an item of the statement. For
an existence, only the pairing of two colors with two letters differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from synthgen.authoring import RowDraws
from synthgen.families.conditional_grid.grid import COLORS, LETTERS, Grid, Item

CONDITIONS = ("exist", "sum_even", "sum_odd", "product_even", "product_odd")
OPERATORS = (*CONDITIONS, "location", "color", "letter")
_TRIES = 200

Cell = tuple[int, int]
Pair = tuple[str, str]


class Ask(NamedTuple):
    """An operator and the items that it is about.

    Attributes:
        operator: One of `OPERATORS`.
        items: Items in the order of the text; one that does not exist has no cell of its own.
        truth: Whether the statement is true; of no meaning for the last three operators.
    """

    operator: str
    items: tuple[Item, ...]
    truth: bool

    @property
    def answer(self) -> str:
        """The answer in words."""
        row, column, color, letter = self.items[0]
        if self.operator in CONDITIONS:
            return "true" if self.truth else "false"
        return {"location": f"{row}, {column}", "color": color, "letter": letter}[self.operator]


class Made(NamedTuple):
    """A complete tree, its nodes in the order of a heap, and a grid.

    The children of node n are 2n + 1, if its condition is true, and 2n + 2; the second half of the
    nodes are questions.
    """

    asks: tuple[Ask, ...]
    grid: Grid
    n_distractors: int

    @property
    def path(self) -> list[int]:
        """Nodes from the root to the question that applies."""
        return reached([ask.truth for ask in self.asks], 0)


def reached(truths: Sequence[bool], node: int) -> list[int]:
    """Return the nodes from one to the question that it leads to."""
    path = [node]
    while 2 * path[-1] + 2 < len(truths):
        path.append(2 * path[-1] + (1 if truths[path[-1]] else 2))
    return path


def drawn_truths(operators: Sequence[str], draws: RowDraws) -> list[bool]:
    """Draw which statements are true, such that the two branches of a condition always differ.

    Where both lead to the same truth, all statements that are questions of the second are negated.
    """
    truths = [bool(draws.integer(0, 2)) for _ in operators]
    n_conditions = len(operators) // 2
    for node in range(n_conditions - 1, -1, -1):
        ends = [reached(truths, 2 * node + side)[-1] for side in (1, 2)]
        if all(operators[end] in CONDITIONS for end in ends) and len({truths[e] for e in ends}) < 2:
            below = [2 * node + 2]
            while below[0] < n_conditions:
                below = [2 * parent + side for parent in below for side in (1, 2)]
            for question in below:
                truths[question] = not truths[question]
    return truths


class _FullError(Exception):
    """There is no free cell or pair of the required kind."""


class _Scene:
    """A grid in the making.

    Args:
        side: Columns and rows.
        operators: Operators of the tree.
        draws: Random draws.
    """

    def __init__(self, side: int, operators: Sequence[str], draws: RowDraws) -> None:
        self.side, self.draws = side, draws
        self.items: list[Item] = []
        self.cells: set[Cell] = set()
        self.pairs: set[Pair] = set()
        # A color that is asked for by its letter has this letter alone, and the reverse.
        by_letter, by_color = operators.count("color"), operators.count("letter")
        self.letters, self.colors = draws.shuffled(LETTERS), draws.shuffled(COLORS)
        alone = [self.letters.pop() for _ in range(by_letter)]
        single = [self.colors.pop() for _ in range(by_color)]
        self.by_letter = [*zip(draws.sample(self.colors, by_letter), alone, strict=True)]
        self.by_color = [*zip(single, draws.sample(self.letters, by_color), strict=True)]

    def pair(self) -> Pair:
        """Take a color and a letter that do not yet occur together."""
        for _ in range(_TRIES):
            pair = self.draws.choice(self.colors), self.draws.choice(self.letters)
            if pair not in self.pairs:
                self.pairs.add(pair)
                return pair
        raise _FullError

    def near(self, pair: Pair) -> Pair:
        """Take a pair with the same color or letter, or any if there is none."""
        color, letter = pair
        if self.draws.integer(0, 2):
            near = [(color, other) for other in self.letters]
        else:
            near = [(other, letter) for other in self.colors]
        free = [each for each in near if each not in self.pairs]
        if not free:
            return self.pair()
        self.pairs.add(chosen := self.draws.choice(free))
        return chosen

    def cell(self, suits: Callable[[Cell], bool] = lambda _: True) -> Cell:
        """Take a free cell."""
        for _ in range(_TRIES):
            cell = self.draws.integer(0, self.side), self.draws.integer(0, self.side)
            if cell not in self.cells and suits(cell):
                self.cells.add(cell)
                return cell
        raise _FullError

    def put(self, pair: Pair, cell: Cell | None = None) -> Item:
        """Add an item, on any free cell by default."""
        self.items.append(Item(*(cell or self.cell()), *pair))
        return self.items[-1]

    def ask(self, operator: str, *, truth: bool) -> Ask:
        """Add the items of a statement or a question."""
        if operator == "exist":
            return Ask(operator, (self._existing(truth=truth),), truth)
        if operator in CONDITIONS:
            return Ask(operator, self._with_parity(operator, truth=truth), truth)
        pairs = {"color": self.by_letter, "letter": self.by_color}.get(operator)
        return Ask(operator, (self.put(pairs.pop() if pairs else self.pair()),), truth)

    def _existing(self, *, truth: bool) -> Item:
        """Add two items; one that does not exist has the color of the first, the other's letter."""
        color, letter = self.pair()
        for _ in range(_TRIES):
            other, another = self.draws.choice(self.colors), self.draws.choice(self.letters)
            crossed = {(color, another), (other, letter)}
            pairs = {(other, another)} if truth else crossed
            if other != color and another != letter and not self.pairs & {*crossed, *pairs}:
                break
        else:
            raise _FullError
        self.pairs |= pairs
        if truth:
            item = self.put((color, letter))
            self.put((other, another))
            return item
        self.put((color, another))
        self.put((other, letter))
        return Item(-1, -1, color, letter)

    def _with_parity(self, operator: str, *, truth: bool) -> tuple[Item, ...]:
        """Add one or two items, and another one in whose cell the first would change the truth."""
        kind, parity = operator.split("_")
        is_odd = truth == (parity == "odd")
        items = []
        if self.draws.integer(0, 2):
            cell = self.cell(_both_odd if kind == "product" else lambda _: True)
            items.append(self.put(self.pair(), cell))
            is_odd ^= kind == "sum" and sum(cell) % 2 == 1

        def suits(cell: Cell) -> bool:
            return _both_odd(cell) if kind == "product" else sum(cell) % 2 == 1

        cells = self.cell(suits), self.cell(lambda cell: not suits(cell))
        items.append(self.put(self.pair(), cells[not is_odd]))
        self.put(self.near(items[-1][2:]), cells[is_odd])
        return tuple(self.draws.shuffled(items))


def _both_odd(cell: Cell) -> bool:
    return cell[0] % 2 == cell[1] % 2 == 1


def drawn(operators: Sequence[str], side: int, n_distractors: int, draws: RowDraws) -> Made | None:
    """Draw a grid for a tree of operators; None if these draws do not give one.

    Args:
        operators: Operators of the nodes, in the order of a heap.
        side: Columns and rows.
        n_distractors: Items beyond one for each description; at least one for each statement.
        draws: Random draws.
    """
    truths = drawn_truths(operators, draws)
    scene = _Scene(side, operators, draws)
    try:
        asks = [scene.ask(op, truth=truth) for op, truth in zip(operators, truths, strict=True)]
        described = [item for ask in asks for item in ask.items]
        like = [
            item[2:]
            for ask in asks
            for item in ask.items
            if ask.operator not in ("color", "letter")
        ]
        while len(scene.items) < len(described) + n_distractors:
            is_near = like and draws.integer(0, 2)
            scene.put(scene.near(draws.choice(like)) if is_near else scene.pair())
    except _FullError:
        return None
    return Made(tuple(asks), Grid(side, tuple(scene.items)), n_distractors)
