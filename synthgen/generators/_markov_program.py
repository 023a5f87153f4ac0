"""Rewriting programs as plain values, for those who want to run one program alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synthgen.core.checks import check_choice, check_int
from synthgen.core.errors import ParamError
from synthgen.generators import _markov_engine as engine
from synthgen.generators._markov_symbols import LETTERS


@dataclass(frozen=True)
class Rule:
    """A rule lhs -> rhs; an empty left side matches at the border of every word."""

    lhs: str
    rhs: str
    stop: bool = False
    scope: str = "leftmost"

    def __post_init__(self) -> None:
        check_choice("scope", self.scope, engine.SCOPES)
        for name, side in (("lhs", self.lhs), ("rhs", self.rhs)):
            if len(side) > engine.MOST_SIDE or not set(side) <= set(LETTERS):
                raise ParamError(name, side, f"at most {engine.MOST_SIDE} letters and digits")
        if not self.lhs and self.scope in ("all_nonoverlap", "all_parallel"):
            raise ParamError("lhs", self.lhs, f"a letter, as the scope is {self.scope}")


@dataclass(frozen=True)
class Run:
    """What a program does to a word.

    Attributes:
        steps: rule (from 0), place of the match and word after it, step by step.
        status: how the run ends.
        word: the last word that was made.
        loop_start, loop_length: steps before a loop, and steps round it; -1 and 0 without one.
    """

    steps: tuple[tuple[int, int, str], ...]
    status: str
    word: str
    loop_start: int
    loop_length: int


def compiled(rules: Sequence[Rule], strategy: str = "markov_priority") -> engine.Program:
    """Return rules as the kernels read them."""
    check_int("rules", len(rules), 1, engine.MOST_RULES)
    program = engine.empty_program()
    at = 0
    for i, rule in enumerate(rules):
        row = [at, len(rule.lhs), at + len(rule.lhs), len(rule.rhs)]
        program.rules[i] = [*row, int(rule.stop), engine.SCOPES.index(rule.scope)]
        for char in rule.lhs + rule.rhs:
            program.sides[at] = LETTERS.index(char)
            at += 1
    check_choice("strategy", strategy, engine.STRATEGIES)
    program.head[:] = [len(rules), engine.STRATEGIES.index(strategy), 0]
    return program


def run(
    rules: Sequence[Rule],
    word: str,
    strategy: str = "markov_priority",
    max_steps: int = 200,
    max_length: int = 200,
) -> Run:
    """Run a program on a word within limits, see `run_program`.

    Raises:
        ParamError: for limits below 0 or beyond those of the kernels, or a word beyond its own.
    """
    check_int("max_steps", max_steps, 0, 100 * engine.MOST_STEPS)
    check_int("max_length", max_length, len(word), engine.MOST_LENGTH)
    program = compiled(rules, strategy)
    trace = engine.empty_trace(max_steps, max_length)
    trace.words[: len(word)] = [LETTERS.index(char) for char in word]
    trace.starts[1] = len(word)
    engine.run_program(program, trace, max_steps, max_length)
    status, steps, start = trace.outcome.tolist()
    words = [
        "".join(LETTERS[code] for code in trace.words[begin:end].tolist())
        for begin, end in zip(trace.starts[: steps + 1], trace.starts[1 : steps + 2], strict=True)
    ]
    fired, places = trace.rules[:steps].tolist(), trace.places[:steps].tolist()
    return Run(
        steps=tuple(zip(fired, places, words[1:], strict=True)),
        status=engine.STATUSES[status],
        word=words[-1],
        loop_start=start,
        loop_length=steps - start if start >= 0 else 0,
    )
