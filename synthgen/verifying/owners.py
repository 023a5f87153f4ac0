"""Recompute, from rows, the split of a problem that meets the rules of several splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.errors import DatasetError, ParamError
from synthgen.dataset.manifest import MANIFEST_FILE, Manifest, SplitRecord
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.rules.assignment import assign_groups, assign_splits, axis_words
from synthgen.rules.axes import SOURCE, Axis
from synthgen.rules.language import compile_where, read_rule
from synthgen.trees.content_keys import Keys, keys_of_ids

Words = NDArray[np.uint64]
_MAX_PAIRS = 1000
_INT64 = np.iinfo(np.int64)
_ANYWHERE = int(_INT64.min), int(_INT64.max)


class TemplateWords(Protocol):
    """Reads the templates of derivations, batch by batch."""

    def words(self, derivations: pa.StringArray) -> Words:
        """Return a word for the template of each derivation, uint64 (n,)."""


@dataclass(frozen=True)
class Owner:
    """A split that chooses its own problems, or the splits that divide a pool of them.

    Attributes:
        weight: Rows of the recipe before `--rows` or `--scale`.
        variants: Sources that must be able to restate its problems.
    """

    splits: tuple[SplitRecord, ...]
    weight: int
    variants: frozenset[str]

    @property
    def name(self) -> str:
        """Names of its splits."""
        return "+".join(split.name for split in self.splits)

    @cached_property
    def rules(self) -> tuple[tuple[str, ...], ...]:
        """Groups of rules; a problem must meet one rule of each group."""
        first = self.splits[0]
        parts = () if len(self.splits) > 1 else tuple(part.where for part in first.parts)
        groups = ((first.where,) if first.where else (), parts)
        return tuple(group for group in groups if group)

    @property
    def text(self) -> str:
        """All rules as one."""
        groups = (" OR ".join(f"({rule})" for rule in group) for group in self.rules)
        return " AND ".join(f"({group})" for group in groups) or "TRUE"

    @property
    def listed(self) -> str | None:
        """File with the list of its prompts, if any."""
        members = self.splits[0].members
        return members.file if members else None

    @property
    def candidates(self) -> tuple[object, ...]:
        """Fields that determine its candidates; owners with the same rule have equal ones."""
        first = self.splits[0]
        return first.where, tuple(part.where for part in first.parts), self.listed, self.variants

    def rule(self, axes: Mapping[str, Axis]) -> pl.Expr:
        """Return the rule over the columns of rows.

        Raises:
            UnknownNameError, ParamError: as `compile_where` does.
        """
        met = pl.lit(value=True)
        for group in self.rules:
            met &= pl.any_horizontal([compile_where(rule, axes) for rule in group])
        return met

    def may_miss(self, other: Owner) -> bool:
        """Return whether the files leave open which problems of another owner it could have had."""
        return self.listed is not None or not self.variants <= other.variants


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Rows of a split that belong to another one.

    Attributes:
        rows: Row numbers, int64 (n,).
        owners: Index of the owner of each row, (n,).
        open: Number of rows that cannot be decided from the files.
    """

    rows: NDArray[np.int64]
    owners: NDArray[np.int16]
    open: int

    def named(self, names: Sequence[str]) -> str:
        """Describe the number of rows of each owner."""
        counts = zip(*np.unique(self.owners, return_counts=True), strict=True)
        every = [*names, "none"]  # the index of none is -1
        return ", ".join(f"{count} of {every[owner]}" for owner, count in counts)


def recipe_of(manifest: Manifest, split: str) -> Mapping[str, Any]:
    """Return the table of a split in the recipe of a manifest.

    Raises:
        DatasetError: if there is none.
    """
    tables = manifest.recipe.get("split")
    for table in tables if isinstance(tables, list | tuple) else ():
        if isinstance(table, Mapping) and table.get("name") == split:
            return table
    msg = f"{MANIFEST_FILE}: recipe.split: expected a table of split {split!r}"
    raise DatasetError(msg)


