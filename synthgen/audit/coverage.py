"""The thirteen blocks of a report in ranked order: coverage, and novelty of the other splits.

Exact, over all rows: identity, atoms, structures seen, tiers, easiness, ranges, answers and
combinations of axes. Divergence, diversity and near duplicates are measured on samples, chosen by
a hash of the split's name and the row's number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pyarrow as pa

from synthgen.audit.blocks import FLAG, INFO, OK, Block, BlockTable
from synthgen.audit.coverage_combinations import combinations_block
from synthgen.audit.coverage_controllers import controllers_block
from synthgen.audit.coverage_divergence import divergence_block, measure, with_divided
from synthgen.audit.coverage_diversity import diversity_block
from synthgen.audit.coverage_identity import Matches, identity_block, match
from synthgen.audit.coverage_near import near_block
from synthgen.audit.coverage_ranges import Quantity, ranges_block
from synthgen.audit.coverage_reading import AxisNames, Reading, Structures, read_sides
from synthgen.audit.coverage_sides import ANSWER, STRUCTURE, Declared, Side, Sides
from synthgen.audit.coverage_tables import atoms_block, easiness_block, table_block, tiers_block
from synthgen.audit.coverage_words import cut, listed, plural
from synthgen.audit.divergence import Division
from synthgen.audit.shortcuts import MOST_SHARE, Shortcuts, shortcuts_block, sides_shortcuts
from synthgen.core.contract import SOURCE, Axis
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.core.keyset import may_overlap
from synthgen.core.rules import names_in
from synthgen.coverage.id_counts import IdCounts
from synthgen.coverage.ranges import Beyond
from synthgen.coverage.templates import Level
from synthgen.dataset.manifest import Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, shard_rows, stream_shard

_RESULTS = frozenset(
    "name rows candidates duplicates cells shards overlap cap repeats measured covers order".split()
)
"""Fields of a split that record results, or do not affect the distribution of problems."""


def sides_of(dataset: Dataset) -> Sides:
    """Return the splits of a dataset; the first one is train."""
    first, *others = dataset.manifest.splits
    train = _side(dataset, first, Declared())
    tests = tuple(_side(dataset, each, _declared(dataset.manifest, first, each)) for each in others)
    # Problems may differ only in case, for example if letters are symbols.
    return Sides(train, tests, fold_case=False)


def axis_names(manifest: Manifest) -> AxisNames:
    """Return the axes in column order, and which of them the rules name."""
    names = [column.name for column in manifest.columns if column.name in manifest.axes]
    named = {name for split in manifest.splits for name in _names(manifest, split)}
    declared = {name: record.values for name, record in manifest.axes.items()}
    return AxisNames(names, [name for name in names if name in named], declared)


def _side(dataset: Dataset, split: SplitRecord, declared: Declared) -> Side:
    paths = dataset.shard_paths(split.name)
    rows = sum(shard_rows(path, dataset.schema) for path in paths)
    columns = frozenset(dataset.schema.names)
    return Side(split.name, rows, columns, partial(_batches, paths), declared)


def _batches(paths: Sequence[Path], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Stream columns of shards unchecked, even if they contradict the manifest."""
    for path in paths:
        yield from stream_shard(path, columns)


