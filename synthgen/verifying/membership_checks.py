"""Check the membership of a dataset from its files: rows, order, splits and cells.

Selection is a fold over addresses that depends only on the recipe, so much of it can be recomputed
from the rows: the order of a split, the split of a problem that meets several rules, and that a
cell keeps its first problems. Only another build shows whether a problem that is in no file was
left out correctly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthgen.core.errors import DatasetError, ParamError, UnknownNameError
from synthgen.dataset.manifest import MANIFEST_FILE, Manifest, SplitRecord, membership_file
from synthgen.dataset.membership import Membership, read_membership
from synthgen.dataset.reader import Dataset, stream_shard
from synthgen.dataset.records import VariantRecord
from synthgen.draws.randomness import stream_key
from synthgen.draws.shuffles import shuffle_ranks
from synthgen.rules.axes import SOURCE, Axis
from synthgen.rules.language import compile_where
from synthgen.verifying.owners import Misplaced, Sharing, TemplateWords, recipe_of
from synthgen.verifying.promises import Check
from synthgen.verifying.row_checks import scan_rows

_STEERED = ("cover", "diverse")
"""Keys of a recipe's split that may prefer a later candidate of a cell to an earlier one."""
_PLACE = [SOURCE, "address"]
_MAX_NAMED = 3


def membership_checks(dataset: Dataset, templates: Callable[[], TemplateWords]) -> Iterator[Check]:
    """Compare rows with the recorded membership; shards must be readable.

    Memory is 30 bytes for each row of the largest split, and up to twice that of splits in small
    spaces.

    Args:
        dataset: Dataset to check.
        templates: Maker of a template reader, for datasets whose templates stay in one split.
    """
    manifest = dataset.manifest
    for split in manifest.splits:
        yield from _guarded(f"selection/{split.name}", partial(_recorded, dataset, split))
        yield from _guarded(f"quotas/{split.name}", partial(_quotas, manifest, split))
    misplaced: dict[str, Misplaced] = {}
    yield from _guarded("split", partial(_splits, dataset, templates, misplaced))
    for split in manifest.splits:
        if split.seen_in and split.seen_in not in misplaced:
            yield from _guarded(f"first/{split.name}", partial(_seen_in, dataset, split))


