"""Statements to prove by rules of natural deduction.

A proof is planted from its end: a rule for the last step is drawn, then what it needs is proved in
one step less, until facts are left, which the prompt states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    axis,
    filled,
    levelled,
    params,
)
from synthgen.families.deduction.engine import Literal
from synthgen.families.deduction.texts import (
    LEXICONS,
    SYMBOLS,
    WORDS,
    Formula,
    Lexicon,
    capital,
    shuffled,
    symbol_of,
)

_WORDS = WORDS.part("proofs")
_LINES = _WORDS["lines"]
RULES = ("and_intro", "and_elim", "or_intro", "or_elim", "contradiction")
_WITH_ASSUMPTIONS = ("or_elim", "contradiction")
_SETS = (
    "modus_ponens",
    *("+".join(names) for n in range(1, len(RULES) + 1) for names in combinations(RULES, n)),
)
_MAX_DEPTH, _MAX_WIDTH, _MAX_DISTRACTORS, _TRIES = 6, 4, 12, 24
_MOST_NAMES, _OFFERED = 26, 12


class Line(NamedTuple):
    """A sentence of a proof: its step, and what it states."""

    step: str
    formula: Formula
    premise: tuple[Formula, Formula] | None = None
    disjunction: Formula | None = None


class _NoNameError(Exception):
    """The vocabulary has no further properties."""


@dataclass
class Plan:
    """A proof in the making.

    Attributes:
        allowed: Rules of deduction besides modus ponens.
        width: Parts of conjunctions and disjunctions.
        names: Properties that do not occur yet.
        draws: Random draws.
        facts: Formulas that are stated.
        rules: Conditions and conclusions.
        lines: Sentences in order.
        used: Rules of deduction in the proof.
    """

    allowed: tuple[str, ...]
    width: int
    names: Iterator[str]
    draws: RowDraws
    facts: list[Formula] = field(default_factory=list)
    rules: list[tuple[Formula, Formula]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def fresh(self) -> Formula:
        """Return a property that does not occur yet."""
        name = next(self.names, None)
        if name is None:
            raise _NoNameError
        return Formula((Literal(name),))

    def _several(self, first: Formula, word: str) -> Formula:
        """Return a compound of a literal and fresh ones."""
        parts = [*first.parts, *(self.fresh().parts[0] for _ in range(self.width - 1))]
        return Formula(tuple(self.draws.shuffled(parts)), word)

    def goal(self, depth: int) -> Formula:
        """Draw what is to be proved in so many steps."""
        shapes = {"": ("and_elim", "or_elim"), "and": ("and_intro",), "or": ("or_intro",)}
        words = ("and", "or") if depth else ()
        possible = {"", *(word for word in words if f"{word}_intro" in self.allowed)}
        if "contradiction" in self.allowed and depth > 1:
            possible.add("not")
            shapes["not"] = ("contradiction",)
        needed = [word for word in possible if not self._missing.isdisjoint(shapes[word])]
        options = needed if needed and self.draws.integer(0, 4) else possible
        kind = self.draws.choice(sorted(options))
        first = self.fresh()
        if kind == "not":
            return Formula((first.parts[0].opposite,))
        return self._several(first, kind) if kind else first

    @property
    def _missing(self) -> set[str]:
        """Rules that are allowed and not used yet."""
        return {*self.allowed} - self.used

    def prove(self, goal: Formula, depth: int) -> None:
        """Add facts and rules from which a goal follows in this depth, and its proof."""
        if not depth:
            self.facts.append(goal)
            self.lines.append(Line("given", goal))
            return
        options = [each for each in self._steps(goal, depth) if each in self.allowed]
        missing = [each for each in options if each in self._missing]
        step = "modus_ponens"
        if missing and self.draws.integer(0, 4):
            step = self.draws.choice(missing)
        elif options and self.draws.integer(0, 2):
            step = self.draws.choice(options)
        self.used.add(step)
        getattr(self, f"_{step}")(goal, depth)

    @staticmethod
    def _steps(goal: Formula, depth: int) -> Iterator[str]:
        """Yield the rules besides modus ponens that can be the last step to a goal."""
        if goal.word:
            yield f"{goal.word}_intro"
            return
        yield "and_elim"
        if depth > 1:
            yield "or_elim"
            if not goal.parts[0].positive:
                yield "contradiction"

    def _apply(self, conditions: Formula, goal: Formula) -> None:
        """Add a rule, its sentence and its conclusion."""
        self.rules.append((conditions, goal))
        self.lines.append(Line("given", goal, premise=(conditions, goal)))
        self.lines.append(Line("modus_ponens", goal))

    # One method for each rule: it proves what the rule needs, and adds the last step.

    def _modus_ponens(self, goal: Formula, depth: int) -> None:
        conditions = self.goal(depth - 1)
        self.prove(conditions, depth - 1)
        self._apply(conditions, goal)

    def _and_intro(self, goal: Formula, depth: int) -> None:
        deepest = self.draws.integer(0, len(goal.parts))
        for place, part in enumerate(goal.parts):
            below = depth - 1 if place == deepest else self.draws.integer(0, min(depth, 2))
            self.prove(Formula((part,)), below)
        self.lines.append(Line("and_intro", goal))

    def _and_elim(self, goal: Formula, depth: int) -> None:
        whole = self._several(goal, "and")
        if depth == 1:
            self.prove(whole, 0)
        else:
            self._modus_ponens(whole, depth - 1)
        self.lines.append(Line("and_elim", goal))

    def _or_intro(self, goal: Formula, depth: int) -> None:
        self.prove(Formula((self.draws.choice(goal.parts),)), depth - 1)
        self.lines.append(Line("or_intro", goal))

    def _or_elim(self, goal: Formula, depth: int) -> None:
        whole = self._several(self.fresh(), "or")
        below = self.draws.integer(0, 2) * (depth - 1)  # the way to the cases, or in the first one
        if below:
            self._modus_ponens(whole, below)
        else:
            self.prove(whole, 0)
        for place, part in enumerate(whole.parts):
            self._assumed(part, goal, 1 if below or place else depth - 1)
        self.lines.append(Line("or_elim", goal, disjunction=whole))

    def _contradiction(self, goal: Formula, depth: int) -> None:
        refuted = self.fresh()
        denied = Formula((refuted.parts[0].opposite,))
        below = self.draws.integer(0, 2) * (depth - 1)  # the way to the denial, or to its opposite
        self.prove(denied, below)
        self._assumed(goal.parts[0].opposite, refuted, 1 if below else depth - 1)
        self.lines.append(Line("contradicts", denied))
        self.lines.append(Line("contradiction", goal))

    def _assumed(self, literal: Literal, goal: Formula, depth: int) -> None:
        """Lead from an assumption to a goal by rules."""
        at = Formula((literal,))
        self.lines.append(Line("assumption", at))
        if depth > 1 and "or_intro" in self.allowed and self.draws.integer(0, 2):
            at, depth = self._several(at, "or"), depth - 1
            self.used.add("or_intro")
            self.lines.append(Line("or_intro", at))
        for _ in range(depth - 1):
            further = self.fresh()
            self._apply(at, further)
            at = further
        self._apply(at, goal)

    def distract(self, count: int) -> None:
        """Add rules that lead away from what is proved, or to it from what is not given."""
        parts = [each for line in self.lines for each in line.formula.parts]
        known = [Formula((each,)) for each in dict.fromkeys(parts)]
        conditions = [conditions for conditions, _ in self.rules] or known
        dead, missing, extra = self.fresh(), self.fresh(), self.fresh()
        self.facts.append(extra)
        for _ in range(count):
            if self.draws.integer(0, 2):
                self.rules.append((self.draws.choice([*conditions, extra]), dead))
            else:
                self.rules.append((missing, self.draws.choice(known)))


class _Made(NamedTuple):
    """A problem: subject, goal, proof, facts and rules."""

    lexicon: Lexicon
    subject: str
    goal: Formula
    lines: tuple[Line, ...]
    facts: tuple[Formula, ...]
    rules: tuple[tuple[Formula, Formula], ...]


@levelled("depth + width", 4, 5, 6, 7, 8, 9, 10)
@dataclass(frozen=True)
class DeductionProofs(PlainFamily):
    """Prove a statement step by step; any valid proof is right.

    Attributes:
        rules: Rules of natural deduction that proofs may need besides modus ponens.
        min_rules, max_rules: Fewest and most different ones in a proof.
        min_depth, max_depth: Fewest and most steps that one after the other lead to the statement.
        min_width, max_width: Fewest and most parts of conjunctions and disjunctions.
        min_distractors, max_distractors: Fewest and most rules that are not needed.
        wordings: Vocabularies, drawn with equal probability.
    """

    has_options = False
    rules: tuple[str, ...] = params.choices(RULES, RULES)
    min_rules: int = params.integer(1, 0, len(RULES), up_to="max_rules")
    max_rules: int = params.integer(2, 0, len(RULES))
    min_depth: int = params.integer(1, 1, _MAX_DEPTH, up_to="max_depth")
    max_depth: int = params.integer(3, 1, _MAX_DEPTH)
    min_width: int = params.integer(2, 2, _MAX_WIDTH, up_to="max_width")
    max_width: int = params.integer(2, 2, _MAX_WIDTH)
    min_distractors: int = params.integer(2, 0, _MAX_DISTRACTORS, up_to="max_distractors")
    max_distractors: int = params.integer(4, 0, _MAX_DISTRACTORS)
    wordings: tuple[str, ...] = params.choices(("kinds",), tuple(LEXICONS))

    verifier = "deduction_proofs"
    words = _WORDS
    symbols = {
        "prove": (2, 80),
        "fact": 1,
        "if": 2,
        "and": (2, _MAX_WIDTH),
        "or": (2, _MAX_WIDTH),
        "not": 1,
        **SYMBOLS,
    }
    answer_type = "checked:deduction_proofs"
    own_axes = {
        "depth": axis("steps one after the other", "min_depth", "max_depth"),
        "width": axis("parts of conjunctions and disjunctions", "min_width", "max_width"),
        "rules": axis("rules of the planted proof besides modus ponens", values=_SETS),
        "n_rules": axis("number of these rules", "min_rules", "max_rules"),
        **{name: axis(f"steps by {name} in the planted proof", 0, 200) for name in RULES},
        "n_steps": axis("sentences of the planted proof", 1, 400),
        "n_premises": axis("facts and rules", 1, 80),
        "wording": axis("vocabulary", values=tuple(LEXICONS)),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_rules > len(self.rules):
            wanted = f"at most {len(self.rules)}, as rules={self.rules}"
            raise ParamError("min_rules", self.min_rules, wanted)
        fewest = self.min_rules + (self.min_rules > len(self._flat))
        if self.max_depth < fewest:
            wanted = f"at least {fewest}, as min_rules={self.min_rules} of rules={self.rules}"
            raise ParamError("max_depth", self.max_depth, wanted)

    @property
    def _flat(self) -> tuple[str, ...]:
        """Rules that need no assumption."""
        return tuple(rule for rule in self.rules if rule not in _WITH_ASSUMPTIONS)

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw the sizes, then proofs until one has them."""
        most = max(self.min_rules, min(self.max_rules, len(self.rules), self.max_depth))
        n_rules = draws.integer(self.min_rules, most + 1)
        known = self.rules if n_rules < self.max_depth else self._flat
        if len(known) < n_rules:
            return None
        allowed = tuple(draws.sample(known, n_rules))
        fewest = n_rules + any(rule in allowed for rule in _WITH_ASSUMPTIONS)
        depth = draws.integer(max(self.min_depth, fewest), self.max_depth + 1)
        width = draws.integer(self.min_width, self.max_width + 1)
        count = draws.integer(self.min_distractors, self.max_distractors + 1)
        lexicon = LEXICONS[draws.choice(self.wordings)]
        subject = draws.choice(lexicon.subjects)
        for _ in range(_TRIES):
            kinds, traits = lexicon.drawn(draws, _MOST_NAMES // 2, _MOST_NAMES // 2)
            plan = Plan(allowed, width, iter([*kinds, *traits]), draws)
            try:
                goal = plan.goal(depth)
                plan.prove(goal, depth)
                plan.distract(count)
            except _NoNameError:
                continue
            steps = [line.step for line in plan.lines]
            if {*steps} >= {*allowed}:
                rules = tuple(dict.fromkeys(plan.rules))
                made = _Made(lexicon, subject, goal, tuple(plan.lines), tuple(plan.facts), rules)
                return self._problem(made, depth, width)
        return None

    def _problem(self, made: _Made, depth: int, width: int) -> Problem:
        steps = [line.step for line in made.lines]
        used = [name for name in RULES if name in steps]
        facts: list[Tree] = sorted((("fact", _branch(each)) for each in made.facts), key=str)
        rules: list[Tree] = sorted((("if", _branch(a), _branch(b)) for a, b in made.rules), key=str)
        return Problem(
            tree=("prove", symbol_of(made.subject), _branch(made.goal), *facts, *rules),
            axes={
                "depth": depth,
                "width": width,
                "rules": "+".join(used) or "modus_ponens",
                "n_rules": len(used),
                **{name: steps.count(name) for name in RULES},
                "n_steps": len(steps),
                "n_premises": len(facts) + len(rules),
                "wording": made.lexicon.name,
            },
            data=made,
        )

    def answer_of(self, problem: Problem) -> str:
        """Write the planted proof."""
        return " ".join(_sentence(problem.data, line) for line in problem.data.lines)

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the facts and rules in random order, rules in random wordings."""
        made: _Made = problem.data
        lexicon = made.lexicon
        sentences = [
            lexicon.sentence(made.subject, shuffled(each, draws))
            for each in sorted(map(_sorted, made.facts))
        ]
        for conditions, conclusion in sorted((_sorted(a), _sorted(b)) for a, b in made.rules):
            parts = shuffled(conditions, draws), shuffled(conclusion, draws)
            sentences.append(lexicon.rule(*parts, turn=draws.uniform()))
        statement = lexicon.clause(made.subject, _sorted(made.goal))
        return {"theory": " ".join(draws.shuffled(sentences)), "statement": statement}

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the sentences of the proof, each with its rule."""
        made: _Made = problem.data
        return [_WORDS.line(line.step, sentence=_sentence(made, line)) for line in made.lines]

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> Iterator[str]:
        """Leave out a step, or put another sentence in its place."""
        made: _Made = problem.data
        sentences = [_sentence(made, line) for line in made.lines]
        places = [place for place, line in enumerate(made.lines) if line.step != "given"]
        others = {*sentences, *(made.lexicon.rule(*rule) for rule in made.rules)}
        for place in draws.shuffled(places):
            yield " ".join([*sentences[:place], *sentences[place + 1 :]])
        pairs = [(place, other) for place in places for other in sorted(others)]
        for place, other in draws.shuffled(pairs)[:_OFFERED]:
            yield " ".join([*sentences[:place], other, *sentences[place + 1 :]])


def _sorted(formula: Formula) -> Formula:
    return formula._replace(parts=tuple(sorted(formula.parts)))


def _branch(formula: Formula) -> Any:
    """Return a formula as a tree, its parts in alphabetical order."""
    leaves = [each.name if each.positive else ("not", each.name) for each in sorted(formula.parts)]
    return (formula.word, *leaves) if formula.word else leaves[0]


def _sentence(made: _Made, line: Line) -> str:
    """Return a line of a proof as a sentence."""
    lexicon, subject = made.lexicon, made.subject
    if line.premise:
        return lexicon.rule(*line.premise)
    holes = {"formula": lexicon.clause(subject, line.formula)}
    if line.disjunction:
        holes["disjunction"] = lexicon.clause(subject, line.disjunction)
        return filled(_LINES["cases"], holes)
    name = {"assumption": "assume", "contradicts": "contradicts"}.get(line.step)
    return filled(_LINES[name], holes) if name else capital(f"{holes['formula']}.")
