"""Markov algorithms: programs of ordered string rewriting rules, run on a word (Only-IF, app. A).

Tasks: the final word, the rule that fires next, how the run ends, or the word after k steps.
Programs and words are drawn in keyed attempts until a run meets the params.

A prompt is `[strategy :] lhs > rhs [@scope] ; ... | word [? question] =` with `>.` for a stop rule
and `_` for the empty string, as in `ba > ab ; c >. _ | bbcaa =` or `any_order : ba > ab | bba =`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, NamedTuple

import numpy as np

from synthgen.authoring import (
    BLOCK,
    CompiledFamily,
    Condition,
    ParamError,
    Problems,
    Render,
    Rows,
    Signature,
    Texts,
    Words,
    axis,
    bounded,
    equal_to,
    filled,
    levelled,
    one_of,
    params,
    text_list,
)
from synthgen.authoring.compiled import (
    Columns,
    LazyColumns,
    Ragged,
    constant_text,
    derivation_keys,
    worded,
)
from synthgen.families.markov import engine
from synthgen.families.markov.draw import Settings, draw_problems
from synthgen.families.markov.engine import LETTERS, MAX_RULES, MAX_SIDE, STATUSES, TASKS
from synthgen.families.markov.measure import (
    CONFLUENCE,
    MEASURED,
    TERMINATING,
    needed_and_confluent,
)

_WORDS = Words.beside(__file__)
_HALTING = ("blocked", "stopped")
_WHOLE_RUNS = ("run", "status", "apply_k")
_MANY_STEPS = 10
_SLOW_AXES = ("n_needed", "confluent")
_SHARES = ("stop", "empty", "cascade", "growth", "deletion", "decoy")
_CHARS = LETTERS.encode().ljust(256)
"""Character of each code."""


@levelled("n_steps", 1, 2, 3, 5, 7, 10, 14, 20, 30, 40)
@dataclass(frozen=True)
class Markov(CompiledFamily):
    """Rewriting programs and their runs on a word.

    Attributes:
        task: "run" (final word), "next_rule", "status" (how the run ends) or "apply_k" (word after
            k steps).
        letters: Data letters, lower case or digits, of which the words consist.
        markers: Further letters for rules only, upper case.
        min_rules, max_rules: Rules of a program, 1 to 32, with different left sides.
        min_lhs, max_lhs: Letters of a left side, 1 to 16; see also `empty_share`.
        min_rhs, max_rhs: Letters of a right side, 0 to 16.
        min_word, max_word: Letters of the word, 0 to 200.
        strategies: Strategies, of which a program has one: "markov_priority", "round_robin",
            "sequential_once", "any_order"; the last requires runs of terminating programs, without
            stop rules and scopes, whose rules may be used in any order.
        scopes: Scopes, of which a rule has one: "leftmost", "rightmost", "all_nonoverlap",
            "all_parallel", "prefix", "suffix", "whole".
        terminating: Measure that every rule reduces: "none", "length", "order" (pairs of letters in
            the wrong order) or "shortlex" (length, then place in the dictionary).
        stop_share: Share of rules that stop.
        empty_share: Share of programs whose last rule has an empty left side.
        cascade_share: Share of left sides that are a piece of an earlier rule's right side.
        growth_share, deletion_share: Shares of rules that may make the word longer, and of rules
            with an empty right side, where the program need not terminate.
        decoy_share: Share of rules that nearly have an earlier rule's left side and never fire.
        min_steps, max_steps: Steps of a run, 0 to 1,000; for "status" the budget is `max_steps`.
        max_length: Letters of any word of a run, up to 500.
        min_fired: Smallest number of different rules that fire in a run.
        statuses: Allowed ends of runs: "blocked", "stopped", and for "status" also "loop",
            "budget", "overflow".
        necessary: Whether each rule that fires must be needed: without it the program has another
            answer, or none; for "run" and "status".
        allow_trivial: Whether the last word may equal the first.
        steer: Attempts from which the run nearest to the row's target is taken, 1 to 64; the
            target is a number of steps, each equally likely, or for "status" a status.
    """

    task: str = params.choice("run", TASKS)
    letters: str = params.characters("abc", ascii_lowercase + digits)
    markers: str = params.characters("", ascii_uppercase, fewest=0)
    min_rules: int = params.integer(3, 1, MAX_RULES, up_to="max_rules")
    max_rules: int = params.integer(6, 1, MAX_RULES)
    min_lhs: int = params.integer(1, 1, 16, up_to="max_lhs")
    max_lhs: int = params.integer(3, 1, 16)
    min_rhs: int = params.integer(0, 0, 16, up_to="max_rhs")
    max_rhs: int = params.integer(3, 0, 16)
    min_word: int = params.integer(4, 0, 200, up_to="max_word")
    max_word: int = params.integer(16, 0, 200, up_to="max_length")
    strategies: tuple[str, ...] = params.choices(("markov_priority",), engine.STRATEGIES)
    scopes: tuple[str, ...] = params.choices(("leftmost",), engine.SCOPES)
    terminating: str = params.choice("none", TERMINATING)
    stop_share: float = params.number(0.1, 0, 1)
    empty_share: float = params.number(0.0, 0, 1)
    cascade_share: float = params.number(0.3, 0, 1)
    growth_share: float = params.number(0.2, 0, 1)
    deletion_share: float = params.number(0.1, 0, 1)
    decoy_share: float = params.number(0.1, 0, 1)
    min_steps: int = params.integer(1, 0, engine.MAX_STEPS, up_to="max_steps")
    max_steps: int = params.integer(50, 1, engine.MAX_STEPS)
    max_length: int = params.integer(60, 1, engine.MAX_LENGTH)
    min_fired: int = params.integer(2, 0, MAX_RULES, up_to="max_rules")
    statuses: tuple[str, ...] = params.choices(STATUSES[:-1], STATUSES[:-1])
    necessary: bool = params.flag(default=False)
    allow_trivial: bool = params.flag(default=False)
    steer: int = params.integer(2, 1, 64)

    version = 5
    verifier = "markov"
    prompts = ("bare", "instruction")
    solutions = ("none", "trace")
    words = _WORDS
    own_axes = {
        "question": axis("what is asked, the param `task`", values=TASKS),
        "status": axis("how the run ends; open where it need not", values=STATUSES),
        "strategy": axis("how the rule of a step is chosen", values=engine.STRATEGIES),
        "scope": axis("what a step replaces", values=(*engine.SCOPES, "mixed")),
        "terminating": axis("why every run of the program halts, if known", values=TERMINATING),
        "n_steps": axis("steps that the answer takes", 0, "max_steps"),
        "n_rules": axis("rules of the program", "min_rules", "max_rules"),
        "n_fired": axis("different rules that fire", 0, "max_rules"),
        "has_stop": axis("whether the program has a stop rule", 0, 1),
        "n_stop_rules": axis("stop rules of the program", 0, "max_rules"),
        "n_growing": axis("rules whose right side is longer than the left", 0, "max_rules"),
        "feeds_itself": axis("whether a rule's left side occurs in its right side", 0, 1),
        "word_length": axis("letters of the word", 0, "max_length"),
        "answer_length": axis("letters of the answer, 0 if it is not a word", 0, "max_length"),
        "answer_letters": axis("different letters of the answer, 0 if it is not a word", 0, 62),
        "longest_word": axis("letters of the longest word of all steps", 0, "max_length"),
        "longest_side": axis("letters of the longest side of a rule", 0, MAX_SIDE),
        "loop_start": axis("steps before the loop, -1 if there is none", -1, "max_steps"),
        "loop_length": axis("steps of the loop, 0 if there is none", 0, "max_steps"),
        "first_rule": axis("rule that fires first, from 1, or 0", 0, MAX_RULES),
        "first_place": axis("where it matches, from 0, or -1", -1, "max_length"),
        "first_bin": axis("tenth of its possible places that contains this one, or -1", -1, 9),
        "n_adjacent": axis("pairs of rules that fire one after the other", 0, MAX_RULES**2),
        "n_needed": axis("rules without which the answer is another one", 0, "max_rules"),
        "confluent": axis("whether all orders have one result", values=CONFLUENCE),
        "bound": axis("largest number of steps of the program, 0 if unknown", 0),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_together(self)
        _check_possible(self)

    @property
    def signature(self) -> Signature:
        """Letters, strings, rules, programs, numbers and tasks."""
        return engine.signature()

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The params that fix an axis."""
        return {
            "question": equal_to("task"),
            "status": one_of("statuses", task=("run", "status")),
            "strategy": one_of("strategies"),
            "scope": one_of("scopes"),
            "n_steps": bounded("min_steps", "max_steps", task=_WHOLE_RUNS),
            "n_rules": bounded("min_rules", "max_rules"),
            "word_length": bounded("min_word", "max_word", task=_WHOLE_RUNS),
        }

    @property
    def block(self) -> int:
        """Addresses of a block of selection: fewer where many attempts fail."""
        return BLOCK // 8 if self.min_steps >= _MANY_STEPS else BLOCK

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        room = 8 + self.max_rules * (3 + 2 * MAX_SIDE) + self.max_length
        trace = engine.empty_trace(self.max_steps, self.max_length)
        codes, offsets, valid, measured, bounds = draw_problems(
            rows.keys, self._settings, engine.empty_program(), trace, room
        )
        problems = Ragged(codes, offsets)
        known: dict[str, Any] = dict(zip(MEASURED, measured, strict=True))
        known["bound"] = bounds

        def slow_axes() -> Columns:
            return dict(zip(_SLOW_AXES, needed_and_confluent(codes, offsets), strict=True))

        axes = LazyColumns(known, _SLOW_AXES, slow_axes)
        if self.necessary:
            valid &= axes["n_needed"] == axes["n_fired"]
        if "any_order" in self.strategies:
            yes = axes["confluent"] == CONFLUENCE.index("yes")
            valid &= (axes["strategy"] != engine.ANY) | yes
        keys = derivation_keys(problems, self.signature, self.domain)
        return Problems(rows, problems, keys, axes, axes["n_steps"], valid, {})

    def render(self, problems: Problems, style: Render) -> Texts:
        """Render programs, their answers and, with style.solution "trace", their runs."""
        written = _written(problems.derivations)
        prompts, templates = text_list(written.prompts), constant_text(self.task, len(problems))
        if style.prompt == "instruction":
            prompts, templates = worded(problems.rows, self._wordings, prompts, self.task)
        return Texts(
            prompts=prompts,
            answers=text_list(written.answers),
            answer_types=constant_text(
                "label" if self.task in ("next_rule", "status") else "string", len(problems)
            ),
            templates=templates,
            solutions=text_list(written.traces) if style.solution == "trace" else None,
        )

    @property
    def _settings(self) -> Settings:
        """The params in the form of the kernels."""

        def places(names: tuple[str, ...], known: tuple[str, ...]) -> engine.Numbers:
            return np.array([known.index(name) for name in names], np.int64)

        alphabet = [LETTERS.index(char) for char in self.letters + self.markers]
        ends = tuple(end for end in self.statuses if self.task == "status" or end in _HALTING)
        return Settings(
            task=TASKS.index(self.task),
            letters=np.array(alphabet, np.uint8),
            n_data=len(self.letters),
            strategies=places(self.strategies, engine.STRATEGIES),
            scopes=places(self.scopes, engine.SCOPES),
            statuses=places(ends, STATUSES),
            terminating=TERMINATING.index(self.terminating),
            rules=(self.min_rules, self.max_rules),
            lhs=(self.min_lhs, self.max_lhs),
            rhs=(self.min_rhs, self.max_rhs),
            word=(self.min_word, self.max_word),
            steps=(self.min_steps, self.max_steps),
            max_length=self.max_length,
            min_fired=self.min_fired,
            trivial=int(self.allow_trivial),
            steer=self.steer,
            **{f"{name}_share": float(getattr(self, f"{name}_share")) for name in _SHARES},
        )

    @property
    def _wordings(self) -> list[tuple[str, str]]:
        """The text before and after the problem, for each wording."""
        more = [text for name, text in _WORDS["strategies"].items() if name in self.strategies]
        marks = [text for name, text in _WORDS["scopes"].items() if name in self.scopes]
        if marks:
            more.append(filled(_WORDS["marks"], {"marks": "; ".join(marks)}))
        around = "round_robin" if "round_robin" in self.strategies else "plain"
        ends = filled(_WORDS["ends"], {"state": _WORDS["states"][around]})
        pairs = zip(_WORDS["notations"], _WORDS["questions"][self.task], strict=True)
        texts = (" ".join([start, *more, filled(end, {"ends": ends})]) for start, end in pairs)
        return [(f"{text}\n\n`", "`") for text in texts]


