"""Texts of rewriting problems: prompts, answers and traces.

A prompt is `[strategy :] lhs > rhs [@scope] ; ... | word [? question] =` with `>.` for a stop rule
and `_` for the empty string, as in `ba > ab ; c >. _ | bbcaa =` or `any_order : ba > ab | bba =`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from synthgen.core.columns import Ragged
from synthgen.families.markov.engine import (
    LETTERS,
    N_RULES,
    SCOPES,
    STATUSES,
    STEPS,
    STRATEGIES,
    TASKS,
    Letters,
    Program,
    Question,
    Trace,
    empty_program,
    empty_trace,
    run_problem,
)

_CHARS = LETTERS.encode().ljust(256)
"""Character of each code."""


class Written(NamedTuple):
    """Bare prompts, answers and traces of problems."""

    prompts: list[str]
    answers: list[str]
    traces: list[str]


def write_problems(problems: Ragged) -> Written:
    """Write problems in their bare form."""
    written = Written([], [], [])
    program, trace = empty_program(), empty_trace()
    for at in problems.offsets[:-1].tolist():
        question = run_problem(problems.values, at, program, trace)
        task = TASKS[question[0]]
        answer, lines = _search(program, trace) if task == "next_rule" else _run(task, trace)
        written.prompts.append(_prompt(question, program, trace))
        written.answers.append(answer)
        written.traces.append("\n".join(lines))
    return written


def _letters(codes: Letters) -> str:
    return codes.tobytes().translate(_CHARS).decode()


def _prompt(question: Question, program: Program, trace: Trace) -> str:
    task, first, second = question
    count, strategy, _ = program.head.tolist()
    columns, rules = program.rules[:count].tolist(), []
    sides = _letters(program.sides)
    for lhs, lhs_size, rhs, rhs_size, stop, scope in columns:
        left, right = sides[lhs : lhs + lhs_size] or "_", sides[rhs : rhs + rhs_size] or "_"
        mark = f" @{SCOPES[scope]}" if scope > 0 else ""
        rules.append(f"{left} >{'.' * stop} {right}{mark}")
    before = f"{STRATEGIES[strategy]} : " if strategy > 0 else ""
    asked = ("", " ? rule", f" ? status {first} {second}", f" ? {first}")[task]
    word = _letters(trace.words[: trace.starts[1]]) or "_"
    return f"{before}{' ; '.join(rules)} | {word}{asked} ="


def _search(program: Program, trace: Trace) -> tuple[str, list[str]]:
    """Return the rule that fires first, and a line for each rule up to it."""
    fires = trace.outcome[STEPS] > 0
    first = int(trace.rules[0] if fires else program.head[N_RULES])
    fails = [f"{number} -" for number in range(1, first + 1)]
    if not fires:
        return "none", [*fails, "none"]
    return str(first + 1), [*fails, f"{first + 1}@{trace.places[0]}"]


def _run(task: str, trace: Trace) -> tuple[str, list[str]]:
    """Return the answer, and a line for each step and one for the end."""
    status, steps, loop_start = trace.outcome.tolist()
    starts = trace.starts[: steps + 2].tolist()
    text = _letters(trace.words[: starts[-1]])
    words = [text[begin:end] or "_" for begin, end in pairwise(starts)]
    made = zip(trace.rules[:steps].tolist(), trace.places[:steps].tolist(), words[1:], strict=True)
    lines = [f"{rule + 1}@{place} {word}" for rule, place, word in made]
    if task == "apply_k":
        return words[-1], [*lines, "done"]
    end = STATUSES[status]
    loop = f" {loop_start} {steps - loop_start}" if end == "loop" else ""
    return end if task == "status" else words[-1], [*lines, f"{end}{loop}"]
