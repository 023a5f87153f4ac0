"""The blocks of a report in ranked order: coverage, and novelty of the other splits.

Exact, over all rows: identity, atoms, structures seen, tiers, easiness, ranges, answers and
combinations of axes. Divergence, diversity and near duplicates are measured on samples, chosen by
a hash of the row's number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial

from synthgen.auditing.blocks import (
    FLAG,
    INFO,
    NO_TESTS,
    OK,
    TITLES,
    Block,
    BlockTable,
    not_measured,
    titled,
)
from synthgen.auditing.combinations_block import combinations_block
from synthgen.auditing.controllers_block import controllers_block
from synthgen.auditing.divergence_block import (
    divergence_block,
    divergence_figures,
    divergence_table,
    farthest_text,
    with_divided,
)
from synthgen.auditing.diversity_block import diversity_block
from synthgen.auditing.identity_block import identity_block
from synthgen.auditing.near_block import near_block
from synthgen.auditing.novelty_blocks import (
    atoms_block,
    easiness_block,
    table_block,
    tiers_block,
    unseen_figures,
    unseen_table,
)
from synthgen.auditing.ranges_block import Quantity, ranges_block
from synthgen.auditing.read_sides import rows_of_shards
from synthgen.auditing.report_figures import by_side
from synthgen.auditing.shortcuts_block import shortcuts_block
from synthgen.auditing.trained_block import KEY as TRAINED
from synthgen.auditing.trained_block import trained_block
from synthgen.auditing.wording import cut, plural
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.core.printing import listed
from synthgen.coverage.best_shortcuts import MAX_SHARE, Shortcuts, sides_shortcuts
from synthgen.coverage.divergences import MeasuredDivergence, measure_answers, measure_kind
from synthgen.coverage.inputs import ANSWER, Declarations, Side, Sides
from synthgen.coverage.measurements import AxisNames, Measures, measure_sides
from synthgen.coverage.structure_measures import Structures
from synthgen.coverage.text_measures import (
    ANSWER_LENGTH,
    ANSWER_TOKENS,
    ANSWER_VALUE,
    PROMPT_LENGTH,
)
from synthgen.dataset.manifest import Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, shard_rows
from synthgen.rules.axes import SOURCE, Axis
from synthgen.rules.language import clauses_of, names_in
from synthgen.trees.key_sets import may_overlap
from synthgen.verifying.divergence_checks import DivisionDivergences

_RESULTS = frozenset(
    "name rows candidates duplicates cells shards overlap cap repeats measured covers order".split()
)
"""Fields of a split that record results, or do not affect the distribution of problems."""


def sides_of(dataset: Dataset) -> Sides:
    """Return the splits of a dataset; the first one is train."""
    first, *others = dataset.manifest.splits
    train = _side(dataset, first, Declarations())
    tests = tuple(_side(dataset, each, _declared(dataset.manifest, first, each)) for each in others)
    return Sides(train, tests)


def axis_names(manifest: Manifest) -> AxisNames:
    """Return the axes in column order, and which of them the rules name."""
    names = [column.name for column in manifest.columns if column.name in manifest.axes]
    clauses = [axes for split in manifest.splits for axes in _clauses(manifest, split).values()]
    named = set().union(*clauses)
    declared = {name: record.values for name, record in manifest.axes.items()}
    return AxisNames(names, [name for name in names if name in named], declared)


def _side(dataset: Dataset, split: SplitRecord, declared: Declarations) -> Side:
    paths = dataset.shard_paths(split.name)
    rows = sum(shard_rows(path, dataset.schema) for path in paths)
    columns = frozenset(dataset.schema.names)
    return Side(split.name, rows, columns, partial(rows_of_shards, paths), declared)


def _declared(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> Declarations:
    divergence = manifest.divergence
    divided = divergence is not None and (
        train.name in divergence.train and split.name in divergence.test
    )
    unseen = divergence is not None and divided and divergence.unseen_atoms > 0
    rule = divided or _rule(train) != _rule(split)
    return Declarations(
        shares=may_overlap(train, split),
        rule=rule,
        atoms=split.unseen is not None or unseen or _of_other_sources(manifest, train, split),
        divided=divided,
        length=rule and not divided and not _by_structures(manifest, train, split),
    )


def _by_structures(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> bool:
    """Return whether the rules of two splits differ only in structures of derivations."""
    mine, others = _clauses(manifest, train), _clauses(manifest, split)
    apart = mine.keys() ^ others.keys()  # a clause that both have separates nothing
    names = {name for clause in apart for name in {**mine, **others}[clause]}
    computed = {record.name for record in manifest.computed if record.structures}
    return bool(names) and names <= computed


def _rule(split: SplitRecord) -> dict[str, object]:
    """Return the fields that determine the problems of a split."""
    return {name: value for name, value in asdict(split).items() if name not in _RESULTS}


def _of_other_sources(manifest: Manifest, train: SplitRecord, split: SplitRecord) -> bool:
    """Return whether the rules select problems from other sources than train's."""
    clauses = {**_clauses(manifest, train), **_clauses(manifest, split)}
    named = {name for names in clauses.values() for name in names}
    return split.variant is not None or (len(manifest.sources) > 1 and SOURCE in named)


