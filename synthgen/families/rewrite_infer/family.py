"""Inference about string rewriting: the rule from pairs of strings, or the input from the output.

A problem is kept only if its answer is unique, which is checked by trying all candidates: every
rule that explains all pairs (the answer is the one with the fewest letters), or every place of the
output that the rule may have written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from operator import eq
from string import ascii_lowercase
from typing import NamedTuple

from synthgen.authoring import (
    Axis,
    Condition,
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    Words,
    bounded,
    equal_to,
    levelled,
    params,
)

TASKS = ("rule", "input")
_MAX_LETTERS = 60
_MAX_PAIRS = 10
_ATTEMPTS = 60
"""Problems drawn for an address until one has a unique answer."""
_ABSENT = 30
"""Attempts to draw a string without x for a pair that must not change."""


class Rule(NamedTuple):
    """A rule x > y."""

    x: str
    y: str

    def apply(self, text: str) -> str:
        """Replace the leftmost x."""
        return text.replace(self.x, self.y, 1)

    def __str__(self) -> str:
        return f"{self.x} > {self.y or '_'}"


@levelled("lhs_length + rhs_length", 1, 2, 3, 4, 5, 6)
@dataclass(frozen=True)
class RewriteInfer(PlainFamily):
    """Rules x > y, applied once at the leftmost x, inferred from their results.

    Attributes:
        task: "rule", find the shortest rule that explains all pairs of input and output; or
            "input", find the string of given length that a rule turns into a given one.
        alphabet: Letters of all strings.
        min_pairs, max_pairs: Number of pairs for the task "rule".
        min_input, max_input: Length of the inputs.
        min_lhs, max_lhs, min_rhs, max_rhs: Lengths of x and y; y may be empty.
        p_noop: Probability that a pair has no x and does not change.
    """

    task: str = params.choice("rule", TASKS)
    alphabet: str = params.characters("abcd", ascii_lowercase, fewest=2)
    min_pairs: int = params.integer(2, 1, _MAX_PAIRS, up_to="max_pairs")
    max_pairs: int = params.integer(5, 1, _MAX_PAIRS)
    min_input: int = params.integer(4, 1, _MAX_LETTERS, up_to="max_input")
    max_input: int = params.integer(10, 1, _MAX_LETTERS)
    min_lhs: int = params.integer(1, 1, _MAX_LETTERS, up_to="max_lhs")
    max_lhs: int = params.integer(3, 1, _MAX_LETTERS, up_to="min_input")
    min_rhs: int = params.integer(0, 0, _MAX_LETTERS, up_to="max_rhs")
    max_rhs: int = params.integer(3, 0, _MAX_LETTERS)
    p_noop: float = params.number(0.2, 0, 1, open_at=1)

    version = 4
    verifier = "rewrite_infer"
    words = Words.beside(__file__)
    answer_type = "string"
    symbols = {
        "infer": (1, _MAX_PAIRS),
        "pair": 2,
        "invert": 3,
        "rule": 2,
        "string": (0, 2 * _MAX_LETTERS),
        **{f"length{n}": 0 for n in range(1, _MAX_LETTERS + 1)},
        **dict.fromkeys(ascii_lowercase, 0),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        lengths = range(self.min_input, self.max_input + 1)
        inputs = sum(len(self.alphabet) ** length for length in lengths)
        if self.task == "rule" and inputs < self.max_pairs:
            raise ParamError("max_pairs", self.max_pairs, f"at most the {inputs} different inputs")

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        pairs = self.max_pairs if self.task == "rule" else 0
        low, high = self.min_input, self.max_input
        longest = high + max(0, self.max_rhs - self.min_lhs)
        return {
            "asked": Axis("what is asked for", values=TASKS),
            "n_pairs": Axis("pairs, 0 where the input is asked for", low=0, high=pairs),
            "n_noop": Axis("pairs that do not change", low=0, high=pairs),
            "lhs_length": Axis("letters of x", low=self.min_lhs, high=self.max_lhs),
            "rhs_length": Axis("letters of y", low=self.min_rhs, high=self.max_rhs),
            "input_length": Axis("letters of the longest input", low=low, high=high),
            "output_length": Axis("letters of the longest output", low=0, high=longest),
            "n_candidates": Axis("rules that explain all pairs, or places to try", low=1),
        }

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params can fix."""
        return {
            "asked": equal_to("task"),
            "n_pairs": bounded("min_pairs", "max_pairs", task=("rule",)),
            "lhs_length": bounded("min_lhs", "max_lhs"),
            "rhs_length": bounded("min_rhs", "max_rhs"),
            "input_length": bounded("min_input", "max_input"),
        }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw problems until one has a unique answer; None if none has."""
        for _ in range(_ATTEMPTS):
            n_x = draws.integer(self.min_lhs, self.max_lhs + 1)
            n_y = draws.integer(self.min_rhs, self.max_rhs + 1)
            rule = Rule(self._word(draws, n_x), self._word(draws, n_y))
            if rule.x == rule.y:
                continue
            make = self._make_rule if self.task == "rule" else self._make_input
            problem = make(draws, rule)
            if problem is not None:
                problem.kind, problem.difficulty = self.task, n_x + n_y
                sides: dict[str, int | str] = {"lhs_length": n_x, "rhs_length": n_y}
                problem.axes = {"asked": self.task, **sides, **problem.axes}
                return problem
        return None

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Return the problem as text, and the meaning of the sign _ if it may occur."""
        del draws
        rule, given = problem.data
        empty = self.words["empty"] if self.min_rhs == 0 else ""
        if self.task == "rule":
            text = " ; ".join(f"{before} = {after or '_'}" for before, after in given)
        else:
            text = f"{rule} | {'?' * len(problem.answer)} = {given or '_'}"
        return {"problem": text, "empty": empty}

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Return the results of all rules and inputs to try, and the places where the rule acts.

        Every other rule that explains the shortest changed pair and is not longer fails on another.
        """
        rule, given = problem.data
        if self.task == "rule":
            return [*_failures(rule, given), *(_use(rule, before) for before, _ in given)]
        return list(_attempts(rule, given))

    def _word(self, draws: RowDraws, length: int) -> str:
        return "".join([draws.choice(self.alphabet) for _ in range(length)])

    def _word_with(self, draws: RowDraws, length: int, x: str) -> str:
        """Draw letters with x among them."""
        word = self._word(draws, length)
        place = draws.integer(0, length - len(x) + 1)
        return word[:place] + x + word[place + len(x) :]

    def _make_rule(self, draws: RowDraws, rule: Rule) -> Problem | None:
        """Draw pairs; None if another rule that explains them is not longer.

        They are listed in alphabetical order: in any other, they are the same problem.
        """
        inputs = self._draw_inputs(draws, rule.x)
        pairs = [(text, rule.apply(text)) for text in sorted(inputs)]
        changed = next((pair for pair in pairs if pair[0] != pair[1]), None)
        if changed is None:
            return None
        explaining = [
            candidate
            for candidate in _rules_of(*changed)
            if all(candidate.apply(text) == result for text, result in pairs)
        ]
        size = len(rule.x) + len(rule.y)
        if any(len(x) + len(y) <= size and (x, y) != rule for x, y in explaining):
            return None
        strings = [("pair", _string(text), _string(result)) for text, result in pairs]
        axes = {
            "n_pairs": len(pairs),
            "n_noop": sum(rule.x not in text for text in inputs),
            "input_length": max(map(len, inputs)),
            "output_length": max(len(result) for _, result in pairs),
            "n_candidates": len(explaining),
        }
        return Problem(("infer", *strings), str(rule), axes=axes, data=(rule, pairs))

    def _draw_inputs(self, draws: RowDraws, x: str) -> list[str]:
        """Draw the inputs; none if two are equal, or x occurs in one that must not change."""
        inputs: list[str] = []
        usable = True
        for _ in range(draws.integer(self.min_pairs, self.max_pairs + 1)):
            length = draws.integer(self.min_input, self.max_input + 1)
            if draws.uniform() >= self.p_noop:
                text = self._word_with(draws, length, x)
            else:
                for _ in range(_ABSENT):
                    text = self._word(draws, length)
                    if x not in text:
                        break
                usable = usable and x not in text
            usable = usable and text not in inputs
            inputs.append(text)
        return inputs if usable else []

    def _make_input(self, draws: RowDraws, rule: Rule) -> Problem | None:
        """Draw an input; None if the rule turns another input of its length into its output."""
        length = draws.integer(self.min_input, self.max_input + 1)
        hidden = self._word_with(draws, length, rule.x)
        output = rule.apply(hidden)
        places = _places_of(rule.y, output)
        is_even = len(rule.x) == len(rule.y)  # then the output itself may be the input
        fitting = sum(_is_leftmost(rule, output, place) for place in places)
        if fitting + (is_even and rule.x not in output) != 1:
            return None
        sides = ("rule", _string(rule.x), _string(rule.y))
        axes = {
            "n_pairs": 0,
            "n_noop": 0,
            "input_length": length,
            "output_length": len(output),
            "n_candidates": len(places) + is_even,
        }
        tree = ("invert", sides, _string(output), f"length{length}")
        return Problem(tree, hidden, axes=axes, data=(rule, output))


GENERATORS = {"rewrite_infer": RewriteInfer}


def _string(text: str) -> Tree:
    return ("string", *text)


def _rules_of(before: str, after: str) -> Iterator[Rule]:
    """Yield all rules that turn one string into another, which must differ.

    Such a rule keeps some letters at the beginning and some at the end.
    """
    shorter = min(len(before), len(after))
    prefix, suffix = _common(before, after), _common(before[::-1], after[::-1])
    for left in range(prefix + 1):
        for right in range(min(suffix, shorter - left, len(before) - 1 - left) + 1):
            x = before[left : len(before) - right]
            if before.find(x) == left:
                yield Rule(x, after[left : len(after) - right])


def _common(a: str, b: str) -> int:
    """Return the length of the common beginning of two strings."""
    return len(list(takewhile(bool, map(eq, a, b))))


def _places_of(y: str, output: str) -> list[int]:
    """Return the places of y in an output; an empty y occurs everywhere."""
    return [place for place in range(len(output) + 1) if output.startswith(y, place)]


def _is_leftmost(rule: Rule, output: str, place: int) -> bool:
    """Return whether x in the place of this y of the output would be the leftmost x.

    Any x that begins further left ends before the letters that follow.
    """
    return (output[:place] + rule.x).find(rule.x) == place


def _failures(rule: Rule, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each other rule that explains the shortest changed pair and is not longer.

    The shorter ones come first, then those that act further left.
    """
    changed = min((pair for pair in pairs if pair[0] != pair[1]), key=lambda pair: len(pair[0]))
    others = [(len(x), changed[0].find(x), Rule(x, y)) for x, y in _rules_of(*changed)]
    for size, _, other in sorted(others):
        if size <= len(rule.x) and other != rule:
            text = next(text for text, result in pairs if other.apply(text) != result)
            yield f"{other}: {text} gives {other.apply(text) or '_'}"


def _use(rule: Rule, text: str) -> str:
    before, x, after = text.partition(rule.x)
    if not x:
        return f"{text} does not contain {rule.x}"
    return f"{before}[{x}]{after} > {before}[{rule.y}]{after}"


def _attempts(rule: Rule, output: str) -> Iterator[str]:
    """Yield a line for the output itself, if it may be the input, and for each y of it."""
    tried = [("", output, "")] if len(rule.x) == len(rule.y) else []
    for place in _places_of(rule.y, output):
        tried.append((output[:place], f"[{rule.x}]", output[place + len(rule.y) :]))
    for parts in tried:
        line = "".join(parts)
        result = rule.apply(line.replace("[", "").replace("]", ""))
        yield f"{line} fits" if result == output else f"{line} gives {result or '_'}"
