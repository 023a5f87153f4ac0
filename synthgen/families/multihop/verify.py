"""Multi-hop questions from the text: by the facts that it states, or one by one from its world.

A fact is a key and a value, such as "e15 r3" and "e920". If none are stated, the row of the named
world that has a key is drawn by itself. Formulas are reduced from the inside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from synthgen.authoring import PlainVerifier, Rows, Words, holes, reads
from synthgen.core.randomness import stream_key

_WORDS = Words.beside(__file__)
_N = r"(?:0|[1-9][0-9]{0,5})"
_NUMBER = re.compile(r"[0-9]+")
_CALL = re.compile(rf"f[1-5]\({_N}(?:, {_N}){{1,2}}\)")
_INPUT = re.compile("[u-z]")
_SIZES = {"kb": (10_000, 500, 500), "vt": (10_000, 200, 1000), "tables": (200,)}
"""Largest sizes of the worlds of each kind."""
_FORMULAS = {
    "two_hop": "f2(f1(u, v), w)",
    "parallel": "f3(f1(u, v), f2(w, x))",
    "three_hop": "f3(f2(f1(u, v), w), x)",
    "non_tree": "f2(f1(u, v), v, w)",
    "five_hop": "f5(f4(f3(f2(f1(u, v), w), x), y), z)",
}
_SIGNS = {"less": "<", "equal": "=", "greater": ">"}


class _World(NamedTuple):
    kind: str
    sizes: tuple[int, ...]
    number: int

    @property
    def exists(self) -> bool:
        """Whether its sizes are those of a world, which a prompt may name."""
        most = _SIZES[self.kind]
        fits = all(0 < size <= limit for size, limit in zip(self.sizes, most, strict=True))
        return fits and (self.kind != "kb" or self.sizes[1] >= self.sizes[2])


_Source = _World | tuple[str, ...]


def _world(kind: str) -> holes.Hole:
    def parse(text: str) -> _World:
        *sizes, number = map(int, text.split("-")[1:])
        return _World(kind, tuple(sizes), number)

    return holes.pattern(rf"{kind}(?:-{_N}){{{len(_SIZES[kind]) + 1}}}", parse)


def _listed(fact: str) -> holes.Hole:
    return holes.listed(holes.pattern(fact), "\n")


@lru_cache(1 << 13)
def _row(world: _World, *place: int) -> dict[int, str]:
    """Return the values in one row of a world by the last number of their keys."""
    kind, sizes, number = world
    n = sizes[-1] if kind == "tables" else sizes[1]
    if kind == "kb":
        stream = stream_key("knowledge base", *sizes, number)
    elif kind == "vt":
        stream = stream_key("attributes", *sizes, number)
    else:
        stream = stream_key("function", *sizes, number, place[0], len(place))
    address = 0
    for argument in place[kind == "tables" :]:
        address = address * sizes[0] + argument
    draws = next(Rows(stream, np.array([address], np.uint64)).each())
    if kind != "kb":
        return {key: str(draws.integer(0, sizes[-1])) for key in range(n)}
    words = [draws.bits() for _ in range(n)]
    ends = [f"e{draws.integer(0, sizes[0])}" for _ in range(n)]
    return {key: ends[key] for key in sorted(range(n), key=words.__getitem__)[: sizes[2]]}


def _value(source: _Source, key: str) -> str | None:
    """Return the value of a key; None if there is none, or two."""
    if isinstance(source, _World):
        *place, last = map(int, _NUMBER.findall(key))
        arguments = place[source.kind == "tables" :]
        inside = all(argument < source.sizes[0] for argument in arguments)
        return _row(source, *place).get(last) if inside else None
    values = {fact[len(key) + 1 :] for fact in source if fact.startswith(f"{key} ")}
    return values.pop() if len(values) == 1 else None


class _Path(NamedTuple):
    source: _Source
    head: str
    relations: tuple[str, ...]


@reads(
    _WORDS.part("paths"),
    world=_world("kb"),
    head=holes.pattern(f"e{_N}"),
    path=holes.listed(holes.pattern(f"r{_N}"), ", then "),
    relations=holes.listed(holes.pattern(f"r{_N}"), " "),
    facts=_listed(f"e{_N} r{_N} e{_N}"),
)
def _read_path(
    head: str,
    path: tuple[str, ...] = (),
    relations: tuple[str, ...] = (),
    world: _World | None = None,
    facts: tuple[str, ...] = (),
) -> _Path | None:
    return _Path(world or facts, head, path or relations) if not world or world.exists else None


def _walk(problem: _Path) -> list[str]:
    """Return the facts of a path, as far as there are any."""
    walked, at = [], problem.head
    for relation in problem.relations:
        end = _value(problem.source, f"{at} {relation}")
        if end is None:
            break
        walked.append(f"{at} {relation} {end}")
        at = end
    return walked


def _end(problem: _Path) -> str | None:
    walked = _walk(problem)
    return walked[-1].split()[2] if len(walked) == len(problem.relations) else None


def _follows_path(problem: _Path, answer: str, lines: Sequence[str]) -> bool:
    return list(lines) == _walk(problem) and lines[-1].endswith(f" {answer}")


class _Comparison(NamedTuple):
    source: _Source
    keys: tuple[str, ...]


@reads(
    _WORDS.part("comparison"),
    world=_world("vt"),
    attribute=holes.pattern(f"a{_N}"),
    first=holes.pattern(f"e{_N}"),
    second=holes.pattern(f"e{_N}"),
    facts=_listed(f"e{_N} a{_N} {_N}"),
)
def _read_comparison(
    kind: str,
    attribute: str,
    first: str,
    second: str = "",
    world: _World | None = None,
    facts: tuple[str, ...] = (),
) -> _Comparison | None:
    if (world and not world.exists) or first == second:
        return None
    entities = (first, second) if kind == "comparison" else (first,)
    return _Comparison(world or facts, tuple(f"{one} {attribute}" for one in entities))


def _compare(problem: _Comparison) -> str | None:
    values = [_value(problem.source, key) for key in problem.keys]
    if None in values:
        return None
    if len(values) == 1:
        return values[0]
    first, second = (int(value or 0) for value in values)
    return ("less", "equal", "greater")[(first > second) - (first < second) + 1]


def _follows_comparison(problem: _Comparison, answer: str, lines: Sequence[str]) -> bool:
    values = [_value(problem.source, key) for key in problem.keys]
    wanted = [f"{key} {value}" for key, value in zip(problem.keys, values, strict=True)]
    if len(values) == 2:
        wanted.append(f"{values[0]} {_SIGNS[answer]} {values[1]}")
    return list(lines) == wanted


class _Formula(NamedTuple):
    source: _Source
    text: str


@reads(
    _WORDS.part("tables"),
    world=_world("tables"),
    structure=holes.pattern(r"[a-z_]+(?:-[2-5])?"),
    inputs=holes.listed(holes.pattern(_N), " "),
    formula=holes.pattern(r"f[f0-9(), ]{1,300}\)"),
    facts=_listed(rf"f[1-5]\({_N}, {_N}(?:, {_N})?\) = {_N}"),
)
def _read_formula(
    structure: str = "",
    inputs: tuple[str, ...] = (),
    formula: str = "",
    world: _World | None = None,
    facts: tuple[str, ...] = (),
) -> _Formula | None:
    if world and not world.exists:
        return None
    shape, _, same = structure.partition("-")
    if structure:
        pattern = _FORMULAS.get(shape, "")
        names = sorted({*_INPUT.findall(pattern)})
        if len(names) != len(inputs):
            return None
        values = dict(zip(names, inputs, strict=True))
        named = re.sub(f"f[1-{same or 1}]", "f1", pattern)
        formula = _INPUT.sub(lambda found: values[found[0]], named)
    return _Formula(world or facts, formula)


def _reduce(problem: _Formula) -> tuple[str, list[str]]:
    """Replace calls by their values from the inside; return what is left, and the calls."""
    text, lines = problem.text, []
    while found := _CALL.search(text):
        value = _value(problem.source, f"{found[0]} =")
        if value is None:
            break
        lines.append(f"{found[0]} = {value}")
        text = text[: found.start()] + value + text[found.end() :]
    return text, lines


def _result(problem: _Formula) -> str | None:
    text, _ = _reduce(problem)
    return text if text.isdecimal() else None


def _follows_calls(problem: _Formula, answer: str, lines: Sequence[str]) -> bool:
    return (answer, list(lines)) == _reduce(problem)


VERIFIERS = {
    "multihop_paths": PlainVerifier(_read_path, _end, "string", _follows_path),
    "multihop_comparison": PlainVerifier(_read_comparison, _compare, "string", _follows_comparison),
    "multihop_tables": PlainVerifier(_read_formula, _result, follows=_follows_calls),
}