def owners_of(manifest: Manifest) -> list[Owner]:
    """Return the owners in the order in which problems are assigned; a pool is the last one.

    Raises:
        DatasetError: if the recipe in the manifest has no number of rows for a split.
    """
    divided = manifest.divergence
    pool = {*divided.train, *divided.test} if divided else set()
    choosing = [split for split in manifest.splits if split.base is None]
    groups: list[tuple[SplitRecord, ...]]
    groups = [(split,) for split in choosing if split.name not in pool]
    if pool:
        groups.append(tuple(split for split in choosing if split.name in pool))
    return [
        Owner(
            group,
            sum(_weight(manifest, split.name) for split in group),
            frozenset() if group[0].name in pool else _variants(manifest, group[0].name),
        )
        for group in groups
    ]


def _weight(manifest: Manifest, split: str) -> int:
    table = recipe_of(manifest, split)
    weight = table.get("weight", table.get("rows"))
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
        msg = f"{MANIFEST_FILE}: recipe.split: rows of {split!r} are {weight!r}, expected 1 or more"
        raise DatasetError(msg)
    return weight


def _variants(manifest: Manifest, split: str) -> frozenset[str]:
    """Return the sources that restate problems of a split, or of one that is seen in it."""
    family = {split, *(other.name for other in manifest.splits if other.seen_in == split)}
    variants = (other.variant for other in manifest.splits if other.variant)
    return frozenset(variant.source for variant in variants if variant.of in family)


class Sharing:
    """Chooses an owner for each row, as selection does.

    Args:
        manifest: Manifest with the recipe.
        templates: Maker of a template reader.

    Attributes:
        owners: Owners, which rows name by their index.

    Raises:
        DatasetError: as `owners_of`.
        UnknownNameError, ParamError: for a faulty rule.
    """

    def __init__(self, manifest: Manifest, templates: Callable[[], TemplateWords]) -> None:
        self.owners = owners_of(manifest)
        self._axes = manifest.rule_axes
        self._groups = manifest.groups
        self._weights = [owner.weight for owner in self.owners]
        numbers: dict[object, int] = {}
        # Owners with the same candidates share a number, and divide whole groups between them.
        self._numbers = [numbers.setdefault(o.candidates, len(numbers)) for o in self.owners]
        self._rules = [owner.rule(self._axes) for owner in self.owners]
        self._meeting = _meeting([owner.text for owner in self.owners], self._axes)
        self._templates = templates
        self._readers: dict[str, TemplateWords] = {}

    def misplaced(self, dataset: Dataset, split: str, place: int) -> Misplaced | None:
        """Return the rows of a split that belong to another; None if none can meet another rule.

        Args:
            dataset: Dataset of the split.
            split: One of the splits of an owner.
            place: Index of this owner.

        Raises:
            DatasetError: for an id that is not a key.
        """
        meeting = np.flatnonzero(self._meeting[place])
        if len(meeting) == 1:
            return None
        mine = self.owners[place]
        unknown = [i for i in meeting if i != place and self.owners[i].may_miss(mine)]
        rules = {self._numbers[i]: self._rules[i] for i in meeting}  # many splits may share one
        places = {number: at for at, number in enumerate(rules)}
        order = [places[self._numbers[i]] for i in meeting]
        named = {name for rule in rules.values() for name in rule.meta.root_names()}
        columns = sorted({"id", *named, *self._columns})
        rows, owners = [np.zeros(0, np.int64)], [np.zeros(0, np.int16)]
        start = undecided = 0
        for path in dataset.shard_paths(split):
            for batch in stream_shard(path, columns):
                frame = pl.DataFrame(pl.from_arrow(batch))
                met = np.zeros((len(frame), len(self.owners)), np.bool_)
                rules_met = frame.select(rule.alias(str(number)) for number, rule in rules.items())
                met[:, meeting] = rules_met.to_numpy()[:, order]
                is_open = met[:, unknown].any(axis=1)
                chosen = self._choose(met, batch)
                wrong = np.flatnonzero((chosen != place) & ~is_open)
                undecided += int(np.count_nonzero(is_open))
                rows.append(wrong + start)
                owners.append(chosen[wrong])
                start += len(frame)
        return Misplaced(np.concatenate(rows), np.concatenate(owners), undecided)

    @property
    def _columns(self) -> tuple[str, ...]:
        """Columns that determine the group of a row."""
        if self._groups is None:
            return ()
        return (SOURCE, *(("derivation",) if isinstance(self._groups, str) else self._groups))

    def _choose(self, met: NDArray[np.bool_], rows: pa.RecordBatch) -> NDArray[np.int16]:
        """Return the index of the owner of each row, (n,)."""
        if self._groups is None:
            return assign_splits(met, _keys(rows.column("id")), self._weights)
        words = np.zeros(rows.num_rows, np.uint64)
        for name, places in _by_source(rows):
            words[places] = self._words(name, rows.take(pa.array(places)))
        return assign_groups(met, words, self._weights, self._numbers)

    def _words(self, source: str, rows: pa.RecordBatch) -> Words:
        """Return the words of the groups of rows of one source."""
        if isinstance(self._groups, str):
            reader = self._readers.setdefault(source, self._templates())
            return reader.words(rows.column("derivation"))
        return axis_words([self._codes(rows, n) for n in self._groups or ()], rows.num_rows)

    def _codes(self, rows: pa.RecordBatch, name: str) -> NDArray[np.int64] | None:
        """Return an axis as integers, names as indices; None if the rows lack it."""
        column, names = rows.column(name), self._axes[name].values
        if column.null_count == len(column):
            return None
        if names:
            column = pc.index_in(column, value_set=pa.array(names, pa.string()))
        return np.array(pc.fill_null(column.cast(pa.int64()), -1).to_numpy())


