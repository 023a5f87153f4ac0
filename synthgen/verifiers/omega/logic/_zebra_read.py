"""Reading puzzles of houses: the vocabulary, the wordings of clues and questions, and the whole."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from synthgen.verifiers.omega._wordings import read_as, wordings
from synthgen.verifiers.omega.logic._zebra_vocabulary import CATEGORIES, CLUES, PLACED

MOST = 7
"""Houses, and categories, that a puzzle can have."""
_MOST_CLUES = 200
_WORDINGS = wordings(
    "In a row of <n> houses, numbered from left to right and beginning with one, live <people> "
    "people, one in each house. From every list below, each of them has exactly one item, and no "
    "two have the same.\n<lists>\nThis is known:\n<clues>\n<question> Choose from this list: "
    "<choices>. Give the place of the right answer in the list, counting from zero.",
    "<people> neighbours have <n> houses in one street. Seen from the street, the houses are "
    "numbered in order from left to right, the leftmost being number one. Of each of the following "
    "lists, every neighbour has exactly one item, and no two have the same.\n<lists>\nClues:\n"
    "<clues>\n<question>\nPossible answers, in this order: <choices>. Answer with the index of the "
    "right one, where the first has index zero.",
    "A logic puzzle: every one of <n> houses in a row has one inhabitant. House numbers start with "
    "one at the left end and grow by one from house to house. The inhabitants share out the items "
    "of each list, one item for everybody.\n<lists>\nFind out who is who from these facts:\n"
    "<clues>\nQuestion: <question>\nCandidates: <choices>. Reply with how many candidates stand "
    "before the right one.",
    "<n> houses stand side by side, and the one furthest left is number one, the next to its right "
    "number two, and so on. One person lives in each. Everybody has exactly one of the properties "
    "in each of these lists, and no two people share one:\n<lists>\nHints:\n<clues>\nYour "
    "question: <question>\nThe options are <choices>; the first is option zero, and they are "
    "numbered in order. Give the number of the correct option.",
    lists=r"[A-Za-z,: \n]{1,4000}",
    clues=r"- [^?]{1,40000}",
    question=r"[^\n?]{1,200}\?",
    choices=r"[A-Za-z, ]{1,400}",
)
_HOUSE = re.compile(r"the person in house ([1-9])", re.ASCII)
_HOLDER, _DOES, _DOES_NOT = "\x01", "\x02", "\x03"
_PHRASE_ENDS = re.compile(r"\b([1-9])\b", re.ASCII)
Clue = tuple[str, int, int]
Name = tuple[int, str]


class Puzzle(NamedTuple):
    """What a text says.

    Attributes:
        n: houses.
        names: of the values of each category, as listed; value i of category c is c * n + i.
        clues: kind, value, and value or house (from 0).
        asked: category of the answer.
        named: value whose holder is asked about, or -1.
        house: that is asked about, from 0, or -1.
        choices: values, in order.
    """

    n: int
    names: tuple[tuple[str, ...], ...]
    clues: tuple[Clue, ...]
    asked: int
    named: int
    house: int
    choices: tuple[int, ...]


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, tuple[str, Name]]]:
    """Return a pattern of all that is said of anybody, and what each phrase means."""
    known: dict[str, tuple[str, Name]] = {}
    patterns = []
    for number, (_, *forms, _, values) in enumerate(CATEGORIES):
        for mark, form in zip((_HOLDER, _DOES, _DOES_NOT), forms, strict=True):
            known |= {form.format(value): (mark, (number, value)) for value in values}
            patterns.append(form.format(f"(?:{'|'.join(values)})"))
    longest_first = "|".join(sorted(patterns, key=len, reverse=True))
    return re.compile(rf"\b(?:{longest_first})\b", re.ASCII), known


@cache
def _skeletons() -> dict[str, tuple[str, bool]]:
    """Return the kind of clue behind each wording, and whether it names the second value first."""
    found = {}
    for kind, texts in CLUES.items():
        for text in texts:
            places = [text.find(hole) for hole in ("{u}", "{v}", "{does_v}", "{does_not_v}")]
            first, *others = places
            marks = {"u": _HOLDER, "v": _HOLDER, "does_v": _DOES, "does_not_v": _DOES_NOT, "k": "#"}
            found[_small(text.format(**marks))] = (kind, first > max(others) >= 0)
    return found


def _small(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _read_clue(text: str, index: dict[Name, int], n: int) -> Clue | None:
    pattern, known = _phrases()
    if not text[:1].isupper():
        return None
    sentence = text if text.split(" ", 1)[0] in CATEGORIES[0].values else _small(text)
    said: list[int] = []

    def marked(match: re.Match[str]) -> str:
        mark, name = known[match[0]]
        said.append(index.get(name, -1))
        return mark

    skeleton = pattern.sub(marked, sentence)
    numbers = _PHRASE_ENDS.findall(skeleton)
    kind, swapped = _skeletons().get(_PHRASE_ENDS.sub("#", skeleton), ("", False))
    if not kind or -1 in said or len(numbers) != (kind in PLACED):
        return None
    if kind in PLACED:
        house = int(numbers[0]) - 1
        return (kind, said[0], house) if house < n else None
    u, v = reversed(said) if swapped else said
    return (kind, u, v) if u != v else None


def _read_question(text: str, index: dict[Name, int], n: int) -> tuple[int, int, int] | None:
    """Return the category that is asked for, and the value or the house that is named."""
    _, known = _phrases()
    for number, category in enumerate(CATEGORIES):
        before, after = category.question.split("{}")
        if not (text.startswith(before) and text.endswith(after)):
            continue
        whose = text[len(before) : len(text) - len(after)]
        house = _HOUSE.fullmatch(whose)
        if house:
            return (number, -1, int(house[1]) - 1) if int(house[1]) <= n else None
        mark, name = known.get(whose, ("", (-1, "")))
        value = index.get(name, -1)
        if mark == _HOLDER and value >= 0 and name[0] != number:
            return number, value, -1
    return None


def _read_lists(text: str, n: int) -> list[tuple[int, tuple[str, ...]]] | None:
    """Return the categories that are listed, by number, with their values."""
    titles = {category.title: number for number, category in enumerate(CATEGORIES)}
    found = []
    for line in text.split("\n"):
        title, _, items = line.partition(": ")
        number, values = titles.get(title, -1), tuple(items.split(", "))
        if number < 0 or len(values) != n or len(set(values)) != n:
            return None
        if not set(values) <= set(CATEGORIES[number].values):
            return None
        found.append((number, values))
    numbers = [number for number, _ in found]
    return found if len(set(numbers)) == len(numbers) and 2 <= len(numbers) <= MOST else None


def read_puzzle(statement: str) -> Puzzle | None:
    """Return the puzzle that a statement poses, or None if it is none of the family's."""
    match = read_as(statement, _WORDINGS)
    if match is None or not 2 <= int(match["n"]) <= MOST:
        return None
    n = int(match["n"])
    if int(match.groupdict().get("people") or n) != n:
        return None
    lists = _read_lists(match["lists"], n)
    lines = match["clues"].split("\n")
    if lists is None or len(lines) > _MOST_CLUES or not all(x.startswith("- ") for x in lines):
        return None
    place = {number: at for at, (number, _) in enumerate(lists)}
    index = {
        (number, value): at * n + i
        for at, (number, values) in enumerate(lists)
        for i, value in enumerate(values)
    }
    clues = [_read_clue(line[2:], index, n) for line in lines]
    question = _read_question(match["question"], index, n)
    if None in clues or question is None or question[0] not in place:
        return None
    asked, named, house = question
    choices = [index.get((asked, value), -1) for value in match["choices"].split(", ")]
    first = place[asked] * n
    if sorted(choices) != list(range(first, first + n)):
        return None
    names = tuple(values for _, values in lists)
    told = tuple(clue for clue in clues if clue is not None)
    return Puzzle(n, names, told, place[asked], named, house, tuple(choices))
