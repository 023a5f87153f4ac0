"""Questions about the values of attributes of entities, and comparisons of two entities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Problem,
    RowDraws,
    Rows,
    Signature,
    Words,
    axis,
    levelled,
    params,
    signature_of,
    stream_key,
)
from synthgen.authoring.compiled import scale_words
from synthgen.families.multihop.worlds import (
    LAST_WORLD,
    MAX_DECOYS,
    Fact,
    Ints,
    WorldFamily,
    groups_of,
)

_WORDS = Words.beside(__file__)
_OFFERED = 10


class _Values(NamedTuple):
    """Value of each attribute of each entity, (entities, attributes), and groups by attribute."""

    values: Ints
    groups: Ints


@lru_cache(4)
def _values(entities: int, attributes: int, values: int, number: int) -> _Values:
    stream = stream_key("attributes", entities, attributes, values, number)
    words = Rows.span(stream, 0, entities).draws().bits(2 * attributes)
    columns = [groups_of(column) for column in words[:, attributes:].T]
    return _Values(scale_words(words[:, :attributes], values), np.array(columns).T)


@levelled("facts", 1, 2)
@dataclass(frozen=True)
class MultihopComparison(WorldFamily):
    """The value of an attribute of an entity, or a comparison of two entities by it.

    Attributes:
        entities, attributes: Number of entities and of attributes in the table.
        values: Number of different values; each value is a random integer from 0 to `values` - 1.
        number: Number of the table.
        min_facts, max_facts: Values needed: 1 for a question about a value, 2 for a comparison.
        decoys: Other entities of which prompts with facts state the attribute; with any, these
            prompts state one more attribute of all entities.
    """

    entities: int = params.integer(1000, 2, 10_000)
    attributes: int = params.integer(20, 1, 200)
    values: int = params.integer(20, 2, 1000)
    number: int = params.integer(0, 0, LAST_WORLD)
    min_facts: int = params.integer(1, 1, 2, up_to="max_facts")
    max_facts: int = params.integer(2, 1, 2)
    decoys: int = params.integer(2, 0, MAX_DECOYS)

    version = 3
    verifier = "multihop_comparison"
    words = _WORDS.part("comparison")
    answer_type = {"value": "integer", "comparison": "label"}
    own_axes = {
        "facts": axis("values needed", "min_facts", "max_facts"),
        "low_group": axis("lowest group of the facts used, of 1,000 equal groups", 0, 999),
        "high_group": axis("highest group of the facts used", 0, 999),
        "pair": axis("number of the attribute and the entities, in any order", 0),
        "outcome": axis("the answer", values=("value", "less", "equal", "greater")),
    }

    @property
    def world(self) -> str:
        """Name of the table."""
        return f"vt-{self.entities}-{self.attributes}-{self.values}-{self.number}"

    @cached_property
    def signature(self) -> Signature:
        """Questions, entities and attributes as integers, and the table."""
        return signature_of({"value": 3, "comparison": 4, self.world: 0})

    @property
    def space(self) -> int:
        """Number of values and of ordered pairs."""
        ordered = self._n_values * (self.entities - 1)
        return self._n_single + ordered * (self.max_facts == 2)

    @property
    def _n_values(self) -> int:
        return self.attributes * self.entities

    @property
    def _n_single(self) -> int:
        return self._n_values * (self.min_facts == 1)

    @property
    def _table(self) -> _Values:
        return _values(self.entities, self.attributes, self.values, self.number)

    def numbered(self, numbers: Ints) -> Iterator[Problem]:
        """Read a number as an attribute and one entity or two; values come first."""
        table = self._table
        attribute, first, second, is_single = self._question(numbers)
        low, high = np.minimum(first, second), np.maximum(first, second)
        pairs = (attribute * self.entities + low) * self.entities + high
        groups = table.groups[first, attribute], table.groups[second, attribute]
        values = table.values[first, attribute], table.values[second, attribute]
        outcome = np.where(is_single, 0, 2 + np.sign(values[0] - values[1]))
        columns = (attribute, first, second, *values, pairs, np.min(groups, 0), np.max(groups, 0))
        for row in zip(*(column.tolist() for column in (*columns, outcome)), strict=True):
            yield self._problem(*row)

    def _question(self, numbers: Ints) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
        """Return the attribute, the entities, and whether only the first one matters."""
        # The second entity is numbered without the first, so that no entity is compared to itself.
        n_single, others = self._n_single, self.entities - 1
        is_single = numbers < n_single
        numbers, other = np.divmod(
            np.where(is_single, numbers * others, numbers - n_single), others
        )
        attribute, first = np.divmod(numbers, self.entities)
        second = np.where(is_single, first, other + (other >= first))
        return attribute, first, second, is_single

    def _problem(self, attribute: int, first: int, second: int, *rest: int) -> Problem:
        value, other, pair, low, high, outcome = rest
        name = self.own_axes["outcome"].values[outcome]
        entities = (first, second) if outcome else (first,)
        kind = "comparison" if outcome else "value"
        return Problem(
            tree=(kind, self.world, attribute, *entities),
            answer=name if outcome else str(value),
            holes={"attribute": f"a{attribute}", "first": f"e{first}", "second": f"e{second}"},
            kind=kind,
            axes={
                "facts": len(entities),
                "low_group": low,
                "high_group": high,
                "pair": pair,
                "outcome": name,
            },
            difficulty=len(entities),
            data=[
                (entity, attribute, v) for entity, v in zip(entities, (value, other), strict=False)
            ],
        )

    def written(self, fact: Fact) -> str:
        """Write an entity, an attribute and its value."""
        return "e{} a{} {}".format(*fact)

    def stated(self, needed: Sequence[Fact], draws: RowDraws) -> Iterator[Fact]:
        """State the values of two attributes for the entities in question and for others."""
        asked, attribute = [entity for entity, *_ in needed], needed[0][1]
        if self.decoys:
            entities = _joined(asked, self.decoys, self.entities, draws)
            attributes = _joined([attribute], 1, self.attributes, draws)
        else:
            entities, attributes = asked, [attribute]
        for key in product(entities, attributes):
            yield *key, int(self._table.values[key])

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return values, first others that prompts state; few other rows ask for a value."""
        if problem.kind == "comparison":
            return []
        stated = draws.shuffled([value for *_, value in self.stated(problem.data, draws)])
        more = draws.sample(range(self.values), min(self.values, _OFFERED))
        return [*map(str, [*stated, *more])]

    def steps_of(self, problem: Problem) -> Sequence[str]:
        """Write the values, and their comparison."""
        lines = [self.written(fact) for fact in problem.data]
        if problem.kind == "comparison":
            (_, _, first), (_, _, second) = problem.data
            sign = {"less": "<", "equal": "=", "greater": ">"}[problem.answer]
            lines.append(f"{first} {sign} {second}")
        return lines