def _clauses(manifest: Manifest, split: SplitRecord) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the clauses of a split's rules with the axes of each, ignoring unreadable rules."""
    axes = {name: record.as_axis() for name, record in manifest.axes.items()}
    axes[SOURCE] = Axis("source of the row", values=tuple(s.name for s in manifest.sources))
    rules = [rule for rule in (split.where, *(part.where for part in split.parts)) if rule]
    if split.cap and split.cap.where:
        rules.append(split.cap.where)
    clauses: dict[tuple[str, ...], tuple[str, ...]] = {}
    named = [("balance", axis) for axis in split.balance]
    named += [("unseen", axis) for axis in (split.unseen.axes if split.unseen else ())]
    named += [("measure", measure.axis) for measure in split.measured]
    named += [("cap", split.cap.axis)] if split.cap else []
    for kind, axis in named:
        clauses[kind, axis] = (axis,)
    for rule in rules:
        try:
            for clause in clauses_of(rule):
                clauses["where", clause] = tuple(names_in(clause, axes))
        except (ParamError, UnknownNameError):
            continue
    return clauses


def provenance_block(manifest: Manifest) -> Block:
    """List recipe, seed, generators and libraries as recorded in the manifest."""
    recipe = json.dumps(dict(manifest.recipe), sort_keys=True, separators=(",", ":"))
    seed = manifest.recipe.get("seed")
    measures = (
        ("name", manifest.name),
        ("fingerprint", manifest.fingerprint),
        ("SHA-256 of the canonical recipe", hashlib.sha256(recipe.encode()).hexdigest()),
        ("seed", "" if seed is None else str(seed)),
        ("overrides of the recipe", listed(manifest.overrides, 20)),
        ("synthgen", manifest.synthgen),
        ("format", manifest.format),
        ("duplicates compared by", manifest.dedup),
        ("digest of all rows", manifest.digest or ""),
    )
    sources = tuple(
        (s.name, s.generator, s.version, s.domain, s.verifier, s.stream, cut(params))
        for s in manifest.sources
        for params in [json.dumps(s.params, sort_keys=True, default=str)]
    )
    columns = ("source", "generator", "version", "domain", "verifier", "stream", "parameters")
    tables = (
        BlockTable("Dataset", ("item", "value"), measures),
        BlockTable("Sources", columns, sources),
        BlockTable("Libraries", ("package", "version"), tuple(sorted(manifest.libraries.items()))),
    )
    missing = [what for what, value in measures[1:6] if not value and what != measures[4][0]]
    made = listed([f"{s.generator} (version {s.version})" for s in manifest.sources], 3)
    text = f"Built by synthgen {manifest.synthgen} from {made} with seed {seed}"
    text += f" and {plural(len(manifest.overrides), 'override')}." if manifest.overrides else "."
    if missing:
        text += f" Not recorded: {listed(missing)}."
    return titled("provenance", FLAG if missing else OK, text, tables)


