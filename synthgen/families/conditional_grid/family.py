"""Conditions and questions about a grid of colored letters: problems and their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from synthgen.authoring import (
    Ink,
    Late,
    ParamError,
    Picture,
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
from synthgen.authoring.pictures import INK, PALETTE, numbered_grid
from synthgen.families.conditional_grid.grid import COLORS, LETTERS, Grid, Item
from synthgen.families.conditional_grid.questions import (
    CONDITIONS,
    OPERATORS,
    Ask,
    Made,
    drawn,
)

_WORDS = Words.beside(__file__)
_STATEMENTS, _QUESTIONS = _WORDS["statements"], _WORDS["questions"]
_MAX_SIDE, _MAX_NESTING, _MAX_DISTRACTORS = 12, 3, 60
_PICTURE, _MARGIN, _END = 280, 20, 2
_BRANCHES = ("then", "else")
_PATHS = (
    "none",
    *("-".join(path) for n in range(1, _MAX_NESTING + 1) for path in product(_BRANCHES, repeat=n)),
)
_NOTATION = {
    "exist": "{} exist",
    "location": "loc of {}",
    "color": "color of current {letter}",
    "letter": "shape of current {color} object",
}


@levelled("n_items + nesting", 4, 6, 8, 11, 15, 20, 26, 33, 41, 50)
@dataclass(frozen=True)
class ConditionalGrid(PlainFamily):
    """Check conditions on a grid of colored letters, and answer the question that applies.

    Attributes:
        min_nesting, max_nesting: Fewest and most conditions on the way to a question; the tree is
            complete, so it has 1, 2, 4 or 8 questions.
        condition_operators: Operators of conditions, drawn with equal probability.
        question_operators: Operators of questions, drawn with equal probability.
        min_distractors, max_distractors: Fewest and most letters on the grid beyond one for each
            description; as many as the tree has nodes, or more.
        side: Rows and columns of the grid.
        scene: "list" of the letters, or "picture" if only the picture shows them.
    """

    min_nesting: int = params.integer(0, 0, _MAX_NESTING, up_to="max_nesting")
    max_nesting: int = params.integer(1, 0, _MAX_NESTING)
    condition_operators: tuple[str, ...] = params.choices(CONDITIONS, CONDITIONS)
    question_operators: tuple[str, ...] = params.choices(OPERATORS, OPERATORS)
    min_distractors: int = params.integer(3, 1, _MAX_DISTRACTORS, up_to="max_distractors")
    max_distractors: int = params.integer(8, 1, _MAX_DISTRACTORS)
    side: int = params.integer(10, 6, _MAX_SIDE)
    scene: str = params.choice("list", ("list", "picture"))

    verifier = "conditional_grid"
    restated_by = ("scene",)
    words = _WORDS
    symbols = {
        "ask": 2,
        "if": 3,
        **dict.fromkeys(CONDITIONS[1:], (1, 2)),
        **dict.fromkeys(("exist", "location", "color", "letter"), 1),
        "pair": 2,
        "grid": (2, 1 + _MAX_SIDE**2),
        "item": 4,
        **dict.fromkeys((*COLORS, *LETTERS), 0),
    }
    own_axes = {
        "nesting": axis("conditions on the way to a question", "min_nesting", "max_nesting"),
        "condition": axis("outermost condition", values=("none", *CONDITIONS)),
        "then_part": axis("what follows if it is true", values=("none", "if", *OPERATORS)),
        "else_part": axis("what follows if it is false", values=("none", "if", *OPERATORS)),
        "path": axis("branches that apply", values=_PATHS),
        "operator": axis("operator of the question that applies", values=OPERATORS),
        "answer_kind": axis("kind of answer", values=("truth", "location", "color", "letter")),
        "pairs": axis(
            "numbers of color and letter of the letters in question: their sums are all even, all "
            "odd, or mixed",
            values=("even", "odd", "mixed"),
        ),
        "n_distractors": axis(
            "letters beyond one for each description", "min_distractors", "max_distractors"
        ),
        "n_items": axis("letters on the grid", 2, _MAX_SIDE**2),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        nodes = 2 ** (self.max_nesting + 1) - 1
        if self.min_distractors < nodes:
            wanted = f"at least {nodes}, as max_nesting={self.max_nesting}"
            raise ParamError("min_distractors", self.min_distractors, wanted)
        most = self.side**2 - 2 * nodes
        if self.max_distractors > most:
            wanted = f"at most {most}, as side={self.side} and max_nesting={self.max_nesting}"
            raise ParamError("max_distractors", self.max_distractors, wanted)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw the operators of a tree, and a grid for it."""
        nesting = draws.integer(self.min_nesting, self.max_nesting + 1)
        operators = [draws.choice(self.condition_operators) for _ in range(2**nesting - 1)]
        operators += [draws.choice(self.question_operators) for _ in range(2**nesting)]
        count = draws.integer(self.min_distractors, self.max_distractors + 1)
        made = drawn(operators, self.side, count, draws)
        return made and self._problem(nesting, made)

    def _problem(self, nesting: int, made: Made) -> Problem:
        asks, path = made.asks, made.path
        last = asks[path[-1]]
        sums = {
            (COLORS.index(item.color) + LETTERS.index(item.letter)) % 2
            for ask in asks
            for item in ask.items
        }
        parts = ["none"] * 3
        if nesting:
            below = ("if", "if") if nesting > 1 else (asks[1].operator, asks[2].operator)
            parts = [asks[0].operator, *below]
        return Problem(
            tree=("ask", _tree(asks, 0), _grid_tree(made.grid)),
            answer=last.answer,
            kind="conditional" if nesting else "question",
            axes={
                "nesting": nesting,
                "condition": parts[0],
                "then_part": parts[1],
                "else_part": parts[2],
                "path": "-".join(_BRANCHES[node % 2 == 0] for node in path[1:]) or "none",
                "operator": last.operator,
                "answer_kind": "truth" if last.operator in CONDITIONS else last.operator,
                "pairs": "mixed" if len(sums) > 1 else ("even", "odd")[sums.pop()],
                "n_distractors": made.n_distractors,
                "n_items": len(made.grid.items),
            },
            data=made,
        )

    def answer_type_of(self, problem: Problem) -> str:
        """Return the type of the answer to the question that applies."""
        return "list:integer" if problem.axes["operator"] == "location" else "label"

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the letters in random order, and the tree in words and in published notation."""
        asks, grid = problem.data.asks, problem.data.grid
        lines = [filled(_WORDS["scene"]["item"], i._asdict()) for i in draws.shuffled(grid.items)]
        shown = _WORDS["scene"]["picture"] if self.scene == "picture" else "\n".join(lines)
        return {
            "scene": shown,
            "side": grid.side,
            "question": Late(lambda: "\n".join(outline(asks, 0))),
            "program": Late(lambda: program(asks, 0)),
        }

    def picture(self, problem: Problem, draws: RowDraws) -> Picture:
        """Draw the letters in the cells of a grid whose rows and columns are numbered from 0."""
        del draws
        grid, picture = problem.data.grid, Picture(_PICTURE, _PICTURE)
        cell = (_PICTURE - _MARGIN - _END) / grid.side
        numbered_grid(picture, (grid.side, grid.side), cell, _MARGIN, first=0)
        for row, column, color, letter in grid.items:
            center = _MARGIN + (column + 0.5) * cell, _MARGIN + (row + 0.5) * cell
            picture.text(center, letter, 0.8 * cell, Ink(PALETTE[color], INK, 0.8))
        return picture

    def steps_of(self, problem: Problem) -> list[str]:
        """Look up the letters of each condition on the path and of the question."""
        return [*_lines(problem.data)]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Answer the other questions, or with other letters of the grid."""
        made = problem.data
        last = made.asks[made.path[-1]]
        n_conditions = len(made.asks) // 2
        if last.operator in CONDITIONS:
            yield "false" if last.truth else "true"
        else:
            for item in draws.shuffled(made.grid.items):
                yield last._replace(items=(item,)).answer
        for ask in draws.shuffled(made.asks[n_conditions:]):
            yield ask.answer


