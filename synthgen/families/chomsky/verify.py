"""The Chomsky hierarchy benchmark from the text, each task by another method than the family's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import prod

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
_STEPS, _NOTES = _WORDS["steps"], _WORDS["notes"]
_MAX = 500
_LONGEST_SOLUTION = 1_000_000
_BITS = "[01]+"
_INPUTS: Mapping[str, str] = {
    "modular_arithmetic": r"[0-4](?:[-+*][0-4])*",
    "cycle_navigation": "[0-2]+",
    "modular_arithmetic_brackets": r"[-+*()0-4]+",
    "solve_equation": r"00?|[-+()0-4]*x[-+()0-4]*=[0-4]",
    "stack_manipulation": "[01]+[234]*",
    "missing_duplicate_string": "1|(?=(?:..)+3?$)[01]*2[01]*3?",
    "binary_addition": "0|00|01|10|[01]+2[01]+",
    "binary_multiplication": "0|00|01|10|[01]+2[01]+",
    "bucket_sort": "[0-4]+",
}
"""Input pattern of each task; other tasks have bits."""
_TERM = re.compile(r"[-+]?[0-4](?:\*[0-4])*")
_INNERMOST = re.compile(r"\((-?[0-4])(?:([-+*])(-?[0-4]))?\)")
_Problem = tuple[str, str]
"""Task and input."""


@reads(
    _WORDS,
    symbols=holes.pattern(
        rf"[-+*()=x0-4](?: [-+*()=x0-4]){{0,{_MAX - 1}}}", lambda text: text.replace(" ", "")
    ),
    n=holes.NATURAL,
    note=holes.pattern(f"(?:{'|'.join(map(re.escape, _NOTES.values()))})?"),
)
def _read(
    task: str, symbols: str, n: int | None = None, note: str | None = None
) -> _Problem | None:
    if not re.fullmatch(_INPUTS.get(task, _BITS), symbols):
        return None
    if n is not None and n != _length_of_output(task, len(symbols)):
        return None
    if note is not None and note != (_NOTES[task] if _is_too_short(task, symbols) else ""):
        return None
    return task, symbols


def _is_too_short(task: str, text: str) -> bool:
    marks = {"solve_equation": "x", "missing_duplicate_string": "2"}
    return marks.get(task, "2") not in text


def _length_of_output(task: str, length: int) -> int:
    lengths = {"binary_multiplication": length, "compute_sqrt": (length + 1) // 2}
    return lengths.get(task, length + 1)


def _solve(problem: _Problem) -> str | None:
    task, text = problem
    output = _TASKS[task](text)
    return None if output is None else " ".join(output)


def _sums(text: str) -> Iterator[tuple[str, str]]:
    """Yield the terms, each a sign and a product of digits, and their sum so far."""
    total = 0
    for term in _TERM.findall(text):
        total += (-1) ** term.startswith("-") * prod(map(int, re.findall("[0-4]", term)))
        yield term, str(total % 5)


def _rewritten(match: re.Match[str]) -> str:
    """Return the value of a pair of brackets that contains no other."""
    p, operator, q = match.groups()
    if operator is None:
        return str(int(p) % 5)
    return str((int(p) * int(q) if operator == "*" else int(p) + int(f"{operator}1") * int(q)) % 5)


def _reduced(text: str) -> str | None:
    """Replace the innermost brackets by their values until one value is left."""
    while "(" in text:
        text, count = _INNERMOST.subn(_rewritten, text)
        if not count:
            return None
    return str(int(text) % 5) if re.fullmatch("-?[0-4]", text) else None


def _solution(text: str) -> str | None:
    """Try all values of x."""
    expression, _, wanted = text.partition("=")
    roots = [x for x in "01234" if _reduced(expression.replace("x", x)) == wanted]
    return roots[0] if len(roots) == 1 else None if wanted else "0"


def _surviving(text: str) -> str:
    """Return the final stack, read backwards: a pop cancels the next push that it meets."""
    pending, left = 0, ""
    for symbol in reversed(text):
        if symbol == "2":
            pending += 1
        elif pending:
            pending -= 1
        else:
            left += "01"[symbol in "14"]
    return left


def _hidden(text: str) -> str:
    """Return the bit that the other half has in the place of 2."""
    half = len(text) // 2
    pairs = zip(text[:half], text[half : 2 * half], strict=True)
    return next((min(pair) for pair in pairs if "2" in pair), "1")


def _added(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield digits, carry and sum of each column."""
    carry = 0
    p, _, q = text.partition("2")
    for first, second in zip_longest(p, q, fillvalue="0"):
        total = (first == "1") + (second == "1") + carry
        yield first, second, carry, total
        carry = total >> 1


def _sum(text: str) -> str:
    columns = list(_added(text))
    digits = "".join("01"[total & 1] for *_, total in columns) + "01"[columns[-1][3] >> 1]
    return _padded(digits.rstrip("0") or "0", len(text) + 1)


def _shifted(text: str) -> Iterator[tuple[str, int]]:
    """Yield the digits of the second factor, and the sum of the shifted first one so far."""
    p, _, q = text.partition("2")
    total, power = 0, int(p[::-1], 2)
    for digit in q:
        total, power = total + power * (digit == "1"), 2 * power
        yield digit, total


def _product(text: str) -> str:
    if "2" not in text:
        return ("2", "02")[len(text) - 1]
    *_, (_, total) = _shifted(text)
    return _padded(bin(total)[:1:-1], len(text))


def _padded(digits: str, length: int) -> str:
    return digits + "2" + "0" * (length - len(digits) - 1)


