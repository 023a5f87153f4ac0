"""Statements as sets of assignments, the form of a puzzle up to renaming, and its case analysis.

A statement is a nested tuple: `("knight", 2)`, `("knave", 0)`, or a connective and its parts. An
assignment of roles to n people is a number with n bits, 1 for a knight, and a set of assignments is
an integer with 2**n bits.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

Statement = tuple[Any, ...]
BINARY = ("and", "or", "if", "iff")
CONNECTIVES = (*BINARY, "not")


@lru_cache(16)
def knights(n: int) -> tuple[int, ...]:
    """Return for each of n people the set of assignments in which this is a knight."""
    return tuple(
        sum(1 << assignment for assignment in range(1 << n) if assignment >> person & 1)
        for person in range(n)
    )


def everything(n: int) -> int:
    """Return the set of all assignments."""
    return (1 << (1 << n)) - 1


def people_of(statement: Statement) -> list[int]:
    """Return the people whom a statement mentions, in order, with repetitions."""
    if statement[0] in ("knight", "knave"):
        return [statement[1]]
    return [person for part in statement[1:] for person in people_of(part)]


def connectives_of(statement: Statement) -> int:
    """Return the number of connectives."""
    if statement[0] in ("knight", "knave"):
        return 0
    return 1 + sum(map(connectives_of, statement[1:]))


def depth_of(statement: Statement) -> int:
    """Return the number of connectives inside one another."""
    if statement[0] in ("knight", "knave"):
        return 0
    return 1 + max(map(depth_of, statement[1:]))


def truth(statement: Statement, n: int) -> int:
    """Return the assignments in which a statement is true.

    Returns:
        0, as if it were never true, if a part is always true, always false, or equal or opposite to
        one of its own parts.
    """
    kind, *parts = statement
    if kind in ("knight", "knave"):
        holds = knights(n)[parts[0]]
        return holds if kind == "knight" else everything(n) ^ holds
    tables = [truth(part, n) for part in parts]
    if 0 in tables:
        return 0
    first, second, whole = tables[0], tables[-1], everything(n)
    if kind == "not":
        return whole ^ first
    table = {
        "and": first & second,
        "or": first | second,
        "if": (whole ^ first) | second,
        "iff": whole ^ first ^ second,
    }[kind]
    trivial = {whole, first, second, whole ^ first, whole ^ second}
    return 0 if table in trivial else table


def depends(table: int, person: int, n: int) -> bool:
    """Return whether a set of assignments depends on the role of a person."""
    holds = knights(n)[person]
    return (table & holds) >> (1 << person) != table & ~holds


# the form up to renaming


def canonical(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements with people numbered from 1, equal for puzzles that differ in names."""
    best: list[tuple[Statement, ...]] = []
    _extend(statements, {}, (), best)
    return best[0]


def _extend(
    statements: Sequence[Statement],
    numbers: dict[int, int],
    before: tuple[Statement, ...],
    best: list[tuple[Statement, ...]],
) -> None:
    """Number the people who can be reached from another start, for all of the best starts."""
    if len(before) == len(statements):
        best[:] = [min([before, *best])]
        return
    tries = []
    for start in range(len(statements)):
        if start not in numbers:
            extended = dict(numbers)
            tries.append((_reached(statements, start, extended), start, extended))
    least = min(segment for segment, _, _ in tries)
    kept: list[int] = []
    for segment, start, extended in tries:
        if segment == least and not any(_twins(statements, start, other) for other in kept):
            kept.append(start)
            _extend(statements, extended, before + segment, best)


def _reached(
    statements: Sequence[Statement], start: int, numbers: dict[int, int]
) -> tuple[Statement, ...]:
    """Number the people mentioned from a start on, breadth first, and return their statements."""
    numbers[start] = len(numbers) + 1
    queue, segment = [start], []
    for speaker in queue:
        for person in people_of(statements[speaker]):
            if person not in numbers:
                numbers[person] = len(numbers) + 1
                queue.append(person)
        segment.append(_renamed(statements[speaker], numbers))
    return tuple(segment)


