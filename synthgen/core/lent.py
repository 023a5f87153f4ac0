"""How kernels that allocate nothing are compiled."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def _options() -> dict[str, Any]:
    """Return how to compile them.

    Without Numba's runtime (NRT) there are no counts and no allocations. That option is none that
    Numba promises, so a version that lacks it counts.
    """
    target = import_module("numba.core.cpu")
    has_it = hasattr(getattr(target, "CPUTargetOptions", None), "_nrt")
    return {"cache": True, "nogil": True} | ({"_nrt": False} if has_it else {})


def lent(kernel: Kernel) -> Kernel:
    """Compile a kernel to which arrays are only lent, so that nobody counts its references to them.

    Counting is atomic, one pair of calls for every array of every call: where kernels call many
    small ones, a third of the time and more. What such a kernel calls must not allocate either; it
    does not compile if it does, nor if it returns an array.
    """
    compiled: Kernel = njit(**_options())(kernel)
    return compiled
