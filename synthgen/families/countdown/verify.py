"""Number games from the text: an answer is parsed, evaluated exactly, and its numbers counted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from synthgen.authoring import AnswerChecker, Words, filled, holes, parse_expression, reads

_WORDS = Words.beside(__file__)
_CARD = holes.pattern("(?:[AJQK]|[2-9]|1[04-9])")
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


class _Game(NamedTuple):
    """Numbers in ascending order, whether some may be left out, and the value to reach."""

    numbers: tuple[int, ...]
    some: bool
    target: int


def _faces(text: str) -> dict[str, int] | None:
    """Return the values of face cards; None if no wording states them."""
    for sentence in _WORDS["faces"].values():
        for j, q, k in [(text.split()[-2],) * 3, _last_three(text)]:
            if text == filled(sentence, {"j": j, "q": q, "k": k}) and (j + q + k).isdigit():
                return {"J": int(j), "Q": int(q), "K": int(k)}
    return None


def _last_three(text: str) -> tuple[str, str, str]:
    j, q, _, k = text.removesuffix(", respectively").replace(",", "").split()[-4:]
    return j, q, k


@reads(
    _WORDS.part("general_points"),
    cards=holes.listed(_CARD),
    faces=holes.pattern("and J, Q and K [a-z0-9 ,]{10,60}", _faces),
    target=holes.NATURAL,
)
def _read_cards(cards: tuple[str, ...], faces: dict[str, int] | None, target: int) -> _Game | None:
    if faces is None or len(cards) > 5:
        return None
    worth = {"A": 1} | faces
    return _Game(tuple(sorted(worth[c] if c in worth else int(c) for c in cards)), False, target)


@reads(_WORDS.part("countdown"), numbers=holes.listed(holes.NATURAL), target=holes.NATURAL)
def _read_numbers(kind: str, numbers: tuple[int, ...], target: int) -> _Game | None:
    return _Game(tuple(sorted(numbers)), kind == "some", target)


def _plain(_: _Game, answer: str) -> str:
    return answer.strip()


def _accepts(game: _Game, answer: str) -> bool:
    """Accept an expression with the right value that uses the numbers by the rules of the game."""
    return answer == _plain(game, answer) and parse_expression(answer) == (
        game.numbers,
        game.some,
        Fraction(game.target),
    )


def _follows(game: _Game, answer: str, lines: Sequence[str]) -> bool:
    """Compare lines with the operations of the answer, in the order of evaluation."""
    del game
    try:
        tree = ast.parse(answer.partition(";")[0].strip(), mode="eval").body
    except SyntaxError:  # other signs, or the value at the end
        return False
    return [*_operations(tree)][:-1] == [*lines]


def _operations(node: ast.expr) -> Iterator[str]:
    """Yield the lines of an expression, and last its value."""
    if not isinstance(node, ast.BinOp):
        yield ast.unparse(node)
        return
    *before, left = _operations(node.left)
    *after, right = _operations(node.right)
    yield from before
    yield from after
    sign = _SIGNS[type(node.op)]
    a, b = Fraction(left), Fraction(right)
    value = a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b
    first, second = (text if text.isdigit() else f"({text})" for text in (left, right))
    yield f"{first} {sign} {second} = {value}"
    yield str(value)


VERIFIERS = {
    "countdown": AnswerChecker(_read_numbers, _accepts, _follows, plain=_plain),
    "general_points": AnswerChecker(_read_cards, _accepts, _follows, plain=_plain),
}