class _Written(NamedTuple):
    """Bare prompts, answers and traces of problems."""

    prompts: list[str]
    answers: list[str]
    traces: list[str]


def _written(problems: Ragged) -> _Written:
    """Write problems in their bare form."""
    written = _Written([], [], [])
    program, trace = engine.empty_program(), engine.empty_trace()
    for at in problems.offsets[:-1].tolist():
        question = engine.run_problem(problems.values, at, program, trace)
        task = TASKS[question[0]]
        answer, lines = _search(program, trace) if task == "next_rule" else _run(task, trace)
        written.prompts.append(_prompt(question, program, trace))
        written.answers.append(answer)
        written.traces.append("\n".join(lines))
    return written


def _letters(codes: engine.Letters) -> str:
    return codes.tobytes().translate(_CHARS).decode()


def _prompt(question: engine.Question, program: engine.Program, trace: engine.Trace) -> str:
    task, first, second = question
    count, strategy, _ = program.head.tolist()
    columns, rules = program.rules[:count].tolist(), []
    sides = _letters(program.sides)
    for lhs, lhs_size, rhs, rhs_size, stop, scope in columns:
        left, right = sides[lhs : lhs + lhs_size] or "_", sides[rhs : rhs + rhs_size] or "_"
        mark = f" @{engine.SCOPES[scope]}" if scope > 0 else ""
        rules.append(f"{left} >{'.' * stop} {right}{mark}")
    before = f"{engine.STRATEGIES[strategy]} : " if strategy > 0 else ""
    question_text = ("", " ? rule", f" ? status {first} {second}", f" ? {first}")[task]
    word = _letters(trace.words[: trace.starts[1]]) or "_"
    return f"{before}{' ; '.join(rules)} | {word}{question_text} ="


