"""Rows of evaluations in training data, whose prompts are read once, in one pass.

Only the prompts of the evaluations are kept in memory, so that the training data may be large.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen import __version__
from synthgen.auditing.blocks import FLAG, INFO, OK, Block, BlockTable, Cell, titled
from synthgen.auditing.findings import Report
from synthgen.auditing.identity_block import MEANINGS
from synthgen.auditing.read_sides import (
    TRAIN,
    ReadingOptions,
    ReadSide,
    Source,
    side_of_dataset,
    side_of_files,
)
from synthgen.auditing.wording import percent, plural
from synthgen.core.checks import check_choice
from synthgen.core.columns import integer_column, null_mask
from synthgen.core.errors import DatasetError, UnknownNameError
from synthgen.coverage.inputs import PROMPT, Side, examples, text_of
from synthgen.coverage.loose_texts import loose_keys
from synthgen.coverage.matches import are_among
from synthgen.coverage.near_duplicates import NearDuplicates, shingle_sets
from synthgen.coverage.templates import Level, exact_keys
from synthgen.dataset.foreign import known_ending
from synthgen.dataset.foreign.named_files import by_split, is_foreign, local_files
from synthgen.dataset.places import local_folder
from synthgen.dataset.reader import Dataset, open_dataset, stream_shard
from synthgen.dataset.seal import file_sha256
from synthgen.draws.randomness import U64
from synthgen.verifying.promises import MAX_EXAMPLES, Check

MAX_SHOWN = 100
"""Shared rows of each evaluation that the report lists."""
Ints = NDArray[np.int64]


def audit_against(
    names: Sequence[str],
    evaluations: Sequence[str],
    reading: ReadingOptions,
    *,
    prompt: str | None = None,
    split: str = TRAIN,
    fold_case: bool = False,
) -> Report:
    """Search training data for the rows of evaluations.

    Args:
        names: Files of training data as a user names them, or one folder or URL of a synthgen
            dataset.
        evaluations: Names of evaluation files, or folders of synthgen datasets, whose splits other
            than train are searched for.
        reading: Options for reading training data; with a split column, only rows of one split.
        prompt: Prompt column of the evaluations; default: the usual names.
        split: Training split.
        fold_case: Whether prompts that differ only in case are equal at L1.

    Raises:
        ParamError: if a name means no file.
        UnknownNameError: for a split that a dataset does not have.
        DatasetError: if data cannot be read, or have no rows.
    """
    with ExitStack() as stack:
        encoding, skip_nulls = reading.encoding, reading.skip_nulls
        usual = ReadingOptions(prompt, answers="none", encoding=encoding, skip_nulls=skip_nulls)
        sides = _under_different_names(
            [side for name in evaluations for side in _evaluations(name, usual, stack)]
        )
        if len(names) == 1 and not _means_files(names[0]):
            folder = stack.enter_context(local_folder(names[0]))
            train = training_split(open_dataset(folder), split)
        else:
            files = stack.enter_context(local_files(names))
            by_name = {} if reading.split else by_split(files)
            chosen = by_name.get(split, files) if len(names) == 1 else files
            label = chosen[0].name if len(chosen) == 1 else split
            train = training_files(label, chosen, reading, split)
        return search(train, sides, fold_case=fold_case)


def audit_columns(
    name: str, evaluations: Sequence[str], columns: Mapping[str, str], split: str
) -> Report:
    """Search training data by roles of columns ("prompt", "against"); see `synthgen.audit`."""
    for role in columns:
        check_choice("columns", role, ("prompt", "against"))
    reading = ReadingOptions(columns.get("prompt"), answers="none")
    return audit_against([name], evaluations, reading, prompt=columns.get("against"), split=split)


def _evaluations(name: str, reading: ReadingOptions, stack: ExitStack) -> Iterator[ReadSide]:
    """Yield the evaluations that a name means: splits of a dataset, or files."""
    if not _means_files(name):
        dataset = open_dataset(stack.enter_context(local_folder(name)))
        for split in dataset.splits:
            if split != TRAIN:
                yield side_of_dataset(f"{name}:{split}", dataset, [split], with_ids=False)
        return
    for path in stack.enter_context(local_files([name])):
        yield side_of_files(path.name, [path], reading)


def _under_different_names(given: Sequence[ReadSide]) -> list[ReadSide]:
    """Name sides of files with equal names by their paths."""
    times = Counter(each.side.name for each in given)
    return [
        replace(each, side=replace(each.side, name=str(each.files[0])))
        if times[each.side.name] > 1
        else each
        for each in given
    ]


def _means_files(name: str) -> bool:
    return is_foreign(name) or known_ending(name)


@dataclass(frozen=True, slots=True)
class TrainingTexts:
    """Prompts of some training rows.

    Attributes:
        source: File or table.
        first: Number of the first row, from 1.
        lines: First line of each row, if the file has lines.
        prompts: Arrow string (n,), null for rows that are not searched.
    """

    source: str
    first: int
    lines: Sequence[int] | None
    prompts: pa.StringArray

    def place(self, row: int) -> str:
        """Return the place of a row, by its number from 0."""
        line = "" if self.lines is None else f" (line {self.lines[row]})"
        return f"{self.source}: row {self.first + row}{line}"


@dataclass(frozen=True)
class TrainingData:
    """Training data to search.

    Attributes:
        name: Name for reports.
        files: Files, none for tables in memory.
        batches: Prompts of all rows, which can be read once.
    """

    name: str
    files: Sequence[Path]
    batches: Iterable[TrainingTexts]


def training_files(
    name: str, sources: Sequence[Source], reading: ReadingOptions, split: str
) -> TrainingData:
    """Return the rows of files; if `reading` names a split column, those of one split."""
    files = [source for source in sources if isinstance(source, Path)]
    return TrainingData(name, files, _texts_of_files(sources, reading, split))


def training_split(dataset: Dataset, split: str) -> TrainingData:
    """Return the rows of a split of a synthgen dataset.

    Raises:
        UnknownNameError: for a split that it does not have.
    """
    if split not in dataset.splits:
        raise UnknownNameError("split", split, dataset.splits)
    paths = dataset.shard_paths(split)
    return TrainingData(split, paths, _texts_of_shards(paths))


def _texts_of_files(
    sources: Sequence[Source], reading: ReadingOptions, split: str
) -> Iterator[TrainingTexts]:
    for source in sources:
        name = str(source) if isinstance(source, Path) else source.name
        with reading.open(source) as foreign:
            for batch in foreign.batches:
                prompts = batch.prompts
                if reading.split is not None:
                    prompts = pc.if_else(pc.equal(batch.more[-1], split), prompts, None)
                yield TrainingTexts(name, batch.first, batch.lines, prompts)


def _texts_of_shards(paths: Sequence[Path]) -> Iterator[TrainingTexts]:
    for path in paths:
        first = 1
        for batch in stream_shard(path, [PROMPT]):
            yield TrainingTexts(str(path), first, None, text_of(batch, PROMPT))
            first += batch.num_rows


def search(
    train: TrainingData, evaluations: Sequence[ReadSide], *, fold_case: bool = False
) -> Report:
    """Search training data for the prompts of evaluations.

    Args:
        train: Training data.
        evaluations: Evaluation files, under different names.
        fold_case: Whether prompts that differ only in case are equal at L1.

    Returns:
        A report with a check of L0 and of L1 for each evaluation; near duplicates are a finding to
        review.

    Raises:
        DatasetError: if the training data cannot be read, or have no rows.
    """
    sides = [given.side for given in evaluations]
    texts = [[text_of(batch, PROMPT) for batch in side.batches([PROMPT])] for side in sides]
    prompts = pa.chunked_array(
        [batch for of in texts for batch in of], pa.string()
    ).combine_chunks()
    searched = _Searched(prompts, fold_case=fold_case)
    for batch in train.batches:
        searched.add(batch)
    if not searched.rows:
        msg = f"{train.name}: no rows: expected at least one"
        raise DatasetError(msg)
    starts = np.cumsum([0, *(side.rows for side in sides)])
    found = [
        searched.found(side, slice(*span))
        for side, span in zip(sides, pairwise(starts.tolist()), strict=True)
    ]
    files = {*train.files, *(path for given in evaluations for path in given.files)}
    hashes = {path: file_sha256(path) for path in files}
    joined = "".join(hashes[path] for path in sorted(hashes))
    return Report(
        name=f"{train.name} against {', '.join(side.name for side in sides)}",
        fingerprint=hashlib.sha256(joined.encode()).hexdigest(),
        checks=tuple(check for each in found for check in each.checks(train.name)),
        splits=(),
        overlaps=(),
        blocks=(
            _shared_block(train.name, found, searched),
            _provenance(train, evaluations, hashes, searched.rows),
        ),
    )


_LEVELS = (Level.EXACT, Level.NORMALISED)


class _Keys:
    """Keys to search for, and the rows of train that have them."""

    def __init__(self, keys: U64) -> None:
        self._known, self._numbers = np.unique(keys, return_inverse=True)
        self._times = np.zeros(len(self._known), np.int64)
        self._places: dict[int, str] = {}

    def hits(self, keys: U64) -> Ints:
        """Return which of some keys are searched for."""
        return np.flatnonzero(are_among(keys, self._known))

    def add(self, keys: U64, rows: Ints, texts: TrainingTexts) -> None:
        """Count keys that are searched for, with their rows of train."""
        numbers = np.searchsorted(self._known, keys)
        np.add.at(self._times, numbers, 1)
        for number, row in zip(numbers.tolist(), rows.tolist(), strict=True):
            if number not in self._places:
                self._places[number] = texts.place(row)

    def shared(self, span: slice) -> dict[int, tuple[int, str]]:
        """Return number and first place of equal rows of train, for the keys of a span."""
        return {
            row: (int(self._times[number]), self._places[number])
            for row, number in enumerate(self._numbers[span].tolist())
            if self._times[number]
        }


class _Searched:
    """Prompts of all evaluations, and what train shares with them."""

    def __init__(self, prompts: pa.StringArray, *, fold_case: bool) -> None:
        self._fold_case = fold_case
        self._keys = {
            Level.EXACT: _Keys(exact_keys(prompts)[:, 0].copy()),
            Level.NORMALISED: _Keys(self._normalised(prompts)),
        }
        self.near = NearDuplicates(shingle_sets(prompts))
        self.rows = 0

    def _normalised(self, texts: pa.StringArray) -> U64:
        return loose_keys(texts, fold_case=self._fold_case)[:, 0].copy()

    def add(self, texts: TrainingTexts) -> None:
        """Search some rows of train; texts that are equal at L0 are equal at L1, too."""
        prompts = texts.prompts
        keys = self._normalised(prompts)
        rows = self._keys[Level.NORMALISED].hits(keys)
        rows = rows[~null_mask(prompts)[rows]] if prompts.null_count else rows
        if len(rows):
            self._keys[Level.NORMALISED].add(keys[rows], rows, texts)
            exact = exact_keys(prompts.take(integer_column(rows)))[:, 0].copy()
            of_exact = self._keys[Level.EXACT].hits(exact)
            self._keys[Level.EXACT].add(exact[of_exact], rows[of_exact], texts)
        self.near.add(shingle_sets(prompts))
        self.rows += len(prompts) - prompts.null_count

    def found(self, side: Side, span: slice) -> _Found:
        """Return what train shares with the evaluation whose prompts are a span of all."""
        exact, normalised = (self._keys[level].shared(span) for level in _LEVELS)
        near = [
            row for row in np.flatnonzero(self.near.near[span]).tolist() if row not in normalised
        ]
        return _Found(side, exact, normalised, near)


@dataclass(frozen=True)
class _Found:
    """Rows of one evaluation that train has.

    Attributes:
        side: Rows of the evaluation.
        exact, normalised: Number and first place of equal rows of train, by row.
        near: Other rows that have a near duplicate.
    """

    side: Side
    exact: Mapping[int, tuple[int, str]]
    normalised: Mapping[int, tuple[int, str]]
    near: Sequence[int]

    def checks(self, train: str) -> Iterator[Check]:
        """Yield a check for each level of identity."""
        for level, rows in zip(_LEVELS, (self.exact, self.normalised), strict=True):
            detail = f"{len(rows):,} of {self.side.rows:,} rows of {self.side.name} also occur in "
            shown = examples(self.side, sorted(rows)[:MAX_EXAMPLES])
            first = tuple(
                {"row": f"{place} = {rows[row][1]}", "prompt": prompt}
                for row, (place, prompt) in shown.items()
            )
            name = f"against-{level.label}/{self.side.name}"
            yield Check(name, not rows, f"{detail}{train} ({MEANINGS[level]})", first)

    def listed(self) -> Iterator[tuple[Cell, ...]]:
        """Yield the first shared rows, with the row of train or the word near."""
        rows = sorted({*self.normalised, *self.near})[:MAX_SHOWN]
        for row, (place, prompt) in examples(self.side, rows).items():
            times, where = self.normalised.get(row, (None, "a near duplicate"))
            yield place, where, times, prompt


def _shared_block(train: str, found: Sequence[_Found], searched: _Searched) -> Block:
    counts: list[tuple[Cell, ...]] = []
    figures, bad = {}, []
    for each in found:
        rows, name = each.side.rows, each.side.name
        hits = len(each.exact), len(each.normalised), len(each.near)
        counts.append((name, rows, *hits, percent(hits[1], rows)))
        figures[name] = {
            "rows": rows,
            "against": dict(zip(("prompt", "normalised", "near"), hits, strict=True)),
        }
        if hits[1] or hits[2]:
            bad.append(f"{hits[1]:,} of {rows:,} rows of {name}, and {hits[2]:,} others nearly")
    text = f"{train} has no row of the evaluations, and no near duplicate of one."
    if bad:
        text = f"{train} has {'; '.join(bad)}."
    if searched.near.cut_short:
        text += " Near duplicates are a lower bound."
    columns = ("evaluation", "rows", "L0", "L1", "others, L4", "share at L1, %")
    listed = tuple(row for each in found for row in each.listed())
    tables = [BlockTable(f"Rows of evaluations that {train} has", columns, tuple(counts))]
    if listed:
        names = ("row", f"first equal row of {train}", "equal rows", "prompt")
        tables.append(BlockTable(f"First {MAX_SHOWN} rows of each", names, listed))
    return Block(
        *("against", "Contamination", FLAG if bad else OK, text), tuple(tables), figures=figures
    )


def _provenance(
    train: TrainingData, evaluations: Sequence[ReadSide], hashes: Mapping[Path, str], rows: int
) -> Block:
    files = tuple(
        (name, str(path), path.stat().st_size, hashes[path])
        for name, paths in (
            (train.name, train.files),
            *((given.side.name, given.files) for given in evaluations),
        )
        for path in paths
    )
    table = BlockTable("Files", ("data", "file", "bytes", "SHA-256"), files)
    text = f"{plural(rows, 'row')} of {train.name} searched by synthgen {__version__}."
    return titled("provenance", INFO, text, (table,))
