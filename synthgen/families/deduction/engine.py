"""Literals and rules about one subject, and what follows from facts by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

NEVER = 1 << 20
"""Depth of a literal that nothing decides, as its rules go in a circle."""


class Literal(NamedTuple):
    """A property, or its negation."""

    name: str
    positive: bool = True

    @property
    def opposite(self) -> Literal:
        """The negation."""
        return Literal(self.name, not self.positive)


class Rule(NamedTuple):
    """Conditions from which a conclusion follows, of one subject, or of any if this is empty."""

    conditions: tuple[Literal, ...]
    conclusion: Literal
    subject: str = ""


class Verdict(NamedTuple):
    """What is known of a literal.

    Attributes:
        holds: Whether it follows from the facts.
        depth: Depth of the smallest tree that decides it; 0 if no rule is needed.
        grounds: Conditions of a rule by which it follows, or one failing condition of each rule.
    """

    holds: bool
    depth: int
    grounds: tuple[Literal, ...] = ()


class Engine:
    """Facts and rules about a subject.

    Args:
        facts: Literals that are stated; only positive ones in a closed world.
        rules: Rules that apply to the subject.
        closed: Whether a literal that does not follow is false. The negation in a condition is
            then met by failure, and rules must not lead from a property back to it.
    """

    def __init__(self, facts: Iterable[Literal], rules: Iterable[Rule], *, closed: bool) -> None:
        self._facts, self._closed = frozenset(facts), closed
        self._rules: dict[Literal, list[Rule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.conclusion, []).append(rule)
        self._known: dict[Literal, Verdict] = {}

    def verdict(self, goal: Literal) -> Verdict:
        """Return whether a literal holds, by the smallest tree that shows it."""
        if goal not in self._known:
            self._known[goal] = Verdict(holds=False, depth=NEVER)
            self._known[goal] = self._decide(goal)
        return self._known[goal]

    def _decide(self, goal: Literal) -> Verdict:
        if goal in self._facts:
            return Verdict(holds=True, depth=0)
        if self._closed and not goal.positive:
            known = self.verdict(goal.opposite)
            return known._replace(holds=not known.holds, grounds=(goal.opposite,))
        shown, failing = [], []
        for rule in self._rules.get(goal, ()):
            parts = [(self.verdict(each), each) for each in rule.conditions]
            misses = [(known.depth, each) for known, each in parts if not known.holds]
            if misses:
                failing.append(min(misses))
            else:
                shown.append((1 + max(known.depth for known, _ in parts), rule.conditions))
        if shown:
            return Verdict(True, *min(shown))
        grounds = tuple(dict.fromkeys(literal for _, literal in failing))
        return Verdict(False, max((1 + depth for depth, _ in failing), default=0), grounds)

    def answer(self, statement: Literal) -> tuple[str, int]:
        """Return the answer to a statement, and how deep the trees are that decide it."""
        known = self.verdict(statement)
        if known.holds or self._closed:
            return ("True" if known.holds else "False"), known.depth
        other = self.verdict(statement.opposite)
        if other.holds:
            return "False", other.depth
        return "Unknown", max(known.depth, other.depth)

    def decided(self, goal: Literal, seen: set[Literal]) -> Iterator[tuple[Literal, Verdict]]:
        """Yield what decides a literal, each once, and last the literal itself."""
        if goal in seen:
            return
        seen.add(goal)
        known = self.verdict(goal)
        for each in known.grounds:
            yield from self.decided(each, seen)
        if goal.positive or not self._closed:
            yield goal, known
