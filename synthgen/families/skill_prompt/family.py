"""Instructions to write a text that illustrates k skills on a topic, with the rubric to grade it.

The mixes are not drawn independently: they are the blocks of covering designs, so that every t
skills meet, and every skill meets every topic about equally often.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.authoring import (
    Axis,
    CompiledFamily,
    Condition,
    ParamError,
    Problems,
    Render,
    Rows,
    Signature,
    Texts,
    Words,
    filled,
    levelled,
    one_of,
    params,
    stream_key,
    text_list,
)
from synthgen.authoring.compiled import (
    LazyColumns,
    Ragged,
    choice_text,
    constant_text,
    derivation_keys,
    offsets_of,
)
from synthgen.families.skill_prompt.designs import (
    MEASURED,
    POOLS,
    Cycle,
    HeldSets,
    Mixes,
    Source,
    World,
    make_cycle,
    make_world,
    measured,
    mixes_at,
)
from synthgen.families.skill_prompt.inventory import forbidden_name

_WORDS = Words.beside(__file__)
_WORDINGS: tuple[str, ...] = tuple(_WORDS["wordings"])
_MAX_SKILLS = 6
_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


@levelled("k", 1, 2, 3, 4, 5)
@dataclass(frozen=True)
class SkillPrompt(CompiledFamily):
    """Prompts for texts that illustrate skills.

    Attributes:
        inventory: Skills: "official" (the ten public ones), "all" (all bundled ones), or the text
            of a CSV or TOML file, as `files = { inventory = "skills.csv" }` gives it.
        topics: Topics: "official" (ten), "all", or a text with one topic on each line.
        ks: Numbers of skills in a mix, 1 to 6, in rising order.
        strength: Number t of skills, 1 to 3: all sets of t skills of a pool meet in each round of
            each k.
        rounds: Designs for each pool and k.
        key: Key of all random choices except those of a row: designs and held-out options.
        incompatible: Pairs of skills that no mix has, as "ID x ID".
        held_categories: Categories whose skills are held out.
        held_skills, held_topics: Number of further skills, and of topics, that are held out.
        held_pairs, held_cells: Number of pairs of skills, and of pairs of a skill and a topic, that
            must not meet in training; none of them is held out otherwise.
        held_tuples: Share of the sets of skills that are held out, 0 to 0.5.
        max_train_k: Largest k of training, on which `open_size` depends; 0 for the largest of ks.
    """

    inventory: str = params.text("official")
    topics: str = params.text("official")
    ks: tuple[int, ...] = params.integers((2, 3, 4), 1, _MAX_SKILLS, fewest=1)
    strength: int = params.integer(2, 1, 3)
    rounds: int = params.integer(100, 1, 10_000_000)
    key: int = params.integer(0, 0, 2**63 - 1)
    incompatible: tuple[str, ...] = params.texts()
    held_categories: tuple[str, ...] = params.texts()
    held_skills: int = params.integer(0, 0, 10**7)
    held_topics: int = params.integer(0, 0, 10**7)
    held_pairs: int = params.integer(0, 0, 10**7)
    held_cells: int = params.integer(0, 0, 10**7)
    held_tuples: float = params.number(0.0, 0, 0.5)
    max_train_k: int = params.integer(0, 0, _MAX_SKILLS)

    version = 4
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
        symbols = {f"mix{k}": k + 1 for k in range(1, _MAX_SKILLS + 1)}
        symbols |= {f"on:{topic.replace(' ', '_')}": 0 for topic in world.topics}
        return Signature.from_arities(symbols | {skill.id: 0 for skill in world.skills})

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
        """Number of slots of all rounds, in whole cycles."""
        cycle = self._cycle
        return len(cycle) * -(-self.rounds // cycle.turns)

    @property
    def fewest_problems(self) -> None:
        """Unknown: several rounds may have the same mix."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        mixes = mixes_at(rows.addresses, self._cycle, self._world, self.key)
        codes = self._codes(mixes)
        columns: dict[str, NDArray[Any]] = {
            "k": mixes.sizes,
            "topic": mixes.topics,
            "skill_pool": mixes.pools,
            "round": mixes.rounds,
        }
        columns |= {f"skill_{j + 1}": column.copy() for j, column in enumerate(mixes.skills.T)}
        held = HeldSets(
            self.signature.symbol_ids[self._first_skill :],
            stream_key("skillmix", self.key, "held_tuples"),
            self.held_tuples,
            self.max_train_k or max(self.ks),
        )
        return Problems(
            rows=rows,
            derivations=codes,
            keys=derivation_keys(codes, self.signature, self.domain),
            axes=LazyColumns(columns, MEASURED, lambda: measured(mixes, self._world, held)),
            difficulty=mixes.sizes,
            valid=np.ones(len(rows), bool),
            parts={"sizes": mixes.sizes, "topics": mixes.topics, "skills": mixes.skills},
        )

    @property
    def _first_skill(self) -> int:
        return _MAX_SKILLS + len(self._world.topics)

    def _codes(self, mixes: Mixes) -> Ragged:
        """Return derivations in prefix order: size, skills in rising order, topic."""
        n, width = mixes.skills.shape
        table = np.zeros((n, width + 2), np.uint16)
        table[:, 0] = mixes.sizes - 1
        table[:, 1:-1] = mixes.skills + self._first_skill
        table[np.arange(n), mixes.sizes + 1] = mixes.topics + _MAX_SKILLS
        lengths = mixes.sizes.astype(np.int64) + 2
        return Ragged(table[np.arange(width + 2) < lengths[:, None]], offsets_of(lengths))

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write prompts, each in a wording drawn for its row, and their rubrics."""
        skills, topics = self._world.skills, self._world.topics
        line, limits, texts = _WORDS["lines"][style.prompt], _WORDS["limits"], _WORDS["rubric"]
        lines = [
            filled(line, {name: getattr(skill, name) for name in ("name", "definition", "example")})
            for skill in skills
        ]
        forbidden = [_JSON(forbidden_name(skill.name)) for skill in skills]
        criteria = [_item("skill", filled(texts["skill"], {"name": s.name})) for s in skills]
        about = [_item("topic", filled(texts["topic"], {"topic": topic})) for topic in topics]
        sense = _item("sense", texts["sense"])
        prompts, answers, chosen = [], [], []
        columns = (problems.parts[name].tolist() for name in ("sizes", "topics", "skills"))
        for k, topic, mix, draws in zip(*columns, problems.rows.branch("text").each(), strict=True):
            order, limit = draws.shuffled(mix[:k]), max(1, k - 1)
            listed = "".join([lines[skill] for skill in order])
            holes = {"topic": topics[topic], "limit": limits[limit - 1], "skills": listed}
            chosen.append(draws.integer(0, len(_WORDINGS)))
            prompts.append(filled(_WORDINGS[chosen[-1]], holes))
            items = [*(criteria[skill] for skill in order), about[topic], sense]
            items.append(_item("length", texts["length"][limit - 1]))
            names = ",".join([forbidden[skill] for skill in order])
            rubric = f'"n_sentences":{limit},"rubric":[{",".join(items)}]'
            answers.append(f'{{"forbidden":[{names}],{rubric}}}')
        return Texts(
            prompts=text_list(prompts),
            answers=text_list(answers),
            answer_types=constant_text("rubric", len(problems)),
            templates=choice_text(
                np.array(chosen, np.int64), [f"wording_{j + 1}" for j in range(len(_WORDINGS))]
            ),
        )


GENERATORS = {"skill_prompt": SkillPrompt}


def _item(kind: str, text: str) -> str:
    return _JSON({"kind": kind, "text": text, "weight": 1})
