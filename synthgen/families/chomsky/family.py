"""The Chomsky hierarchy benchmark: tasks on strings of symbols, with the published sampling.

A task draws an input and computes its output; both are strings with one character per symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from math import isqrt

from synthgen.authoring import (
    Condition,
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    bounded,
    levelled,
    one_of,
    params,
)
from synthgen.authoring.distractors import misspelt

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["steps"]
_MAX, _OFFERED = 500, 10
_PIECES = {
    base: ["".join(piece) for piece in product("01234"[:base], repeat=size)]
    for base, size in ((2, 10), (3, 6), (5, 4))
}
"""All strings of some length over the first symbols; a longer string is drawn piece by piece."""
_NAMES = {"+": "+", "-": "-", "*": "*", "(": "open", ")": "close", "x": "x", "=": "equals"}
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda p, q: (p + q) % 5,
    "-": lambda p, q: (p - q) % 5,
    "*": lambda p, q: p * q % 5,
}
_Drawn = tuple[str, str]
"""Input and output."""


def _string(draws: RowDraws, base: int, length: int) -> str:
    """Draw symbols 0 to base - 1."""
    pieces = _PIECES[base]
    size = len(pieces[0])
    return "".join([draws.choice(pieces) for _ in range(-(-length // size))])[:length]


def _positive(draws: RowDraws, width: int) -> int:
    """Draw a number from 1 to 2^width - 1."""
    while not (value := int(_string(draws, 2, width), 2)):
        pass
    return value


def _little(value: int, width: int = 0) -> str:
    """Write a number with its least significant digit first."""
    return f"{value:0{width}b}"[::-1]


def _ended(output: str, length: int) -> str:
    """Add the terminator, and zeros up to a length."""
    return f"{output}2".ljust(length, "0")


def _on_digits(base: int, solve: Callable[[str], str]) -> Callable[[RowDraws, int], _Drawn]:
    def draw(draws: RowDraws, length: int) -> _Drawn:
        text = _string(draws, base, length)
        return text, solve(text)

    return draw


def _modular_arithmetic(draws: RowDraws, length: int) -> _Drawn:
    """Draw digits with operators between them; reduce an even length by one."""
    digits = _string(draws, 5, (length + 1) // 2)
    operators = _string(draws, 3, len(digits) - 1).translate(str.maketrans("012", "+-*"))
    text = digits[0] + "".join(map("".join, zip(operators, digits[1:], strict=True)))
    *_, (_, total) = _terms(text)
    return text, str(total)


def _terms(text: str) -> Iterator[tuple[str, int]]:
    """Yield the terms of a sum, with their signs, and the sum so far."""
    total, start = 0, 0
    value = int(text[0])
    for place in range(1, len(text), 2):
        if text[place] == "*":
            value = value * int(text[place + 1]) % 5
            continue
        total = (total + value) % 5
        yield text[start:place], total
        start, value = place, int(f"{text[place]}{text[place + 1]}")
    yield text[start:], (total + value) % 5


def _expression(draws: RowDraws, length: int, operators: str) -> str:
    if length <= 2:
        return "-"[: length - 1] + draws.choice("01234")
    if length <= 4:
        return f"({_expression(draws, length - 2, operators)})"
    left = draws.integer(1, length - 3)
    p = _expression(draws, left, operators)
    operator = draws.choice(operators)
    return f"({p}{operator}{_expression(draws, length - 3 - left, operators)})"


def _values(text: str) -> Iterator[tuple[str, int]]:
    """Yield the content of each pair of brackets, with inner pairs as values, and its value."""
    stack: list[str] = []
    for character in text if len(text) > 2 else f"({text})":
        if character != ")":
            stack.append(character)
            continue
        at = len(stack) - 1
        while stack[at] != "(":
            at -= 1
        inner = "".join(stack[at + 1 :])
        value = _inner_value(inner)
        stack[at:] = [str(value)]
        yield inner, value


def _inner_value(text: str) -> int:
    """Return the value of `p` or `p operator q`, where p and q may have a minus sign."""
    first = 2 if text[0] == "-" else 1
    value = int(text[:first])
    return _OPERATIONS[text[first]](value, int(text[first + 1 :])) if text[first:] else value % 5


def _value(text: str) -> int:
    *_, (_, value) = _values(text)
    return value


def _modular_arithmetic_brackets(draws: RowDraws, length: int) -> _Drawn:
    text = _expression(draws, length, "+-*")
    return text, str(_value(text))


def _solve_equation(draws: RowDraws, length: int) -> _Drawn:
    if length < 3:
        return "0" * length, "0"
    text = _expression(draws, length - 2, "+-")
    at = draws.integer(0, len(text))
    while not text[at].isdigit():
        at = (at + 1) % len(text)
    return f"{text[:at]}x{text[at + 1 :]}={_value(text)}", text[at]


def _stack_manipulation(draws: RowDraws, length: int) -> _Drawn:
    size = draws.integer(1, max(length, 2))
    actions = _string(draws, 3, length - size).translate(str.maketrans("012", "234"))
    text = _string(draws, 2, size) + actions
    *_, (_, stack) = _stacks(text)
    return text, _ended(stack, length + 1)


def _stacks(text: str) -> Iterator[tuple[str, str]]:
    """Yield each action, and the stack after it from top to bottom; first the bits that it has."""
    stack = [symbol for symbol in text if symbol < "2"]
    yield text[: len(stack)], "".join(stack[::-1])
    for action in text[len(stack) :]:
        if action != "2":
            stack.append("01"[action == "4"])
        elif stack:
            stack.pop()
        yield action, "".join(stack[::-1])


def _missing_duplicate_string(draws: RowDraws, length: int) -> _Drawn:
    if length == 1:
        return "1", "1"
    text = 2 * _string(draws, 2, length // 2)
    at = draws.integer(0, len(text))
    return f"{text[:at]}2{text[at + 1 :]}{'3' * (length % 2)}", text[at]


def _operands(draws: RowDraws, length: int) -> tuple[str, int, int]:
    """Draw two numbers and write them with the separator; below three symbols only one."""
    if length <= 2:
        value = draws.integer(0, 2**length - 1)
        return _little(value, length), value, 0
    width = draws.integer(1, length - 1)
    p, q = _positive(draws, width), _positive(draws, length - 1 - width)
    return f"{_little(p, width)}2{_little(q, length - 1 - width)}", p, q


def _binary_addition(draws: RowDraws, length: int) -> _Drawn:
    text, p, q = _operands(draws, length)
    return text, _ended(_little(p + q), length + 1)


def _binary_multiplication(draws: RowDraws, length: int) -> _Drawn:
    text, p, q = _operands(draws, length)
    return text, _ended(_little(p * q) if length > 1 else "", length)


def _compute_sqrt(draws: RowDraws, length: int) -> _Drawn:
    value = _positive(draws, length)
    return f"{value:0{length}b}", f"{isqrt(value):0{(length + 1) // 2}b}"


_TASKS: Mapping[str, Callable[[RowDraws, int], _Drawn]] = {
    "even_pairs": _on_digits(2, lambda text: str((text.count("01") + text.count("10")) % 2)),
    "modular_arithmetic": _modular_arithmetic,
    "parity_check": _on_digits(2, lambda text: str(text.count("1") % 2)),
    "cycle_navigation": _on_digits(3, lambda text: str((sum(map(int, text)) - len(text)) % 5)),
    "modular_arithmetic_brackets": _modular_arithmetic_brackets,
    "reverse_string": _on_digits(2, lambda text: text[::-1]),
    "solve_equation": _solve_equation,
    "stack_manipulation": _stack_manipulation,
    "duplicate_string": _on_digits(2, lambda text: text + text),
    "missing_duplicate_string": _missing_duplicate_string,
    "odds_first": _on_digits(2, lambda text: text[1::2] + text[::2]),
    "odds_first_as_described": _on_digits(2, lambda text: text[::2] + text[1::2]),
    "binary_addition": _binary_addition,
    "binary_multiplication": _binary_multiplication,
    "compute_sqrt": _compute_sqrt,
    "bucket_sort": _on_digits(5, lambda text: "".join(sorted(text))),
}
_PUBLISHED = tuple(task for task in _TASKS if task != "odds_first_as_described")
_DIGITS = (
    *("even_pairs", "modular_arithmetic", "parity_check", "cycle_navigation"),
    *("modular_arithmetic_brackets", "solve_equation", "missing_duplicate_string"),
)
"""Tasks whose answer is a digit."""
_TERMINATED = ("stack_manipulation", "binary_addition", "binary_multiplication")
_PERMUTED = ("reverse_string", "odds_first", "odds_first_as_described")
_SYMBOLS = dict.fromkeys(
    (
        "modular_arithmetic",
        "modular_arithmetic_brackets",
        "cycle_navigation",
        "solve_equation",
        "bucket_sort",
    ),
    "01234",
)
"""Symbols of outputs that have more than 0 and 1."""
_SHORTEST = {
    "solve_equation": 3,
    "missing_duplicate_string": 2,
    **dict.fromkeys(_TERMINATED[1:], 3),
}
"""Shorter inputs have a conventional output."""

# Worked solutions. A line is a part of the input, a colon, and the result so far.
_Lines = Iterable[tuple[str | int, str | int]]


def _walked(parts: Iterable[str], moves: Mapping[str, int], modulus: int) -> _Lines:
    """Yield each part, and the sum of the moves so far."""
    total = 0
    for part in parts:
        total = (total + moves[part]) % modulus
        yield part, total


def _trials(text: str) -> _Lines:
    expression, _, wanted = text.partition("=")
    for digit in "01234" if wanted else "":
        value = _value(expression.replace("x", digit))
        yield f"x={digit}", value
        if str(value) == wanted:
            return


def _halves(text: str) -> _Lines:
    half = len(text) // 2
    return [("first", text[:half]), ("second", text[half : 2 * half])]


def _columns(text: str) -> _Lines:
    p, _, q = text.partition("2")
    width = max(len(p), len(q))
    carry = 0
    for first, second in zip(p.ljust(width, "0"), q.ljust(width, "0"), strict=True):
        total = int(first) + int(second) + carry
        yield f"{first}+{second}+{carry}", f"{total:02b}"[::-1]
        carry = total // 2


def _partial_products(text: str) -> _Lines:
    p, _, q = text.partition("2")
    total = 0
    for shift, digit in enumerate(q):
        total += int(digit) * int(p[::-1], 2) << shift
        yield digit, _little(total)


def _roots(text: str) -> _Lines:
    """Yield the digits read so far in pairs, and the root of that number."""
    for end in range(2 - len(text) % 2, len(text) + 1, 2):
        root = isqrt(int(text[:end], 2))
        yield text[:end], f"{root:0{(end + 1) // 2}b}"


_CHANGES = {"00": 0, "01": 1, "10": 1, "11": 0}
_SOLUTIONS: Mapping[str, Callable[[str], _Lines]] = {
    "even_pairs": lambda text: _walked(map("".join, pairwise(text)), _CHANGES, 2),
    "modular_arithmetic": _terms,
    "parity_check": lambda text: _walked(text, {"0": 0, "1": 1}, 2),
    "cycle_navigation": lambda text: _walked(text, {"0": 4, "1": 0, "2": 1}, 5),
    "modular_arithmetic_brackets": _values,
    "solve_equation": _trials,
    "stack_manipulation": _stacks,
    "reverse_string": lambda text: zip(range(len(text), 0, -1), text[::-1], strict=True),
    "duplicate_string": lambda text: [("first", text), ("second", text)],
    "missing_duplicate_string": _halves,
    "odds_first": lambda text: [("even", text[1::2]), ("odd", text[::2])],
    "odds_first_as_described": lambda text: [("odd", text[::2]), ("even", text[1::2])],
    "binary_addition": _columns,
    "binary_multiplication": _partial_products,
    "compute_sqrt": _roots,
    "bucket_sort": lambda text: ((digit, text.count(digit)) for digit in "01234"),
}


@levelled("length", 2, 4, 7, 10, 20, 30, 40, 100, 200, 400)
@dataclass(frozen=True)
class Chomsky(PlainFamily):
    """Strings of symbols, each with one of the tasks of the benchmark.

    Attributes:
        tasks: Names of tasks, each drawn equally often; by default the 15 of the published code.
            Its text describes another order for odds_first: odds_first_as_described.
        min_length, max_length: Symbols of the input, 1 to 500, each length equally often. The task
            modular_arithmetic has odd lengths only, and shortens even ones by one.
    """

    tasks: tuple[str, ...] = params.choices(_PUBLISHED, tuple(_TASKS))
    min_length: int = params.integer(1, 1, _MAX, up_to="max_length")
    max_length: int = params.integer(40, 1, _MAX)

    version = 2
    verifier = "chomsky"
    words = _WORDS
    answer_type = {
        task: "integer" if task in _DIGITS else "until:2" if task in _TERMINATED else "string"
        for task in _TASKS
    }
    symbols = {
        **dict.fromkeys(_TASKS, 1),
        **{f"string{length}": length for length in range(1, _MAX + 1)},
        **dict.fromkeys(_NAMES.values(), 0),
    }
    own_axes = {
        "length": axis("symbols of the input", "min_length", "max_length"),
        "n_output": axis("symbols of the output", 1, 2 * _MAX),
        "n_scored": axis("first symbols of the output that count: the accuracy mask", 1, 2 * _MAX),
        "degenerate": axis("1 if the input is too short for the task", 0, 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        is_even = self.min_length == self.max_length and self.max_length % 2 == 0
        if self.tasks == ("modular_arithmetic",) and is_even:
            wanted = (
                "an odd number, as min_length is the same and tasks are only modular_arithmetic"
            )
            raise ParamError("max_length", self.max_length, wanted)

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The task, and the length where it does not depend on the task."""
        others = tuple((task,) for task in _TASKS if task != "modular_arithmetic")
        length = bounded("min_length", "max_length", tasks=others)
        return {"subtype": one_of("tasks"), "length": length}

    @cached_property
    def _codes(self) -> Mapping[str, int]:
        """Codes of tasks, of strings by their symbol `string5`, and of characters."""
        code = self.signature.code
        digits = {digit: code[digit] for digit in "01234"}
        return {**code, **digits, **{sign: code[name] for sign, name in _NAMES.items()}}

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a task and a length, and let the task draw its input."""
        task = draws.choice(self.tasks)
        text, output = _TASKS[task](draws, draws.integer(self.min_length, self.max_length + 1))
        length, degenerate = len(text), len(text) < _SHORTEST.get(task, 1)
        if length < self.min_length:
            return None
        n_scored = output.index("2") + 1 if task in _TERMINATED else len(output)
        codes = self._codes
        note = _WORDS["notes"][task] if degenerate else ""
        return Problem(
            tree=[codes[task], codes[f"string{length}"], *map(codes.__getitem__, text)],
            answer=" ".join(output),
            holes={"symbols": " ".join(text), "n": len(output), "note": note},
            kind=task,
            axes={
                "length": length,
                "n_output": len(output),
                "n_scored": n_scored,
                "degenerate": int(degenerate),
            },
            difficulty=length,
            data=text,
        )

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Write the output with mistakes: other symbols of the task before its terminator."""
        output = problem.answer.replace(" ", "")
        scored = output[: int(problem.axes["n_scored"]) - (problem.kind in _TERMINATED)]
        rest = output[len(scored) :]
        signs = "" if problem.kind in _PERMUTED else _SYMBOLS.get(problem.kind, "01")
        if problem.kind == "duplicate_string":
            made = [
                2 * half for half in misspelt(scored[: len(scored) // 2], signs, draws, _OFFERED)
            ]
        else:
            made = misspelt(scored, signs, draws, _OFFERED)
        if problem.kind == "bucket_sort":
            made = [tuple(sorted(each)) for each in made]
        return [" ".join([*each, *rest]) for each in made]

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the result for each part of the input, and the answer."""
        pairs = _SOLUTIONS[problem.kind](problem.data)
        lines = [f"{_shown(part)}: {_shown(value)}" for part, value in pairs]
        return [*lines, _WORDS.line("answer", answer=problem.answer)]


def _shown(part: str | int) -> str:
    if isinstance(part, int):
        return str(part)
    return str(_STEPS.get(part, " ".join(part)))


GENERATORS = {"chomsky": Chomsky}
