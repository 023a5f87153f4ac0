"""Chains of assignments from the text: programs by backward slices, LEGO by counting signs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from synthgen.authoring import PlainVerifier, Words, exactly, holes, reads

_WORDS = Words.beside(__file__)
_NAME = r"(?!(?:as|if|in|is|or)\b)[a-z]{1,2}"
_VARIABLE = re.compile(rf"\b{_NAME}\b")
_TRUE = frozenset(
    {
        *("True", "not False", "True and True", "True or True", "True or False", "False or True"),
        *("True != False", "False != True"),
    }
)
"""Right sides that are true, with values in place of variables."""


class _Statement(NamedTuple):
    """An assignment, and the variables on its right side."""

    name: str
    right: str
    variables: frozenset[str]


_Program = tuple[tuple[_Statement, ...], str]
"""Statements and the variable in question."""


def _statement(text: str) -> _Statement:
    name, right = text.split(" = ")
    return _Statement(name, right, frozenset(_VARIABLE.findall(right)))


_ITEM = holes.pattern(
    f"{_NAME} = (?:True|False|(?:not )?{_NAME}|{_NAME} (?:and|or|!=) {_NAME})", _statement
)


@reads(
    _WORDS.part("assignment"),
    lines=holes.listed(_ITEM, "\n"),
    statements=holes.listed(_ITEM, "; "),
    query=holes.pattern(_NAME),
)
def _read_program(
    query: str, lines: tuple[_Statement, ...] = (), statements: tuple[_Statement, ...] = ()
) -> _Program | None:
    """Return a program whose variables all have values when they are used."""
    program = lines or statements
    known: set[str] = set()
    for statement in program:
        if not statement.variables <= known:
            return None
        known.add(statement.name)
    return (program, query) if query in known else None


def _slice(program: _Program) -> list[_Statement]:
    """Go back from the question, and keep the statements whose values are needed."""
    statements, query = program
    wanted, kept = {query}, list[_Statement]()
    for statement in reversed(statements):
        if statement.name in wanted:
            wanted.remove(statement.name)
            wanted |= statement.variables
            kept.append(statement)
    return kept[::-1]


def _run(statements: Iterable[_Statement]) -> list[str]:
    """Return a line for each statement, which ends with its value."""
    values: dict[str, str] = {}
    lines = []
    for name, right, _ in statements:
        known = _VARIABLE.sub(lambda match: values[match[0]], right)
        values[name] = str(known in _TRUE)
        lines.append(" = ".join(dict.fromkeys([name, right, known, values[name]])))
    return lines


def _final(program: _Program) -> str:
    return _run(_slice(program))[-1].split()[-1]


def _runs(program: _Program, answer: str, lines: Sequence[str]) -> bool:
    """Accept the values of all statements, or of those that are needed."""
    del answer
    return any(list(lines) == _run(statements) for statements in (program[0], _slice(program)))


class _Link(NamedTuple):
    """An equation: a variable, and the sign before "1" or another variable."""

    name: str
    sign: str
    source: str


def _link(text: str) -> _Link:
    name, right = text.split(" = ")
    return _Link(name, right[0], right[1:])


@reads(
    _WORDS.part("lego"),
    clauses=holes.listed(holes.pattern(f"{_NAME} = [+-](?:1|{_NAME})", _link)),
    query=holes.pattern(_NAME),
)
def _read_chain(clauses: tuple[_Link, ...], query: str) -> tuple[_Link, ...] | None:
    """Order the equations along the chain; return those up to the question."""
    users = {link.source: link for link in clauses}
    chain: list[_Link] = []
    while link := users.pop(chain[-1].name if chain else "1", None):
        chain.append(link)
    names = [link.name for link in chain]
    if not len(clauses) == len(chain) == len({*names}) or query not in names:
        return None
    return tuple(chain[: names.index(query) + 1])


def _sign(chain: Iterable[_Link]) -> str:
    """Count the minus signs."""
    return "-1" if sum(link.sign == "-" for link in chain) % 2 else "+1"


def _values(chain: Sequence[_Link]) -> Iterator[str]:
    """Write the value of each variable of the chain."""
    yield f"{chain[0].name} = {_sign(chain[:1])}"
    for place, (name, sign, source) in enumerate(chain[1:], 1):
        before, after = _sign(chain[:place]), _sign(chain[: place + 1])
        yield f"{name} = {sign}{source} = {sign}({before}) = {after}"


VERIFIERS = {
    "lego": PlainVerifier(_read_chain, _sign, "integer", exactly(_values)),
    "variable_assignment": PlainVerifier(_read_program, _final, "label", _runs),
}
