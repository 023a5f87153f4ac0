"""Foundation for all other packages: errors, addressed draws, columns, derivations."""

from __future__ import annotations

import sys


class _BeforeNumba:
    """Sets the folder of compiled kernels when numba is first imported, as that takes time."""

    def find_spec(self, name: str, *_: object) -> None:
        """Find nothing."""
        if name == "numba":
            from synthgen.core.kernel_folder import use_kernel_folder

            use_kernel_folder()


if "numba" in sys.modules:
    _BeforeNumba().find_spec("numba")
else:
    sys.meta_path.insert(0, _BeforeNumba())
