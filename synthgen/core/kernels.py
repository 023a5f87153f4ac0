"""Compile kernels: the only module that imports numba's compiler.

Compiled kernels are stored in the package's folder (`kernel_folder`); kernels of other packages are
stored where numba would store them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numba import config as numba_config
from numba import njit

from synthgen.core.kernel_folder import kernel_folder

Int: TypeAlias = int | np.int64
"""A scalar integer in a kernel: 64 bits wide when compiled, of any width otherwise."""

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def _compile(function: Kernel, **options: Any) -> Kernel:
    # Numba decides where to store a kernel when it is defined, by this setting of the process.
    config: Any = numba_config
    before, config.CACHE_DIR = config.CACHE_DIR, kernel_folder()
    try:
        compiled: Kernel = njit(cache=True, nogil=True, **options)(function)
    finally:
        config.CACHE_DIR = before
    return compiled


def _uncounted() -> dict[str, Any]:
    """Return the option that leaves out Numba's runtime (NRT): no reference counts, no allocation.

    Numba does not document it, so a version that lacks it counts references.
    """
    target = import_module("numba.core.cpu")
    return {"_nrt": False} if hasattr(getattr(target, "CPUTargetOptions", None), "_nrt") else {}


def jit(function: Kernel) -> Kernel:
    """Compile a function that may allocate arrays and return them."""
    return _compile(function)


def inline(function: Kernel) -> Kernel:
    """Compile a short function into every kernel that calls it."""
    return _compile(function, inline="always")


def kernel(function: Kernel) -> Kernel:
    """Compile a function without reference counting; it must not allocate or return an array.

    Counting is atomic, one pair of calls for every array of every call: a third of the time or more
    where kernels call many small ones. Functions that it calls must not allocate either.
    A kernel that violates this does not compile.
    """
    return _compile(function, **_uncounted())


def inner(function: Kernel) -> Kernel:
    """Compile a function that only kernels call: like `kernel`, but without an entry for Python.

    Where arguments are tuples of arrays, that entry takes a fifth of the time to compile.
    """
    return _compile(function, **_uncounted(), no_cpython_wrapper=True, no_cfunc_wrapper=True)
