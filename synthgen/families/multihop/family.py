"""Multi-hop questions about random worlds: a knowledge base, a table of attributes, functions.

A world follows only from its name. A row of its tables has the draws of `Rows` at an address of
a stream that the name selects, so that any single fact can be drawn without the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    BLOCK,
    LARGEST_LEAF,
    Axis,
    ParamError,
    Problem,
    Problems,
    Render,
    RowDraws,
    Rows,
    Signature,
    Texts,
    Words,
    axis,
    levelled,
    params,
    signature_of,
    stream_key,
)
from synthgen.authoring.compiled import Ragged, derivation_keys, scale_words
from synthgen.families.multihop.comparison import MultihopComparison, MultihopHidden
from synthgen.families.multihop.worlds import (
    GROUPS,
    LAST_WORLD,
    MAX_DECOYS,
    Fact,
    Hop,
    Ints,
    Stated,
    WorldFamily,
    groups_of,
)

_WORDS = Words.beside(__file__)
_MAX_HOPS, _MAX_TOKENS = 6, 200


class _Knowledge(NamedTuple):
    """Facts of a knowledge base, each (entities, degree)."""

    relations: Ints
    tails: Ints
    groups: Ints


@lru_cache(4)
def _knowledge(entities: int, relations: int, degree: int, number: int) -> _Knowledge:
    """Draw a knowledge base: the relations of an entity are those with the smallest words."""
    stream = stream_key("knowledge base", entities, relations, degree, number)
    words = Rows.span(stream, 0, entities).draws().bits(3 * relations)
    orders, tails, others = np.split(words, 3, axis=1)
    chosen = np.sort(np.argsort(orders, axis=1, kind="stable")[:, :degree], axis=1)
    ends = scale_words(np.take_along_axis(tails, chosen, 1), entities)
    groups = groups_of(np.take_along_axis(others, chosen, 1))
    return _Knowledge(chosen, ends, groups)


@lru_cache(16)
def _shares(world: tuple[int, int, int, int], low: int, high: int, hops: int) -> list[Ints]:
    """Count paths of facts in some groups.

    Returns:
        Running sums of the number of paths: over entities, for all hops; then, hop by hop, over the
        facts of each entity, for the remaining hops.
    """
    known = _knowledge(*world)
    kept = (low <= known.groups) & (known.groups <= high)
    n_paths, shares = np.ones(world[0], np.int64), []
    for _ in range(hops):
        shares.append(np.cumsum(np.where(kept, n_paths[known.tails], 0), 1))
        n_paths = shares[-1][:, -1]
    return [np.cumsum(n_paths), *reversed(shares)]


@levelled("hops", 1, 2, 3, 4, 5, 6)
@dataclass(frozen=True)
class MultihopPaths(WorldFamily):
    """Follow one or more relations from an entity of a random knowledge base.

    Attributes:
        entities, relations: Number of entities and of relations in the knowledge base.
        degree: Facts of each entity, of different relations; the entity at the end is random.
        number: Number of the knowledge base.
        min_hops, max_hops: Relations to follow, 1 to 6.
        min_group, max_group: Groups of the facts used; other paths are not drawn.
        decoys: Other starts whose paths by the same relations prompts with facts state as well.
    """

    entities: int = params.integer(2000, 2, 10_000)
    relations: int = params.integer(200, 1, 500)
    degree: int = params.integer(20, 1, 200, up_to="relations")
    number: int = params.integer(0, 0, LAST_WORLD)
    min_hops: int = params.integer(1, 1, _MAX_HOPS, up_to="max_hops")
    max_hops: int = params.integer(2, 1, _MAX_HOPS)
    min_group: int = params.integer(0, 0, GROUPS - 1, up_to="max_group")
    max_group: int = params.integer(GROUPS - 1, 0, GROUPS - 1)
    decoys: int = params.integer(2, 0, MAX_DECOYS)

    version = 3
    verifier = "multihop_paths"
    words = _WORDS.part("paths")
    answer_type = "label"
    own_axes = {
        "hops": axis("relations to follow", "min_hops", "max_hops"),
        "low_group": axis(
            "lowest group of the facts used, of 1,000 equal groups", "min_group", "max_group"
        ),
        "high_group": axis("highest group of the facts used", "min_group", "max_group"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.min_group, self.max_group) != (0, GROUPS - 1) and not self.space:
            groups = f"{self.min_group} to {self.max_group}"
            raise ParamError("max_group", self.max_group, f"a path of facts of groups {groups}")

    @property
    def world(self) -> str:
        """Name of the knowledge base."""
        return f"kb-{self.entities}-{self.relations}-{self.degree}-{self.number}"

    @cached_property
    def signature(self) -> Signature:
        """Paths, entities and relations as integers, and the knowledge base."""
        return signature_of({"path": (3, 2 + _MAX_HOPS), self.world: 0})

    @property
    def space(self) -> int:
        """Number of paths."""
        return sum(self._paths_of(hops) for hops in range(self.min_hops, self.max_hops + 1))

    def _paths_of(self, hops: int) -> int:
        return int(self._shares(hops)[0][-1])

    def _shares(self, hops: int) -> list[Ints]:
        world = self.entities, self.relations, self.degree, self.number
        return _shares(world, self.min_group, self.max_group, hops)

    @property
    def _knowledge(self) -> _Knowledge:
        return _knowledge(self.entities, self.relations, self.degree, self.number)

    def numbered(self, numbers: Ints) -> Sequence[Problem]:
        """Make the paths of these numbers: the shorter ones come first."""
        made: dict[int, Problem] = {}
        for hops in range(self.min_hops, self.max_hops + 1):
            places = np.flatnonzero((numbers >= 0) & (numbers < self._paths_of(hops)))
            paths = self._paths(numbers[places], hops)
            made |= dict(zip(places.tolist(), paths, strict=True))
            numbers = numbers - self._paths_of(hops)
        return [made[place] for place in range(len(numbers))]

    def _paths(self, numbers: Ints, hops: int) -> Iterator[Problem]:
        """Divide the numbers among heads, then those of a head among its facts, and so on."""
        known, (ends, *shares) = self._knowledge, self._shares(hops)
        entities, relations, groups = [np.searchsorted(ends, numbers, "right")], [], []
        rest = numbers - np.concatenate([[0], ends])[entities[0]]
        for share in shares:
            upto = share[entities[-1]]
            slot = (upto <= rest[:, None]).sum(1)
            rest = rest - np.where(slot, upto[np.arange(len(slot)), slot - 1], 0)
            fact = entities[-1], slot
            relations.append(known.relations[fact])
            groups.append(known.groups[fact])
            entities.append(known.tails[fact])
        columns = (
            np.min(groups, 0),
            np.max(groups, 0),
            np.array(entities).T,
            np.array(relations).T,
        )
        for low, high, nodes, names in zip(*(column.tolist() for column in columns), strict=True):
            followed = [f"r{name}" for name in names]
            yield Problem(
                tree=("path", self.world, nodes[0], *names),
                answer=f"e{nodes[-1]}",
                holes={
                    "head": f"e{nodes[0]}",
                    "path": ", then ".join(followed),
                    "relations": " ".join(followed),
                },
                axes={"hops": len(names), "low_group": low, "high_group": high},
                difficulty=len(names),
                data=list(zip(nodes, names, nodes[1:], strict=False)),
            )

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return other ends of facts that the prompt states, first those that occur as often."""
        facts = draws.shuffled([*self.stated(problem.data, draws)])
        heads, tails = (Counter(fact[side] for fact in facts) for side in (0, 2))
        *_, end = problem.data[-1]
        used = heads[end], tails[end]
        return [f"e{node}" for node in sorted(tails, key=lambda n: (heads[n], tails[n]) != used)]

    def written(self, fact: Fact) -> str:
        """Write the begin of an arrow, its label, and its end."""
        head, relation, tail = fact
        return f"e{head} r{relation} e{tail}"

    def stated(self, needed: Sequence[Fact], draws: RowDraws) -> Iterator[Fact]:
        """State the path among others with the same relations; see `Stated.entwine`."""
        asked = [relation for _, relation, _ in needed]
        hops = [
            Hop(head, relation, tail, self._other_relation(relation, asked, draws))
            for head, relation, tail in needed
        ]
        stated = Stated(hops, lambda: draws.integer(0, self.entities))
        stated.entwine(hops, self.decoys, draws)
        for (head, relation), tail in stated.facts.items():
            yield head, relation, tail

    def _other_relation(self, relation: int, asked: Sequence[int], draws: RowDraws) -> int | None:
        """Draw another relation of the question if it has one, else of the knowledge base."""
        others = [name for name in asked if name != relation]
        if others:
            return draws.choice(others)
        if self.relations == 1:
            return None
        name = draws.integer(0, self.relations - 1)
        return name + (name >= relation)


