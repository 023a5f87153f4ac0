"""PROPOSE: draw a block of addresses and keep the columns of valid rows that selection needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.core.computed_axes import ComputedAxis
from synthgen.core.content import Keys, text_keys
from synthgen.core.contract import SOURCE, Generator, Problems, Render
from synthgen.core.errors import SynthgenError
from synthgen.core.randomness import Rows
from synthgen.engine.candidate_structures import BlockStructures, block_structures
from synthgen.engine.computed import with_computed
from synthgen.engine.groups import Groups, group_words
from synthgen.engine.kept import Keep, keep_rows
from synthgen.engine.members import PROMPT_DOMAIN
from synthgen.recipe.schema import DIFFICULTY


@dataclass(frozen=True, slots=True)
class ProposeTask:
    """One block of one source.

    Attributes:
        source: index of the source in the recipe.
        start, stop: addresses.
        axes: axes that selection uses; those that the generator lacks are left out.
        codes: axis -> code among the names of all sources, for each of the generator's names.
        ends_round: whether this block completes the round of all sources.
        ends_source: whether the source has no addresses after this block.
        by_prompt: whether duplicates are found by the prompt's text, so that it must be rendered.
        by_member: whether a list of members needs the bare prompts.
        variants: generators that restate the same draws, by the index of their source.
        keep: where to spill the rows for MATERIALISE, if drawing them is costly.
        structures: kinds that a controller uses.
        computed: axes that the recipe computes, if selection uses any of them.
        groups: grouping of problems that stay together in one split, if any.
        fixed: axes whose value is the same in every problem, coded as in `axes`.
    """

    source: int
    generator: Generator
    stream: int
    style: Render
    start: int
    stop: int
    axes: tuple[str, ...]
    codes: Mapping[str, NDArray[np.int64]]
    ends_round: bool
    ends_source: bool
    by_prompt: bool
    by_member: bool
    variants: Mapping[int, Generator]
    keep: Keep | None
    structures: tuple[str, ...] = ()
    computed: tuple[ComputedAxis, ...] = ()
    groups: Groups = None
    fixed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VariantProblems:
    """The problems of a block as restated by another source: valid, (n,), and keys, (n, 2)."""

    valid: NDArray[np.bool_]
    keys: Keys


@dataclass(frozen=True, slots=True)
class Candidates:
    """The valid rows of a block, in address order.

    Attributes:
        source, ends_round, ends_source: as in the task.
        proposed: number of addresses drawn, valid or not.
        addresses: uint64 (n,).
        keys: content keys, uint64 (n, 2).
        duplicate_keys: keys that must not occur twice: the content keys, or those of the prompts.
        axes: axis name -> (n,).
        prompt_keys: keys of the bare prompts, (n, 2), if lists of members need them.
        variants: the same problems as restated by other sources, by the index of the source.
        structures: structures by kind, of the kinds that a controller uses.
        groups: problems with the same word stay together, uint64 (n,); None without groups.
    """

    source: int
    ends_round: bool
    ends_source: bool
    proposed: int
    addresses: NDArray[np.uint64]
    keys: Keys
    duplicate_keys: Keys
    axes: Mapping[str, NDArray[Any]]
    prompt_keys: Keys | None
    variants: Mapping[int, VariantProblems]
    structures: Mapping[str, BlockStructures] = field(default_factory=dict)
    groups: NDArray[np.uint64] | None = None

    def __len__(self) -> int:
        return len(self.addresses)

    def take(self, positions: NDArray[np.int64]) -> Candidates:
        """Return the candidates at these ascending positions."""
        if len(positions) == len(self):
            return self
        keys = self.keys[positions]
        return Candidates(
            self.source,
            self.ends_round,
            self.ends_source,
            self.proposed,
            self.addresses[positions],
            keys,
            keys if self.duplicate_keys is self.keys else self.duplicate_keys[positions],
            {name: column[positions] for name, column in self.axes.items()},
            None if self.prompt_keys is None else self.prompt_keys[positions],
            {
                source: VariantProblems(variant.valid[positions], variant.keys[positions])
                for source, variant in self.variants.items()
            },
            {kind: found.take(positions) for kind, found in self.structures.items()},
            None if self.groups is None else self.groups[positions],
        )


def propose(task: ProposeTask) -> Candidates:
    """Draw one block: pure."""
    rows = Rows.span(task.stream, task.start, task.stop)
    problems = task.generator.draw(rows)
    if task.keep:
        keep_rows(task.keep, problems)
    problems = with_computed(problems, task.generator, task.computed)
    keep = problems.valid
    structures = {k: block_structures(problems, task.generator, k) for k in task.structures}
    keys = problems.keys[keep]
    axes = {name: problems.axes[name][keep] for name in task.axes if name in problems.axes}
    axes |= {name: codes[axes[name]] for name, codes in task.codes.items() if name in axes}
    _check_fixed(task, axes)
    if SOURCE in task.axes:
        axes[SOURCE] = np.full(len(keys), task.source, np.int16)
    groups = group_words(task.groups, problems, task.generator.signature, axes)
    if DIFFICULTY in task.axes:
        axes[DIFFICULTY] = problems.difficulty[keep]
    kept = Rows(rows.stream, problems.rows.addresses[keep])
    if (task.by_prompt or task.by_member) and not keep.all():
        problems = task.generator.draw(kept)  # only valid problems can be rendered
    bare = Render(bare_style(task.generator), task.generator.solutions[0])
    return Candidates(
        source=task.source,
        ends_round=task.ends_round,
        ends_source=task.ends_source,
        proposed=len(rows),
        addresses=kept.addresses,
        keys=keys,
        duplicate_keys=_prompt_keys(task.generator, problems, task.style)
        if task.by_prompt
        else keys,
        axes=axes,
        prompt_keys=_prompt_keys(task.generator, problems, bare) if task.by_member else None,
        variants={i: _variant_problems(other, kept) for i, other in task.variants.items()},
        structures=structures,
        groups=groups,
    )


def _check_fixed(task: ProposeTask, axes: Mapping[str, NDArray[Any]]) -> None:
    """Reject problems without the value that their params should fix.

    Raises:
        SynthgenError: with the address of one.
    """
    for name, value in task.fixed.items():
        if name not in axes or (axes[name] == value).all():
            continue
        kind = type(task.generator).__name__
        msg = f"{kind} declares that params fix {name!r}, but in the block of addresses from"
        msg += f" {task.start} it has values other than {value}; leave {name!r} out of spread"
        raise SynthgenError(msg)


def bare_style(generator: Generator) -> str:
    """Return the prompt style in which lists of members are written."""
    return "bare" if "bare" in generator.prompts else generator.prompts[0]


def _prompt_keys(generator: Generator, problems: Problems, style: Render) -> Keys:
    return text_keys(generator.render(problems, style).prompts, PROMPT_DOMAIN)


def _variant_problems(generator: Generator, rows: Rows) -> VariantProblems:
    problems = generator.draw(rows)
    return VariantProblems(problems.valid, problems.keys)
