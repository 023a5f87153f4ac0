"""Proofs checked sentence by sentence: each with the sets of assumptions on which it depends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from synthgen.authoring import filled
from synthgen.families.deduction.verify_text import (
    VOCABULARIES,
    WORDS,
    Clause,
    Fact,
    Law,
    cuts,
    opposite,
    sentence,
)

_STEPS = WORDS["proofs"]["steps"]
_MAX_SENTENCES, _MAX_SETS, _MAX_CHARACTERS = 400, 64, 600
_ASSUME = re.compile(r"Assume (?:that )?([^.]+)\.")
_CONTRADICTS = re.compile(r"This contradicts (?:the fact that |with |that )?([^.]+)\.")

Needs = frozenset[Clause]
"""Assumptions on which a sentence depends."""


class Task(NamedTuple):
    """Facts about a subject, rules, and what is to be proved."""

    vocabulary: int
    subject: str
    goal: Clause
    facts: frozenset[Clause]
    laws: tuple[tuple[Clause, Clause], ...]


class _Proof:
    """What the sentences of a proof have shown so far."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._known: dict[Clause, set[Needs]] = {fact: {frozenset()} for fact in task.facts}
        self._absurd: set[Needs] = set()
        self.last: Clause | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the last sentence is the goal, without an assumption."""
        return self.last == self._task.goal and frozenset() in self._known[self._task.goal]

    def add(self, text: str) -> set[str]:
        """Return the steps by which a sentence follows, none if it does not, and keep it."""
        self.last = None
        if match := _ASSUME.fullmatch(text):
            return self._assume(self._clause(match[1]))
        if match := _CONTRADICTS.fullmatch(text):
            return self._contradict(self._clause(match[1]))
        if text.startswith("Since "):
            ways = cuts(text.removeprefix("Since ").removesuffix("."), ", ")
            right = (right for left, right in ways if self._clause(left) in self._known)
            return self._state(next(filter(None, map(self._clause, right)), None))
        read = sentence(self._task.vocabulary, text)
        if isinstance(read, Law):
            same = (read.conditions, read.conclusion) in self._task.laws
            return {"given"} if same else set()
        return self._state(self._own(read))

    def _clause(self, text: str) -> Clause | None:
        return self._own(VOCABULARIES[self._task.vocabulary].fact(text))

    def _own(self, fact: Fact | None) -> Clause | None:
        return fact.clause if fact and fact.subject == self._task.subject else None

    def _assume(self, clause: Clause | None) -> set[str]:
        if clause is None:
            return set()
        self._keep(clause, [frozenset([clause])])
        return {"assumption"}

    def _contradict(self, clause: Clause | None) -> set[str]:
        """Note that a literal and its negation are both known."""
        if clause is None or clause.word or clause not in self._known:
            return set()
        other = self._known.get(_denied(clause), set())
        self._absurd = _smallest(self._absurd | {a | b for a in self._known[clause] for b in other})
        return {"contradicts"} if other else set()

    def _state(self, clause: Clause | None) -> set[str]:
        """Return the steps by which a statement follows, and keep it."""
        if clause is None:
            return set()
        steps = [*self._steps(clause)]
        self._keep(clause, [needs for _, needs in steps])
        self.last = clause
        return {step for step, _ in steps}

    def _keep(self, clause: Clause, needs: Iterable[Needs]) -> None:
        self._known[clause] = _smallest({*self._known.get(clause, ()), *needs})

    def _steps(self, clause: Clause) -> Iterator[tuple[str, Needs]]:
        """Yield steps that lead to a statement, and on what it then depends."""
        for needs in self._known.get(clause, ()):
            yield "given" if clause in self._task.facts else "repeated", needs
        for conditions, conclusion in self._task.laws:
            if conclusion == clause:
                for needs in self._known.get(conditions, ()):
                    yield "modus_ponens", needs
        for other, sets in [*self._known.items()]:
            if other.word == "and" and clause.word != "or" and clause.parts < other.parts:
                yield from (("and_elim", needs) for needs in sets)
            if clause.word == "or" and other.word != "and" and other.parts < clause.parts:
                yield from (("or_intro", needs) for needs in sets)
            if other.word == "or":
                yield from (("or_elim", needs) for needs in self._by_cases(other, clause))
        if clause.word == "and":
            singles = [self._known.get(Clause(frozenset([each])), ()) for each in clause.parts]
            yield from (("and_intro", needs) for needs in _united(singles))
        if not clause.word:
            yield from (("contradiction", needs - {_denied(clause)}) for needs in self._absurd)

    def _by_cases(self, whole: Clause, clause: Clause) -> Iterator[Needs]:
        """Yield what a statement depends on that follows in each case of a disjunction."""
        sets = [
            [needs - {case} for needs in self._known.get(clause, ()) if case in needs]
            for case in (Clause(frozenset([each])) for each in whole.parts)
        ]
        yield from _united([[*self._known[whole]], *sets])


def _denied(clause: Clause) -> Clause:
    return Clause(frozenset(map(opposite, clause.parts)))


def _united(choices: Sequence[Iterable[Needs]]) -> Iterator[Needs]:
    """Yield the unions of one set of each kind."""
    merged: set[Needs] = {frozenset()}
    for sets in choices:
        merged = _smallest({a | b for a, b in product(merged, sets)})
    yield from merged


def _smallest(sets: set[Needs]) -> set[Needs]:
    """Return the sets that contain no other one."""
    kept: list[Needs] = []
    for each in sorted(sets, key=len):
        if len(kept) < _MAX_SETS and not any(one <= each for one in kept):
            kept.append(each)
    return {*kept}


def _sentences(text: str) -> list[str]:
    """Split a proof into sentences with their full stops."""
    return [f"{each}." for each in text.removesuffix(".").split(". ")]


def accepts(task: Task, answer: str) -> bool:
    """Check each sentence of a proof, and that the last one is the goal."""
    return answer.endswith(".") and _checked(task, _sentences(answer)) is not None


def _checked(task: Task, sentences: Sequence[str]) -> list[set[str]] | None:
    """Return the steps by which each sentence follows; None if the proof is wrong."""
    if len(sentences) > _MAX_SENTENCES or max(map(len, sentences)) > _MAX_CHARACTERS:
        return None
    proof, steps = _Proof(task), []
    for each in sentences:
        steps.append(proof.add(each))
        if not steps[-1]:
            return None
    return steps if proof.is_complete else None


def follows_proof(task: Task, answer: str, lines: Sequence[str]) -> bool:
    """Compare the lines with the sentences of the answer, and the names of their steps."""
    sentences = _sentences(answer)
    steps = _checked(task, sentences)
    return (
        steps is not None
        and len(lines) == len(sentences)
        and all(
            any(line == filled(_STEPS[step], {"sentence": each}) for step in known & _STEPS.keys())
            for line, each, known in zip(lines, sentences, steps, strict=True)
        )
    )


def plain(_: Task, answer: str) -> str:
    """Return a proof with single spaces, one after each comma, and one full stop at its end."""
    text = " ".join(answer.replace(",", ", ").split())
    return f"{text.rstrip('. ')}."
