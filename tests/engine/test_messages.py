from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pytest

from synthgen.engine.worker import Packer, keep, unpack


@dataclass(frozen=True)
class Costly:
    size: int

    @cached_property
    def table(self) -> bytes:
        return bytes(self.size)


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    yield
    keep(())


def test_a_common_object_arrives_as_the_one_that_is_there() -> None:
    costly, kept = Costly(100_000), Costly(7)
    assert len(costly.table) == 100_000
    message = Packer([Costly(1), costly]).pack((print, {"it": costly, "again": [costly], "n": 7}))
    assert len(message) < 200
    keep([Costly(2), kept])
    task, item = unpack(message)
    assert task is print
    assert item["it"] is kept
    assert item["again"][0] is kept
    assert item["n"] == 7


def test_an_equal_object_that_is_not_common_is_sent_whole() -> None:
    costly, equal = Costly(5), Costly(5)
    message = Packer([costly]).pack((None, equal))
    keep([Costly(9)])
    assert unpack(message) == (None, equal)


def test_what_common_objects_share_stays_shared() -> None:
    costly = Costly(3)
    there = unpack(Packer(()).pack([costly, (costly, 1)]))
    assert there == [costly, (costly, 1)]
    assert there[1][0] is there[0]
