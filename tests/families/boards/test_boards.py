"""Boards: by hand, and both searches against each other."""

from collections import Counter

import pytest

from synthgen.contract.interfaces import Render
from synthgen.contract.registry import generator_class
from synthgen.draws.randomness import Rows
from synthgen.testing import check_family
from tests.families.verdicts import answer, valid_problems

BEST = (
    "{} is to move on this tic-tac-toe board (dots are empty):\n\n{}\n\nSuppose that neither "
    "player makes a mistake. Find every move of {} that achieves the best possible outcome (first "
    "choice a win, then a draw, however long it takes). Number the squares from 1 to 9 from left "
    "to right and top to bottom, and answer with a comma-separated list in ascending order."
)
FOUR = (
    "Judge the following game of connect four. Dots are empty cells.\n\n{}\n\nWrite `X` or `O` "
    "if that player has four adjacent discs in a line (row, column or diagonal), and otherwise "
    "`nobody`."
)
FORCED = (
    "Consider the connect four position below, with X to play; dots are empty cells, and each "
    "disc falls as far down its column as it can.\n\n{}\n\nWhich moves win at once (four in a row, "
    "column or diagonal), or guarantee that X wins with the next disc? Give the numbers of "
    "these columns, counted from 1 at the left, in ascending order and separated by "
    "commas."
)
SHAPE = (
    "What does the figure made of ones show? Choose from circle, cross, square or triangle.\n\n"
    "{}\n\nGive one word."
)


@pytest.mark.parametrize("name", ["board_games", "board_shapes"])
def test_contract(name: str) -> None:
    check_family(name, {"level": True}, rows=200)


@pytest.mark.parametrize(
    ("player", "board", "moves"),
    [
        ("X", "...\n...\n...", "1, 2, 3, 4, 5, 6, 7, 8, 9"),
        ("O", "X..\n...\n...", "5"),
        ("O", "...\n.X.\n...", "1, 3, 7, 9"),
        ("O", "X..\n.O.\n..X".replace("O", "."), None),
        ("X", "XX.\nOO.\n...", "3"),
        ("X", "XO.\n...\n...", "4, 5, 7"),
    ],
)
def test_best_moves_of_tic_tac_toe(player: str, board: str, moves: str | None) -> None:
    assert answer("board_games", BEST.format(player, board, player)) == moves


def test_lines_of_connect_four() -> None:
    empty = ".......\n"
    assert answer("board_games", FOUR.format(empty * 6 + "XXXXOOO")) == "X"
    assert answer("board_games", FOUR.format(empty * 6 + "XXX.OOO")) == "nobody"
    rising = "...X...\n..XO...\n.XOO...\nXOOXX.."
    assert answer("board_games", FOUR.format(empty * 3 + rising)) == "X"
    # The end of one row and the beginning of the next are not neighbours.
    assert answer("board_games", FOUR.format(empty * 5 + "O....XX\nXX.OO.O")) == "nobody"
    assert answer("board_games", FORCED.format(empty * 5 + "OX.....\nOO.XX..")) == "6"


def test_shapes_by_hand() -> None:
    row, blank = "000{}0000000", "0" * 15
    rows = {"square": ["11100"] * 3, "cross": ["00100", "00100", "11111", "00100", "00100"]}
    rows["triangle"] = ["00100", "01110", "11111"]
    for shape, lines in rows.items():
        grid = [row.format(line) for line in lines] + [blank] * (15 - len(lines))
        assert answer("board_shapes", SHAPE.format("\n".join(grid))) == shape
    assert answer("board_shapes", SHAPE.format("\n".join([blank] * 15))) is None


def test_no_answer_is_too_frequent() -> None:
    generator = generator_class("board_games")(asks=("winner",))  # type: ignore[call-arg]
    problems = valid_problems(generator, Rows.span(2, 0, 300))
    answers = Counter(generator.render(problems, Render("boxed", "none")).answers.to_pylist())
    assert {*answers} == {"X", "O", "nobody"}
    assert max(answers.values()) < 200
