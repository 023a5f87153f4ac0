"""Statements to decide from facts and rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from synthgen.authoring import (
    PlainFamily,
    Problem,
    RowDraws,
    Tree,
    axis,
    levelled,
    params,
)
from synthgen.families.deduction.engine import Engine, Literal, Rule
from synthgen.families.deduction.proofs import DeductionProofs
from synthgen.families.deduction.texts import (
    LEXICONS,
    SYMBOLS,
    WORDS,
    Formula,
    Lexicon,
    capital,
    conjunction,
    shuffled,
    symbol_of,
)
from synthgen.families.deduction.theories import (
    MAX_DEPTH,
    MAX_WIDTH,
    N_KINDS,
    N_TRAITS,
    Planter,
    Shape,
    Theory,
)

_WORDS = WORDS.part("deduction")
_ANSWERS = ("True", "False", "Unknown")
_VALUES = {"closed": _ANSWERS[:2], "decided": _ANSWERS[:2], "open": _ANSWERS}
_OPPOSITES = {"True": "False", "False": "True", "Unknown": "Unknown"}
_MAX_DISTRACTORS, _MAX_SUBJECTS = 12, 5


class _Made(NamedTuple):
    """A theory, the subject and the statement that is asked, and the engine for this subject."""

    lexicon: Lexicon
    theory: Theory
    subject: str
    statement: Literal
    engine: Engine


@levelled("depth + width", 2, 3, 4, 5, 6, 7, 8, 9, 10)
@dataclass(frozen=True)
class Deduction(PlainFamily):
    """Decide whether a statement is true, false or unknown.

    For the same rules, another subject has another answer, if there is one.

    Attributes:
        world: "closed" (what does not follow is false), "open" (it is unknown), or "decided" (an
            open world in which the statement is true or false).
        min_depth, max_depth: Fewest and most steps that one after the other lead to the answer.
        min_width, max_width: Fewest and most conditions of the widest rule on the way.
        negation: Whether facts, conditions and conclusions may be negative.
        min_distractors, max_distractors: Fewest and most rules that are not needed.
        subjects: Number of subjects with facts.
        wordings: Vocabularies, drawn with equal probability.
    """

    world: str = params.choice("closed", tuple(_VALUES))
    min_depth: int = params.integer(0, 0, MAX_DEPTH, up_to="max_depth")
    max_depth: int = params.integer(3, 0, MAX_DEPTH)
    min_width: int = params.integer(1, 1, MAX_WIDTH, up_to="max_width")
    max_width: int = params.integer(2, 1, MAX_WIDTH)
    negation: bool = params.flag(True)
    min_distractors: int = params.integer(3, 1, _MAX_DISTRACTORS, up_to="max_distractors")
    max_distractors: int = params.integer(6, 1, _MAX_DISTRACTORS)
    subjects: int = params.integer(3, 1, _MAX_SUBJECTS)
    wordings: tuple[str, ...] = params.choices(("people", "animals"), tuple(LEXICONS))

    verifier = "deduction"
    words = _WORDS
    symbols = {
        **dict.fromkeys(_VALUES, (1, 80)),
        "fact": 2,
        "ask": 2,
        "if": (2, 1 + MAX_WIDTH),
        "for": 2,
        "not": 1,
        **SYMBOLS,
    }
    answer_type = "label"
    own_axes = {
        "depth": axis(
            "rules that one after the other lead to the answer", "min_depth", "max_depth"
        ),
        "width": axis("conditions of the widest rule on the way, 0 without rules", 0, "max_width"),
        "value": axis("the answer", values=_ANSWERS),
        "polarity": axis("whether the statement is a negation", values=("positive", "negative")),
        "negations": axis("negative conditions of the rules on the way", 0, 8 * MAX_DEPTH),
        "n_facts": axis("facts", 0, 80),
        "n_rules": axis("rules", 0, 30),
        "wording": axis("vocabulary", values=tuple(LEXICONS)),
    }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw the answer and the sizes, then a theory that has them."""
        value = draws.choice(_VALUES[self.world])
        is_positive = bool(draws.integer(0, 2))
        depth = draws.integer(self.min_depth, self.max_depth + 1)
        width = draws.integer(self.min_width, self.max_width + 1)
        count = draws.integer(self.min_distractors, self.max_distractors + 1)
        lexicon = LEXICONS[draws.choice(self.wordings)]
        kinds, traits = lexicon.drawn(draws, N_KINDS, N_TRAITS)
        shape = Shape(depth, width, count, self.world == "closed", self.negation)
        planter = Planter(shape, kinds, traits, draws)
        values = self._values(value if is_positive else _OPPOSITES[value], draws)
        theory = planter.theory(draws.sample(lexicon.subjects, self.subjects), values)
        subject = next(iter(theory.facts))
        rules = [rule for rule in theory.rules if rule.subject in ("", subject)]
        engine = Engine(theory.facts[subject], rules, closed=shape.closed)
        statement = Literal(theory.asked, is_positive)
        if engine.answer(statement) != (value, depth):
            return None
        return self._problem(value, _Made(lexicon, theory, subject, statement, engine), shape)

    def _values(self, first: str, draws: RowDraws) -> list[str]:
        """Draw what is true of the property for each subject, another one for one of them."""
        known = _VALUES[self.world]
        others = [draws.choice([each for each in known if each != first])]
        others += [draws.choice(known) for _ in range(self.subjects)]
        return [first, *draws.shuffled(others[: self.subjects - 1])]

    def _problem(self, value: str, made: _Made, shape: Shape) -> Problem:
        theory = made.theory
        facts = [
            ("fact", symbol_of(subject), _leaf(literal))
            for subject, literals in sorted(theory.facts.items())
            for literal in sorted(literals)
        ]
        rules = [_branch(rule) for rule in sorted({*theory.rules})]
        asked: Tree = ("ask", symbol_of(made.subject), _leaf(made.statement))
        return Problem(
            tree=(self.world, asked, *facts, *rules),
            answer=value,
            kind=self.world,
            axes={
                "depth": shape.depth,
                "width": shape.width if shape.depth else 0,
                "value": value,
                "polarity": "positive" if made.statement.positive else "negative",
                "negations": theory.negations,
                "n_facts": len(facts),
                "n_rules": len(rules),
                "wording": made.lexicon.name,
            },
            data=made,
        )

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the facts and rules in random order, rules in random wordings."""
        made: _Made = problem.data
        lexicon, theory = made.lexicon, made.theory
        sentences = [
            lexicon.sentence(subject, Formula((literal,)))
            for subject, literals in sorted(theory.facts.items())
            for literal in sorted(literals)
        ]
        for rule in sorted({*theory.rules}):
            conditions = shuffled(conjunction(sorted(rule.conditions)), draws)
            turn = draws.uniform()
            sentences.append(
                lexicon.rule(conditions, Formula((rule.conclusion,)), rule.subject, turn)
            )
        statement = lexicon.clause(made.subject, Formula((made.statement,)))
        return {"theory": " ".join(draws.shuffled(sentences)), "statement": statement}

    def steps_of(self, problem: Problem) -> list[str]:
        """State what leads to the answer, one literal after the other."""
        return [*self._lines(problem)]

    @staticmethod
    def _lines(problem: Problem) -> Iterator[str]:
        lexicon, _, subject, statement, engine = problem.data
        seen: set[Literal] = set()
        goals = [statement]
        if problem.kind != "closed" and not engine.verdict(statement).holds:
            other = statement.opposite
            goals = [other] if engine.verdict(other).holds else [statement, other]
        for literal, known in (each for goal in goals for each in engine.decided(goal, seen)):
            clause = lexicon.clause(subject, Formula((literal,)))
            if not known.holds:
                yield _WORDS.line("fails", literal=clause)
            elif not known.depth:
                yield _WORDS.line("stated", literal=capital(clause))
            else:
                conditions = lexicon.clause(subject, conjunction(known.grounds))
                yield _WORDS.line("rule", conditions=capital(conditions), conclusion=clause)

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return the other answers."""
        del draws
        return [each for each in _VALUES[self.world] if each != problem.answer]


def _leaf(literal: Literal) -> Any:
    return literal.name if literal.positive else ("not", literal.name)


def _branch(rule: Rule) -> Any:
    branch = ("if", _leaf(rule.conclusion), *map(_leaf, sorted(rule.conditions)))
    return ("for", symbol_of(rule.subject), branch) if rule.subject else branch


GENERATORS = {"deduction": Deduction, "deduction_proofs": DeductionProofs}
