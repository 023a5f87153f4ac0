"""A stream as PyTorch's iterable dataset, for DataLoader and torchdata's StatefulDataLoader.

A view needs no adapter: it already is a map-style dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import torch
from torch.utils.data import IterableDataset, get_worker_info

from synthgen.core.checks import check_int
from synthgen.core.errors import ParamError
from synthgen.training.forms import Batch

MAX_WORKERS = 1024
MAX_SKIPPED = 1023
"""Largest number of batches that a stream in a loader may leave out."""
_ROWS = 16
_MAX = 2**62
_PROGRESS = ("worker", "workers", "taken")


class StreamPlace(Protocol):
    """Where a stream is, and the numbers of the batches to leave out, in order."""

    skipped: list[int]

    @property
    def last(self) -> tuple[int, bool]:
        """Number of a batch, and whether an iteration over a loader has begun there."""

    def move(self, number: int) -> None:
        """Begin the next iteration at a batch."""


class Shared(Protocol):
    """The part of a stream that a loader needs, as `Stream` has it."""

    place: StreamPlace
    batches: int

    def following(self, last: tuple[int, bool]) -> int: ...  # noqa: D102
    def share(  # noqa: D102
        self, worker: int, workers: int, taken: int, start: int | None
    ) -> Iterator[tuple[int, Batch]]: ...
    def state_dict(self, batches: int = 0) -> dict[str, Any]: ...  # noqa: D102
    def state_at(self, number: int) -> dict[str, Any]: ...  # noqa: D102
    def load_state_dict(self, state: Mapping[str, Any]) -> None: ...  # noqa: D102
    def take_state(self, state: Mapping[str, Any]) -> int: ...  # noqa: D102
    def set_epoch(self, epoch: int) -> None: ...  # noqa: D102


class StreamDataset(IterableDataset[Batch]):
    """Whole batches of a stream; give it to a loader with `batch_size=None`.

    An iteration begins with the epoch after that of the last one, in whatever workers, or where the
    stream was moved since then. One that resumes a loader's state has the rest of its epoch.
    """

    def __init__(self, stream: Shared) -> None:
        super().__init__()
        if not isinstance(stream.place, SharedPlace):
            stream.place = SharedPlace(stream.place)
        self.stream = stream
        self._place = stream.place
        # Where an iteration began, and how many batches were taken from it.
        self._loaded: tuple[int, int] | None = None
        self._now: tuple[int, int] | None = None
        self._turn = 0  # of the move of the stream that came with `_loaded`, 0 in a worker

    def __iter__(self) -> Iterator[Batch]:
        worker, workers, seed = _process()
        loaded, self._loaded = self._resumed(), None
        if not workers:
            self._now = loaded
            return self._main(loaded)
        start, taken = loaded or (None, 0)
        try:
            # Not at the first batch: a worker must have its epoch before a later iteration begins.
            start = self._place.begin(worker, hash((seed, workers)), self.stream.following, start)
        except ParamError as error:
            return self._batches(error)
        self._now = start, taken
        return self._batches(self._now)

    def _resumed(self) -> tuple[int, int] | None:
        """Return what this process loaded, unless the stream was moved since then."""
        turn = 0 if _process()[1] else self._place.newest[0]
        return self._loaded if turn == self._turn else None

    def _main(self, loaded: tuple[int, int] | None) -> Iterator[Batch]:
        """Yield the batches in a loader's own process, where nothing runs ahead."""
        start, taken = loaded or (None, 0)
        yield from self._batches((self._place.begin(0, _MAIN, self.stream.following, start), taken))
        self._now = None

    def _batches(self, begun: tuple[int, int] | ParamError) -> Iterator[Batch]:
        if isinstance(begun, ParamError):
            raise begun  # DataLoader's living workers pass on no error before the first batch
        worker, workers, _ = _process()
        start, taken = self._now = begun
        for _, batch in self.stream.share(worker, workers or 1, taken, start):
            taken += 1
            self._now = start, taken
            yield batch

    def state_dict(self) -> dict[str, Any]:
        """Return the state of this process, with its progress in the running iteration.

        Raises:
            ParamError: if batches come from workers, of whose progress only the caller knows.
        """
        worker, workers, _ = _process()
        if self._now:
            start, taken = self._now
            progress = {"worker": worker, "workers": workers or 1, "taken": taken}
            return self.stream.state_at(start) | progress
        if not workers and self._place.newest[1] not in {0, _MAIN}:
            expected = "stream.state_dict(batches=N), as workers handed out the batches"
            raise ParamError("state_dict", "of the dataset", expected)
        return self.stream.state_at(self.stream.following(self._place.last))

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Move to a state of `state_dict`, or to one of the stream.

        Raises:
            ParamError: if it belongs to other data or options, or to another worker.
        """
        if not isinstance(state, Mapping) or {*_PROGRESS} - {*state}:
            self.stream.load_state_dict(state)
            self._now = None
            return
        worker, workers, _ = _process()
        for name, here in {"workers": workers or 1, "worker": worker}.items():
            if state[name] != here:
                what = f"state: {name}"
                expected = f"{here}, as here; only a state of the stream is for any workers"
                raise ParamError(what, state[name], expected)
        check_int("state: taken", state["taken"], 0, _MAX)
        rest = {name: state[name] for name in {*state} - {*_PROGRESS}}
        self._loaded = self._now = self.stream.take_state(rest), state["taken"]
        self._turn = 0
        if not workers:  # workers of a loader that knows no states go on from there, too
            self.stream.load_state_dict(rest)
            self.stream.load_state_dict(self.stream.state_dict(state["taken"]))
            self._turn = self._place.newest[0]

    def set_epoch(self, epoch: int) -> None:
        """Begin the next iteration with this epoch, in living workers too, unless it comes next."""
        loaded = self._resumed()
        if loaded and epoch == loaded[0] // self.stream.batches:
            return  # the rest of this epoch comes next
        if loaded:
            self._loaded = self._now = None
        self.stream.set_epoch(epoch)


class SharedPlace:
    """The place of a stream in memory that all workers of its loaders share.

    Its rows are the last turns: a number that rises, a key, and the number of a batch. A move has
    key 0. The workers of an iteration have one key, and whichever comes first adds its turn; if two
    come together, they write the same. What was added never changes, so there is no lock.
    """

    def __init__(self, place: StreamPlace) -> None:
        self._rows = torch.zeros((_ROWS, 3), dtype=torch.int64).share_memory_()
        self._seen = torch.zeros(MAX_WORKERS, dtype=torch.int64).share_memory_()
        self._skips = torch.zeros(1 + MAX_SKIPPED, dtype=torch.int64).share_memory_()
        self.skipped = place.skipped
        self.move(place.last[0])

    def __setstate__(self, state: dict[str, Any]) -> None:
        for tensor in state.values():
            tensor.share_memory_()  # a copy has its own
        self.__dict__.update(state)

    @property
    def newest(self) -> tuple[int, int, int]:
        """The last turn."""
        turn, key, number = self._turns()[0]
        return turn, key, number

    @property
    def last(self) -> tuple[int, bool]:
        """Number of a batch, and whether an iteration over a loader has begun there."""
        _, key, number = self.newest
        return number, key != 0

    @property
    def skipped(self) -> list[int]:
        """Numbers of the batches to leave out, in order."""
        count: int = self._skips[0].item()
        numbers: list[int] = self._skips[1 : 1 + count].tolist()
        return numbers

    @skipped.setter
    def skipped(self, numbers: list[int]) -> None:
        check_int("number of skipped batches", len(numbers), 0, MAX_SKIPPED)
        self._skips[1 : 1 + len(numbers)] = torch.tensor(numbers, dtype=torch.int64)
        self._skips[0] = len(numbers)

    def move(self, number: int) -> None:
        """Begin the next iteration at a batch."""
        check_int("batch over all epochs", number, 0, _MAX)
        self._add(self.newest[0] + 1, 0, number)

    def begin(
        self,
        worker: int,
        key: int,
        following: Callable[[tuple[int, bool]], int],
        start: int | None = None,
    ) -> int:
        """Return where an iteration starts, the same for all its workers.

        Args:
            worker: Number of the worker.
            key: Key that the workers of an iteration have in common.
            following: Function that gives the start after that of the last turn.
            start: Start of an iteration that was resumed.
        """
        check_int("worker", worker, 0, MAX_WORKERS - 1)
        turns = self._turns()
        for turn, other, number in turns:
            if other == key and turn > self._seen[worker] and start in {None, number}:
                break
        else:
            turn, other, number = turns[0]
            number = following((number, other != 0)) if start is None else start
            turn += 1
            self._add(turn, key, number)
        self._seen[worker] = turn
        return number

    def _turns(self) -> list[list[int]]:
        """Return the last turns, the newest first."""
        return sorted(self._rows.tolist(), reverse=True)

    def _add(self, turn: int, key: int, number: int) -> None:
        row = self._rows[turn % _ROWS]
        row[2], row[1] = number, key
        row[0] = turn  # makes it the newest, so it comes last


_MAIN = hash((0, 0))
"""Key of the iterations in a loader's own process."""


def _process() -> tuple[int, int, int]:
    """Return worker, number of workers, and a seed that the workers of an iteration share."""
    info = get_worker_info()
    return (info.id, info.num_workers, info.seed - info.id) if info else (0, 0, 0)
