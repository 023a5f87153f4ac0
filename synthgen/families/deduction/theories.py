"""Theories with a planted tree of exact depth and width, and near misses of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from synthgen.authoring import RowDraws
from synthgen.families.deduction.engine import Literal, Rule

MAX_DEPTH, MAX_WIDTH = 6, 4
N_KINDS, N_TRAITS = 15, 11
"""Properties that a theory needs at most, in chains and elsewhere."""
_SIDES, _FREE, _NOISE, _DEAD = 3, 3, 4, 3


@dataclass(frozen=True)
class Shape:
    """Sizes of a theory.

    Attributes:
        depth: Rules on the way to the statement.
        width: Most conditions of these rules.
        n_distractors: Rules that are not needed.
        closed: Whether what does not follow is false.
        negation: Whether literals may be negative.
    """

    depth: int
    width: int
    n_distractors: int
    closed: bool
    negation: bool


@dataclass
class _Chain:
    """Rules that lead to a literal, the deepest first.

    Attributes:
        base: Condition with which they begin.
        rules: Rules, each with the conclusion of the rule before as its first condition.
    """

    base: Literal
    rules: list[Rule] = field(default_factory=list)


class Theory(NamedTuple):
    """Rules, the facts about each subject, and the property that is asked."""

    rules: tuple[Rule, ...]
    facts: dict[str, frozenset[Literal]]
    asked: str
    negations: int


class Planter:
    """Draws a theory in which the rules are the same for every answer.

    The facts about a subject decide whether its chain of rules begins. Rules that would be a
    shorter way lack a condition.

    Args:
        shape: Sizes of the theory.
        kinds: Names of properties for the chains, in random order.
        traits: Names of other properties, in random order.
        draws: Random draws.
    """

    def __init__(
        self, shape: Shape, kinds: Sequence[str], traits: Sequence[str], draws: RowDraws
    ) -> None:
        self._shape, self._draws = shape, draws
        self._kinds = iter(kinds)
        names = iter(traits)
        self._top = next(names) if shape.depth else next(self._kinds)
        self._sides = [self._signed(next(names)) for _ in range(_SIDES)]
        self._free = [self._signed(next(names)) for _ in range(_FREE)]
        self._noise = [next(names) for _ in range(_NOISE)]
        goals = [Literal(self._top)] + [Literal(self._top, False)] * (not shape.closed)
        self._chains = [self._chain(goal) for goal in goals]
        dead = [self._signed(next(self._kinds), unless=shape.closed) for _ in range(_DEAD)]
        self._decoys, self._ends = self._distractors(dead)

    def theory(self, subjects: Sequence[str], values: Sequence[str]) -> Theory:
        """Draw the facts about subjects for which the property is "True", "False" or "Unknown"."""
        draws = self._draws
        stated = [self._facts(value) for value in values]
        used = {rule.conditions[0].name for rule in self._ends}
        names = [name for name in self._noise if name in used] or self._noise
        most = max(map(len, stated)) + draws.integer(0, 2)
        for facts in stated:
            facts |= {*map(Literal, draws.shuffled(names)[: most - len(facts)])}
        rules = [rule for chain in self._chains for rule in chain.rules]
        conditions = [each for rule in rules for each in rule.conditions]
        ends = [
            rule if draws.integer(0, 4) else rule._replace(subject=draws.choice(subjects))
            for rule in self._ends
        ]
        return Theory(
            (*rules, *self._decoys, *ends),
            dict(zip(subjects, map(frozenset, stated), strict=True)),
            self._top,
            sum(not each.positive for each in conditions),
        )

    def _signed(self, name: str, *, unless: bool = False) -> Literal:
        """Return a property, in a quarter of cases negated."""
        negated = self._shape.negation and not unless and not self._draws.integer(0, 4)
        return Literal(name, not negated)

    def _chain(self, goal: Literal) -> _Chain:
        """Draw rules that lead to a literal in as many steps as the depth."""
        depth, width, draws = self._shape.depth, self._shape.width, self._draws
        if not depth:
            return _Chain(goal)
        chain = _Chain(self._signed(next(self._kinds), unless=self._shape.closed))
        widest, before = draws.integer(0, depth), chain.base
        for step in range(depth):
            count = width if step == widest else draws.integer(1, width + 1)
            conclusion = goal
            if step < depth - 1:
                conclusion = self._signed(next(self._kinds), unless=self._shape.closed)
            conditions = (before, *draws.sample(self._sides, count - 1))
            chain.rules.append(Rule(conditions, conclusion))
            before = self._signed(conclusion.name) if self._shape.closed else conclusion
        return chain

    def _distractors(self, dead: Sequence[Literal]) -> tuple[list[Rule], list[Rule]]:
        """Draw rules for conclusions of the chains that do not apply, and rules that lead away."""
        draws, width = self._draws, self._shape.width or 1
        rules = [rule for chain in self._chains for rule in chain.rules]
        used = [each for rule in rules for each in rule.conditions[1:]]
        count = self._shape.n_distractors
        decoys, ends = [], []
        for _ in range(count // 2 if rules else 0):
            conditions = draws.sample(self._free, draws.integer(1, min(width, 2) + 1))
            if len(conditions) < width and not draws.integer(0, 2):
                conditions.append(draws.choice(self._sides))
            decoys.append(Rule(tuple(conditions), draws.choice(rules).conclusion))
        for place in range(count - len(decoys)):
            end = Literal(self._noise[place % _NOISE] if rules or place else self._top)
            if rules and place > 1 and not draws.integer(0, 4):
                end = draws.choice(rules).conclusion
            more = [draws.choice(used)] if used and not draws.integer(0, 2) else []
            ends.append(Rule((end, *more), dead[place % _DEAD]))
        return decoys, ends

    def _facts(self, value: str) -> set[Literal]:
        """Draw the facts that give the asked property a value."""
        draws = self._draws
        if not self._shape.depth:
            return {chain.base for chain, goal in self._goals(value) if goal}
        used = [each for one in self._chains for rule in one.rules for each in rule.conditions[1:]]
        missing = {self._break(chain) for chain, holds in self._goals(value) if not holds}
        free: dict[Literal, None] = {}
        for decoy in self._decoys:
            own = [each for each in decoy.conditions if each in self._free]
            free.update(dict.fromkeys(own))
            if missing.isdisjoint(own):
                missing.add(draws.choice(own))
        bases = [chain.base for chain in self._chains]
        met = [each for each in dict.fromkeys([*bases, *used]) if each not in missing]
        met += [each for each in free if each not in missing and draws.integer(0, 2)]
        if not self._shape.closed:
            return {*met}
        denied = {each.opposite for each in free if each in missing and not each.positive}
        return {each for each in met if each.positive} | denied

    def _goals(self, value: str) -> Iterator[tuple[_Chain, bool]]:
        """Yield each chain, and whether it must begin for the asked property to have a value."""
        for chain, wanted in zip(self._chains, ("True", "False"), strict=False):
            holds = value == wanted
            if self._shape.closed:
                for rule in chain.rules[:0:-1]:
                    holds = holds == rule.conditions[0].positive
            yield chain, holds

    def _break(self, chain: _Chain) -> Literal:
        """Draw a fact that the deepest rule needs, and no other rule."""
        rules = [*self._decoys, *self._ends, *(rule for one in self._chains for rule in one.rules)]
        uses = Counter(each for rule in rules for each in rule.conditions)
        sides = [each for each in chain.rules[0].conditions[1:] if uses[each] == 1]
        own = [each for each in sides if each.positive or not self._shape.closed]
        return self._draws.choice([chain.base, *own])
