"""The audit of third-party files: the same metrics, for rows without a manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synthgen import __version__
from synthgen.auditing.blocks import INFO, Block, BlockTable, titled
from synthgen.auditing.coverage_blocks import blocks_of
from synthgen.auditing.findings import MAX_ROWS, Report, SplitReport
from synthgen.auditing.identity_block import overlap_checks
from synthgen.auditing.read_sides import (
    MemoryTable,
    ReadingOptions,
    ReadSide,
    Source,
    sides_of_splits,
    together,
)
from synthgen.auditing.row_blocks import checked_sides, row_blocks, with_first_rows
from synthgen.core.checks import check_choice
from synthgen.core.errors import ParamError
from synthgen.coverage.best_shortcuts import MAX_SHARE
from synthgen.coverage.inputs import ANSWER, PROMPT, Declarations, Side
from synthgen.coverage.measurements import AxisNames, Measures, measure_sides
from synthgen.coverage.structure_kinds import WORDS, all_named
from synthgen.coverage.templates import Level
from synthgen.dataset.foreign.named_files import local_files
from synthgen.dataset.seal import file_sha256
from synthgen.verifying.promises import Example, Overlap

_ROLES = ("prompt", "answer", "structure", "group")
UNDECLARED = Declarations(rule=True)
"""Declarations of third-party splits: rows may follow any rule, but must not be shared."""


@dataclass(frozen=True, slots=True)
class MeasuringOptions:
    """A user's choices on how to measure.

    Attributes:
        tokens: Units into which prompts are split, one of `ALPHABETS`.
        fold_case: Whether prompts that differ only in case are equal at L1.
        max_shortcut: Largest share of a test that a shortcut may get right without a flag.
    """

    tokens: str = WORDS
    fold_case: bool = False
    max_shortcut: float = MAX_SHARE


def audit_sides(train: ReadSide, tests: Sequence[ReadSide], measuring: MeasuringOptions) -> Report:
    """Audit tests against train.

    Raises:
        DatasetError: for unreadable files or invalid structures; the message names file, row and
            column.
    """
    every = [train, *(replace(t, side=replace(t.side, declared=UNDECLARED)) for t in tests)]
    sides = together(every[0], every[1:], fold_case=measuring.fold_case)
    measures = measure_sides(sides, AxisNames(), measuring.tokens)
    checks = [
        c for side in sides.tests for c in overlap_checks(sides.train, side, measures.matches)
    ]
    hashes = {path: file_sha256(path) for given in every for path in given.files}
    blocks = blocks_of(measures, limit=measuring.max_shortcut)
    rows = checked_sides(measures)
    blocks = (*row_blocks(rows), *with_first_rows(blocks, rows, measures))
    joined = "".join(hashes[path] for path in sorted(hashes))
    return Report(
        name=", ".join(dict.fromkeys(path.name for path in hashes)) or "tables in memory",
        fingerprint=hashlib.sha256(joined.encode()).hexdigest(),
        checks=tuple(checks),
        splits=tuple(_split_report(given, measures) for given in every),
        overlaps=tuple(overlap_of(sides.train.name, side, measures) for side in sides.tests),
        blocks=(*blocks, _provenance(every, measures, hashes)),
    )


def audit_splits(
    splits: Mapping[str, Any], train: str, columns: Mapping[str, str], max_shortcut: float | None
) -> Report:
    """Audit files or tables that are splits by name; see `synthgen.audit`."""
    for role in columns:
        check_choice("columns", role, _ROLES)
    check_choice("train", train, [*splits])
    if len(splits) < 2:
        raise ParamError("folder", ", ".join(splits), "the training split and at least one other")
    with ExitStack() as stack:

        def sources(name: str) -> list[Source]:
            data = splits[name]
            if isinstance(data, (str, Path)):
                return [*stack.enter_context(local_files([str(data)]))]
            return [MemoryTable(name, data)]

        tests = {name: sources(name) for name in splits if name != train}
        prompt, answer, structure, group = (columns.get(role) for role in _ROLES)
        reading = ReadingOptions(prompt, answer, structure, groups=(group,) if group else ())
        first, others = sides_of_splits(sources(train), tests, reading)
        limit = MAX_SHARE if max_shortcut is None else max_shortcut
        return audit_sides(first, others, MeasuringOptions(max_shortcut=limit))


def _provenance(every: Sequence[ReadSide], measures: Measures, hashes: dict[Path, str]) -> Block:
    rows = tuple(
        (given.side.name, str(path), path.stat().st_size, hashes[path], given.columns)
        for given in every
        for path in given.files
    )
    table = BlockTable("Files", ("split", "file", "bytes", "SHA-256", "read as"), rows)
    total = sum(given.side.rows for given in every)
    kinds = all_named([structures.kind for structures in measures.structures])
    left_out = sum(given.left_out for given in every)
    nulls = f" Rows without a prompt, structure or split, left out: {left_out:,}." * bool(left_out)
    without = sum(given.without for given in every)
    nulls += f" Rows in whose text no structure was read: {without:,}." * bool(without)
    text = f"{total:,} rows read by synthgen {__version__}. Structures: {kinds}.{nulls}"
    return titled("provenance", INFO, text, (table,))


def _split_report(given: ReadSide, measures: Measures) -> SplitReport:
    side, distinct = given.side, measures.matches.distinct
    problems = distinct.get((side.name, Level.CANONICAL), distinct[side.name, Level.NORMALISED])
    return SplitReport(
        name=side.name,
        promised=side.rows,
        rows=side.rows,
        verified=0,
        shards=len(given.files),
        bytes=sum(path.stat().st_size for path in given.files),
        repeated_ids=side.rows - problems,
        repeated_prompts=side.rows - distinct[side.name, Level.EXACT],
        axes=(),
        examples=_first_rows(side),
    )


def _first_rows(side: Side) -> tuple[Example, ...]:
    names = [name for name in (PROMPT, ANSWER) if name in side.columns]
    for batch in side.batches(names):
        if batch.num_rows:
            return tuple(batch.slice(0, MAX_ROWS).to_pylist())
    return ()


def overlap_of(train: str, test: Side, measures: Measures) -> Overlap:
    """Count the distinct problems and prompts of a test that train has, too."""
    keys, shared = measures.texts[test.name].keys, measures.matches.shared
    level = Level.CANONICAL if (test.name, Level.CANONICAL) in shared else Level.NORMALISED
    ids, prompts = (
        len(set(keys[at][shared[test.name, at]].tolist())) for at in (level, Level.EXACT)
    )
    return Overlap(train, test.name, ids, prompts, declared=False)
