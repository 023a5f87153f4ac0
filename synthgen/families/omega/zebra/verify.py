"""Zebra puzzles from the text: for each category, the permutations that the clues leave.

The n! ways to give the values of a category to the houses are bits of one integer. A clue on two
categories leaves the permutations of each for which the other one has a partner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, permutations, product
from typing import Any, NamedTuple

from synthgen.authoring import PlainVerifier, Words, filled, holes, reads

_WORDS = Words.beside(__file__)
_CATEGORIES: list[dict[str, Any]] = _WORDS["categories"]
_MAX = 7
"""Houses, and categories, of a puzzle."""
_MAX_CLUES = 100
_MAX_NODES = 2_000
"""Cases of a search; a puzzle that needs more is rejected."""
Clue = tuple[str, int, int]
Solution = tuple[int, ...]
"""House of each value, from 0."""


class Puzzle(NamedTuple):
    """A puzzle as its text states it.

    Attributes:
        n: Number of houses.
        names: Names of the values of each category, as listed; value i of category c is c * n + i.
        clues: Kind, value, and value or house (from 0).
        named: Value of the person in question, or -1.
        house: House of the person in question, from 0, or -1.
        choices: Values, in order.
    """

    n: int
    names: tuple[tuple[str, ...], ...]
    clues: tuple[Clue, ...]
    named: int
    house: int
    choices: tuple[int, ...]


_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "same": int.__eq__,
    "apart": int.__ne__,
    "left": int.__lt__,
    "just_left": lambda u, v: v - u == 1,
    "next": lambda u, v: v - u in (1, -1),
    "gap": lambda u, v: v - u in (2, -2),
    "at": int.__eq__,
    "not_at": int.__ne__,
}
"""Whether a clue is true of two houses."""
_PLACED = ("at", "not_at")
"""Kinds of clues on a value and a house."""

# --- reading ---

_HOLDER, _DOES, _DOES_NOT, _HOUSE = "<u>", "<does>", "<does not>", "<k>"
_PHRASES = {
    filled(category[form], {"item": item}): (mark, (category["title"], item))
    for category in _CATEGORIES
    for form, mark in (("holder", _HOLDER), ("does", _DOES), ("does_not", _DOES_NOT))
    for item in category["items"]
}
"""Phrases about a person, each with the mark that replaces it in a wording, and the item."""
_PHRASE = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, sorted(_PHRASES, key=len, reverse=True)))})\b", re.ASCII
)
_NUMBER = re.compile(r"\b[1-9]\b", re.ASCII)
_NAMES = set(_CATEGORIES[0]["items"])
_PERSON = re.compile(filled(_WORDS["person"]["house"], {"k": "([1-9])"}), re.ASCII)
_MARKS = {"u": _HOLDER, "v": _HOLDER, "does_v": _DOES, "does_not_v": _DOES_NOT, "k": _HOUSE}


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


_WORDINGS = {
    _small(filled(text, _MARKS)): (kind, text.find("{u}") > text.find("{v}") >= 0)
    for kind, texts in _WORDS["clues"].items()
    for text in texts
}
"""Wordings of clues with marks: the kind, and whether the second value comes first. Marks cannot
occur in a prompt, as clues with an angle bracket are not read."""
_LIST = "[A-Za-z ]+: [A-Za-z]+(?:, [A-Za-z]+)*"
_LISTS = holes.pattern(rf"{_LIST}(?:\n{_LIST})*", lambda text: text.split("\n"))
_CLUES = holes.pattern(r"- [^\n?<]+(?:\n- [^\n?<]+)*", lambda text: text[2:].split("\n- "))
_QUESTION = holes.pattern(r"[^\n?]+\?")
_CHOICES = holes.listed(holes.pattern("[A-Za-z]+"))
Item = tuple[str, str]
"""Title of a category, and an item."""


@reads(_WORDS, n=holes.NATURAL, lists=_LISTS, clues=_CLUES, question=_QUESTION, choices=_CHOICES)
def _read(
    n: int, lists: Sequence[str], clues: Sequence[str], question: str, choices: Sequence[str]
) -> Puzzle | None:
    if not (2 <= n <= _MAX and 2 <= len(lists) <= _MAX and len(clues) <= _MAX_CLUES):
        return None
    listed = dict(_read_list(line) for line in lists)
    if len(listed) < len(lists) or not all(len(set(items)) == n for items in listed.values()):
        return None
    every = [(title, item) for title, items in listed.items() for item in items]
    index = {one: value for value, one in enumerate(every)}
    stated = [_read_clue(text, index, n) for text in clues]
    asked = _read_question(question, index, n)
    if len(index) != n * len(lists) or None in stated or asked is None:
        return None
    title, named, house = asked
    values = tuple(index.get((title, item), -1) for item in choices)
    if title not in listed or sorted(values) != sorted(index[title, one] for one in listed[title]):
        return None
    read_clues = tuple(clue for clue in stated if clue is not None)
    return Puzzle(n, tuple(listed.values()), read_clues, named, house, values)


def _read_list(line: str) -> tuple[str, tuple[str, ...]]:
    """Return the title and the items of a list; no items unless the category has them all."""
    title, _, text = line.partition(": ")
    items = tuple(text.split(", "))
    known = next((one["items"] for one in _CATEGORIES if one["title"] == title), ())
    return title, items if set(items) <= set(known) else ()


def _read_clue(text: str, index: dict[Item, int], n: int) -> Clue | None:
    if not text[0].isupper():
        return None
    values: list[int] = []

    def marked(match: re.Match[str]) -> str:
        mark, item = _PHRASES[match[0]]
        values.append(index.get(item, -1))
        return mark

    wording = _PHRASE.sub(marked, text if text.split(" ", 1)[0] in _NAMES else _small(text))
    houses = [int(number) - 1 for number in _NUMBER.findall(wording)]
    kind, is_swapped = _WORDINGS.get(_NUMBER.sub(_HOUSE, wording), ("", False))
    if not kind or -1 in values:
        return None
    if kind in _PLACED:
        return (kind, values[0], houses[0]) if houses[0] < n else None
    u, v = values[::-1] if is_swapped else values
    return (kind, u, v) if u != v else None


def _read_question(text: str, index: dict[Item, int], n: int) -> tuple[str, int, int] | None:
    """Return the category of the answer, and the value or the house of the person in question."""
    for category in _CATEGORIES:
        before, after = category["question"].split("{person}")
        if not (text.startswith(before) and text.endswith(after)):
            continue
        person = text[len(before) : len(text) - len(after)]
        house = _PERSON.fullmatch(person)
        if house:
            return (category["title"], -1, int(house[1]) - 1) if int(house[1]) <= n else None
        mark, item = _PHRASES.get(person, ("", ("", "")))
        if mark == _HOLDER and item in index and item[0] != category["title"]:
            return category["title"], index[item], -1
    return None


# --- solving ---


@cache
def _orders(n: int) -> list[tuple[int, ...]]:
    """Return every way to give houses to n values."""
    return list(permutations(range(n)))


@cache
def _having(n: int, value: int, houses: int) -> int:
    """Return the orders, as bits, in which a value has one of a set of houses, given by bits."""
    if houses & (houses - 1):
        return _having(n, value, houses & -houses) | _having(n, value, houses & (houses - 1))
    return sum(1 << at for at, order in enumerate(_orders(n)) if houses >> order[value] & 1)


@cache
def _partners(kind: str, n: int, houses: int, *, is_second: bool) -> int:
    """Return where the other value of a clue can be if one is in some of these houses, as bits."""
    pairs = [(i, j) for i, j in product(range(n), repeat=2) if _HOLDS[kind](i, j)]
    if is_second:
        pairs = [(j, i) for i, j in pairs]
    return sum({1 << there for here, there in pairs if houses >> here & 1})


@cache
def _agreeing(kind: str, n: int, u: int, v: int) -> int:
    """Return the orders of one category that agree with a clue on that category only."""
    every = enumerate(_orders(n))
    if kind in _PLACED:
        return sum(1 << at for at, order in every if _HOLDS[kind](order[u], v))
    return sum(1 << at for at, order in every if _HOLDS[kind](order[u], order[v]))


def _houses(n: int, orders: int, value: int) -> int:
    """Return the houses that a value has in some of these orders, as bits."""
    return sum(1 << house for house in range(n) if orders & _having(n, value, 1 << house))


def _settle(n: int, clues: Sequence[Clue], open_orders: list[int]) -> bool:
    """Drop orders without a partner until all have one; return whether all categories keep some."""
    fresh = set(range(len(open_orders)))  # categories that have lost orders
    while fresh:
        lately, fresh = fresh, set()
        for kind, u, v in clues:
            for one, other, is_second in ((u, v, False), (v, u, True)):
                if one // n not in lately and one // n not in fresh:
                    continue
                houses = _houses(n, open_orders[one // n], one % n)
                allowed = _partners(kind, n, houses, is_second=is_second)
                left = open_orders[other // n] & _having(n, other % n, allowed)
                if not left:
                    return False
                if left != open_orders[other // n]:
                    fresh.add(other // n)
                    open_orders[other // n] = left
    return True


def _start(puzzle: Puzzle) -> tuple[list[int], list[Clue]]:
    """Return the orders that clues on single categories leave, and the other clues."""
    n = puzzle.n
    open_orders = [(1 << len(_orders(n))) - 1] * len(puzzle.names)
    between = []
    for kind, u, v in puzzle.clues:
        if kind in _PLACED or u // n == v // n:
            open_orders[u // n] &= _agreeing(kind, n, u % n, v % n)
        else:
            between.append((kind, u, v))
    return open_orders, between


def _solutions(puzzle: Puzzle) -> Iterator[Solution | None]:
    """Yield the solutions one by one; None twice if the search takes too long."""
    n = puzzle.n
    start, clues = _start(puzzle)
    todo, nodes = [start], 0
    while todo:
        open_orders = todo.pop()
        nodes += 1
        if nodes > _MAX_NODES:
            yield from (None, None)
            return
        if not all(open_orders) or not _settle(n, clues, open_orders):
            continue
        several = [c for c, orders in enumerate(open_orders) if orders & (orders - 1)]
        if not several:
            chosen = [_orders(n)[orders.bit_length() - 1] for orders in open_orders]
            yield tuple(house for order in chosen for house in order)
            continue
        category = min(several, key=lambda c: open_orders[c].bit_count())
        orders = open_orders[category]
        value = next(v for v in range(n) if _houses(n, orders, v).bit_count() > 1)
        for house in range(n):
            left = orders & _having(n, value, 1 << house)
            todo.append([*open_orders[:category], left, *open_orders[category + 1 :]])


@lru_cache(1 << 12)
def _solution(puzzle: Puzzle) -> Solution | None:
    """Return the solution of a puzzle that has exactly one."""
    solutions = list(islice(_solutions(puzzle), 2))
    return solutions[0] if len(solutions) == 1 else None


def _solve(puzzle: Puzzle) -> str | None:
    """Return the position of the answer among the choices."""
    solution = _solution(puzzle)
    if solution is None:
        return None
    house = puzzle.house if puzzle.named < 0 else solution[puzzle.named]
    return str([solution[choice] for choice in puzzle.choices].index(house))


def _follows(puzzle: Puzzle, answer: str, lines: Sequence[str]) -> bool:
    """Compare the table and the houses of each clue with the solution, and the last line."""
    solution = _solution(puzzle)
    if solution is None:
        return False
    n = puzzle.n
    names = [name for listed in puzzle.names for name in listed]
    table = [
        ", ".join([names[value] for value, house in enumerate(solution) if house == number])
        for number in range(n)
    ]
    wanted = [f"house {number}: {line}" for number, line in enumerate(table, start=1)]
    wanted += sorted(_checked(clue, names, solution) for clue in puzzle.clues)
    chosen = names[puzzle.choices[int(answer)]]
    return list(lines) == [*wanted, f"answer: {chosen}, number {answer}"]


def _checked(clue: Clue, names: Sequence[str], solution: Solution) -> str:
    """Return the line on a clue, which names values that may change places in their order."""
    kind, u, v = clue
    if kind in _PLACED:
        holes: dict[str, object] = {"u": names[u], "i": solution[u] + 1, "j": v + 1}
    else:
        if kind in ("same", "apart", "next", "gap"):
            u, v = sorted((u, v), key=lambda value: names[value])
        holes = {"u": names[u], "v": names[v], "i": solution[u] + 1, "j": solution[v] + 1}
    return filled(_WORDS["checks"][kind], holes)


VERIFIERS = {"logic_zebralogic": PlainVerifier(_read, _solve, follows=_follows)}
