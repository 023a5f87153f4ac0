"""Knights and knaves: puzzles with one solution, and their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synthgen.authoring import (
    ParamError,
    PlainFamily,
    Problem,
    RowDraws,
    Words,
    axis,
    filled,
    levelled,
    params,
)
from synthgen.families.knights_knaves.puzzles import (
    BINARY,
    CONNECTIVES,
    Analysis,
    Statement,
    canonical,
    connectives_of,
    depends,
    depth_of,
    everything,
    knights,
    people_of,
    truth,
)

_WORDS = Words.beside(__file__)
_MAX_PEOPLE, _MAX_DEPTH = 8, 3
_MAX_CONNECTIVES = _MAX_PEOPLE * (2**_MAX_DEPTH - 1)
_TRIES, _PUZZLE_TRIES = 20, 60
_LEAF = "person"
"""Leaf of a statement whose people are still to be drawn."""


@dataclass(frozen=True)
class _Made:
    """A puzzle as drawn: what each person says, where that is true, and who is a knight."""

    statements: tuple[Statement, ...]
    tables: tuple[int, ...]
    solution: int


@levelled("n_people + n_connectives", 4, 6, 8, 10, 12, 14, 16, 18, 21, 25)
@dataclass(frozen=True)
class KnightsKnaves(PlainFamily):
    """Each person says one thing; exactly one assignment of the roles fits.

    Attributes:
        min_people, max_people: Fewest and most people.
        min_depth, max_depth: Fewest and most connectives inside one another in a statement.
    """

    min_people: int = params.integer(3, 2, _MAX_PEOPLE, up_to="max_people")
    max_people: int = params.integer(7, 2, _MAX_PEOPLE)
    min_depth: int = params.integer(0, 0, _MAX_DEPTH, up_to="max_depth")
    max_depth: int = params.integer(2, 1, _MAX_DEPTH)

    verifier = "knights_knaves"
    same_up_to = "the names of the people and their order, and the words for the two roles"
    words = _WORDS
    symbols = {
        "island": (2, _MAX_PEOPLE),
        **dict.fromkeys(BINARY, 2),
        **dict.fromkeys(("not", "knight", "knave"), 1),
    }
    answer_type = "list"
    own_axes = {
        "n_people": axis("people", "min_people", "max_people"),
        "depth": axis("most connectives inside one another", "min_depth", "max_depth"),
        "n_connectives": axis("connectives", 0, _MAX_CONNECTIVES),
        "n_knights": axis("people who tell the truth", 0, _MAX_PEOPLE),
        "n_own": axis("people who speak about themselves, too", 0, _MAX_PEOPLE),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_people == 2 and self.min_depth > 2:
            wanted = "at least 3, as min_depth=3"
            raise ParamError("min_people", self.min_people, wanted)

    @property
    def answers_differ(self) -> bool:
        """Answers list the roles in the order of the people."""
        return True

    def make(self, draws: RowDraws) -> Problem | None:
        """Draw the roles, then what each person says until only these roles fit."""
        n = draws.integer(self.min_people, self.max_people + 1)
        solution = draws.integer(0, 1 << n)
        holds, whole = knights(n), everything(n)
        said = [self._said(speaker, n, solution, draws) for speaker in range(n)]
        for _ in range(_PUZZLE_TRIES):
            left = whole
            for speaker, one in enumerate(said):
                left &= ~(holds[speaker] ^ one[1]) if one else 0
            if left == 1 << solution:
                break
            speaker = draws.integer(0, n)
            said[speaker] = self._said(speaker, n, solution, draws)
        else:
            return None
        pairs = [one for one in said if one]
        return self._problem(
            _Made(tuple(one for one, _ in pairs), tuple(table for _, table in pairs), solution),
            draws,
        )

    def _said(
        self, speaker: int, n: int, solution: int, draws: RowDraws
    ) -> tuple[Statement, int] | None:
        """Draw a statement that fits the role of the speaker, which the connectives do not."""
        depth = draws.integer(self.min_depth, self.max_depth + 1)
        shape = _shape(depth, draws)
        holds = knights(n)[speaker]
        for _ in range(_TRIES):
            statement = _with_people(shape, _people(shape, n, draws), draws)
            table = truth(statement, n)
            if not table or table >> solution & 1 != solution >> speaker & 1:
                continue
            mentioned = {*people_of(statement)}
            if table in (holds, everything(n) ^ holds):  # fits both roles, or neither
                continue
            if all(depends(table, person, n) for person in mentioned):
                return statement, table
        return None

    def _problem(self, made: _Made, draws: RowDraws) -> Problem:
        statements, n = made.statements, len(made.statements)
        names = draws.sample(_WORDS["names"], n)
        words = draws.choice(_WORDS["roles"])
        return Problem(
            tree=("island", *canonical(statements)),
            answer=_answer(made.solution, n, words),
            holes=_holes(statements, names, words, draws.choice(_WORDS["sayings"])),
            axes={
                "n_people": n,
                "depth": max(map(depth_of, statements)),
                "n_connectives": sum(map(connectives_of, statements)),
                "n_knights": made.solution.bit_count(),
                "n_own": sum(i in people_of(each) for i, each in enumerate(statements)),
            },
            data=(made, names, words),
        )

    def steps_of(self, problem: Problem) -> list[str]:
        """Write the case analysis, each supposition further to the right."""
        return [*self._lines(problem)]

    @staticmethod
    def _lines(problem: Problem) -> Iterator[str]:
        made, names, (good, bad, *_) = problem.data
        roles = {True: _a(good), False: _a(bad)}
        for step in Analysis(made.statements, made.tables).steps():
            facts = [f"{names[person]} is {roles[role]}" for person, role in step.facts]
            joint = " and" if step.kind in ("truth", "lie") else " as"
            yield "  " * step.depth + _WORDS.line(
                step.kind,
                name=names[step.name],
                role=roles[step.is_knight],
                other=roles[not step.is_knight].capitalize(),
                speaker=names[step.speaker],
                facts=f",{joint} {_joined(facts)}" if facts else "",
            )

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return the other assignments, those that fit the most statements first."""
        made, _, words = problem.data
        n = len(made.statements)
        fits = [~(holds ^ table) for holds, table in zip(knights(n), made.tables, strict=True)]
        others = draws.shuffled([each for each in range(1 << n) if each != made.solution])
        others.sort(key=lambda each: -sum(fit >> each & 1 for fit in fits))
        return [_answer(each, n, words) for each in others[:12]]


