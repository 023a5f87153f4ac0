"""The string systems from the text, by regular expressions.

The answer of A::B comes from one pass that settles each token, and that of insertion from one
substitution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, holes, reads

_WORDS = Words.beside(__file__)
_STEPS = _WORDS["steps"]
_SENTENCES, _NOTATIONS = (
    {text: number for number, text in enumerate(_WORDS["rules"][name])}
    for name in ("sentences", "notations")
)
_MAX_STEPS, _MAX_WORK = 1 << 14, 1 << 28
"""Steps of one walk, and letters searched, after which a problem is rejected."""
_MAX_LENGTH = 1_000
_LONGEST_SOLUTION = 1 << 26

_CHANGES = {
    1: (r"\Aab", r"ca"),
    2: (r"ac\Z", r"cb"),
    3: (r"\Abc(.*)", r"\1aa"),
    4: (r"bb\Z", r""),
    5: (r"\Acb(.*?).?\Z", r"aa\1"),
    6: (r"\Aca(.*)", r"bb\1c"),
    7: (r"\A(.*)cc\Z", r"a\1b"),
    8: (r"\Aaa", r"a"),
    9: (r"abc", r"cab"),
    10: (r"bca", r""),
    11: (r"ba\Z", r"ab"),
    12: (r"\Acc", r""),
    13: (r"acb", r"bca"),
    14: (r"ca\Z", r"c"),
    15: (r"\Abb", r"b"),
    16: (r"aa\Z", r"cc"),
    17: (r"(?<=.)ca", r""),
    18: (r"\A([^b]*(?:b[^b]*b[^b]*)+)\Z", r"\1ab"),
    20: (r"\Aac", r"zz"),
}
"""Pattern and replacement of each rule, by number; rule 19 is `_without_middle`."""


def _change(number: int) -> Callable[[str], str | None]:
    """Return the function of a rule: a string to the next one, or None if it does not apply."""
    if number not in _CHANGES:
        return _without_middle
    pattern, new = _CHANGES[number]
    find = re.compile(pattern)

    def change(text: str) -> str | None:
        after, times = find.subn(new, text, count=1)
        return after if times else None

    return change


def _without_middle(text: str) -> str | None:
    if len(text) < 16:
        return None
    half = len(text) // 2
    return text[:half] + text[half + 1 :]


_RULES = [_change(number) for number in range(1, 21)]


class _Problem(NamedTuple):
    """The system, the rules of manipulation in order (from 0), and the input of a prompt."""

    system: str
    rules: tuple[int, ...]
    text: str


def _rules_of(numbers: Mapping[str, int], texts: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of rules; none if one is unknown or occurs twice."""
    rules = tuple([numbers.get(text, -1) for text in texts])
    return () if -1 in rules or len({*rules}) < len(rules) else rules


def _numbered_rules(text: str) -> tuple[int, ...]:
    lines = enumerate(text.split("\n"), 1)
    return _rules_of(_SENTENCES, [line.removeprefix(f"{number}. ") for number, line in lines])


@reads(
    _WORDS,
    string=holes.pattern(rf"[a-z]{{1,{_MAX_LENGTH}}}"),
    tokens=holes.pattern(rf"(?:#[AB]|[AB]#)(?: (?:#[AB]|[AB]#)){{0,{_MAX_LENGTH - 1}}}"),
    letters=holes.pattern(rf"[A-Z]{{1,{_MAX_LENGTH}}}"),
    rules=holes.pattern(
        r"[0-9]{1,2}\. [^\n]{1,200}(?:\n[0-9]{1,2}\. [^\n]{1,200}){0,19}", _numbered_rules
    ),
    notations=holes.pattern(
        r"[^ |]{1,20}(?: [^ |]{1,20}){0,19}",
        lambda text: _rules_of(_NOTATIONS, text.split(" ")),
    ),
)
def _read(
    system: str,
    string: str = "",
    tokens: str = "",
    letters: str = "",
    rules: tuple[int, ...] = (),
    notations: tuple[int, ...] = (),
) -> _Problem | None:
    if system == "manipulation" and not rules and not notations:
        return None
    return _Problem(system, rules or notations, string or tokens or letters)


def _solve(problem: _Problem) -> str | None:
    if problem.system == "ab":
        return _settled(problem.text)
    if problem.system == "insertion":
        return _GROUPS.sub(lambda match: match[0] + match[0][0], problem.text)
    return _end_of(problem.text, problem.rules)


# manipulation


def _next(text: str, rules: Sequence[int]) -> tuple[int, str] | None:
    """Return the place in the list of the first rule that applies, from 1, and its result."""
    for place, rule in enumerate(rules, 1):
        after = _RULES[rule](text)
        if after is not None:
            return place, after
    return None


def _end_of(text: str, rules: Sequence[int]) -> str | None:
    """Return the last string before a repetition; None if that takes too long."""
    known, work = {text}, 0
    for _ in range(_MAX_STEPS):
        step = _next(text, rules)
        if step is None or step[1] in known:
            return text
        text = step[1]
        known.add(text)
        work += (len(text) + 1) * len(rules)
        if work > _MAX_WORK:
            break
    return None


# A::B and insertion

_PAIR = re.compile(r"([AB])# #([AB])")
_GROUPS = re.compile("ABCD|BCDE|CDEA|DEAB|EABC")


def _settled(text: str) -> str:
    """Let each token that faces left pass those before it until it meets a partner, if any."""
    settled: list[str] = []
    waiting: list[str] = []
    for token in text.split(" "):
        if token[1] == "#":
            waiting.append(token)
            continue
        partners = [k for k, other in enumerate(waiting) if other[0] == token[1]]
        if partners:
            del waiting[partners[-1]]
        else:
            settled.append(token)
    return " ".join(settled + waiting)


def _meet(match: re.Match[str]) -> str:
    return "" if match[1] == match[2] else f"#{match[2]} {match[1]}#"


# solutions


def _lines(problem: _Problem) -> Iterator[str]:
    """Yield the lines of a solution but the last; for manipulation, possibly forever."""
    text = problem.text
    yield f"start: {text}"
    if problem.system == "manipulation":
        while step := _next(text, problem.rules):
            text = step[1]
            state = text or _STEPS["empty"]
            yield _WORDS.line("rule", number=step[0], state=state)
    elif problem.system == "ab":
        while match := _PAIR.search(text):
            text = " ".join(_PAIR.sub(_meet, text, count=1).split())
            yield f"{match[0]}: {text or _STEPS['empty']}"
    else:
        for inserted, match in enumerate(_GROUPS.finditer(problem.text)):
            end = match.end() + inserted
            text = f"{text[:end]}{match[0][0]}{text[end:]}"
            yield f"{match[0]}: {text}"


def _follows(problem: _Problem, answer: str, steps: Sequence[str]) -> bool:
    """Compare with the required lines.

    A solution that ends by a repetition has the answer in the line before the repeated string,
    which an earlier line has, too.
    """
    *lines, end = steps
    wanted = list(islice(_lines(problem), len(lines) + 1))
    if not lines or wanted[: len(lines)] != lines:
        return False
    states = [line.split(": ", 1)[1] for line in lines]
    shown = answer or _STEPS["empty"]
    if len(wanted) == len(lines):
        return end == _STEPS[problem.system] and states[-1] == shown
    *before, last = states
    repeats = last in before and len({*before}) == len(before)
    return end == _STEPS["repeat"] and repeats and before[-1] == shown


VERIFIERS = {
    "string_systems": PlainVerifier(
        _read, _solve, "string", follows=_follows, longest=_LONGEST_SOLUTION
    )
}
