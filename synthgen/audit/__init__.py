"""Reports computed only from the files of a dataset."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synthgen.audit.findings import Report


class _Package(ModuleType):
    """This package; a call of `synthgen.audit`, which names both, is one of the function."""

    def __call__(self, folder: str | Path, max_shortcut: float | None = None) -> Report:
        from synthgen.audit.report import audit

        return audit(Path(folder), max_shortcut)


sys.modules[__name__].__class__ = _Package
