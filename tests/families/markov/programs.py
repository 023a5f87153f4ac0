"""Rewriting programs for tests: hand-worked runs, and bare prompts written and read."""

from itertools import combinations
from typing import Any, NamedTuple

from tests.families.verdicts import Verdicts

VERDICTS = Verdicts("markov")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
DATA = "ab"
REVERSAL = [
    *((f"P{x}", f"{x}PQ{x}", False) for x in DATA),
    *((f"Q{x}{y}", f"{y}Q{x}", False) for x in DATA for y in DATA),
    *((f"PQ{x}", f"{x}P", False) for x in DATA),
    ("P", "", True),
    ("", "P", False),
]
"""Word -> word + reverse(word), as published; P and Q are the markers alpha and beta."""
REVERSED = {"a": 4, "": 2, "ab": 7, "abb": 11, "aab": 11, "baab": 16, "abab": 16}
"""Steps of it."""
REVERSAL_TRACE = [
    *("9@0 Pabb", "0@0 aPQabb", "3@2 aPbQab", "1@1 abPQbQab"),
    *("3@5 abPQbbQa", "5@3 abPbQbQa", "1@2 abbPQbQbQa", "7@3 abbbPQbQa"),
    *("7@4 abbbbPQa", "6@5 abbbbaP", "8@6 abbbba"),
]
"""Rule (from 0), place and word of each of its steps on abb."""
UNARY = [("i0", "0ii", False), ("1", "0i", False), ("0", "", False)]
"""Binary to unary, with i for the bar."""
UNARIES = {"101": (5, 8), "110": (6, 9), "1010": (10, 14), "0": (0, 1), "1": (1, 2)}
"""Bars and steps of it."""
ENDS = [
    ([("a", "b", False), ("b", "a", False)], "a", "loop", "a", 2),
    ([("a", "aa", False)], "a", "budget", None, 50),
    ([("ba", "ab", False)], "bbaa", "blocked", "aabb", 4),
    ([("", "x", True)], "ab", "stopped", "xab", 1),
    ([("aa", "b", False), ("a", "", True)], "aaa", "stopped", "b", 2),
]
"""Rules, word, status, last word and steps, within 50 steps and 200 letters."""


class Rule(NamedTuple):
    lhs: str
    rhs: str
    stop: bool
    scope: str


class Problem(NamedTuple):
    rules: list[Rule]
    strategy: str
    word: str
    question: str
    numbers: list[int]


def text(rules: list[Rule], word: str, question: str = "", strategy: str = "") -> str:
    """Write a bare prompt."""
    listed = " ; ".join(
        f"{rule.lhs or '_'} >{'.' if rule.stop else ''} {rule.rhs or '_'}"
        + ("" if rule.scope == "leftmost" else f" @{rule.scope}")
        for rule in rules
    )
    start = f"{strategy} : " if strategy not in ("", "markov_priority") else ""
    return f"{start}{listed} | {word or '_'}{f' ? {question}' if question else ''} ="


def parse(prompt: str) -> Problem:
    """Read a bare prompt that is known to be right."""
    program, rest = prompt.removesuffix(" =").split(" | ")
    strategy, colon, rules = program.rpartition(" : ")
    word, _, question = rest.partition(" ? ")
    read = []
    for rule in rules.split(" ; "):
        lhs, arrow, rhs, *mark = rule.split(" ")
        scope = mark[0][1:] if mark else "leftmost"
        read.append(Rule(lhs.strip("_"), rhs.strip("_"), arrow == ">.", scope))
    kind, *numbers = question.split(" ") if question else ["run"]
    if kind.isdigit():
        kind, numbers = "apply_k", [kind]
    kind = {"rule": "next_rule"}.get(kind, kind)
    strategy = strategy if colon else "markov_priority"
    return Problem(read, strategy, word.strip("_"), kind, [int(number) for number in numbers])


def accepted(problem: Problem, answer: str, **changes: Any) -> bool:
    """Whether an answer is right for a problem, or for one that is changed in some respects."""
    problem = problem._replace(**changes)
    words = {"run": "", "apply_k": "", "next_rule": "rule", "status": "status"}
    question = " ".join([words[problem.question], *map(str, problem.numbers)]).strip()
    prompt = text(problem.rules, problem.word, question, problem.strategy)
    return VERDICTS.accepts(prompt, answer)


def reduced(rules: list[Rule]) -> str:
    """What every rule reduces."""

    def rank(side: str) -> list[int]:
        return [LETTERS.index(char) for char in side]

    def disorder(side: str) -> int:
        return sum(a > b for a, b in combinations(rank(side), 2))

    sides = [rule[:2] for rule in rules]
    if all(len(rhs) < len(lhs) for lhs, rhs in sides):
        return "length"
    same = all(sorted(lhs) == sorted(rhs) for lhs, rhs in sides)
    if same and all(disorder(rhs) < disorder(lhs) for lhs, rhs in sides):
        return "order"
    smaller = all((len(rhs), rank(rhs)) < (len(lhs), rank(lhs)) for lhs, rhs in sides)
    return "shortlex" if smaller else "none"


def results(rules: list[Rule], word: str) -> set[str]:
    """Every word without a match that can be reached by any rules at any places."""
    words, ends = [word], set()
    for one in words:
        after = {
            one[:at] + rule.rhs + one[at + len(rule.lhs) :]
            for rule in rules
            for at in range(len(one))
            if one.startswith(rule.lhs, at)
        }
        words += after - set(words)
        if not after:
            ends.add(one)
    return ends