def _search(program: engine.Program, trace: engine.Trace) -> tuple[str, list[str]]:
    """Return the rule that fires first, and a line for each rule up to it."""
    fires = trace.outcome[engine.STEPS] > 0
    first = int(trace.rules[0] if fires else program.head[engine.N_RULES])
    fails = [f"{number} -" for number in range(1, first + 1)]
    if not fires:
        return "none", [*fails, "none"]
    return str(first + 1), [*fails, f"{first + 1}@{trace.places[0]}"]


def _run(task: str, trace: engine.Trace) -> tuple[str, list[str]]:
    """Return the answer, and a line for each step and one for the end."""
    status, steps, loop_start = trace.outcome.tolist()
    starts = trace.starts[: steps + 2].tolist()
    text = _letters(trace.words[: starts[-1]])
    words = [text[begin:end] or "_" for begin, end in pairwise(starts)]
    made = zip(trace.rules[:steps].tolist(), trace.places[:steps].tolist(), words[1:], strict=True)
    lines = [f"{rule + 1}@{place} {word}" for rule, place, word in made]
    if task == "apply_k":
        return words[-1], [*lines, "done"]
    end = STATUSES[status]
    loop = f" {loop_start} {steps - loop_start}" if end == "loop" else ""
    return end if task == "status" else words[-1], [*lines, f"{end}{loop}"]


