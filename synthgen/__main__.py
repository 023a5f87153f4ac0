"""Entry point of the `synthgen` command."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line; an interrupt from the keyboard ends it without a traceback."""
    # Nothing here uses linear algebra, and its idle threads would stand in the way of forking.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from synthgen.cli import run

        run()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
