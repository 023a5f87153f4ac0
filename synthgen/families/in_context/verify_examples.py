"""Labels of pairs and of words from the examples in the text, or from the named world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from synthgen.authoring import Words, WorkedVerifier, holes, reads, stream_key
from synthgen.authoring.holes import ordinal
from synthgen.families.in_context.verify_worlds import (
    NAME,
    World,
    listed,
    name_of,
    number_of,
    row_draws,
    world_hole,
)

_WORDS = Words.beside(__file__)
_MAX_DESIGNS = 100_000


class _Pair(NamedTuple):
    words: tuple[str, ...]
    world: World
    examples: tuple[str, ...]


@reads(
    _WORDS.part("exposure"),
    world=world_hole("pe", 2),
    pair=holes.pattern(f"{NAME} {NAME}"),
    facts=listed(f"{NAME} {NAME} -> [PQ]"),
)
def _read_pair(pair: str, world: World = (), facts: tuple[str, ...] = ()) -> _Pair | None:
    if world and not 0 < world[0] <= _MAX_DESIGNS:
        return None
    return _Pair((*pair.split(),), world, facts)


def _judge(problem: _Pair) -> tuple[str | None, list[str]]:
    """Return the label of the word that decides."""
    words, world, examples = problem
    word, other, label = _in_world(words, world) if world else _in_examples(words, examples)
    if not label:
        return None, []
    line = _WORDS.part("exposure").line
    return label, [line("both", other=other), line("rule", word=word, label=label)]


def _in_examples(words: tuple[str, ...], examples: tuple[str, ...]) -> tuple[str, str, str]:
    """Return the word that decides, one with both labels, and the label; empty texts without."""
    rows = [(*example[:-5].split(), example[-1]) for example in examples]
    for side in (0, 1):
        table = {(row[side], row[-1]) for row in rows}
        labels = dict(table)
        with_it = {row[1 - side] for row in rows if row[side] == words[side]}
        both = [
            one for one in with_it if {row[-1] for row in rows if row[1 - side] == one} == {*"PQ"}
        ]
        if len(labels) == len(table) and words[side] in labels and both:
            return words[side], both[0], labels[words[side]]
    return "", "", ""


def _in_world(words: tuple[str, ...], world: World) -> tuple[str, str, str]:
    """Return the word that decides, one with both labels, and the label; empty texts without."""
    numbers = sorted((number_of(word) for word in words), key=lambda number: number % 4)
    design, (low, high) = numbers[0] // 4, [number % 4 for number in numbers]
    if numbers[1] // 4 != design or design >= world[0] or low > 1 or high < 2:
        return "", "", ""
    draws = row_draws(stream_key("exposure", *world), design, 2)
    is_first, of_a = draws.integer(0, 2), draws.integer(0, 2)
    word = name_of(numbers[0])
    if (words[0] == word) != bool(is_first):
        return "", "", ""
    return word, name_of(4 * design + 3), "PQ"[of_a ^ low]


class _Examples(NamedTuple):
    examples: tuple[str, ...]
    word: str


@reads(
    _WORDS.part("functions"),
    examples=listed("[a-z]{2,8} -> [A-F]"),
    word=holes.pattern("[a-z]{2,8}"),
)
def _read_examples(examples: tuple[str, ...], word: str) -> _Examples | None:
    words = [example[:-5] for example in examples]
    fits = len({*words}) == len(words) and {len(word)} == {*map(len, words)}
    return _Examples((*sorted(examples),), word) if fits and word not in words else None


def _induce(problem: _Examples) -> tuple[str | None, list[str]]:
    """Group the examples by the letter in each place, and compare what is left for the word."""
    examples, word = problem
    lines, labels = list[str](), set[str]()
    for place, letter in enumerate(word):
        groups: dict[str, list[str]] = {}
        for example in examples:
            groups.setdefault(example[place], []).append(example)
        mixed = [group for group in groups.values() if len({text[-1] for text in group}) > 1]
        if mixed:
            lines.append(_conflict(place, min(mixed)))
            continue
        if letter not in groups:
            return None, []
        label = groups[letter][0][-1]
        labels.add(label)
        lines.append(_line("fits", place, letter=letter, label=label))
    return (labels.pop(), lines) if len(labels) == 1 else (None, [])


def _conflict(place: int, group: Sequence[str]) -> str:
    """State the first two examples of different labels."""
    other = next(text for text in group if text[-1] != group[0][-1])
    one, first, second = group[0][:-5], group[0][-1], other[-1]
    return _line(
        "conflict",
        place,
        letter=one[place],
        one=one,
        first=first,
        other=other[:-5],
        second=second,
    )


def _line(name: str, place: int, **texts: str) -> str:
    return _WORDS.part("functions").line(name, place=ordinal(place + 1), **texts)


VERIFIERS = {
    "partial_exposure": WorkedVerifier(_read_pair, _judge, "label"),
    "in_context_functions": WorkedVerifier(_read_examples, _induce, "label"),
}