def _check_together(kind: Markov) -> None:
    """Raise ParamError for params that contradict each other."""
    if kind.task == "apply_k" and kind.min_steps == 0:
        raise ParamError("min_steps", 0, "at least 1, as task='apply_k'")
    if kind.terminating != "none" and kind.empty_share > 0:
        raise ParamError("empty_share", kind.empty_share, f"0, as terminating={kind.terminating!r}")
    if kind.task != "status" and not set(kind.statuses) & set(_HALTING):
        wanted = f"blocked or stopped, as task={kind.task!r} needs a run that ends"
        raise ParamError("statuses", kind.statuses, wanted)
    if kind.necessary and kind.task not in ("run", "status"):
        raise ParamError("necessary", kind.necessary, f"false, as task={kind.task!r}")
    if "any_order" not in kind.strategies:
        return
    needed: dict[str, object] = {"task": "run", "scopes": ("leftmost",), "stop_share": 0}
    for name, value in needed.items():
        if getattr(kind, name) != value:
            wanted = f"{value!r}, as strategies have 'any_order'"
            raise ParamError(name, getattr(kind, name), wanted)
    if kind.terminating == "none":
        wanted = "length, order or shortlex, as strategies have 'any_order'"
        raise ParamError("terminating", kind.terminating, wanted)


