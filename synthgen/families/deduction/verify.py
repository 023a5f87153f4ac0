"""Statements from the text of facts and rules.

In a closed world, bounds of what holds are narrowed from both sides until they meet (the
alternating fixpoint). In an open one, facts and rules are clauses of logic, and a search for a
model shows whether the statement, or its negation, contradicts them. Solutions are checked line by
line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from synthgen.authoring import AnswerChecker, PlainVerifier, Words, holes, parts_of, reads
from synthgen.families.deduction.verify_proof import Task, accepts, follows_proof, plain
from synthgen.families.deduction.verify_text import (
    VOCABULARIES,
    WORDS,
    Atom,
    Clause,
    Fact,
    Law,
    opposite,
    theory,
)

_WORDS: Words = WORDS.part("deduction")
_FAILS = parts_of(_WORDS["steps"]["fails"])
_MAX_BRANCHES = 500
_THEORY = holes.pattern(r"[A-Za-z ,.]{3,40000}", theory)
_STATEMENT = holes.pattern(r"[A-Za-z ,]{3,2000}")

_Rule = tuple[frozenset[Atom], Atom]
_Model = dict[str, bool]


class _Question(NamedTuple):
    """What a prompt states and asks of one subject."""

    kind: str
    vocabulary: int
    subject: str
    facts: frozenset[Atom]
    rules: tuple[_Rule, ...]
    asked: Atom


@reads(_WORDS, theory=_THEORY, statement=_STATEMENT)
def _read(
    kind: str, theory: tuple[int, tuple[Fact | Law, ...]], statement: str
) -> _Question | None:
    place, sentences = theory
    asked = VOCABULARIES[place].fact(statement)
    if asked is None or len(asked.clause.parts) > 1:
        return None
    facts, rules = set[Atom](), list[_Rule]()
    for each in sentences:
        last = each.clause if isinstance(each, Fact) else each.conclusion
        if len(last.parts) > 1 or (isinstance(each, Law) and each.conditions.word == "or"):
            return None
        (end,) = last.parts
        if kind == "closed" and not end[1]:
            return None
        if each.subject not in ("", asked.subject):
            continue
        if isinstance(each, Fact):
            facts.add(end)
        else:
            rules.append((each.conditions.parts, end))
    (atom,) = asked.clause.parts
    return _Question(kind, place, asked.subject, frozenset(facts), tuple(rules), atom)


def _solve(question: _Question) -> str | None:
    if question.kind == "closed":
        return _closed(question)
    clauses = [frozenset([fact]) for fact in question.facts]
    clauses += [frozenset([*map(opposite, start), end]) for start, end in question.rules]
    budget = [_MAX_BRANCHES]
    can = [
        _has_model([*clauses, frozenset([atom])], {}, budget)
        for atom in (question.asked, opposite(question.asked))
    ]
    if budget[0] <= 0 or not any(can) or (all(can) and question.kind == "decided"):
        return None
    return "Unknown" if all(can) else str(can[0])


def _closed(question: _Question) -> str | None:
    """Narrow what holds from below and above; None if something stays open."""
    low: set[str] = set()
    while True:
        high = _least(question, low)
        higher = _least(question, high)
        if higher == low:
            break
        low = higher
    name, affirmed = question.asked
    if (name in low) != (name in high):
        return None
    return str((name in low) == affirmed)


def _least(question: _Question, denied: set[str]) -> set[str]:
    """Return what follows if negations hold for all properties but those of a set."""
    known = {name for name, _ in question.facts}
    open_rules = [
        ({name for name, affirmed in start if affirmed}, end[0])
        for start, end in question.rules
        if not any(name in denied for name, affirmed in start if not affirmed)
    ]
    while True:
        more = {end for start, end in open_rules if start <= known} - known
        if not more:
            return known
        known |= more


def _has_model(clauses: Iterable[frozenset[Atom]], model: _Model, budget: list[int]) -> bool:
    """Return whether all clauses can be true, given the values of some properties."""
    budget[0] -= 1
    if budget[0] <= 0:
        return False
    model, changed = dict(model), True
    while changed:
        changed, left = False, []
        for clause in clauses:
            if any(model.get(name) == affirmed for name, affirmed in clause):
                continue
            free = [atom for atom in clause if atom[0] not in model]
            if not free:
                return False
            if len({*free}) == 1:
                model[free[0][0]] = free[0][1]
                changed = True
            else:
                left.append(frozenset(free))
        clauses = left
    if not clauses:
        return True
    name = min(sorted(clauses, key=len)[0])[0]
    return any(_has_model(clauses, model | {name: value}, budget) for value in (False, True))


class _Shown:
    """What the lines of a solution have shown of a subject so far."""

    def __init__(self, question: _Question) -> None:
        self._question = question
        self._closed = question.kind == "closed"
        self.shown: set[Atom] = set()
        self.failed: set[Atom] = set()

    def add(self, line: str) -> Atom | None:
        """Check a line, and return what it is about; None if it does not follow or is not new."""
        before, _, after = _FAILS
        if line.startswith(before) and line.endswith(after):
            atom = self._atom(line[len(before) : len(line) - len(after)])
            new = self.failed
            right = atom is not None and self._fails(atom)
        else:
            conditions, so, conclusion = line[:-1].rpartition(", so ")
            atom = self._atom(conclusion)
            new = self.shown
            right = atom is not None and self._holds(conditions if so else "", atom)
            right = right and line.endswith(".")
        if not right or atom is None or atom in new:
            return None
        new.add(atom)
        return atom

    def _clause(self, text: str) -> Clause | None:
        fact = VOCABULARIES[self._question.vocabulary].fact(text)
        return fact.clause if fact and fact.subject == self._question.subject else None

    def _atom(self, text: str) -> Atom | None:
        clause = self._clause(text)
        return next(iter(clause.parts)) if clause and len(clause.parts) == 1 else None

    def _met(self, atom: Atom) -> bool:
        if self._closed and not atom[1]:
            return opposite(atom) in self.failed
        return atom in self.shown

    def _misses(self, atom: Atom) -> bool:
        if self._closed and not atom[1]:
            return opposite(atom) in self.shown
        return atom in self.failed

    def _holds(self, conditions: str, atom: Atom) -> bool:
        """Return whether a literal is stated, or follows by a rule with these conditions."""
        if not conditions:
            return atom in self._question.facts
        clause = self._clause(conditions)
        return (
            clause is not None
            and clause.word != "or"
            and (clause.parts, atom) in self._question.rules
            and all(map(self._met, clause.parts))
        )

    def _fails(self, atom: Atom) -> bool:
        """Return whether a literal is not stated, and no rule leads to it."""
        return (
            atom not in self._question.facts
            and (atom[1] or not self._closed)
            and all(
                any(map(self._misses, start)) for start, end in self._question.rules if end == atom
            )
        )


def _follows(question: _Question, answer: str, lines: Sequence[str]) -> bool:
    """Check that each line follows, and that the last one settles the answer."""
    state = _Shown(question)
    last = None
    for line in lines:
        last = state.add(line)
        if last is None:
            return False
    asked = question.asked
    if question.kind == "closed":
        affirmed = (asked[0], True)
        holds = affirmed in (state.shown if asked[1] == (answer == "True") else state.failed)
        return last == affirmed and holds
    if answer == "Unknown":
        return {asked, opposite(asked)} <= state.failed and last in (asked, opposite(asked))
    wanted = asked if answer == "True" else opposite(asked)
    return last == wanted and wanted in state.shown


@reads(WORDS.part("proofs"), theory=_THEORY, statement=_STATEMENT)
def _read_task(theory: tuple[int, tuple[Fact | Law, ...]], statement: str) -> Task | None:
    place, sentences = theory
    goal = VOCABULARIES[place].fact(statement)
    if goal is None:
        return None
    own = [each for each in sentences if each.subject in ("", goal.subject)]
    facts = frozenset(each.clause for each in own if isinstance(each, Fact))
    laws = tuple((each.conditions, each.conclusion) for each in own if isinstance(each, Law))
    return Task(place, goal.subject, goal.clause, facts, laws)


VERIFIERS = {
    "deduction": PlainVerifier(_read, _solve, "label", _follows),
    "deduction_proofs": AnswerChecker(_read_task, accepts, follows_proof, plain=plain),
}
