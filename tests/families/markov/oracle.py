"""Rewriting programs for tests: letter by letter, with a list of all states."""

import re
from itertools import pairwise
from typing import Any, NamedTuple

from tests.families.verdicts import Verdicts

VERDICTS = Verdicts("markov")
QUESTIONS = {"run": "", "status": "status", "apply_k": ""}
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


def places(rule: Rule, word: str) -> list[int]:
    """Every place where a rule can match, the one it takes first."""
    size = len(rule.lhs)
    found = [at for at in range(len(word) - size + 1) if word[at : at + size] == rule.lhs]
    if rule.scope == "rightmost":
        return found[::-1]
    if rule.scope == "prefix":
        return [at for at in found if at == 0]
    if rule.scope == "suffix":
        return [at for at in found if at + size == len(word)]
    if rule.scope == "whole":
        return found if size == len(word) else []
    return found


def inversions(word: str) -> int:
    order = [LETTERS.index(char) for char in word]
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])


def why_halting(rules: list[Rule]) -> str:
    """What every rule reduces."""

    def rank(side: str) -> tuple[int, list[int]]:
        return len(side), [LETTERS.index(char) for char in side]

    if all(len(rule.rhs) < len(rule.lhs) for rule in rules):
        return "length"
    if all(
        sorted(rule.lhs) == sorted(rule.rhs) and inversions(rule.rhs) < inversions(rule.lhs)
        for rule in rules
    ):
        return "order"
    return "shortlex" if all(rank(rule.rhs) < rank(rule.lhs) for rule in rules) else "none"


def bound(problem: Problem, why: str) -> int:
    """Steps that a program can take at most."""
    word = problem.word
    if why in ("none", "length", "order"):
        return {"none": 0, "length": len(word), "order": inversions(word)}[why]
    sides = "".join(rule.lhs + rule.rhs for rule in problem.rules)
    used = sorted({*word, *sides}, key=LETTERS.index)
    shorter = sum(len(used) ** size for size in range(len(word)))
    value = sum(used.index(char) * len(used) ** k for k, char in enumerate(word[::-1]))
    return int(shorter + value)


def axes(prompt: str, answer: str, trace: str) -> dict[str, Any]:
    """All axes of a bare prompt with its trace."""
    problem = parse(prompt)
    question, rules = problem.question, problem.rules
    lines = [re.split("[@ ]", line) for line in trace.split("\n") if "@" in line]
    steps = [(int(rule) - 1, int(place)) for rule, place, *_ in lines]
    words = [problem.word, *(line[2].strip("_") for line in lines if line[2:])]
    scopes = {rule.scope for rule in rules}
    status, *loop = trace.split("\n")[-1].split(" ")
    start, length = map(int, loop or ("-1", "0"))
    why = why_halting(rules)
    return {
        "question": question,
        "status": status if question in ("run", "status") else "open",
        "strategy": problem.strategy,
        "scope": scopes.pop() if len(scopes) == 1 else "mixed",
        "terminating": why,
        "n_steps": len(steps),
        "n_rules": len(rules),
        "n_fired": len({rule for rule, _ in steps}),
        "has_stop": int(any(rule.stop for rule in rules)),
        "n_stop_rules": sum(rule.stop for rule in rules),
        "word_length": len(problem.word),
        "answer_length": len(answer.strip("_")) if question in ("run", "apply_k") else 0,
        "answer_letters": len({*answer.strip("_")}) if question in ("run", "apply_k") else 0,
        "n_growing": sum(len(rule.rhs) > len(rule.lhs) for rule in rules),
        "feeds_itself": int(any(rule.lhs in rule.rhs for rule in rules)),
        "longest_word": max(map(len, words)),
        "longest_side": max(max(len(rule.lhs), len(rule.rhs)) for rule in rules),
        "loop_start": start,
        "loop_length": length,
        "first_rule": steps[0][0] + 1 if steps else 0,
        "first_place": steps[0][1] if steps else -1,
        "bound": bound(problem, why),
        "first_bin": first_bin(problem, steps),
        "n_adjacent": len({(a[0], b[0]) for a, b in pairwise(steps)}),
        "n_needed": len(needed(problem, {rule for rule, _ in steps}, answer)),
        "confluent": confluent(rules, why),
    }


def first_bin(problem: Problem, steps: list[tuple[int, int]]) -> int:
    """Tenth of its possible places that the first match is in."""
    if not steps:
        return -1
    rule, place = steps[0]
    return 10 * place // (len(problem.word) - len(problem.rules[rule].lhs) + 1)


def needed(problem: Problem, fired: set[int], answer: str) -> list[int]:
    """Rules that fire and without which the answer is another one."""
    if problem.question == "next_rule":
        return sorted(fired)
    found, strategy = [], problem.strategy.replace("any_order", "markov_priority")
    for number in fired:
        rules = [rule for i, rule in enumerate(problem.rules) if i != number]
        if not rules or not accepted(problem._replace(rules=rules, strategy=strategy), answer):
            found.append(number)
    return found


def accepted(problem: Problem, answer: str) -> bool:
    question = " ".join([QUESTIONS[problem.question], *map(str, problem.numbers)]).strip()
    prompt = text(problem.rules, problem.word, question, problem.strategy)
    return VERDICTS.accepts(prompt, answer)


def confluent(rules: list[Rule], why: str) -> str:
    """Whether all words in which two left sides overlap have one result each."""
    if why == "none" or any(rule.stop or rule.scope != "leftmost" for rule in rules):
        return "unknown"
    for i, one in enumerate(rules):
        for j, other in enumerate(rules):
            for shift in range(int(i == j), len(one.lhs)):
                word = one.lhs[:shift] + other.lhs
                word += one.lhs[len(word) :]
                if word.startswith(one.lhs) and len(results(rules, word)) > 1:
                    return "no"
    return "yes"


def results(rules: list[Rule], word: str) -> set[str]:
    """Every word without a match that can be reached by any rules at any places."""
    words, ends = [word], set()
    for one in words:
        after = {
            one[:at] + rule.rhs + one[at + len(rule.lhs) :]
            for rule in rules
            for at in places(rule, one)
        }
        words += after - set(words)
        if not after:
            ends.add(one)
    return ends