_Step = tuple[int, ...]
_STRUCTURES: dict[str, tuple[int, tuple[_Step, ...]]] = {
    "two_hop": (3, ((0, 1), (3, 2))),
    "parallel": (4, ((0, 1), (2, 3), (4, 5))),
    "three_hop": (4, ((0, 1), (4, 2), (5, 3))),
    "non_tree": (3, ((0, 1), (3, 1, 2))),
    "five_hop": (6, ((0, 1), (6, 2), (7, 3), (8, 4), (9, 5))),
}
"""Number of inputs, and the arguments of each function: inputs, then earlier results."""


class _Function(NamedTuple):
    """Values of a function, and groups of its entries; the first arguments are one number."""

    values: Ints
    groups: Ints


@lru_cache(8)
def _function(tokens: int, number: int, place: int, arity: int) -> _Function:
    stream = stream_key("function", tokens, number, place, arity)
    words = Rows.span(stream, 0, tokens ** (arity - 1)).draws().bits(2 * tokens)
    return _Function(scale_words(words[:, :tokens], tokens), groups_of(words[:, tokens:]))


@levelled("hops", 2, 3, 4, 5)
@dataclass(frozen=True)
class MultihopTables(WorldFamily):
    """Compose functions of two or three tokens that are random tables.

    Attributes:
        structure: "two_hop" f2(f1(a, b), c), "parallel" f3(f1(a, b), f2(c, d)), "three_hop" and
            "five_hop", longer chains, or "non_tree" f2(f1(a, b), b, c), which uses b twice.
        tokens: Number of tokens; inputs and values are integers from 0 to `tokens` - 1.
        number: Number of the tables.
        same: Number of functions, from f1 on, that are the same function; 1 for "non_tree".
        decoys: Other first arguments of each call that prompts with facts state.
    """

    structure: str = params.choice("two_hop", tuple(_STRUCTURES))
    tokens: int = params.integer(50, 2, _MAX_TOKENS)
    number: int = params.integer(0, 0, LAST_WORLD)
    same: int = params.integer(1, 1, 5)
    decoys: int = params.integer(2, 0, MAX_DECOYS)

    version = 2
    verifier = "multihop_tables"
    words = _WORDS.part("tables")

    def __post_init__(self) -> None:
        super().__post_init__()
        most = 1 if self.structure == "non_tree" else len(self._steps)
        if self.same > most:
            raise ParamError("same", self.same, f"at most {most} for structure={self.structure}")

    @property
    def _steps(self) -> tuple[_Step, ...]:
        return _STRUCTURES[self.structure][1]

    @property
    def _n_inputs(self) -> int:
        return _STRUCTURES[self.structure][0]

    @property
    def world(self) -> str:
        """Name of the tables."""
        return f"tables-{self.tokens}-{self.number}"

    @property
    def _shape(self) -> str:
        return self.structure if self.same == 1 else f"{self.structure}-{self.same}"

    @cached_property
    def signature(self) -> Signature:
        """Inputs as integers, below the structure and the world as one symbol."""
        return signature_of({self._symbol: self._n_inputs})

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Hops, and for each function the entry that is used and its group."""
        axes = {"hops": axis("functions applied", len(self._steps), len(self._steps))}
        for place, step in enumerate(self._steps, 1):
            first = self._first_entry(place)
            last = first + self.tokens ** len(step) - 1
            about = f"the entry of f{place} that is used"
            axes[f"group_{place}"] = axis(f"group of {about}, of 1,000 equal groups", 0, 999)
            axes[f"call_{place}"] = axis(
                f"number of {about}, different for other functions", first, last
            )
        return {name: column.resolved(self) for name, column in axes.items()}

    @property
    def space(self) -> int:
        """Number of inputs."""
        return int(self.tokens**self._n_inputs)

    @property
    def block(self) -> int:
        """Addresses of a block of selection: many, since all are drawn at once."""
        return BLOCK

    def numbered(self, numbers: Ints) -> Iterator[Problem]:
        """Return the problems of these numbers, without their axes."""
        steps = [(self._name(place), step) for place, step in enumerate(self._steps, 1)]
        for data in self._values(numbers)[0].tolist():
            inputs, results = data[: self._n_inputs], data[self._n_inputs :]
            formulas = [*map(str, inputs)]
            for name, step in steps:
                formulas.append(f"f{name}({', '.join([formulas[argument] for argument in step])})")
            yield Problem(
                tree=(self._symbol, *inputs),
                answer=str(data[-1]),
                holes={
                    "structure": self._shape,
                    "inputs": " ".join(formulas[: self._n_inputs]),
                    "formula": formulas[-1],
                },
                data=[
                    (name, tuple([data[argument] for argument in step]), result)
                    for (name, step), result in zip(steps, results, strict=True)
                ],
            )

    def draw(self, rows: Rows) -> Problems:
        """Draw all columns at once, because selection may reject most rows unrendered."""
        numbers, valid = self.numbers_at(rows)
        values, axes = self._values(numbers)
        codes = np.empty((len(rows), 1 + self._n_inputs), np.uint16)
        codes[:, 0] = self.signature.code[self._symbol]
        codes[:, 1:] = values[:, : self._n_inputs] + LARGEST_LEAF
        derivations = Ragged(codes.ravel(), np.arange(len(rows) + 1) * codes.shape[1])
        hops = np.full(len(rows), len(self._steps), np.int16)
        return Problems(
            rows=rows,
            derivations=derivations,
            keys=derivation_keys(derivations, self.signature, self.domain),
            axes={"hops": hops, **axes},
            difficulty=hops,
            valid=valid,
            parts={"numbers": numbers},
        )

    def render(self, problems: Problems, style: Render) -> Texts:
        """Render every problem."""
        made = self.problems_of(problems)
        return self.write(problems.rows, made, [problem.answer for problem in made], style)

    @property
    def _symbol(self) -> str:
        return f"{self._shape}:{self.world}"

    def _values(self, numbers: Ints) -> tuple[Ints, dict[str, NDArray[Any]]]:
        """Read a number as inputs, the last one lowest, and apply the functions.

        Returns:
            Inputs and results, (n, inputs + functions), and the axes of the entries used.
        """
        powers = self.tokens ** np.arange(self._n_inputs - 1, -1, -1, dtype=np.int64)
        values = list(numbers // powers[:, None] % self.tokens)
        axes: dict[str, NDArray[Any]] = {}
        for place, step in enumerate(self._steps, 1):
            table = _function(self.tokens, self.number, self._name(place), len(step))
            row = np.zeros(len(numbers), np.int64)
            for argument in step[:-1]:
                row = row * self.tokens + values[argument]
            entry = row, values[step[-1]]
            axes[f"group_{place}"] = table.groups[entry]
            axes[f"call_{place}"] = self._first_entry(place) + row * self.tokens + entry[1]
            values.append(table.values[entry])
        typed = {name: column.astype(self.axes[name].dtype) for name, column in axes.items()}
        return np.array(values).T, typed

    def _first_entry(self, place: int) -> int:
        return (self._name(place) - 1) * self.tokens**2

    def _name(self, place: int) -> int:
        return 1 if place <= self.same else place

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return other values that the prompt states, first those that occur as often."""
        facts = draws.shuffled([*self.stated(problem.data, draws)])
        inside = Counter(argument for _, arguments, _ in facts for argument in arguments)
        values = Counter(value for *_, value in facts)
        *_, end = problem.data[-1]
        used = inside[end], values[end]
        return [str(n) for n in sorted(values, key=lambda n: (inside[n], values[n]) != used)]

    def problems_of(self, problems: Problems) -> Sequence[Problem]:
        """Return the problems of a batch."""
        return [*self.numbered(problems.parts["numbers"])]

    def written(self, fact: Fact) -> str:
        """Write the value of a call."""
        name, arguments, value = fact
        return f"f{name}({', '.join(map(str, arguments))}) = {value}"

    def stated(self, needed: Sequence[Fact], draws: RowDraws) -> Iterator[Fact]:
        """State the calls among others; those of a chain as paths, see `Stated.entwine`.

        A path leads from the first argument of a call to its value. Where the last function takes
        two results, its values at all pairs of them are stated.
        """
        inputs = [
            argument
            for step, (_, arguments, _) in zip(self._steps, needed, strict=True)
            for place, argument in zip(step, arguments, strict=True)
            if place < self._n_inputs
        ]
        hops = [self._hop(call, inputs, draws) for call in needed]
        stated = Stated(hops, lambda: draws.integer(0, self.tokens))
        if self.structure == "parallel":
            firsts, seconds = (stated.entwine([hop], self.decoys, draws)[1] for hop in hops[:2])
            stated.cross(hops[2], firsts, [(needed[2][0], (second,)) for second in seconds])
        else:
            stated.entwine(hops, self.decoys, draws)
        for (first, (name, rest)), value in stated.facts.items():
            yield name, (first, *rest), value

    def _hop(self, call: Fact, inputs: Sequence[int], draws: RowDraws) -> Hop:
        """Read a call as a hop; another one has one other argument, if possible of the question."""
        name, (first, *rest), value = call
        place = draws.integer(0, len(rest))
        others = [token for token in inputs if token != rest[place]]
        token = draws.integer(0, self.tokens - 1)
        other = draws.choice(others) if others else token + (token >= rest[place])
        changed = (*rest[:place], other, *rest[place + 1 :])
        return Hop(first, (name, (*rest,)), value, (name, changed))


GENERATORS = {
    "multihop_paths": MultihopPaths,
    "multihop_comparison": MultihopComparison,
    "multihop_hidden": MultihopHidden,
    "multihop_tables": MultihopTables,
}
