"""Batches in one global order that depends only on the data, the options and the seed.

From the start of an iteration, the batches go to the ranks in turn, and on each rank to its workers
in turn. So the state of a stream is a position in the order: it can be resumed anywhere, by any
number of ranks and workers, without reading the batches before it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthgen.core.checks import check_bool, check_choice, check_int
from synthgen.core.errors import ParamError
from synthgen.draws.streams import keyed_order, stream_key
from synthgen.training.forms import FORMS, Batch, conformed, converted, plain_schema, rows_of
from synthgen.training.mixture import Schedule, Stages, Weights
from synthgen.training.view import OpenedSplits, View

if TYPE_CHECKING:
    from synthgen.training.torch import StreamDataset, StreamPlace

_AHEAD = 8192
"""Number of rows to fetch at once."""
_MAX = 2**62
_VERSION = 1
"""Incremented whenever the same data and options give another order."""
State = dict[str, Any]


@dataclass
class _OwnPlace:
    """Where a stream without a loader is; see `synthgen.training.torch.StreamPlace`."""

    number: int = 0
    skipped: list[int] = field(default_factory=list)

    @property
    def last(self) -> tuple[int, bool]:
        return self.number, False

    def move(self, number: int) -> None:
        self.number = number


@dataclass(eq=False)
class Stream:
    """Batches of shuffled rows, with an exact state.

    Iterating yields this rank's batches from the current position to the end of the epoch; the next
    iteration goes on with the next epoch.

    Args:
        sources: View, or views by name, which are mixed.
        batch: Number of rows of a batch; the last of an epoch may have fewer.
        seed: Seed of the order.
        weights: Of the sources, by name, by default their numbers of rows; or a curriculum, a list
            of stages, each with its number of rows and its weights.
        form: Form of a batch: "arrow" (a table), "dicts" (a list) or "numpy" (a dict of arrays).
        rank, world_size: Number of this process, and how many processes share the batches.
        window: Number of row groups that are shuffled together and held in memory at the same time.
        shuffle: Whether to shuffle; otherwise rows keep the order of the files.
        drop_last: Whether to leave out rows that would make a batch short, or ranks uneven.
        endless: Whether an iteration goes on through all epochs.

    Attributes:
        batches: Number of batches in an epoch, over all ranks.
        last: Epoch and position of the batch that was yielded last.

    Raises:
        ParamError: for an option that is not as expected.

    Example:
        >>> import synthgen
        >>> train = synthgen.open("outputs/hint")["train"]
        >>> order = synthgen.stream(train.select("prompt", "answer"), batch=512, seed=7)
        >>> for batch in order:
        ...     print(batch.num_rows, order.position)
        ...     break
        512 1
    """

    sources: View | Mapping[str, View]
    batch: int = 256
    seed: int = 0
    weights: Weights | Stages | None = None
    form: str = "arrow"
    rank: int = 0
    world_size: int = 1
    window: int = 8
    shuffle: bool = True
    drop_last: bool = False
    endless: bool = False

    def __post_init__(self) -> None:
        check_int("batch", self.batch, 1, 2**31)
        check_int("seed", self.seed, 0, 2**64 - 1)
        check_int("window", self.window, 1, 2**31)
        check_int("world_size", self.world_size, 1, 2**31)
        check_int("rank", self.rank, 0, self.world_size - 1)
        check_choice("form", self.form, FORMS)
        for name in ("shuffle", "drop_last", "endless"):
            check_bool(name, getattr(self, name))
        views = _views(self.sources)
        self._schedule = Schedule.from_weights(views, self.weights, self.seed)
        self._orders = [
            _Order(view, stream_key(self.seed, "order", name), self.window if self.shuffle else 0)
            for name, view in views.items()
        ]
        self._schema = _joint_schema(views)
        rows = self._schedule.epoch
        self.batches = rows // self.batch if self.drop_last else -(-rows // self.batch)
        if not self.batches:
            raise ParamError("batch", self.batch, f"at most the {rows} rows of an epoch")
        if self.drop_last and not self.endless and self.batches < self.world_size:
            figures = f"{rows} rows make {self.batches} of {self.batch}"
            expected = f"a batch for each of {self.world_size} ranks, but {figures}"
            raise ParamError("drop_last", self.drop_last, expected)
        self.last: tuple[int, int] | None = None
        self.place: StreamPlace = _OwnPlace()
        self._moves = 0

    @property
    def _next(self) -> int:
        return self.place.last[0]

    @property
    def epoch(self) -> int:
        """Epoch of the next batch; of a loader, that where its last iteration began."""
        return self._next // self.batches

    @property
    def position(self) -> int:
        """Number in its epoch of the next batch, over all ranks."""
        return self._next % self.batches

    def __iter__(self) -> Iterator[Batch]:
        self.place.move(self.following(self.place.last))
        while True:
            start, moves = self._next, self._moves
            for taken, (number, batch) in enumerate(self.share(), start=1):
                self.place.move(self._after(start, taken))
                self.last = divmod(number, self.batches)
                yield batch
                if moves != self._moves:
                    break
            else:
                self.place.move(self._end(start))
            if self._next == self._end(start) and not self.endless:
                return

    def following(self, last: tuple[int, bool]) -> int:
        """Return where the next iteration starts, by what was the `last` of the place.

        Raises:
            ParamError: if an endless iteration over a loader began there.
        """
        number, begun = last
        if begun and self.endless:
            expected = (
                "one iteration over a loader, as only the caller knows where it was left: keep the "
                "iterator, or call set_epoch or load_state_dict before the next one"
            )
            raise ParamError("endless", self.endless, expected)
        return self._end(number) if begun else number

    def share(
        self, worker: int = 0, workers: int = 1, taken: int = 0, start: int | None = None
    ) -> Iterator[tuple[int, Batch]]:
        """Yield the batches of one worker of this rank, with their numbers over all epochs.

        The stream itself does not move.

        Args:
            worker: Number of the worker.
            workers: Number of workers that take turns.
            taken: Number of batches that the worker had before, which are left out.
            start: Number of the batch where the iteration of all ranks began, by default here.
        """
        start = self._next if start is None else start
        numbers = self._own(start, worker + taken * workers, workers)
        ahead = max(1, min(_AHEAD, self._schedule.epoch) // self.batch)
        while chunk := list(islice(numbers, ahead)):
            bounds = [self._bounds(number) for number in chunk]
            rows = converted(self._rows(bounds), self.form)
            start = 0
            for number, (first, last) in zip(chunk, bounds, strict=True):
                yield number, rows_of(rows, start, start + last - first)
                start += last - first

    def __getitem__(self, place: tuple[int, int]) -> Batch:
        """Return the batch of an epoch and a position, wherever the stream is."""
        return converted(self._rows([self._bounds(self._number(*place))]), self.form)

    def seek(self, epoch: int, position: int = 0) -> None:
        """Move to a batch; a running iteration continues from there."""
        self._move(self._number(epoch, position))

    def set_epoch(self, epoch: int) -> None:
        """Move to the start of an epoch, unless it comes next; trainers call this."""
        number, begun = self.place.last
        comes = self._end(number) if begun else number
        if epoch != comes // self.batches or (begun and self.endless):
            self.seek(epoch)

    def skip(self, position: int, epoch: int | None = None) -> None:
        """Leave out a batch, by default of this epoch; the state remembers it.

        Raises:
            ParamError: for a place that does not exist, or if a loader has begun to iterate.
        """
        number = self._number(self.epoch if epoch is None else epoch, position)
        here, begun = self.place.last
        if begun:
            expected = "a call before the iteration over a loader: first set_epoch or a state"
            raise ParamError("skip", position, expected)
        self.place.skipped = sorted({*self.place.skipped, number})
        self._move(here)

    def state_dict(self, batches: int = 0) -> State:
        """Return the position, as values for JSON.

        Args:
            batches: How many more batches of this rank count as consumed. What a DataLoader has
                handed out since its last iteration began is known only to those who count it.
        """
        check_int("batches", batches, 0, _MAX)
        return self.state_at(self._after(self._next, batches))

    def state_at(self, number: int) -> State:
        """Return the state in which the next batch is that of a number over all epochs."""
        epoch, position = divmod(number, self.batches)
        state: State = {"fingerprint": self._fingerprint(), "seed": self.seed}
        state |= {"epoch": epoch, "position": position}
        if skipped := self.place.skipped:
            state["skipped"] = [list(divmod(number, self.batches)) for number in skipped]
        return state

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Move to a recorded position.

        Raises:
            ParamError: if it belongs to other data or options; the message names the difference.
        """
        self._move(self.take_state(state))

    def take_state(self, state: Mapping[str, Any]) -> int:
        """Return the number of the next batch of a state, and leave out what it leaves out.

        Raises:
            ParamError: if it belongs to other data or options; the message names the difference.
        """
        here = {"fingerprint": self._fingerprint(), "seed": self.seed}
        check_same(state, here, _KEYS, ("skipped",))
        number = self._number(state["epoch"], state["position"])
        skipped = state.get("skipped", [])
        pairs = isinstance(skipped, list) and all(
            isinstance(each, list | tuple) for each in skipped
        )
        if not pairs or any(len(place) != 2 for place in skipped):
            raise ParamError("state: skipped", skipped, "pairs of epoch and position")
        self.place.skipped = sorted({self._number(*place) for place in skipped})
        return number

    def _move(self, number: int) -> None:
        self._moves += 1
        self.place.move(self._at_rank(self._rank_of(number)))

    def torch(self) -> StreamDataset:
        """Return the stream for PyTorch's loaders; needs the package `torch`."""
        from synthgen.training.torch import StreamDataset

        return StreamDataset(self)

    def _fingerprint(self) -> State:
        """Return everything that the order depends on, besides the seed."""
        sources: State = {"version": _VERSION} | {
            f"source {place}": f"{name} {view!r} of {view.origin.fingerprint}".lstrip()
            for place, (name, view) in enumerate(_views(self.sources).items())
        }
        weights = [
            f"{rows}: {' '.join(map(str, shares))}"
            for rows, shares in zip(self._schedule.rows, self._schedule.shares, strict=True)
        ]
        options = ("batch", "window", "shuffle", "drop_last")
        return sources | {"weights": weights} | {name: getattr(self, name) for name in options}

    def _number(self, epoch: int, position: int) -> int:
        """Return the number of a batch in the order of all epochs."""
        check_int("epoch", epoch, 0, _MAX)
        check_int("position", position, 0, self.batches - 1)
        return epoch * self.batches + position

    def _rank_of(self, number: int) -> int:
        """Return the number of batches before this one that are not skipped."""
        return number - bisect_left(self.place.skipped, number)

    def _at_rank(self, rank: int) -> int:
        """Return the number of the batch with `rank` batches before it that are not skipped."""
        for number in self.place.skipped:
            rank += number <= rank
        return rank

    def _end(self, start: int) -> int:
        """Return the number after the epoch of a batch."""
        return (start // self.batches + 1) * self.batches

    def _after(self, start: int, taken: int) -> int:
        """Return the next number for all ranks, once each has taken some batches from `start`."""
        number = self._at_rank(self._rank_of(start) + taken * self.world_size)
        return number if self.endless else min(number, self._end(start))

    def _own(self, start: int, place: int, step: int) -> Iterator[int]:
        """Yield every step-th of this rank's numbers from `start` on."""
        first = self._rank_of(start)
        left = self._rank_of(self._end(start)) - first
        if self.drop_last:  # every rank gets the same number of batches
            left -= left % self.world_size
        offset = self.rank + place * self.world_size
        while self.endless or offset < left:
            yield self._at_rank(first + offset)
            offset += step * self.world_size

    def _bounds(self, number: int) -> tuple[int, int]:
        """Return the first slot of a batch, and that after its last."""
        epoch, position = divmod(number, self.batches)
        rows = self._schedule.epoch
        first = position * self.batch
        return epoch * rows + first, epoch * rows + min(first + self.batch, rows)

    def _rows(self, bounds: Sequence[tuple[int, int]]) -> pa.Table:
        """Return the rows of some batches in order."""
        both = [self._schedule.places(first, last) for first, last in bounds]
        sources, numbers = (np.concatenate(part) for part in zip(*both, strict=True))
        parts, places = [], []
        for source, order in enumerate(self._orders):
            here = np.flatnonzero(sources == source)
            if len(here):
                rows = order.rows(numbers[here])
                parts.append(order.view.finished(conformed(rows, self._schema)))
                places.append(here)
        if len(parts) == 1:
            return parts[0].unify_dictionaries().combine_chunks()
        # Rows were fetched by source: undo that order.
        back = np.empty(len(sources), np.int64)
        back[np.concatenate(places)] = np.arange(len(sources))
        table = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
        return table.take(pa.array(back))


def check_same(
    state: object, here: Mapping[str, Any], keys: Sequence[str], optional: Sequence[str] = ()
) -> None:
    """Check that a state has its keys, and belongs to the same data and options.

    Args:
        state: Recorded state.
        here: Values of `fingerprint`, a mapping, and `seed` in this process.
        keys: Keys that it must have.
        optional: Other keys that it may have.

    Raises:
        ParamError: naming the first difference.
    """
    if not isinstance(state, Mapping) or not {*keys} <= {*state} <= {*keys, *optional}:
        raise ParamError("state", state, f"the keys {', '.join(keys)}")
    known, expected = state["fingerprint"], {**here["fingerprint"], "seed": here["seed"]}
    recorded = {**(known if isinstance(known, Mapping) else {}), "seed": state["seed"]}
    for name in sorted({*expected, *recorded}):
        if recorded.get(name) != expected.get(name):
            what = f"state: {name}"
            raise ParamError(what, recorded.get(name), f"{expected.get(name)!r}, as here")


stream = Stream
"""`synthgen.stream(...)`."""
_KEYS = ("fingerprint", "seed", "epoch", "position")


class _Order:
    """The rows of a view in a keyed order for each pass: row groups, and rows within a window.

    Args:
        view: Rows.
        key: Key of the order.
        window: Number of row groups to shuffle together; 0 keeps the order of the files.
    """

    def __init__(self, view: View, key: int, window: int) -> None:
        self.view, self._key, self._window = view, key, window
        self._plan: tuple[int, NDArray[np.int64], NDArray[np.int64]] | None = None
        self._current: tuple[int, int, pa.Table, NDArray[np.int64]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_plan": None, "_current": None}

    def rows(self, places: NDArray[np.int64]) -> pa.Table:
        """Return the rows at these places of the order, which rise, over all passes."""
        parts = []
        while len(places):
            turn, within = divmod(int(places[0]), len(self.view))
            groups, ends = self._planned(turn)
            window = int(np.searchsorted(ends, within, "right")) - 1
            start = turn * len(self.view) + int(ends[window])
            table, order = self._shuffled(turn, window, groups)
            stop = int(np.searchsorted(places, start + len(order)))
            parts.append(table.take(pa.array(order[places[:stop] - start])))
            places = places[stop:]
        return pa.concat_tables(parts)

    def _planned(self, turn: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the row groups of a pass in order, and the first row of each window."""
        if self._plan is None or self._plan[0] != turn:
            counts = np.diff(self.view.bounds)
            groups = np.flatnonzero(counts)
            if self._window:
                groups = groups[keyed_order(stream_key(self._key, turn), len(groups))]
            sums = np.concatenate([[0], np.cumsum(counts[groups])])
            self._plan = turn, groups, np.append(sums[: -1 : max(1, self._window)], sums[-1])
        return self._plan[1:]

    def _shuffled(
        self, turn: int, window: int, groups: NDArray[np.int64]
    ) -> tuple[pa.Table, NDArray[np.int64]]:
        """Return the rows of a window, and their order."""
        if self._current is None or self._current[:2] != (turn, window):
            self._current = None  # frees its memory
            size = max(1, self._window)
            table = self.view.whole(groups[window * size : (window + 1) * size].tolist())
            rows = table.num_rows
            key = stream_key(self._key, turn, window)
            order = keyed_order(key, rows) if self._window else np.arange(rows)
            self._current = turn, window, table, order
        return self._current[2:]


def _views(sources: View | Mapping[str, View]) -> dict[str, View]:
    """Return the sources by name.

    Raises:
        ParamError: unless they are views with at least one row. A whole dataset is refused, because
            mixing its splits would train on its tests.
    """
    views = {"": sources} if isinstance(sources, View) else sources
    good = isinstance(views, Mapping) and not isinstance(views, OpenedSplits)
    if not good or not all(isinstance(view, View) for view in views.values()):
        expected = "a view such as synthgen.open(path)['train'], or several views by name"
        raise ParamError("sources", sources, expected)
    if not any(map(len, views.values())):
        raise ParamError("sources", sources, "at least one row")
    return dict(views)


def _joint_schema(views: Mapping[str, View]) -> pa.Schema:
    """Return the columns of all views; raise ParamError if one has types that cannot be joined."""
    schemas = [view.stored for view in views.values()]
    if any(view.fill for view in views.values()):
        schemas = [plain_schema(schema) for schema in schemas]
    try:
        return pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        expected = f"columns of one type, or others selected ({error})"
        raise ParamError("sources", dict(views), expected) from None