def _renamed(statement: Statement, numbers: dict[int, int]) -> Statement:
    if statement[0] in ("knight", "knave"):
        return (statement[0], numbers[statement[1]])
    return (statement[0], *(_renamed(part, numbers) for part in statement[1:]))


def _twins(statements: Sequence[Statement], one: int, other: int) -> bool:
    """Return whether exchanging two people changes nothing."""
    swap = {person: person for person in range(len(statements))} | {one: other, other: one}
    return all(
        _renamed(statement, swap) == statements[swap[speaker]]
        for speaker, statement in enumerate(statements)
    )


# case analysis


class Step(NamedTuple):
    """A line of the case analysis.

    Attributes:
        kind: Name of the line among the words.
        depth: Number of suppositions that hold here.
        name: Person whose role follows or is supposed, or -1.
        is_knight: The role.
        speaker: Person whose statement is used, or -1.
        facts: Known people whom the statement mentions, and their roles.
    """

    kind: str
    depth: int
    name: int = -1
    is_knight: bool = False
    speaker: int = -1
    facts: tuple[tuple[int, bool], ...] = ()


_Lines = Generator[Step, None, bool]


class Analysis:
    """The case analysis of a puzzle: suppose, follow the statements, refute.

    Args:
        statements: What each person says.
        tables: For each statement, the assignments in which it is true.
    """

    def __init__(self, statements: Sequence[Statement], tables: Sequence[int]) -> None:
        self._n = len(statements)
        self._tables = tables
        self._mentioned = [[*dict.fromkeys(people_of(statement))] for statement in statements]
        self._whole = everything(self._n)
        self._knights = knights(self._n)

    def steps(self) -> Iterator[Step]:
        """Yield the lines that lead to the only solution."""
        last = Step("", 0)
        for last in self._case({}, 0):
            yield last
        yield Step("done", last.depth)

    def _case(self, known: dict[int, bool], depth: int) -> _Lines:
        """Yield the lines of a case, and return whether it is refuted; if not, all is known."""
        refuted = yield from self._followed(known, depth)
        while not refuted and len(known) < self._n:
            person = next(person for person in range(self._n) if person not in known)
            yield Step("suppose", depth + 1, person, is_knight=True)
            inner = {**known, person: True}
            if not (yield from self._case(inner, depth + 1)):
                known.update(inner)
                return False
            known[person] = False
            yield Step("so", depth, person)
            refuted = yield from self._followed(known, depth)
        return refuted

    def _followed(self, known: dict[int, bool], depth: int) -> _Lines:
        """Yield what follows from single statements until nothing more does."""
        before = -1
        while len(known) > before:
            before = len(known)
            for speaker in range(self._n):
                for step in self._used(speaker, known, depth):
                    yield step
                    if step.name < 0:
                        return True
                    known[step.name] = step.is_knight
        return False

    def _used(self, speaker: int, known: dict[int, bool], depth: int) -> Iterator[Step]:
        """Yield what follows from one statement and the known roles."""
        facts = tuple(
            (person, known[person])
            for person in self._mentioned[speaker]
            if person in known and person != speaker
        )
        others = self._whole
        for person, is_knight in facts:
            others &= self._knights[person] if is_knight else ~self._knights[person]
        says_true, knight = self._tables[speaker], self._knights[speaker]
        honest, lying = others & says_true & knight, others & ~says_true & ~knight
        role = known.get(speaker)
        possible = (honest | lying) if role is None else honest if role else lying
        if not possible:
            kind = "clash" if role is None else "clash_truth" if role else "clash_lie"
            yield Step(kind, depth, speaker=speaker, facts=facts)
            return
        if role is None and (not honest or not lying):
            kind = "impossible"
            if not others & ~says_true or not others & says_true:
                kind = "true" if honest else "false"
            yield Step(kind, depth, speaker, bool(honest), speaker, facts)
            role = bool(honest)
        kind = "either" if role is None else "truth" if role else "lie"
        for person in self._mentioned[speaker]:
            if person not in known and person != speaker:
                with_knight, without = (
                    possible & self._knights[person],
                    possible & ~self._knights[person],
                )
                if not with_knight or not without:
                    yield Step(kind, depth, person, bool(with_knight), speaker, facts)