def _meeting(texts: Sequence[str], axes: Mapping[str, Axis]) -> NDArray[np.bool_]:
    """Return whether a problem may meet two of n rules, bool (n, n).

    Rules do not meet if they are apart on an axis. Of what is left, very many pairs are not read as
    one rule each, but taken to meet.
    """
    different = [*dict.fromkeys(texts)]
    spans = [_spans(text, axes) for text in different]
    met = np.ones((len(different), len(different)), np.bool_)
    for name in {name for each in spans for name in each}:
        low, high = np.array([each.get(name, _ANYWHERE) for each in spans]).T
        met &= (low[:, None] <= high) & (low <= high[:, None])
    np.fill_diagonal(met, val=True)  # even if none may meet it
    pairs = np.argwhere(np.triu(met, 1)).tolist()
    for left, right in pairs if len(pairs) <= _MAX_PAIRS else ():
        met[left, right] = met[right, left] = _meet(different[left], different[right], axes)
    places = [different.index(text) for text in texts]
    return met[np.ix_(places, places)]


def _spans(text: str, axes: Mapping[str, Axis]) -> Mapping[str, tuple[int, int]]:
    try:
        return read_rule(text, axes).spans
    except ParamError:  # too long to be read as one rule
        return {}


def _meet(left: str, right: str, axes: Mapping[str, Axis]) -> bool:
    """Return whether a problem may meet two rules."""
    try:
        return read_rule(f"({left}) AND ({right})", axes).can_hold()
    except ParamError:  # too long to be read as one rule
        return True


def _by_source(rows: pa.RecordBatch) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yield each source and the places of its rows."""
    column = rows.column(SOURCE)
    for name in pc.unique(column).to_pylist():
        met = pc.fill_null(pc.equal(column, name), fill_value=False)
        yield str(name), np.flatnonzero(met.to_numpy(zero_copy_only=False))


def _keys(ids: pa.StringArray) -> Keys:
    try:
        return keys_of_ids(ids)
    except ValueError as error:
        msg = f"column 'id': {error}"
        raise DatasetError(msg) from None
