"""Instructions to write a text that illustrates k skills on a topic, with the rubric to grade it.

Which skills come together is not left to chance: the mixes are the blocks of covering designs, so
that every t skills meet, and every skill meets every topic about equally often.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import CompiledFamily, Words, params
from synthgen.authoring.levels import levelled
from synthgen.authoring.words import filled, parts_of
from synthgen.contract.interfaces import Problems, Render, Texts
from synthgen.core.columns import (
    LazyColumns,
    Ragged,
    choice_text,
    constant_text,
    text_bytes,
    text_column,
    text_list,
)
from synthgen.core.errors import ParamError
from synthgen.draws.randomness import Rows, stream_key
from synthgen.families.skill_prompt.designs import (
    POOLS,
    Cycle,
    Source,
    World,
    make_cycle,
    make_world,
)
from synthgen.families.skill_prompt.inventory import Skill, forbidden_name
from synthgen.families.skill_prompt.kernels import (
    BY_SIZE,
    BY_SKILL,
    BY_TOPIC,
    LISTED,
    LITERAL,
    MEASURED,
    HeldOut,
    Mixes,
    Programs,
    draw_mixes,
    measure,
    prefix_codes,
    shuffled,
    write_texts,
)
from synthgen.rules.axes import Axis
from synthgen.rules.conditions import Condition, one_of
from synthgen.trees.content_keys import derivation_keys
from synthgen.trees.derivations import Signature

T = TypeVar("T")
_WORDS = Words.beside(__file__)
_WORDINGS: tuple[str, ...] = tuple(_WORDS["wordings"])
_MOST_SKILLS = 6
_SIZES = range(_MOST_SKILLS + 1)
_FIRST_TOPIC = _MOST_SKILLS


def _text(default: str) -> str:
    """Declare a text."""

    def check(name: str, value: Any) -> None:
        if not isinstance(value, str):
            raise ParamError(name, value, "a text")

    return field(default=default, metadata={"check": check})


def _texts() -> tuple[str, ...]:
    """Declare a list of texts."""

    def check(name: str, value: Any) -> None:
        if not isinstance(value, tuple) or not all(isinstance(text, str) for text in value):
            raise ParamError(name, value, "a list of texts")

    return field(default=(), metadata={"check": check})


@levelled("k", 1, 2, 3, 4, 5)
@dataclass(frozen=True)
class SkillPrompt(CompiledFamily):
    """Prompts for texts that illustrate skills.

    Attributes:
        inventory: "official" (the ten public skills), "all" (all bundled skills), or the text of a
            CSV or TOML file, as `files = { inventory = "skills.csv" }` gives it.
        topics: "official" (ten), "all", or a text with one topic on each line.
        ks: numbers of skills in a mix, 1 to 6, in rising order.
        strength: any set of this many skills of a pool meets in each round of each k, 1 to 3.
        rounds: designs for each pool and k.
        key: of all random choices but the row's own: designs, and what is held out.
        incompatible: pairs of skills that no mix has, as "ID x ID".
        held_categories: categories whose skills are held out.
        held_skills, held_topics: number of further skills, and of topics, that are held out.
        held_pairs, held_cells: number of pairs of skills, and of pairs of a skill and a topic, that
            must not meet in training; none of them is held out otherwise.
        held_tuples: share of the sets of skills that are held out, 0 to 0.5.
        max_train_k: largest k of training, on which `open_size` depends; 0 for the largest of ks.
    """

    inventory: str = _text("official")
    topics: str = _text("official")
    ks: tuple[int, ...] = params.integers((2, 3, 4), 1, _MOST_SKILLS, fewest=1)
    strength: int = params.integer(2, 1, 3)
    rounds: int = params.integer(100, 1, 10_000_000)
    key: int = params.integer(0, 0, 2**63 - 1)
    incompatible: tuple[str, ...] = _texts()
    held_categories: tuple[str, ...] = _texts()
    held_skills: int = params.integer(0, 0, 10**7)
    held_topics: int = params.integer(0, 0, 10**7)
    held_pairs: int = params.integer(0, 0, 10**7)
    held_cells: int = params.integer(0, 0, 10**7)
    held_tuples: float = params.number(0.0, 0, 0.5)
    max_train_k: int = params.integer(0, 0, _MOST_SKILLS)

    version = 3
    verifier = "skill_prompt"
    prompts = tuple(_WORDS["lines"])
    solutions = ("none",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.ks) != sorted(self.ks):
            raise ParamError("ks", self.ks, "numbers in rising order")
        if len(self._world.skills) < max(self.ks):
            expected = f"at most the {len(self._world.skills)} skills of the inventory"
            raise ParamError("ks", self.ks, expected)

    @property
    def _source(self) -> Source:
        return Source(*(getattr(self, name) for name in Source._fields))

    @property
    def _world(self) -> World:
        return make_world(self._source)

    @property
    def _cycle(self) -> Cycle:
        return make_cycle(self._source, self.ks, self.strength)

    @cached_property
    def signature(self) -> Signature:
        """Mixes of each size, whose arguments are skills in the order of their ids and a topic."""
        world = self._world
        symbols = {f"mix{k}": k + 1 for k in range(1, _MOST_SKILLS + 1)}
        symbols |= {f"on:{topic.replace(' ', '_')}": 0 for topic in world.topics}
        return Signature.of(symbols | {skill.id: 0 for skill in world.skills})

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        world, largest = self._world, max(self.ks)
        last_skill, last_topic = len(world.skills) - 1, len(world.topics) - 1
        meaning = "number of skill {}, by id; the last one again where there are fewer"
        pairs = largest * (largest - 1) // 2
        return {
            "k": Axis("number of skills", low=min(self.ks), high=largest),
            "topic": Axis("number of the topic, by name", low=0, high=last_topic),
            **{
                f"skill_{j}": Axis(meaning.format(j), low=0, high=last_skill)
                for j in range(1, largest + 1)
            },
            "topic_held": Axis("1 if the topic is held out, else 0", low=0, high=1),
            "n_held_skills": Axis("skills that are held out", low=0, high=largest),
            "n_held_pairs": Axis("pairs of its skills that are held out", low=0, high=pairs),
            "n_held_cells": Axis(
                "skills that must not meet this topic in training", low=0, high=largest
            ),
            "tuple_held": Axis("1 if its set of skills is held out, else 0", low=0, high=1),
            "open_size": Axis(
                "size of the largest subset of its skills that a mix of training may have",
                low=0,
                high=largest,
            ),
            "tuple": Axis("number of the set of skills, 63 bits of a hash", "int64", low=0),
            "skill_pool": Axis(
                "skills that its design covers: those of training, those held out, all",
                values=POOLS,
                canonical=False,
            ),
            "round": Axis(
                "round of its design", "int32", low=0, high=self.rounds + 3, canonical=False
            ),
        }

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The number of skills."""
        return {"k": one_of("ks")}

    @property
    def space(self) -> int:
        """All slots of all rounds; whole cycles of them."""
        cycle = self._cycle
        return len(cycle) * -(-self.rounds // cycle.turns)

    @property
    def fewest_problems(self) -> None:
        """Unknown: several rounds may have the same mix."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        world, cycle = self._world, self._cycle
        key = np.uint64(stream_key("skillmix", self.key, "labels"))
        mixes, pools, rounds = draw_mixes(
            rows.addresses, cycle.slots, cycle.turns, cycle.pools, world.held_cells, key
        )
        codes = Ragged(*prefix_codes(mixes, _FIRST_TOPIC, _FIRST_TOPIC + len(world.topics)))
        columns: dict[str, NDArray[Any]] = {
            "k": mixes.sizes,
            "topic": mixes.topics,
            "skill_pool": cycle.pool_numbers[pools],
            "round": rounds,
        }
        columns |= {f"skill_{j + 1}": column.copy() for j, column in enumerate(mixes.skills.T)}
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes=LazyColumns(columns, (*MEASURED, "tuple"), lambda: self._measured(mixes)),
            difficulty=mixes.sizes,
            valid=np.ones(len(rows), bool),
            parts=mixes._asdict(),
        )

    def _measured(self, mixes: Mixes) -> dict[str, NDArray[Any]]:
        """Return the axes on what is held out."""
        world = self._world
        held = HeldOut(
            skills=world.held_skills,
            topics=world.held_topics,
            pairs=world.held_pairs,
            cells=world.held_cells,
            words=self.signature.symbol_ids[_FIRST_TOPIC + len(world.topics) :],
            key=np.uint64(stream_key("skillmix", self.key, "held_tuples")),
            threshold=np.uint64(int(self.held_tuples * 2**64)),
            largest=self.max_train_k or max(self.ks),
        )
        table, numbers = measure(mixes, held)
        columns = {name: table[:, j].copy() for j, name in enumerate(MEASURED)}
        return {**columns, "tuple": numbers}

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write prompts, each in a wording drawn for its row, and their rubrics."""
        world, rows = self._world, problems.rows
        mixes = shuffled(rows.branch("order").keys, Mixes(**problems.parts))
        choice = rows.branch("wording").draws().integers(0, len(_WORDINGS))
        prompts = _prompt_programs(world.skills, world.topics, style.prompt)
        rubric = _rubric_program(world.skills, world.topics)
        names = [f"wording_{number}" for number in range(1, len(_WORDINGS) + 1)]
        return Texts(
            prompts=text_column(*write_texts(choice, mixes, prompts)),
            answers=text_column(*write_texts(np.zeros_like(choice), mixes, rubric)),
            answer_types=constant_text("rubric", len(problems)),
            templates=choice_text(choice, names),
        )


GENERATORS = {"skill_prompt": SkillPrompt}


def _limit(k: int) -> int:
    """Return the number of sentences that a text with k skills may have."""
    return max(1, k - 1)


class _Table:
    """Texts that the steps of programs refer to by number."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def add(self, *texts: str) -> int:
        """Append texts and return the number of the first."""
        self._texts += texts
        return len(self._texts) - len(texts)

    def programs(self, variants: Sequence[Sequence[tuple[int, int]]]) -> Programs:
        """Return programs of these steps."""
        steps = [step for variant in variants for step in variant]
        ends = np.cumsum([0, *map(len, variants)])
        return Programs(np.array(steps, np.int64), ends, *text_bytes(text_list(self._texts)))


@lru_cache(maxsize=16)
def _prompt_programs(skills: tuple[Skill, ...], topics: tuple[str, ...], style: str) -> Programs:
    """Return how to write prompts, with one variant for each wording."""
    table = _Table()
    line, limits = _WORDS["lines"][style], _WORDS["limits"]
    lines = [
        filled(line, {"name": one.name, "definition": one.definition, "example": one.example})
        for one in skills
    ]
    holes = {
        "topic": (BY_TOPIC, table.add(*topics)),
        "limit": (BY_SIZE, table.add(*(limits[_limit(k) - 1] for k in _SIZES))),
        "skills": (BY_SKILL, table.add(*lines)),
    }
    return table.programs(
        [
            [
                holes[part] if place % 2 else (LITERAL, table.add(part))
                for place, part in enumerate(parts_of(wording))
            ]
            for wording in _WORDINGS
        ]
    )


@lru_cache(maxsize=16)
def _rubric_program(skills: tuple[Skill, ...], topics: tuple[str, ...]) -> Programs:
    """Return how to write rubrics: compact JSON with sorted keys."""
    table, texts = _Table(), _WORDS["rubric"]
    counts = [f'],"n_sentences":{_limit(k)},"rubric":[' for k in _SIZES]
    skill_items = [_item("skill", filled(texts["skill"], {"name": s.name})) + "," for s in skills]
    topic_items = [_item("topic", filled(texts["topic"], {"topic": t})) + "," for t in topics]
    sense = _item("sense", texts["sense"])
    ends = [f"{sense},{_item('length', texts['length'][_limit(k) - 1])}]}}" for k in _SIZES]
    steps = [
        (LITERAL, table.add('{"forbidden":[')),
        (LISTED, table.add(*(_json(forbidden_name(skill.name)) for skill in skills))),
        (BY_SIZE, table.add(*counts)),
        (BY_SKILL, table.add(*skill_items)),
        (BY_TOPIC, table.add(*topic_items)),
        (BY_SIZE, table.add(*ends)),
    ]
    return table.programs([steps])


def _item(kind: str, text: str) -> str:
    return _json({"kind": kind, "text": text, "weight": 1})


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
