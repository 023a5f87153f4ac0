from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from synthgen.core.errors import DatasetError, EngineError, ParamError
from synthgen.engine.workers import local
from synthgen.engine.workers.local import LocalEngine
from tests.building import environment


def square(value: int) -> int:
    return value * value


def slow_square(value: int) -> int:
    time.sleep(0.02 * (value % 3))
    return value * value


def fail_at_five(value: int) -> int:
    if value == 5:
        raise DatasetError("five")
    return value


def refuse(value: int) -> int:
    raise ParamError("value", value, "nothing")


def break_down(value: int) -> int:
    return 1 // (value - value)


def exhaust(value: int) -> int:
    raise MemoryError


def die(value: int) -> int:
    if value == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return value


def echo(block: np.ndarray) -> np.ndarray:
    return block


class Shelf:
    """Counts how often it was used in its process."""

    def __init__(self) -> None:
        self.uses = 0


def use(item: tuple[Shelf, int]) -> tuple[int, int, int]:
    shelf, value = item
    shelf.uses += 1
    return os.getpid(), shelf.uses, value


@pytest.fixture(scope="module")
def three() -> Iterator[LocalEngine]:
    """Three workers, which all tests that leave them alive share."""
    with LocalEngine(3) as engine:
        yield engine


@pytest.fixture(params=[1, 3])
def engine(request: pytest.FixtureRequest, three: LocalEngine) -> LocalEngine:
    return three if request.param == 3 else LocalEngine(1)


def expect_common_objects_kept(engine: LocalEngine) -> None:
    """Check that each worker makes one copy of a common object, and uses it for all items."""
    shelf = Shelf()
    found = list(engine.map(use, [(shelf, n) for n in range(12)], [shelf]))
    assert [value for _, _, value in found] == list(range(12))
    for worker in {pid for pid, _, _ in found}:
        uses = [n for pid, n, _ in found if pid == worker]
        assert uses == list(range(1, len(uses) + 1))


@pytest.mark.slow
def test_every_worker_keeps_one_of_each_common_object(engine: LocalEngine) -> None:
    expect_common_objects_kept(engine)


def test_results_come_in_the_order_of_the_items(engine: LocalEngine) -> None:
    assert list(engine.map(slow_square, range(20))) == [n * n for n in range(20)]


def test_an_abandoned_map_does_not_disturb_the_next(three: LocalEngine) -> None:
    for result in three.map(slow_square, range(100)):
        if result == 9:
            break
    assert list(three.map(square, range(10))) == [n * n for n in range(10)]


def touch_and_wait(path: Path) -> None:
    """Leave a file; from the fourth item on, end when there is one that is called "go"."""
    path.touch()
    deadline = time.monotonic() + 60
    while int(path.name) > 2 and not (path.parent / "go").exists():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_what_an_abandoned_map_has_not_begun_is_dropped(tmp_path: Path, three: LocalEngine) -> None:
    results = three.map(touch_and_wait, [tmp_path / str(n) for n in range(100)])
    for _ in range(3):
        next(results)
    results.close()
    time.sleep(1)  # until the workers, which are all at a task, have been told
    (tmp_path / "go").touch()
    assert list(three.map(square, range(10))) == [n * n for n in range(10)]
    assert len(list(tmp_path.iterdir())) <= 3 + 3 + 1  # ended, begun, and "go"


def test_a_failed_map_does_not_disturb_the_next(three: LocalEngine) -> None:
    with pytest.raises(DatasetError, match="five"):
        list(three.map(fail_at_five, range(100)))
    assert list(three.map(square, range(10))) == [n * n for n in range(10)]


def test_large_items_and_answers_do_not_block_each_other(three: LocalEngine) -> None:
    blocks = [np.full(400_000, n) for n in range(12)]
    for block, answer in zip(blocks, three.map(echo, blocks), strict=True):
        assert (block == answer).all()


