"""The splits of a dataset, as sequences of rows.

A view reads what it needs, when it needs it: row groups are decoded one by one, and as many are
kept as fit into a fixed memory. Views are immutable, picklable, and safe to share between threads
and forked processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_choice, check_int
from synthgen.core.errors import ParamError, UnknownNameError
from synthgen.dataset.row_groups import Groups
from synthgen.rules.axes import Axis
from synthgen.training.forms import FORMS, Batch, converted, filled, plain, plain_schema

if TYPE_CHECKING:
    import datasets
    import polars as pl

Row = dict[str, Any]
Indices = Sequence[int] | NDArray[np.integer]
_SHOWN_ROWS, _SHOWN_COLUMNS, _SHOWN_CHARACTERS = 5, 6, 60


class OpenedSplits(dict[str, "View"]):
    """The splits of a dataset by name, in the order of the recipe.

    Args:
        name: Name of the dataset.
        fingerprint: Hash of everything that its rows depend on.
        axes: Axes and source of its rows.
        groups: Row groups of each split.
    """

    def __init__(
        self, name: str, fingerprint: str, axes: Mapping[str, Axis], groups: Mapping[str, Groups]
    ) -> None:
        super().__init__()
        self.name = name
        texts = {name: Axis(name, values=("",)) for name in ("task", "template")}
        known = {**axes, **texts, "difficulty": Axis("the generator's own measure")}
        for split, of_split in groups.items():
            origin = Origin(name, fingerprint, split)
            self[split] = View(of_split, origin, known, tuple(of_split.schema.names))

    def __missing__(self, name: str) -> View:
        raise UnknownNameError(kind="split", name=name, known=tuple(self))

    def __repr__(self) -> str:
        splits = ", ".join(f"{name} {len(view):,}" for name, view in self.items())
        return f"<dataset {self.name}: {splits}>"

    def _repr_html_(self) -> str:
        return "".join(f"{view._repr_html_()}" for view in self.values())


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of rows: the dataset's name and fingerprint, and the split."""

    dataset: str
    fingerprint: str
    split: str


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """Rows of a split, numbered from 0, as dicts, Arrow or numpy.

    Attributes:
        groups: Row groups that hold them.
        origin: Dataset and split.
        axes: Columns that rules may use.
        columns: Names of the columns, in order.
        rule: Rule that all rows satisfy, None for the whole split.
        fill: Text and number that replace nulls, None to keep nulls.
    """

    groups: Groups
    origin: Origin
    axes: Mapping[str, Axis]
    columns: tuple[str, ...]
    rule: str | None = None
    fill: tuple[str, int] | None = None
    _chosen: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return self.groups.rows if self._chosen is None else len(self._chosen)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return self.__getitems__(range(*index.indices(len(self))))
        return self.__getitems__([index])[0]

    def __getitems__(self, indices: Indices) -> list[Row]:
        """Return several rows; PyTorch's DataLoader fetches batches this way."""
        rows: list[Row] = self.take(indices, "dicts")
        return rows

    def __iter__(self) -> Iterator[Row]:
        for table in map(self.finished, self._stored(self.columns)):
            yield from converted(table, "dicts")

    def take(self, indices: Indices, form: str = "arrow") -> Batch:
        """Return rows by number, in the order given.

        Each row group is decoded once, so a few rows of many groups cost as much as all of them.

        Args:
            indices: Numbers of rows; negative ones count from the end.
            form: Form: "arrow" (a table), "dicts" (a list) or "numpy" (a dict of arrays).

        Raises:
            IndexError: for a number beyond the rows.
            ParamError: for an unknown form, or indices that are not whole numbers.
        """
        check_choice("form", form, FORMS)
        given = np.asarray(indices)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise ParamError("indices", indices, "whole numbers")
        places = given.astype(np.int64)
        if len(places) and not -len(self) <= places.min() <= places.max() < len(self):
            odd = int(places.min() if places.min() < -len(self) else places.max())
            msg = f"row {odd} of {self!r}: expected a number below {len(self)}"
            raise IndexError(msg)
        places = places % max(1, len(self))
        order = np.argsort(places, kind="stable")
        table = self.rows(places[order])
        if len(order) > 1 and (np.diff(places) < 0).any():
            back = np.empty_like(order)
            back[order] = np.arange(len(order))
            table = table.take(pa.array(back))
        return converted(table, form)

    def select(self, *columns: str) -> View:
        """Return the same rows with only these columns, which is faster to read.

        Raises:
            UnknownNameError: for a column that the view does not have.
            ParamError: for none, or one that is named twice.
        """
        if not columns or len(set(columns)) < len(columns):
            raise ParamError("columns", columns, "one or more different names")
        for name in columns:
            if name not in self.columns:
                raise UnknownNameError(kind="column", name=name, known=self.columns)
        return replace(self, columns=columns)

    def where(self, rule: str) -> View:
        """Return the rows that satisfy a rule, in the language of recipes.

        The rule may use the axes, `difficulty`, `source`, `task` and `template`. Their columns are
        read once; the numbers of the chosen rows are kept, 8 bytes each.

        Raises:
            UnknownNameError, ParamError: if the text is not a rule over them.
        """
        from synthgen.rules.language import compile_where, names_in

        holds = compile_where(rule, self.axes).alias("")
        names = tuple(names_in(rule, self.axes)) or self.columns[:1]

        def chosen(table: pa.Table) -> NDArray[np.bool_]:
            import polars as pl

            frame = pl.DataFrame(pl.from_arrow(plain(table)))
            return frame.with_columns(holds)[""].to_numpy()

        masks = [chosen(table) for table in self._stored(names)]
        numbers = np.flatnonzero(np.concatenate([np.zeros(0, np.bool_), *masks]))
        both = rule if self.rule is None else f"({self.rule}) AND ({rule})"
        kept = numbers if self._chosen is None else self._chosen[numbers]
        return replace(self, rule=both, _chosen=kept)

    def filled(self, text: str = "", number: int = -1) -> View:
        """Return the same rows with nulls replaced by a text or number, for collation.

        Raises:
            ParamError: unless they are a text and an integer of 16 bits.
        """
        if not isinstance(text, str):
            raise ParamError("text", text, "a text")
        check_int("number", number, -(2**15), 2**15 - 1)
        return replace(self, fill=(text, number))

    def column(self, name: str) -> pa.ChunkedArray:
        """Return one column of all rows as it is stored, selected or not.

        Raises:
            UnknownNameError: for a column that the dataset does not have.
        """
        known = self.groups.schema
        if name not in known.names:
            raise UnknownNameError(kind="column", name=name, known=known.names)
        parts = [pa.schema([known.field(name)]).empty_table(), *map(plain, self._stored((name,)))]
        return pa.concat_tables(parts)[name]

    def tables(self) -> Iterator[pa.Table]:
        """Yield all rows in order as Arrow tables, one for each row group that has any."""
        return map(plain, map(self.finished, self._stored(self.columns)))

    def to_arrow(self) -> pa.Table:
        """Return all rows as one table in memory."""
        return pa.concat_tables([self.schema.empty_table(), *self.tables()])

    def to_polars(self) -> pl.DataFrame:
        """Return all rows as a Polars frame in memory."""
        import polars as pl

        return pl.DataFrame(pl.from_arrow(self.to_arrow()))

    def to_datasets(self) -> datasets.Dataset:
        """Return all rows as a `datasets.Dataset` in memory; needs the package `datasets`."""
        from datasets import Dataset

        return Dataset(self.to_arrow())

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return pa.schema([self.groups.schema.field(name) for name in self.columns])

    @property
    def stored(self) -> pa.Schema:
        """Schema of `rows` and `whole`: texts with few values are dictionaries."""
        schema = self.groups.stored(self.columns)
        return schema if self.fill is None else plain_schema(schema)

    @cached_property
    def bounds(self) -> NDArray[np.int64]:
        """Number of the first row in each row group, and that after the last, (groups + 1,)."""
        starts = self.groups.starts
        return starts if self._chosen is None else np.searchsorted(self._chosen, starts)

    def rows(self, places: NDArray[np.int64]) -> pa.Table:
        """Return rows by their numbers, in rising order, with dictionaries as they are stored."""
        numbers = places if self._chosen is None else self._chosen[places]
        return self.finished(self.groups.take(numbers, self.columns))

    def whole(self, groups: Sequence[int]) -> pa.Table:
        """Return all rows of some row groups, in the order given, each column in one piece."""
        parts = [self._group(group, self.columns, self.groups.read) for group in groups]
        table = pa.concat_tables(parts).unify_dictionaries()
        return self.finished(table).combine_chunks()

    def _stored(self, columns: tuple[str, ...]) -> Iterator[pa.Table]:
        """Yield columns of all rows, by row group, without keeping them."""
        for group in np.flatnonzero(np.diff(self.bounds)).tolist():
            yield self._group(group, columns, self.groups.decode)

    def _group(
        self, group: int, columns: tuple[str, ...], read: Callable[..., pa.Table]
    ) -> pa.Table:
        table = read(group, columns)
        if self._chosen is None:
            return table
        chosen = self._chosen[self.bounds[group] : self.bounds[group + 1]]
        return table.take(pa.array(chosen - self.groups.starts[group]))

    def finished(self, table: pa.Table) -> pa.Table:
        """Return a table with its nulls filled, if the view fills them."""
        return table if self.fill is None else filled(table, *self.fill)

    def __repr__(self) -> str:
        rule = f" where {self.rule}" if self.rule else ""
        return f"<{self.origin.dataset}/{self.origin.split}{rule}: {len(self):,} rows>"

    def _repr_html_(self) -> str:
        """Show the first rows and columns."""
        names = self.columns[:_SHOWN_COLUMNS]
        rows = replace(self, columns=names)[:_SHOWN_ROWS]
        more = len(self.columns) - len(names)
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        cells = [[f"<td>{_cell(value)}</td>" for value in row.values()] for row in rows]
        body = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
        also = f"<p>and {more} more columns</p>" if more else ""
        title = escape(repr(self).strip("<>"))
        return f"<p>{title}</p><table><tr>{head}</tr>{body}</table>{also}"


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    short = text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
    return escape(short)