def _guarded(name: str, check: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Run a check; a rule, column or file that cannot be read fails it."""
    try:
        yield from check()
    except (DatasetError, ParamError, UnknownNameError, pl.exceptions.PolarsError) as error:
        yield Check(name, ok=False, detail=str(error).splitlines()[0])


def _recorded(dataset: Dataset, split: SplitRecord) -> Iterator[Check]:
    """Compare the rows of a split with its recorded selection, and with the recipe's order."""
    rows = _read_places(dataset, split.name)
    file = membership_file(split.name)
    name = f"selection/{split.name}"
    if not (dataset.folder / file).is_file():
        yield Check(name, ok=False, detail=f"{file}: missing")
    else:
        try:
            different = _difference(rows, read_membership(dataset.folder / file))
        except DatasetError as error:
            different = str(error).removeprefix(f"{dataset.folder / file}: ")
        detail = different or f"source and address of all {len(rows)} rows"
        yield Check(name, not different, f"{file}: {detail}")
    drawn = dataset.manifest.selection.candidates
    beyond = np.flatnonzero(rows.addresses >= min(drawn, (1 << 64) - 1))
    if split.variant:
        behind = _unlike(rows, _restated(dataset, split.variant))
        where = f"do not correspond to the rows of {split.variant.of}"
    else:
        behind = _out_of_order(dataset.manifest, split, rows)
        where = "are not where the recipe's seed puts them"
    faults = [
        f"{_file_at(split, int(places[0]))}: {len(places)} rows {what}"
        for places, what in (
            (behind, where),
            (beyond, f"have an address that the build did not draw ({drawn} in all)"),
        )
        if len(places)
    ]
    detail = "; ".join(faults) or "every row is where the recipe puts it"
    yield Check(f"row-order/{split.name}", not faults, detail)


def _read_places(dataset: Dataset, split: str) -> Membership:
    """Return source and address of every row of a split, from its shards."""
    names = pa.array([source.name for source in dataset.manifest.sources], pa.string())
    sources, addresses = [np.zeros(0, np.uint16)], [np.zeros(0, np.uint64)]
    for path in dataset.shard_paths(split):
        for batch in stream_shard(path, _PLACE):
            index = pc.fill_null(pc.index_in(batch.column(SOURCE), value_set=names), -1)
            sources.append(index.to_numpy(zero_copy_only=False).astype(np.uint16))
            addresses.append(pc.fill_null(batch.column("address"), 0).to_numpy())
    return Membership(np.concatenate(sources), np.concatenate(addresses))


def _difference(rows: Membership, recorded: Membership) -> str:
    """Describe how a recorded selection differs from the rows; empty if it does not."""
    if np.array_equal(rows.sources, recorded.sources) and np.array_equal(
        rows.addresses, recorded.addresses
    ):
        return ""
    actual, listed = _numbered(rows), _numbered(recorded)
    kept, others = _common(actual, listed), _common(listed, actual)
    moved = int((kept != others).select(pl.any_horizontal(pl.all()).sum()).item())
    missing, added = len(rows) - kept.height, len(recorded) - others.height
    return f"{missing} rows missing, {added} added, {moved} moved"


def _common(rows: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Return the numbered places of a frame that another one also has, in order."""
    both = rows.with_row_index().join(others, on=others.columns, how="semi")
    return both.sort("index").drop("index")


def _numbered(places: Membership) -> pl.DataFrame:
    """Return places as a frame in which equal ones are numbered."""
    frame = pl.DataFrame({SOURCE: places.sources, "address": places.addresses})
    return frame.with_columns(_n=pl.int_range(pl.len()).over(_PLACE))


def _out_of_order(manifest: Manifest, split: SplitRecord, rows: Membership) -> NDArray[np.int64]:
    """Return the rows that follow themselves, or one that the recipe's order has after them."""
    repeated = bool(split.parts or split.members)
    if split.order:  # by an axis
        sorted_rows = np.lexsort((rows.addresses, rows.sources))
        again = sorted_rows[1:][_same(rows.take(sorted_rows))]
        return again[:0] if repeated else np.sort(again)
    output, seed = manifest.recipe.get("output"), manifest.recipe.get("seed")
    order = output.get("order") if isinstance(output, Mapping) else None
    if order not in ("shuffled", "address") or not isinstance(seed, int):
        msg = f"{MANIFEST_FILE}: recipe: expected a seed, and output.order shuffled or address"
        raise DatasetError(msg)
    sources, addresses = rows.sources, rows.addresses
    if order == "address":
        same = sources[1:] == sources[:-1]
        behind = (sources[1:] < sources[:-1]) | (same & (addresses[1:] < addresses[:-1]))
    else:
        salt = stream_key(seed, "order", split.name)
        ranks = (
            _ranks_of_repeats(rows, salt) if repeated else shuffle_ranks(sources, addresses, salt)
        )
        behind = ranks[1:] < ranks[:-1]
    return np.flatnonzero(behind if repeated else behind | _same(rows)) + 1


def _same(rows: Membership) -> NDArray[np.bool_]:
    """Return which rows but the first are at the place of the row before them, bool (n - 1,)."""
    same: NDArray[np.bool_] = rows.sources[1:] == rows.sources[:-1]
    same &= rows.addresses[1:] == rows.addresses[:-1]
    return same


def _restated(dataset: Dataset, variant: VariantRecord) -> Membership:
    """Return the places that the rows of a variant have."""
    base = _read_places(dataset, variant.of)
    names = [source.name for source in dataset.manifest.sources]
    return Membership(np.full_like(base.sources, names.index(variant.source)), base.addresses)


def _unlike(rows: Membership, base: Membership) -> NDArray[np.int64]:
    """Return the rows whose place differs from that of the same row of another split."""
    shared = min(len(rows), len(base))
    differs = np.ones(max(len(rows), len(base)), bool)
    differs[:shared] = rows.sources[:shared] != base.sources[:shared]
    differs[:shared] |= rows.addresses[:shared] != base.addresses[:shared]
    return np.flatnonzero(differs)


def _ranks_of_repeats(rows: Membership, salt: int) -> NDArray[np.uint64]:
    """Return the rank of each row; equal rows get rising ranks, as they are indistinguishable."""
    # Number the occurrences of each row, draw a rank for each, and hand out the ranks in order.
    order = np.lexsort((rows.addresses, rows.sources))
    sources, addresses = rows.sources[order], rows.addresses[order]
    new = np.ones(len(order), bool)
    new[1:] = (sources[1:] != sources[:-1]) | (addresses[1:] != addresses[:-1])
    groups = np.cumsum(new)
    places = np.arange(len(order))
    occurrences = places - np.maximum.accumulate(np.where(new, places, 0))
    drawn = shuffle_ranks(sources, addresses, salt, occurrences.astype(np.uint64))
    ranks = np.empty(len(order), np.uint64)
    ranks[order] = drawn[np.lexsort((drawn, groups))]
    return ranks


def _file_at(split: SplitRecord, row: int) -> str:
    """Return the shard that holds a row of a split."""
    ends = np.cumsum([shard.rows for shard in split.shards])
    place = min(int(np.searchsorted(ends, row, side="right")), len(ends) - 1)
    return split.shards[place].file


def _quotas(manifest: Manifest, split: SplitRecord) -> Iterator[Check]:
    """Check that the recorded cells of a balanced split are equal, except exhausted ones."""
    divided = manifest.divergence
    if not split.balance or (divided and split.name in (*divided.train, *divided.test)):
        return
    recipe = recipe_of(manifest, split.name)
    rows = sum(cell.rows for cell in split.cells)
    if recipe.get("shares") or recipe.get("diverse") or rows != recipe.get("rows"):
        return  # cells need not be equal
    level = max((cell.rows for cell in split.cells), default=0)
    uneven = [
        cell
        for cell in split.cells
        if (cell.rows < level - 1 and not cell.dry)
        or (cell.dry and cell.rows != cell.candidates and split.cap is None)
    ]
    named = "; ".join(f"{dict(cell.cell)}: {cell.rows} rows" for cell in uneven[:_MAX_NAMED])
    detail = f"up to {level} rows in each of {len(split.cells)} cells"
    if uneven:
        detail = f"{MANIFEST_FILE}: {len(uneven)} cells of {split.name} lack rows: {named}"
    yield Check(f"quotas/{split.name}", not uneven, detail)


def _splits(
    dataset: Dataset,
    templates: Callable[[], TemplateWords],
    misplaced: dict[str, Misplaced],
) -> Iterator[Check]:
    """Check that a problem that meets several rules is in the split that its key selects.

    Splits with rows that belong to another, or may, are added to `misplaced`.
    """
    manifest = dataset.manifest
    sharing = Sharing(manifest, templates)
    for place, owner in enumerate(sharing.owners):
        for split in owner.splits:
            strays = sharing.misplaced(dataset, split.name, place)
            if strays is None:
                continue  # none of its problems can meet another rule
            n = len(strays.rows)
            if n or strays.open:
                misplaced[split.name] = strays
            ok = not n or manifest.shares_leftovers
            detail = f"{split.rows - n - strays.open} rows are where their key puts them"
            if strays.open:
                detail += f", {strays.open} not decided: the files lack other splits' candidates"
            named = strays.named([other.name for other in sharing.owners])
            if n and ok:
                detail += f"; others left the rest ({named}), as they may in a small space"
            elif n:
                file = _file_at(split, int(strays.rows[0]))
                detail = f"{file}: {n} rows of {split.name} belong to another split: {named}"
            yield Check(f"split/{split.name}", ok, detail)
    if manifest.shares_leftovers:
        for place, owner in enumerate(sharing.owners):
            (first, *others) = owner.splits
            if not others and any((each.owners == place).any() for each in misplaced.values()):
                yield from _left(dataset, first, place, misplaced)


def _left(
    dataset: Dataset, split: SplitRecord, place: int, misplaced: Mapping[str, Misplaced]
) -> Iterator[Check]:
    """Check that a split left only later problems of its cells to others, and then took none.

    A cell keeps its first problems, and problems of other splits come after all of its own.
    """
    table = recipe_of(dataset.manifest, split.name)
    undecided = split.name in misplaced and misplaced[split.name].open
    if undecided or any(table.get(key) for key in _STEERED):
        return
    key = _cell_columns(dataset.manifest, split)
    names = [column.meta.output_name() for column in key]
    mine = _rows(dataset, split).select(*_PLACE, *key).collect()
    taken = mine[misplaced[split.name].rows] if split.name in misplaced else mine[:0]
    kept = mine.join(taken, on=_PLACE, how="anti")
    parts = [mine[:0]]
    for other in dataset.manifest.splits:
        if other.name in misplaced:
            strays = misplaced[other.name]
            rows = strays.rows[strays.owners == place]
            parts.append(_rows(dataset, other).select(*_PLACE, *key).collect()[rows])
    left = pl.concat(parts)
    # A cell that took problems of other splits must not have left any of its own.
    beside = left.join(taken, on=names, how="semi", nulls_equal=True).lazy()
    early = _earlier(left.lazy(), kept.lazy(), names)
    both = pl.concat([beside.select(_PLACE), early.select(_PLACE)])
    wrong = both.unique().collect().height
    detail = f"{wrong} of {left.height} problems left to other splits precede one that it keeps"
    if wrong:
        detail = f"{membership_file(split.name)}: {detail}"
    yield Check(f"first/{split.name}", not wrong, detail)


def _seen_in(dataset: Dataset, split: SplitRecord) -> Iterator[Check]:
    """Check that a split has the first problems of each cell that another split has for it."""
    manifest = dataset.manifest
    (base,) = (other for other in manifest.splits if other.name == split.seen_in)
    key = _cell_columns(manifest, split)
    names = [column.meta.output_name() for column in key]
    mine = _rows(dataset, split).select(*_PLACE, *key)
    left = (
        _rows(dataset, base).filter(rule_of(split.where, manifest.rule_axes)).select(*_PLACE, *key)
    )
    left = left.join(mine.select(_PLACE), on=_PLACE, how="anti")
    early = _earlier(left, mine, names).select(_PLACE).unique()
    wrong = int(early.select(pl.len()).collect(engine="streaming").item())
    detail = f"{wrong} problems of {base.name} precede one that it has in their cell"
    if wrong:
        detail = f"{membership_file(split.name)}: {detail}"
    yield Check(f"first/{split.name}", not wrong, detail)


def _cell_columns(manifest: Manifest, split: SplitRecord) -> list[pl.Expr]:
    """Return the columns that determine the cell of a row, and the value that a cap counts."""
    axes = manifest.rule_axes
    columns = [pl.col(name).alias(f"_cell_{name}") for name in split.balance]
    columns.append(part_number(split, axes).alias("_part"))
    if split.cap:
        counted = rule_of(split.cap.where, axes)
        columns.append(pl.when(counted).then(pl.col(split.cap.axis)).alias("_value"))
    return columns


def rule_of(where: str | None, axes: Mapping[str, Axis]) -> pl.Expr:
    """Return a rule over the columns of rows, which all rows satisfy if it is None."""
    return pl.lit(value=True) if where is None else compile_where(where, axes)


def part_number(split: SplitRecord, axes: Mapping[str, Axis]) -> pl.Expr:
    """Return the number of the first part whose rule a row satisfies, or that of all parts."""
    number = pl.lit(len(split.parts))
    for place, part in reversed(list(enumerate(split.parts))):
        number = pl.when(compile_where(part.where, axes)).then(pl.lit(place)).otherwise(number)
    return number


def _earlier(left: pl.LazyFrame, kept: pl.LazyFrame, names: list[str]) -> pl.LazyFrame:
    """Return the rows of `left` that precede one of `kept` in their cell and source."""
    key = [*names, SOURCE]
    last = kept.group_by(key).agg(_last=pl.col("address").max())
    both = left.join(last, on=key, how="inner", nulls_equal=True)
    return both.filter(pl.col("address") < pl.col("_last"))


def _rows(dataset: Dataset, split: SplitRecord) -> pl.LazyFrame:
    """Return the rows of a split."""
    return scan_rows(dataset, dataset.shard_paths(split.name))
