"""Bricks from the text: layers as sets of cells, and groups of bricks that are merged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from synthgen.authoring import AnswerChecker, Words, filled, holes, reads, wording_pattern

_WORDS = Words.beside(__file__)
_TEXTS = _WORDS["texts"]
_MAX_BRICKS, _MAX_PLACE = 30, 200

_Brick = tuple[int, int, str]
"""The first column, the layer and the color."""
_BRICK = wording_pattern(
    _TEXTS["brick"], {"x": holes.INTEGER, "y": holes.INTEGER, "color": holes.pattern("[a-z]{1,12}")}
)[1]


class _Task(NamedTuple):
    """The bricks that are there, and what to add.

    Attributes:
        sizes: Layers and columns of the structure to build.
    """

    ask: str
    bricks: tuple[_Brick, ...]
    added: int
    sizes: tuple[int, int] | None


def _bricks(text: str) -> tuple[_Brick, ...] | None:
    matches = [_BRICK.fullmatch(part) for part in text.replace("), ", ")\n").split("\n")]
    bricks = [(int(m["x"]), int(m["y"]), m["color"]) for m in matches if m and len(m[0]) < 40]
    near = all(abs(x) <= _MAX_PLACE and abs(y) <= _MAX_PLACE for x, y, _ in bricks)
    return tuple(bricks) if near and len(bricks) == len(matches) <= _MAX_BRICKS else None


def _number(text: str) -> int:
    return int(text.split(" ")[0])


@reads(
    _WORDS,
    rules=holes.pattern(re.escape(_TEXTS["rules"])),
    bricks=holes.pattern(r"\([a-z0-9 ,()-]{3,1200}\)", _bricks),
    count=holes.pattern(r"[1-9][0-9]?(?: bricks?)?", _number),
    layers=holes.NATURAL,
    width=holes.NATURAL,
)
def _read(
    kind: str,
    bricks: tuple[_Brick, ...] = (),
    count: int = 0,
    layers: int = 0,
    width: int = 0,
    rules: str = "",
) -> _Task | None:
    del rules
    if kind != "build" and not bricks:
        return None
    return _Task(kind, bricks, count, (layers, width) if kind == "build" else None)


def _cells(brick: _Brick) -> int:
    """Return the columns of a brick as bits."""
    return 15 << brick[0] + _MAX_PLACE + 5


def _overlap(bricks: Sequence[_Brick]) -> tuple[_Brick, _Brick] | None:
    """Return the first brick that overlaps an earlier one, after that one."""
    for k, brick in enumerate(bricks):
        for other in bricks[:k]:
            if brick[1] == other[1] and _cells(brick) & _cells(other):
                return other, brick
    return None


def _groups(bricks: Sequence[_Brick]) -> list[set[int]]:
    """Merge the groups of all pairs of connected bricks."""
    groups = [{k} for k in range(len(bricks))]
    for one, other in combinations(range(len(bricks)), 2):
        if abs(bricks[one][1] - bricks[other][1]) == 1 and _cells(bricks[one]) & _cells(
            bricks[other]
        ):
            joined = [group for group in groups if group & {one, other}]
            groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return groups


def _is_valid(bricks: Sequence[_Brick]) -> bool:
    return _overlap(bricks) is None and len(_groups(bricks)) == 1


def _solve(task: _Task) -> str | None:
    return ("valid" if _is_valid(task.bricks) else "invalid") if task.ask == "valid" else None


def _accepts(task: _Task, answer: str) -> bool:
    """Compare the verdict, or check the structure with the new bricks."""
    if task.ask == "valid":
        return answer == _solve(task)
    added = _bricks(answer)
    if added is None or len(added) != task.added or not _is_valid([*task.bricks, *added]):
        return False
    columns, layers = [x for x, _, _ in added], {y for _, y, _ in added}
    return task.sizes in (None, (len(layers), max(columns) - min(columns) + 4))


def _lines(bricks: Sequence[_Brick]) -> Iterator[str]:
    """Yield an overlap, or the links from the first brick in waves."""
    names = [
        filled(_TEXTS["brick"], dict(zip(("x", "y", "color"), b, strict=True))) for b in bricks
    ]
    pair = _overlap(bricks)
    if pair:
        first, second = (names[bricks.index(each)] for each in pair)
        yield _WORDS.line("overlap", one=first, other=second)
        return
    waiting, new = {*range(1, len(bricks))}, [0]
    while new:
        one = new.pop(0)
        near = [k for k in sorted(waiting) if len(_groups([bricks[one], bricks[k]])) == 1]
        if near:
            yield _WORDS.line("from", one=names[one], others=", ".join(names[k] for k in near))
        waiting -= {*near}
        new += near
    if waiting:
        yield _WORDS.line("rest", others=", ".join(names[k] for k in sorted(waiting)))
    else:
        yield _WORDS.line("all")


def _follows(task: _Task, answer: str, lines: Sequence[str]) -> bool:
    added = () if task.ask == "valid" else _bricks(answer)
    return added is not None and [*lines] == [*_lines([*task.bricks, *added])]


def _plain(task: _Task, answer: str) -> str:
    """Return a list of bricks in lower case, without quotes and brackets, with single spaces."""
    del task
    words = re.sub(r"['\"\[\]]", "", answer.lower()).replace(",", " , ").replace("(", " ( ").split()
    return " ".join(words).replace(" ,", ",").replace("( ", "(").replace(" )", ")")


VERIFIERS = {
    "lego_connect": AnswerChecker(
        _read,
        _accepts,
        _follows,
        _solve,
        _plain,
        lambda task: "label" if task.ask == "valid" else "string",
    )
}
