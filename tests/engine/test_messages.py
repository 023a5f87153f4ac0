from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from synthgen.engine.messages import Packer, unpack


@dataclass(frozen=True)
class Costly:
    size: int

    @cached_property
    def table(self) -> bytes:
        return bytes(self.size)


def test_a_common_object_arrives_as_the_one_that_is_there() -> None:
    costly, kept = Costly(100_000), Costly(100_000)
    message = Packer([costly]).pack((print, {"it": costly, "again": [costly], "other": 7}))
    assert len(message) < 200
    task, item = unpack(message, [kept])
    assert task is print
    assert item["it"] is kept
    assert item["again"][0] is kept
    assert item["other"] == 7


def test_an_equal_object_that_is_not_common_is_sent_whole() -> None:
    costly, equal = Costly(5), Costly(5)
    _, item = unpack(Packer([costly]).pack((None, equal)), [Costly(9)])
    assert item == equal


def test_what_common_objects_share_stays_shared() -> None:
    costly = Costly(3)
    pair = (costly, 1)
    there = unpack(Packer(()).pack([costly, pair]), ())
    assert there[1][0] is there[0]
