"""Messages to workers: objects that many tasks have in common are sent once, and then only named.

So a worker keeps the same generator from task to task, with all that it has worked out and cached.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping, Sequence
from typing import Any


class Packer:
    """Packs messages that hold common objects, told by their identity.

    Args:
        common: the objects; they must not change.
    """

    def __init__(self, common: Sequence[object]) -> None:
        self._common = common  # alive as long as their identities are used
        self._places = {id(one): place for place, one in enumerate(common)}

    def pack(self, message: object) -> bytes:
        """Return a message for `unpack`."""
        file = io.BytesIO()
        _Pickler(file, self._places).dump(message)
        return file.getvalue()


def unpack(message: bytes, common: Sequence[object]) -> Any:
    """Return what was packed, in which the common objects are these."""
    return _Unpickler(io.BytesIO(message), common).load()


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, places: Mapping[int, int]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._places = places

    def persistent_id(self, obj: object) -> int | None:
        return self._places.get(id(obj))


class _Unpickler(pickle.Unpickler):
    """For messages of this very program: nothing that comes from outside is unpickled."""

    def __init__(self, file: io.BytesIO, common: Sequence[object]) -> None:
        super().__init__(file)
        self._common = common

    def persistent_load(self, pid: int) -> object:
        return self._common[pid]