def _declared(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> Declared:
    divergence = manifest.divergence
    divided = divergence is not None and (
        train.name in divergence.train and split.name in divergence.test
    )
    unseen = divergence is not None and divided and divergence.unseen_atoms > 0
    return Declared(
        shares=may_overlap(train, split),
        rule=divided or _rule(train) != _rule(split),
        atoms=split.unseen is not None or unseen or _of_other_sources(manifest, train, split),
        divided=divided,
        held=_by_structures(manifest, train, split),
    )


def _by_structures(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> bool:
    """Return whether the rules of two splits refer only to structures of derivations."""
    names = {*_names(manifest, train), *_names(manifest, split)}
    computed = {record.name for record in manifest.computed if record.structures}
    return bool(names) and names <= computed


def _rule(split: SplitRecord) -> dict[str, object]:
    """Return the fields that determine which problems a split contains."""
    return {name: value for name, value in asdict(split).items() if name not in _RESULTS}


def _of_other_sources(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> bool:
    """Return whether the rules select problems from other sources than train's."""
    named = {*_names(manifest, train), *_names(manifest, split)}
    return split.variant is not None or (len(manifest.sources) > 1 and SOURCE in named)


def _names(manifest: Manifest, split: SplitRecord) -> list[str]:
    """Return the axes that a split's rules name, ignoring unreadable rules."""
    axes = {name: record.as_axis() for name, record in manifest.axes.items()}
    axes[SOURCE] = Axis("source of the row", values=tuple(s.name for s in manifest.sources))
    rules = [rule for rule in (split.where, *(part.where for part in split.parts)) if rule]
    if split.cap and split.cap.where:
        rules.append(split.cap.where)
    found = [*split.balance, *(split.unseen.axes if split.unseen else ())]
    found += [measure.axis for measure in split.measured]
    found += [split.cap.axis] if split.cap else []
    for rule in rules:
        try:
            found += names_in(rule, axes)
        except (ParamError, UnknownNameError):
            continue
    return found


_TITLE = "Provenance"


def provenance_block(manifest: Manifest) -> Block:
    """List recipe, seed, generators and libraries as recorded in the manifest.

    Args:
        manifest: of the dataset.
    """
    recipe = json.dumps(dict(manifest.recipe), sort_keys=True, separators=(",", ":"))
    seed = manifest.recipe.get("seed")
    facts = (
        ("name", manifest.name),
        ("fingerprint", manifest.fingerprint),
        ("SHA-256 of the canonical recipe", hashlib.sha256(recipe.encode()).hexdigest()),
        ("seed", "" if seed is None else str(seed)),
        ("overrides of the recipe", listed(manifest.overrides, 20)),
        ("synthgen", manifest.synthgen),
        ("format", manifest.format),
        ("duplicates compared by", manifest.dedup),
        ("contents of all shards, SHA-256", _contents(manifest)),
    )
    sources = tuple(
        (s.name, s.generator, s.version, s.domain, s.verifier, s.stream, cut(_params(s.params)))
        for s in manifest.sources
    )
    columns = ("source", "generator", "version", "domain", "verifier", "stream", "parameters")
    tables = (
        BlockTable("Dataset", ("item", "value"), tuple((what, value) for what, value in facts)),
        BlockTable("Sources", columns, sources),
        BlockTable("Libraries", ("package", "version"), tuple(sorted(manifest.libraries.items()))),
    )
    missing = [what for what, value in facts[1:6] if not value and what != facts[4][0]]
    made = listed([f"{s.generator} (version {s.version})" for s in manifest.sources], 3)
    text = f"Built by synthgen {manifest.synthgen} from {made} with seed {seed}"
    text += f" and {plural(len(manifest.overrides), 'override')}." if manifest.overrides else "."
    if missing:
        text += f" Not recorded: {listed(missing)}."
    return Block("provenance", _TITLE, FLAG if missing else OK, text, tables)


def _contents(manifest: Manifest) -> str:
    """Return one hash over the content hashes of all shards in order."""
    lines = [f"{shard.file} {shard.content}" for s in manifest.splits for shard in s.shards]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _params(params: object) -> str:
    return json.dumps(params, sort_keys=True, default=str)


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
    "shortcuts": "Shortcuts",
}
"""Titles of the first eleven blocks by key, in ranked order."""
_OF_STRUCTURES = ("atoms", "tiers", "divergence", "easiness", "k-coverage")


def dataset_blocks(
    dataset: Dataset, division: Division | None = None, limit: float = MOST_SHARE
) -> tuple[Block, ...]:
    """Return the thirteen blocks of a synthgen dataset in ranked order.

    Args:
        dataset: to read.
        division: measured division of a divided dataset.
        limit: largest share of a split that a shortcut may get right without a flag.

    Raises:
        DatasetError: for a corrupt shard.
    """
    manifest = dataset.manifest
    blocks = side_blocks(sides_of(dataset), axis_names(manifest), division, limit)
    return (*blocks, controllers_block(manifest), provenance_block(manifest))


def dataset_shortcuts(dataset: Dataset) -> Shortcuts:
    """Measure the shortcuts of a dataset that see only its prompts and levels."""
    return sides_shortcuts(sides_of(dataset))


def side_blocks(
    sides: Sides,
    axes: AxisNames | None = None,
    division: Division | None = None,
    limit: float = MOST_SHARE,
) -> tuple[Block, ...]:
    """Return the first eleven blocks for any rows with prompts, in ranked order.

    Args:
        sides: sides to read; without structures, the blocks about them state so.
        axes: columns of integers or names, if any.
        division: as for `dataset_blocks`.
        limit: as for `dataset_blocks`.
    """
    axes = axes or AxisNames()
    found = read_sides(sides, axes)
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
        "shortcuts": lambda: shortcuts_block(sides_shortcuts(sides, axes.names, limit)),
    }
    return tuple(_guarded(key, makers[key]) for key in TITLES)


def _structure_makers(
    found: Reading, matches: Matches, division: Division | None
) -> dict[str, Callable[[], Block]]:
    """Return the makers of the blocks that need structures."""
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
    """Make a block, or one that states why it could not be made."""
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
        return _not_measured("k-coverage", "the rows have no answers")
    return table_block(sides.all)


def _answers(found: Reading) -> dict[str, IdCounts]:
    if not found.sides.have(ANSWER):
        return {}
    return {name: facts.answers for name, facts in found.texts.facts.items()}


def _quantities(found: Reading) -> list[Quantity]:
    """Return the lengths of prompts, answers and structures, and all integer axes."""
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
