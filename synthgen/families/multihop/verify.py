"""Multi-hop questions from the text: by its stated facts, or by single rows of the named world.

A fact is a key and a value, such as "e15 r3" and "e920". If none are stated, the row of the named
world with a key is drawn by itself. Formulas are reduced from the inside.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from synthgen.authoring import Rows, Words, WorkedVerifier, holes, reads, stream_key

_WORDS = Words.beside(__file__)
_N = r"(?:0|[1-9][0-9]{0,5})"
_NUMBER = re.compile(r"[0-9]+")
_CALL = re.compile(rf"f[1-5]\({_N}(?:, {_N}){{1,2}}\)")
_INPUT = re.compile("[u-z]")
_SIZES = {"kb": (10_000, 500, 500), "vt": (10_000, 200, 1000), "tables": (200,)}
"""Largest sizes of the worlds of each kind."""
_STREAMS = {"kb": "knowledge base", "vt": "attributes", "tables": "function"}
_FORMULAS = {
    "two_hop": "f2(f1(u, v), w)",
    "parallel": "f3(f1(u, v), f2(w, x))",
    "three_hop": "f3(f2(f1(u, v), w), x)",
    "non_tree": "f2(f1(u, v), v, w)",
    "five_hop": "f5(f4(f3(f2(f1(u, v), w), x), y), z)",
}


class _World(NamedTuple):
    kind: str
    sizes: tuple[int, ...]
    number: int


_Source = _World | tuple[str, ...]


def _world(kind: str) -> holes.Hole:
    """Return the hole of a world's name with sizes up to the largest."""
    limits = _SIZES[kind]

    def parse(text: str) -> _World | None:
        *sizes, number = map(int, text.split("-")[1:])
        fits = all(0 < size <= limit for size, limit in zip(sizes, limits, strict=True))
        if not fits or (kind == "kb" and sizes[1] < sizes[2]):
            return None
        return _World(kind, tuple(sizes), number)

    return holes.pattern(rf"{kind}(?:-{_N}){{{len(limits) + 1}}}", parse)


def _listed(fact: str) -> holes.Hole:
    return holes.listed(holes.pattern(fact), "\n")


@lru_cache(1 << 13)
def _row(world: _World, *place: int) -> dict[int, str]:
    """Return the values in one row of a world by the last number of their keys."""
    kind, sizes, number = world
    n = sizes[-1] if kind == "tables" else sizes[1]
    function = (place[0], len(place)) if kind == "tables" else ()
    stream = stream_key(_STREAMS[kind], *sizes, number, *function)
    address = 0
    for argument in place[kind == "tables" :]:
        address = address * sizes[0] + argument
    draws = next(Rows(stream, np.array([address], np.uint64)).each(3 * n))
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
) -> _Path:
    return _Path(world or facts, head, path or relations)


def _walk(problem: _Path) -> tuple[str | None, list[str]]:
    """Return the end of a path and its facts, as far as there are any."""
    at, lines = problem.head, list[str]()
    for relation in problem.relations:
        end = _value(problem.source, f"{at} {relation}")
        if end is None:
            return None, lines
        lines.append(f"{at} {relation} {end}")
        at = end
    return at, lines


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
    if first == second:
        return None
    entities = (first, second) if kind == "comparison" else (first,)
    return _Comparison(world or facts, tuple(f"{entity} {attribute}" for entity in entities))


def _compare(problem: _Comparison) -> tuple[str | None, list[str]]:
    """Return the value, or the comparison of two values, and the facts that show it."""
    values = [_value(problem.source, key) or "" for key in problem.keys]
    if "" in values:
        return None, []
    lines = [f"{key} {value}" for key, value in zip(problem.keys, values, strict=True)]
    if len(values) == 1:
        return values[0], lines
    first, second = map(int, values)
    order = (first > second) - (first < second) + 1
    return ("less", "equal", "greater")[order], [*lines, f"{first} {'<=>'[order]} {second}"]


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
    shape, _, same = structure.partition("-")
    if structure:
        pattern = _FORMULAS.get(shape, "")
        names = sorted({*_INPUT.findall(pattern)})
        if len(names) != len(inputs):
            return None
        values = dict(zip(names, inputs, strict=True))
        named = re.sub(f"f[1-{same or 1}]", "f1", pattern)
        formula = _INPUT.sub(lambda match: values[match[0]], named)
    return _Formula(world or facts, formula)


def _reduce(problem: _Formula) -> tuple[str | None, list[str]]:
    """Replace calls by their values from the inside; return the remaining text, and the calls."""
    text, lines = problem.text, []
    while call := _CALL.search(text):
        value = _value(problem.source, f"{call[0]} =")
        if value is None:
            break
        lines.append(f"{call[0]} = {value}")
        text = text[: call.start()] + value + text[call.end() :]
    return text if text.isdecimal() else None, lines


def _type_of(problem: _Comparison) -> str:
    return "integer" if len(problem.keys) == 1 else "label"


VERIFIERS = {
    "multihop_paths": WorkedVerifier(_read_path, _walk, "label"),
    "multihop_comparison": WorkedVerifier(_read_comparison, _compare, _type_of),
    "multihop_tables": WorkedVerifier(_read_formula, _reduce),
}
