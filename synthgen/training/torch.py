"""A stream as PyTorch's iterable dataset, for DataLoader and torchdata's StatefulDataLoader.

A view needs no adapter: it already is a map-style dataset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from torch.utils.data import IterableDataset, get_worker_info

from synthgen.core.errors import ParamError
from synthgen.training.forms import Batch


class Shared(Protocol):
    """The part of a stream that a loader needs, as `Stream` has it."""

    @property
    def epoch(self) -> int: ...  # noqa: D102
    def share(self, worker: int, workers: int, taken: int) -> Iterator[tuple[int, Batch]]: ...  # noqa: D102
    def state_dict(self, batches: int = 0) -> dict[str, Any]: ...  # noqa: D102
    def load_state_dict(self, state: Mapping[str, Any]) -> None: ...  # noqa: D102
    def seek(self, epoch: int) -> None: ...  # noqa: D102


class StreamDataset(IterableDataset[Batch]):
    """Whole batches of a stream; give it to a loader with `batch_size=None`.

    Every iteration starts where the stream is: at its start, a loaded state, or `set_epoch`.
    """

    def __init__(self, stream: Shared) -> None:
        super().__init__()
        self.stream = stream
        self._loaded: Mapping[str, int] = {}
        self._now = (0, 1, 0)

    def __iter__(self) -> Iterator[Batch]:
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        if self._loaded and (worker, workers) != (self._loaded["worker"], self._loaded["workers"]):
            expected = f"{self._loaded['workers']}, as when this worker's state was saved"
            raise ParamError("workers", workers, expected)
        taken = self._loaded.get("taken", 0)
        self._now = worker, workers, taken
        for _, batch in self.stream.share(worker, workers, taken):
            taken += 1
            self._now = worker, workers, taken
            yield batch

    def state_dict(self) -> dict[str, Any]:
        """Return the state of this process: that of the stream, or of one of several workers."""
        worker, workers, taken = self._now
        if workers == 1:
            return self.stream.state_dict(taken)
        return self.stream.state_dict() | {"worker": worker, "workers": workers, "taken": taken}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Move to a state of `state_dict`, or to one of the stream.

        Raises:
            ParamError: if it belongs to other data or options.
        """
        progress = {name: state[name] for name in ("worker", "workers", "taken") if name in state}
        self.stream.load_state_dict({name: state[name] for name in {*state} - {*progress}})
        self._loaded, self._now = progress, (0, 1, 0)

    def set_epoch(self, epoch: int) -> None:
        """Begin the next iteration with this epoch, unless the stream is in it."""
        if epoch != self.stream.epoch:
            self.stream.seek(epoch)
            self._loaded, self._now = {}, (0, 1, 0)