# trees


def _tree(asks: Sequence[Ask], node: int) -> Tree:
    """Return the tree below a node."""
    operator, items, _ = asks[node]
    own: Tree = (operator, *[("pair", item.color, item.letter) for item in items])
    if operator in ("color", "letter"):
        own = (operator, items[0].letter if operator == "color" else items[0].color)
    if 2 * node + 2 >= len(asks):
        return own
    return ("if", own, _tree(asks, 2 * node + 1), _tree(asks, 2 * node + 2))


def _grid_tree(grid: Grid) -> Tree:
    """Return the items in the order of their cells."""
    return ("grid", grid.side, *[("item", *item) for item in sorted(grid.items)])


# texts


def _named(item: Item) -> str:
    return filled(_QUESTIONS["item"], item._asdict())


def _statement(ask: Ask) -> str:
    """Return what a statement says."""
    first, last = ask.items[0], ask.items[-1]
    holes = {"first": _named(first), "second": _named(last), **first._asdict()}
    article = "an" if first.color[0] in "aeiou" else "a"
    return filled(_STATEMENTS[f"{ask.operator}_{len(ask.items)}"], {**holes, "article": article})


def outline(asks: Sequence[Ask], node: int, indent: str = "") -> Iterator[str]:
    """Yield the lines of the tree below a node."""
    ask = asks[node]
    is_statement = ask.operator in CONDITIONS
    statement = _statement(ask) if is_statement else ""
    if 2 * node + 2 >= len(asks):
        item = ask.items[0]
        wording = _QUESTIONS["statement" if is_statement else ask.operator]
        holes = {"statement": statement, "first": _named(item), **item._asdict()}
        yield indent + filled(wording, holes)
        return
    yield indent + filled(_QUESTIONS["if"], {"statement": statement})
    yield from outline(asks, 2 * node + 1, f"{indent}  ")
    yield indent + _QUESTIONS["else"]
    yield from outline(asks, 2 * node + 2, f"{indent}  ")


