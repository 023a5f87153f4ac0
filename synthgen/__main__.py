"""Entry point of the `synthgen` command."""

from __future__ import annotations

import os


def main() -> None:
    """Run the command line."""
    # Nothing here uses linear algebra, and its idle threads would stand in the way of forking.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from synthgen.cli import run

    run()


if __name__ == "__main__":
    main()
