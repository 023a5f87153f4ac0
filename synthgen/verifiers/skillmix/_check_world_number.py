"""Checkers of quantities: what a text counts and compares is reckoned again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from synthgen.verifiers.skillmix._check_world_parse import DETERMINERS, statements
from synthgen.verifiers.skillmix._text import STOP, Clause, Text
from synthgen.verifiers.skillmix._wanted import ByWord, wanted

UNITS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split(),
        range(20),
        strict=True,
    )
)
TENS = dict(
    zip(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(),
        range(20, 100, 10),
        strict=True,
    )
)
ARTICLES = ("a", "an")
TIMES = {"dozen": 12, "hundred": 100, "thousand": 1_000}
MOST_DIGITS = 15
_REMEMBERED = 128


class Quantity(NamedTuple):
    """A number of a clause: words[start:end], and its value."""

    start: int
    end: int
    value: int


class _Numbers:
    """The words that a number can begin with, or that make a number of an article."""

    def __contains__(self, word: object) -> bool:
        if word in UNITS or word in TENS or word in TIMES:
            return True
        return isinstance(word, str) and word.isdigit()


NUMBERS = _Numbers()
_BEGINS = ByWord(lambda word: word.isdigit() or word in UNITS or word in TENS or word in ARTICLES)
"""Whether a number can begin with a word."""


def quantities(words: tuple[str, ...]) -> list[Quantity]:
    """Read the numbers of a clause, in digits or in words."""
    found: list[Quantity] = []
    behind = 0
    for at in [at for at, begins in enumerate(map(_BEGINS.__getitem__, words)) if begins]:
        if at >= behind:
            end, value = _number(words, at)
            if end > at:
                found.append(Quantity(at, end, value))
                behind = end
    return found


def _number(words: tuple[str, ...], at: int) -> tuple[int, int]:
    """Return the end and the value of the number that begins here; the end is `at` if none does."""
    word = words[at]
    if word.isdigit() and len(word) <= MOST_DIGITS:
        end, value = at + 1, int(word)
    elif word in UNITS:
        end, value = at + 1, UNITS[word]
    elif word in TENS:
        end, value = at + 1, TENS[word]
        if end < len(words) and 0 < UNITS.get(words[end], 0) < 10:
            end, value = end + 1, value + UNITS[words[end]]
    elif word in ARTICLES and at + 1 < len(words) and words[at + 1] in TIMES:
        end, value = at + 1, 1
    else:
        return at, 0
    while end < len(words) and words[end] in TIMES and value < 10**MOST_DIGITS:
        end, value = end + 1, value * TIMES[words[end]]
    return end, value


def _noun_after(words: tuple[str, ...], at: int) -> tuple[str, ...]:
    """The one to three words that say what is counted."""
    end = at
    while end < min(len(words), at + 3) and words[end] not in STOP:
        end += 1
    return words[at:end]


TOTAL_TRIGGERS = frozenset("altogether total all sum makes make totals".split())


_TOTAL = wanted(TOTAL_TRIGGERS, NUMBERS)
_TOTALS = TOTAL_TRIGGERS - {"altogether", "all"}
_BEFORE_TOTAL = (" total of ", " sum of ", " makes ", " make ", " totals ")
_NEAR_TOTAL = (" in all ", " all told ", " altogether ", " in total ", " total is ", " sum ")


def counting(text: Text) -> bool:
    """Whether two or more numbers of things are listed, and their total is stated and right."""
    clauses = text.clauses
    return any(
        _counted(clauses, at, total)
        for at, clause in enumerate(clauses)
        if clause.bits & _TOTAL == _TOTAL
        for total in _total(clause)
    )


def _total(clause: Clause) -> Iterator[Quantity]:
    words, numbers = clause.words, quantities(clause.words)
    if not numbers or "than" in words:
        return
    joined = f" {' '.join(words)} "
    if any(cue in joined for cue in _BEFORE_TOTAL):
        cue = max(at for at, word in enumerate(words) if word in _TOTALS)
        yield from [number for number in numbers if number.start > cue][:1]
    elif any(cue in joined for cue in _NEAR_TOTAL):
        yield numbers[-1]


def _counted(clauses: tuple[Clause, ...], at: int, total: Quantity) -> bool:
    """Whether the numbers before the total, or those after it, add up to it."""
    return _adds_up(clauses, at, total, -1) or _adds_up(clauses, at, total, 1)


def _adds_up(clauses: tuple[Clause, ...], at: int, total: Quantity, step: int) -> bool:
    """Whether a list next to the total adds up to it; commas alone hold a list together."""
    numbers = [
        number.value
        for number in quantities(clauses[at].words)
        if (number.start < total.start if step < 0 else number.start > total.start)
    ]
    here = at
    while 0 <= here + step < len(clauses):
        mark = clauses[min(here, here + step)].mark
        more = _items(clauses[here + step])
        if not more or (numbers and mark != ","):
            break
        here += step
        numbers += more
    return len(numbers) > 1 and sum(numbers) == total.value


def _items(clause: Clause) -> list[int]:
    if "than" in clause.words:
        return []
    return [
        number.value for number in quantities(clause.words) if _noun_after(clause.words, number.end)
    ]


COMPARISON_TRIGGERS = frozenset("more fewer less outnumber outnumbers exceed exceeds".split())
COMPARED = frozenset(("than", "by"))


class Held(NamedTuple):
    """A number of things: the words before it (who has them), and the words of the things."""

    holder: frozenset[str]
    value: int
    noun: tuple[str, ...]


def arithmetic_comparison(text: Text) -> bool:
    """Whether a difference of two stated numbers of things is stated and right."""
    told = [statement.words for statement in statements(text)]
    for at, words in enumerate(told):
        claim = _difference(words)
        if claim is None:
            continue
        if not claim.first and at:  # "..., 5 fewer cups than the cook"
            claim = claim._replace(first=_content(told[at - 1]))
        near = told[max(0, at - 8) : at + 3]
        if _difference_holds(claim, [fact for other in near for fact in _held(other)]):
            return True
    return False


class Difference(NamedTuple):
    """That `first` is over `second` by `value` (below it if negative), of one noun or of two."""

    value: int
    noun: tuple[str, ...]
    first: frozenset[str]
    second: frozenset[str]


def _content(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for word in words if word not in STOP and word not in DETERMINERS)


def _difference(words: tuple[str, ...]) -> Difference | None:
    sign = next((at for at, word in enumerate(words) if word in COMPARISON_TRIGGERS), -1)
    numbers = quantities(words) if sign >= 0 else []
    if len(numbers) != 1 or numbers[0].value < 1:
        return None
    number = numbers[0]
    if "than" in words:
        than = words.index("than")
        if not sign < than or number.start > sign:
            return None
        noun = words[number.end : sign] or _noun_after(words, sign + 1)
        up = words[sign] == "more"
        first, second = words[: number.start] + words[sign + 1 : than], words[than + 1 :]
        size = number.value if up else -number.value
        return Difference(size, noun, _content(first) - set(noun), _content(second))
    if words[sign][:6] in ("outnum", "exceed") and "by" in words[sign : number.start]:
        by = words.index("by", sign)
        noun = words[max(0, sign - 1) : sign]
        return Difference(
            number.value, noun, _content(words[: sign - 1]), _content(words[sign + 1 : by])
        )
    return None


@lru_cache(maxsize=_REMEMBERED)
def _held(words: tuple[str, ...]) -> tuple[Held, ...]:
    numbers = quantities(words)
    if not numbers or _difference(words):
        return ()
    found: list[Held] = []
    ends = [number.start for number in numbers[1:]] + [len(words)]
    before = 0
    for number, end in zip(numbers, ends, strict=True):
        noun = _noun_after(words, number.end)
        holder = _content(words[before : number.start])
        if not holder:  # "9 belong to the cook", or the holder of the number before
            after = _content(words[number.end + len(noun) : end])
            holder = found[-1].holder if found else after
        found.append(Held(holder, number.value, noun))
        before = number.end + len(noun)
    return tuple(found)


def _difference_holds(claim: Difference, facts: list[Held]) -> bool:
    noun = claim.noun[-1] if claim.noun else ""
    for one in facts:
        if one.noun and noun and noun not in one.noun:
            continue
        for other in facts:
            if one is other or one.value - other.value != claim.value:
                continue
            if other.noun and claim.second & set(other.noun):  # more cups than plates
                return True
            if other.noun and noun and noun not in other.noun:
                continue
            mine, theirs = one.holder - other.holder, other.holder - one.holder
            if claim.first & mine and claim.second & theirs:
                return True
    return False
