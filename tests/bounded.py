"""Work on hostile input must end soon."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def bounded(seconds: float = 30.0) -> Iterator[None]:
    """Fail if the block takes more than `seconds` of this process's own time.

    The limit stands far above what the block takes on a slow machine and far below what
    unbounded work takes: it tells the two apart and measures no speed. Time that other
    processes take does not count.
    """
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds
