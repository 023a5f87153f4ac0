"""The twelve blocks of a report, in ranked order: what is covered, what is new, and how far.

Exact, over all rows: identity, atoms, structures seen, tiers, easiness, ranges, answers and
combinations of axes. Divergence, diversity and near duplicates look at samples, chosen by a hash
of the split's name and the row's number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from synthgen.audit.blocks import INFO, Block
from synthgen.audit.coverage_atoms import atoms_block
from synthgen.audit.coverage_combinations import combinations_block
from synthgen.audit.coverage_controllers import controllers_block
from synthgen.audit.coverage_dataset import axis_names, sides_of
from synthgen.audit.coverage_divergence import divergence_block, measure, with_divided
from synthgen.audit.coverage_diversity import diversity_block
from synthgen.audit.coverage_easiness import easiness_block
from synthgen.audit.coverage_identity import Matches, identity_block, match
from synthgen.audit.coverage_near import near_block
from synthgen.audit.coverage_provenance import provenance_block
from synthgen.audit.coverage_ranges import Quantity, ranges_block
from synthgen.audit.coverage_reading import AxisNames, Reading, Structures, read_sides
from synthgen.audit.coverage_sides import ANSWER, STRUCTURE, Sides
from synthgen.audit.coverage_tables import table_block
from synthgen.audit.coverage_tiers import tiers_block
from synthgen.audit.divergence import Division
from synthgen.core.coverage.id_counts import IdCounts
from synthgen.core.coverage.ranges import Beyond
from synthgen.core.coverage.templates import Level
from synthgen.core.errors import ParamError
from synthgen.dataset.reader import Dataset

_TEXT_LENGTHS = {"prompt": "characters of the prompt", "answer": "characters of the answer"}
_TREE_LENGTHS = {"nodes": "nodes of the derivation", "depth": "depth of the derivation"}
TITLES = {
    "identity": "Identity and overlap",
    "atoms": "Unseen atoms",
    "tiers": "Tiers of novelty",
    "divergence": "Divergence",
    "combinations": "Combinations of axes",
    "ranges": "Ranges and answers",
    "easiness": "Easiness",
    "k-coverage": "k-coverage",
    "diversity": "Diversity",
    "near-duplicates": "Near duplicates",
}
"""Titles of the first ten blocks by their keys, ranked."""
_OF_STRUCTURES = ("atoms", "tiers", "divergence", "easiness", "k-coverage")


def dataset_blocks(dataset: Dataset, division: Division | None = None) -> tuple[Block, ...]:
    """Return the twelve blocks of a dataset of ours, ranked.

    Args:
        dataset: to read.
        division: of a divided dataset, as its files show it.

    Raises:
        DatasetError: for a broken shard.
    """
    manifest = dataset.manifest
    blocks = side_blocks(sides_of(dataset), axis_names(manifest), division)
    return (*blocks, controllers_block(manifest), provenance_block(manifest))


def side_blocks(
    sides: Sides, axes: AxisNames | None = None, division: Division | None = None
) -> tuple[Block, ...]:
    """Return the first ten blocks of any rows with prompts, ranked.

    Args:
        sides: whose columns are read; where there are no structures, blocks about them say so.
        axes: columns of integers or names, if there are any.
        division: as for `dataset_blocks`.
    """
    found = read_sides(sides, axes or AxisNames())
    keys = {name: dict(facts.keys) for name, facts in found.texts.facts.items()}
    for name, facts in found.structures.facts.items() if found.structures else ():
        keys[name][Level.TEMPLATE] = facts.templates
    matches = match(keys)
    makers: Mapping[str, Callable[[], Block]] = {
        "identity": lambda: identity_block(sides.all, matches),
        **_structure_makers(found, matches, division),
        "combinations": lambda: _combinations(found),
        "ranges": lambda: ranges_block(sides.all, _quantities(found), _answers(found)),
        "diversity": lambda: diversity_block(
            sides.all,
            found.texts.facts,
            found.structures.facts if found.structures else {},
            found.axes.facts,
            found.structures.vocabulary if found.structures else None,
        ),
        "near-duplicates": lambda: near_block(sides.all, found.texts.near),
    }
    return tuple(_guarded(key, makers[key]) for key in TITLES)


def _structure_makers(
    found: Reading, matches: Matches, division: Division | None
) -> dict[str, Callable[[], Block]]:
    """Return what makes the blocks that need structures."""
    sides, structures = found.sides, found.structures
    if structures is None:
        return {key: partial(_not_measured, key, found.no_structures) for key in _OF_STRUCTURES}
    facts, vocabulary = structures.facts, structures.vocabulary
    return {
        "atoms": lambda: atoms_block(sides.all, facts, vocabulary),
        "tiers": lambda: tiers_block(sides.all, facts, matches),
        "divergence": lambda: _divergence(sides, structures, division),
        "easiness": lambda: easiness_block(sides.all, facts, vocabulary),
        "k-coverage": lambda: _k_coverage(sides),
    }


def _guarded(key: str, make: Callable[[], Block]) -> Block:
    """Make a block, or one that says why it cannot be made."""
    try:
        return make()
    except ParamError as error:
        return _not_measured(key, str(error))


def _not_measured(key: str, reason: str) -> Block:
    return Block(key, TITLES[key], INFO, f"Not measured: {reason}.")


def _combinations(found: Reading) -> Block:
    if found.no_axes:
        return _not_measured("combinations", found.no_axes)
    axes = found.axes
    return combinations_block(found.sides.all, axes.facts, axes.factors, axes.left_out)


def _divergence(sides: Sides, found: Structures, division: Division | None) -> Block:
    samples = {side.name: found.facts[side.name].sample for side in sides.tests}
    samples = with_divided(sides.tests, samples)
    train = found.facts[sides.train.name].sample
    measured = measure(train, samples, found.vocabulary.signature)
    return divergence_block(sides.all, measured, division)


def _k_coverage(sides: Sides) -> Block:
    if not sides.have(STRUCTURE, ANSWER):
        return _not_measured("k-coverage", "there are no answers")
    return table_block(sides.all)


def _answers(found: Reading) -> dict[str, IdCounts]:
    if not found.sides.have(ANSWER):
        return {}
    return {name: facts.answers for name, facts in found.texts.facts.items()}


def _quantities(found: Reading) -> list[Quantity]:
    """Return the lengths of prompts, answers and structures, and the integer axes."""
    out = []
    for key, name in _TEXT_LENGTHS.items():
        of_texts = {
            side: facts.lengths[key]
            for side, facts in found.texts.facts.items()
            if key in facts.lengths
        }
        out.append(_quantity(found.sides, name, of_texts, is_length=key == "prompt"))
    for key, name in _TREE_LENGTHS.items():
        if found.structures:
            of_trees = {side: facts.lengths[key] for side, facts in found.structures.facts.items()}
            out.append(_quantity(found.sides, name, of_trees, is_length=key == "nodes"))
    for axis, survey in found.axes.surveys.items():
        if survey.integers:
            shifts = {
                side.name: beyond.shift
                for side in found.sides.tests
                if (beyond := found.axes.facts[side.name].beyond.get(axis))
            }
            out.append(Quantity(axis, survey.integers, shifts))
    return [each for each in out if each.ranges]


def _quantity(
    sides: Sides, name: str, lengths: Mapping[str, Beyond], *, is_length: bool
) -> Quantity:
    ranges = {side: each.test for side, each in lengths.items()}
    shifts = {side.name: lengths[side.name].shift for side in sides.tests if side.name in lengths}
    return Quantity(name, ranges, shifts, is_length)