_OF_STRUCTURES = ("atoms", "tiers", "divergence", "easiness", "k-coverage")
_LENGTHS = {
    PROMPT_LENGTH: "prompt",
    ANSWER_LENGTH: "answer",
    ANSWER_TOKENS: "answer_tokens",
    ANSWER_VALUE: "answer_value",
}


def dataset_blocks(
    dataset: Dataset, division: DivisionDivergences | None = None, limit: float = MAX_SHARE
) -> tuple[Block, ...]:
    """Return the blocks of a synthgen dataset in ranked order.

    Args:
        dataset: Dataset to read.
        division: Measured division of a divided dataset.
        limit: Largest share of a split that a shortcut may get right without a flag.

    Raises:
        DatasetError: for a corrupt shard.
    """
    manifest = dataset.manifest
    measures = measure_sides(sides_of(dataset), axis_names(manifest))
    blocks = blocks_of(measures, axis_names(manifest).names, division, limit)
    return (*blocks, controllers_block(manifest), provenance_block(manifest))


def dataset_shortcuts(dataset: Dataset) -> Shortcuts:
    """Measure the shortcuts of a dataset that see only its prompts and levels."""
    return sides_shortcuts(sides_of(dataset))


def side_blocks(
    sides: Sides, axes: AxisNames | None = None, limit: float = MAX_SHARE
) -> tuple[Block, ...]:
    """Return the blocks of any rows with prompts, in ranked order.

    Args:
        sides: Sides to read; words of prompts take the place of missing structures.
        axes: Columns of integers or names, if any.
        limit: Largest share of a split that a shortcut may get right without a flag.
    """
    axes = axes or AxisNames()
    return blocks_of(measure_sides(sides, axes), axes.names, limit=limit)


def blocks_of(
    measures: Measures,
    axes: Sequence[str] = (),
    division: DivisionDivergences | None = None,
    limit: float = MAX_SHARE,
) -> tuple[Block, ...]:
    """Return the blocks of rows that were read; arguments as for `dataset_blocks`."""
    sides = measures.sides
    makers: dict[str, Callable[[], Block]] = {
        "identity": lambda: identity_block(sides.all, measures.matches),
        **_structure_makers(measures, division),
        "combinations": lambda: combinations_block(sides.all, measures.axes),
        "ranges": lambda: ranges_block(sides.all, _quantities(measures), measures.texts),
        "diversity": lambda: diversity_block(
            sides.all, measures.texts, measures.main, measures.axes.counts
        ),
        "near-duplicates": lambda: near_block(sides.all, measures.near),
        "shortcuts": lambda: shortcuts_block(sides_shortcuts(sides, axes, limit), sides.tests),
        "words": lambda: _words(measures),
    }
    beside = "diversity"  # mostly linear algebra, during which other threads can work
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(_guarded, beside, makers.pop(beside))
        made = {key: _guarded(key, make) for key, make in makers.items()}
        made[beside] = job.result()
    names = [side.name for side in sides.tests]
    made[TRAINED] = trained_block(names, by_side(made.values()))
    return tuple(made[key] for key in TITLES if key in made)


