"""Knights and knaves from the text: three-valued logic, and one case after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from synthgen.authoring import PlainVerifier, Words, holes, reads, wording_pattern

_WORDS = Words.beside(__file__)
_NAME = holes.word(_WORDS["names"])
_ROLE = holes.pattern("[a-z-]{3,20}")
_A_ROLE = holes.pattern("an? [a-z-]{3,20}")
_TOKENS = re.compile(
    r"\(|\)|if and only if|it is not the case that|if|, then|and|or"
    r"|(?P<who>[A-Z][a-z]*) (?:is|am) (?P<role>an? [a-z-]+)"
)
_SAYINGS = [
    wording_pattern(saying, {"name": _NAME, "text": holes.pattern(r"[A-Za-z(), -]{5,2000}")})[1]
    for saying in _WORDS["sayings"]
]
_MAX_PEOPLE, _MAX_NESTING = 8, 8

_Formula = tuple[Any, ...]
"""`("is", person, truthful)`, or a connective and its parts."""
_Roles = Mapping[int, bool]


def _a(noun: str) -> str:
    return f"an {noun}" if noun.startswith(("a", "e", "i", "o", "u")) else f"a {noun}"


_ROLES = [
    {"good": good, "bad": bad, "goods": goods, "bads": bads, "a_good": _a(good), "a_bad": _a(bad)}
    for good, bad, goods, bads in _WORDS["roles"]
]


class _Puzzle(NamedTuple):
    """Names and what each person says, and the words for the two roles."""

    names: tuple[str, ...]
    said: tuple[_Formula, ...]
    good: str
    bad: str


class _Reader:
    """Reader of one statement."""

    def __init__(self, text: str, speaker: str, names: Sequence[str], roles: Sequence[str]) -> None:
        self._tokens = [*_TOKENS.finditer(text)]
        self._text, self._speaker, self._names, self._roles = text, speaker, names, roles
        self._at = 0

    def whole(self) -> _Formula | None:
        """Return what the text states, or None if it is not a statement."""
        between = _TOKENS.sub("", self._text)
        if between.strip():
            return None
        try:
            formula = self._compound(0)
        except (IndexError, ValueError):
            return None
        return formula if self._at == len(self._tokens) else None

    def _next(self, *expected: str) -> str:
        token = self._tokens[self._at][0]
        if token not in expected:
            raise ValueError(token)
        self._at += 1
        return token

    def _is_next(self, *tokens: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][0] in tokens

    def _compound(self, nesting: int) -> _Formula:
        if nesting > _MAX_NESTING:
            raise ValueError(self._text)
        if self._is_next("it is not the case that"):
            self._at += 1
            return ("not", self._part(nesting))
        if self._is_next("if"):
            self._at += 1
            first = self._part(nesting)
            self._next(", then")
            return ("or", ("not", first), self._part(nesting))
        first = self._part(nesting)
        if not self._is_next("and", "or", "if and only if"):
            return first
        joint = self._next("and", "or", "if and only if")
        return ("equal" if joint.startswith("if") else joint, first, self._part(nesting))

    def _part(self, nesting: int) -> _Formula:
        if self._is_next("("):
            self._at += 1
            formula = self._compound(nesting + 1)
            self._next(")")
            return formula
        token = self._tokens[self._at]
        who, role = token["who"], (token["role"] or "").partition(" ")[2]
        own = who == "I"
        if not who or role not in self._roles or own != (" am " in token[0]):
            raise ValueError(token[0])
        self._at += 1
        name = self._speaker if own else who
        if who == self._speaker or token["role"] != _a(role):
            raise ValueError(token[0])
        return ("is", self._names.index(name), role == self._roles[0])


def _statements(text: str) -> list[tuple[str, str]] | None:
    """Return who says what, each in a line of the same form."""
    lines = text.split("\n")
    for pattern in _SAYINGS:
        matches = [pattern.fullmatch(line) for line in lines[: _MAX_PEOPLE + 1]]
        if all(matches):
            return [(match["name"], match["text"]) for match in matches if match]
    return None


@reads(
    _WORDS,
    a_good=_A_ROLE,
    a_bad=_A_ROLE,
    goods=_ROLE,
    bads=_ROLE,
    people=holes.listed(_NAME, ", ", " and "),
    statements=holes.pattern(r"[^\n]{5,2000}(?:\n[^\n]{5,2000}){1,7}", _statements),
    example=holes.pattern("[a-z, -]{3,200}"),
)
def _read(
    people: tuple[str, ...],
    statements: list[tuple[str, str]],
    **words: str,
) -> _Puzzle | None:
    words.pop("example", "")
    roles = next((each for each in _ROLES if words.items() <= each.items()), None)
    speakers = tuple(name for name, _ in statements)
    if roles is None or speakers != people or not 1 < len({*people}) == len(people):
        return None
    good, bad = roles["good"], roles["bad"]
    said = []
    for name, text in statements:
        lowered = text if text.startswith((*people, "I ")) else text[0].lower() + text[1:]
        formula = _Reader(lowered, name, people, (good, bad)).whole()
        if formula is None:
            return None
        said.append(formula)
    return _Puzzle(people, tuple(said), good, bad)


def _value(formula: _Formula, roles: _Roles) -> bool | None:
    """Return whether a formula is true, None if the known roles do not settle it."""
    kind, *parts = formula
    if kind == "is":
        role = roles.get(parts[0])
        return None if role is None else role is parts[1]
    values = [_value(part, roles) for part in parts]
    if kind == "not":
        return None if values[0] is None else not values[0]
    if kind == "equal":
        return None if None in values else values[0] == values[1]
    settles = bool(kind == "or")
    if settles in values:
        return settles
    return None if None in values else not settles


def _solutions(puzzle: _Puzzle, roles: dict[int, bool]) -> Iterator[dict[int, bool]]:
    """Yield the assignments in which truth-tellers say what is true, and liars what is false."""
    roles, before = dict(roles), -1
    while len(roles) > before:
        before = len(roles)
        for speaker, formula in enumerate(puzzle.said):
            value = _value(formula, roles)
            if value is not None and roles.setdefault(speaker, value) != value:
                return
    free = next((person for person in range(len(puzzle.said)) if person not in roles), None)
    if free is None:
        yield roles
        return
    for role in (True, False):
        yield from _solutions(puzzle, {**roles, free: role})


def _solve(puzzle: _Puzzle) -> str | None:
    """Return the roles if exactly one assignment fits."""
    solutions = _solutions(puzzle, {})
    first, second = next(solutions, None), next(solutions, None)
    return None if first is None or second is not None else _answer(puzzle, first)


def _answer(puzzle: _Puzzle, roles: _Roles) -> str:
    return ", ".join(puzzle.good if roles[i] else puzzle.bad for i in range(len(puzzle.names)))


# the case analysis

_LINE_HOLES = {
    "name": _NAME,
    "speaker": _NAME,
    "role": _A_ROLE,
    "other": holes.pattern("An? [a-z-]{3,20}"),
    "facts": holes.pattern(r"(?:, (?:as|and) [A-Za-z, -]{5,400})?"),
}
_LINES = {kind: wording_pattern(text, _LINE_HOLES)[1] for kind, text in _WORDS["steps"].items()}
_FACT = re.compile(r"([A-Z][a-z]+) is an? ([a-z-]+)")


def _people_in(formula: _Formula) -> set[int]:
    if formula[0] == "is":
        return {formula[1]}
    return set().union(*map(_people_in, formula[1:]))


def _facts(puzzle: _Puzzle, text: str, joint: str) -> dict[int, bool] | None:
    """Return the roles that a line refers to; None if it is worded in another way."""
    pairs = _FACT.findall(text)
    parts = [f"{name} is {_a(role)}" for name, role in pairs]
    stated = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""
    if text != (f", {joint} {stated}" if parts else ""):
        return None
    if any(name not in puzzle.names or role not in puzzle[2:] for name, role in pairs):
        return None
    return {puzzle.names.index(name): role == puzzle.good for name, role in pairs}


def _completions(puzzle: _Puzzle, speaker: int, facts: _Roles) -> list[dict[int, bool]]:
    """Return the roles that the speaker and the people mentioned can have, given some facts."""
    people = sorted(_people_in(puzzle.said[speaker]) | {speaker})
    values = product(*([facts[p]] if p in facts else [True, False] for p in people))
    return [dict(zip(people, each, strict=True)) for each in values]


class _Check:
    """Checks the lines of a case analysis one by one.

    Attributes:
        cases: Known roles, of the main line and of each supposition inside it.
        refuted: Whether the innermost supposition has been refuted.
    """

    def __init__(self, puzzle: _Puzzle) -> None:
        self._puzzle = puzzle
        self.cases: list[dict[int, bool]] = [{}]
        self._supposed: list[tuple[int, bool]] = []
        self.refuted = False

    def accepts(self, line: str) -> bool:
        """Return whether a line, other than the last, follows from those before."""
        text = line.lstrip(" ")
        depth, odd = divmod(len(line) - len(text), 2)
        for kind, pattern in _LINES.items():
            match = pattern.fullmatch(text)
            if match and not odd and self._follows(kind, match.groupdict(), depth):
                return True
        return False

    def _follows(self, kind: str, words: dict[str, str], depth: int) -> bool:
        puzzle = self._puzzle
        if not {words[name] for name in ("name", "speaker") if name in words} <= {*puzzle.names}:
            return False
        person = puzzle.names.index(words["name"]) if "name" in words else -1
        role = words["role"].split()[1] if "role" in words else puzzle.good
        if role not in puzzle[2:] or ("role" in words and words["role"] != _a(role)):
            return False
        claim = (person, role == puzzle.good)
        if kind == "so":
            return self._concludes(claim, depth)
        if self.refuted or (kind != "suppose" and depth != len(self._supposed)):
            return False
        if kind == "suppose":
            fits = depth == len(self._supposed) + 1 and person not in self.cases[-1]
            self._supposed.append(claim)
            self.cases.append({**self.cases[-1], claim[0]: claim[1]})
            return fits
        return kind != "done" and self._uses(kind, claim, words)

    def _concludes(self, claim: tuple[int, bool], depth: int) -> bool:
        """End a refuted supposition with its opposite."""
        if not self.refuted or depth != len(self._supposed) - 1:
            return False
        person, role = self._supposed.pop()
        self.cases.pop()
        self.cases[-1][person] = not role
        self.refuted = False
        return claim == (person, not role)

    def _uses(self, kind: str, claim: tuple[int, bool], words: dict[str, str]) -> bool:
        """Check a line that uses one statement."""
        puzzle, known = self._puzzle, self.cases[-1]
        speaker = puzzle.names.index(words["speaker"])
        facts = _facts(puzzle, words["facts"], "and" if kind in ("truth", "lie") else "as")
        if facts is None or not facts.items() <= known.items() or speaker in facts:
            return False
        if kind in ("truth", "lie", "clash_truth", "clash_lie"):
            honest = kind.endswith("truth")
            if known.get(speaker) != honest:
                return False
            facts[speaker] = honest
        every = _completions(puzzle, speaker, facts)
        values = [_value(puzzle.said[speaker], roles) for roles in every]
        if kind in ("true", "false") and {*values} != {kind == "true"}:
            return False
        if kind in ("true", "false", "impossible") and claim[0] != speaker:
            return False
        pairs = zip(every, values, strict=True)
        cases = [roles for roles, value in pairs if value == roles[speaker]]
        if kind.startswith("clash"):
            self.refuted = not cases
            return self.refuted and bool(self._supposed)
        if kind == "either" and (speaker in known or len({r[speaker] for r in cases}) < 2):
            return False
        if "other" in words:
            other = puzzle.bad if claim[1] else puzzle.good
            if words["other"] != _a(other).capitalize():
                return False
        person, role = claim
        fits = person not in known and all(roles.get(person) == role for roles in cases)
        known[person] = role
        return fits and bool(cases)


def _follows_lines(puzzle: _Puzzle, answer: str, lines: Sequence[str]) -> bool:
    """Check every line, and that the last case is the answer and fits all statements."""
    check = _Check(puzzle)
    if len(lines) < 2 or not all(map(check.accepts, lines[:-1])):
        return False
    roles, depth = check.cases[-1], len(check.cases) - 1
    if check.refuted or lines[-1] != "  " * depth + _WORDS["steps"]["done"]:
        return False
    return len(roles) == len(puzzle.names) and answer == _answer(puzzle, roles)


VERIFIERS = {"knights_knaves": PlainVerifier(_read, _solve, "list", _follows_lines)}
