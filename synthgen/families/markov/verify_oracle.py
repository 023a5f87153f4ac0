"""The oracle of rewriting programs: plain strings, a dictionary of states, and free orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

from synthgen.authoring.problem_text import problem_of

_LETTERS = ascii_lowercase + ascii_uppercase + digits
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
_MOST_FREE_RULES, _MOST_FREE_SIDE = 64, 64
_MOST_WORDS = 500
_MOST_FREE_STEPS = 50_000


class _Rule(NamedTuple):
    lhs: str
    stop: bool
    rhs: str
    scope: str


class _Problem(NamedTuple):
    """What a prompt asks; `limits` are its numbers."""

    strategy: str
    rules: list[_Rule]
    word: str
    question: str
    limits: tuple[int, ...]


class _TooMuchError(Exception):
    """A run that exceeds its share of work."""


def exact_answer(prompt: str) -> str | None:
    """Return the right answer to a prompt, or None if it has none within sensible limits."""
    problem = _read(problem_of(prompt))
    if problem is None or not _order_is_settled(problem):
        return None
    if problem.question == "rule":
        found = _fires(problem, problem.word, 0)
        return "none" if found is None else str(found + 1)
    try:
        status, word, steps = _run(problem)
    except _TooMuchError:
        return None
    if problem.question == "status":
        return status
    if problem.question == "steps":
        return (word or "_") if steps == problem.limits[0] else None
    return (word or "_") if status in ("blocked", "stopped") else None


def has_one_result(prompt: str) -> bool:
    """Return whether the order of rules is given or cannot matter."""
    problem = _read(problem_of(prompt))
    return problem is not None and _order_is_settled(problem)


def _order_is_settled(problem: _Problem) -> bool:
    if problem.strategy != "any_order":
        return True
    marked = any(rule.stop or rule.scope != "leftmost" for rule in problem.rules)
    if problem.question != "run" or marked:
        return False
    return _order_is_free([(rule.lhs, rule.rhs) for rule in problem.rules])


def _read(text: str) -> _Problem | None:
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
        _Rule(_letters(m[1]), bool(m[2]), _letters(m[3]), m[4] or "leftmost")
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
    return _Problem(strategy, rules, word, question, limits)


def _letters(side: str) -> str:
    return "" if side == "_" else side


def _matches(rule: _Rule, word: str) -> bool:
    if rule.scope == "prefix":
        return word.startswith(rule.lhs)
    if rule.scope == "suffix":
        return word.endswith(rule.lhs)
    if rule.scope == "whole":
        return word == rule.lhs
    return rule.lhs in word


def _fires(problem: _Problem, word: str, first: int) -> int | None:
    """Return the rule that fires, where the strategy's search begins with rule `first`."""
    order = list(range(first, len(problem.rules)))
    if problem.strategy == "round_robin":
        order += range(first)
    for number in order:
        if _matches(problem.rules[number], word):
            return number
    return None


def _rewritten(problem: _Problem, word: str, number: int) -> str:
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


def _run(problem: _Problem) -> tuple[str, str, int]:
    """Return how the run ends, its last word and its steps."""
    most_steps, most_length = _MOST_LIMIT, _MOST_LIMIT
    if problem.question == "status":
        most_steps, most_length = problem.limits
    elif problem.question == "steps":
        most_steps = problem.limits[0]
    cost = sum(len(rule.lhs) + 1 for rule in problem.rules)
    word, first, work = problem.word, 0, 0
    seen: set[tuple[str, int]] = set()
    for steps in range(most_steps + 1):
        if (word, first) in seen and problem.question != "steps":
            return "loop", word, steps
        if problem.strategy != "sequential_once":
            seen.add((word, first))
        work += (len(word) + 1) * cost
        if work > _MOST_WORK:
            raise _TooMuchError
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


# Free orders.

_Pairs = Sequence[tuple[str, str]]
"""Left and right sides of rules."""


def _order_is_free(rules: _Pairs) -> bool:
    """Return whether every word has one result, whichever rule is used wherever it matches.

    Every rule must reduce one measure: length and place in the dictionary, or the pairs of letters
    in the wrong order. Then it is enough that wherever two rules overlap, all that the word can
    become leads to one result (Knuth and Bendix 1970); if that is much, the first result of either
    rule is compared.
    """
    sides = all(0 < len(lhs) <= _MOST_FREE_SIDE for lhs, _ in rules)
    if len(rules) > _MOST_FREE_RULES or not sides:
        return False
    if not all(_rank(rhs) < _rank(lhs) for lhs, rhs in rules) and not all(
        sorted(lhs) == sorted(rhs) and _disorder(rhs) < _disorder(lhs) for lhs, rhs in rules
    ):
        return False
    return all(_meet(rules, *peak) for peak in _peaks(rules))


def _rank(word: str) -> tuple[int, list[int]]:
    return len(word), [_LETTERS.index(char) for char in word]


def _disorder(word: str) -> int:
    _, order = _rank(word)
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])


def _peaks(rules: _Pairs) -> Iterator[tuple[str, str, str]]:
    """Yield the shortest words in which two rules overlap, and what either makes of them."""
    for i, (lhs, rhs) in enumerate(rules):
        for j, (other, new) in enumerate(rules):
            for at in range(int(i == j), len(lhs)):
                tail = lhs[at:]
                if tail.startswith(other):
                    yield lhs, rhs, lhs[:at] + new + tail[len(other) :]
                elif other.startswith(tail):
                    more = other[len(tail) :]
                    yield lhs + more, rhs + more, lhs[:at] + new


def _meet(rules: _Pairs, peak: str, one: str, two: str) -> bool:
    words, ends = [peak], set()
    for word in words:
        after = {
            word[:at] + rhs + word[at + len(lhs) :]
            for lhs, rhs in rules
            for at in range(len(word))
            if word.startswith(lhs, at)
        }
        words += sorted(after - set(words))
        if not after:
            ends.add(word)
        if len(words) > _MOST_WORDS:
            last = _first_result(rules, one)
            return last is not None and last == _first_result(rules, two)
    return len(ends) == 1


def _first_result(rules: _Pairs, word: str) -> str | None:
    for _ in range(_MOST_FREE_STEPS):
        fires = next((rule for rule in rules if rule[0] in word), None)
        if fires is None:
            return word
        word = word.replace(*fires, 1)
    return None
