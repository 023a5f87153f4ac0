"""Types that kernels share."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numba import njit

Int: TypeAlias = int | np.int64
"""A scalar integer in a kernel: 64 bits wide when compiled, of any width otherwise."""


Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def _options() -> dict[str, Any]:
    """Return the compiler options for `kernel`.

    Without Numba's runtime (NRT) there is no reference counting and no allocation. Numba does not
    document that option, so a version that lacks it counts references.
    """
    target = import_module("numba.core.cpu")
    has_it = hasattr(getattr(target, "CPUTargetOptions", None), "_nrt")
    return {"cache": True, "nogil": True} | ({"_nrt": False} if has_it else {})


def kernel(function: Kernel) -> Kernel:
    """Compile a function without reference counting; it must not allocate or return an array.

    Counting is atomic, one pair of calls for every array of every call: a third of the time or more
    where kernels call many small ones. Functions that it calls must not allocate either.
    A kernel that violates this does not compile.
    """
    compiled: Kernel = njit(**_options())(function)
    return compiled


def inner(function: Kernel) -> Kernel:
    """Compile a function that only kernels call: like `kernel`, but without an entry for Python.

    Where arguments are tuples of arrays, that entry takes a fifth of the time to compile.
    """
    options = _options() | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    compiled: Kernel = njit(**options)(function)
    return compiled