def _structure_makers(
    measures: Measures, division: DivisionDivergences | None
) -> dict[str, Callable[[], Block]]:
    """Return the makers of the blocks that need structures."""
    sides, main = measures.sides, measures.main
    if main is None:
        reason = measures.missing or "the rows have no structures"
        return {key: partial(not_measured, key, reason) for key in _OF_STRUCTURES}
    return {
        "atoms": lambda: atoms_block(sides.all, main),
        "tiers": lambda: tiers_block(sides.all, main, measures.matches),
        "divergence": lambda: divergence_block(
            sides.all, main.kind, _measure(sides, main, together=True), division
        ),
        "easiness": lambda: easiness_block(sides.all, main),
        "k-coverage": lambda: table_block(sides.all),
    }


def _guarded(key: str, make: Callable[[], Block]) -> Block:
    """Make a block, or one that states why it could not be made."""
    try:
        return make()
    except ParamError as error:
        return not_measured(key, str(error))


def _measure(
    sides: Sides, structures: Structures, *, together: bool
) -> dict[str, list[MeasuredDivergence]]:
    """Measure divergences of all tests; of those divided from train also together, if wanted."""
    samples = {side.name: structures.measures[side.name].sample for side in sides.tests}
    if together:
        samples = with_divided(sides.tests, samples)
    return measure_kind(structures, {"": structures.measures[sides.train.name].sample, **samples})


def _words(measures: Measures) -> Block:
    """Report the words of prompts beside the main structures, and the tokens of answers."""
    sides = measures.sides
    if not sides.tests:
        return titled("words", INFO, NO_TESTS)
    tables, parts = [], []
    figures: dict[str, dict[str, object]] = {side.name: {} for side in sides.tests}
    for words in measures.structures[1:]:
        measured = _measure(sides, words, together=False)
        title = f"Divergence of the {words.kind.symbol}s of prompts"
        tables += [
            divergence_table(sides.train.name, measured, title),
            unseen_table(sides.all, words),
        ]
        for side in sides.tests:
            figures[side.name][words.kind.key] = {
                **divergence_figures(measured[side.name]),
                **unseen_figures(side, words.measures[side.name]),
            }
        parts.append(farthest_text(measured))
    if sides.have(ANSWER):
        tokens = {side.name: measures.texts[side.name].tokens for side in sides.tests}
        answers = measure_answers({"": measures.texts[sides.train.name].tokens, **tokens})
        tables.append(divergence_table(sides.train.name, answers, "Divergence of answers"))
        if len(measures.structures) == 1:
            parts.append(f"answers of {farthest_text(answers)}")
        for name, each in answers.items():
            figures[name]["answer_tokens"] = divergence_figures(each)
    prefix = "By words, " if len(measures.structures) > 1 else ""
    text = f"{prefix}{'; '.join(parts)}." if parts else "The rows have no answers."
    return titled("words", INFO, text, tables, figures=figures)


def _quantities(measures: Measures) -> list[Quantity]:
    """Return the lengths of prompts, answers and structures, and all integer axes."""
    sides, out = measures.sides, []
    lengths = [
        (name, figure, {side: each.lengths for side, each in measures.texts.items()})
        for name, figure in _LENGTHS.items()
    ]
    for main in measures.structures[:1]:
        sizes = {side: each.sizes for side, each in main.measures.items()}
        lengths += [(name, name, sizes) for name in sizes[sides.train.name]]
    main_size = measures.main.kind.size if measures.main else ""
    for name, figure, of_sides in lengths:
        beyond = {side: each[name] for side, each in of_sides.items() if name in each}
        ranges = {side: each.test for side, each in beyond.items()}
        shifts = {s.name: beyond[s.name].shift for s in sides.tests if s.name in beyond}
        is_length = name in (PROMPT_LENGTH, main_size)
        out.append(Quantity(name, ("lengths", figure), ranges, shifts, is_length))
    for axis, survey in measures.axes.surveys.items():
        if survey.integers:
            counted = {side.name: measures.axes.counts[side.name].beyond for side in sides.tests}
            shifts = {side: each[axis].shift for side, each in counted.items() if axis in each}
            out.append(Quantity(axis, ("axes", axis), survey.integers, shifts))
    return [each for each in out if each.ranges]