def _check_possible(kind: Markov) -> None:
    """Raise ParamError for params that no problem can meet; state the possible number."""
    possible = _n_left_sides(kind) + (kind.empty_share == 1)
    if kind.max_rules > possible:
        wanted = f"at most {possible}, the number of different left sides"
        raise ParamError("max_rules", kind.max_rules, wanted)
    if kind.terminating in ("order", "shortlex") and kind.max_rhs < kind.min_lhs:
        wanted = f"at least min_lhs={kind.min_lhs} with terminating={kind.terminating!r}"
        raise ParamError("max_rhs", kind.max_rhs, wanted)
    longest = min(_longest_runs(kind))
    if kind.min_steps > longest:
        wanted = f"at most {longest}, the steps of the longest possible run"
        raise ParamError("min_steps", kind.min_steps, wanted)
    limits = {"max_steps": kind.max_steps}
    if kind.stop_share == 1:
        limits["stop_share"] = 1
    if kind.decoy_share == 1 and kind.empty_share == 0:
        limits["decoy_share"] = 1
    for name, most in limits.items():
        if kind.min_fired > most:
            wanted = f"at most {most}, as {name}={getattr(kind, name)}"
            raise ParamError("min_fired", kind.min_fired, wanted)


def _n_left_sides(kind: Markov) -> int:
    """Return the number of different left sides."""
    n_letters, total = len(kind.letters) + len(kind.markers), 0
    for size in range(kind.min_lhs, kind.max_lhs + 1):
        words = n_letters**size
        if kind.terminating == "order":
            words -= comb(size + n_letters - 1, size)
        elif kind.terminating == "length" and size <= kind.min_rhs:
            words = 0
        elif kind.terminating == "shortlex" and size <= kind.min_rhs:
            words = words - 1 if size == kind.min_rhs else 0
        total += words
    return total


def _longest_runs(kind: Markov) -> list[int]:
    """Return upper bounds on the steps of a run."""
    bounds = [kind.max_steps]
    if kind.max_word == 0 and kind.empty_share == 0:
        bounds.append(0)
    if kind.terminating == "length":
        bounds.append(kind.max_word)
    elif kind.terminating == "order":
        n_letters = len(kind.letters) + len(kind.markers)
        # A word with equally frequent letters in reverse order has the most inversions.
        each, rest = divmod(kind.max_word, n_letters)
        equal = (n_letters - rest) * comb(each, 2) + rest * comb(each + 1, 2)
        bounds.append(comb(kind.max_word, 2) - equal)
    if kind.strategies == ("sequential_once",):
        bounds.append(kind.max_rules)
    return bounds


GENERATORS = {"markov": Markov}
