"""Instructions to write a text that shows k skills on a topic, with the rubric to grade it by.

Which skills come together is not left to chance: the mixes are the blocks of covering designs, so
that every t skills meet, and every skill meets every topic about equally often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from synthgen.core.checks import check_int
from synthgen.core.columns import Ragged, choice_text, constant_text
from synthgen.core.conditions import Condition, one_of
from synthgen.core.content import derivation_keys
from synthgen.core.contract import Axis, Problems, Render, Texts
from synthgen.core.derivation import Signature
from synthgen.core.errors import ParamError
from synthgen.core.lazy import LazyColumns
from synthgen.core.randomness import Rows, stream_key
from synthgen.generators.skillmix._prompt_axes import MEASURED, mix_axes
from synthgen.generators.skillmix._prompt_blocks import POOLS, Cycle, make_cycle
from synthgen.generators.skillmix._prompt_draw import draw_mixes, measure, order_of, prefix_codes
from synthgen.generators.skillmix._prompt_text import (
    STYLES,
    prompt_program,
    rubric_program,
    wording_names,
)
from synthgen.generators.skillmix._prompt_world import Asked, World, make_world

MOST_SKILLS = 6
MOST_ROUNDS = 10_000_000
_FIRST_TOPIC = MOST_SKILLS


@dataclass(frozen=True)
class SkillPrompt:
    """Prompts for texts that show skills.

    Attributes:
        inventory: "official" (the ten public skills), "all" (these and ours), or the text of a CSV
            or TOML file, as `files = { inventory = "skills.csv" }` gives it.
        topics: "official" (ten), "all", or a text with one topic a line.
        ks: numbers of skills in a mix, 1 to 6.
        strength: any so many skills of a pool meet in each round of each k, 1 to 3.
        rounds: designs for each pool and k.
        key: of all that is chosen by lot: designs, and what is held out.
        incompatible: pairs of skills that no mix has, as "ID x ID".
        held_categories: whose skills are held out.
        held_skills, held_topics: how many others are.
        held_pairs, held_cells: how many pairs of skills, and pairs of a skill and a topic, out of
            those that are not held out, are not to meet in training.
        held_tuples: share of the sets of skills that are held out, 0 to 0.5.
        max_train_k: largest k of training, of which `open_size` depends; 0 for the largest of ks.
    """

    inventory: str = "official"
    topics: str = "official"
    ks: tuple[int, ...] = (2, 3, 4)
    strength: int = 2
    rounds: int = 100
    key: int = 0
    incompatible: tuple[str, ...] = ()
    held_categories: tuple[str, ...] = ()
    held_skills: int = 0
    held_topics: int = 0
    held_pairs: int = 0
    held_cells: int = 0
    held_tuples: float = 0.0
    max_train_k: int = 0

    version: ClassVar[int] = 2
    domain: ClassVar[str] = "skill_prompt"
    verifier: ClassVar[str] = "skill_prompt"
    prompts: ClassVar[tuple[str, ...]] = STYLES
    solutions: ClassVar[tuple[str, ...]] = ("none",)
    conditions: ClassVar[Mapping[str, Condition]] = {"k": one_of("ks")}

    def __post_init__(self) -> None:
        for name in ("inventory", "topics"):
            if not isinstance(getattr(self, name), str):
                raise ParamError(name, getattr(self, name), "a text")
        for name in ("ks", "incompatible", "held_categories"):
            kind = int if name == "ks" else str
            values = getattr(self, name)
            if not isinstance(values, tuple) or not all(isinstance(v, kind) for v in values):
                raise ParamError(name, values, f"a list of {kind.__name__}")
        for k in self.ks:
            check_int("ks", k, 1, MOST_SKILLS)
        if not self.ks or list(self.ks) != sorted(set(self.ks)):
            raise ParamError("ks", self.ks, "one or more numbers in rising order")
        check_int("strength", self.strength, 1, 3)
        check_int("rounds", self.rounds, 1, MOST_ROUNDS)
        check_int("key", self.key, 0, 2**63 - 1)
        check_int("max_train_k", self.max_train_k, 0, MOST_SKILLS)
        is_number = isinstance(self.held_tuples, int | float)
        if not is_number or isinstance(self.held_tuples, bool) or not 0 <= self.held_tuples <= 0.5:
            raise ParamError("held_tuples", self.held_tuples, "a number from 0 to 0.5")
        for name in ("held_skills", "held_topics", "held_pairs", "held_cells"):
            check_int(name, getattr(self, name), 0, 10**7)
        if len(self._world.skills) < max(self.ks):
            expected = f"at most the {len(self._world.skills)} skills of the inventory"
            raise ParamError("ks", self.ks, expected)

    @property
    def _asked(self) -> Asked:
        return Asked(
            self.inventory,
            self.topics,
            self.key,
            self.incompatible,
            self.held_categories,
            self.held_skills,
            self.held_topics,
            self.held_pairs,
            self.held_cells,
        )

    @property
    def _world(self) -> World:
        return make_world(self._asked)

    @property
    def _cycle(self) -> Cycle:
        return _cycle_of(self._asked, self.ks, self.strength)

    @cached_property
    def signature(self) -> Signature:
        """Mixes of each size, whose arguments are skills in the order of their ids and a topic."""
        world = self._world
        symbols = {f"mix{k}": k + 1 for k in range(1, MOST_SKILLS + 1)}
        symbols |= {f"on:{topic.replace(' ', '_')}": 0 for topic in world.topics}
        return Signature.of(symbols | {skill.id: 0 for skill in world.skills})

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Columns that splits, controllers and reports may use."""
        world = self._world
        return mix_axes(self.ks, len(world.skills), len(world.topics), self.rounds)

    @property
    def space(self) -> int:
        """All slots of all rounds; whole cycles of them."""
        cycle = self._cycle
        return len(cycle) * -(-self.rounds // cycle.turns)

    @property
    def fewest_problems(self) -> None:
        """Unknown: rounds may give a mix again."""
        return None

    def draw(self, rows: Rows) -> Problems:
        """Make the problems at these addresses."""
        world, cycle = self._world, self._cycle
        slots = (cycle.turn, cycle.pool, cycle.size, cycle.topic, cycle.items)
        key = np.uint64(stream_key("skillmix", self.key, "labels"))
        sizes, topics, pools, rounds, mixes = draw_mixes(
            rows.addresses, slots, cycle.turns, _pool_tables(cycle), world.held_cells, key
        )
        first_skill = _FIRST_TOPIC + len(world.topics)
        codes = Ragged(*prefix_codes(sizes, mixes, topics, _FIRST_TOPIC, first_skill))
        names = [pool.name for pool in cycle.pools]
        at_hand: dict[str, NDArray[Any]] = {
            "k": sizes,
            "topic": topics,
            "skill_pool": np.array([POOLS.index(name) for name in names], np.int16)[pools],
            "round": rounds,
        }
        at_hand |= {f"skill_{j + 1}": mixes[:, j].copy() for j in range(mixes.shape[1])}
        keys = derivation_keys(codes, self.signature, self.domain)
        return Problems(
            rows=rows,
            derivations=codes,
            keys=keys,
            axes=LazyColumns(at_hand, MEASURED, lambda: self._measured(sizes, mixes, topics)),
            difficulty=sizes,
            valid=np.ones(len(rows), bool),
            parts={"sizes": sizes, "topics": topics, "mixes": mixes},
        )

    def _measured(
        self, sizes: NDArray[np.int16], mixes: NDArray[np.int16], topics: NDArray[np.int16]
    ) -> dict[str, NDArray[Any]]:
        """Say what of each mix is held out."""
        world = self._world
        held = (world.held_skills, world.held_topics, world.held_pairs, world.held_cells)
        table, numbers = measure(
            sizes,
            mixes,
            topics,
            held,
            np.array([skill.checker for skill in world.skills]),
            self.signature.symbol_ids[_FIRST_TOPIC + len(world.topics) :],
            np.uint64(stream_key("skillmix", self.key, "held_tuples")),
            np.uint64(int(self.held_tuples * 2**64)),
            self.max_train_k or max(self.ks),
        )
        columns = {name: table[:, j].copy() for j, name in enumerate(MEASURED[:-1])}
        return {**columns, MEASURED[-1]: numbers}

    def render(self, problems: Problems, style: Render) -> Texts:
        """Write prompts, each in the wording that its own draw chooses, and their rubrics."""
        world, n = self._world, len(problems)
        sizes, topics = problems.parts["sizes"], problems.parts["topics"]
        order = order_of(problems.rows.branch("order").keys, sizes, problems.parts["mixes"])
        names = list(wording_names())
        choice = problems.rows.branch("wording").draws().integers(0, len(names))
        prompts = prompt_program(world.skills, world.topics, style.prompt)
        rubrics = rubric_program(world.skills, world.topics)
        return Texts(
            prompts=prompts.write(choice, sizes, topics, order),
            answers=rubrics.write(np.zeros(n, np.int64), sizes, topics, order),
            answer_types=constant_text("rubric", n),
            templates=choice_text(choice, names),
        )


@lru_cache(maxsize=8)
def _cycle_of(asked: Asked, ks: tuple[int, ...], strength: int) -> Cycle:
    return make_cycle(make_world(asked), ks, strength, asked.key)


def _pool_tables(cycle: Cycle) -> tuple[Any, ...]:
    """Return the pools as a kernel reads them."""
    pools = cycle.pools
    skills = np.concatenate([pool.skills for pool in pools])
    topics = np.concatenate([pool.topics for pool in pools])
    return (
        skills,
        np.cumsum([0, *(len(pool.skills) for pool in pools)]),
        np.array([pool.free for pool in pools]),
        topics,
        np.cumsum([0, *(len(pool.topics) for pool in pools)]),
        np.array([pool.spared for pool in pools]),
    )


GENERATOR = SkillPrompt