def program(asks: Sequence[Ask], node: int) -> str:
    """Return the tree below a node in the published notation."""
    operator, items, _ = asks[node]
    named = [f"current {item.color} {item.letter}" for item in items]
    if operator in _NOTATION:
        own = _NOTATION[operator].format(named[0], **items[0]._asdict())
    else:
        kind, parity = operator.split("_")
        own = f"{(' + ' if kind == 'sum' else ' * ').join(named)} {kind} is {parity}"
    if 2 * node + 2 >= len(asks):
        return own
    then, other = program(asks, 2 * node + 1), program(asks, 2 * node + 2)
    return f"[ if {own} , then {then} , else {other} ]"


def _lines(made: Made) -> Iterator[str]:
    """Yield the steps of each statement on the path, and those of the question."""
    *conditions, last = (made.asks[node] for node in made.path)
    for ask in conditions:
        yield from _looked_up(ask)
        yield _WORDS.line("first" if ask.truth else "second")
    yield from _looked_up(last)
    if last.operator in CONDITIONS:
        yield _WORDS.line("statement", truth=last.answer)


def _looked_up(ask: Ask) -> Iterator[str]:
    """Yield the cells of letters, and their sum or product."""
    if ask.operator == "exist" and not ask.truth:
        yield _WORDS.line("absent", **ask.items[0]._asdict())
        return
    for item in ask.items:
        yield _WORDS.line("place", **item._asdict())
    kind, _, parity = ask.operator.partition("_")
    if parity:
        numbers = [number for item in ask.items for number in item[:2]]
        value, sign = (sum(numbers), " + ") if kind == "sum" else (prod(numbers), " × ")
        known = {"numbers": sign.join(map(str, numbers)), "value": value}
        yield _WORDS.line(kind, **known, parity="odd" if value % 2 else "even")


GENERATORS = {"conditional_grid": ConditionalGrid}
