"""`python -m benchmarks.faults.guided SURFACE`: let atheris look for inputs that reach new code.

It needs the package atheris, which is no part of the environment for development. It ends at the
first input that a surface does not treat as it should, and shows it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

_READERS = ("audit", "cli", "dataset", "recipe", "training", "core.rules", "core.rule_tokens")
"""Packages and modules whose coverage guides; compiled kernels cannot be instrumented."""


def main() -> None:
    """Attack one surface for some seconds."""
    import atheris

    with atheris.instrument_imports(include=[f"synthgen.{name}" for name in _READERS]):
        from benchmarks.faults.common import Tally, run_here
        from benchmarks.faults.surfaces import SURFACES, Surfaces

    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.guided", description=__doc__)
    parser.add_argument("surface", choices=SURFACES)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()

    class Here:
        run = staticmethod(run_here)

    class Given(Random):
        """Draws from the bytes of an input, and from a seed when they are used up."""

        def __init__(self, data: bytes) -> None:
            super().__init__(0)
            self._left = data

        def random(self) -> float:
            return self.getrandbits(32) / (1 << 32)

        def getrandbits(self, k: int, /) -> int:
            if not self._left:
                return super().getrandbits(k)
            taken, self._left = self._left[: -(-k // 8)], self._left[-(-k // 8) :]
            return int.from_bytes(taken, "little") & ((1 << k) - 1)

    with TemporaryDirectory(prefix="synthgen-guided-") as folder:
        surfaces = Surfaces(Here(), Path(folder), Tally())  # type: ignore[arg-type]

        def attack(data: bytes) -> None:
            surfaces.tally = Tally()
            SURFACES[options.surface](surfaces, Given(data))
            if surfaces.tally.examples:
                raise AssertionError("\n".join(surfaces.tally.examples))

        limits = [f"-max_total_time={options.seconds}", "-max_len=1024", "-rss_limit_mb=8192"]
        limits.append(f"-artifact_prefix={folder}/")
        atheris.Setup([sys.argv[0], *limits], attack)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
