"""Sums and products from the text, with whole integers."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Context, Decimal, Inexact, localcontext
from functools import cache
from typing import NamedTuple

from synthgen.authoring import Hole, PlainVerifier, Words, exactly, holes, reads

_WORDS = Words.beside(__file__)
_LONGEST_SOLUTION = 1 << 22
_LABEL = "(?:[A-Za-z]{1,2} ?)?"
_DIGITS = holes.pattern(f"{_LABEL}[0-9]++(?:[ _]?{_LABEL}[0-9]++)*")
_MAX_DIGITS = 1_101
_WHOLE = Context(prec=2 * _MAX_DIGITS, traps=[Inexact])
"""Long decimals are written in linear time, integers in quadratic time."""
_NONE: frozenset[str] = frozenset()
_SYMBOL = re.compile("[A-Za-z]+|[0-9]", re.ASCII)


class _Problem(NamedTuple):
    """Two numbers as digits, the highest first, and the format of the answer.

    Attributes:
        labels: Labels in the order in which the operands are written.
    """

    a: str
    b: str
    features: frozenset[str]
    labels: tuple[str, ...]


def _stated(table: str, padding: str) -> Hole:
    """Return the hole that states the format of a task with this kind of padding."""
    known = {
        f" {text}": name
        for name, text in _WORDS[table].items()
        if name == padding or not name.endswith("padded")
    }
    pattern = "".join(f"(?:{re.escape(text)})?" for text in known)
    return Hole(
        pattern,
        lambda text: frozenset(name for sentence, name in known.items() if sentence in text),
    )


def _reader(task: str, padding: str) -> Callable[[str], _Problem | None]:
    """Return the function that reads the prompts of a task."""
    stated = {"statement": _stated("statement", padding), "tags": _stated("tags", padding)}

    @reads(_WORDS.part(task), a=_DIGITS, b=_DIGITS, **stated)
    def read(
        a: str, b: str, statement: frozenset[str] = _NONE, tags: frozenset[str] = _NONE
    ) -> _Problem | None:
        features = statement | tags
        first, second = _decoded(a, features), _decoded(b, features)
        if first is None or second is None or first[1] != second[1]:
            return None
        problem = _Problem(first[0], second[0], features, first[1])
        return problem if _is_written_well(problem) else None

    return read


def _decoded(text: str, features: frozenset[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the digits of an operand and its labels; None if it is not in this format."""
    if "gaps" in features:
        text = text.replace("_", "")
    symbols = text if text.isdigit() else _SYMBOL.findall(text)
    if (" " if "spaces" in features else "").join(symbols) != text:
        return None
    labels: tuple[str, ...] = ()
    if "labels" in features:
        labels, symbols = tuple(symbols[::2]), symbols[1::2]
    digits = "".join(symbols)
    if not digits.isdigit() or len(digits) > _MAX_DIGITS:
        return None
    if len(set(labels)) < len(labels) or any(map(str.isdigit, labels)):
        return None
    return digits[::-1] if "reversed" in features else digits, labels


def _is_written_well(problem: _Problem) -> bool:
    """Return whether the operands have the zeros and labels that the format prescribes."""
    lengths = {len(problem.a), len(problem.b)}
    plain = [str(int(problem.a)), str(int(problem.b))]
    if "padded" in problem.features:
        return lengths == {max(map(len, plain)) + 1} and len(problem.labels) in {0, *lengths}
    return plain == [problem.a, problem.b] and not problem.labels


def _width(problem: _Problem) -> int:
    """Return the fewest digits of the answer."""
    if "product_padded" in problem.features:
        return len(problem.a) + len(problem.b)
    return len(problem.a) if "padded" in problem.features else 1


def _written(problem: _Problem, result: int) -> str:
    """Write a result in the format of the prompt."""
    digits, labels = str(result).zfill(_width(problem)), list(problem.labels)
    if problem.features & {"reversed", "answer_reversed"}:
        digits = digits[::-1]
    if "answer_reversed" in problem.features:
        labels.reverse()
    symbols = list(digits)
    if labels:
        symbols = [symbol for pair in zip(labels, digits, strict=True) for symbol in pair]
    return (" " if "spaces" in problem.features else "").join(symbols)


def _add(problem: _Problem) -> str:
    return _written(problem, int(problem.a) + int(problem.b))


def _multiply(problem: _Problem) -> str:
    return _written(problem, int(problem.a) * int(problem.b))


def _columns(problem: _Problem) -> list[str]:
    """Derive the lines of the columns from the digits of the numbers and of their sum."""
    total = str(int(problem.a) + int(problem.b)).zfill(_width(problem))
    a, b = problem.a.zfill(len(total)), problem.b.zfill(len(total))
    lines = map(_column, a[::-1], b[::-1], total[::-1])
    return [*lines, _WORDS.line("answer", answer=_add(problem))]


@cache
def _column(x: str, y: str, s: str) -> str:
    """Write the line of a column, whose carry is s - x - y modulo 10."""
    carry = (int(s) - int(x) - int(y)) % 10
    total = int(x) + int(y) + carry
    holes = {"x": x, "y": y, "carry": carry, "sum": total, "digit": s, "next": total // 10}
    return _WORDS.line("column", **holes)


def _partials(problem: _Problem) -> list[str]:
    """Derive each total from the lower places of the second number."""
    lines, a, below, before = [], Decimal(problem.a), Decimal(0), Decimal(0)
    shown = "0"
    with localcontext(_WHOLE):
        for place, digit in enumerate(reversed(problem.b)):
            lower = below + Decimal(digit).scaleb(place)
            total = a * lower
            holes = {"part": lower - below, "product": str(total - before), "before": shown}
            shown = str(total)
            lines.append(_WORDS.line("partial", **holes, a=problem.a, total=shown))
            below, before = lower, total
    return [*lines, _WORDS.line("answer", answer=_multiply(problem))]


def _type_of(problem: _Problem) -> str:
    return "string" if problem.features - {"gaps"} else "integer"


VERIFIERS = {
    task: PlainVerifier(
        _reader(task, padding), solve, _type_of, exactly(lines_of), longest=_LONGEST_SOLUTION
    )
    for task, padding, solve, lines_of in (
        ("addition", "padded", _add, _columns),
        ("multiplication", "product_padded", _multiply, _partials),
    )
}
