"""Compound tasks from the text: by patience sorting, and exact counts passed on by cells."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
_NUMBER = holes.pattern(r"[1-9][0-9]{0,2}", int)


@reads(_WORDS.part("increasing"), numbers=holes.listed(_NUMBER, " "))
def _read_numbers(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return numbers


def _piles(numbers: Sequence[int]) -> list[int]:
    """Return the pile, from 1, of each number in patience sorting."""
    tops: list[int] = []
    piles = []
    for number in numbers:
        pile = bisect_left(tops, number)
        tops[pile : pile + 1] = [number]
        piles.append(pile + 1)
    return piles


def _work_of_numbers(numbers: tuple[int, ...]) -> list[str]:
    piles, shown = _piles(numbers), [*map(str, numbers)]
    lines = []
    for end, last in enumerate(numbers, 1):
        smaller = " ".join(["01"[number < last] for number in numbers[:end]])
        lengths = " ".join(map(str, piles[:end]))
        lines.append(f"{' '.join(shown[:end])} , {smaller} : {lengths} -> {max(piles[:end])}")
    return lines


@reads(
    _WORDS.part("paths"),
    cells=holes.listed(holes.pattern("[01]"), " "),
    length=_NUMBER,
)
def _read_cells(cells: tuple[str, ...], length: int) -> str | None:
    return "".join(cells) if len(cells) == length else None


def _counts(cells: str) -> list[int]:
    """Return the exact number of ways to each cell from 0, passed on from cell to cell."""
    counts = [1] + [0] * (len(cells) + 3)
    for start in range(len(cells)):
        for end in range(start + 1, start + 4):
            if cells[end - 1 : end] == "1":
                counts[end] += counts[start]
    return counts[: len(cells) + 1]


def _work_of_cells(cells: str) -> list[str]:
    ways = [str(count % 47) for count in _counts(cells)]
    return [
        f"{i} , {cell} , {' '.join(ways[:i][-3:])} -> {ways[i]}" for i, cell in enumerate(cells, 1)
    ]


def _keeps(work: Callable[..., list[str]]) -> Callable[..., bool]:
    """Accept some of the lines of the work in order, and the last one."""

    def follows(problem: tuple[int, ...] | str, answer: str, lines: Sequence[str]) -> bool:
        del answer
        rest = iter(work(problem))
        return all(line in rest for line in lines) and next(rest, None) is None

    return follows


VERIFIERS = {
    "longest_increasing": PlainVerifier(
        _read_numbers,
        lambda numbers: str(max(_piles(numbers))),
        follows=_keeps(_work_of_numbers),
    ),
    "path_counting": PlainVerifier(
        _read_cells,
        lambda cells: str(_counts(cells)[-1] % 47),
        follows=_keeps(_work_of_cells),
    ),
}
