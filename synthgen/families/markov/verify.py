"""Rewriting programs from the text, run with the string methods of Python.

The problem is the text between the last two backticks of a prompt, or the whole prompt if there are
none. A dictionary of all states detects one that recurs. If the order of rules is free, it must be
proven that the order does not matter, by all words that can follow from an overlap of rules.

problem  = [ strategy " : " ] rule { " ; " rule } " | " side [ " ? " question ] " ="
rule     = side ( " > " | " >. " ) side [ " @" scope ]
side     = letters and digits, or "_" for none
question = "rule" | "status " steps " " length | steps
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

from synthgen.authoring import WorkedVerifier, problem_of

_LETTERS = ascii_lowercase + ascii_uppercase + digits
_SIDE = r"(_|[A-Za-z0-9]+)"
_RULE = re.compile(
    rf"{_SIDE} >(\.?) {_SIDE}"
    r"(?: @(rightmost|all_nonoverlap|all_parallel|prefix|suffix|whole))?",
    re.ASCII,
)
_QUESTION = re.compile(rf"{_SIDE}(?: \? (rule|[0-9]{{1,5}}|status [0-9]{{1,5}} [0-9]{{1,5}}))? =")
_STRATEGIES = ("round_robin", "sequential_once", "any_order")
_MAX_LIMIT = 10_000
"""No run is followed for more steps than this, and no word is longer."""
_MAX_RIGHT = 1_000
"""Letters of the longest right side; one step may write it once for each letter of the word."""
_MAX_FREE_RULES, _MAX_FREE_SIDE = 64, 64
_MAX_WORDS = 500
_MAX_WORK = 1 << 31
_OVERHEAD = 16
"""Cost of trying a rule or visiting a letter, in comparisons of letters."""


class _Rule(NamedTuple):
    lhs: str
    stop: bool
    rhs: str
    scope: str


class _Problem(NamedTuple):
    """A problem from a prompt; `limits` are the numbers of its question."""

    strategy: str
    rules: tuple[_Rule, ...]
    word: str
    question: str
    limits: tuple[int, ...]


class _TooMuchError(Exception):
    """A row that takes more work than any row of the family."""


class _Work:
    """Budget of work for a row."""

    def __init__(self) -> None:
        self._left = _MAX_WORK

    def search(self, word: str, sides: int) -> None:
        """Count a search for left sides of this many letters in a word."""
        self._left -= (len(word) + _OVERHEAD) * (sides + _OVERHEAD)
        if self._left < 0:
            raise _TooMuchError


def _read(prompt: str) -> _Problem | None:
    """Read a problem from its bare form, None for anything else."""
    text = problem_of(prompt)
    if text.count(" | ") != 1:
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
    rules = tuple(
        _Rule(_letters(m[1]), bool(m[2]), _letters(m[3]), m[4] or "leftmost")
        for m in matches
        if m is not None
    )
    word, words = _letters(tail[1]), (tail[2] or "run").split(" ")
    numbers = words if words[0].isdigit() else words[1:]
    limits = tuple(map(int, numbers))
    if [*map(str, limits)] != numbers or max(limits, default=0) > _MAX_LIMIT:
        return None
    question = "steps" if words[0].isdigit() else words[0]
    problem = _Problem(strategy, rules, word, question, limits)
    return problem if _is_possible(problem) else None


def _letters(side: str) -> str:
    return "" if side == "_" else side


def _is_possible(problem: _Problem) -> bool:
    if len(problem.word) > (problem.limits[1] if problem.question == "status" else _MAX_LIMIT):
        return False
    rules = problem.rules
    if problem.strategy == "any_order":
        plain = all(rule.scope == "leftmost" and not rule.stop for rule in rules)
        if problem.question != "run" or not plain:
            return False
    return all(
        len(rule.rhs) <= _MAX_RIGHT and (rule.lhs or not rule.scope.startswith("all_"))
        for rule in rules
    )


# Runs.


def _work(problem: _Problem) -> tuple[str | None, list[str]]:
    """Return the answer, or None if there is none, and the lines of the run or the search."""
    if problem.question == "rule":
        return _searched(problem)
    work = _Work()
    try:
        free = problem.strategy == "any_order"
        if free and not _order_is_free([(rule.lhs, rule.rhs) for rule in problem.rules], work):
            return None, []
        end, word, lines = _run(problem, work)
    except _TooMuchError:
        return None, []
    if problem.question == "status":
        return end.split(" ")[0], [*lines, end]
    if problem.question == "steps":
        return (word or "_") if len(lines) == problem.limits[0] else None, [*lines, "done"]
    return (word or "_") if end in ("blocked", "stopped") else None, [*lines, end]


def _searched(problem: _Problem) -> tuple[str, list[str]]:
    """Return the first rule that matches, or "none", and a line for each rule up to it."""
    lines: list[str] = []
    for number, rule in enumerate(problem.rules, 1):
        place = _place(rule, problem.word)
        if place >= 0:
            return str(number), [*lines, f"{number}@{place}"]
        lines.append(f"{number} -")
    return "none", [*lines, "none"]


def _run(problem: _Problem, work: _Work) -> tuple[str, str, list[str]]:
    """Return how the run ends, its last word, and a line for each step."""
    max_steps, max_length = _MAX_LIMIT, _MAX_LIMIT
    if problem.question == "status":
        max_steps, max_length = problem.limits
    elif problem.question == "steps":
        max_steps = problem.limits[0]
    recurs = problem.strategy != "sequential_once" and problem.question != "steps"
    sides = sum(len(rule.lhs) + _OVERHEAD for rule in problem.rules)
    word, first = problem.word, 0
    lines: list[str] = []
    seen: dict[tuple[str, int], int] = {}
    while True:
        before = seen.setdefault((word, first), len(lines)) if recurs else len(lines)
        if before < len(lines):
            return f"loop {before} {len(lines) - before}", word, lines
        work.search(word, sides)
        number, place = _fires(problem, word, first)
        if number < 0 or len(lines) == max_steps:
            return "blocked" if number < 0 else "budget", word, lines
        new = _rewritten(problem, word, number, place)
        if len(new) > max_length:
            return "overflow", word, lines
        word = new
        lines.append(f"{number + 1}@{place} {word or '_'}")
        if problem.rules[number].stop:
            return "stopped", word, lines
        if problem.strategy == "round_robin":
            first = (number + 1) % len(problem.rules)
        elif problem.strategy == "sequential_once":
            first = number + 1


def _fires(problem: _Problem, word: str, first: int) -> tuple[int, int]:
    """Return the rule that fires, searching from rule `first`, and its place; else -1 and -1."""
    rules = problem.rules
    around = range(first) if problem.strategy == "round_robin" else ()
    for number in (*range(first, len(rules)), *around):
        place = _place(rules[number], word)
        if place >= 0:
            return number, place
    return -1, -1


def _place(rule: _Rule, word: str) -> int:
    """Return the place of a rule's first match by its scope, or -1."""
    lhs, scope = rule.lhs, rule.scope
    if scope == "rightmost":
        return word.rfind(lhs)
    if scope == "prefix":
        return 0 if word.startswith(lhs) else -1
    if scope == "suffix":
        return len(word) - len(lhs) if word.endswith(lhs) else -1
    if scope == "whole":
        return 0 if word == lhs else -1
    return word.find(lhs)


