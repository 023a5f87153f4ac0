"""Messages to workers: objects that many tasks have in common are sent once, and then only named.

So a worker keeps the same generator from task to task, with all that it has worked out and cached.
Messages are those of multiprocessing, between this program's own processes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, TypeAlias

_Named: TypeAlias = tuple[Callable[[int], object], tuple[int]]

_PROTOCOL = 5
"""The first one that writes arrays straight from their memory; by default an older one is used."""

_kept: list[object] = []
"""Common objects of the tasks that come to this process."""


class Packer:
    """Packs messages that hold common objects, told by their identity.

    Args:
        common: instances of classes of ours, which must not change.
    """

    def __init__(self, common: Sequence[object]) -> None:
        self._common = common  # alive as long as their identities are used
        self._places = {id(one): place for place, one in enumerate(common)}

    def pack(self, message: object) -> bytes:
        """Return a message for `unpack`."""
        file = io.BytesIO()
        _Pickler(file, self._places).dump(message)
        return file.getvalue()


def send(connection: Connection, message: object) -> None:
    """Send a message for `Connection.recv`, whose arrays are written out without a copy of each.

    Raises:
        OSError: if the other side is gone.
    """
    connection.send_bytes(ForkingPickler.dumps(message, _PROTOCOL))


def keep(common: Iterable[object]) -> None:
    """Let these be the common objects of the messages that are unpacked here from now on."""
    _kept[:] = common


def unpack(message: bytes) -> Any:
    """Return what was packed, in which the common objects are those kept here."""
    return ForkingPickler.loads(message)


def _kept_at(place: int) -> object:
    return _kept[place]


class _Pickler(ForkingPickler):
    def __init__(self, file: io.BytesIO, places: Mapping[int, int]) -> None:
        super().__init__(file)
        self._places = places

    def reducer_override(self, obj: object) -> _Named | Any:
        place = self._places.get(id(obj))
        return NotImplemented if place is None else (_kept_at, (place,))