def test_items_are_taken_only_a_little_ahead(three: LocalEngine) -> None:
    taken = []

    def items():
        for n in range(1000):
            taken.append(n)
            yield n

    results = three.map(square, items())
    next(results)
    assert len(taken) <= 9
    results.close()


def test_workers_begin_before_a_result_is_asked_for(tmp_path: Path, three: LocalEngine) -> None:
    three.map(Path.touch, [tmp_path / "begun"])
    deadline = time.monotonic() + 60
    while not (tmp_path / "begun").exists():
        assert time.monotonic() < deadline
        time.sleep(0.005)
    assert list(three.map(square, range(5))) == [0, 1, 4, 9, 16]


def test_workers_get_ready_without_what_only_the_main_process_needs() -> None:
    code = (
        "import sys\n"
        "from synthgen.engine.workers.worker import prepare\n"
        "prepare(['hint', 'scan'])\n"
        "print([name for name in ('polars', 'sympy', 'jinja2') if name in sys.modules])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert ended.stdout == "[]\n"


def test_our_errors_keep_their_kind_and_message(engine: LocalEngine) -> None:
    with pytest.raises(DatasetError, match=r"^five$"):
        list(engine.map(fail_at_five, range(20)))
    with pytest.raises(ParamError, match="value=1: expected nothing"):
        list(engine.map(refuse, [1]))


def test_an_unforeseen_error_shows_where_it_happened(three: LocalEngine) -> None:
    with pytest.raises(EngineError, match="break_down"):
        list(three.map(break_down, [1]))


def test_want_of_memory_in_a_worker_is_one_line(three: LocalEngine) -> None:
    with pytest.raises(EngineError, match=r"^a worker ran out of memory; .*$"):
        list(three.map(exhaust, [1]))


@pytest.mark.parametrize("start", ["_fork", "_launch"])
def test_workers_started_in_both_ways_work_and_a_killed_one_is_reported(
    start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "has_one_thread", lambda: start == "_fork")
    with LocalEngine(2) as engine:
        assert list(engine.map(square, range(9))) == [n * n for n in range(9)]
        with pytest.raises(EngineError, match="a worker process died"):
            list(engine.map(die, range(50)))


def test_launched_workers_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "queue.py").write_text("open('executed', 'w').close()\n")
    code = (
        f"import operator, threading, time\n{_THREADED}\n"
        "from synthgen.engine.workers.local import LocalEngine\n"
        "with LocalEngine(2) as engine: print(*engine.map(operator.neg, range(3)))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=tmp_path,
        check=False,
    )
    assert ended.stdout == "0 -1 -2\n", ended.stderr
    assert not (tmp_path / "executed").exists()


_ORPHAN_MAKER = """
import os, sys, time
from synthgen.engine.workers.local import LocalEngine
engine = LocalEngine(2)
print(*engine.map(os_pid, range(40)), flush=True)
next(engine.map(time.sleep, [60, 60, 60]))
"""
_PID_TASK = """
import os, time
def os_pid(_):
    time.sleep(0.02)
    return os.getpid()
"""


_THREADED = "import threading; threading.Thread(target=time.sleep, args=(90,), daemon=True).start()"


@pytest.mark.parametrize("first", ["", _THREADED], ids=["forked", "launched"])
def test_workers_end_when_their_owner_is_killed(tmp_path: Path, first: str) -> None:
    (tmp_path / "pid_task.py").write_text(_PID_TASK)
    code = f"import time\n{first}\nfrom pid_task import os_pid\n{_ORPHAN_MAKER}"
    owner = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(tmp_path),
        cwd=tmp_path,
    )
    assert owner.stdout is not None
    workers = {int(pid) for pid in owner.stdout.readline().split()}
    assert len(workers) == 2
    time.sleep(0.3)
    owner.kill()
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 20
    while any(_runs(pid) for pid in workers):
        assert time.monotonic() < deadline, "workers outlive their owner"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
