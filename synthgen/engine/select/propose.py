"""PROPOSE: draw a block of addresses and keep the columns of valid rows that selection needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthgen.contract.interfaces import Generator, Problems, Render, valid_ones
from synthgen.contract.registry import is_bundled
from synthgen.contract.twins import Twins, twins_among
from synthgen.core.columns import Ragged
from synthgen.core.errors import SynthgenError
from synthgen.coverage.templates import template_keys
from synthgen.draws.randomness import Rows
from synthgen.engine.make.kept import Kept
from synthgen.engine.plan.members import PROMPT_DOMAIN
from synthgen.engine.plan.sources import PlannedSource, joint_columns, with_computed
from synthgen.formats.formatted import without_format
from synthgen.recipe.axis_tables import Groups
from synthgen.recipe.schema import DIFFICULTY
from synthgen.rules.assignment import axis_words
from synthgen.rules.axes import Axis
from synthgen.trees.content_keys import Keys, text_keys
from synthgen.trees.derivations import Signature
from synthgen.trees.distinct import distinct_by_row
from synthgen.trees.named_structures import structure_ids

_TWINS, _OF_SIBLING = 256, 64
"""Most problems of a first block that are compared, and addresses of a sibling's."""


@dataclass(frozen=True)
class Proposer:
    """One source, and what selection needs of its problems.

    Attributes:
        index: Index of the source in the recipe.
        joint: Axes of all sources.
        axes: Axes that selection uses; those that the source lacks are left out.
        by_prompt: Whether the prompt's text identifies duplicates, so that it must be rendered.
        by_member: Whether a list of members needs the bare prompts.
        variants: Generators that restate the same draws, by the index of their source.
        structures: Kinds that steering uses.
        groups: Grouping of problems that stay together in one split, if any.
        kept: Keeps rows for MATERIALISE, if they will be made.
        sibling: Another source of the family, with which trees are compared.
    """

    index: int
    source: PlannedSource
    joint: Mapping[str, Axis]
    axes: tuple[str, ...]
    by_prompt: bool = False
    by_member: bool = False
    variants: Mapping[int, Generator] = field(default_factory=dict)
    structures: tuple[str, ...] = ()
    groups: Groups = None
    kept: Kept | None = None
    sibling: PlannedSource | None = None


@dataclass(frozen=True, slots=True)
class ProposeTask:
    """One block of one source.

    Attributes:
        start, stop: addresses.
        ends_round: Whether this block completes the round of all sources.
        ends_source: Whether the source has no addresses after this block.
    """

    proposer: Proposer
    start: int
    stop: int
    ends_round: bool = False
    ends_source: bool = False


@dataclass(frozen=True, slots=True)
class VariantProblems:
    """The problems of a block as restated by another source: valid, (n,), and keys, (n, 2)."""

    valid: NDArray[np.bool_]
    keys: Keys


