"""Classic string systems: ordered string manipulation, A::B token reduction, letter insertion.

Strings and rules are drawn uniformly, and mostly drawn again where no rule applies to the string. A
system rewrites a string until no rule applies or, in manipulation, a string would occur again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, perm
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from synthgen.authoring import (
    Axis,
    Condition,
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    bounded,
    check_symbols,
    equal_to,
    levelled,
    params,
)
from synthgen.authoring.distractors import misspelt

_WORDS = Words.beside(__file__)
_NOTATIONS, _SENTENCES = _WORDS["rules"]["notations"], _WORDS["rules"]["sentences"]
_STEPS = _WORDS["steps"]
_N_BANK, _MAX_LETTERS, _MAX_STEPS = len(_NOTATIONS), 500, 5_000
_OFFERED, _TRIES = 6, 16
_MAY_REST = 0.1
"""Share of the rows that may have a string to which no rule applies: their answer is the input."""
_LONGEST = 15
"""The rule "over-15" acts on longer strings."""
_LENGTH_LEVELS = (10, 50, 100, 500)
_RULE_LEVELS = (3, 5, 10, 15, 20)
"""Largest length and number of rules of each level of the published curriculum."""
_COUNTED_TO = 10**30


class _Rule(NamedTuple):
    """A rule of the bank: `u p v`, with the pattern p at its place, becomes `front u new v back`.

    Attributes:
        where: Places of the pattern: "start", "end", "any", "later" (not at the first letter),
            "even" (an even number of b; the place is the end), "long" (the place is the middle).
        pattern, new: Text to replace, and its replacement.
        front, back: Text to add before and after everything.
        cut: Number of letters that v loses at its end, if it has any.
    """

    where: str
    pattern: str
    new: str
    front: str = ""
    back: str = ""
    cut: int = 0


_BANK = (
    _Rule("start", "ab", "ca"),
    _Rule("end", "ac", "cb"),
    _Rule("start", "bc", "", back="aa"),
    _Rule("end", "bb", ""),
    _Rule("start", "cb", "aa", cut=1),
    _Rule("start", "ca", "bb", back="c"),
    _Rule("end", "cc", "b", front="a"),
    _Rule("start", "aa", "a"),
    _Rule("any", "abc", "cab"),
    _Rule("any", "bca", ""),
    _Rule("end", "ba", "ab"),
    _Rule("start", "cc", ""),
    _Rule("any", "acb", "bca"),
    _Rule("end", "ca", "c"),
    _Rule("start", "bb", "b"),
    _Rule("end", "aa", "cc"),
    _Rule("later", "ca", ""),
    _Rule("even", "", "ab"),
    _Rule("long", "?", ""),
    _Rule("start", "ac", "zz"),
)
"""Rules in the order of `words.toml`."""
_ALL_RULES = range(len(_BANK))

_TOKENS = {"A": "A#", "B": "B#", "a": "#A", "b": "#B"}
"""A::B: a capital faces right. A pair that meets is a capital before a small letter."""
_MEETING = re.compile("([AB])([ab])")
_CYCLE = "ABCDE"
_OF_GROUP = 4
_GROUPS = tuple((2 * _CYCLE)[k : k + _OF_GROUP] for k in range(5))

Step = tuple[str, str]
"""Rule, pair or group of the step, as solutions name it, and the resulting string."""


_PLACES: Mapping[str, Callable[[str, str], int]] = {
    "start": lambda text, pattern: 0 if text.startswith(pattern) else -1,
    "end": lambda text, pattern: len(text) - len(pattern) if text.endswith(pattern) else -1,
    "any": lambda text, pattern: text.find(pattern),
    "later": lambda text, pattern: text.find(pattern, 1),
    "even": lambda text, _: len(text) if "b" in text and text.count("b") % 2 == 0 else -1,
    "long": lambda text, _: len(text) // 2 if len(text) > _LONGEST else -1,
}
"""Place where a rule acts on a string, -1 if its condition does not hold."""


def _manipulate(text: str, rules: Sequence[int]) -> Iterator[Step]:
    """Apply the first rule that fits, again and again."""
    place = 0
    while place < len(rules):
        rule = _BANK[rules[place]]
        place += 1
        at = _PLACES[rule.where](text, rule.pattern)
        if at >= 0:
            rest = text[at + len(rule.pattern) :]
            rest = rest[: len(rest) - rule.cut]
            text = f"{rule.front}{text[:at]}{rule.new}{rest}{rule.back}"
            yield str(place), text
            place = 0


def _reduce(text: str) -> Iterator[Step]:
    """Rewrite the leftmost pair that meets, again and again."""
    at = 0
    while match := _MEETING.search(text, at):
        left, right = match[1], match[2]
        at = max(0, match.start() - 1)  # no pair further left can meet
        new = "" if left == right.upper() else right + left
        text = f"{text[: match.start()]}{new}{text[match.end() :]}"
        yield f"{_TOKENS[left]} {_TOKENS[right]}", text


def _insert(text: str) -> Iterator[Step]:
    """Insert after the leftmost group beyond the last insertion, again and again."""
    at = 0
    while True:
        places = [place for group in _GROUPS if (place := text.find(group, at)) >= 0]
        if not places:
            return
        at = min(places) + 5
        group = text[at - 5 : at - 1]
        text = f"{text[: at - 1]}{group[0]}{text[at - 1 :]}"
        yield group, text


class _Run(NamedTuple):
    """Steps from an input; `again` is the step that would repeat a string, if that ends the run."""

    steps: list[Step]
    again: Step | None


@levelled("n_steps", 1, 2, 3, 4, 6, 8, 12, 20, 50, 200)
@dataclass(frozen=True)
class StringSystems(PlainFamily):
    """Strings, rewritten by a system.

    Attributes:
        system: System: "manipulation", rules of a bank of 20 in a random order, of which the first
            that fits acts; "ab", tokens of A::B that cancel out or pass each other; or "insertion",
            a letter after each of five groups of letters.
        min_length, max_length: Letters or tokens of the input, 1 to 500.
        min_rules, max_rules: Rules drawn from the bank, 1 to 20; only used by manipulation.
        alphabet: Letters of the input; "" for the system's usual ones, abc or ABCDE. A::B has no
            other.
        follow: Probability that a letter of insertion is the one that comes after the letter before
            it (A after E), which makes groups; 0 for independent letters.
        max_steps: Largest number of steps, 1 to 5,000; longer problems are dropped.
        empty: Whether problems whose answer is the empty string are kept.
    """

    system: str = params.choice("manipulation", _WORDS.kinds)
    min_length: int = params.integer(5, 1, _MAX_LETTERS, up_to="max_length")
    max_length: int = params.integer(20, 1, _MAX_LETTERS)
    min_rules: int = params.integer(3, 1, _N_BANK, up_to="max_rules")
    max_rules: int = params.integer(8, 1, _N_BANK)
    alphabet: str = ""
    follow: float = params.number(0.0, 0, 1)
    max_steps: int = params.integer(1_000, 1, _MAX_STEPS)
    empty: bool = params.flag(False)

    version = 5
    verifier = "string_systems"
    words = _WORDS
    prompts = ("bare", "instruction")
    answer_type = "string"
    symbols = {
        "manipulation": 2,
        "ab": 1,
        "insertion": 1,
        **{f"program{count}": count for count in range(1, _N_BANK + 1)},
        **dict.fromkeys(_NOTATIONS, 0),
        **{f"string{length}": length for length in range(1, _MAX_LETTERS + 1)},
        **dict.fromkeys([*_TOKENS.values(), *ascii_lowercase, *ascii_uppercase], 0),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        known = {"manipulation": ascii_lowercase, "ab": "", "insertion": ascii_uppercase}
        check_symbols("alphabet", self.alphabet, known[self.system])
        if self.follow and self.system != "insertion":
            raise ParamError("follow", self.follow, "0 unless the system is insertion")

    @cached_property
    def _letters(self) -> str:
        usual = {"manipulation": "abc", "ab": "".join(_TOKENS), "insertion": _CYCLE}
        return self.alphabet or usual[self.system]

    @cached_property
    def _successors(self) -> dict[str, str]:
        """The letter of the input that comes after a letter of the circle."""
        pairs = zip(_CYCLE, _CYCLE[1:] + _CYCLE[0], strict=True)
        return {letter: after for letter, after in pairs if after in self._letters}

    @cached_property
    def _groups(self) -> list[str]:
        return [group for group in _GROUPS if {*group} <= {*self._letters}]

    @property
    def _rule_counts(self) -> tuple[int, int]:
        if self.system == "manipulation":
            return self.min_rules, self.max_rules
        return (4, 4) if self.system == "ab" else (5, 5)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        rules, letters = self._rule_counts, "letters or tokens of the"
        longest = self.max_length + 2 * self.max_steps
        levels = len(_LENGTH_LEVELS), len(_RULE_LEVELS)
        return {
            "system": Axis("the system", values=_WORDS.kinds),
            "n_steps": Axis("steps from the input to the answer", low=0, high=self.max_steps),
            "n_rules": Axis("rules of the system or list", low=rules[0], high=rules[1]),
            "input_length": Axis(f"{letters} input", low=self.min_length, high=self.max_length),
            "answer_length": Axis(f"{letters} answer", low=0, high=longest),
            "n_fired": Axis("different rules that are applied", low=0, high=rules[1]),
            "ended": Axis(
                "no rule applies, or the next string has occurred", values=("blocked", "repeat")
            ),
            "length_level": Axis(
                "level of the input length: up to 10, 50, 100, 500", low=1, high=levels[0]
            ),
            "rules_level": Axis(
                "level of the number of rules: up to 3, 5, 10, 15, 20", low=1, high=levels[1]
            ),
        }

    @property
    def conditions(self) -> Mapping[str, Condition]:
        """Axes that params fix."""
        return {
            "system": equal_to("system"),
            "n_rules": bounded("min_rules", "max_rules", system=("manipulation",)),
            "input_length": bounded("min_length", "max_length"),
        }

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw a string and a list of rules, and run them."""
        length = draws.integer(self.min_length, self.max_length + 1)
        n_rules = draws.integer(self.min_rules, self.max_rules + 1)
        may_rest = draws.uniform() < _MAY_REST
        for attempt in range(_TRIES):
            rules = draws.sample(_ALL_RULES, n_rules) if self.system == "manipulation" else []
            text = self._drawn_text(draws, length, with_group=attempt > 0)
            run = self._run(text, rules)
            if may_rest or run is None or run.steps:
                break
        answer = run.steps[-1][1] if run and run.steps else text
        if run is None or not (answer or self.empty):
            return None
        counts = len(rules) or self._rule_counts[0]
        leaves = [_TOKENS[letter] for letter in text] if self.system == "ab" else text
        string = (f"string{length}", *leaves)
        program = (f"program{len(rules)}", *(_NOTATIONS[rule] for rule in rules))
        return Problem(
            tree=(self.system, program, string) if rules else (self.system, string),
            answer=self._shown(answer),
            kind=self.system,
            axes={
                "system": self.system,
                "n_steps": len(run.steps),
                "n_rules": counts,
                "input_length": length,
                "answer_length": len(answer),
                "n_fired": len({acted for acted, _ in run.steps}),
                "ended": "repeat" if run.again else "blocked",
                "length_level": bisect_left(_LENGTH_LEVELS, length) + 1,
                "rules_level": bisect_left(_RULE_LEVELS, counts) + 1,
            },
            difficulty=len(run.steps),
            data=(text, rules, run),
        )

    def _drawn_text(self, draws: RowDraws, length: int, *, with_group: bool) -> str:
        letters = [draws.choice(self._letters) for _ in range(length)]
        for place in range(1, length if self.follow else 0):
            if draws.uniform() < self.follow:
                letters[place] = self._successors.get(letters[place - 1], letters[place])
        if with_group and self.system == "insertion" and length >= _OF_GROUP and self._groups:
            place = draws.integer(0, length - _OF_GROUP + 1)
            letters[place : place + _OF_GROUP] = draws.choice(self._groups)
        return "".join(letters)

    def _run(self, text: str, rules: Sequence[int]) -> _Run | None:
        """Run a system to its end; None if it takes more than `max_steps`."""
        if self.system == "manipulation":
            coming = _manipulate(text, rules)
        else:
            coming = _reduce(text) if self.system == "ab" else _insert(text)
        steps: list[Step] = []
        known = {text}
        for step in coming:
            if step[1] in known:
                return _Run(steps, step)
            if len(steps) == self.max_steps:
                return None
            known.add(step[1])
            steps.append(step)
        return _Run(steps, None)

    def _shown(self, text: str) -> str:
        return " ".join([_TOKENS[letter] for letter in text]) if self.system == "ab" else text

    def holes_of(self, problem: Problem, draws: RowDraws) -> Mapping[str, object]:
        """Write the string and the rules."""
        del draws
        text, rules, _ = problem.data
        shown = self._shown(text)
        lines = [f"{number}. {_SENTENCES[rule]}" for number, rule in enumerate(rules, 1)]
        return {
            "string": shown,
            "tokens": shown,
            "letters": shown,
            "rules": "\n".join(lines),
            "notations": " ".join([_NOTATIONS[rule] for rule in rules]),
        }

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Run other lists of rules on the string; make mistakes in the end where all have one."""
        text, rules, run = problem.data
        end = run.steps[-1][1] if run.steps else text
        if not rules:
            made = map("".join, misspelt(end, self._letters, draws, _OFFERED))
            return [*map(self._shown, made)]
        counts = [draws.integer(self.min_rules, self.max_rules + 1) for _ in range(2 * _OFFERED)]
        runs = (self._run(text, draws.sample(_ALL_RULES, count)) for count in counts)
        return [other.steps[-1][1] if other.steps else text for other in runs if other]

    def steps_of(self, problem: Problem) -> list[str]:
        """Write every string, with the rule, pair or group that made it."""
        text, _, run = problem.data
        lines = [f"start: {self._shown(text)}"]
        for acted, made in [*run.steps, *filter(None, [run.again])]:
            state = self._shown(made) or _STEPS["empty"]
            manipulated = self.system == "manipulation"
            holes = {"number": acted, "state": state}
            lines.append(_WORDS.line("rule", **holes) if manipulated else f"{acted}: {state}")
        return [*lines, _STEPS["repeat" if run.again else self.system]]

    @cached_property
    def fewest_problems(self) -> int | None:
        """Lower bound of the number of inputs that are kept, up to 10^30; None if there is none."""
        if self.follow == 1:
            return None
        total = 0
        for length in range(self.min_length, self.max_length + 1):
            if self.system == "ab":
                total += self._programs(length)
            elif self.system == "insertion":
                total += len(self._letters) ** length if length // 4 <= self.max_steps else 0
            else:
                total += self._inert(length)
        return min(total, _COUNTED_TO) or None

    def _programs(self, length: int) -> int:
        """Count A::B's programs, or only those in normal form if others may take too long.

        A token that faces right meets each one that faces left and comes later at most once. A
        program vanishes if both its A and its B match like brackets: Cat(m) Cat(m + 1) of 2m
        tokens.
        """
        half = length // 2
        if half * (length - half) > self.max_steps:
            return int((length + 1) * 2**length)
        vanishing = 0 if self.empty or length % 2 else _catalan(half) * _catalan(half + 1)
        return int(4**length - vanishing)

    def _inert(self, length: int) -> int:
        """Count some problems in which no rule applies: strings ba...bc with an odd number of b.

        Between these letters there are only a and b, and the last of them is b. If the string is
        longer than 15, the list must not have the rule for such strings.
        """
        if length < 5 or not set("abc") <= set(self._letters):
            return 0
        bank = _N_BANK - (length > _LONGEST)
        lists = sum(perm(bank, count) for count in range(self.min_rules, self.max_rules + 1))
        return int(2 ** max(0, length - 6) * lists)


def _catalan(m: int) -> int:
    return comb(2 * m, m) // (m + 1)


GENERATORS = {"string_systems": StringSystems}