def _joined(asked: list[int], count: int, end: int, draws: RowDraws) -> list[int]:
    """Join up to `count` other numbers below `end`."""
    drawn = draws.sample(range(end), min(end, len(asked) + count))
    return asked + [number for number in drawn if number not in asked][:count]


_HIDDEN, _STATED = 100, 3
"""Groups of an attribute whose values are hidden, and percent of comparisons that are stated."""
_INFERENCES = ("value", "stated", "impossible", "comparisons", "values")


class _Pairs(NamedTuple):
    """Pairs of entities by attribute, stated or both hidden, and the inference of their order."""

    attributes: Ints
    firsts: Ints
    seconds: Ints
    inferences: Ints


@lru_cache(4)
def _pairs(entities: int, attributes: int, values: int, number: int) -> _Pairs:
    """Choose stated comparisons with at most one hidden value, and infer those between two."""
    table = _values(entities, attributes, values, number)
    stream = stream_key("stated comparisons", entities, attributes, values, number)
    low, high = np.triu_indices(entities, 1)
    parts_by_attribute = []
    for attribute in range(attributes):
        hidden = table.groups[:, attribute] < _HIDDEN
        n_hidden = hidden[low].astype(np.int64) + hidden[high]
        start = attribute * len(low)
        words = Rows.span(stream, start, start + len(low)).keys
        parts = [np.flatnonzero(n_hidden == count) for count in (0, 1)]
        chosen = [part[_smallest(words[part], len(part) * _STATED // 100)] for part in parts]
        stated = np.concatenate(chosen)
        unstated = np.flatnonzero(n_hidden == 2)
        pairs = low[stated], high[stated]
        codes = _inferred(table.values[:, attribute], hidden, pairs)[low[unstated], high[unstated]]
        both = np.concatenate([stated, unstated])
        codes = np.concatenate([np.full(len(stated), 1), codes])
        parts_by_attribute.append((np.full(len(both), attribute), low[both], high[both], codes))
    return _Pairs(*map(np.concatenate, zip(*parts_by_attribute, strict=True)))


def _smallest(words: NDArray[np.uint64], count: int) -> Ints:
    """Return the places of the `count` smallest words."""
    return np.argpartition(words, count)[:count]


def _inferred(values: Ints, hidden: NDArray[np.bool_], pairs: tuple[Ints, Ints]) -> Ints:
    """Return places in `_INFERENCES`, (entities, entities), right for two hidden entities.

    An arc leads from an entity to one that a stated comparison shows to be at most as great. Hidden
    entities compare by comparisons only, if a path of arcs joins them, or by known values, if the
    largest value below one is at least the smallest value above the other.
    """
    arcs = np.zeros((len(values), len(values)), bool)
    for first, second in (pairs, pairs[::-1]):
        arcs[first, second] = values[first] >= values[second]
    ends, starts = np.nonzero(arcs.T)
    firsts = np.flatnonzero(np.diff(ends, prepend=-1))
    reached, n_before = np.packbits(arcs[hidden].T, axis=1), 0
    # Transitive closure: every round adds one arc to all paths from hidden entities.
    while n_before < (n_before := int(np.bitwise_count(reached).sum())):
        reached[ends[firsts]] |= np.bitwise_or.reduceat(reached[starts], firsts)
    at_least = np.where(arcs & ~hidden, values, -1).max(1)
    at_most = np.where(arcs.T & ~hidden, values, values.max() + 1).min(1)
    by_values = at_least[:, None] >= at_most
    by_comparisons = np.zeros_like(arcs)
    by_comparisons[hidden] = np.unpackbits(reached, axis=1, count=np.count_nonzero(hidden)).T
    easy, solvable = (known | known.T for known in (by_comparisons, by_values))
    return np.where(easy, 3, np.where(solvable, 4, 2))


@dataclass(frozen=True)
class MultihopHidden(MultihopComparison):
    """Comparisons of entities whose values are known, or can be inferred, or are hidden.

    For each attribute, a tenth of the entities are hidden: no row states their values. Of the
    comparisons with at most one hidden entity, 3 % are stated; the others are not used. All
    comparisons of two hidden entities are questions.

    Attributes:
        entities, attributes: Rows and columns of the table.
        values: Number of values; each is a random integer from 0 to `values` - 1.
        number: Number of the table.
        min_facts, max_facts: Values needed: 1 asks for a value, 2 for a comparison.
        decoys: Not used: no style states facts.
        level: Whether rows have the axis `level`, as those of comparisons have.
    """

    entities: int = params.integer(1000, 20, 2000)
    attributes: int = params.integer(20, 1, 50)

    prompts = ("closed_book", "bare")
    """Styles that do not state values."""
    own_axes = {
        **MultihopComparison.own_axes,
        "inference": axis(
            "stated; or what is needed to infer it: stated comparisons alone, or values as well",
            values=_INFERENCES,
        ),
    }

    @property
    def _listed(self) -> _Pairs:
        return _pairs(self.entities, self.attributes, self.values, self.number)

    @property
    def space(self) -> int:
        """Number of values and of ordered pairs."""
        ordered = 2 * len(self._listed.attributes)
        return self._n_single + ordered * (self.max_facts == 2)

    def numbered(self, numbers: Ints) -> Iterator[Problem]:
        """Read a number as a value or one order of a pair; values come first."""
        _, _, _, is_single = self._question(numbers)
        places = np.maximum(numbers - self._n_single, 0) // 2
        codes = np.where(is_single, 0, self._listed.inferences[places])
        for problem, code in zip(super().numbered(numbers), codes.tolist(), strict=True):
            problem.axes = {**problem.axes, "inference": _INFERENCES[code]}
            yield problem

    def _question(self, numbers: Ints) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
        listed, is_single = self._listed, numbers < self._n_single
        places, order = np.divmod(np.maximum(numbers - self._n_single, 0), 2)
        attribute, first = np.divmod(numbers, self.entities)
        ends = listed.firsts[places], listed.seconds[places]
        return (
            np.where(is_single, attribute, listed.attributes[places]),
            np.where(is_single, first, np.where(order, ends[1], ends[0])),
            np.where(is_single, first, np.where(order, ends[0], ends[1])),
            is_single,
        )