def _rewritten(problem: _Problem, word: str, number: int, place: int) -> str:
    """Return the word after a rule has fired at a place."""
    lhs, _, rhs, scope = problem.rules[number]
    if scope == "all_nonoverlap":
        return word.replace(lhs, rhs)
    if scope != "all_parallel":
        return word[:place] + rhs + word[place + len(lhs) :]
    together = [rule for rule in problem.rules if rule.scope == "all_parallel"]
    meaning = {rule.lhs: rule.rhs for rule in reversed(together)}
    # The first alternative that matches wins, as the first rule does.
    pattern = "|".join(re.escape(rule.lhs) for rule in together)
    return re.sub(pattern, lambda match: meaning[match[0]], word)


# Free orders.

_Pairs = Sequence[tuple[str, str]]
"""Left and right sides of rules."""


def _order_is_free(rules: _Pairs, work: _Work) -> bool:
    """Return whether every word has one result, in whichever order and place rules are used.

    Every rule must reduce one measure: length and place in the dictionary, or the pairs of letters
    in the wrong order. Then it is enough that wherever two rules overlap, all words that can follow
    have one result (Knuth and Bendix 1970); if these are too many, only the first result after
    either rule is compared.
    """
    sides = all(0 < len(lhs) <= _MAX_FREE_SIDE for lhs, _ in rules)
    if len(rules) > _MAX_FREE_RULES or not sides:
        return False
    if not all(_rank(rhs) < _rank(lhs) for lhs, rhs in rules) and not all(
        sorted(lhs) == sorted(rhs) and _disorder(rhs) < _disorder(lhs) for lhs, rhs in rules
    ):
        return False
    return all(_meet(rules, peak, work) for peak in _peaks(rules))


def _rank(word: str) -> tuple[int, list[int]]:
    return len(word), [_LETTERS.index(char) for char in word]


def _disorder(word: str) -> int:
    _, order = _rank(word)
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])


def _peaks(rules: _Pairs) -> Iterator[tuple[str, str, str]]:
    """Yield the shortest words in which two rules overlap, and the words that either gives."""
    for i, (lhs, rhs) in enumerate(rules):
        for j, (other, new) in enumerate(rules):
            for at in range(int(i == j), len(lhs)):
                tail = lhs[at:]
                if tail.startswith(other):
                    yield lhs, rhs, lhs[:at] + new + tail[len(other) :]
                elif other.startswith(tail):
                    more = other[len(tail) :]
                    yield lhs + more, rhs + more, lhs[:at] + new


def _meet(rules: _Pairs, peak: tuple[str, str, str], work: _Work) -> bool:
    """Return whether all words that follow from a peak have one result."""
    word, first, second = peak
    words, ends = [word], set()
    for word in words:
        after = set()
        for lhs, rhs in rules:
            work.search(word, len(lhs) * _OVERHEAD)
            after |= {
                word[:at] + rhs + word[at + len(lhs) :]
                for at in range(len(word))
                if word.startswith(lhs, at)
            }
        words += sorted(after - set(words))
        if not after:
            ends.add(word)
        if len(words) > _MAX_WORDS:
            return _first_result(rules, first, work) == _first_result(rules, second, work)
    return len(ends) == 1


def _first_result(rules: _Pairs, word: str, work: _Work) -> str:
    sides = sum(len(lhs) + _OVERHEAD for lhs, _ in rules)
    while True:
        work.search(word, sides)
        fires = next((rule for rule in rules if rule[0] in word), None)
        if fires is None:
            return word
        word = word.replace(*fires, 1)


def _type_of(problem: _Problem) -> str:
    return "label" if problem.question in ("rule", "status") else "string"


VERIFIERS = {"markov": WorkedVerifier(_read, _work, _type_of)}