@dataclass(frozen=True, slots=True)
class BlockStructures:
    """Structures of one kind that the candidates of a block have.

    Attributes:
        ids: Different ids of the block, uint64 (k,).
        rows: Indices into `ids` of the different structures of each valid row drawn.
        positions: Positions of the candidates among these rows, (n,).
    """

    ids: NDArray[np.uint64]
    rows: Ragged
    positions: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The valid rows of a block, in address order.

    Attributes:
        source: Index of their source.
        ends_round, ends_source: Fields of the task.
        proposed: Number of addresses drawn, valid or not.
        addresses: uint64 (n,).
        keys: Content keys, uint64 (n, 2).
        duplicate_keys: Keys that must not occur twice: the content keys, or those of the prompts.
        axes: Axis name -> (n,), names by their codes among all sources.
        prompt_keys: Keys of the bare prompts, (n, 2), if lists of members need them.
        variants: The same problems as restated by other sources, by the index of the source.
        structures: Structures by kind, of the kinds that steering uses.
        groups: Problems with the same word stay together, uint64 (n,); None without groups.
    """

    source: int
    ends_round: bool
    ends_source: bool
    proposed: int
    addresses: NDArray[np.uint64]
    keys: Keys
    duplicate_keys: Keys
    axes: Mapping[str, NDArray[Any]]
    prompt_keys: Keys | None = None
    variants: Mapping[int, VariantProblems] = field(default_factory=dict)
    structures: Mapping[str, BlockStructures] = field(default_factory=dict)
    groups: NDArray[np.uint64] | None = None

    def __len__(self) -> int:
        return len(self.addresses)

    def take(self, positions: NDArray[np.int64]) -> Candidates:
        """Return the candidates at these ascending positions."""
        if len(positions) == len(self):
            return self
        keys = self.keys[positions]
        same = self.duplicate_keys is self.keys
        return replace(
            self,
            addresses=self.addresses[positions],
            keys=keys,
            duplicate_keys=keys if same else self.duplicate_keys[positions],
            axes={name: column[positions] for name, column in self.axes.items()},
            prompt_keys=None if self.prompt_keys is None else self.prompt_keys[positions],
            variants={
                source: VariantProblems(variant.valid[positions], variant.keys[positions])
                for source, variant in self.variants.items()
            },
            structures={
                kind: replace(structures, positions=structures.positions[positions])
                for kind, structures in self.structures.items()
            },
            groups=None if self.groups is None else self.groups[positions],
        )


def propose(task: ProposeTask) -> Candidates:
    """Draw one block: pure.

    Raises:
        AuthorError: if problems of a first block have one tree, but are not one problem.
        SynthgenError: if problems lack a value that their params should fix.
    """
    proposer = task.proposer
    source, generator = proposer.source, proposer.source.generator
    began = thread_time()
    problems = generator.draw(Rows.span(source.stream, task.start, task.stop))
    if proposer.kept:
        proposer.kept.offer(proposer.index, problems, thread_time() - began)
    if task.start == 0:
        _check_trees(source, problems, proposer.sibling)
    computed = any(axis.name in proposer.axes for axis in source.computed)
    if not (proposer.by_prompt or proposer.by_member or computed):
        # axes are computed when they are read
        used = {*proposer.axes, *source.fixed} & {*problems.axes}
        only = {name: problems.axes[name] for name in used}
        problems = replace(problems, axes=only, parts={})
    problems = valid_ones(problems)
    if computed:
        problems = with_computed(problems, generator, source.computed)
    n = len(problems)
    axes = joint_columns(source, problems.axes, proposer.joint, n)
    _check_fixed(task, axes)
    axes[DIFFICULTY] = problems.difficulty
    axes = {name: axes[name] for name in proposer.axes if name in axes}
    style = "bare" if "bare" in generator.prompts else generator.prompts[0]
    bare = Render(style, generator.solutions[0])  # in which lists of members are written
    own = problems.keys
    return Candidates(
        source=proposer.index,
        ends_round=task.ends_round,
        ends_source=task.ends_source,
        proposed=task.stop - task.start,
        addresses=problems.rows.addresses,
        keys=own,
        duplicate_keys=_prompt_keys(generator, problems, source.style)
        if proposer.by_prompt
        else own,
        axes=axes,
        prompt_keys=_prompt_keys(generator, problems, bare) if proposer.by_member else None,
        variants={
            i: _variant_problems(other, problems.rows) for i, other in proposer.variants.items()
        },
        structures={k: _block_structures(problems, generator, k) for k in proposer.structures},
        groups=_group_words(proposer.groups, problems, generator.signature, axes),
    )


def _check_trees(source: PlannedSource, problems: Problems, sibling: PlannedSource | None) -> None:
    """Compare a few problems of a first block, and of a sibling's, that have one tree.

    Raises:
        AuthorError: if they are not one problem.
    """
    batches = [(source, problems)]
    if sibling:
        n = min(_OF_SIBLING, sibling.block_at(0), sibling.generator.space or _OF_SIBLING)
        batches.append((sibling, sibling.generator.draw(Rows.span(sibling.stream, 0, n))))
    places = twins_among(np.concatenate([batch.keys[batch.valid] for _, batch in batches]), _TWINS)
    # Tests compare the texts of bundled families.
    twins = Twins(source.task, texts=not is_bundled(source.task))
    for one, batch in batches:
        addresses = batch.rows.addresses[batch.valid]
        mine = addresses[places[(places >= 0) & (places < len(addresses))]]
        places = places - len(addresses)
        if len(mine):
            generator, _ = without_format(one.generator)
            twins.add(generator, generator.draw(Rows(one.stream, mine)))


def _check_fixed(task: ProposeTask, axes: Mapping[str, NDArray[Any]]) -> None:
    """Reject problems without the value that their params should fix.

    Raises:
        SynthgenError: with the address of one.
    """
    source, joint = task.proposer.source, task.proposer.joint
    for name, value in source.fixed.items():
        code = value if isinstance(value, int) else joint[name].values.index(value)
        if (axes[name] == code).all():
            continue
        kind = type(source.generator).__name__
        msg = f"{kind} declares that params fix {name!r}, but in the block of addresses from"
        msg += f" {task.start} it has values other than {value}; leave {name!r} out of spread"
        raise SynthgenError(msg)


def _prompt_keys(generator: Generator, problems: Problems, style: Render) -> Keys:
    return text_keys(generator.render(problems, style).statements, PROMPT_DOMAIN)


def _variant_problems(generator: Generator, rows: Rows) -> VariantProblems:
    problems = generator.draw(rows)
    return VariantProblems(problems.valid, problems.keys)


def _block_structures(problems: Problems, generator: Generator, kind: str) -> BlockStructures:
    """Return the structures of the problems of a block."""
    ids, rows = distinct_by_row(structure_ids(problems.derivations, generator.signature, kind))
    return BlockStructures(ids, rows, np.arange(len(problems)))


def _group_words(
    groups: Groups, problems: Problems, signature: Signature, axes: Mapping[str, NDArray[Any]]
) -> NDArray[np.uint64] | None:
    """Return a word for the group of each problem, uint64 (n,); an axis may be missing."""
    if groups is None:
        return None
    if groups == "template":
        return template_keys(problems.derivations, signature)[:, 0].copy()
    columns = [axes[name].astype(np.int64) if name in axes else None for name in groups]
    return axis_words(columns, len(problems))