def _roots(text: str) -> Iterator[tuple[str, str]]:
    """Extract a square root digit by digit: two digits come down, and a one fits or does not."""
    root, rest, digits = 0, 0, ""
    for end in range(2 - len(text) % 2, len(text) + 1, 2):
        rest = 4 * rest + int(text[max(end - 2, 0) : end], 2)
        fits = rest >= 4 * root + 1
        rest -= (4 * root + 1) * fits
        root = 2 * root + fits
        digits += "01"[fits]
        yield text[:end], digits


_TASKS: Mapping[str, Callable[[str], str | None]] = {
    "even_pairs": lambda text: "01"[text[0] != text[-1]],
    "modular_arithmetic": lambda text: [*_sums(text)][-1][1],
    "parity_check": lambda text: "01"[int(text, 2).bit_count() & 1],
    "cycle_navigation": lambda text: str((text.count("2") - text.count("0")) % 5),
    "modular_arithmetic_brackets": _reduced,
    "reverse_string": lambda text: "".join(reversed(text)),
    "solve_equation": _solution,
    "stack_manipulation": lambda text: _padded(_surviving(text), len(text) + 1),
    "duplicate_string": lambda text: 2 * text,
    "missing_duplicate_string": _hidden,
    "odds_first": lambda text: _regrouped(text, 1),
    "odds_first_as_described": lambda text: _regrouped(text, 0),
    "binary_addition": _sum,
    "binary_multiplication": _product,
    "compute_sqrt": lambda text: [*_roots(text)][-1][1],
    "bucket_sort": lambda text: "".join(digit * text.count(digit) for digit in "01234"),
}


def _regrouped(text: str, first: int) -> str:
    places = sorted(range(len(text)), key=lambda place: (place + first) % 2)
    return "".join(map(text.__getitem__, places))


# Worked solutions: the required lines, as pairs of a part of the input and the result so far.
_Lines = Iterable[tuple[str | int, str | int]]


def _prefixes(parts: Sequence[str], solve: Callable[[str], str | None]) -> _Lines:
    """Yield each part, and the solver's result for the parts so far."""
    for end, part in enumerate(parts, 1):
        yield part, str(solve("".join(parts[:end])))


def _changes(text: str) -> _Lines:
    for place in range(1, len(text)):
        yield text[place - 1 : place + 1], "01"[text[0] != text[place]]


def _reductions(text: str) -> _Lines:
    """Yield the bracket that ends first, again and again."""
    text = text if "(" in text else f"({text})"
    while match := _INNERMOST.search(text):
        text = text[: match.start()] + _rewritten(match) + text[match.end() :]
        yield match[0][1:-1], _rewritten(match)


def _trials(text: str) -> _Lines:
    expression = text.partition("=")[0]
    for x in range(int(_solution(text) or 0) + 1) if "x" in text else ():
        yield f"x={x}", str(_reduced(expression.replace("x", str(x))))


def _actions(text: str) -> _Lines:
    start = re.match("[01]*", text).end()  # type: ignore[union-attr]
    yield text[:start], _surviving(text[:start])
    for end in range(start, len(text)):
        yield text[end], _surviving(text[: end + 1])


def _halves(text: str) -> _Lines:
    half = len(text) // 2
    return [("first", text[:half]), ("second", text[half : half + half])]


_LINES: Mapping[str, Callable[[str], _Lines]] = {
    "even_pairs": _changes,
    "modular_arithmetic": _sums,
    "parity_check": lambda text: _prefixes(text, _TASKS["parity_check"]),
    "cycle_navigation": lambda text: _prefixes(text, _TASKS["cycle_navigation"]),
    "modular_arithmetic_brackets": _reductions,
    "reverse_string": lambda text: ((n, text[n - 1]) for n in range(len(text), 0, -1)),
    "solve_equation": _trials,
    "stack_manipulation": _actions,
    "duplicate_string": lambda text: [("first", text), ("second", text)],
    "missing_duplicate_string": _halves,
    "odds_first": lambda text: [("even", text[1::2]), ("odd", text[::2])],
    "odds_first_as_described": lambda text: zip(
        ("odd", "even"), (text[::2], text[1::2]), strict=True
    ),
    "binary_addition": lambda text: (
        (f"{p}+{q}+{carry}", f"{total & 1}{total >> 1}") for p, q, carry, total in _added(text)
    ),
    "binary_multiplication": lambda text: (
        (digit, bin(total)[:1:-1]) for digit, total in _shifted(text)
    ),
    "compute_sqrt": _roots,
    "bucket_sort": lambda text: ((digit, text.count(digit)) for digit in "01234"),
}


def _written(part: str | int) -> str:
    return str(part) if isinstance(part, int) else _STEPS.get(part, " ".join(part))


def _follows(problem: _Problem, answer: str, lines: Sequence[str]) -> bool:
    task, text = problem
    *steps, last = lines
    expected = [f"{_written(part)}: {_written(value)}" for part, value in _LINES[task](text)]
    return steps == expected and last == _WORDS.line("answer", answer=answer)


_STRINGS = ("reverse_string", "duplicate_string", "compute_sqrt", "bucket_sort")
_WITH_FILL = ("stack_manipulation", "binary_addition", "binary_multiplication")


def _type_of(problem: _Problem) -> str:
    """Return the type of a string, a string whose fill does not count, or a digit."""
    task, _ = problem
    if task in _WITH_FILL:
        return "until:2"
    return "string" if task.startswith((*_STRINGS, "odds_first")) else "integer"


VERIFIERS = {
    "chomsky": PlainVerifier(_read, _solve, _type_of, _follows, longest=_LONGEST_SOLUTION),
}
