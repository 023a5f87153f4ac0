"""Foundation for all other packages: errors, addressed draws, columns, derivations."""

from pathlib import Path

from synthgen.core.stale_kernels import remove_stale_kernels

remove_stale_kernels(Path(__file__).parents[1])
