"""Facts about people: asked for forward, backward, or by a key that means nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from synthgen.authoring import (
    Problem,
    RowDraws,
    Signature,
    Words,
    axis,
    filled,
    levelled,
    params,
    signature_of,
    stream_key,
)
from synthgen.families.in_context.worlds import (
    GROUPS,
    LAST_WORLD,
    MAX_DECOYS,
    Ints,
    LatentFamily,
    groups_of,
    name_of,
    shuffles,
)

_WORDS = Words.beside(__file__).part("facts")
_RELATIONS: Sequence[Mapping[str, str]] = _WORDS["relations"]
_ASKS = ("key", "forward", "backward")
_PHRASINGS, _OFFERED = 3, 12


@levelled("n_stated", 2, 4, 6, 8, 10, 12, 14, 16, 18)
@dataclass(frozen=True)
class LatentFacts(LatentFamily):
    """Facts of fictional people; each relation leads from each person to something else.

    Attributes:
        people, relations: Number of people and of relations.
        number: Number of the world.
        asks: What completes a "key", the object of a fact ("forward"), or its person ("backward").
        phrasings: Wordings of a question, each of which is a problem of its own.
        min_decoys, max_decoys: Fewest and most other people of whom prompts with facts state the
            same two relations.
    """

    people: int = params.integer(500, 2, 10_000)
    relations: int = params.integer(8, 1, len(_RELATIONS))
    number: int = params.integer(0, 0, LAST_WORLD)
    asks: tuple[str, ...] = params.choices(_ASKS[1:], _ASKS)
    phrasings: int = params.integer(_PHRASINGS, 1, _PHRASINGS)
    min_decoys: int = params.integer(2, 0, MAX_DECOYS, up_to="max_decoys")
    max_decoys: int = params.integer(4, 0, MAX_DECOYS)

    verifier = "latent_facts"
    words = _WORDS
    answer_type = "label"
    own_axes = {
        "relation": axis("number of the relation", 1, len(_RELATIONS)),
        "phrasing": axis("wording of the question", 1, _PHRASINGS),
        "fact_group": axis("group of the fact, of 100 equal groups", 0, GROUPS - 1),
        "n_stated": axis(
            "facts that prompts with facts state", 1, 2 + 2 * MAX_DECOYS, canonical=False
        ),
    }

    @property
    def world(self) -> str:
        """Name of the set of facts."""
        return f"pf-{self.people}-{self.relations}-{self.number}"

    @cached_property
    def signature(self) -> Signature:
        """Kinds of questions, relations and people as integers, and the world."""
        return signature_of({**dict.fromkeys(_ASKS, 4), self.world: 0})

    @cached_property
    def _forms(self) -> list[tuple[str, int]]:
        """Kinds of questions and their wordings."""
        return [
            (kind, phrasing)
            for kind in _ASKS
            if kind in self.asks
            for phrasing in range(1, 1 + (self.phrasings if kind != "key" else 1))
        ]

    @property
    def space(self) -> int:
        """Number of facts in all wordings."""
        return len(self._forms) * self.people * self.relations

    @property
    def _decoys(self) -> Ints:
        """Number of other people in the prompt of each fact."""
        most = min(self.max_decoys, self.people - 1)
        fewest = min(self.min_decoys, most)
        drawn = groups_of(f"decoys {self.world}", self.people * self.relations)
        return fewest + drawn * (most - fewest + 1) // GROUPS

    def _object(self, person: int, relation: int) -> str:
        """Return what a relation leads to; names of people come first."""
        stream = stream_key("facts", self.people, self.relations, self.number)
        place = shuffles(stream, self.relations, self.people)[relation, person]
        return name_of((relation + 1) * self.people + int(place)).capitalize()

    def _holes(self, person: int, relation: int) -> dict[str, str]:
        return {
            "person": name_of(person).capitalize(),
            "object": self._object(person, relation),
            "key": _RELATIONS[relation]["key"],
        }

    def numbered(self, numbers: Ints) -> Iterator[Problem]:
        """Read a number as a kind with its wording, a relation and a person."""
        groups = groups_of(self.world, self.people * self.relations)
        decoys = self._decoys.tolist()
        for number in numbers.tolist():
            form, fact = divmod(number, self.people * self.relations)
            relation, person = divmod(fact, self.people)
            kind, phrasing = self._forms[form]
            words = self._holes(person, relation)
            n_stated = (decoys[fact] + 1) * min(self.relations, 2)
            text = "{person} {key}" if kind == "key" else _RELATIONS[relation][kind][phrasing - 1]
            yield Problem(
                tree=(kind, self.world, phrasing, relation, person),
                answer=words["person" if kind == "backward" else "object"],
                holes={"question": filled(text, words)},
                kind=kind,
                axes={
                    "relation": relation + 1,
                    "phrasing": phrasing,
                    "fact_group": int(groups[fact]),
                    "n_stated": n_stated,
                },
                steps=[self._line(person, relation, "line" if kind == "key" else "fact")],
                difficulty=n_stated,
                data=(person, relation, decoys[fact]),
            )

    def _line(self, person: int, relation: int, form: str) -> str:
        return filled(_RELATIONS[relation][form], self._holes(person, relation))

    def _near(self, problem: Problem, draws: RowDraws) -> tuple[list[int], list[int]]:
        """Return the person and others, and the relation and another one."""
        person, relation, decoys = problem.data
        people = _joined(person, self.people, decoys, draws)
        return people, _joined(relation, self.relations, 1, draws)

    def stated(self, problem: Problem, draws: RowDraws) -> list[str]:
        """State two relations of the person and of others, in any order."""
        people, relations = self._near(problem, draws)
        form = "line" if problem.kind == "key" else "fact"
        lines = [self._line(person, each, form) for person in people for each in relations]
        return draws.shuffled(lines)

    def wrong_answers(self, problem: Problem, draws: RowDraws) -> list[str]:
        """Return what facts of others in the prompt would give, then of anybody else."""
        people, relations = self._near(problem, draws)
        people += draws.sample(range(self.people), min(self.people, _OFFERED))
        if problem.kind == "backward":
            return [name_of(person).capitalize() for person in people[1:]]
        first, *others = relations
        return [
            *(self._object(person, first) for person in people[1:]),
            *(self._object(people[0], other) for other in others),
        ]


def _joined(first: int, end: int, count: int, draws: RowDraws) -> list[int]:
    """Join up to `count` other numbers below `end`."""
    drawn = draws.sample(range(end), min(end, count + 1))
    return [first, *[number for number in drawn if number != first][:count]]
