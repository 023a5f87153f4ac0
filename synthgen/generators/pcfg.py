"""PCFG SET (Hupkes et al. 2020): string functions in prefix notation, from a random grammar.

A program such as `append reverse A1 B2 , echo C3 D4` is drawn by its size and then uniformly among
all trees of that size, which is what the published recursive grammar does; see `_pcfg_grammar`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synthgen.generators._pcfg_family import PcfgFamily


@dataclass(frozen=True)
class Pcfg(PcfgFamily):
    """Programs of string functions, with every function meaning the same everywhere."""

    domain: ClassVar[str] = "pcfg"
    verifier: ClassVar[str] = "pcfg"
    exceptional: ClassVar[bool] = False


Pcfg.__doc__ = PcfgFamily.__doc__
GENERATOR = Pcfg
