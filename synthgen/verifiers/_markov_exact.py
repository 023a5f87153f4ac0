"""The slow oracle of rewriting programs: strings of Python, and a dictionary of states seen."""

from __future__ import annotations

import re
from typing import NamedTuple

from synthgen.verifiers._markov_orders import order_is_free
from synthgen.verifiers._problem_text import problem_of

_MOST_TEXT = 200_000
_MOST_LIMIT = 10_000
_MOST_WORK = 1 << 28
_SIDE = r"(_|[A-Za-z0-9]+)"
_RULE = re.compile(
    rf"{_SIDE} >(\.?) {_SIDE}"
    r"(?: @(rightmost|all_nonoverlap|all_parallel|prefix|suffix|whole))?",
    re.ASCII,
)
_QUESTION = re.compile(rf"{_SIDE}(?: \? (rule|[0-9]{{1,5}}|status [0-9]{{1,5}} [0-9]{{1,5}}))? =")
_STRATEGIES = ("round_robin", "sequential_once", "any_order")


class Rule(NamedTuple):
    """A rule of a program."""

    lhs: str
    stop: bool
    rhs: str
    scope: str


class Problem(NamedTuple):
    """What a prompt asks; `limits` are its numbers."""

    strategy: str
    rules: list[Rule]
    word: str
    question: str
    limits: tuple[int, ...]


class TooMuchError(Exception):
    """A run that takes more work than it is given."""


def exact_answer(prompt: str) -> str | None:
    """Return the right answer to a prompt, or None if it has none within sensible limits."""
    problem = read(problem_of(prompt))
    if problem is None or (problem.strategy == "any_order" and not _is_free(problem)):
        return None
    if problem.question == "rule":
        found = _fires(problem, problem.word, 0)
        return "none" if found is None else str(found + 1)
    try:
        status, word, steps = _run(problem)
    except TooMuchError:
        return None
    if problem.question == "status":
        return status
    if problem.question == "steps":
        return (word or "_") if steps == problem.limits[0] else None
    return (word or "_") if status in ("blocked", "stopped") else None


def _is_free(problem: Problem) -> bool:
    """Say whether a problem that leaves the order open has one answer."""
    marked = any(rule.stop or rule.scope != "leftmost" for rule in problem.rules)
    if problem.question != "run" or marked:
        return False
    return order_is_free([(rule.lhs, rule.rhs) for rule in problem.rules])


def read(text: str) -> Problem | None:
    """Read a problem from its bare form, None for anything else."""
    if len(text) > _MOST_TEXT or text.count(" | ") != 1:
        return None
    program, _, rest = text.partition(" | ")
    strategy = ""
    if " : " in program:
        strategy, _, program = program.partition(" : ")
        if strategy not in _STRATEGIES:
            return None
    matches = [_RULE.fullmatch(rule) for rule in program.split(" ; ")]
    tail = _QUESTION.fullmatch(rest)
    if tail is None or None in matches:
        return None
    rules = [
        Rule(_letters(m[1]), bool(m[2]), _letters(m[3]), m[4] or "leftmost")
        for m in matches
        if m is not None
    ]
    if any(not rule.lhs and rule.scope.startswith("all_") for rule in rules):
        return None
    word, asked = _letters(tail[1]), (tail[2] or "run").split(" ")
    numbers = asked if asked[0].isdigit() else asked[1:]
    if any(number != str(int(number)) or int(number) > _MOST_LIMIT for number in numbers):
        return None
    limits = tuple(map(int, numbers))
    question = "steps" if asked[0].isdigit() else asked[0]
    if len(word) > (limits[1] if question == "status" else _MOST_LIMIT):
        return None
    return Problem(strategy, rules, word, question, limits)


def _letters(side: str) -> str:
    return "" if side == "_" else side


def _matches(rule: Rule, word: str) -> bool:
    if rule.scope == "prefix":
        return word.startswith(rule.lhs)
    if rule.scope == "suffix":
        return word.endswith(rule.lhs)
    if rule.scope == "whole":
        return word == rule.lhs
    return rule.lhs in word


def _fires(problem: Problem, word: str, first: int) -> int | None:
    """Return the rule that fires, where the strategy's search begins with rule `first`."""
    order = list(range(first, len(problem.rules)))
    if problem.strategy == "round_robin":
        order += range(first)
    for number in order:
        if _matches(problem.rules[number], word):
            return number
    return None


def _rewritten(problem: Problem, word: str, number: int) -> str:
    """Return the word after a rule that matches has fired."""
    lhs, _, rhs, scope = problem.rules[number]
    if scope == "leftmost":
        return word.replace(lhs, rhs, 1)
    if scope == "rightmost":
        before, _, after = word.rpartition(lhs) if lhs else (word, "", "")
        return before + rhs + after
    if scope == "prefix":
        return rhs + word[len(lhs) :]
    if scope == "suffix":
        return word[: len(word) - len(lhs)] + rhs
    if scope == "whole":
        return rhs
    if scope == "all_nonoverlap":
        return word.replace(lhs, rhs)
    together = [rule for rule in problem.rules if rule.scope == "all_parallel"]
    meaning = {rule.lhs: rule.rhs for rule in reversed(together)}
    # The first alternative that matches wins, as the first rule does.
    pattern = "|".join(re.escape(rule.lhs) for rule in together)
    return re.sub(pattern, lambda match: meaning[match[0]], word)


def _run(problem: Problem) -> tuple[str, str, int]:
    """Return how the run ends, its last word and its steps."""
    most_steps, most_length = _MOST_LIMIT, _MOST_LIMIT
    if problem.question == "status":
        most_steps, most_length = problem.limits
    elif problem.question == "steps":
        most_steps = problem.limits[0]
    cost = [len(rule.lhs) + 1 for rule in problem.rules]
    word, first, work = problem.word, 0, 0
    seen: dict[tuple[str, int], int] = {}
    for steps in range(most_steps + 1):
        if (word, first) in seen and problem.question != "steps":
            return "loop", word, steps
        if problem.strategy != "sequential_once":
            seen[word, first] = steps
        work += (len(word) + 1) * sum(cost)
        if work > _MOST_WORK:
            raise TooMuchError
        number = _fires(problem, word, first)
        if number is None:
            return "blocked", word, steps
        if steps == most_steps:
            break
        new = _rewritten(problem, word, number)
        if len(new) > most_length:
            return "overflow", word, steps
        word = new
        if problem.rules[number].stop:
            return "stopped", word, steps + 1
        if problem.strategy in ("round_robin", "sequential_once"):
            first = number + 1
            if problem.strategy == "round_robin":
                first %= len(problem.rules)
    return "budget", word, most_steps
