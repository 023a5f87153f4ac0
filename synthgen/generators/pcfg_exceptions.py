"""PCFG SET with exceptions: four pairs of adjacent functions mean something else.

The same address, stream and parameters give the same program as `pcfg` does; only the results of
programs with an exceptional pair differ. Of several pairs the first of the list counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synthgen.core.errors import ParamError
from synthgen.generators._pcfg_family import PcfgFamily


@dataclass(frozen=True)
class PcfgExceptions(PcfgFamily):
    """Programs of string functions, with exceptional meanings of four pairs."""

    domain: ClassVar[str] = "pcfg_exceptions"
    verifier: ClassVar[str] = "pcfg_exceptions"
    exceptional: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.twin_mode != "none":
            raise ParamError("twin_mode", self.twin_mode, "none, as synonyms make no exceptions")


PcfgExceptions.__doc__ = PcfgFamily.__doc__
GENERATOR = PcfgExceptions
