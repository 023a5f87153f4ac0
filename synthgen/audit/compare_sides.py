"""The two sides of a comparison: folders of ours, or files that others made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from synthgen.audit.foreign import Measuring
from synthgen.audit.foreign_readers import Reader, SequenceReader, reader_of, words_reader
from synthgen.audit.foreign_sides import Reading, Side, side_of_dataset, side_of_files
from synthgen.core.errors import ParamError
from synthgen.dataset.reader import Dataset, open_dataset


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody names as one side.

    Attributes:
        path: folder of a dataset, or file.
        splits: of a dataset; none stand for all.
        reading: of a file.
    """

    path: Path
    splits: tuple[str, ...] = ()
    reading: Reading = field(default_factory=lambda: Reading(answers="none"))


@dataclass(frozen=True, slots=True)
class Opened:
    """A side, and the dataset that it is of, if it is one of ours."""

    side: Side
    dataset: Dataset | None
    splits: tuple[str, ...]


def open_both(one: Given, other: Given) -> tuple[Opened, Opened]:
    """Open two sides, under different names; ids count only where both are datasets of ours.

    Raises:
        ParamError: for splits of a file.
        UnknownNameError: for a split that a dataset does not have.
        DatasetError: for a folder that is no whole dataset, or a file that cannot be read.
    """
    names = _names(one, other)
    ours = one.path.is_dir() and other.path.is_dir()
    opened = [
        _open(name, given, ours=ours) for name, given in zip(names, (one, other), strict=True)
    ]
    return opened[0], opened[1]


def common_reader(a: Side, b: Side, measuring: Measuring) -> tuple[Reader, str]:
    """Return a reader for both sides, and why it is not one of structures, if it is not."""
    if not (a.has_structures and b.has_structures):
        alone = [side.name for side in (a, b) if side.has_structures]
        why = f"; {alone[0]} alone has a column of structures" if alone else ""
        bare = [replace(side, has_structures=False) for side in (a, b)]
        return reader_of(bare[0], None, measuring.tokens), why
    readers = [reader_of(side, measuring.form, measuring.tokens) for side in (a, b)]
    sequences = [isinstance(reader, SequenceReader) for reader in readers]
    if sequences[0] != sequences[1]:
        return words_reader(), "; one side has trees and the other tokens"
    return readers[0], ""


def _open(name: str, given: Given, *, ours: bool) -> Opened:
    if given.path.is_dir():
        dataset = open_dataset(given.path)
        splits = given.splits or dataset.splits
        side = side_of_dataset(name, dataset, given.splits, with_ids=ours)
        return Opened(side, dataset, splits)
    if given.splits:
        raise ParamError(
            "splits", ", ".join(given.splits), f"none of {given.path}, which is a file"
        )
    return Opened(side_of_files(name, [given.path], given.reading), None, ())


def _names(one: Given, other: Given) -> Sequence[str]:
    """Return short names that tell the sides apart."""
    for short in (True, False):
        names = [_name(given, short=short) for given in (one, other)]
        if names[0] != names[1]:
            return names
    return [f"{label}: {name}" for label, name in zip("AB", names, strict=True)]


def _name(given: Given, *, short: bool) -> str:
    name = given.path.resolve().name if short else str(given.path)
    return f"{name}:{','.join(given.splits)}" if given.splits else name