# statements


def _shape(depth: int, draws: RowDraws) -> Statement | str:
    """Draw connectives of a depth."""
    if not depth:
        return _LEAF
    kind = draws.choice(CONNECTIVES if depth > 1 else BINARY)
    deep = _shape(depth - 1, draws)
    if kind == "not":
        return (kind, deep)
    other = _shape(draws.integer(0, depth), draws)
    return (kind, deep, other) if draws.integer(0, 2) else (kind, other, deep)


def _leaves(shape: Statement | str) -> int:
    return 1 if shape == _LEAF else sum(map(_leaves, shape[1:]))


def _people(shape: Statement | str, n: int, draws: RowDraws) -> list[int]:
    """Draw the people of the leaves, as few as possible twice."""
    count = _leaves(shape)
    people = draws.sample(range(n), min(count, n))
    return people + [draws.integer(0, n) for _ in range(count - len(people))]


def _with_people(shape: Statement | str, people: list[int], draws: RowDraws) -> Statement:
    """Put people into the leaves of a shape; the list is consumed."""
    if isinstance(shape, str):
        return ("knight" if draws.integer(0, 2) else "knave", people.pop())
    return (shape[0], *(_with_people(part, people, draws) for part in shape[1:]))


# texts


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _joined(items: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def _answer(solution: int, n: int, words: Sequence[str]) -> str:
    return ", ".join(words[0] if solution >> person & 1 else words[1] for person in range(n))


def _text(statement: Statement, names: Mapping[int, str], roles: Mapping[str, str]) -> str:
    kind, *parts = statement
    if kind in roles:
        return f"{names[parts[0]]} {roles[kind]}"
    texts = [_text(part, names, roles) for part in parts]
    texts = [
        text if part[0] in roles else f"({text})" for text, part in zip(texts, parts, strict=True)
    ]
    return filled(_WORDS["statements"][kind], {"first": texts[0], "second": texts[-1]})


def _holes(
    statements: Sequence[Statement], names: Sequence[str], words: Sequence[str], saying: str
) -> dict[str, str]:
    good, bad, goods, bads = words
    lines = []
    for speaker, statement in enumerate(statements):
        called = {i: "I" if i == speaker else name for i, name in enumerate(names)}
        text = _text(statement, called, {"knight": f"is {_a(good)}", "knave": f"is {_a(bad)}"})
        text = text.replace("I is ", "I am ")
        text = text[0].upper() + text[1:]
        lines.append(filled(saying, {"name": names[speaker], "text": text}))
    return {
        "a_good": _a(good),
        "a_bad": _a(bad),
        "goods": goods,
        "bads": bads,
        "people": _joined(names),
        "statements": "\n".join(lines),
        "example": ", ".join(([good, bad] * len(names))[: len(names)]),
    }


GENERATORS = {"knights_knaves": KnightsKnaves}
