"""PCFG SET with exceptions, from the text: four pairs of adjacent functions mean something else."""

from __future__ import annotations

from synthgen.verifiers._pcfg_check import PcfgVerifier

VERIFIER = PcfgVerifier(
    (
        ("reverse", "echo", "echo", "copy"),
        ("prepend", "remove_first", "remove_second", "append"),
        ("echo", "remove_first", "copy", "append"),
        ("prepend", "reverse", "remove_second", "echo"),
    )
)
