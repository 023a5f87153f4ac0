"""Entry point of the `synthgen` command."""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from synthgen.core.errors import EXIT_INTERRUPTED
from synthgen.core.memory import SELDOM


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
    finally:
        gc.freeze()  # or the interpreter would look through everything before it ends


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
