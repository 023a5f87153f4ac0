"""Entry point of the `synthgen` command."""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from synthgen.core.errors import EXIT_INTERRUPTED, EXIT_USAGE
from synthgen.core.memory import SELDOM, address_space


def main() -> None:
    """Run the command line; an interrupt from the keyboard ends it without a traceback."""
    gc.set_threshold(SELDOM)  # imports make many objects, all of which stay
    # Nothing here uses linear algebra, and its idle threads would stand in the way of forking.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _prepare_outputs()
    try:
        from synthgen.cli import run

        run()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    except Exception as error:
        if not _is_out_of_memory(error):
            raise
        print(f"error: out of memory{_limit()}", file=sys.stderr)
        sys.exit(EXIT_USAGE)
    finally:
        gc.freeze()  # or the interpreter would look through everything before it ends


def _is_out_of_memory(error: BaseException | None) -> bool:
    """Return whether memory was the cause of an error, as for a library that cannot be loaded."""
    while error is not None:
        if isinstance(error, MemoryError) or "failed to map segment" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _limit() -> str:
    """Return the end of a message about memory: the limit of this process, if it has one."""
    limit = address_space()
    return "" if limit is None else f"; this process may have {limit // 2**20:,} MiB (ulimit -v)"


def _prepare_outputs() -> None:
    """Let outputs take any text, and write nowhere if they are closed.

    Otherwise the next file opened would get the number of a closed output.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
